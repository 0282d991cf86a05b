/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Functions of two numbers, which broadcast as numpy does it. */

/* ---- Small values ---- */

typedef gboolean (*Fold) (gint64 a, gint64 b, gint64 *result);

static gboolean
fold_add (gint64 a, gint64 b, gint64 *result)
{
  return !__builtin_add_overflow (a, b, result);
}

static gboolean
fold_subtract (gint64 a, gint64 b, gint64 *result)
{
  return !__builtin_sub_overflow (a, b, result);
}

static gboolean
fold_multiply (gint64 a, gint64 b, gint64 *result)
{
  return !__builtin_mul_overflow (a, b, result);
}

static gboolean
fold_floor_divide (gint64 a, gint64 b, gint64 *result)
{
  if (b == 0 || (a == G_MININT64 && b == -1))
    return FALSE;
  *result = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  return TRUE;
}

static gboolean
fold_divide (gint64 a, gint64 b, gint64 *result)
{
  if (b == 0 || (a == G_MININT64 && b == -1))
    return FALSE;
  *result = a / b;
  return TRUE;
}

static gboolean
fold_floor_modulo (gint64 a, gint64 b, gint64 *result)
{
  if (b == 0 || b == -1)
    return FALSE;
  *result = a % b;
  if (*result != 0 && (*result < 0) != (b < 0))
    *result += b;
  return TRUE;
}

static gboolean
fold_larger (gint64 a, gint64 b, gint64 *result)
{
  *result = MAX (a, b);
  return TRUE;
}

static gboolean
fold_smaller (gint64 a, gint64 b, gint64 *result)
{
  *result = MIN (a, b);
  return TRUE;
}

static SymDim
divide_terms (SymTerms *terms, SymDim a, SymDim b)
{
  return b > 0 ? sym_terms_floor_divide (terms, a, b) : SYM_DIM_UNKNOWN;
}

static const struct {
  const char *name;
  Fold fold;
  SymDim (*combine) (SymTerms *terms, SymDim a, SymDim b); /* the same of sizes; NULL for none */
} folds[] = {
  { "Add", fold_add, sym_terms_add },
  { "AddV2", fold_add, sym_terms_add },
  { "Sub", fold_subtract, sym_terms_subtract },
  { "Mul", fold_multiply, sym_terms_multiply },
  { "FloorDiv", fold_floor_divide, divide_terms },
  { "Div", fold_divide, NULL },
  { "TruncateDiv", fold_divide, NULL },
  { "FloorMod", fold_floor_modulo, NULL },
  { "Maximum", fold_larger, NULL },
  { "Minimum", fold_smaller, NULL },
};

static gboolean
fold_ints (SymRule *rule, Fold fold)
{
  gint64 a[64], b[64];
  int n_a = sym_rule_get_input_ints (rule, 0, a, G_N_ELEMENTS (a));
  int n_b = sym_rule_get_input_ints (rule, 1, b, G_N_ELEMENTS (b));
  int n = n_a == 1 ? n_b : n_a;

  if (n_a < 0 || n_b < 0 || (n_a != n_b && n_a != 1 && n_b != 1))
    return FALSE;
  for (int i = n; i-- > 0;)
    if (!fold (a[n_a == 1 ? 0 : i], b[n_b == 1 ? 0 : i], &a[i]) || a[i] != (gint32) a[i])
      return TRUE;
  sym_rule_set_output_ints (rule, 0, a, n);
  return TRUE;
}

static void
fold_terms (SymRule *rule, SymDim (*combine) (SymTerms *terms, SymDim a, SymDim b))
{
  SymDim a[64], b[64];
  int n_a = sym_rule_get_input_values (rule, 0, a, G_N_ELEMENTS (a));
  int n_b = sym_rule_get_input_values (rule, 1, b, G_N_ELEMENTS (b));
  int n = n_a == 1 ? n_b : n_a;

  if (n_a < 0 || n_b < 0 || (n_a != n_b && n_a != 1 && n_b != 1))
    return;
  for (int i = n; i-- > 0;)
    a[i] = combine (sym_rule_get_terms (rule), a[n_a == 1 ? 0 : i], b[n_b == 1 ? 0 : i]);
  sym_rule_set_output_values (rule, 0, a, n);
}

static void
fold_values (SymRule *rule)
{
  for (guint i = 0; i < G_N_ELEMENTS (folds); i++)
    if (strcmp (folds[i].name, sym_rule_get_type (rule)) == 0 && !fold_ints (rule, folds[i].fold) &&
        folds[i].combine != NULL)
      fold_terms (rule, folds[i].combine);
}

