/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

/* ---- Two operands ---- */

/* With an axis, as before Paddle 2, the second one's axes are those of the first from there on. */
static SymId
align (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "axis", -1), axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), own = sym_op_foreign_rank (self, 1);
  gint64 n;

  if (axis < 0 || axis > SYM_MAX_RANK || own == 0)
    return sym_op_lower_input (self, 1);
  n = rank - own - axis;
  if (n <= 0 || n > SYM_MAX_RANK - own)
    return sym_op_lower_input (self, 1);
  for (gint64 i = 0; i < n; i++)
    axes[i] = own + i;
  return sym_op_foreign_unsqueeze (self, sym_op_lower_input (self, 1), axes, (int) n);
}

static void
lower_binary (SymOpLower *self, const char *name)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    {
      SymId y = sym_op_lower_binary (self, name, sym_op_lower_input (self, 0), align (self));

      sym_op_lower_set_output (self, 0, sym_op_paddle_activate (self, y));
    }
}

#define BINARY(name) \
  static void lower_##name (SymOpLower *self) { lower_binary (self, #name); }

BINARY (Add)
BINARY (Sub)
BINARY (Mul)
BINARY (Div)
BINARY (Max)
BINARY (Min)
BINARY (Pow)
BINARY (Equal)
BINARY (Less)
BINARY (LessOrEqual)
BINARY (Greater)
BINARY (GreaterOrEqual)
BINARY (And)
BINARY (Or)
BINARY (Xor)
BINARY (BitwiseAnd)
BINARY (BitwiseOr)
BINARY (BitwiseXor)

static void
lower_not_equal (SymOpLower *self)
{
  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_unary (
          self, "Not",
          sym_op_lower_binary (self, "Equal", sym_op_lower_input (self, 0), align (self))));
}

/* ---- One operand ---- */

/* A number that may be an operand, [1] or without axes, or an attribute. */
static SymId
read_number (SymOpLower *self, guint i, const char *name, double fallback)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (!sym_op_lower_has_input (self, i) || sym_attributes_find (attributes, name) != NULL)
    return sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, name, fallback));
  return sym_op_foreign_reshape (
      self, sym_op_lower_cast (self, sym_op_lower_input (self, i), dtype), NULL, 0, FALSE);
}

/* scale x + bias, or scale (x + bias). */
static void
lower_scale (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gboolean is_after = sym_op_lower_get_bool (self, "bias_after_scale", TRUE);
  SymId x = sym_op_lower_input (self, 0), bias, scale;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  bias = sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "bias", 0));
  scale = read_number (self, 1, "scale", 1);
  if (!is_after)
    x = sym_op_lower_binary (self, "Add", x, bias);
  x = sym_op_lower_binary (self, "Mul", x, scale);
  if (is_after)
    x = sym_op_lower_binary (self, "Add", x, bias);
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_clip (SymOpLower *self)
{
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Clip",
                         SYM_IDS (sym_op_lower_input (self, 0), read_number (self, 1, "min", 0),
                                  read_number (self, 2, "max", 0)),
                         NULL));
}

static void
lower_cast (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "out_dtype", "dtype", NULL);
  SymDType dtype = sym_op_paddle_get_dtype (self, name, SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_refuse (self, "%s: its dtype is not known", sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, sym_op_lower_input (self, 0), dtype));
}

/* min (max (x + offset, 0), threshold) / scale, of x. */
static void
lower_hard_swish (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double offset = sym_op_lower_get_float (self, "offset", 3);
  double threshold = sym_op_lower_get_float (self, "threshold", 6);
  double scale = sym_op_lower_get_float (self, "scale", 6);
  SymId x = sym_op_lower_input (self, 0), y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (offset == 3 && threshold == 6 && scale == 6)
    {
      sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "HardSwish", x));
      return;
    }
  y = sym_op_lower_binary (self, "Add", x, sym_op_lower_number (self, dtype, offset));
  y = sym_op_lower_call (self, "Clip",
                         SYM_IDS (y, sym_op_lower_number (self, dtype, 0),
                                  sym_op_lower_number (self, dtype, threshold)),
                         NULL);
  y = sym_op_lower_binary (self, "Div", y, sym_op_lower_number (self, dtype, scale));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", x, y));
}

