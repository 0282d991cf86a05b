/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-ngraph.h"

#include <string.h>

SymDType
sym_op_ngraph_get_dtype (SymOpLower *self, const char *name, SymDType fallback)
{
  static const struct {
    const char *name;
    SymDType dtype;
  } names[] = {
    { "float", SYM_DTYPE_FLOAT32 }, { "double", SYM_DTYPE_FLOAT64 }, { "char", SYM_DTYPE_BOOL },
    { "boolean", SYM_DTYPE_BOOL },  { "f32", SYM_DTYPE_FLOAT32 },    { "f64", SYM_DTYPE_FLOAT64 },
    { "i32", SYM_DTYPE_INT32 },     { "i64", SYM_DTYPE_INT64 },
  };
  const char *text = sym_op_lower_get_string (self, name, NULL);
  g_autofree char *plain = NULL;
  SymDType dtype;

  if (text == NULL)
    return fallback;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].name, text) == 0)
      return names[i].dtype;
  plain = g_str_has_suffix (text, "_t") ? g_strndup (text, strlen (text) - 2) : g_strdup (text);
  return sym_dtype_from_string (plain, &dtype) ? dtype : fallback;
}

/* ---- Elements ---- */

#define PAIR(name_, aliases_, summary_, formula_)                                         \
  {                                                                                       \
    NGRAPH (name_, aliases_, summary_, ELEMENTWISE),                                      \
        .slots = sym_op_foreign_two, .infer = sym_op_infer_broadcast, .formula = formula_ \
  }
#define TEST(name_, aliases_, summary_, formula_)                                       \
  {                                                                                     \
    NGRAPH (name_, aliases_, summary_, ELEMENTWISE),                                    \
        .slots = sym_op_foreign_two, .infer = sym_op_infer_lowered, .formula = formula_ \
  }
#define MAP(name_, aliases_, summary_, formula_) \
  NGRAPH_ELEMENTS (name_, aliases_, summary_, ELEMENTWISE, formula_)
#define ACTIVATION(name_, summary_, formula_) \
  NGRAPH_ELEMENTS (name_, NULL, summary_, ACTIVATION, formula_)

static void
lower_convert (SymOpLower *self)
{
  SymDType dtype = sym_op_ngraph_get_dtype (self, "target_type", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_refuse (self, "%s: its dtype is not known", sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, sym_op_lower_input (self, 0), dtype));
}

static const SymSlotSpec select_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };
static const SymSlotSpec gradient_slots[] = { { "x" }, { "delta" }, { NULL } };

static const SymAttributeSpec convert_attributes[] = {
  { "target_type", SYM_ATTRIBUTE_STRING, "", "dtype of the result, as C++ calls it" },
  { NULL },
};

static const SymAttributeSpec alpha_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "scale below zero" },
  { NULL },
};

static const SymAttributeSpec clamp_attributes[] = {
  { "min", SYM_ATTRIBUTE_FLOAT, "0.0", "the least that comes out" },
  { "max", SYM_ATTRIBUTE_FLOAT, "0.0", "the most that comes out" },
  { NULL },
};

