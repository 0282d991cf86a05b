/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

/* One number to one, told by formulas of ONNX's operators. */

static gboolean
infer_bool (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* ATen's tests of floats are false for every integer. */
static void
lower_test (SymOpLower *self)
{
  SymDType dtype = sym_op_aten_to_float (sym_op_lower_get_input_dtype (self, 0));
  SymId x = sym_op_aten_input_as (self, 0, dtype);
  const char *type = sym_op_lower_get_type (self);
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (g_str_equal (type, "aten.isnan"))
    y = sym_op_lower_unary (self, "IsNaN", x);
  else if (g_str_equal (type, "aten.isfinite"))
    y = sym_op_lower_unary (self, "Not",
                            sym_op_lower_binary (self, "Or", sym_op_lower_unary (self, "IsNaN", x),
                                                 sym_op_lower_unary (self, "IsInf", x)));
  else
    y = sym_op_lower_call (self, "IsInf", SYM_IDS (x), "detect_negative",
                           sym_value_new_int (!g_str_equal (type, "aten.isposinf")),
                           "detect_positive",
                           sym_value_new_int (!g_str_equal (type, "aten.isneginf")), NULL);
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_not (SymOpLower *self)
{
  gboolean is_bool = sym_op_lower_get_input_dtype (self, 0) == SYM_DTYPE_BOOL;
  gboolean is_logical = g_str_has_prefix (sym_op_lower_get_type (self), "aten.logical_not");
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_unary (self, is_bool || is_logical ? "Not" : "BitwiseNot",
                                                 is_logical && !is_bool
                                                     ? sym_op_lower_cast (self, x, SYM_DTYPE_BOOL)
                                                     : x));
}

static void
lower_identity (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_unary (self, "Identity", sym_op_lower_input (self, 0)));
}

/* The two further results of log_sigmoid_forward and native_dropout are for gradients. */
static gboolean
infer_dropout (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return sym_op_pass (rule, 0, 0, error) &&
         sym_op_set_output (rule, 1, shape, SYM_DTYPE_BOOL, error);
}

/* A program that is run is one that has learnt. */
static void
lower_dropout (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), all;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Identity", x));
  if (sym_op_lower_get_n_outputs (self) < 2)
    return;
  all = sym_op_lower_binary (self, "Expand", sym_op_aten_number (self, SYM_DTYPE_BOOL, 1),
                             sym_op_aten_shape (self, x));
  sym_op_lower_set_output (self, 1, all);
}

static void
lower_nan_to_num (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double most = dtype == SYM_DTYPE_FLOAT64   ? G_MAXDOUBLE
                : dtype == SYM_DTYPE_FLOAT16 ? 65504.0
                                             : (double) G_MAXFLOAT;
  const struct {
    const char *attribute;
    double fallback;
    int negative, positive; /* -1 for NaN */
  } steps[] = { { "nan", 0, -1, -1 }, { "posinf", most, 0, 1 }, { "neginf", -most, 1, 0 } };
  SymId x = sym_op_lower_input (self, 0), y = x;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  for (guint i = 0; sym_dtype_is_floating (dtype) && i < G_N_ELEMENTS (steps); i++)
    {
      double number = sym_op_lower_get_float (self, steps[i].attribute, steps[i].fallback);
      SymId is = steps[i].negative < 0
                     ? sym_op_lower_unary (self, "IsNaN", x)
                     : sym_op_lower_call (self, "IsInf", SYM_IDS (x), "detect_negative",
                                          sym_value_new_int (steps[i].negative), "detect_positive",
                                          sym_value_new_int (steps[i].positive), NULL);

      y = sym_op_lower_call (self, "Where",
                             SYM_IDS (is, sym_op_aten_number (self, dtype, number), y), NULL);
    }
  sym_op_lower_set_output (self, 0, y);
}

static const SymAttributeSpec nan_attributes[] = {
  { "nan", SYM_ATTRIBUTE_FLOAT, "0", "what stands for NaN" },
  { "posinf", SYM_ATTRIBUTE_FLOAT, "None", "what stands for infinity; the greatest number" },
  { "neginf", SYM_ATTRIBUTE_FLOAT, "None", "what stands for -infinity; the least number" },
  { NULL },
};