static void
lower_hard_sigmoid (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "HardSigmoid", SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                         sym_value_new_float (sym_op_lower_get_float (self, "slope", 1.0 / 6)),
                         "beta", sym_value_new_float (sym_op_lower_get_float (self, "offset", 0.5)),
                         NULL));
}

static void
lower_leaky (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "negative_slope", "alpha", NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LeakyRelu", SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                         sym_value_new_float (sym_op_lower_get_float (self, name, 0.02)), NULL));
}

static void
lower_gelu (SymOpLower *self)
{
  gboolean is_near = sym_op_lower_get_bool (self, "approximate", FALSE);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)), "approximate",
                         sym_value_new_string (is_near ? "tanh" : "none"), NULL));
}

/* One slope for all, or for each channel, or for each element: of shape [channels], or whatever has
 * as many numbers. */
static void
lower_prelu (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gboolean is_last = sym_op_lower_has_string (self, "data_format", "NHWC");
  const char *mode = sym_op_lower_get_string (self, "mode", "");
  SymId alpha = sym_op_lower_input (self, 1);
  gint64 sizes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 1))
    return;
  if (!g_str_equal (mode, "element") && rank > 1)
    {
      for (int i = 0; i < rank; i++)
        sizes[i] = i == (is_last ? rank - 1 : 1) ? -1 : 1;
      alpha = sym_op_foreign_reshape (self, alpha, sizes, rank, FALSE);
    }
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0), alpha));
}

/* Integers of a list of operands summed up: sum, add_n. */
static void
lower_sum_all (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_lower_input (self, i);
  sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Sum", (SymIds){ operands, n }, NULL));
}

static void
lower_each_same (SymOpLower *self)
{
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (self, i, sym_op_lower_input (self, i));
}

static void
lower_test (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gboolean is_nan = g_str_has_prefix (type, "isnan");

  sym_op_lower_set_output (
      self, 0, sym_op_lower_unary (self, is_nan ? "IsNaN" : "IsInf", sym_op_lower_input (self, 0)));
}

static void
lower_not (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Not", sym_op_lower_input (self, 0)));
}

/* ---- Tables ---- */

static const SymSlotSpec scale_slots[] = { { "X" }, { "scale", SYM_SLOT_DATA, TRUE }, { NULL } };

static const SymSlotSpec clip_slots[] = {
  { "X" },
  { "Min", SYM_SLOT_DATA, TRUE },
  { "Max", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec prelu_slots[] = { { "X" }, { "Alpha", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec where_slots[] = { { "Condition" }, { "X" }, { "Y" }, { NULL } };

static const SymAttributeSpec binary_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis of the first one at which those of the second begin" },
  { NULL },
};

static const SymAttributeSpec scale_attributes[] = {
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "0.0", "added" },
  { "bias_after_scale", SYM_ATTRIBUTE_BOOL, "True", "whether it is added behind" },
  { NULL },
};

static const SymAttributeSpec clip_attributes[] = {
  { "min", SYM_ATTRIBUTE_FLOAT, "0.0", "the least that comes out" },
  { "max", SYM_ATTRIBUTE_FLOAT, "0.0", "the most that comes out" },
  { NULL },
};

static const SymAttributeSpec cast_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_ANY, "None", "of the result" },
  { "out_dtype", SYM_ATTRIBUTE_ANY, "None", "of the result, by its number" },
  { NULL },
};

static const SymAttributeSpec hard_attributes[] = {
  { "slope", SYM_ATTRIBUTE_FLOAT, "0.16666667", "of a hard sigmoid" },
  { "offset", SYM_ATTRIBUTE_FLOAT, "None", "added to the data" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, "6.0", "of a hard swish, the most" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "6.0", "of a hard swish, the divisor" },
  { NULL },
};