const SymOperator sym_op_ngraph[] = {
  PAIR ("Add", NULL, "Sum", "Add (a, b)"),
  PAIR ("Subtract", NULL, "Difference", "Sub (a, b)"),
  PAIR ("Multiply", NULL, "Product of elements", "Mul (a, b)"),
  PAIR ("Divide", NULL, "Quotient", "Div (a, b)"),
  PAIR ("Power", NULL, "Power", "Pow (a, b)"),
  PAIR ("Maximum", NULL, "The greater one", "Max (a, b)"),
  PAIR ("Minimum", NULL, "The lesser one", "Min (a, b)"),
  PAIR ("SquaredDifference", NULL, "Square of the difference", "Mul (Sub (a, b), Sub (a, b))"),
  TEST ("Equal", NULL, "Whether they are equal", "Equal (a, b)"),
  TEST ("NotEqual", NULL, "Whether they differ", "Not (Equal (a, b))"),
  TEST ("Greater", NULL, "Whether the first is greater", "Greater (a, b)"),
  TEST ("GreaterEq", "GreaterEqual", "Whether the first is not less", "GreaterOrEqual (a, b)"),
  TEST ("Less", NULL, "Whether the first is less", "Less (a, b)"),
  TEST ("LessEq", "LessEqual", "Whether the first is not greater", "LessOrEqual (a, b)"),
  TEST ("And", "LogicalAnd", "Both", "And (a, b)"),
  TEST ("Or", "LogicalOr", "One or both", "Or (a, b)"),
  TEST ("Xor", "LogicalXor", "One of both", "Xor (a, b)"),
  MAP ("Not", "LogicalNot", "The contrary", "Not (a)"),
  MAP ("Abs", NULL, "Absolute value", "Abs (a)"),
  MAP ("Acos", NULL, "Inverse cosine", "Acos (a)"),
  MAP ("Asin", NULL, "Inverse sine", "Asin (a)"),
  MAP ("Atan", NULL, "Inverse tangent", "Atan (a)"),
  MAP ("Ceiling", NULL, "Rounded up", "Ceil (a)"),
  MAP ("Cos", NULL, "Cosine", "Cos (a)"),
  MAP ("Cosh", NULL, "Hyperbolic cosine", "Cosh (a)"),
  MAP ("Erf", NULL, "Error function", "Erf (a)"),
  MAP ("Exp", NULL, "Exponential function", "Exp (a)"),
  MAP ("Floor", NULL, "Rounded down", "Floor (a)"),
  MAP ("Log", NULL, "Natural logarithm", "Log (a)"),
  MAP ("Negative", NULL, "With the other sign", "Neg (a)"),
  MAP ("Round", NULL, "Rounded", "Round (a)"),
  MAP ("Sign", NULL, "Sign", "Sign (a)"),
  MAP ("Sin", NULL, "Sine", "Sin (a)"),
  MAP ("Sinh", NULL, "Hyperbolic sine", "Sinh (a)"),
  MAP ("Sqrt", NULL, "Square root", "Sqrt (a)"),
  MAP ("Tan", NULL, "Tangent", "Tan (a)"),
  MAP ("StopGradient", "Result GetOutputElement", "The data as it is", "Identity (a)"),
  ACTIVATION ("Relu", "Rectifier", "Relu (a)"),
  ACTIVATION ("Sigmoid", "Logistic function", "Sigmoid (a)"),
  ACTIVATION ("Tanh", "Hyperbolic tangent", "Tanh (a)"),
  ACTIVATION ("Gelu", "Gaussian error linear unit", "Gelu (a)"),
  { NGRAPH ("Elu", NULL, "Exponential linear unit", ACTIVATION), .slots = sym_op_foreign_one,
    .attributes = alpha_attributes, .infer = sym_op_infer_elementwise,
    .formula = "Where (Less (a, 0), Mul ($alpha, Sub (Exp (Min (a, 0)), 1)), a)" },
  { NGRAPH ("Clamp", NULL, "Cut off at two bounds", ELEMENTWISE), .slots = sym_op_foreign_one,
    .attributes = clamp_attributes, .infer = sym_op_infer_elementwise,
    .formula = "Min (Max (a, $min), $max)" },
  { NGRAPH ("PRelu", NULL, "Rectifier with slopes below zero", ACTIVATION),
    .slots = sym_op_foreign_two, .infer = sym_op_infer_lowered,
    .formula = "Where (Less (a, 0), Mul (a, b), a)" },
  { NGRAPH ("ReluBackprop", NULL, "Gradient of the rectifier", ACTIVATION), .slots = gradient_slots,
    .infer = sym_op_infer_elementwise, .formula = "Where (Greater (a, 0), b, 0)" },
  { NGRAPH ("SigmoidBackprop", NULL, "Gradient of the logistic function", ACTIVATION),
    .slots = gradient_slots, .infer = sym_op_infer_elementwise,
    .formula = "Mul (b, Mul (Sigmoid (a), Sub (1, Sigmoid (a))))" },
  { NGRAPH ("Select", NULL, "One or the other by a condition", ELEMENTWISE), .slots = select_slots,
    .infer = sym_op_infer_lowered, .lower = sym_op_foreign_lower_where },
  NGRAPH_LOWERED ("Convert",
                  NULL,
                  "Another dtype",
                  SHAPE,
                  sym_op_foreign_one,
                  convert_attributes,
                  lower_convert),
  { NULL },
};
