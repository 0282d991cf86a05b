/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Functions of each element.  All have the shape and the dtype of their operand, both ways. */
#define UNARY(name_, summary_)                                                           \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_ELEMENTWISE, .slots = sym_op_mxnet_data,      \
                  .infer = sym_op_infer_elementwise                                      \
  }

#define ACTIVATION(name_, attributes_, summary_)                                         \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_ACTIVATION, .attributes = attributes_,        \
                  .slots = sym_op_mxnet_data, .infer = sym_op_infer_elementwise          \
  }

static const SymAttributeSpec clip_attributes[] = {
  { "a_min", SYM_ATTRIBUTE_FLOAT, NULL, "least value" },
  { "a_max", SYM_ATTRIBUTE_FLOAT, NULL, "greatest value" },
  { NULL },
};

static const SymAttributeSpec hard_sigmoid_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.2", "slope" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "value at zero" },
  { NULL },
};

static const SymAttributeSpec quadratic_attributes[] = {
  { "a", SYM_ATTRIBUTE_FLOAT, "0.0", "factor of the square" },
  { "b", SYM_ATTRIBUTE_FLOAT, "0.0", "factor of the element" },
  { "c", SYM_ATTRIBUTE_FLOAT, "0.0", "constant" },
  { NULL },
};

static const SymAttributeSpec gradient_attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { NULL },
};

const SymOperator sym_op_mxnet_unary[] = {
  ACTIVATION ("relu", NULL, "greatest of the element and 0"),
  ACTIVATION ("sigmoid", NULL, "1 / (1 + exp (-x))"),
  ACTIVATION ("log_sigmoid", NULL, "logarithm of the sigmoid"),
  ACTIVATION ("mish", NULL, "x * tanh (log (1 + exp (x)))"),
  ACTIVATION ("tanh", NULL, "hyperbolic tangent"),
  ACTIVATION ("softsign", NULL, "x / (1 + |x|)"),
  ACTIVATION ("hard_sigmoid", hard_sigmoid_attributes, "a line cut off at 0 and 1"),
  UNARY ("abs", "absolute value"),
  UNARY ("arccos", "inverse cosine"),
  UNARY ("arccosh", "inverse hyperbolic cosine"),
  UNARY ("arcsin", "inverse sine"),
  UNARY ("arcsinh", "inverse hyperbolic sine"),
  UNARY ("arctan", "inverse tangent"),
  UNARY ("arctanh", "inverse hyperbolic tangent"),
  UNARY ("cbrt", "cube root"),
  UNARY ("ceil", "rounded up"),
  UNARY ("cos", "cosine"),
  UNARY ("cosh", "hyperbolic cosine"),
  UNARY ("degrees", "radians as degrees"),
  UNARY ("digamma", "derivative of the logarithm of the gamma function"),
  UNARY ("erf", "error function"),
  UNARY ("erfinv", "inverse of the error function"),
  UNARY ("exp", "exponential"),
  UNARY ("expm1", "exponential less 1"),
  UNARY ("fix", "rounded towards zero"),
  UNARY ("floor", "rounded down"),
  UNARY ("gamma", "gamma function"),
  UNARY ("gammaln", "logarithm of the gamma function"),
  UNARY ("log", "natural logarithm"),
  UNARY ("log10", "logarithm to base 10"),
  UNARY ("log1p", "logarithm of 1 + x"),
  UNARY ("log2", "logarithm to base 2"),
  UNARY ("logical_not", "1 where the element is 0, else 0"),
  UNARY ("negative", "negated"),
  UNARY ("radians", "degrees as radians"),
  UNARY ("rcbrt", "1 / cube root"),
  UNARY ("reciprocal", "1 / x"),
  UNARY ("rint", "rounded to the nearest, halves down"),
  UNARY ("round", "rounded to the nearest, halves away from zero"),
  UNARY ("rsqrt", "1 / square root"),
  UNARY ("sign", "-1, 0 or 1"),
  UNARY ("sin", "sine"),
  UNARY ("sinh", "hyperbolic sine"),
  UNARY ("sqrt", "square root"),
  UNARY ("square", "square"),
  UNARY ("tan", "tangent"),
  UNARY ("trunc", "rounded towards zero"),
  UNARY ("zeros_like", "zeros of the same shape"),
  UNARY ("ones_like", "ones of the same shape"),
  UNARY ("_contrib_div_sqrt_dim", "divided by the square root of the last dimension"),
  UNARY ("_contrib_round_ste", "rounded; the gradient passes straight through"),
  UNARY ("_contrib_sign_ste", "sign; the gradient passes straight through"),
  {
      SYM_OP_MXNET,
      .name = "clip",
      .summary = "cut off at a least and a greatest value",
      .reference = "MXNet 1.9.1 clip",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = clip_attributes,
      .slots = sym_op_mxnet_data,
      .infer = sym_op_infer_elementwise,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_quadratic",
      .summary = "a * x * x + b * x + c",
      .reference = "MXNet 1.9.1 _contrib_quadratic",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = quadratic_attributes,
      .slots = sym_op_mxnet_data,
      .infer = sym_op_infer_elementwise,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_gradientmultiplier",
      .summary = "the data; its gradient is multiplied",
      .reference = "MXNet 1.9.1 _contrib_gradientmultiplier",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = gradient_attributes,
      .slots = sym_op_mxnet_data,
      .infer = sym_op_infer_elementwise,
  },
  { NULL },
};
