/* SPDX-License-Identifier: MIT */
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

#define UNARY_OF(slots_, name_, aliases_, category_, summary_, attributes_, infer_)      \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,               \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_##category_, \
                  .attributes = attributes_, .slots = slots_, .infer = infer_            \
  }

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
  ACTIVATION ("_npx_relu", "greatest of the element and 0"),
  ACTIVATION ("_npx_sigmoid", "1 / (1 + exp (-x))"),
  ACTIVATION ("_npx_softsign", "x / (1 + |x|)"),
  SAME (sym_op_mxnet_data, "_npx_erf", NULL, "error function"),
  SAME (sym_op_mxnet_data, "_npx_erfinv", NULL, "inverse of the error function"),
  SAME (sym_op_mxnet_data, "_npx_gamma", NULL, "gamma function"),
  SAME (sym_op_mxnet_data, "_npx_gammaln", NULL, "logarithm of the gamma function"),
  SAME (sym_op_mxnet_data,
        "_npx_digamma",
        NULL,
        "derivative of the logarithm of the gamma function"),
  SAME (sym_op_mxnet_data, "_npx_round_ste", NULL, "rounded; the gradient passes straight through"),
  SAME (sym_op_mxnet_data, "_npx_sign_ste", NULL, "sign; the gradient passes straight through"),
  SAME (a_slots, "_npi_copy", "_np_copy", "the data"),
  SAME (x_slots, "_npi_negative", NULL, "negated"),
  SAME (x_slots, "_npi_absolute", "_npi_abs", "absolute value"),
  SAME (x_slots, "_npi_sign", NULL, "-1, 0 or 1"),
  SAME (x_slots, "_npi_rint", NULL, "rounded to the nearest"),
  SAME (x_slots, "_npi_ceil", NULL, "rounded up"),
  SAME (x_slots, "_npi_floor", NULL, "rounded down"),
  SAME (x_slots, "_npi_trunc", NULL, "rounded towards zero"),
  SAME (x_slots, "_npi_fix", NULL, "rounded towards zero"),
  SAME (x_slots, "_npi_square", NULL, "square"),
  SAME (x_slots, "_npi_bitwise_not", NULL, "each bit turned over"),
  FLOATING ("_npi_reciprocal", NULL, "1 / x"),
  FLOATING ("_npi_sqrt", NULL, "square root"),
  FLOATING ("_npi_cbrt", NULL, "cube root"),
  FLOATING ("_npi_exp", NULL, "exponential"),
  FLOATING ("_npi_expm1", NULL, "exponential less 1"),
  FLOATING ("_npi_log", NULL, "natural logarithm"),
  FLOATING ("_npi_log10", NULL, "logarithm to base 10"),
  FLOATING ("_npi_log2", NULL, "logarithm to base 2"),
  FLOATING ("_npi_log1p", NULL, "logarithm of 1 + x"),
  FLOATING ("_npi_sin", NULL, "sine"),
  FLOATING ("_npi_cos", NULL, "cosine"),
  FLOATING ("_npi_tan", NULL, "tangent"),
  FLOATING ("_npi_arcsin", NULL, "inverse sine"),
  FLOATING ("_npi_arccos", NULL, "inverse cosine"),
  FLOATING ("_npi_arctan", NULL, "inverse tangent"),
  FLOATING ("_npi_sinh", NULL, "hyperbolic sine"),
  FLOATING ("_npi_cosh", NULL, "hyperbolic cosine"),
  FLOATING ("_npi_tanh", NULL, "hyperbolic tangent"),
  FLOATING ("_npi_arcsinh", NULL, "inverse hyperbolic sine"),
  FLOATING ("_npi_arccosh", NULL, "inverse hyperbolic cosine"),
  FLOATING ("_npi_arctanh", NULL, "inverse hyperbolic tangent"),
  FLOATING ("_npi_degrees", "_npi_rad2deg", "radians as degrees"),
  FLOATING ("_npi_radians", "_npi_deg2rad", "degrees as radians"),
  TRUTH ("_npi_logical_not", "whether the element is 0"),
  TRUTH ("_npi_isnan", "whether the element is NaN"),
  TRUTH ("_npi_isinf", "whether the element is infinite"),
  TRUTH ("_npi_isposinf", "whether the element is infinity"),
  TRUTH ("_npi_isneginf", "whether the element is minus infinity"),
  TRUTH ("_npi_isfinite", "whether the element is a finite number"),
  UNARY_OF (x_slots,
            "_npi_around",
            NULL,
            ELEMENTWISE,
            "rounded to some digits",
            around_attributes,
            sym_op_infer_elementwise),
  UNARY ("_npi_nan_to_num",
         NULL,
         ELEMENTWISE,
         "NaN and infinities replaced by numbers",
         nan_attributes,
         sym_op_infer_elementwise),
  UNARY ("_npi_clip",
         NULL,
         ELEMENTWISE,
         "cut off at a least and a greatest value",
         clip_attributes,
         sym_op_infer_elementwise),
  UNARY ("_npi_tril",
         NULL,
         SHAPE,
         "lower triangles of matrices",
         triangle_attributes,
         infer_triangle),
  UNARY ("_npi_triu",
         NULL,
         SHAPE,
         "upper triangles of matrices",
         triangle_attributes,
         infer_triangle),
  { NULL },
};
