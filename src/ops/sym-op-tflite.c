/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

#include <string.h>

guint
sym_op_tflite_get_enum (SymOpLower *self, const char *name, const char *const *members)
{
  const char *text = sym_op_lower_get_string (self, name, NULL);
  gint64 number = sym_op_lower_get_int (self, name, 0);
  guint n = 0;

  for (; members[n] != NULL; n++)
    if (text != NULL && strcmp (members[n], text) == 0)
      return n;
  if (text != NULL || number < 0 || number >= n)
    sym_op_lower_refuse (self, "%s: nothing is known of %s “%s”", sym_op_lower_get_type (self),
                         name, text == NULL ? "" : text);
  return text == NULL && number >= 0 && number < n ? (guint) number : 0;
}

SymId
sym_op_tflite_activate (SymOpLower *self, SymId x)
{
  static const char *const members[] = { "NONE",     "RELU", "RELU_N1_TO_1", "RELU6", "TANH",
                                         "SIGN_BIT", NULL };
  guint i = sym_op_tflite_get_enum (self, "fused_activation_function", members);

  return sym_op_foreign_activate (self, members[i], 0, x);
}

void
sym_op_tflite_set (SymOpLower *self, SymId x)
{
  sym_op_lower_set_output (self, 0, sym_op_tflite_activate (self, x));
}

SymId
sym_op_tflite_ints (SymOpLower *self, guint i)
{
  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i), SYM_DTYPE_INT64);
}

/* ---- Elements ---- */

static void
lower_pair (SymOpLower *self)
{
  static const char *const names[][2] = {
    { "ADD", "Add" },
    { "SUB", "Sub" },
    { "MUL", "Mul" },
    { "DIV", "Div" },
  };

  if (sym_op_tflite_quantized (self))
    return;
  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], sym_op_lower_get_type (self)) == 0)
      sym_op_tflite_set (self, sym_op_lower_binary (self, names[i][1], sym_op_lower_input (self, 0),
                                                    sym_op_lower_input (self, 1)));
}

static void
lower_map (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));

  if (sym_op_tflite_quantized (self))
    return;
  sym_op_lower_set_output (self, 0, sym_op_lower_formula (self, op->formula));
}

/* Numbers of TensorType. */
static void
lower_cast (SymOpLower *self)
{
  static const char *const members[] = { "FLOAT32", "FLOAT16",    "INT32",  "UINT8",     "INT64",
                                         "STRING",  "BOOL",       "INT16",  "COMPLEX64", "INT8",
                                         "FLOAT64", "COMPLEX128", "UINT64", "RESOURCE",  "VARIANT",
                                         "UINT32",  "UINT16",     NULL };
  g_autofree char *name =
      g_ascii_strdown (members[sym_op_tflite_get_enum (self, "out_data_type", members)], -1);
  SymDType dtype;

  if (!sym_dtype_from_string (name, &dtype) || dtype == SYM_DTYPE_STRING)
    {
      sym_op_lower_refuse (self, "%s: to %s is not lowered", sym_op_lower_get_type (self), name);
      return;
    }
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, sym_op_lower_input (self, 0), dtype));
}

/* What scales say is done around it; files of float16 have weights that are read so, too. */
static void
lower_scaled (SymOpLower *self)
{
  if (!sym_op_tflite_quantized (self))
    sym_op_lower_set_output (
        self, 0, sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32));
}

static void
lower_leaky (SymOpLower *self)
{
  if (sym_op_tflite_quantized (self))
    return;
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_activate (self, "leaky_relu",
                                                    sym_op_lower_get_float (self, "alpha", 0),
                                                    sym_op_lower_input (self, 0)));
}

static void
lower_gelu (SymOpLower *self)
{
  gboolean is_near = sym_op_lower_get_bool (self, "approximate", FALSE);

  if (sym_op_tflite_quantized (self))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)), "approximate",
                         sym_value_new_string (is_near ? "tanh" : "none"), NULL));
}

