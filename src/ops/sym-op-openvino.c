/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

SymDType
sym_op_openvino_get_dtype (SymOpLower *self, const char *name, SymDType fallback)
{
  static const struct {
    const char *name;
    SymDType dtype;
  } names[] = {
    { "f32", SYM_DTYPE_FLOAT32 },   { "f16", SYM_DTYPE_FLOAT16 }, { "f64", SYM_DTYPE_FLOAT64 },
    { "bf16", SYM_DTYPE_BFLOAT16 }, { "i8", SYM_DTYPE_INT8 },     { "i16", SYM_DTYPE_INT16 },
    { "i32", SYM_DTYPE_INT32 },     { "i64", SYM_DTYPE_INT64 },   { "u8", SYM_DTYPE_UINT8 },
    { "u16", SYM_DTYPE_UINT16 },    { "u32", SYM_DTYPE_UINT32 },  { "u64", SYM_DTYPE_UINT64 },
    { "boolean", SYM_DTYPE_BOOL },
  };
  const char *text = sym_op_lower_get_string (self, name, NULL);

  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (names[i].name, text) == 0)
      return names[i].dtype;
  return fallback;
}

SymId
sym_op_openvino_ints (SymOpLower *self, guint i)
{
  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i), SYM_DTYPE_INT64);
}

/* ---- Elements ---- */

static void
lower_convert (SymOpLower *self)
{
  SymDType like = sym_op_lower_get_input_dtype (self, 1);
  SymDType dtype = sym_op_openvino_get_dtype (self, "destination_type", like);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_refuse (self, "%s: its dtype is not known", sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, sym_op_lower_input (self, 0), dtype));
}

/* The slope is of the channels, the second axis, where it has one axis.  It may be of another
 * dtype: networks of float16 that were quantised have slopes of float32, and the result is of the
 * data's. */
static void
lower_prelu (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), own = sym_op_foreign_rank (self, 1);
  SymDType own_dtype = sym_op_lower_get_input_dtype (self, 1);
  SymId slope = sym_op_lower_input (self, 1);
  gint64 sizes[SYM_MAX_RANK];

  if (own_dtype != SYM_DTYPE_UNKNOWN)
    slope = sym_op_lower_cast_from (self, slope, own_dtype, sym_op_lower_get_input_dtype (self, 0));
  for (int i = 0; i < rank; i++)
    sizes[i] = i == 1 ? -1 : 1;
  if (own == 1 && rank > 1)
    slope = sym_op_foreign_reshape (self, slope, sizes, rank, FALSE);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0), slope));
}

static void
lower_gelu (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "approximation_mode", "ERF");
  gboolean is_near = g_ascii_strcasecmp (mode, "tanh") == 0;

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)), "approximate",
                         sym_value_new_string (is_near ? "tanh" : "none"), NULL));
}

static void
lower_swish (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), scaled = x;

  if (sym_op_lower_has_input (self, 1))
    scaled = sym_op_lower_binary (self, "Mul", x, sym_op_lower_input (self, 1));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Mul", x, sym_op_lower_unary (self, "Sigmoid", scaled)));
}

/* Steps between two bounds: round ((x - il) / (ih - il) (levels - 1)) / (levels - 1) (oh - ol) +
 * ol. */
static void
lower_fake_quantize (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0), bounds[5], steps, width;

  for (guint i = 1; i < 5; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return;
      bounds[i] = sym_op_lower_input (self, i);
    }
  steps =
      sym_op_lower_number (self, dtype, (double) sym_op_lower_get_int (self, "levels", 256) - 1);
  width = sym_op_lower_binary (self, "Sub", bounds[2], bounds[1]);
  x = sym_op_lower_binary (self, "Min", sym_op_lower_binary (self, "Max", x, bounds[1]), bounds[2]);
  x = sym_op_lower_binary (self, "Div", sym_op_lower_binary (self, "Sub", x, bounds[1]), width);
  x = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Mul", x, steps));
  x = sym_op_lower_binary (self, "Div", x, steps);
  x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_binary (self, "Sub", bounds[4], bounds[3]));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Add", x, bounds[3]));
}

