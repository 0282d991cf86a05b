/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx-scales.h"
#include "ops/sym-op-table.h"

/* QuantizeLinear: integers, or floats of few bits, that stand for numbers. */

#define AXIS                                                                 \
  {                                                                          \
    "axis", SYM_ATTRIBUTE_INT, "1", "the axis that several scales belong to" \
  }
#define SATURATE                                                                                \
  {                                                                                             \
    "saturate", SYM_ATTRIBUTE_INT, "1", "whether floats beyond the range become the last in it" \
  }
#define BLOCK                                                                      \
  {                                                                                \
    "block_size", SYM_ATTRIBUTE_INT, "0", "elements along the axis for each scale" \
  }
#define OUTPUT                                   \
  {                                              \
    "output_dtype", SYM_ATTRIBUTE_DTYPE, "None", \
        "dtype of the result; that of the zero " \
        "point by default, or uint8"             \
  }
#define PRECISION                                   \
  {                                                 \
    "precision", SYM_ATTRIBUTE_DTYPE, "None",       \
        "dtype to divide in; that of the scale by " \
        "default"                                   \
  }

static const SymAttributeSpec attributes_13[] = { AXIS, { NULL } };
static const SymAttributeSpec attributes_19[] = { AXIS, SATURATE, { NULL } };
static const SymAttributeSpec attributes_21[] = { AXIS, BLOCK, OUTPUT, SATURATE, { NULL } };
static const SymAttributeSpec attributes_23[] = {
  AXIS, BLOCK, OUTPUT, PRECISION, SATURATE, { NULL }
};

static const SymSlotSpec slots[] = {
  { "x" },
  { "y_scale" },
  { "y_zero_point", .optional = TRUE },
  { NULL },
};

static gboolean
infer (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "output_dtype");

  if (dtype == SYM_DTYPE_UNKNOWN)
    dtype = sym_rule_has_input (rule, 2) ? sym_rule_get_input_dtype (rule, 2) : SYM_DTYPE_UINT8;
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, dtype, error) &&
         sym_rule_set_input_dtype (rule, 2, sym_rule_get_output_dtype (rule, 0), error);
}

/* One run. */
typedef struct {
  SymDType precision;
  SymOpOnnxScales scales;
  gboolean is_integer;
  double least, greatest;
  SymCastFlags flags;
} Quantizer;

/* Elements at a time.  As many of less than a byte fill whole bytes. */
#define PIECE 1024

/* The nearest numbers of @dtype. */
static void
round_to (SymDType dtype, double *numbers, gsize n)
{
  guint16 halves[PIECE];

  if (dtype == SYM_DTYPE_FLOAT32)
    for (gsize i = 0; i < n; i++)
      numbers[i] = (double) (float) numbers[i];
  else if (dtype == SYM_DTYPE_FLOAT16 || dtype == SYM_DTYPE_BFLOAT16)
    for (gsize i = 0; i < n; i += PIECE)
      {
        gsize count = MIN (n - i, PIECE);

        sym_convert_elements (SYM_DTYPE_FLOAT64, numbers + i, dtype, halves, count);
        sym_convert_elements (dtype, halves, SYM_DTYPE_FLOAT64, numbers + i, count);
      }
}

/* A quotient of two numbers of a dtype that is rounded to double and then to that dtype is as good
 * as one that is rounded to it at once: double has more than twice as many bits and two. */
static void
quantize_piece (const Quantizer *self, gsize first, double *numbers, gsize n)
{
  SymOpOnnxScaleRun run = { 0 };

  round_to (self->precision, numbers, n);
  for (gsize i = 0; i < n; i++, run.n--, run.at += run.step)
    {
      if (run.n == 0)
        run = sym_op_onnx_scales_find (&self->scales, first + i);
      numbers[i] /= self->scales.factors[run.at];
    }
  round_to (self->precision, numbers, n);
  run.n = 0;
  for (gsize i = 0; i < n; i++, run.n--, run.at += run.step)
    {
      double zero;

      if (run.n == 0)
        run = sym_op_onnx_scales_find (&self->scales, first + i);
      zero = self->scales.zeros == NULL ? 0 : self->scales.zeros[run.at];
      numbers[i] = self->is_integer
                       ? sym_op_onnx_saturate (numbers[i], zero, self->least, self->greatest)
                       : numbers[i] + zero;
    }
}