static const SymAttributeSpec slope_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "slope or scale below zero" },
  { "negative_slope", SYM_ATTRIBUTE_FLOAT, "0.02", "the same in PIR" },
  { NULL },
};

static const SymAttributeSpec beta_attributes[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor within" },
  { NULL },
};

static const SymAttributeSpec lambda_attributes[] = {
  { "lambda", SYM_ATTRIBUTE_FLOAT, "0.5", "from where on it lets pass" },
  { NULL },
};

static const SymAttributeSpec threshold_attributes[] = {
  { "threshold", SYM_ATTRIBUTE_FLOAT, "6.0", "the most, or from where on it lets pass" },
  { NULL },
};

static const SymAttributeSpec gelu_attributes[] = {
  { "approximate", SYM_ATTRIBUTE_BOOL, "False", "whether by tanh" },
  { NULL },
};

static const SymAttributeSpec prelu_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "all", "what has a slope of its own", "all channel element" },
  { "data_format", SYM_ATTRIBUTE_STRING, "NCHW", "where the channels are" },
  { NULL },
};

static const SymAttributeSpec factor_attributes[] = {
  { "factor", SYM_ATTRIBUTE_FLOAT, "1.0", "exponent" },
  { NULL },
};

#define PAIR(name_, aliases_, summary_, lower_)                                                 \
  PADDLE_LOWERED (name_, aliases_, summary_, ELEMENTWISE, sym_op_paddle_two, binary_attributes, \
                  lower_)
#define MAP(name_, aliases_, summary_, formula_) \
  PADDLE_ELEMENTS (name_, aliases_, summary_, ELEMENTWISE, formula_)
#define ACTIVATION(name_, aliases_, summary_, formula_) \
  PADDLE_ELEMENTS (name_, aliases_, summary_, ACTIVATION, formula_)
#define ACTIVATION_BY(name_, aliases_, summary_, attributes_, formula_)                           \
  {                                                                                               \
    PADDLE (name_, aliases_, summary_, ACTIVATION),                                               \
        .slots = sym_op_paddle_one, .attributes = attributes_, .infer = sym_op_infer_elementwise, \
        .formula = formula_                                                                       \
  }

