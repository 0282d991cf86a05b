/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Transpose, Expand and Tile: each element where strides lead. */

/* ---- Transpose ---- */

static const SymAttributeSpec transpose_attributes[] = {
  { "perm", SYM_ATTRIBUTE_INTS, "None", "the old axes in their new order; reversed by default" },
  { NULL },
};

static const SymSlotSpec transpose_slots[] = { { "data" }, { NULL } };

/* The old axis for each new one; @n is -1 for none given. */
static gboolean
order_axes (const gint64 *perm, int n, int rank, int order[SYM_MAX_RANK], GError **error)
{
  gboolean seen[SYM_MAX_RANK] = { FALSE };

  if (n >= 0 && n != rank)
    return sym_kernel_fail (error, "perm has %d axes, the data %d", n, rank);
  for (int i = 0; i < rank; i++)
    {
      if (n < 0)
        order[i] = rank - 1 - i;
      else if (!sym_op_find_axis (perm[i], rank, &order[i], error))
        return FALSE;
      if (seen[order[i]])
        return sym_kernel_fail (error, "perm names axis %d twice", order[i]);
      seen[order[i]] = TRUE;
    }
  return TRUE;
}

static gboolean
infer_transpose (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to = sym_rule_get_output (rule, 0);
  gint64 perm[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "perm", perm, SYM_MAX_RANK), order[SYM_MAX_RANK];
  int rank = from.rank >= 0 ? from.rank : to.rank >= 0 ? to.rank : n;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (rank > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (!order_axes (perm, n, rank, order, error))
    return FALSE;
  if (from.rank < 0)
    from = sym_shape_new_unknown (rank);
  to = from;
  for (int i = 0; i < rank; i++)
    to.dims[i] = from.dims[order[i]];
  if (!sym_rule_set_output (rule, 0, &to, error))
    return FALSE;
  to = sym_rule_get_output (rule, 0);
  for (int i = 0; i < rank; i++)
    from.dims[order[i]] = to.dims[i];
  return sym_rule_set_input (rule, 0, &from, error);
}

static gboolean
run_transpose (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 perm[SYM_MAX_RANK], strides[SYM_MAX_RANK], moved[SYM_MAX_RANK];
  int n = sym_kernel_get_ints (kernel, "perm", perm, SYM_MAX_RANK), order[SYM_MAX_RANK];
  SymShape to;
  SymArray *y;

  if (x == NULL || !order_axes (perm, n, x->shape.rank, order, error))
    return FALSE;
  to = x->shape;
  sym_op_get_strides (&x->shape, strides);
  for (int i = 0; i < to.rank; i++)
    {
      to.dims[i] = x->shape.dims[order[i]];
      moved[i] = strides[order[i]];
    }
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  return sym_op_move_strided (kernel, y, x, 0, moved, error);
}

/* ---- Expand ---- */

static const SymSlotSpec expand_slots[] = { { "input" }, { "shape" }, { NULL } };

/* What two dimensions broadcast to, where that can be told. */
static SymDim
broadcast_dim (SymDim a, SymDim b)
{
  if (a == 1 || a == b)
    return b;
  if (b == 1)
    return a;
  return a > 1 ? a : b > 1 ? b : SYM_DIM_UNKNOWN;
}

static gboolean
infer_expand (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to = { .rank = 0 }, sizes;
  SymDim dims[SYM_MAX_RANK];
  int n = sym_rule_get_input_values (rule, 1, dims, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  sizes = sym_rule_get_input (rule, 1);
  if (n < 0 && sizes.rank == 1 && sizes.dims[0] >= 0 && sizes.dims[0] <= SYM_MAX_RANK)
    {
      n = (int) sizes.dims[0];
      for (int i = 0; i < n; i++)
        dims[i] = SYM_DIM_UNKNOWN;
    }
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (from.rank < 0 || n < 0)
    return TRUE;
  to.rank = MAX (from.rank, n);
  for (int i = 1; i <= to.rank; i++)
    {
      SymDim a = i <= from.rank ? from.dims[from.rank - i] : 1, b = i <= n ? dims[n - i] : 1;

      if (a >= 0 && b >= 0 && a != b && a != 1 && b != 1)
        return sym_rule_fail (
            error, "a size of %" G_GINT64_FORMAT " does not expand to %" G_GINT64_FORMAT, a, b);
      to.dims[to.rank - i] = broadcast_dim (a, b);
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
run_expand (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 strides[SYM_MAX_RANK];
  SymShape to = { .rank = 0 };
  SymArray *y;
  int n;

  if (x == NULL || sym_kernel_need_input (kernel, 1, error) == NULL ||
      !sym_kernel_read_ints (kernel, 1, to.dims, SYM_MAX_RANK, &n, error))
    return FALSE;
  to.rank = n;
  for (int i = 0; i < n; i++)
    if (to.dims[i] < 0)
      return sym_kernel_fail (error, "%" G_GINT64_FORMAT " is no size to expand to", to.dims[i]);
  if (!sym_op_broadcast (&to, &x->shape, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  sym_op_get_broadcast_strides (&x->shape, to.rank, strides);
  return sym_op_move_strided (kernel, y, x, 0, strides, error);
}

/* ---- Tile ---- */

static const SymSlotSpec tile_slots_1[] = { { "input" }, { "tiles" }, { "axis" }, { NULL } };
static const SymSlotSpec tile_slots_6[] = { { "input" }, { "repeats" }, { NULL } };

static gboolean
infer_tile (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape from = sym_rule_get_input (rule, 0), to = from;
  SymDim repeats[SYM_MAX_RANK];
  int n;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (from.rank < 0)
    return TRUE;
  n = sym_rule_get_input_values (rule, 1, repeats, SYM_MAX_RANK);
  if (n < 0 || sym_rule_get_version (rule) < 6)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (from.rank), SYM_DTYPE_UNKNOWN, error);
  if (n != from.rank)
    return sym_rule_fail (error, "there are %d repeats for %d axes", n, from.rank);
  for (int i = 0; i < n; i++)
    to.dims[i] = sym_terms_multiply (terms, from.dims[i], repeats[i]);
  return sym_rule_set_output (rule, 0, &to, error);
}

/* Where row @row of the result, counted along all axes but the last, is read. */
static gsize
find_row (const SymShape *from, const SymShape *to, gsize row)
{
  gsize place = 0, stride = (gsize) from->dims[from->rank - 1];

  for (int i = to->rank - 1; i-- > 0;)
    {
      gsize size = (gsize) to->dims[i];

      place += row % size % (gsize) from->dims[i] * stride;
      stride *= (gsize) from->dims[i];
      row /= size;
    }
  return place;
}

static gboolean
tile (SymKernel *kernel, const SymArray *x, const gint64 *repeats, GError **error)
{
  SymShape to = x->shape;
  gsize row, done = 0;
  SymArray *y;

  for (int i = 0; i < to.rank; i++)
    if (repeats[i] < 0 || (to.dims[i] > 0 && repeats[i] > G_MAXINT64 / to.dims[i]))
      return sym_kernel_fail (error, "axis %d cannot be repeated %" G_GINT64_FORMAT " times", i,
                              repeats[i]);
    else
      to.dims[i] *= repeats[i];
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  row = to.rank == 0 ? 1 : (gsize) x->shape.dims[to.rank - 1];
  for (gsize i = 0, n = sym_array_get_n_elements (y), k = 0; i < n; k++)
    {
      gsize place = to.rank == 0 ? 0 : find_row (&x->shape, &to, k);
      gsize times = to.rank == 0 ? 1 : (gsize) repeats[to.rank - 1];

      for (gsize t = 0; t < times; t++, i += row)
        if (!sym_op_move_on (kernel, &done, y, i, x, place, row, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
run_tile (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 repeats[SYM_MAX_RANK];
  int n;

  if (x == NULL || sym_kernel_need_input (kernel, 1, error) == NULL ||
      !sym_kernel_read_ints (kernel, 1, repeats, SYM_MAX_RANK, &n, error))
    return FALSE;
  if (n != x->shape.rank)
    return sym_kernel_fail (error, "there are %d repeats for %d axes", n, x->shape.rank);
  return tile (kernel, x, repeats, error);
}

static gboolean
run_tile_1 (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 repeats[SYM_MAX_RANK];
  double tiles, given;
  int axis;

  if (x == NULL || !sym_op_need_number (kernel, 1, &tiles, error) ||
      !sym_op_need_number (kernel, 2, &given, error) ||
      !sym_op_find_axis (sym_op_truncate (given), x->shape.rank, &axis, error))
    return FALSE;
  for (int i = 0; i < x->shape.rank; i++)
    repeats[i] = i == axis ? sym_op_truncate (tiles) : 1;
  return tile (kernel, x, repeats, error);
}

#define ENTRY(name_, version_, summary_, slots_, infer_, run_)                          \
  {                                                                                     \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_SHAPE, \
                                   .slots = slots_, .infer = infer_, .run = run_        \
  }

const SymOperator sym_op_onnx_transpose[] = {
  { SYM_OP_ONNX ("Transpose", 1), .summary = "puts the axes in another order",
    .category = SYM_CATEGORY_SHAPE, .attributes = transpose_attributes, .slots = transpose_slots,
    .infer = infer_transpose, .run = run_transpose },
  ENTRY ("Expand", 8, "repeats axes of size 1", expand_slots, infer_expand, run_expand),
  ENTRY ("Tile", 1, "repeats the data along an axis", tile_slots_1, infer_tile, run_tile_1),
  ENTRY ("Tile", 6, "repeats the data along each axis", tile_slots_6, infer_tile, run_tile),
  { 0 },
};