static void
lower_add_all (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);

  if (sym_op_tflite_quantized (self))
    return;
  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_lower_input (self, i);
  sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Sum", (SymIds){ operands, n }, NULL));
}

/* A condition of one axis chooses whole rows. */
static void
lower_select (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 1), own = sym_op_foreign_rank (self, 0);
  SymId condition = sym_op_lower_input (self, 0);
  gint64 sizes[SYM_MAX_RANK];

  if (sym_op_tflite_quantized (self))
    return;
  for (int i = 0; i < rank; i++)
    sizes[i] = i == 0 ? -1 : 1;
  if (own == 1 && rank > 1 && g_str_equal (sym_op_lower_get_type (self), "SELECT"))
    condition = sym_op_foreign_reshape (self, condition, sizes, rank, FALSE);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Where",
                                              SYM_IDS (condition, sym_op_lower_input (self, 1),
                                                       sym_op_lower_input (self, 2)),
                                              NULL));
}

/* ---- Tables ---- */

static const SymSlotSpec select_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };
static const SymSlotSpec prelu_slots[] = { { "input" }, { "alpha", SYM_SLOT_PARAMETER }, { NULL } };

static const SymAttributeSpec fused_attributes[] = {
  { "fused_activation_function", SYM_ATTRIBUTE_ANY, "'NONE'", "a function of the result" },
  { NULL },
};

