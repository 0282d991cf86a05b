/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onednn.h"

#include <string.h>

SymDType
sym_op_onednn_get_dtype (SymOpLower *self)
{
  return sym_op_lower_get_dtype (self, "output_dtype", sym_op_lower_get_input_dtype (self, 0));
}

void
sym_op_onednn_set (SymOpLower *self, SymId x)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_cast_from (self, x, sym_op_lower_get_input_dtype (self, 0),
                                                   sym_op_onednn_get_dtype (self)));
}

gboolean
sym_op_onednn_is_channels_last (SymOpLower *self)
{
  return !sym_op_lower_has_string (self, "data_format", "NCX");
}

/* Operand @i in the dtype of operand 0. */
static SymId
get_like_first (SymOpLower *self, guint i)
{
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i),
                                 sym_op_lower_get_input_dtype (self, 0));
}

/* ---- Elements ---- */

static void
lower_pair (SymOpLower *self, const char *name)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_onednn_set (self, sym_op_lower_binary (self, name, sym_op_lower_input (self, 0),
                                                  get_like_first (self, 1)));
}

static void
lower_binary (SymOpLower *self)
{
  static const char *const names[][2] = {
    { "Add", "Add" },    { "Subtract", "Sub" }, { "Multiply", "Mul" },
    { "Divide", "Div" }, { "Maximum", "Max" },  { "Minimum", "Min" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], sym_op_lower_get_type (self)) == 0)
      lower_pair (self, names[i][1]);
}

static void
lower_squared_difference (SymOpLower *self)
{
  SymId difference;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  difference =
      sym_op_lower_binary (self, "Sub", sym_op_lower_input (self, 0), get_like_first (self, 1));
  sym_op_onednn_set (self, sym_op_lower_binary (self, "Mul", difference, difference));
}

static void
lower_greater (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "GreaterOrEqual",
                                                  sym_op_lower_input (self, 0),
                                                  get_like_first (self, 1)));
}

/* The condition comes first, so the results are of operand 1. */
static void
lower_select (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 1);
  SymId y;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  y = sym_op_lower_call (
      self, "Where",
      SYM_IDS (sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                                       sym_op_lower_get_input_dtype (self, 0), SYM_DTYPE_BOOL),
               sym_op_lower_input (self, 1),
               sym_op_lower_cast_from (self, sym_op_lower_input (self, 2),
                                       sym_op_lower_get_input_dtype (self, 2), dtype)),
      NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast_from (self, y, dtype,
                              sym_op_lower_get_dtype (self, "output_dtype", dtype)));
}

/* What the operator's formula says. */
static void
lower_map (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));

  sym_op_onednn_set (self, sym_op_lower_formula (self, op->formula));
}

static void
lower_power (SymOpLower *self)
{
  SymId exponent;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  exponent = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                  sym_op_lower_get_float (self, "beta", 1));
  sym_op_onednn_set (self,
                     sym_op_lower_binary (self, "Pow", sym_op_lower_input (self, 0), exponent));
}

static void
lower_gelu (SymOpLower *self)
{
  gboolean is_near = sym_op_lower_has_string (self, "mode", "gelu_tanh");

  sym_op_onednn_set (
      self, sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)), "approximate",
                               sym_value_new_string (is_near ? "tanh" : "none"), NULL));
}

static void
lower_prelu (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), own = sym_op_foreign_rank (self, 1);
  gboolean per_channel = sym_op_lower_get_bool (self, "per_channel_broadcast", TRUE);
  SymId slope = sym_op_lower_input (self, 1);
  gint64 sizes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    sizes[i] = i == (sym_op_onednn_is_channels_last (self) ? rank - 1 : 1) ? -1 : 1;
  if (per_channel && own == 1 && rank > 1)
    slope = sym_op_foreign_reshape (self, slope, sizes, rank, FALSE);
  sym_op_onednn_set (self,
                     sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0), slope));
}

/* ---- Gradients ---- */

/* Of what came out, or of what went in where `use_dst` is false: operand 0; operand 1 is the
 * gradient of the result. */