/* ---- Rules ---- */

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  if (!sym_op_broadcast_shapes (rule, 0, 1, error) ||
      !sym_rule_set_output_dtype (rule, 0, sym_op_tf_promote (rule, 0, 1), error))
    return FALSE;
  if (sym_dtype_is_integer (sym_rule_get_output_dtype (rule, 0)))
    fold_values (rule);
  return TRUE;
}

static gboolean
infer_comparison (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

static gboolean
infer_bias (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), bias = sym_shape_new_unknown (1);
  gboolean is_first = sym_op_tf_is_channels_first (sym_rule_get_attributes (rule));

  if (shape.rank >= 2)
    bias.dims[0] = shape.dims[is_first ? 1 : shape.rank - 1];
  return sym_op_set_input (rule, 1, bias, error) && sym_op_pass (rule, 0, 0, error);
}

static gboolean
infer_sum (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  if (n == 0)
    return sym_rule_fail (error, "there is nothing to add");
  return sym_rule_tie_shapes (rule, 0, n - 1, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_tf_promote (rule, 0, n - 1), error);
}

/* Whether a condition of one axis chooses among the rows of the others, as the first Select has it.
 */
static gboolean
chooses_rows (const char *type, const SymShape *condition, const SymShape *data)
{
  return strcmp (type, "Select") == 0 && condition->rank == 1 && data->rank > 1;
}