static gboolean
is_quantized_float (SymDType dtype)
{
  return dtype == SYM_DTYPE_FLOAT8E4M3FN || dtype == SYM_DTYPE_FLOAT8E4M3FNUZ ||
         dtype == SYM_DTYPE_FLOAT8E5M2 || dtype == SYM_DTYPE_FLOAT8E5M2FNUZ ||
         dtype == SYM_DTYPE_FLOAT4E2M1;
}

/* The dtype of the result, UNKNOWN with an error for one that there is not. */
static SymDType
find_target (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "output_dtype");
  const SymArray *zero = sym_kernel_get_input (kernel, 2);
  double least, greatest;

  if (zero != NULL && dtype != SYM_DTYPE_UNKNOWN && zero->dtype != dtype)
    {
      sym_kernel_fail (error, "output_dtype is %s, and the zero point of %s",
                       sym_dtype_to_string (dtype), sym_dtype_to_string (zero->dtype));
      return SYM_DTYPE_UNKNOWN;
    }
  if (dtype == SYM_DTYPE_UNKNOWN)
    dtype = zero != NULL ? zero->dtype : SYM_DTYPE_UINT8;
  if (is_quantized_float (dtype) || sym_op_onnx_get_range (dtype, &least, &greatest))
    return dtype;
  sym_op_refuse_dtype (kernel, dtype, error);
  return SYM_DTYPE_UNKNOWN;
}

/* Integers as scales divide exactly; powers of two have no precision of their own. */
static SymDType
find_precision (SymKernel *kernel)
{
  SymDType given = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "precision");
  SymDType scale = sym_kernel_get_input (kernel, 1)->dtype;

  if (given != SYM_DTYPE_UNKNOWN)
    return given;
  return sym_dtype_is_integer (scale)    ? SYM_DTYPE_FLOAT64
         : scale == SYM_DTYPE_FLOAT8E8M0 ? SYM_DTYPE_FLOAT32
                                         : scale;
}

static gboolean
quantize (SymKernel *kernel, const Quantizer *self, const SymArray *x, SymArray *y, GError **error)
{
  gsize n = sym_array_get_n_elements (x), asked = 0;
  gsize size = sym_dtype_get_bits (x->dtype) / 8, bits = sym_dtype_get_bits (y->dtype);
  double numbers[PIECE];

  for (gsize i = 0; i < n; i += PIECE)
    {
      gsize count = MIN (n - i, PIECE);

      if (!sym_op_go_on (kernel, &asked, count, error))
        return FALSE;
      sym_convert_elements (x->dtype, (const guint8 *) x->data + i * size, SYM_DTYPE_FLOAT64,
                            numbers, count);
      quantize_piece (self, i, numbers, count);
      sym_cast_elements (SYM_DTYPE_FLOAT64, numbers, y->dtype, (guint8 *) y->data + i / 8 * bits,
                         count, self->flags);
    }
  return TRUE;
}

static gboolean
run_quantize (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  Quantizer self = { .flags = sym_kernel_get_bool (kernel, "saturate", TRUE)
                                  ? SYM_CAST_DEFAULT
                                  : SYM_CAST_UNSATURATED };
  SymDType dtype;
  SymArray *y;

  if (x == NULL || (dtype = find_target (kernel, error)) == SYM_DTYPE_UNKNOWN)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype) || sym_dtype_get_bits (x->dtype) % 8 != 0)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  self.is_integer = sym_op_onnx_get_range (dtype, &self.least, &self.greatest);
  if (!sym_op_onnx_scales_read (&self.scales, kernel, x, dtype, error))
    return FALSE;
  self.precision = find_precision (kernel);
  round_to (self.precision, self.scales.factors, self.scales.n_scales);
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  return y != NULL && quantize (kernel, &self, x, y, error);
}

#define ENTRY(version_, attributes_)                                                     \
  {                                                                                      \
    SYM_OP_ONNX ("QuantizeLinear", version_),                                            \
        .summary = "numbers of few bits that stand for "                                 \
                   "numbers",                                                            \
        .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes_, .slots = slots, \
        .infer = infer, .run = run_quantize                                              \
  }

const SymOperator sym_op_onnx_quantize[] = {
  ENTRY (10, NULL),          ENTRY (13, attributes_13), ENTRY (19, attributes_19),
  ENTRY (21, attributes_21), ENTRY (23, attributes_23), { 0 },
};