static void
lower_back (SymOpLower *self)
{
  static const struct {
    const char *type, *by_result, *by_data;
  } formulas[] = {
    { "ReLUBackward", "Where (Greater (a, 0), b, 0)", "Where (Greater (a, 0), b, 0)" },
    { "SigmoidBackward", "Mul (b, Mul (a, Sub (1, a)))",
      "Mul (b, Mul (Sigmoid (a), Sub (1, Sigmoid (a))))" },
    { "TanhBackward", "Mul (b, Sub (1, Mul (a, a)))",
      "Mul (b, Sub (1, Mul (Tanh (a), Tanh (a))))" },
    { "SqrtBackward", "Div (b, Mul (2, a))", "Div (b, Mul (2, Sqrt (a)))" },
    { "AbsBackward", "Mul (b, Sign (a))", "Mul (b, Sign (a))" },
  };
  gboolean by_result = sym_op_lower_get_bool (self, "use_dst", TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (formulas); i++)
    if (strcmp (formulas[i].type, sym_op_lower_get_type (self)) == 0)
      sym_op_onednn_set (self, sym_op_lower_formula (self, by_result ? formulas[i].by_result
                                                                     : formulas[i].by_data));
}

/* (dy - sum (dy y)) y: the gradient comes first. */
static void
lower_softmax_back (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", 1, sym_op_foreign_rank (self, 0));
  SymId delta = sym_op_lower_input (self, 0), y = sym_op_lower_input (self, 1), sum;

  if (!sym_op_lower_need_tensor (self, 1))
    return;
  sum = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", delta, y), &axis,
                             1, TRUE);
  sym_op_onednn_set (
      self, sym_op_lower_binary (self, "Mul", sym_op_lower_binary (self, "Sub", delta, sum), y));
}

/* ---- Dtypes ---- */

static void
lower_cast (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_onednn_set (self, sym_op_lower_input (self, 0));
}

/* Places along an axis. */
static void
lower_places (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "axis", 0, rank);
  gint64 size = sym_op_foreign_size (self, 0, axis), sizes[SYM_MAX_RANK];
  SymDType dtype = sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32);
  SymId places;

  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < rank; i++)
    sizes[i] = i == axis ? size : 1;
  places = sym_op_foreign_reshape (self, sym_op_lower_count (self, size), sizes, rank, FALSE);
  places = sym_op_lower_binary (self, "Expand", places,
                                sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0)));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, places, SYM_DTYPE_INT64, dtype));
}

/* ---- Tables ---- */

static const SymSlotSpec select_slots[] = { { "cond" }, { "src_0" }, { "src_1" }, { NULL } };
static const SymSlotSpec prelu_slots[] = { { "src" }, { "slope", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec back_slots[] = { { "src" }, { "diff_dst" }, { NULL } };
static const SymSlotSpec softmax_slots[] = { { "diff_dst" }, { "dst" }, { NULL } };

static const SymAttributeSpec alpha_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "slope or scale" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "added" },
  { NULL },
};

static const SymAttributeSpec beta_attributes[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor or exponent" },
  { NULL },
};

static const SymAttributeSpec clamp_attributes[] = {
  { "min", SYM_ATTRIBUTE_FLOAT, "0.0", "the least that comes out" },
  { "max", SYM_ATTRIBUTE_FLOAT, "0.0", "the most that comes out" },
  { NULL },
};

static const SymAttributeSpec gelu_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "gelu_erf", "how it is computed", "gelu_erf gelu_tanh" },
  { NULL },
};

static const SymAttributeSpec prelu_attributes[] = {
  { "data_format", SYM_ATTRIBUTE_STRING, "NXC", "where the channels are", "NXC NCX" },
  { "per_channel_broadcast", SYM_ATTRIBUTE_BOOL, "True", "whether each channel has a slope" },
  { NULL },
};

static const SymAttributeSpec back_attributes[] = {
  { "use_dst", SYM_ATTRIBUTE_BOOL, "True", "whether operand 0 is what came out" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "along which" },
  { NULL },
};

static const SymAttributeSpec dtype_attributes[] = {
  { "output_dtype", SYM_ATTRIBUTE_STRING, "", "dtype of the result" },
  { NULL },
};

#define PAIR(name_, summary_) \
  ONEDNN_LOWERED (name_, summary_, ELEMENTWISE, sym_op_foreign_two, NULL, lower_binary)
#define BACK(name_, summary_) \
  ONEDNN_LOWERED (name_, summary_, ACTIVATION, back_slots, back_attributes, lower_back)
#define MAP_BY(name_, summary_, category_, attributes_, formula_)                              \
  {                                                                                            \
    ONEDNN (name_, NULL, summary_, category_),                                                 \
        .slots = sym_op_foreign_one, .attributes = attributes_, .infer = sym_op_infer_lowered, \
        .lower = lower_map, .formula = formula_                                                \
  }
#define MAP(name_, summary_, category_, formula_) \
  MAP_BY (name_, summary_, category_, NULL, formula_)

