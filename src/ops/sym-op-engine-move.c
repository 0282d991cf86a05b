/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Movements keep numbers as they are: integers with a scale bear them as well. */

static gboolean
is_marked (gint64 mask, int i)
{
  return ((guint64) mask >> i & 1) != 0;
}

/* What is taken of axis @i, as ONNX's Slice has it. */
static void
read_range (const SymOpEnginePart *part, int i, gint64 *start, gint64 *stop, gint64 *step)
{
  gboolean backwards = part->steps[i] < 0;

  *start = is_marked (part->no_start, i) ? (backwards ? -1 : 0) : part->starts[i];
  *stop = !is_marked (part->no_stop, i) ? part->stops[i] : backwards ? G_MININT64 : G_MAXINT64;
  *step = part->steps[i];
  if (!is_marked (part->gone, i))
    return;
  *start = part->starts[i];
  *stop = *start == -1 || *start == G_MAXINT64 ? G_MAXINT64 : *start + 1;
  *step = 1;
}

void
sym_op_engine_set_part (SymOpLower *self, const SymOpEnginePart *part)
{
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK], gone[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n = MIN (part->n, SYM_MAX_RANK), n_gone = 0;
  SymId y;

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its part is not told", sym_op_lower_get_type (self));
  else if (n > rank)
    sym_op_lower_fail (self, "%s: a part of %d axes, of data with %d", sym_op_lower_get_type (self),
                       n, rank);
  if (sym_op_lower_has_failed (self))
    return;

  for (int i = 0; i < n; i++)
    {
      read_range (part, i, &starts[i], &stops[i], &steps[i]);
      if (is_marked (part->gone, i))
        gone[n_gone++] = i;
    }
  y = sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, NULL, steps, n);
  sym_op_lower_set_output (self, 0,
                           n_gone > 0 ? sym_op_foreign_squeeze (self, y, gone, n_gone) : y);
}

void
sym_op_engine_set_padded (SymOpLower *self, const char *name, const char *mode, double number)
{
  gint64 pairs[2 * SYM_MAX_RANK], pads[2 * SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n = sym_op_engine_rows (self, name, 2, pairs);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (!sym_op_lower_has_failed (self) && n != rank)
    sym_op_lower_refuse (self, "%s: its %s are not told", sym_op_lower_get_type (self), name);
  if (mode == NULL && !sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s: symmetric pads are not lowered", sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self))
    return;

  for (int i = 0; i < n; i++)
    {
      pads[i] = pairs[2 * i];
      pads[n + i] = pairs[2 * i + 1];
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Pad",
                         SYM_IDS (sym_op_lower_input (self, 0),
                                  sym_op_lower_ints (self, pads, 2 * n),
                                  sym_op_lower_number (self, dtype, number)),
                         "mode", sym_value_new_string (mode == NULL ? "constant" : mode), NULL));
}

void
sym_op_engine_lower_gather (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));

  if (!sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Gather",
          SYM_IDS (sym_op_lower_input (self, 0),
                   sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64)),
          "axis", sym_value_new_int (axis), NULL));
}

void
sym_op_engine_set_blocks (SymOpLower *self,
                          gboolean channels_last,
                          gboolean to_space,
                          const char *mode,
                          gint64 size)
{
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_foreign_rank (self, 0) != 4)
    {
      sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
      return;
    }
  if (channels_last)
    x = sym_op_foreign_channels_first (self, x, 4);
  if (to_space)
    x = sym_op_lower_call (self, "DepthToSpace", SYM_IDS (x), "blocksize", sym_value_new_int (size),
                           "mode", sym_value_new_string (mode), NULL);
  else
    x = sym_op_foreign_with (self, "SpaceToDepth", x, "blocksize", size);
  sym_op_lower_set_output (self, 0, channels_last ? sym_op_foreign_channels_last (self, x, 4) : x);
}

void
sym_op_engine_set_resized (SymOpLower *self,
                           gboolean channels_last,
                           const gint64 sizes[2],
                           const char *mode,
                           const char *coordinates)
{
  if (sym_op_foreign_rank (self, 0) != 4)
    {
      sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
      return;
    }
  sym_op_engine_set (self, sym_op_foreign_resize (self, sym_op_engine_real (self, 0),
                                                  sym_op_lower_get_input_shape (self, 0),
                                                  channels_last, sizes, NULL, mode, coordinates));
}