static gboolean
infer_select (SymRule *rule, GError **error)
{
  SymShape condition = sym_rule_get_input (rule, 0), data = sym_rule_get_input (rule, 1);
  SymDType dtype = sym_op_tf_promote (rule, 1, 2);

  if (!sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (strcmp (sym_rule_get_type (rule), "Select") != 0)
    return sym_op_broadcast_shapes (rule, 0, 2, error);
  if (condition.rank < 0 || data.rank < 0)
    return sym_op_pass_shape (rule, 1, 0, error);
  return sym_op_broadcast_shapes (rule, 1, 2, error);
}

/* ---- In ONNX's layers ---- */

static void
lower_bias (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_tf_input (self, 0), bias = sym_op_tf_input (self, 1);
  SymShape along = { .rank = MAX (shape->rank, 0) };

  if (sym_op_tf_is_channels_first (sym_layer_get_attributes (sym_op_lower_get_layer (self))) &&
      shape->rank > 2)
    {
      for (int i = 0; i < along.rank; i++)
        along.dims[i] = i == 1 ? shape->dims[1] : 1;
      bias = sym_op_lower_reshape (self, bias, &along);
    }
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Add", x, bias));
}

static const struct {
  const char *name, *onnx;
} comparisons[] = {
  { "Equal", "Equal" },  { "Greater", "Greater" },       { "GreaterEqual", "GreaterOrEqual" },
  { "Less", "Less" },    { "LessEqual", "LessOrEqual" }, { "LogicalAnd", "And" },
  { "LogicalOr", "Or" }, { "LogicalXor", "Xor" },        { "NotEqual", "Equal" },
};

static void
lower_comparison (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self), *name = NULL;
  SymId a, b, x;

  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (strcmp (comparisons[i].name, type) == 0)
      name = comparisons[i].onnx;
  g_assert (name != NULL);
  sym_op_tf_pair_up (self, 0, 1, &a, &b);
  x = sym_op_lower_binary (self, name, a, b);
  if (strcmp (type, "NotEqual") == 0)
    x = sym_op_lower_unary (self, "Not", x);
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_sum (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  SymId x = sym_op_tf_input (self, 0);

  for (guint i = 1; i < n; i++)
    x = sym_op_lower_binary (self, "Add", x, sym_op_tf_input (self, i));
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_select (SymOpLower *self)
{
  const SymShape *given = sym_op_lower_get_input_shape (self, 0);
  const SymShape *data = sym_op_lower_get_input_shape (self, 1);
  SymId condition = sym_op_lower_input (self, 0);
  SymShape rows = { .rank = data->rank };

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (chooses_rows (sym_op_lower_get_type (self), given, data))
    {
      for (int i = 0; i < rows.rank; i++)
        rows.dims[i] = i == 0 ? given->dims[0] : 1;
      condition = sym_op_lower_reshape (self, condition, &rows);
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (condition, sym_op_tf_input (self, 1), sym_op_tf_input (self, 2)),
                         NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec bias_attributes[] = {
  { "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are",
    "NHWC NCHW NDHWC NCDHW" },
  { NULL },
};

static const SymSlotSpec bias_slots[] = { { "value" }, { "bias", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec select_slots[] = { { "condition" }, { "t" }, { "e" }, { NULL } };

/* The half turn that an arctangent leaves out, by the signs of both. */
#define ANGLE                                                 \
  "Where (Equal (B, 0), Mul (Sign (A), 1.5707963267948966), " \
  "Add (Atan (Div (A, B)), Where (Less (B, 0), "              \
  "Where (Less (A, 0), -3.141592653589793, 3.141592653589793), 0)))"

#define PAIR(name_, summary_, formula_)                                                  \
  {                                                                                      \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE,        \
                       .slots = sym_op_tf_pair, .infer = infer_pair, .formula = formula_ \
  }
#define COMPARISON(name_, summary_)                                               \
  {                                                                               \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE, \
                       .slots = sym_op_tf_pair, .infer = infer_comparison,        \
                       .lower = lower_comparison                                  \
  }

const SymOperator sym_op_tf_binary[] = {
  PAIR ("Add", "sum", "Add (A, B)"),
  { SYM_OP_TF ("AddN"), .aliases = "AccumulateNV2", .summary = "sum of any number of tensors",
    .category = SYM_CATEGORY_MERGE, .slots = sym_op_tf_many, .get_n_operands = sym_op_tf_any_number,
    .infer = infer_sum, .lower = lower_sum },
  PAIR ("AddV2", "sum", "Add (A, B)"),
  PAIR ("Atan2", "angle of a point", ANGLE),
  { SYM_OP_TF ("BiasAdd"), .aliases = "BiasAddV1", .summary = "a number added to each channel",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = bias_attributes, .slots = bias_slots,
    .infer = infer_bias, .lower = lower_bias },
  PAIR ("BitwiseAnd", "bits that both have", "BitwiseAnd (A, B)"),
  PAIR ("BitwiseOr", "bits that one of them has", "BitwiseOr (A, B)"),
  PAIR ("BitwiseXor", "bits that differ", "BitwiseXor (A, B)"),
  PAIR ("Div", "quotient", "Div (A, B)"),
  PAIR ("DivNoNan", "quotient, 0 where the divisor is", "Where (Equal (B, 0), 0, Div (A, B))"),
  COMPARISON ("Equal", "whether numbers are equal"),
  PAIR ("FloorDiv", "next integer below the quotient", "FloorDivide (A, B)"),
  PAIR ("FloorMod", "remainder with the divisor's sign", "Remainder (A, B)"),
  COMPARISON ("Greater", "whether the first is greater"),
  COMPARISON ("GreaterEqual", "whether the first is not less"),
  COMPARISON ("Less", "whether the first is less"),
  COMPARISON ("LessEqual", "whether the first is not greater"),
  COMPARISON ("LogicalAnd", "whether both are true"),
  COMPARISON ("LogicalOr", "whether one is true"),
  COMPARISON ("LogicalXor", "whether just one is true"),
  PAIR ("Maximum", "the larger number", "Max (A, B)"),
  PAIR ("Minimum", "the smaller number", "Min (A, B)"),
  PAIR ("Mod", "remainder with the sign of what is divided", "Mod (A, B, fmod=1)"),
  PAIR ("Mul", "product", "Mul (A, B)"),
  PAIR ("MulNoNan", "product, 0 where the second is", "Where (Equal (B, 0), 0, Mul (A, B))"),
  COMPARISON ("NotEqual", "whether numbers differ"),
  PAIR ("Pow", "power", "Pow (A, B)"),
  PAIR ("RealDiv", "quotient", "Div (A, B)"),
  { SYM_OP_TF ("Select"), .summary = "one of two by a condition, which may be of rows",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = select_slots, .infer = infer_select,
    .lower = lower_select },
  { SYM_OP_TF ("SelectV2"), .summary = "one of two by a condition",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = select_slots, .infer = infer_select,
    .lower = lower_select },
  PAIR ("SquaredDifference", "square of the difference", "Mul (Sub (A, B), Sub (A, B))"),
  PAIR ("Sub", "difference", "Sub (A, B)"),
  PAIR ("TruncateDiv", "quotient, cut off towards 0", "Div (A, B)"),
  PAIR ("TruncateMod", "remainder with the sign of what is divided", "Mod (A, B, fmod=1)"),
  PAIR ("Xdivy", "quotient, 0 where the first is", "Where (Equal (A, 0), 0, Div (A, B))"),
  PAIR ("Xlogy",
        "first by the logarithm of the second, 0 where the first is",
        "Where (Equal (A, 0), 0, Mul (A, Log (B)))"),
  { NULL },
};
