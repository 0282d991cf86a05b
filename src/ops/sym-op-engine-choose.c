/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* ---- By value ---- */

SymDType
sym_op_engine_get_indices_dtype (SymOpLower *self)
{
  return sym_op_lower_get_dtype (self, "indices_dtype", SYM_DTYPE_INT32);
}

void
sym_op_engine_set_top (SymOpLower *self, int axis, gint64 k, gboolean largest)
{
  SymId x;

  if (k < 1 || k > G_MAXINT32)
    sym_op_lower_refuse (self, "%s: how many is not told", sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self) || !sym_op_lower_need_tensor (self, 0))
    return;
  x = sym_op_lower_call (
      self, "TopK", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, &k, 1)), "axis",
      sym_value_new_int (axis), "largest", sym_value_new_int (largest), NULL);
  sym_op_lower_set_output (self, 0, x);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1,
                             sym_op_lower_cast (self, sym_op_lower_get_result (self, x, 1),
                                                sym_op_engine_get_indices_dtype (self)));
}

/* Scales do not change which one is the greatest. */
void
sym_op_engine_set_arg (SymOpLower *self, gboolean is_max, int axis, gboolean keep)
{
  SymId x = sym_op_lower_call (
      self, is_max ? "ArgMax" : "ArgMin", SYM_IDS (sym_op_engine_real (self, 0)), "axis",
      sym_value_new_int (axis), "keepdims", sym_value_new_int (keep), NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, x, sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32)));
}

/* ---- By index ---- */

static SymId
read_indices (SymOpLower *self)
{
  return sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
}

void
sym_op_engine_lower_gather_elements (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));

  if (sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "GatherElements",
                           SYM_IDS (sym_op_lower_input (self, 0), read_indices (self)), "axis",
                           sym_value_new_int (axis), NULL));
}

/* What becomes of what is there: 0 nothing, 1 a sum, 2 a product, or the same by a name. */
static const char *
get_reduction (SymOpLower *self)
{
  static const char *const kinds[] = { "none", "add", "mul" };
  gint64 kind = sym_op_lower_get_int (self, "reduction", 0);

  if (kind >= 0 && kind < (gint64) G_N_ELEMENTS (kinds))
    return kinds[kind];
  sym_op_lower_refuse (self, "%s: reduction %" G_GINT64_FORMAT " is not lowered",
                       sym_op_lower_get_type (self), kind);
  return kinds[0];
}

void
sym_op_engine_lower_scatter_elements (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));

  if (sym_op_lower_need_tensor (self, 1) && sym_op_lower_need_tensor (self, 2))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "ScatterElements",
                           SYM_IDS (sym_op_lower_input (self, 0), read_indices (self),
                                    sym_op_lower_input (self, 2)),
                           "axis", sym_value_new_int (axis), "reduction",
                           sym_value_new_string (get_reduction (self)), NULL));
}

void
sym_op_engine_lower_scatter_nd (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
      sym_op_lower_need_tensor (self, 2))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "ScatterND",
                           SYM_IDS (sym_op_lower_input (self, 0), read_indices (self),
                                    sym_op_lower_input (self, 2)),
                           "reduction", sym_value_new_string (get_reduction (self)), NULL));
}

void
sym_op_engine_lower_cumulate (SymOpLower *self)
{
  int axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));

  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set (self,
                       sym_op_foreign_cumulate (self, sym_op_engine_real (self, 0),
                                                sym_op_lower_number (self, SYM_DTYPE_INT64, axis)));
}

void
sym_op_engine_lower_where (SymOpLower *self)
{
  if (sym_op_lower_get_n_inputs (self) != 3)
    sym_op_lower_refuse (self, "%s of %u operands is not lowered", sym_op_lower_get_type (self),
                         sym_op_lower_get_n_inputs (self));
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (
            self, "Where",
            SYM_IDS (sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_BOOL),
                     sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)),
            NULL));
}

/* ---- Blocks ---- */

