/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

const SymSlotSpec sym_op_keras_ops_one[] = { { "x" }, { NULL } };
const SymSlotSpec sym_op_keras_ops_two[] = { { "x1" }, { "x2" }, { NULL } };

gboolean
sym_op_keras_ops_is_tf (SymOpLower *self)
{
  return g_str_has_suffix (sym_op_lower_get_type (self), "Lambda");
}

const char *
sym_op_keras_ops_get_name (SymOpLower *self)
{
  return sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
}

/* ---- Types ---- */

/* An operand that takes part in arithmetic; rank 0 counts less. */
typedef struct {
  SymDType dtype;
  int rank;
} Part;

static int
get_class (SymDType dtype)
{
  return sym_dtype_is_floating (dtype) ? 3 : sym_dtype_is_integer (dtype) ? 2 : 1;
}

static gboolean
is_unsigned (SymDType dtype)
{
  return dtype == SYM_DTYPE_UINT8 || dtype == SYM_DTYPE_UINT16 || dtype == SYM_DTYPE_UINT32 ||
         dtype == SYM_DTYPE_UINT64;
}

static SymDType
widen (SymDType dtype)
{
  guint bits = sym_dtype_get_bits (dtype);

  return bits <= 8 ? SYM_DTYPE_INT16 : bits <= 16 ? SYM_DTYPE_INT32 : SYM_DTYPE_INT64;
}

static SymDType
promote_two (SymDType a, SymDType b)
{
  SymDType more = sym_dtype_get_bits (a) >= sym_dtype_get_bits (b) ? a : b;

  if (a == b || get_class (a) != get_class (b))
    return get_class (a) >= get_class (b) ? a : b;
  if (get_class (a) == 3 && sym_dtype_get_bits (a) == sym_dtype_get_bits (b))
    return SYM_DTYPE_FLOAT32;
  return get_class (a) == 2 && is_unsigned (a) != is_unsigned (b) && is_unsigned (more)
             ? widen (more)
             : more;
}

/* A number takes the dtype of a tensor of its kind; beyond that it is float32 or int32. */
static SymDType
promote_number (SymDType dtype, SymDType number)
{
  if (get_class (dtype) >= get_class (number))
    return dtype;
  return get_class (number) == 3 ? SYM_DTYPE_FLOAT32 : SYM_DTYPE_INT32;
}

static SymDType
promote (const Part *parts, guint n)
{
  SymDType result = SYM_DTYPE_UNKNOWN;
  gboolean has_tensor = FALSE;

  for (guint i = 0; i < n; i++)
    {
      if (parts[i].dtype == SYM_DTYPE_UNKNOWN || parts[i].dtype == SYM_DTYPE_STRING)
        return parts[i].dtype;
      has_tensor = has_tensor || parts[i].rank != 0;
    }
  for (guint i = 0; i < n; i++)
    if (!has_tensor || parts[i].rank != 0)
      result = result == SYM_DTYPE_UNKNOWN ? parts[i].dtype : promote_two (result, parts[i].dtype);
  for (guint i = 0; has_tensor && i < n; i++)
    if (parts[i].rank == 0)
      result = promote_number (result, parts[i].dtype);
  return result;
}

SymDType
sym_op_keras_ops_promote (SymOpLower *self, guint first, guint last)
{
  guint n = last - first + 1;
  g_autofree Part *parts = g_new (Part, n);

  for (guint i = 0; i < n; i++)
    {
      parts[i].dtype = sym_op_lower_get_input_dtype (self, first + i);
      parts[i].rank = sym_op_lower_get_input_shape (self, first + i)->rank;
    }
  return promote (parts, n);
}

SymDType
sym_op_keras_ops_promote_rule (SymRule *rule, guint first, guint last)
{
  guint n = last - first + 1;
  g_autofree Part *parts = g_new (Part, n);

  for (guint i = 0; i < n; i++)
    {
      parts[i].dtype = sym_rule_get_input_dtype (rule, first + i);
      parts[i].rank = sym_rule_get_input (rule, first + i).rank;
    }
  return promote (parts, n);
}

