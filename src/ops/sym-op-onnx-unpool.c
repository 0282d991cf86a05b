/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx-window.h"
#include "ops/sym-op-table.h"

/* MaxUnpool: what MaxPool found at the places where it was found. */

static const SymAttributeSpec attributes[] = {
  { "kernel_shape", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  SYM_OP_ONNX_PADS,
  SYM_OP_ONNX_STRIDES,
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "X" },
  { "I" },
  { "output_shape", .optional = TRUE },
  { NULL },
};

static gboolean
infer_sizes (SymRule *rule, const SymShape *x, SymShape *y, GError **error)
{
  SymOpOnnxWindows windows;

  if (!sym_op_onnx_windows_init (&windows, sym_rule_get_attributes (rule), x->rank - 2, NULL,
                                 error))
    return FALSE;
  for (int i = 0; i < windows.n; i++)
    {
      const SymOpWindow window = {
        .kernel = windows.kernel[i],
        .stride = windows.stride[i],
        .dilate = 1,
        .before = windows.before[i],
        .after = windows.after[i],
      };

      if (!sym_op_unslide (rule, x->dims[2 + i], &window, 0, &y->dims[2 + i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x, y;
  SymDim sizes[SYM_MAX_RANK];
  int n = sym_rule_get_input_values (rule, 2, sizes, SYM_MAX_RANK);

  x = sym_rule_get_input (rule, 0);
  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_rule_set_input (rule, 1, &x, error))
    return FALSE;
  x = sym_rule_get_input (rule, 1);
  if (!sym_rule_set_input (rule, 0, &x, error))
    return FALSE;
  if (x.rank < 0)
    return TRUE;
  if (x.rank < 3)
    return sym_rule_fail (error, "X must have 3 axes or more, not %d", x.rank);
  y = x;
  if (!sym_rule_has_input (rule, 2))
    return infer_sizes (rule, &x, &y, error) && sym_rule_set_output (rule, 0, &y, error);
  if (n >= 0 && n != x.rank)
    return sym_rule_fail (error, "output_shape has %d sizes for %d axes", n, x.rank);
  for (int i = 0; i < x.rank; i++)
    y.dims[i] = n < 0 ? SYM_DIM_UNKNOWN : sizes[i];
  return sym_rule_set_output (rule, 0, &y, error);
}

/* The shape that was pooled, as far as X and the attributes tell it: indices count its elements. */
static gboolean
find_pooled (SymKernel *kernel, const SymShape *x, SymShape *pooled, GError **error)
{
  SymOpOnnxWindows windows;

  *pooled = *x;
  if (!sym_op_onnx_windows_init (&windows, sym_kernel_get_attributes (kernel), x->rank - 2, NULL,
                                 error))
    return FALSE;
  for (int i = 0; i < windows.n; i++)
    {
      gint64 size = x->dims[2 + i] - 1, stride = windows.stride[i];

      if (size > 0 && stride > G_MAXINT32 / size)
        return sym_kernel_fail (error, "axis %d would be too large", 2 + i);
      size = size * stride + windows.kernel[i] - windows.before[i] - windows.after[i];
      if (size < 0)
        return sym_kernel_fail (error, "axis %d would have a size of %" G_GINT64_FORMAT, 2 + i,
                                size);
      pooled->dims[2 + i] = x->dims[2 + i] == 0 ? 0 : size;
    }
  return TRUE;
}

/* The result is as large as what was pooled, or larger: then that lies at its beginning. */
static gboolean
find_target (SymKernel *kernel, const SymShape *pooled, SymShape *to, GError **error)
{
  int n;

  *to = *pooled;
  if (!sym_kernel_has_input (kernel, 2))
    return TRUE;
  if (!sym_kernel_read_ints (kernel, 2, to->dims, SYM_MAX_RANK, &n, error))
    return FALSE;
  to->rank = n;
  for (int i = 0; i < n && n == pooled->rank; i++)
    if (i < 2 ? to->dims[i] != pooled->dims[i] : to->dims[i] < pooled->dims[i])
      n = -1;
  if (n != pooled->rank)
    {
      g_autofree char *left = sym_op_format_shape (to), *right = sym_op_format_shape (pooled);

      return sym_kernel_fail (error, "output_shape %s does not hold what was pooled, %s", left,
                              right);
    }
  return TRUE;
}

static gboolean
place (SymKernel *kernel,
       const SymArray *x,
       const gint64 *indices,
       const SymShape *pooled,
       SymArray *y,
       GError **error)
{
  gint64 strides[SYM_MAX_RANK], total = 1;
  gsize asked = 0;

  sym_op_get_strides (&y->shape, strides);
  for (int i = 0; i < pooled->rank; i++)
    total *= pooled->dims[i];
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      gint64 rest = indices[i], at = 0;

      if (!sym_op_go_on (kernel, &asked, 4, error))
        return FALSE;
      if (rest < 0 || rest >= total)
        return sym_kernel_fail (error,
                                "index %" G_GINT64_FORMAT " is not among the %" G_GINT64_FORMAT
                                " elements of what was pooled",
                                rest, total);
      for (int axis = pooled->rank; axis-- > 0; rest /= pooled->dims[axis])
        at += rest % pooled->dims[axis] * strides[axis];
      sym_op_move (y, (gsize) at, x, i, 1);
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *indices;
  SymShape pooled, to;
  SymArray *y;

  if (x == NULL || (indices = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (x->dtype) || sym_dtype_get_bits (x->dtype) < 16)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (indices->dtype != SYM_DTYPE_INT64)
    return sym_op_refuse_dtype (kernel, indices->dtype, error);
  if (x->shape.rank < 3 || !sym_shape_equal (&x->shape, &indices->shape))
    return sym_kernel_fail (error, "X must have 3 axes or more, and as many indices as elements");
  if (!find_pooled (kernel, &x->shape, &pooled, error) ||
      !find_target (kernel, &pooled, &to, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  return y != NULL && sym_op_clear (kernel, y, error) &&
         place (kernel, x, indices->data, &pooled, y, error);
}

const SymOperator sym_op_onnx_unpool[] = {
  { SYM_OP_ONNX ("MaxUnpool", 9), .summary = "what MaxPool found where it was found",
    .category = SYM_CATEGORY_POOLING, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run },
  { 0 },
};