static const SymAttributeSpec dropout_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "0.5", "share of elements that training makes 0" },
  { "train", SYM_ATTRIBUTE_BOOL, "False", "whether the program was exported for training" },
  { NULL },
};

#define REFERENCE .reference = "PyTorch 2 Core ATen IR"

/* Of integers the result is a float. */
#define FLOAT(name_, aliases_, summary_, formula_)                                           \
  {                                                                                          \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_, REFERENCE, \
                 .category = SYM_CATEGORY_ELEMENTWISE, .slots = sym_op_aten_self,            \
                 .infer = sym_op_aten_infer_float, .formula = formula_,                      \
  }

#define SAME(name_, aliases_, summary_, formula_)                                            \
  {                                                                                          \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_, REFERENCE, \
                 .category = SYM_CATEGORY_ELEMENTWISE, .slots = sym_op_aten_self,            \
                 .infer = sym_op_aten_same, .formula = formula_,                             \
  }

#define TEST(name_, summary_)                                                     \
  {                                                                               \
    SYM_OP_ATEN, .name = "aten." name_, .summary = summary_, REFERENCE,           \
                 .category = SYM_CATEGORY_ELEMENTWISE, .slots = sym_op_aten_self, \
                 .infer = infer_bool, .lower = lower_test,                        \
  }

#define LOWERED(name_, aliases_, summary_, category_, slots_, attributes_, infer_, lower_)         \
  {                                                                                                \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_, REFERENCE,       \
                 .category = SYM_CATEGORY_##category_, .slots = slots_, .attributes = attributes_, \
                 .infer = infer_, .lower = lower_,                                                 \
  }