SymDType
sym_op_keras_ops_to_float (SymDType dtype)
{
  return sym_dtype_is_floating (dtype) || dtype == SYM_DTYPE_UNKNOWN ? dtype : SYM_DTYPE_FLOAT32;
}

SymId
sym_op_keras_ops_input (SymOpLower *self, guint i, SymDType dtype)
{
  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i), dtype);
}

gboolean
sym_op_keras_ops_get_axes (SymOpLower *self,
                           const char *name,
                           const char *other,
                           int rank,
                           gint64 axes[SYM_MAX_RANK],
                           int *n)
{
  *n = sym_op_foreign_list (self, sym_op_foreign_choose (self, name, other, NULL), axes);
  for (int i = 0; i < *n; i++)
    {
      int axis;

      if (!sym_op_lower_find_axis (self, axes[i], rank, &axis))
        return FALSE;
      axes[i] = axis;
    }
  return !sym_op_lower_has_failed (self);
}

/* ---- Rules ---- */

gboolean
sym_op_keras_ops_infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

gboolean
sym_op_keras_ops_infer_float (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (
             rule, 0, sym_op_keras_ops_to_float (sym_rule_get_input_dtype (rule, 0)), error);
}

gboolean
sym_op_keras_ops_infer_test (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

gboolean
sym_op_keras_ops_infer_two (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_keras_ops_promote_rule (rule, 0, 1), error);
}

gboolean
sym_op_keras_ops_infer_two_float (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (
             rule, 0, sym_op_keras_ops_to_float (sym_op_keras_ops_promote_rule (rule, 0, 1)),
             error);
}

gboolean
sym_op_keras_ops_infer_compare (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* ---- Lowering ---- */

static void
lower_compare (SymOpLower *self)
{
  static const char *const names[][2] = {
    { "Equal", "Equal" },     { "NotEqual", "Equal" },
    { "Greater", "Greater" }, { "GreaterEqual", "GreaterOrEqual" },
    { "Less", "Less" },       { "LessEqual", "LessOrEqual" },
  };
  SymDType dtype = sym_op_keras_ops_promote (self, 0, 1);
  const char *name = sym_op_keras_ops_get_name (self);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], name) == 0)
      {
        SymId y = sym_op_lower_binary (self, names[i][1], sym_op_keras_ops_input (self, 0, dtype),
                                       sym_op_keras_ops_input (self, 1, dtype));

        sym_op_lower_set_output (self, 0, *name == 'N' ? sym_op_lower_unary (self, "Not", y) : y);
      }
}

static void
lower_logical (SymOpLower *self)
{
  const char *name = sym_op_keras_ops_get_name (self) + strlen ("Logical");
  SymId x = sym_op_keras_ops_input (self, 0, SYM_DTYPE_BOOL);

  sym_op_lower_set_output (
      self, 0,
      strcmp (name, "Not") == 0
          ? sym_op_lower_unary (self, name, x)
          : sym_op_lower_binary (self, name, x, sym_op_keras_ops_input (self, 1, SYM_DTYPE_BOOL)));
}

/* Tests of floats; integers are finite. */
static void
lower_test (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (self, 0));
  SymId x = sym_op_keras_ops_input (self, 0, dtype), y;
  const char *name = sym_op_keras_ops_get_name (self);

  if (strcmp (name, "Isfinite") == 0)
    y = sym_op_lower_unary (self, "Not",
                            sym_op_lower_binary (self, "Or", sym_op_lower_unary (self, "IsNaN", x),
                                                 sym_op_lower_unary (self, "IsInf", x)));
  else
    y = sym_op_lower_unary (self, strcmp (name, "Isnan") == 0 ? "IsNaN" : "IsInf", x);
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_like (SymOpLower *self)
{
  SymId number = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                      *sym_op_keras_ops_get_name (self) == 'O' ? 1 : 0);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Expand", number,
                             sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0))));
}

