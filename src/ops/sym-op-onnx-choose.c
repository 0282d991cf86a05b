/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* OneHot, NonZero and Compress: elements by their values. */

/* ---- OneHot ---- */

static const SymAttributeSpec hot_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "where the new axis is in the result" },
  { NULL },
};

static const SymSlotSpec hot_slots[] = { { "indices" }, { "depth" }, { "values" }, { NULL } };

static gboolean
infer_hot (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0);
  SymDim depth;
  int axis;

  if (!sym_op_pass_dtype (rule, 2, 0, error))
    return FALSE;
  if (from.rank < 0)
    return TRUE;
  if (from.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (sym_rule_get_input_values (rule, 1, &depth, 1) != 1)
    depth = SYM_DIM_UNKNOWN;
  return sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), from.rank + 1, &axis, error) &&
         sym_op_set_output (rule, 0, sym_op_insert_axis (&from, axis, depth), SYM_DTYPE_UNKNOWN,
                            error);
}

/* Elements that are filled from one piece, which stays near. */
#define FILLED 4096

/* One element everywhere: what has it already is moved on, in pieces that get longer. */
static gboolean
fill (SymKernel *kernel, SymArray *y, const SymArray *values, gsize value, GError **error)
{
  gsize n = sym_array_get_n_elements (y), asked = 0, count;

  sym_op_move (y, 0, values, value, 1);
  for (gsize done = 1; done < n; done += count)
    {
      count = MIN (MIN (done, FILLED), n - done);
      if (!sym_op_move_on (kernel, &asked, y, done, y, 0, count, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_hot (SymKernel *kernel, GError **error)
{
  const SymArray *indices = sym_kernel_need_input (kernel, 0, error), *depths, *values;
  gsize n, asked = 0;
  gint64 depth;
  SymOpAxis all;
  SymShape to;
  SymArray *y;
  int axis = 0;

  if (indices == NULL || (depths = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      (values = sym_kernel_need_input (kernel, 2, error)) == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (indices->dtype) || !sym_dtype_is_numeric (depths->dtype) ||
      sym_array_get_n_elements (depths) != 1 || sym_array_get_n_elements (values) != 2)
    return sym_kernel_fail (error, "depth must be one number, values must be off and on");
  depth = sym_element_get_int (depths->dtype, depths->data, 0);
  if (depth < 0 || indices->shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "depth is %" G_GINT64_FORMAT " for indices of rank %d", depth,
                            indices->shape.rank);
  if (!sym_op_find_axis (sym_kernel_get_int (kernel, "axis", -1), indices->shape.rank + 1, &axis,
                         error))
    return FALSE;
  to = sym_op_insert_axis (&indices->shape, axis, depth);
  y = sym_kernel_new_output (kernel, 0, values->dtype, &to, error);
  if (y == NULL || sym_array_get_n_elements (y) == 0)
    return y != NULL;
  if (!fill (kernel, y, values, 0, error))
    return FALSE;
  n = sym_array_get_n_elements (y);
  all = sym_op_split_axis (&to, axis);
  for (gsize i = 0; i < n / all.size; i++)
    {
      gint64 index = sym_element_get_int (indices->dtype, indices->data, i);

      if (!sym_op_go_on (kernel, &asked, 4, error))
        return FALSE;
      index = index < 0 ? index + depth : index;
      if (index >= 0 && index < depth)
        sym_op_move (y, (i / all.inner * all.size + (gsize) index) * all.inner + i % all.inner,
                     values, 1, 1);
    }
  return TRUE;
}

/* ---- NonZero ---- */

static gboolean
infer_non_zero (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to = sym_shape_new_unknown (2);

  if (from.rank >= 0)
    to.dims[0] = MAX (from.rank, 1);
  return sym_op_set_output (rule, 0, to, SYM_DTYPE_INT64, error);
}

/* Of the true ones of a row, whose place along the axes but the last is @index: of each axis there
 * is a list of @count in @to, in which *@next is the next place. */
static void
put_places (gint64 *to,
            const gint64 *index,
            int rank,
            const guint8 *truths,
            gsize n,
            gsize count,
            gsize *next)
{
  for (gsize i = 0; i < n; i++)
    {
      if (!truths[i])
        continue;
      for (int k = 0; k < rank - 1; k++)
        to[(gsize) k * count + *next] = index[k];
      to[(gsize) (rank - 1) * count + (*next)++] = (gint64) i;
    }
}

static gboolean
run_non_zero (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  guint8 *truths;
  gsize n, row, count = 0, next = 0, asked = 0;
  gint64 index[SYM_MAX_RANK] = { 0 };
  SymShape shape;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  /* A scalar counts as a vector of one. */
  shape = x->shape.rank == 0 ? SYM_SHAPE (1) : x->shape;
  n = sym_array_get_n_elements (x);
  truths = sym_kernel_get_scratch (kernel, n, 1, error);
  if (truths == NULL || sym_kernel_is_cancelled (kernel, error))
    return FALSE;
  sym_convert_elements (x->dtype, x->data, SYM_DTYPE_BOOL, truths, n);
  for (gsize i = 0; i < n; i++)
    count += truths[i];
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &SYM_SHAPE (shape.rank, (gint64) count),
                             error);
  if (y == NULL)
    return FALSE;
  row = MAX ((gsize) shape.dims[shape.rank - 1], 1);
  for (gsize i = 0; i < n; i += row)
    {
      if (!sym_op_go_on (kernel, &asked, row, error))
        return FALSE;
      put_places (y->data, index, shape.rank, truths + i, row, count, &next);
      for (int k = shape.rank - 1; k-- > 0;)
        {
          if (++index[k] < shape.dims[k])
            break;
          index[k] = 0;
        }
    }
  return TRUE;
}

/* ---- Compress ---- */

static const SymAttributeSpec compress_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis that is chosen from; all elements by default" },
  { NULL },
};

static const SymSlotSpec compress_slots[] = { { "input" }, { "condition" }, { NULL } };

static gboolean
infer_compress (SymRule *rule, GError **error)
{
  gint64 given = sym_rule_get_int (rule, "axis", G_MININT64);
  SymShape to = sym_rule_get_input (rule, 0);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (given == G_MININT64)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (1), SYM_DTYPE_UNKNOWN, error);
  if (to.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (given, to.rank, &axis, error))
    return FALSE;
  to.dims[axis] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
run_compress (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *condition;
  gint64 given = sym_kernel_get_int (kernel, "axis", G_MININT64);
  SymShape shape, to;
  gsize n, count = 0, next = 0, asked = 0;
  const guint8 *truth;
  SymOpAxis all;
  SymArray *y;
  int axis = 0;

  if (x == NULL || (condition = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  shape = given == G_MININT64 ? SYM_SHAPE ((gint64) sym_array_get_n_elements (x)) : x->shape;
  if (given != G_MININT64 && !sym_op_find_axis (given, shape.rank, &axis, error))
    return FALSE;
  if (condition->dtype != SYM_DTYPE_BOOL || condition->shape.rank != 1)
    return sym_kernel_fail (error, "condition must be of one axis of bool");
  all = sym_op_split_axis (&shape, axis);
  truth = condition->data;
  n = MIN ((gsize) condition->shape.dims[0], all.size);
  for (gsize i = 0; i < n; i++)
    count += truth[i] != 0;
  to = shape;
  to.dims[axis] = (gint64) count;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  for (gsize o = 0; o < all.outer; o++)
    for (gsize i = 0; i < n; i++)
      {
        if (!sym_op_go_on (kernel, &asked, 1, error) ||
            (truth[i] && !sym_op_move_on (kernel, &asked, y, next++ * all.inner, x,
                                          (o * all.size + i) * all.inner, all.inner, error)))
          return FALSE;
      }
  return TRUE;
}

#define HOT(version_)                                                                            \
  {                                                                                              \
    SYM_OP_ONNX ("OneHot", version_),                                                            \
        .summary = "one value at each index, another elsewhere", .category = SYM_CATEGORY_SHAPE, \
        .attributes = hot_attributes, .slots = hot_slots, .infer = infer_hot, .run = run_hot     \
  }
#define COMPRESS(version_)                                                                   \
  {                                                                                          \
    SYM_OP_ONNX ("Compress", version_),                                                      \
        .summary = "slices for which a condition is true", .category = SYM_CATEGORY_SHAPE,   \
        .attributes = compress_attributes, .slots = compress_slots, .infer = infer_compress, \
        .run = run_compress                                                                  \
  }

const SymOperator sym_op_onnx_choose[] = {
  HOT (9),
  HOT (11),
  { SYM_OP_ONNX ("NonZero", 9), .summary = "indices of the elements that are not zero",
    .category = SYM_CATEGORY_SHAPE, .slots = sym_op_onnx_x, .infer = infer_non_zero,
    .run = run_non_zero },
  COMPRESS (9),
  COMPRESS (11),
  { 0 },
};
