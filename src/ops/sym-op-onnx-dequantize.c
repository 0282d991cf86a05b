/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* DequantizeLinear, and DynamicQuantizeLinear, which finds its scale by itself. */

#define AXIS                                                                       \
  {                                                                                \
    "axis", SYM_ATTRIBUTE_INT, "1", "the axis that several scales belong to"       \
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
  { "output_dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result; that of the scale by default" },
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
    dtype = sym_rule_get_version (rule) < 19 ? SYM_DTYPE_FLOAT32
                                             : sym_rule_get_input_dtype (rule, 1);
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, dtype, error) &&
         sym_rule_set_input_dtype (rule, 2, sym_rule_get_input_dtype (rule, 0), error);
}

/* Where the scale of an element lies: one for all, one for each place of an axis, or one for each
 * block along it. */
typedef struct {
  SymOpAxis all;
  gsize block; /* places that share a scale; 0: all of them */
  gsize n_blocks;
  gboolean is_blocked;
} Scales;

static gboolean
fit_scales (SymKernel *kernel, const SymArray *x, const SymArray *scale, Scales *self,
            GError **error)
{
  gint64 block = sym_kernel_get_int (kernel, "block_size", 0);
  gboolean fits = TRUE;
  int axis = 0;

  *self = (Scales){ .all = { 1, 1, 1 } };
  if (block == 0 && sym_array_get_n_elements (scale) == 1 && scale->shape.rank <= 1)
    return TRUE;
  if (!sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 1), x->shape.rank, &axis, error))
    return FALSE;
  self->all = sym_op_split_axis (&x->shape, axis);
  self->block = block <= 0 ? 1 : (gsize) block;
  self->n_blocks = self->all.size / self->block + (self->all.size % self->block != 0);
  self->is_blocked = block > 0;
  if (self->is_blocked)
    {
      fits = scale->shape.rank == x->shape.rank;
      for (int i = 0; fits && i < x->shape.rank; i++)
        fits = scale->shape.dims[i] == (i == axis ? (gint64) self->n_blocks : x->shape.dims[i]);
    }
  else
    fits = block == 0 && scale->shape.rank == 1 && scale->shape.dims[0] == x->shape.dims[axis];
  if (!fits)
    {
      g_autofree char *left = sym_op_format_shape (&scale->shape);
      g_autofree char *right = sym_op_format_shape (&x->shape);

      return sym_kernel_fail (error,
                              "scales of shape %s do not fit to axis %d of %s with blocks of %" G_GINT64_FORMAT,
                              left, axis, right, block);
    }
  return TRUE;
}

static gsize
find_scale (const Scales *self, gsize outer, gsize place, gsize inner)
{
  if (self->block == 0)
    return 0;
  if (!self->is_blocked)
    return place;
  return (outer * self->n_blocks + place / self->block) * self->all.inner + inner;
}

/* (x - zero point) * scale, in float as ONNX has it. */
static gboolean
dequantize (SymKernel *kernel, const Scales *scales, const double *x, const double *scale,
            const double *zero, double *y, gsize n, GError **error)
{
  SymOpAxis all = scales->all;
  gsize asked = 0, i = 0;

  if (scales->block == 0)
    all = (SymOpAxis){ 1, n, 1 };
  for (gsize o = 0; o < all.outer; o++)
    for (gsize p = 0; p < all.size; p++)
      {
        if (!sym_op_go_on (kernel, &asked, all.inner, error))
          return FALSE;
        for (gsize k = 0; k < all.inner; k++, i++)
          {
            gsize at = find_scale (scales, o, p, k);

            y[i] = (x[i] - (zero == NULL ? 0 : zero[at])) * scale[at];
          }
      }
  return TRUE;
}

static gboolean
run_dequantize (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "output_dtype");
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *scale, *zero;
  const double *numbers, *factors, *zeros = NULL;
  gsize n;
  Scales scales;
  SymArray *y;
  double *to;

  if (x == NULL || (scale = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  zero = sym_kernel_get_input (kernel, 2);
  if (!sym_dtype_is_numeric (x->dtype) || !sym_dtype_is_floating (scale->dtype))
    return sym_kernel_fail (error, "x is of %s, the scale of %s", sym_dtype_to_string (x->dtype),
                            sym_dtype_to_string (scale->dtype));
  if (!fit_scales (kernel, x, scale, &scales, error))
    return FALSE;
  if (zero != NULL && (zero->dtype != x->dtype ||
                       sym_array_get_n_elements (zero) != sym_array_get_n_elements (scale)))
    return sym_kernel_fail (error, "there must be one zero point of %s for each scale",
                            sym_dtype_to_string (x->dtype));
  if (dtype == SYM_DTYPE_UNKNOWN)
    dtype = scale->dtype;
  if (!sym_dtype_is_floating (dtype))
    return sym_op_refuse_dtype (kernel, dtype, error);
  n = sym_array_get_n_elements (x);
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  if (y == NULL || n == 0)
    return y != NULL;
  to = sym_op_place_as (kernel, y, SYM_DTYPE_FLOAT64, error);
  numbers = sym_op_read_as (kernel, x, SYM_DTYPE_FLOAT64, error);
  factors = sym_op_read_as (kernel, scale, SYM_DTYPE_FLOAT64, error);
  if (to == NULL || numbers == NULL || factors == NULL ||
      (zero != NULL &&
       (zeros = sym_op_read_as (kernel, zero, SYM_DTYPE_FLOAT64, error)) == NULL) ||
      !dequantize (kernel, &scales, numbers, factors, zeros, to, n, error))
    return FALSE;
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, to);
  return TRUE;
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
  if ((y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_UINT8, &x->shape, error)) == NULL ||
      (y_scale = sym_kernel_new_output (kernel, 1, SYM_DTYPE_FLOAT32, &SYM_SHAPE (), error)) == NULL ||
      (y_zero = sym_kernel_new_output (kernel, 2, SYM_DTYPE_UINT8, &SYM_SHAPE (), error)) == NULL)
    return FALSE;
  from = x->data;
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
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

#define DEQUANTIZE(version_, attributes_)                                                       \
  {                                                                                             \
    SYM_OP_ONNX ("DequantizeLinear", version_), .summary = "numbers that integers stand for",   \
                                                .category = SYM_CATEGORY_ELEMENTWISE,           \
                                                .attributes = attributes_,                      \
                                                .slots = dequantize_slots,                      \
                                                .infer = infer_dequantize, .run = run_dequantize \
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
