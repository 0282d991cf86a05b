/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-functions.h"
#include "ops/sym-op-mxnet.h"

/* Functions of each element.  All have the shape and the dtype of their operand, both ways. */
#define UNARY(name_, formula_, summary_)                                                 \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_ELEMENTWISE, .slots = sym_op_mxnet_data,      \
                  .infer = sym_op_infer_elementwise, .formula = formula_                 \
  }

/* Those that ONNX has no layers for, or none as exact. */
#define FUNCTION(name_, run_, summary_)                                                  \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_ELEMENTWISE, .slots = sym_op_mxnet_data,      \
                  .infer = sym_op_infer_elementwise, .run = run_, .half_as_float = TRUE  \
  }

#define ACTIVATION(name_, attributes_, formula_, summary_)                               \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                  .category = SYM_CATEGORY_ACTIVATION, .attributes = attributes_,        \
                  .slots = sym_op_mxnet_data, .infer = sym_op_infer_elementwise,         \
                  .formula = formula_                                                    \
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
  ACTIVATION ("relu", NULL, "Relu (a)", "greatest of the element and 0"),
  ACTIVATION ("sigmoid", NULL, "Sigmoid (a)", "1 / (1 + exp (-x))"),
  ACTIVATION ("log_sigmoid", NULL, "Neg (Softplus (Neg (a)))", "logarithm of the sigmoid"),
  ACTIVATION ("mish", NULL, "Mish (a)", "x * tanh (log (1 + exp (x)))"),
  ACTIVATION ("tanh", NULL, "Tanh (a)", "hyperbolic tangent"),
  ACTIVATION ("softsign", NULL, "Softsign (a)", "x / (1 + |x|)"),
  ACTIVATION ("hard_sigmoid",
              hard_sigmoid_attributes,
              "Clip (Add (Mul (a, $alpha), $beta), 0, 1)",
              "a line cut off at 0 and 1"),
  UNARY ("abs", "Abs (a)", "absolute value"),
  UNARY ("arccos", "Acos (a)", "inverse cosine"),
  UNARY ("arccosh", "Acosh (a)", "inverse hyperbolic cosine"),
  UNARY ("arcsin", "Asin (a)", "inverse sine"),
  UNARY ("arcsinh", "Asinh (a)", "inverse hyperbolic sine"),
  UNARY ("arctan", "Atan (a)", "inverse tangent"),
  UNARY ("arctanh", "Atanh (a)", "inverse hyperbolic tangent"),
  FUNCTION ("cbrt", sym_op_mxnet_run_cbrt, "cube root"),
  UNARY ("ceil", "Ceil (a)", "rounded up"),
  UNARY ("cos", "Cos (a)", "cosine"),
  UNARY ("cosh", "Cosh (a)", "hyperbolic cosine"),
  UNARY ("degrees", "Mul (a, 57.29577951308232)", "radians as degrees"),
  FUNCTION ("digamma",
            sym_op_mxnet_run_digamma,
            "derivative of the logarithm of the gamma function"),
  UNARY ("erf", "Erf (a)", "error function"),
  FUNCTION ("erfinv", sym_op_mxnet_run_erfinv, "inverse of the error function"),
  UNARY ("exp", "Exp (a)", "exponential"),
  FUNCTION ("expm1", sym_op_mxnet_run_expm1, "exponential less 1"),
  FUNCTION ("fix", sym_op_mxnet_run_trunc, "rounded towards zero"),
  UNARY ("floor", "Floor (a)", "rounded down"),
  FUNCTION ("gamma", sym_op_mxnet_run_gamma, "gamma function"),
  FUNCTION ("gammaln", sym_op_mxnet_run_gammaln, "logarithm of the gamma function"),
  UNARY ("log", "Log (a)", "natural logarithm"),
  UNARY ("log10", "Mul (Log (a), 0.4342944819032518)", "logarithm to base 10"),
  FUNCTION ("log1p", sym_op_mxnet_run_log1p, "logarithm of 1 + x"),
  UNARY ("log2", "Mul (Log (a), 1.4426950408889634)", "logarithm to base 2"),
  UNARY ("logical_not", "Cast (Equal (a, 0))", "1 where the element is 0, else 0"),
  UNARY ("negative", "Neg (a)", "negated"),
  UNARY ("radians", "Mul (a, 0.017453292519943295)", "degrees as radians"),
  FUNCTION ("rcbrt", sym_op_mxnet_run_rcbrt, "1 / cube root"),
  UNARY ("reciprocal", "Reciprocal (a)", "1 / x"),
  FUNCTION ("rint", sym_op_mxnet_run_rint, "rounded to the nearest, halves down"),
  FUNCTION ("round", sym_op_mxnet_run_round, "rounded to the nearest, halves away from zero"),
  UNARY ("rsqrt", "Reciprocal (Sqrt (a))", "1 / square root"),
  UNARY ("sign", "Sign (a)", "-1, 0 or 1"),
  UNARY ("sin", "Sin (a)", "sine"),
  UNARY ("sinh", "Sinh (a)", "hyperbolic sine"),
  UNARY ("sqrt", "Sqrt (a)", "square root"),
  UNARY ("square", "Mul (a, a)", "square"),
  UNARY ("tan", "Tan (a)", "tangent"),
  FUNCTION ("trunc", sym_op_mxnet_run_trunc, "rounded towards zero"),
  UNARY ("zeros_like", "Expand (Cast (0), Shape (a))", "zeros of the same shape"),
  UNARY ("ones_like", "Expand (Cast (1), Shape (a))", "ones of the same shape"),
  UNARY ("_contrib_div_sqrt_dim",
         "Div (a, Sqrt (Cast (Shape (a, start=-1))))",
         "divided by the square root of the last dimension"),
  FUNCTION ("_contrib_round_ste",
            sym_op_mxnet_run_round,
            "rounded; the gradient passes straight through"),
  UNARY ("_contrib_sign_ste", "Sign (a)", "sign; the gradient passes straight through"),
  {
      SYM_OP_MXNET,
      .name = "clip",
      .summary = "cut off at a least and a greatest value",
      .reference = "MXNet 1.9.1 clip",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = clip_attributes,
      .slots = sym_op_mxnet_data,
      .infer = sym_op_infer_elementwise,
      .formula = "Clip (a, $a_min, $a_max)",
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
      .formula = "Add (Mul (Add (Mul ($a, a), $b), a), $c)",
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
      .formula = "Identity (a)",
  },
  { NULL },
};