static void
lower_gelu (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (self, 0));
  gboolean is_tanh = sym_op_lower_get_bool (self, "approximate", !sym_op_keras_ops_is_tf (self));

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_keras_ops_input (self, 0, dtype)),
                         "approximate", sym_value_new_string (is_tanh ? "tanh" : "none"), NULL));
}

static void
lower_softmax (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (self, 0));
  int rank = sym_op_foreign_rank (self, 0);

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_with (self, sym_op_keras_ops_get_name (self),
                                                sym_op_keras_ops_input (self, 0, dtype), "axis",
                                                sym_op_foreign_axis (self, "axis", -1, rank)));
}

static void
lower_leaky (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (self, 0));
  const char *slope = sym_op_foreign_choose (self, "negative_slope", "alpha", NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LeakyRelu", SYM_IDS (sym_op_keras_ops_input (self, 0, dtype)),
                         "alpha", sym_value_new_float (sym_op_lower_get_float (self, slope, 0.2)),
                         NULL));
}

/* The first half of an axis times what the sigmoid makes of the other. */
static void
lower_glu (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (self, 0));
  int rank = sym_op_foreign_rank (self, 0);
  SymId halves =
      sym_op_lower_call (self, "Split", SYM_IDS (sym_op_keras_ops_input (self, 0, dtype)), "axis",
                         sym_value_new_int (sym_op_foreign_axis (self, "axis", -1, rank)),
                         "num_outputs", sym_value_new_int (2), NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (
          self, "Mul", halves,
          sym_op_lower_unary (self, "Sigmoid", sym_op_lower_get_result (self, halves, 1))));
}

/* ---- Tables ---- */

static const SymAttributeSpec alpha[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "what values below 0 go to" },
  { NULL },
};

static const SymAttributeSpec slope[] = {
  { "negative_slope", SYM_ATTRIBUTE_FLOAT, "0.2", "factor of values below 0" },
  { NULL },
};

static const SymAttributeSpec axis[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "the axis whose elements go together" },
  { NULL },
};

static const SymAttributeSpec approximate[] = {
  { "approximate", SYM_ATTRIBUTE_BOOL, "True", "whether tanh stands for the error function" },
  { NULL },
};

#define FLOAT(name_, aliases_, summary_, formula_)                                                 \
  {                                                                                                \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE),                                               \
        .aliases = aliases_, .slots = sym_op_keras_ops_one, .infer = sym_op_keras_ops_infer_float, \
        .formula = formula_,                                                                       \
  }
#define SAME(name_, aliases_, summary_, formula_)                                                 \
  {                                                                                               \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE),                                              \
        .aliases = aliases_, .slots = sym_op_keras_ops_one, .infer = sym_op_keras_ops_infer_same, \
        .formula = formula_,                                                                      \
  }
#define TWO(name_, aliases_, summary_, infer_, formula_)               \
  {                                                                    \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE),                   \
        .aliases = aliases_, .slots = sym_op_keras_ops_two,            \
        .infer = sym_op_keras_ops_infer_##infer_, .formula = formula_, \
  }
#define LOWERED(name_, summary_, slots_, attributes_, infer_, lower_)  \
  {                                                                    \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE),                   \
        .slots = sym_op_keras_ops_##slots_, .attributes = attributes_, \
        .infer = sym_op_keras_ops_infer_##infer_, .lower = lower_,     \
  }