const SymOperator sym_op_onednn[] = {
  PAIR ("Add", "Sum"),
  PAIR ("Subtract", "Difference"),
  PAIR ("Multiply", "Product of elements"),
  PAIR ("Divide", "Quotient"),
  PAIR ("Maximum", "The greater one"),
  PAIR ("Minimum", "The lesser one"),
  ONEDNN_LOWERED ("SquaredDifference",
                  "Square of the difference",
                  ELEMENTWISE,
                  sym_op_foreign_two,
                  NULL,
                  lower_squared_difference),
  ONEDNN_LOWERED ("GreaterEqual",
                  "Whether the first is not less",
                  ELEMENTWISE,
                  sym_op_foreign_two,
                  NULL,
                  lower_greater),
  ONEDNN_LOWERED ("Select",
                  "One or the other by a condition",
                  ELEMENTWISE,
                  select_slots,
                  NULL,
                  lower_select),
  MAP ("Abs", "Absolute value", ELEMENTWISE, "Abs (a)"),
  MAP ("Exp", "Exponential function", ELEMENTWISE, "Exp (a)"),
  MAP ("Log", "Natural logarithm", ELEMENTWISE, "Log (a)"),
  MAP ("Reciprocal", "Reciprocal", ELEMENTWISE, "Div (1, a)"),
  MAP ("Round", "Rounded", ELEMENTWISE, "Round (a)"),
  MAP ("Sqrt", "Square root", ELEMENTWISE, "Sqrt (a)"),
  MAP ("Square", "Square", ELEMENTWISE, "Mul (a, a)"),
  MAP ("ReLU", "Rectifier", ACTIVATION, "Relu (a)"),
  MAP ("Sigmoid", "Logistic function", ACTIVATION, "Sigmoid (a)"),
  MAP ("Tanh", "Hyperbolic tangent", ACTIVATION, "Tanh (a)"),
  MAP ("HardSwish", "Hard swish", ACTIVATION, "HardSwish (a)"),
  MAP ("Mish", "Mish", ACTIVATION, "Mish (a)"),
  MAP_BY ("Elu",
          "Exponential linear unit",
          ACTIVATION,
          alpha_attributes,
          "Where (Less (a, 0), Mul ($alpha, Sub (Exp (Min (a, 0)), 1)), a)"),
  MAP_BY ("LeakyReLU",
          "Rectifier that leaks below zero",
          ACTIVATION,
          alpha_attributes,
          "Where (Less (a, 0), Mul (a, $alpha), a)"),
  MAP_BY ("HardSigmoid",
          "Hard sigmoid",
          ACTIVATION,
          alpha_attributes,
          "Min (Max (Add (Mul (a, $alpha), $beta), 0), 1)"),
  MAP_BY ("SoftPlus",
          "Soft rectifier",
          ACTIVATION,
          beta_attributes,
          "Div (Softplus (Mul (a, $beta)), $beta)"),
  MAP_BY ("Clamp",
          "Cut off at two bounds",
          ELEMENTWISE,
          clamp_attributes,
          "Min (Max (a, $min), $max)"),
  ONEDNN_LOWERED ("Pow", "Power", ELEMENTWISE, sym_op_foreign_one, beta_attributes, lower_power),
  ONEDNN_LOWERED ("GELU",
                  "Gaussian error linear unit",
                  ACTIVATION,
                  sym_op_foreign_one,
                  gelu_attributes,
                  lower_gelu),
  ONEDNN_LOWERED ("PReLU",
                  "Rectifier with slopes below zero",
                  ACTIVATION,
                  prelu_slots,
                  prelu_attributes,
                  lower_prelu),
  BACK ("ReLUBackward", "Gradient of the rectifier"),
  BACK ("SigmoidBackward", "Gradient of the logistic function"),
  BACK ("TanhBackward", "Gradient of the hyperbolic tangent"),
  BACK ("SqrtBackward", "Gradient of the square root"),
  BACK ("AbsBackward", "Gradient of the absolute value"),
  ONEDNN_LOWERED ("SoftMaxBackward",
                  "Gradient of softmax",
                  ACTIVATION,
                  softmax_slots,
                  axis_attributes,
                  lower_softmax_back),
  ONEDNN_LOWERED ("TypeCast",
                  "Another dtype",
                  SHAPE,
                  sym_op_foreign_one,
                  dtype_attributes,
                  lower_cast),
  ONEDNN_LOWERED ("Reorder",
                  "Another layout in memory, or another dtype",
                  SHAPE,
                  sym_op_foreign_one,
                  dtype_attributes,
                  lower_cast),
  ONEDNN_LOWERED ("GenIndex",
                  "Places along an axis",
                  SHAPE,
                  sym_op_foreign_one,
                  axis_attributes,
                  lower_places),
  { NULL },
};