void
sym_op_engine_set_split (SymOpLower *self, int axis, const gint64 *starts, int n)
{
  gint64 sizes[SYM_MAX_RANK + 1], last = 0;

  if (n < 0)
    {
      sym_op_lower_refuse (self, "%s: its parts are not told", sym_op_lower_get_type (self));
      return;
    }
  for (int i = 0; i < n; i++)
    {
      if (starts[i] < last || starts[i] > G_MAXINT32)
        sym_op_lower_fail (self, "%s: part %d begins before the one before it ends",
                           sym_op_lower_get_type (self), i + 1);
      sizes[i] = starts[i] - last;
      last = starts[i];
    }
  sizes[n] = sym_op_foreign_size (self, 0, axis) - last;
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, sizes, n + 1);
}

void
sym_op_engine_lower_tile (SymOpLower *self)
{
  gint64 times[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "multiples", times);

  if (n < 0)
    sym_op_lower_refuse (self, "Tile: its multiples are not told");
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Tile", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, times, n)));
}

void
sym_op_engine_lower_gather_nd (SymOpLower *self)
{
  const char *shared = sym_op_foreign_choose (self, "batch_dims", "axis", NULL);

  if (sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (
            self, "GatherND",
            SYM_IDS (sym_op_lower_input (self, 0),
                     sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64)),
            "batch_dims", sym_value_new_int (sym_op_lower_get_int (self, shared, 0)), NULL));
}

void
sym_op_engine_set_unpacked (SymOpLower *self, int axis)
{
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self) && !sym_op_lower_has_failed (self); i++)
    sym_op_lower_set_output (
        self, i,
        sym_op_lower_call (
            self, "Gather",
            SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_number (self, SYM_DTYPE_INT64, i)),
            "axis", sym_value_new_int (axis), NULL));
}

void
sym_op_engine_lower_unpack (SymOpLower *self)
{
  sym_op_engine_set_unpacked (self,
                              sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0)));
}

void
sym_op_engine_set_matmul (SymOpLower *self, const char *transposes_a, const char *transposes_b)
{
  SymId a, b;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  a = sym_op_lower_exchange_if (self, sym_op_engine_real (self, 0), sym_op_foreign_rank (self, 0),
                                transposes_a);
  b = sym_op_lower_exchange_if (self, sym_op_engine_real (self, 1), sym_op_foreign_rank (self, 1),
                                transposes_b);
  sym_op_engine_set (self, sym_op_lower_binary (self, "MatMul", a, b));
}

/* ---- Rules ---- */

/* Tensors that are no lists, nor numbers. */
static gboolean
are_plain (SymRule *rule)
{
  guint n = sym_rule_get_n_inputs (rule);

  for (guint i = 0; i < n; i++)
    if (sym_rule_get_input_dtype (rule, i) == SYM_DTYPE_UNKNOWN ||
        sym_rule_get_input (rule, i).rank < 2)
      return FALSE;
  return n > 0;
}

gboolean
sym_op_engine_infer_part (SymRule *rule, const SymOpEnginePart *part, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), taken = { .rank = 0 };
  gboolean is_plain =
      are_plain (rule) && sym_rule_get_n_inputs (rule) == 1 && part->n >= 0 && part->n <= data.rank;

  for (int i = 0; i < part->n && is_plain; i++)
    is_plain = part->steps[i] != 0 && !(is_marked (part->gone, i) && data.dims[i] < 0);
  if (!is_plain)
    return sym_op_infer_lowered (rule, error);
  for (int i = 0; i < data.rank; i++)
    {
      SymDim size = data.dims[i];
      gint64 start, stop, step;

      if (i < part->n)
        {
          read_range (part, i, &start, &stop, &step);
          size = sym_op_slice_size (sym_rule_get_terms (rule), size, TRUE, start,
                                    step < 0 || stop < G_MAXINT32, stop, step);
        }
      if (i >= part->n || !is_marked (part->gone, i))
        taken.dims[taken.rank++] = size;
      else if (size != 1)
        return sym_op_infer_lowered (rule, error);
    }
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &taken, error);
}

gboolean
sym_op_engine_infer_joined (SymRule *rule, gint64 axis, GError **error)
{
  int rank = sym_rule_get_input (rule, 0).rank;

  if (!are_plain (rule) || axis < -rank || axis >= rank)
    return sym_op_infer_lowered (rule, error);
  return sym_rule_tie_dtypes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_op_concatenate (rule, 0, axis, error);
}

gboolean
sym_op_engine_infer_concat (SymRule *rule, GError **error)
{
  return sym_op_engine_infer_joined (
      rule, sym_rule_get_int (rule, "axis", sym_rule_get_int (rule, "dim", 0)), error);
}