const SymOperator sym_op_keras_ops[] = {
  SAME ("Absolute", "Abs", "The value without its sign", "Abs (a)"),
  TWO ("Add", NULL, "The sum of two", two, "Add (A, B)"),
  FLOAT ("Arccos", NULL, "Arc cosine", "Acos (A)"),
  FLOAT ("Arccosh", NULL, "Area hyperbolic cosine", "Acosh (A)"),
  FLOAT ("Arcsin", NULL, "Arc sine", "Asin (A)"),
  FLOAT ("Arcsinh", NULL, "Area hyperbolic sine", "Asinh (A)"),
  FLOAT ("Arctan", NULL, "Arc tangent", "Atan (A)"),
  FLOAT ("Arctanh", NULL, "Area hyperbolic tangent", "Atanh (A)"),
  FLOAT ("Ceil", NULL, "The next integer up", "Ceil (A)"),
  { SYM_OP_KERAS_OPS ("Celu", "Continuous exponential unit", ACTIVATION),
    .slots = sym_op_keras_ops_one, .attributes = alpha, .infer = sym_op_keras_ops_infer_float,
    .formula = "Add (Max (A, 0), Min (0, Mul ($alpha, Sub (Exp (Div (A, $alpha)), 1))))" },
  SAME ("Copy", "StopGradient Conj Conjugate Real", "The data as it is", "Identity (a)"),
  FLOAT ("Cos", NULL, "Cosine", "Cos (A)"),
  FLOAT ("Cosh", NULL, "Hyperbolic cosine", "Cosh (A)"),
  TWO ("Divide", "TrueDivide", "The quotient of two", two_float, "Div (A, B)"),
  TWO ("DivideNoNan",
       NULL,
       "The quotient of two, 0 by 0",
       two_float,
       "Where (Equal (B, 0), Mul (B, 0), Div (A, B))"),
  { SYM_OP_KERAS_OPS ("Elu", "Exponential linear unit", ACTIVATION), .slots = sym_op_keras_ops_one,
    .attributes = alpha, .infer = sym_op_keras_ops_infer_float,
    .formula = "Where (Less (A, 0), Mul ($alpha, Sub (Exp (A), 1)), A)" },
  LOWERED ("Equal", "Whether two are equal", two, NULL, compare, lower_compare),
  FLOAT ("Erf", NULL, "Error function", "Erf (A)"),
  FLOAT ("Exp", NULL, "e to the power x", "Exp (A)"),
  FLOAT ("Expm1", NULL, "e to the power x, less 1", "Mul (Tanh (Mul (A, 0.5)), Add (Exp (A), 1))"),
  FLOAT ("Floor", NULL, "The next integer down", "Floor (A)"),
  TWO ("FloorDivide", NULL, "The quotient rounded down", two, "FloorDivide (A, B)"),
  LOWERED ("Gelu", "Gaussian error linear unit", one, approximate, float, lower_gelu),
  { SYM_OP_KERAS_OPS ("Glu", "One half gated by the other", ELEMENTWISE),
    .slots = sym_op_keras_ops_one, .attributes = axis, .infer = sym_op_infer_lowered,
    .lower = lower_glu },
  LOWERED ("Greater", "Whether one is greater", two, NULL, compare, lower_compare),
  LOWERED ("GreaterEqual", "Whether one is not less", two, NULL, compare, lower_compare),
  FLOAT ("HardSigmoid", NULL, "A sigmoid of straight lines", "Clip (Add (Div (A, 6), 0.5), 0, 1)"),
  FLOAT ("HardSilu",
         "HardSwish",
         "x times a sigmoid of straight lines",
         "Mul (A, Clip (Add (Div (A, 6), 0.5), 0, 1))"),
  FLOAT ("HardTanh", NULL, "Cut off at -1 and 1", "Clip (A, -1, 1)"),
  LOWERED ("Isfinite", "Whether a number is finite", one, NULL, test, lower_test),
  LOWERED ("Isinf", "Whether a number is infinite", one, NULL, test, lower_test),
  LOWERED ("Isnan", "Whether it is not a number", one, NULL, test, lower_test),
  LOWERED ("LeakyRelu", "Negative values made small", one, slope, float, lower_leaky),
  LOWERED ("Less", "Whether one is less", two, NULL, compare, lower_compare),
  LOWERED ("LessEqual", "Whether one is not greater", two, NULL, compare, lower_compare),
  FLOAT ("Log", NULL, "Natural logarithm", "Log (A)"),
  FLOAT ("Log10", NULL, "Logarithm to base 10", "Div (Log (A), 2.302585092994046)"),
  FLOAT ("Log1p",
         NULL,
         "log (1 + x)",
         "Where (Equal (Add (A, 1), 1), A, Where (IsInf (A), Log (A), "
         "Div (Mul (Log (Add (A, 1)), A), Sub (Add (A, 1), 1))))"),
  FLOAT ("Log2", NULL, "Logarithm to base 2", "Div (Log (A), 0.6931471805599453)"),
  FLOAT ("LogSigmoid", NULL, "log of the sigmoid", "Neg (Softplus (Neg (A)))"),
  LOWERED ("LogSoftmax", "Logarithms of shares", one, axis, float, lower_softmax),
  LOWERED ("LogicalAnd", "Whether both hold", two, NULL, compare, lower_logical),
  LOWERED ("LogicalNot", "Whether it does not hold", one, NULL, test, lower_logical),
  LOWERED ("LogicalOr", "Whether one holds", two, NULL, compare, lower_logical),
  LOWERED ("LogicalXor", "Whether just one holds", two, NULL, compare, lower_logical),
  TWO ("Maximum", NULL, "The larger of two", two, "Max (A, B)"),
  TWO ("Minimum", NULL, "The smaller of two", two, "Min (A, B)"),
  TWO ("Mod", NULL, "What a division leaves", two, "Remainder (A, B)"),
  TWO ("Multiply", NULL, "The product of two", two, "Mul (A, B)"),
  SAME ("Negative", NULL, "-x", "Neg (a)"),
  LOWERED ("NotEqual", "Whether two differ", two, NULL, compare, lower_compare),
  LOWERED ("OnesLike", "Ones in the shape of the data", one, NULL, same, lower_like),
  TWO ("Power", NULL, "One to the power of the other", two, "Pow (A, B)"),
  FLOAT ("Reciprocal", NULL, "1 / x", "Reciprocal (A)"),
  SAME ("Relu", NULL, "What is below 0 becomes 0", "Max (a, 0)"),
  SAME ("Relu6", NULL, "Cut off at 0 and 6", "Min (Max (a, 0), 6)"),
  SAME ("Round", NULL, "The nearest integer, the even one of two", "Round (a)"),
  FLOAT ("Rsqrt", NULL, "1 / sqrt (x)", "Reciprocal (Sqrt (A))"),
  FLOAT ("Selu", NULL, "Scaled exponential linear unit", "Selu (A)"),
  FLOAT ("Sigmoid", NULL, "1 / (1 + e^-x)", "Sigmoid (A)"),
  SAME ("Sign", NULL, "-1, 0 or 1", "Sign (a)"),
  FLOAT ("Silu", "Swish", "x times its sigmoid", "Mul (A, Sigmoid (A))"),
  FLOAT ("Sin", NULL, "Sine", "Sin (A)"),
  FLOAT ("Sinh", NULL, "Hyperbolic sine", "Sinh (A)"),
  LOWERED ("Softmax", "Shares of 1", one, axis, float, lower_softmax),
  FLOAT ("Softplus", NULL, "log (1 + e^x)", "Softplus (A)"),
  FLOAT ("Softsign", NULL, "x / (1 + |x|)", "Div (A, Add (1, Abs (A)))"),
  FLOAT ("Sqrt", NULL, "Square root", "Sqrt (A)"),
  SAME ("Square", NULL, "x times x", "Mul (a, a)"),
  TWO ("SquaredDifference", NULL, "The difference, squared", two, "Mul (Sub (A, B), Sub (A, B))"),
  TWO ("Subtract", NULL, "One without the other", two, "Sub (A, B)"),
  FLOAT ("Tan", NULL, "Tangent", "Tan (A)"),
  FLOAT ("Tanh", NULL, "Hyperbolic tangent", "Tanh (A)"),
  FLOAT ("TanhShrink", NULL, "x - tanh (x)", "Sub (A, Tanh (A))"),
  LOWERED ("ZerosLike", "Zeros in the shape of the data", one, NULL, same, lower_like),
  { NULL },
};
