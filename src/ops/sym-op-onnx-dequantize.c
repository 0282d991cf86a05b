/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx-scales.h"
#include "ops/sym-op-table.h"

/* DequantizeLinear, and DynamicQuantizeLinear, which finds its scale by itself. */

#define AXIS                                                                 \
  {                                                                          \
    "axis", SYM_ATTRIBUTE_INT, "1", "the axis that several scales belong to" \
  }
#define BLOCK                                                                      \
  {                                                                                \
    "block_size", SYM_ATTRIBUTE_INT, "0", "elements along the axis for each scale" \
  }

static const SymAttributeSpec axis_attributes[] = { AXIS, { NULL } };
static const SymAttributeSpec block_attributes[] = { AXIS, BLOCK, { NULL } };
static const SymAttributeSpec dtype_attributes[] = {
  AXIS,
  BLOCK,
  { "output_dtype", SYM_ATTRIBUTE_DTYPE, "None",
    "dtype of the result; that of the scale by default" },
  { NULL },
};

static const SymSlotSpec dequantize_slots[] = {
  { "x" },
  { "x_scale" },
  { "x_zero_point", .optional = TRUE },
  { NULL },
};

/* ---- DequantizeLinear ---- */

static gboolean
infer_dequantize (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "output_dtype");

  if (dtype == SYM_DTYPE_UNKNOWN)
    dtype =
        sym_rule_get_version (rule) < 19 ? SYM_DTYPE_FLOAT32 : sym_rule_get_input_dtype (rule, 1);
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, dtype, error) &&
         sym_rule_set_input_dtype (rule, 2, sym_rule_get_input_dtype (rule, 0), error);
}

/* Elements at a time. */
#define PIECE 1024

/* (x - zero point) * scale of elements from element @first on. */
static void
dequantize_piece (const SymOpOnnxScales *scales, gsize first, double *numbers, gsize n)
{
  SymOpOnnxScaleRun run = { 0 };

  for (gsize i = 0; i < n; i++, run.n--, run.at += run.step)
    {
      if (run.n == 0)
        run = sym_op_onnx_scales_find (scales, first + i);
      numbers[i] = (numbers[i] - (scales->zeros == NULL ? 0 : scales->zeros[run.at])) *
                   scales->factors[run.at];
    }
}

static gboolean
dequantize (SymKernel *kernel,
            const SymOpOnnxScales *scales,
            const SymArray *x,
            SymArray *y,
            GError **error)
{
  gsize n = sym_array_get_n_elements (x), asked = 0;
  gsize bits = sym_dtype_get_bits (x->dtype), size = sym_dtype_get_bits (y->dtype) / 8;
  double numbers[PIECE];

  for (gsize i = 0; i < n; i += PIECE)
    {
      gsize count = MIN (n - i, PIECE);

      if (!sym_op_go_on (kernel, &asked, count, error))
        return FALSE;
      sym_convert_elements (x->dtype, (const guint8 *) x->data + i / 8 * bits, SYM_DTYPE_FLOAT64,
                            numbers, count);
      dequantize_piece (scales, i, numbers, count);
      sym_convert_elements (SYM_DTYPE_FLOAT64, numbers, y->dtype, (guint8 *) y->data + i * size,
                            count);
    }
  return TRUE;
}

static gboolean
run_dequantize (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "output_dtype");
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *scale;
  SymOpOnnxScales scales;
  SymArray *y;

  if (x == NULL || (scale = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype) || !sym_dtype_is_floating (scale->dtype))
    return sym_kernel_fail (error, "x is of %s, the scale of %s", sym_dtype_to_string (x->dtype),
                            sym_dtype_to_string (scale->dtype));
  if (!sym_op_onnx_scales_read (&scales, kernel, x, x->dtype, error))
    return FALSE;
  if (dtype == SYM_DTYPE_UNKNOWN)
    dtype = scale->dtype;
  if (!sym_dtype_is_floating (dtype) || sym_dtype_get_bits (dtype) < 8)
    return sym_op_refuse_dtype (kernel, dtype, error);
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  return y != NULL && dequantize (kernel, &scales, x, y, error);
}

/* ---- DynamicQuantizeLinear ---- */

static const char *const dynamic_outputs[] = { "y", "y_scale", "y_zero_point", NULL };

static int
get_three (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 3;
  return 3;
}

static gboolean
infer_dynamic (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_UINT8, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (), SYM_DTYPE_FLOAT32, error) &&
         sym_op_set_output (rule, 2, SYM_SHAPE (), SYM_DTYPE_UINT8, error);
}

/* To 0 ... 255, halves to the even number. */
static guint8
saturate (float number)
{
  number = rintf (number);
  return number >= 255 ? 255 : number > 0 ? (guint8) number : 0;
}

static gboolean
run_dynamic (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  float least = 0, greatest = 0, scale;
  SymArray *y, *y_scale, *y_zero;
  const float *from;
  gsize asked = 0;
  guint8 zero;

  if (x == NULL)
    return FALSE;
  if (x->dtype != SYM_DTYPE_FLOAT32)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_UINT8, &x->shape, error);
  if (y == NULL)
    return FALSE;
  y_scale = sym_kernel_new_output (kernel, 1, SYM_DTYPE_FLOAT32, &SYM_SHAPE (), error);
  if (y_scale == NULL)
    return FALSE;
  y_zero = sym_kernel_new_output (kernel, 2, SYM_DTYPE_UINT8, &SYM_SHAPE (), error);
  if (y_zero == NULL)
    return FALSE;
  from = x->data;
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      if (!sym_op_go_on (kernel, &asked, 1, error))
        return FALSE;
      least = MIN (least, from[i]);
      greatest = MAX (greatest, from[i]);
    }
  scale = (greatest - least) / 255;
  zero = scale > 0 ? saturate (0 - least / scale) : 0;
  *(float *) y_scale->data = scale;
  *(guint8 *) y_zero->data = zero;
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      if (!sym_op_go_on (kernel, &asked, 1, error))
        return FALSE;
      ((guint8 *) y->data)[i] =
          scale > 0 ? saturate (rintf (from[i] / scale) + (float) zero) : zero;
    }
  return TRUE;
}

#define DEQUANTIZE(version_, attributes_)                                                   \
  {                                                                                         \
    SYM_OP_ONNX ("DequantizeLinear", version_),                                             \
        .summary = "numbers that integers stand for", .category = SYM_CATEGORY_ELEMENTWISE, \
        .attributes = attributes_, .slots = dequantize_slots, .infer = infer_dequantize,    \
        .run = run_dequantize                                                               \
  }

const SymOperator sym_op_onnx_dequantize[] = {
  DEQUANTIZE (10, NULL),
  DEQUANTIZE (13, axis_attributes),
  DEQUANTIZE (19, axis_attributes),
  DEQUANTIZE (21, block_attributes),
  DEQUANTIZE (23, dtype_attributes),
  { SYM_OP_ONNX ("DynamicQuantizeLinear", 11),
    .summary = "floats as bytes, by a scale that is found from them",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = (const SymSlotSpec[]){ { "x" }, { NULL } },
    .get_n_outputs = get_three, .output_names = dynamic_outputs, .infer = infer_dynamic,
    .run = run_dynamic },
  { 0 },
};
