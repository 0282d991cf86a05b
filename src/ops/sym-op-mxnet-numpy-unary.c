/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "ops/sym-op-mxnet-functions.h"
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Functions of each element, as numpy has them.  The shape is that of the operand, both ways. */

/* Floats stay what they are; what integers become differs between versions, so it is left open. */
static gboolean
infer_floating (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  return sym_op_pass_shape (rule, 0, 0, error) &&
         (!sym_dtype_is_floating (dtype) || sym_rule_set_output_dtype (rule, 0, dtype, error));
}

static gboolean
infer_truth (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* A vector is taken for each row of a square. */
static gboolean
infer_triangle (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (data.rank == 1)
    return sym_op_set_output (rule, 0, SYM_SHAPE (data.dims[0], data.dims[0]), SYM_DTYPE_UNKNOWN,
                              error);
  return sym_op_pass_shape (rule, 0, 0, error);
}

/* ---- Attributes ---- */

static const SymAttributeSpec around_attributes[] = {
  { "decimals", SYM_ATTRIBUTE_INT, "0", "digits after the point that are kept" },
  { NULL },
};

static const SymAttributeSpec nan_attributes[] = {
  { "copy", SYM_ATTRIBUTE_BOOL, "True", "whether the data stays as it is" },
  { "nan", SYM_ATTRIBUTE_FLOAT, "0.0", "what NaN becomes" },
  { "posinf", SYM_ATTRIBUTE_FLOAT, "None", "what infinity becomes; the greatest number when None" },
  { "neginf", SYM_ATTRIBUTE_FLOAT, "None", "what minus infinity becomes; the least when None" },
  { NULL },
};

static const SymAttributeSpec triangle_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "0", "diagonal at which elements become 0" },
  { NULL },
};

static const SymAttributeSpec clip_attributes[] = {
  { "a_min", SYM_ATTRIBUTE_FLOAT, "None", "least value" },
  { "a_max", SYM_ATTRIBUTE_FLOAT, "None", "greatest value" },
  { NULL },
};

static const SymSlotSpec x_slots[] = { { "x" }, { NULL } };
static const SymSlotSpec a_slots[] = { { "a" }, { NULL } };

/* Either bound may be None. */
static void
lower_clip (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double least = sym_op_lower_get_float (self, "a_min", (double) NAN);
  double greatest = sym_op_lower_get_float (self, "a_max", (double) NAN);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Clip",
          SYM_IDS (sym_op_lower_input (self, 0),
                   isnan (least) ? SYM_NO_ID : sym_op_lower_number (self, dtype, least),
                   isnan (greatest) ? SYM_NO_ID : sym_op_lower_number (self, dtype, greatest)),
          NULL));
}

/* Rounded to even at a digit after the point, or before it. */
static void
lower_around (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 decimals = sym_op_lower_get_int (self, "decimals", 0);
  SymId x = sym_op_lower_input (self, 0);
  SymId factor = sym_op_lower_number (self, dtype, pow (10, (double) ABS (decimals)));

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_dtype_is_floating (dtype))
    {
      x = sym_op_lower_binary (self, decimals < 0 ? "Div" : "Mul", x, factor);
      x = sym_op_lower_unary (self, "Round", x);
      x = sym_op_lower_binary (self, decimals < 0 ? "Mul" : "Div", x, factor);
    }
  else if (decimals < 0)
    sym_op_lower_refuse (self, "around: digits before the point of %s are not lowered",
                         sym_dtype_to_string (dtype));
  sym_op_lower_set_output (self, 0, x);
}

static double
get_limit (SymDType dtype)
{
  return dtype == SYM_DTYPE_FLOAT16   ? 65504
         : dtype == SYM_DTYPE_FLOAT64 ? DBL_MAX
                                      : (double) FLT_MAX;
}

static void
lower_nan (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  const double numbers[] = { sym_op_lower_get_float (self, "nan", 0),
                             sym_op_lower_get_float (self, "posinf", get_limit (dtype)),
                             sym_op_lower_get_float (self, "neginf", -get_limit (dtype)) };
  static const char *const tests[] = { "IsNaN (a)", "IsInf (a, detect_negative=0)",
                                       "IsInf (a, detect_positive=0)" };
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  for (guint i = 0; i < 3 && sym_dtype_is_floating (dtype); i++)
    x = sym_op_lower_call (self, "Where",
                           SYM_IDS (sym_op_lower_formula (self, tests[i]),
                                    sym_op_lower_number (self, dtype, numbers[i]), x),
                           NULL);
  sym_op_lower_set_output (self, 0, x);
}