const SymOperator sym_op_aten_unary[] = {
  FLOAT ("acos", "aten.arccos aten.acos_", "Arc cosine", "Acos (A)"),
  FLOAT ("acosh", "aten.arccosh aten.acosh_", "Area hyperbolic cosine", "Acosh (A)"),
  FLOAT ("asin", "aten.arcsin aten.asin_", "Arc sine", "Asin (A)"),
  FLOAT ("asinh", "aten.arcsinh aten.asinh_", "Area hyperbolic sine", "Asinh (A)"),
  FLOAT ("atan", "aten.arctan aten.atan_", "Arc tangent", "Atan (A)"),
  FLOAT ("atanh", "aten.arctanh aten.atanh_", "Area hyperbolic tangent", "Atanh (A)"),
  FLOAT ("cos", "aten.cos_", "Cosine", "Cos (A)"),
  FLOAT ("cosh", "aten.cosh_", "Hyperbolic cosine", "Cosh (A)"),
  FLOAT ("deg2rad", "aten.deg2rad_", "Degrees to radians", "Mul (A, 0.017453292519943295)"),
  FLOAT ("erf", "aten.erf_ aten.special_erf", "Error function", "Erf (A)"),
  FLOAT ("erfc", "aten.erfc_ aten.special_erfc", "1 - erf (x)", "Sub (1, Erf (A))"),
  FLOAT ("exp", "aten.exp_", "e to the power x", "Exp (A)"),
  FLOAT ("exp2",
         "aten.exp2_ aten.special_exp2",
         "2 to the power x",
         "Exp (Mul (A, 0.6931471805599453))"),
  FLOAT ("expm1",
         "aten.expm1_ aten.special_expm1",
         "e to the power x, less 1",
         "Mul (Tanh (Mul (A, 0.5)), Add (Exp (A), 1))"),
  FLOAT ("log", "aten.log_", "Natural logarithm", "Log (A)"),
  FLOAT ("log10", "aten.log10_", "Logarithm to base 10", "Div (Log (A), 2.302585092994046)"),
  FLOAT ("log1p",
         "aten.log1p_ aten.special_log1p",
         "log (1 + x)",
         "Where (Equal (Add (A, 1), 1), A, Where (IsInf (A), Log (A), "
         "Div (Mul (Log (Add (A, 1)), A), Sub (Add (A, 1), 1))))"),
  FLOAT ("log2", "aten.log2_", "Logarithm to base 2", "Div (Log (A), 0.6931471805599453)"),
  FLOAT ("rad2deg", "aten.rad2deg_", "Radians to degrees", "Mul (A, 57.29577951308232)"),
  FLOAT ("reciprocal", "aten.reciprocal_", "1 / x", "Reciprocal (A)"),
  FLOAT ("rsqrt", "aten.rsqrt_", "1 / sqrt (x)", "Reciprocal (Sqrt (A))"),
  FLOAT ("sigmoid", "aten.sigmoid_ aten.special_expit", "1 / (1 + e^-x)", "Sigmoid (A)"),
  FLOAT ("sin", "aten.sin_", "Sine", "Sin (A)"),
  FLOAT ("sinc",
         "aten.sinc_ aten.special_sinc",
         "sin (pi x) / (pi x)",
         "Where (Equal (A, 0), 1, Div (Sin (Mul (A, 3.141592653589793)), "
         "Mul (A, 3.141592653589793)))"),
  FLOAT ("sinh", "aten.sinh_", "Hyperbolic sine", "Sinh (A)"),
  FLOAT ("sqrt", "aten.sqrt_", "Square root", "Sqrt (A)"),
  FLOAT ("tan", "aten.tan_", "Tangent", "Tan (A)"),
  FLOAT ("tanh", "aten.tanh_", "Hyperbolic tangent", "Tanh (A)"),
  SAME ("abs", "aten.abs_ aten.absolute", "Value without its sign", "Abs (a)"),
  SAME ("ceil", "aten.ceil_", "The next integer up", "Ceil (a)"),
  SAME ("floor", "aten.floor_", "The next integer down", "Floor (a)"),
  SAME ("frac",
        "aten.frac_",
        "What is behind the point",
        "Sub (a, Mul (Sign (a), Floor (Abs (a))))"),
  SAME ("neg", "aten.neg_ aten.negative", "-x", "Neg (a)"),
  SAME ("round", "aten.round_", "The nearest integer, the even one of two", "Round (a)"),
  SAME ("sign", "aten.sign_ aten.sgn aten.sgn_", "-1, 0 or 1", "Sign (a)"),
  SAME ("square", "aten.square_", "x times x", "Mul (a, a)"),
  SAME ("trunc",
        "aten.trunc_ aten.fix",
        "The next integer towards 0",
        "Mul (Sign (a), Floor (Abs (a)))"),
  TEST ("isfinite", "Whether a number is finite"),
  TEST ("isinf", "Whether a number is infinite"),
  TEST ("isnan", "Whether it is not a number"),
  TEST ("isneginf", "Whether a number is -infinity"),
  TEST ("isposinf", "Whether a number is infinity"),
  LOWERED ("bitwise_not",
           "aten.bitwise_not_",
           "Turns all bits",
           ELEMENTWISE,
           sym_op_aten_self,
           NULL,
           sym_op_aten_same,
           lower_not),
  LOWERED ("logical_not",
           "aten.logical_not_",
           "Whether a number is 0",
           ELEMENTWISE,
           sym_op_aten_self,
           NULL,
           infer_bool,
           lower_not),
  LOWERED ("nan_to_num",
           "aten.nan_to_num_",
           "Numbers for what is none",
           ELEMENTWISE,
           sym_op_aten_self,
           nan_attributes,
           sym_op_aten_same,
           lower_nan_to_num),
  LOWERED ("clone",
           "aten.alias aten.alias_copy aten.contiguous aten.detach aten.detach_ aten.detach_copy "
           "aten.lift aten.lift_fresh aten.lift_fresh_copy aten.positive aten.requires_grad_ "
           "aten.conj aten._conj aten.resolve_conj aten.resolve_neg aten.real",
           "The same value",
           SHAPE,
           sym_op_aten_self,
           NULL,
           sym_op_aten_same,
           lower_identity),
  LOWERED ("dropout",
           "aten.dropout_ aten.feature_dropout aten.alpha_dropout aten.feature_alpha_dropout",
           "Nothing, but while a network learns",
           NORMALIZATION,
           sym_op_aten_input,
           dropout_attributes,
           sym_op_aten_same,
           lower_identity),
  LOWERED ("native_dropout",
           NULL,
           "Nothing, but while a network learns",
           NORMALIZATION,
           sym_op_aten_input,
           dropout_attributes,
           infer_dropout,
           lower_dropout),
  { NULL },
};