const SymOperator sym_op_paddle_elementwise[] = {
  PAIR ("elementwise_add", "add", "Sum", lower_Add),
  PAIR ("elementwise_sub", "subtract", "Difference", lower_Sub),
  PAIR ("elementwise_mul", "multiply", "Product of elements", lower_Mul),
  PAIR ("elementwise_div", "divide", "Quotient", lower_Div),
  PAIR ("elementwise_max", "maximum", "The greater one", lower_Max),
  PAIR ("elementwise_min", "minimum", "The lesser one", lower_Min),
  PAIR ("elementwise_pow", NULL, "Power", lower_Pow),
  PAIR ("equal", NULL, "Whether they are equal", lower_Equal),
  PAIR ("not_equal", NULL, "Whether they differ", lower_not_equal),
  PAIR ("less_than", NULL, "Whether the first is less", lower_Less),
  PAIR ("less_equal", NULL, "Whether the first is not greater", lower_LessOrEqual),
  PAIR ("greater_than", NULL, "Whether the first is greater", lower_Greater),
  PAIR ("greater_equal", NULL, "Whether the first is not less", lower_GreaterOrEqual),
  PAIR ("logical_and", NULL, "Both", lower_And),
  PAIR ("logical_or", NULL, "One or both", lower_Or),
  PAIR ("logical_xor", NULL, "One of both", lower_Xor),
  PAIR ("bitwise_and", NULL, "Bits of both", lower_BitwiseAnd),
  PAIR ("bitwise_or", NULL, "Bits of one or both", lower_BitwiseOr),
  PAIR ("bitwise_xor", NULL, "Bits of one of both", lower_BitwiseXor),
  { PADDLE ("elementwise_mod", "remainder", "Remainder, of the divisor's sign", ELEMENTWISE),
    .slots = sym_op_paddle_two, .infer = sym_op_infer_lowered, .formula = "Remainder (a, b)" },
  { PADDLE ("elementwise_floordiv", "floor_divide", "Quotient rounded down", ELEMENTWISE),
    .slots = sym_op_paddle_two, .infer = sym_op_infer_lowered, .formula = "FloorDivide (a, b)" },
  PADDLE_LOWERED ("scale",
                  NULL,
                  "A factor and a summand",
                  ELEMENTWISE,
                  scale_slots,
                  scale_attributes,
                  lower_scale),
  PADDLE_LOWERED ("clip",
                  NULL,
                  "Cut off at two bounds",
                  ELEMENTWISE,
                  clip_slots,
                  clip_attributes,
                  lower_clip),
  PADDLE_LOWERED ("cast",
                  NULL,
                  "Another dtype",
                  SHAPE,
                  sym_op_paddle_one,
                  cast_attributes,
                  lower_cast),
  PADDLE_LOWERED ("hard_swish",
                  "hardswish",
                  "Hard swish",
                  ACTIVATION,
                  sym_op_paddle_one,
                  hard_attributes,
                  lower_hard_swish),
  PADDLE_LOWERED ("hard_sigmoid",
                  "hardsigmoid",
                  "Hard sigmoid",
                  ACTIVATION,
                  sym_op_paddle_one,
                  hard_attributes,
                  lower_hard_sigmoid),
  PADDLE_LOWERED ("leaky_relu",
                  NULL,
                  "Rectifier that leaks below zero",
                  ACTIVATION,
                  sym_op_paddle_one,
                  slope_attributes,
                  lower_leaky),
  PADDLE_LOWERED ("gelu",
                  NULL,
                  "Gaussian error linear unit",
                  ACTIVATION,
                  sym_op_paddle_one,
                  gelu_attributes,
                  lower_gelu),
  PADDLE_LOWERED ("prelu",
                  NULL,
                  "Rectifier with trained slopes below zero",
                  ACTIVATION,
                  prelu_slots,
                  prelu_attributes,
                  lower_prelu),
  { PADDLE ("sum", "add_n", "Sum of any number of tensors", MERGE), .slots = sym_op_paddle_many,
    .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_sum_all },
  PADDLE_LOWERED ("where",
                  NULL,
                  "One or the other by a condition",
                  ELEMENTWISE,
                  where_slots,
                  NULL,
                  sym_op_foreign_lower_where),
  { PADDLE ("combine",
            "share_data share_data_ memcpy memcpy_d2h memcpy_h2d",
            "A list, as it is",
            SHAPE),
    .slots = sym_op_paddle_many, .get_n_operands = sym_op_foreign_any,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered,
    .lower = lower_each_same },
  PADDLE_LOWERED ("isnan_v2",
                  "isnan",
                  "Whether it is no number",
                  ELEMENTWISE,
                  sym_op_paddle_one,
                  NULL,
                  lower_test),
  PADDLE_LOWERED ("isinf_v2",
                  "isinf",
                  "Whether it is infinite",
                  ELEMENTWISE,
                  sym_op_paddle_one,
                  NULL,
                  lower_test),
  PADDLE_LOWERED ("logical_not",
                  "bitwise_not",
                  "The contrary",
                  ELEMENTWISE,
                  sym_op_paddle_one,
                  NULL,
                  lower_not),
  MAP ("assign", "identity", "The data as it is", "Identity (a)"),
  ACTIVATION ("relu", NULL, "Rectifier", "Relu (a)"),
  ACTIVATION_BY ("relu6",
                 NULL,
                 "Rectifier with a bound",
                 threshold_attributes,
                 "Min (Relu (a), $threshold)"),
  ACTIVATION ("sigmoid", NULL, "Logistic function", "Sigmoid (a)"),
  ACTIVATION ("logsigmoid", NULL, "Logarithm of the logistic function", "Neg (Softplus (Neg (a)))"),
  ACTIVATION ("tanh", NULL, "Hyperbolic tangent", "Tanh (a)"),
  ACTIVATION ("silu", NULL, "Sigmoid linear unit", "Mul (a, Sigmoid (a))"),
  ACTIVATION_BY ("swish",
                 NULL,
                 "Sigmoid linear unit",
                 beta_attributes,
                 "Mul (a, Sigmoid (Mul (a, $beta)))"),
  ACTIVATION ("mish", NULL, "Mish", "Mish (a)"),
  ACTIVATION_BY ("softplus",
                 NULL,
                 "Soft rectifier",
                 beta_attributes,
                 "Div (Softplus (Mul (a, $beta)), $beta)"),
  ACTIVATION ("softsign", NULL, "Soft sign", "Softsign (a)"),
  ACTIVATION_BY ("elu",
                 NULL,
                 "Exponential linear unit",
                 slope_attributes,
                 "Where (Less (a, 0), Mul ($alpha, Sub (Exp (Min (a, 0)), 1)), a)"),
  ACTIVATION ("selu", NULL, "Scaled exponential linear unit", "Selu (a)"),
  ACTIVATION_BY ("thresholded_relu",
                 NULL,
                 "Passes what is above a threshold",
                 threshold_attributes,
                 "Where (Greater (a, $threshold), a, 0)"),
  ACTIVATION_BY ("softshrink",
                 "soft_shrink",
                 "Soft threshold",
                 lambda_attributes,
                 "Sub (Relu (Sub (a, $lambda)), Relu (Neg (Add (a, $lambda))))"),
  ACTIVATION ("tanh_shrink", NULL, "What tanh takes away", "Sub (a, Tanh (a))"),
  ACTIVATION_BY ("hard_shrink",
                 "hardshrink",
                 "Passes what is far from zero",
                 threshold_attributes,
                 "Where (Greater (Abs (a), $threshold), a, 0)"),
  MAP ("exp", NULL, "Exponential function", "Exp (a)"),
  MAP ("expm1", NULL, "Exponential function less 1", "Sub (Exp (a), 1)"),
  MAP ("log", NULL, "Natural logarithm", "Log (a)"),
  MAP ("log2", NULL, "Logarithm of base 2", "Div (Log (a), 0.6931471805599453)"),
  MAP ("log10", NULL, "Logarithm of base 10", "Div (Log (a), 2.302585092994046)"),
  MAP ("log1p", NULL, "Logarithm of 1 and x", "Log (Add (a, 1))"),
  MAP ("sqrt", NULL, "Square root", "Sqrt (a)"),
  MAP ("rsqrt", NULL, "Reciprocal of the square root", "Reciprocal (Sqrt (a))"),
  MAP ("square", NULL, "Square", "Mul (a, a)"),
  MAP ("reciprocal", NULL, "Reciprocal", "Div (1, a)"),
  MAP ("abs", NULL, "Absolute value", "Abs (a)"),
  MAP ("sign", NULL, "Sign", "Sign (a)"),
  MAP ("floor", NULL, "Rounded down", "Floor (a)"),
  MAP ("ceil", NULL, "Rounded up", "Ceil (a)"),
  MAP ("round", NULL, "Rounded", "Round (a)"),
  MAP ("sin", NULL, "Sine", "Sin (a)"),
  MAP ("cos", NULL, "Cosine", "Cos (a)"),
  MAP ("tan", NULL, "Tangent", "Tan (a)"),
  MAP ("asin", NULL, "Inverse sine", "Asin (a)"),
  MAP ("acos", NULL, "Inverse cosine", "Acos (a)"),
  MAP ("atan", NULL, "Inverse tangent", "Atan (a)"),
  MAP ("sinh", NULL, "Hyperbolic sine", "Sinh (a)"),
  MAP ("cosh", NULL, "Hyperbolic cosine", "Cosh (a)"),
  MAP ("erf", NULL, "Error function", "Erf (a)"),
  ACTIVATION_BY ("pow", NULL, "Power", factor_attributes, "Pow (a, $factor)"),
  { NULL },
};