#define UNARY_OF(slots_, name_, aliases_, category_, summary_, attributes_, infer_)    \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,               \
                .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_##category_, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

#define UNARY(name_, aliases_, category_, summary_, attributes_, infer_) \
  UNARY_OF (sym_op_mxnet_data, name_, aliases_, category_, summary_, attributes_, infer_)

#define SAME(slots_, name_, aliases_, summary_) \
  UNARY_OF (slots_, name_, aliases_, ELEMENTWISE, summary_, NULL, sym_op_infer_elementwise)
#define ACTIVATION(name_, summary_) \
  UNARY (name_, NULL, ACTIVATION, summary_, NULL, sym_op_infer_elementwise)
#define FLOATING(name_, aliases_, summary_) \
  UNARY_OF (x_slots, name_, aliases_, ELEMENTWISE, summary_, NULL, infer_floating)
#define TRUTH(name_, summary_) \
  UNARY_OF (x_slots, name_, NULL, ELEMENTWISE, summary_, NULL, infer_truth)

const SymOperator sym_op_mxnet_numpy_unary[] = {
  { ACTIVATION ("_npx_relu", "greatest of the element and 0"), .formula = "Relu (a)" },
  { ACTIVATION ("_npx_sigmoid", "1 / (1 + exp (-x))"), .formula = "Sigmoid (a)" },
  { ACTIVATION ("_npx_softsign", "x / (1 + |x|)"), .formula = "Softsign (a)" },
  { SAME (sym_op_mxnet_data, "_npx_erf", NULL, "error function"), .formula = "Erf (a)" },
  { SAME (sym_op_mxnet_data, "_npx_erfinv", NULL, "inverse of the error function"),
    .run = sym_op_mxnet_run_erfinv, .half_as_float = TRUE },
  { SAME (sym_op_mxnet_data, "_npx_gamma", NULL, "gamma function"), .run = sym_op_mxnet_run_gamma,
    .half_as_float = TRUE },
  { SAME (sym_op_mxnet_data, "_npx_gammaln", NULL, "logarithm of the gamma function"),
    .run = sym_op_mxnet_run_gammaln, .half_as_float = TRUE },
  { SAME (sym_op_mxnet_data,
          "_npx_digamma",
          NULL,
          "derivative of the logarithm of the gamma function"),
    .run = sym_op_mxnet_run_digamma, .half_as_float = TRUE },
  { SAME (sym_op_mxnet_data,
          "_npx_round_ste",
          NULL,
          "rounded; the gradient passes straight through"),
    .run = sym_op_mxnet_run_round, .half_as_float = TRUE },
  { SAME (sym_op_mxnet_data, "_npx_sign_ste", NULL, "sign; the gradient passes straight through"),
    .formula = "Sign (a)" },
  { SAME (a_slots, "_npi_copy", "_np_copy", "the data"), .formula = "Identity (a)" },
  { SAME (x_slots, "_npi_negative", NULL, "negated"), .formula = "Neg (a)" },
  { SAME (x_slots, "_npi_absolute", "_npi_abs", "absolute value"), .formula = "Abs (a)" },
  { SAME (x_slots, "_npi_sign", NULL, "-1, 0 or 1"), .formula = "Sign (a)" },
  { SAME (x_slots, "_npi_rint", NULL, "rounded to the nearest"), .run = sym_op_mxnet_run_round_even,
    .half_as_float = TRUE },
  { SAME (x_slots, "_npi_ceil", NULL, "rounded up"), .formula = "Ceil (a)" },
  { SAME (x_slots, "_npi_floor", NULL, "rounded down"), .formula = "Floor (a)" },
  { SAME (x_slots, "_npi_trunc", NULL, "rounded towards zero"), .run = sym_op_mxnet_run_trunc,
    .half_as_float = TRUE },
  { SAME (x_slots, "_npi_fix", NULL, "rounded towards zero"), .run = sym_op_mxnet_run_trunc,
    .half_as_float = TRUE },
  { SAME (x_slots, "_npi_square", NULL, "square"), .formula = "Mul (a, a)" },
  { SAME (x_slots, "_npi_bitwise_not", NULL, "each bit turned over"), .formula = "BitwiseNot (a)" },
  { FLOATING ("_npi_reciprocal", NULL, "1 / x"), .formula = "Reciprocal (A)" },
  { FLOATING ("_npi_sqrt", NULL, "square root"), .formula = "Sqrt (A)" },
  { FLOATING ("_npi_cbrt", NULL, "cube root"), .run = sym_op_mxnet_run_cbrt,
    .half_as_float = TRUE },
  { FLOATING ("_npi_exp", NULL, "exponential"), .formula = "Exp (A)" },
  { FLOATING ("_npi_expm1", NULL, "exponential less 1"), .run = sym_op_mxnet_run_expm1,
    .half_as_float = TRUE },
  { FLOATING ("_npi_log", NULL, "natural logarithm"), .formula = "Log (A)" },
  { FLOATING ("_npi_log10", NULL, "logarithm to base 10"),
    .formula = "Mul (Log (A), 0.4342944819032518)" },
  { FLOATING ("_npi_log2", NULL, "logarithm to base 2"),
    .formula = "Mul (Log (A), 1.4426950408889634)" },
  { FLOATING ("_npi_log1p", NULL, "logarithm of 1 + x"), .run = sym_op_mxnet_run_log1p,
    .half_as_float = TRUE },
  { FLOATING ("_npi_sin", NULL, "sine"), .formula = "Sin (A)" },
  { FLOATING ("_npi_cos", NULL, "cosine"), .formula = "Cos (A)" },
  { FLOATING ("_npi_tan", NULL, "tangent"), .formula = "Tan (A)" },
  { FLOATING ("_npi_arcsin", NULL, "inverse sine"), .formula = "Asin (A)" },
  { FLOATING ("_npi_arccos", NULL, "inverse cosine"), .formula = "Acos (A)" },
  { FLOATING ("_npi_arctan", NULL, "inverse tangent"), .formula = "Atan (A)" },
  { FLOATING ("_npi_sinh", NULL, "hyperbolic sine"), .formula = "Sinh (A)" },
  { FLOATING ("_npi_cosh", NULL, "hyperbolic cosine"), .formula = "Cosh (A)" },
  { FLOATING ("_npi_tanh", NULL, "hyperbolic tangent"), .formula = "Tanh (A)" },
  { FLOATING ("_npi_arcsinh", NULL, "inverse hyperbolic sine"), .formula = "Asinh (A)" },
  { FLOATING ("_npi_arccosh", NULL, "inverse hyperbolic cosine"), .formula = "Acosh (A)" },
  { FLOATING ("_npi_arctanh", NULL, "inverse hyperbolic tangent"), .formula = "Atanh (A)" },
  { FLOATING ("_npi_degrees", "_npi_rad2deg", "radians as degrees"),
    .formula = "Mul (A, 57.29577951308232)" },
  { FLOATING ("_npi_radians", "_npi_deg2rad", "degrees as radians"),
    .formula = "Mul (A, 0.017453292519943295)" },
  { TRUTH ("_npi_logical_not", "whether the element is 0"), .formula = "Equal (a, 0)" },
  { TRUTH ("_npi_isnan", "whether the element is NaN"), .formula = "IsNaN (a)" },
  { TRUTH ("_npi_isinf", "whether the element is infinite"), .formula = "IsInf (a)" },
  { TRUTH ("_npi_isposinf", "whether the element is infinity"),
    .formula = "IsInf (a, detect_negative=0)" },
  { TRUTH ("_npi_isneginf", "whether the element is minus infinity"),
    .formula = "IsInf (a, detect_positive=0)" },
  { TRUTH ("_npi_isfinite", "whether the element is a finite number"),
    .formula = "Not (Or (IsNaN (a), IsInf (a)))" },
  { UNARY_OF (x_slots,
              "_npi_around",
              NULL,
              ELEMENTWISE,
              "rounded to some digits",
              around_attributes,
              sym_op_infer_elementwise),
    .lower = lower_around },
  { UNARY ("_npi_nan_to_num",
           NULL,
           ELEMENTWISE,
           "NaN and infinities replaced by numbers",
           nan_attributes,
           sym_op_infer_elementwise),
    .lower = lower_nan },
  { UNARY ("_npi_clip",
           NULL,
           ELEMENTWISE,
           "cut off at a least and a greatest value",
           clip_attributes,
           sym_op_infer_elementwise),
    .lower = lower_clip },
  { UNARY ("_npi_tril",
           NULL,
           SHAPE,
           "lower triangles of matrices",
           triangle_attributes,
           infer_triangle),
    .lower = sym_op_mxnet_lower_cut_triangle },
  { UNARY ("_npi_triu",
           NULL,
           SHAPE,
           "upper triangles of matrices",
           triangle_attributes,
           infer_triangle),
    .lower = sym_op_mxnet_lower_cut_triangle },
  { NULL },
};