gboolean
sym_op_engine_read_blocks (SymOpLower *self,
                           const char *block,
                           const char *pairs,
                           gboolean channels_last,
                           SymOpEngineBlocks *blocks)
{
  int n = sym_op_foreign_list (self, block, blocks->block);
  int n_pairs = sym_op_engine_rows (self, pairs, 2, blocks->pairs);

  blocks->first = channels_last ? 1 : 2;
  blocks->n = n;
  if (!sym_op_lower_has_failed (self) && (n < 1 || n_pairs != n))
    sym_op_lower_refuse (self, "%s: its blocks are not told", sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

static gboolean
check_blocks (SymOpLower *self, const SymOpEngineBlocks *blocks, int rank)
{
  gboolean fits = blocks->first + blocks->n <= rank && rank + blocks->n <= SYM_MAX_RANK;

  for (int i = 0; i < blocks->n && fits; i++)
    fits = blocks->block[i] >= 1 && blocks->block[i] <= G_MAXINT16 &&
           MIN (blocks->pairs[2 * i], blocks->pairs[2 * i + 1]) >= 0 &&
           MAX (blocks->pairs[2 * i], blocks->pairs[2 * i + 1]) <= G_MAXINT32;
  if (!fits)
    sym_op_lower_fail (self, "%s: its blocks make no sense", sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

/* Blocks as axes of their own, behind those of their places or before all. */
static SymId
reshape (SymOpLower *self,
         SymId x,
         const SymOpEngineBlocks *blocks,
         const gint64 *places,
         int rank,
         gboolean is_behind)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = 0;

  if (!is_behind)
    for (int i = 0; i < blocks->n; i++)
      sizes[n++] = blocks->block[i];
  sizes[n++] = -1;
  for (int i = 1; i < rank; i++)
    {
      gboolean is_place = i >= blocks->first && i < blocks->first + blocks->n;

      sizes[n++] = is_place ? places[i - blocks->first] : sym_op_foreign_size (self, 0, i);
      if (is_place && is_behind)
        sizes[n++] = blocks->block[i - blocks->first];
    }
  return sym_op_foreign_reshape (self, x, sizes, n, FALSE);
}

/* All but the batch, of which nothing need be known, as they come out. */
static SymId
close_up (SymOpLower *self,
          SymId x,
          const SymOpEngineBlocks *blocks,
          const gint64 *places,
          int rank)
{
  gint64 sizes[SYM_MAX_RANK] = { -1 };

  for (int i = 1; i < rank; i++)
    sizes[i] = i >= blocks->first && i < blocks->first + blocks->n
                   ? places[i - blocks->first]
                   : sym_op_foreign_size (self, 0, i);
  return sym_op_foreign_reshape (self, x, sizes, rank, FALSE);
}

static SymId
enter_batch (SymOpLower *self, const SymOpEngineBlocks *blocks, int rank)
{
  gint64 pads[2 * SYM_MAX_RANK] = { 0 }, places[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);
  int n = 0;

  for (int i = 0; i < blocks->n; i++)
    {
      const gint64 *pair = &blocks->pairs[2 * i];
      int axis = blocks->first + i;
      gint64 size = sym_op_foreign_size (self, 0, axis) + pair[0] + pair[1];

      if (size % blocks->block[i] != 0)
        sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " are no blocks of %" G_GINT64_FORMAT,
                           sym_op_lower_get_type (self), size, blocks->block[i]);
      pads[axis] = pair[0];
      pads[rank + axis] = pair[1];
      places[i] = size / blocks->block[i];
      axes[n++] = blocks->first + 2 * i + 1;
    }
  for (int i = 0, at = 0; i < rank; i++, at++)
    {
      axes[n++] = at;
      if (i >= blocks->first && i < blocks->first + blocks->n)
        at++;
    }
  x = sym_op_lower_binary (self, "Pad", x, sym_op_lower_ints (self, pads, 2 * rank));
  x = sym_op_lower_permute (self, reshape (self, x, blocks, places, rank, TRUE), axes, n);
  return close_up (self, x, blocks, places, rank);
}

static SymId
leave_batch (SymOpLower *self, const SymOpEngineBlocks *blocks, int rank)
{
  gint64 places[SYM_MAX_RANK], wholes[SYM_MAX_RANK], axes[SYM_MAX_RANK], stops[SYM_MAX_RANK];
  gint64 starts[SYM_MAX_RANK], cut[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);
  int n = 0;

  for (int i = 0; i < blocks->n; i++)
    {
      places[i] = sym_op_foreign_size (self, 0, blocks->first + i);
      wholes[i] = sym_op_foreign_multiply (self, places[i], blocks->block[i]);
      starts[i] = blocks->pairs[2 * i];
      stops[i] = MAX (wholes[i] - blocks->pairs[2 * i + 1], 0);
      cut[i] = blocks->first + i;
    }
  for (int i = 0; i < rank; i++)
    {
      axes[n++] = blocks->n + i;
      if (i >= blocks->first && i < blocks->first + blocks->n)
        axes[n++] = i - blocks->first;
    }
  x = sym_op_lower_permute (self, reshape (self, x, blocks, places, rank, FALSE), axes, n);
  x = close_up (self, x, blocks, wholes, rank);
  return sym_op_foreign_slice (self, x, starts, stops, cut, NULL, blocks->n);
}

void
sym_op_engine_set_batch (SymOpLower *self, const SymOpEngineBlocks *blocks, gboolean to_batch)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId x;

  if (sym_op_lower_has_failed (self) || !check_blocks (self, blocks, rank))
    return;
  x = to_batch ? enter_batch (self, blocks, rank) : leave_batch (self, blocks, rank);
  sym_op_lower_set_output (self, 0, x);
}

static int
find_apart (int i, int axis)
{
  return i <= axis ? i : i - 1;
}

void
sym_op_engine_set_shuffled (SymOpLower *self, int axis, gint64 groups)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymShape apart = { .rank = rank + 1 }, whole = { .rank = rank };
  SymId x = sym_op_lower_input (self, 0);
  gint64 axes[SYM_MAX_RANK], size;

  if (sym_op_lower_has_failed (self) || rank >= SYM_MAX_RANK)
    return;
  size = sym_op_foreign_size (self, 0, axis);
  if (groups < 1 || size % groups != 0)
    sym_op_lower_fail (self,
                       "%s: %" G_GINT64_FORMAT " channels are not %" G_GINT64_FORMAT " groups",
                       sym_op_lower_get_type (self), size, groups);
  for (int i = 0; i <= rank && !sym_op_lower_has_failed (self); i++)
    {
      axes[i] = i == axis ? axis + 1 : i == axis + 1 ? axis : i;
      apart.dims[i] = i == axis       ? groups
                      : i == axis + 1 ? size / groups
                                      : sym_op_foreign_size (self, 0, find_apart (i, axis));
      if (i < rank)
        whole.dims[i] = sym_op_foreign_size (self, 0, i);
    }
  if (sym_op_lower_has_failed (self))
    return;
  x = sym_op_lower_permute (self, sym_op_lower_reshape (self, x, &apart), axes, rank + 1);
  sym_op_lower_set_output (self, 0, sym_op_lower_reshape (self, x, &whole));
}