static const SymAttributeSpec cast_attributes[] = {
  { "out_data_type", SYM_ATTRIBUTE_ANY, "'FLOAT32'", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec alpha_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0", "slope below zero" },
  { NULL },
};

static const SymAttributeSpec gelu_attributes[] = {
  { "approximate", SYM_ATTRIBUTE_BOOL, "False", "whether by tanh" },
  { NULL },
};

#define FUSED(name_, summary_)                                                              \
  TFLITE_LOWERED (name_, NULL, summary_, ELEMENTWISE, sym_op_foreign_two, fused_attributes, \
                  lower_pair)
#define FORMULA(name_, aliases_, summary_, category_, slots_, formula_)                            \
  {                                                                                                \
    TFLITE (name_, aliases_, summary_, category_), .slots = slots_, .infer = sym_op_infer_lowered, \
                                                   .lower = lower_map, .formula = formula_         \
  }
#define PAIR(name_, summary_, formula_) \
  FORMULA (name_, NULL, summary_, ELEMENTWISE, sym_op_foreign_two, formula_)
#define MAP(name_, summary_, formula_) \
  FORMULA (name_, NULL, summary_, ELEMENTWISE, sym_op_foreign_one, formula_)
#define ACTIVATION(name_, summary_, formula_) \
  FORMULA (name_, NULL, summary_, ACTIVATION, sym_op_foreign_one, formula_)

const SymOperator sym_op_tflite[] = {
  FUSED ("ADD", "Sum"),
  FUSED ("SUB", "Difference"),
  FUSED ("MUL", "Product of elements"),
  FUSED ("DIV", "Quotient"),
  PAIR ("POW", "Power", "Pow (a, b)"),
  PAIR ("MAXIMUM", "The greater one", "Max (a, b)"),
  PAIR ("MINIMUM", "The lesser one", "Min (a, b)"),
  PAIR ("SQUARED_DIFFERENCE", "Square of the difference", "Mul (Sub (a, b), Sub (a, b))"),
  PAIR ("FLOOR_DIV", "Quotient rounded down", "FloorDivide (a, b)"),
  PAIR ("FLOOR_MOD", "Remainder, of the divisor's sign", "Remainder (a, b)"),
  PAIR ("EQUAL", "Whether they are equal", "Equal (a, b)"),
  PAIR ("NOT_EQUAL", "Whether they differ", "Not (Equal (a, b))"),
  PAIR ("GREATER", "Whether the first is greater", "Greater (a, b)"),
  PAIR ("GREATER_EQUAL", "Whether the first is not less", "GreaterOrEqual (a, b)"),
  PAIR ("LESS", "Whether the first is less", "Less (a, b)"),
  PAIR ("LESS_EQUAL", "Whether the first is not greater", "LessOrEqual (a, b)"),
  PAIR ("LOGICAL_AND", "Both", "And (a, b)"),
  PAIR ("LOGICAL_OR", "One or both", "Or (a, b)"),
  MAP ("LOGICAL_NOT", "The contrary", "Not (a)"),
  MAP ("ABS", "Absolute value", "Abs (a)"),
  MAP ("CEIL", "Rounded up", "Ceil (a)"),
  MAP ("COS", "Cosine", "Cos (a)"),
  MAP ("EXP", "Exponential function", "Exp (a)"),
  MAP ("FLOOR", "Rounded down", "Floor (a)"),
  MAP ("LOG", "Natural logarithm", "Log (a)"),
  MAP ("NEG", "With the other sign", "Neg (a)"),
  MAP ("ROUND", "Rounded", "Round (a)"),
  MAP ("RSQRT", "Reciprocal of the square root", "Reciprocal (Sqrt (a))"),
  MAP ("SIGN", "Sign", "Sign (a)"),
  MAP ("SIN", "Sine", "Sin (a)"),
  MAP ("SQRT", "Square root", "Sqrt (a)"),
  MAP ("SQUARE", "Square", "Mul (a, a)"),
  MAP ("ZEROS_LIKE", "0 everywhere", "Sub (a, a)"),
  ACTIVATION ("RELU", "Rectifier", "Relu (a)"),
  ACTIVATION ("RELU6", "Rectifier with a bound", "Min (Relu (a), 6)"),
  ACTIVATION ("RELU_N1_TO_1", "Cut off at -1 and 1", "Min (Max (a, -1), 1)"),
  ACTIVATION ("RELU_0_TO_1", "Cut off at 0 and 1", "Min (Max (a, 0), 1)"),
  ACTIVATION ("LOGISTIC", "Logistic function", "Sigmoid (a)"),
  ACTIVATION ("TANH", "Hyperbolic tangent", "Tanh (a)"),
  ACTIVATION ("ELU", "Exponential linear unit", "Elu (a)"),
  ACTIVATION ("HARD_SWISH", "Hard swish", "HardSwish (a)"),
  TFLITE_LOWERED ("LEAKY_RELU",
                  NULL,
                  "Rectifier that leaks below zero",
                  ACTIVATION,
                  sym_op_foreign_one,
                  alpha_attributes,
                  lower_leaky),
  TFLITE_LOWERED ("GELU",
                  NULL,
                  "Gaussian error linear unit",
                  ACTIVATION,
                  sym_op_foreign_one,
                  gelu_attributes,
                  lower_gelu),
  FORMULA ("PRELU",
           NULL,
           "Rectifier with trained slopes below zero",
           ACTIVATION,
           prelu_slots,
           "Where (Less (a, 0), Mul (a, b), a)"),
  TFLITE_LOWERED ("SELECT",
                  "SELECT_V2",
                  "One or the other by a condition",
                  ELEMENTWISE,
                  select_slots,
                  NULL,
                  lower_select),
  { TFLITE ("ADD_N", NULL, "Sum of any number of tensors", MERGE), .slots = sym_op_foreign_many,
    .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_add_all },
  TFLITE_LOWERED ("CAST",
                  NULL,
                  "Another dtype",
                  SHAPE,
                  sym_op_foreign_one,
                  cast_attributes,
                  lower_cast),
  TFLITE_LOWERED ("DEQUANTIZE",
                  "QUANTIZE",
                  "Numbers for integers, or the contrary",
                  SHAPE,
                  sym_op_foreign_one,
                  NULL,
                  lower_scaled),
  { NULL },
};
