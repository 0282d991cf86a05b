/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

/* Functions of one number. */

static gboolean
infer_test (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* Small integers stay known. */
static gboolean
infer_negative (SymRule *rule, GError **error)
{
  gint64 values[64];
  int n = sym_rule_get_input_ints (rule, 0, values, G_N_ELEMENTS (values));

  for (int i = 0; i < n; i++)
    values[i] = values[i] == G_MININT64 ? values[i] : -values[i];
  if (n >= 0)
    sym_rule_set_output_ints (rule, 0, values, n);
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static void
lower_leaky (SymOpLower *self)
{
  double alpha = sym_op_lower_get_float (self, "alpha", 0.2);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "LeakyRelu",
                                                SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                                                sym_value_new_float (alpha), NULL));
}

static const SymAttributeSpec leaky_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.2", "slope of what is negative" },
  { NULL },
};

static const SymSlotSpec clip_slots[] = {
  { "t" },
  { "clip_value_min" },
  { "clip_value_max" },
  { NULL },
};

static const SymSlotSpec prelu_slots[] = { { "x" }, { "alpha", SYM_SLOT_PARAMETER }, { NULL } };

#define UNARY(name_, summary_, formula_)                                                \
  {                                                                                     \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE,       \
                       .slots = sym_op_tf_one, .infer = infer_same, .formula = formula_ \
  }
#define ACTIVATION(name_, summary_, formula_)                                           \
  {                                                                                     \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ACTIVATION,        \
                       .slots = sym_op_tf_one, .infer = infer_same, .formula = formula_ \
  }
#define TEST(name_, summary_, formula_)                                                 \
  {                                                                                     \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE,       \
                       .slots = sym_op_tf_one, .infer = infer_test, .formula = formula_ \
  }

const SymOperator sym_op_tf_unary[] = {
  UNARY ("Abs", "absolute value", "Abs (a)"),
  UNARY ("Acos", "angle of a cosine", "Acos (a)"),
  UNARY ("Acosh", "inverse hyperbolic cosine", "Acosh (a)"),
  UNARY ("Asin", "angle of a sine", "Asin (a)"),
  UNARY ("Asinh", "inverse hyperbolic sine", "Asinh (a)"),
  UNARY ("Atan", "angle of a tangent", "Atan (a)"),
  UNARY ("Atanh", "inverse hyperbolic tangent", "Atanh (a)"),
  UNARY ("Ceil", "next integer above", "Ceil (a)"),
  UNARY ("Cos", "cosine", "Cos (a)"),
  UNARY ("Cosh", "hyperbolic cosine", "Cosh (a)"),
  ACTIVATION ("Elu", "exponential below 0, the number itself above", "Elu (a)"),
  UNARY ("Erf", "error function", "Erf (a)"),
  UNARY ("Erfc", "1 less the error function", "Sub (1, Erf (a))"),
  UNARY ("Exp", "exponential", "Exp (a)"),
  UNARY ("Expm1", "exponential less 1", "Sub (Exp (a), 1)"),
  UNARY ("Floor", "next integer below", "Floor (a)"),
  UNARY ("Inv", "1 by the number", "Reciprocal (a)"),
  UNARY ("Invert", "every bit the other way", "BitwiseNot (a)"),
  TEST ("IsFinite", "whether numbers are finite", "Not (Or (IsNaN (a), IsInf (a)))"),
  TEST ("IsInf", "whether numbers are infinite", "IsInf (a)"),
  TEST ("IsNan", "whether numbers are none", "IsNaN (a)"),
  { SYM_OP_TF ("LeakyRelu"), .summary = "flatter below 0", .category = SYM_CATEGORY_ACTIVATION,
    .attributes = leaky_attributes, .slots = sym_op_tf_one, .infer = infer_same,
    .lower = lower_leaky },
  UNARY ("Log", "natural logarithm", "Log (a)"),
  UNARY ("Log1p", "natural logarithm of the number and 1", "Log (Add (a, 1))"),
  TEST ("LogicalNot", "true where false", "Not (a)"),
  { SYM_OP_TF ("Neg"), .summary = "negative", .category = SYM_CATEGORY_ELEMENTWISE,
    .slots = sym_op_tf_one, .infer = infer_negative, .formula = "Neg (a)" },
  { SYM_OP_TF ("Prelu"), .summary = "flatter below 0, with a slope for each channel",
    .category = SYM_CATEGORY_ACTIVATION, .slots = prelu_slots, .infer = infer_same,
    .formula = "PRelu (a, B)" },
  UNARY ("Reciprocal", "1 by the number", "Reciprocal (a)"),
  ACTIVATION ("Relu", "0 where negative", "Relu (a)"),
  ACTIVATION ("Relu6", "what lies between 0 and 6", "Clip (a, 0, 6)"),
  UNARY ("Rint", "nearest integer, of two the even one", "Round (a)"),
  UNARY ("Round", "nearest integer, of two the even one", "Round (a)"),
  UNARY ("Rsqrt", "1 by the square root", "Reciprocal (Sqrt (a))"),
  ACTIVATION ("Selu", "scaled exponential below 0, scaled above", "Selu (a)"),
  ACTIVATION ("Sigmoid", "logistic function", "Sigmoid (a)"),
  UNARY ("Sign", "-1, 0 or 1", "Sign (a)"),
  UNARY ("Sin", "sine", "Sin (a)"),
  UNARY ("Sinh", "hyperbolic sine", "Sinh (a)"),
  ACTIVATION ("Softplus", "logarithm of the exponential and 1", "Softplus (a)"),
  ACTIVATION ("Softsign", "number by its absolute value and 1", "Softsign (a)"),
  UNARY ("Sqrt", "square root", "Sqrt (a)"),
  UNARY ("Square", "number times itself", "Mul (a, a)"),
  UNARY ("Tan", "tangent", "Tan (a)"),
  ACTIVATION ("Tanh", "hyperbolic tangent", "Tanh (a)"),
  { SYM_OP_TF ("ClipByValue"), .summary = "what lies between two numbers",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = clip_slots, .infer = infer_same,
    .formula = "Min (Max (A, B), C)" },
  { NULL },
};