static const SymSlotSpec like_slots[] = { { "data" }, { "like", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec slope_slots[] = { { "data" }, { "slope", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec beta_slots[] = { { "data" }, { "beta", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec two_numbers[] = { { "data" }, { "alpha" }, { "beta" }, { NULL } };
static const SymSlotSpec select_slots[] = { { "cond" }, { "then" }, { "else" }, { NULL } };

static const SymSlotSpec quantize_slots[] = {
  { "data" }, { "input_low" }, { "input_high" }, { "output_low" }, { "output_high" }, { NULL },
};

static const SymAttributeSpec convert_attributes[] = {
  { "destination_type", SYM_ATTRIBUTE_STRING, "", "dtype of the result" },
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

static const SymAttributeSpec gelu_attributes[] = {
  { "approximation_mode", SYM_ATTRIBUTE_STRING, "ERF", "how it is computed" },
  { NULL },
};

static const SymAttributeSpec levels_attributes[] = {
  { "levels", SYM_ATTRIBUTE_INT, "256", "different numbers that come out" },
  { NULL },
};

#define PAIR(name_, summary_, formula_)                                                 \
  {                                                                                     \
    OPENVINO (name_, NULL, summary_, ELEMENTWISE),                                      \
        .slots = sym_op_foreign_two, .infer = sym_op_infer_lowered, .formula = formula_ \
  }
#define MAP(name_, summary_, formula_) OPENVINO_MAP (name_, summary_, ELEMENTWISE, formula_)
#define ACTIVATION(name_, summary_, formula_) OPENVINO_MAP (name_, summary_, ACTIVATION, formula_)

static const SymAttributeSpec state_attributes[] = {
  { "variable_id", SYM_ATTRIBUTE_STRING, NULL, "which variable it is" },
  { "variable_shape", SYM_ATTRIBUTE_ANY, "None", "shape of the variable" },
  { "variable_type", SYM_ATTRIBUTE_ANY, "None", "dtype of the variable" },
  { NULL },
};

const SymOperator sym_op_openvino[] = {
  OPENVINO_MAP_BY ("ReadValue",
                   "A variable, which begins as the data",
                   OTHER,
                   state_attributes,
                   "Identity (a)"),
  OPENVINO_MAP_BY ("Assign",
                   "A variable, set to the data",
                   OTHER,
                   state_attributes,
                   "Identity (a)"),
  PAIR ("Add", "Sum", "Add (a, b)"),
  PAIR ("Subtract", "Difference", "Sub (a, b)"),
  PAIR ("Multiply", "Product of elements", "Mul (a, b)"),
  PAIR ("Divide", "Quotient", "Div (a, b)"),
  PAIR ("Power", "Power", "Pow (a, b)"),
  PAIR ("Maximum", "The greater one", "Max (a, b)"),
  PAIR ("Minimum", "The lesser one", "Min (a, b)"),
  PAIR ("Mod", "Remainder, of the dividend's sign", "Mod (a, b, fmod=1)"),
  PAIR ("FloorMod", "Remainder, of the divisor's sign", "Remainder (a, b)"),
  PAIR ("SquaredDifference", "Square of the difference", "Mul (Sub (a, b), Sub (a, b))"),
  PAIR ("Equal", "Whether they are equal", "Equal (a, b)"),
  PAIR ("NotEqual", "Whether they differ", "Not (Equal (a, b))"),
  PAIR ("Greater", "Whether the first is greater", "Greater (a, b)"),
  PAIR ("GreaterEqual", "Whether the first is not less", "GreaterOrEqual (a, b)"),
  PAIR ("Less", "Whether the first is less", "Less (a, b)"),
  PAIR ("LessEqual", "Whether the first is not greater", "LessOrEqual (a, b)"),
  PAIR ("LogicalAnd", "Both", "And (a, b)"),
  PAIR ("LogicalOr", "One or both", "Or (a, b)"),
  PAIR ("LogicalXor", "One of both", "Xor (a, b)"),
  MAP ("LogicalNot", "The contrary", "Not (a)"),
  MAP ("Abs", "Absolute value", "Abs (a)"),
  MAP ("Acos", "Inverse cosine", "Acos (a)"),
  MAP ("Asin", "Inverse sine", "Asin (a)"),
  MAP ("Atan", "Inverse tangent", "Atan (a)"),
  MAP ("Ceiling", "Rounded up", "Ceil (a)"),
  MAP ("Cos", "Cosine", "Cos (a)"),
  MAP ("Cosh", "Hyperbolic cosine", "Cosh (a)"),
  MAP ("Erf", "Error function", "Erf (a)"),
  MAP ("Exp", "Exponential function", "Exp (a)"),
  MAP ("Floor", "Rounded down", "Floor (a)"),
  MAP ("Log", "Natural logarithm", "Log (a)"),
  MAP ("Negative", "With the other sign", "Neg (a)"),
  MAP ("Round", "Rounded", "Round (a)"),
  MAP ("Sign", "Sign", "Sign (a)"),
  MAP ("Sin", "Sine", "Sin (a)"),
  MAP ("Sinh", "Hyperbolic sine", "Sinh (a)"),
  MAP ("Sqrt", "Square root", "Sqrt (a)"),
  MAP ("Tan", "Tangent", "Tan (a)"),
  { OPENVINO ("ReLU", "Relu", "Rectifier", ACTIVATION), .slots = sym_op_foreign_one,
    .infer = sym_op_infer_elementwise, .formula = "Relu (a)" },
  ACTIVATION ("Sigmoid", "Logistic function", "Sigmoid (a)"),
  ACTIVATION ("Tanh", "Hyperbolic tangent", "Tanh (a)"),
  ACTIVATION ("HSwish", "Hard swish", "HardSwish (a)"),
  ACTIVATION ("HSigmoid", "Hard sigmoid", "Div (Min (Max (Add (a, 3), 0), 6), 6)"),
  ACTIVATION ("Mish", "Mish", "Mish (a)"),
  ACTIVATION ("SoftPlus", "Soft rectifier", "Softplus (a)"),
  ACTIVATION ("SoftSign", "Soft sign", "Softsign (a)"),
  OPENVINO_MAP_BY ("Elu",
                   "Exponential linear unit",
                   ACTIVATION,
                   alpha_attributes,
                   "Where (Less (a, 0), Mul ($alpha, Sub (Exp (Min (a, 0)), 1)), a)"),
  OPENVINO_MAP_BY ("Clamp",
                   "Cut off at two bounds",
                   ELEMENTWISE,
                   clamp_attributes,
                   "Min (Max (a, $min), $max)"),
  { OPENVINO ("HardSigmoid", NULL, "Hard sigmoid", ACTIVATION), .slots = two_numbers,
    .infer = sym_op_infer_lowered, .formula = "Min (Max (Add (Mul (a, b), c), 0), 1)" },
  { OPENVINO ("Selu", NULL, "Scaled exponential linear unit", ACTIVATION), .slots = two_numbers,
    .infer = sym_op_infer_lowered,
    .formula = "Mul (c, Where (Less (a, 0), Mul (b, Sub (Exp (Min (a, 0)), 1)), a))" },
  { OPENVINO ("Select", NULL, "One or the other by a condition", ELEMENTWISE),
    .slots = select_slots, .infer = sym_op_infer_lowered, .lower = sym_op_foreign_lower_where },
  OPENVINO_LOWERED ("Convert",
                    "ConvertLike",
                    "Another dtype",
                    SHAPE,
                    like_slots,
                    convert_attributes,
                    lower_convert),
  OPENVINO_LOWERED ("PReLU",
                    "PRelu",
                    "Rectifier with slopes below zero",
                    ACTIVATION,
                    slope_slots,
                    NULL,
                    lower_prelu),
  OPENVINO_LOWERED ("Gelu",
                    NULL,
                    "Gaussian error linear unit",
                    ACTIVATION,
                    sym_op_foreign_one,
                    gelu_attributes,
                    lower_gelu),
  OPENVINO_LOWERED ("Swish",
                    NULL,
                    "Sigmoid linear unit",
                    ACTIVATION,
                    beta_slots,
                    NULL,
                    lower_swish),
  OPENVINO_LOWERED ("FakeQuantize",
                    NULL,
                    "Numbers in steps between bounds",
                    ELEMENTWISE,
                    quantize_slots,
                    levels_attributes,
                    lower_fake_quantize),
  { NULL },
};
