/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

#include <string.h>

/* QNN's operations by their names (QNN 2, package qti.aisw).  Images have their channels last, and
 * weights the window first: [h, w, in / groups, out]. */

static void
read_ints (SymOpLower *self, const char *name, const SymOpForeignWindow *window, gint64 *values)
{
  gint64 given[3];

  sym_op_foreign_ints (self, name, window->n, 1, given);
  memcpy (values, given, sizeof (gint64) * (gsize) window->n);
}

static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window)
{
  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  window->channels_last = TRUE;
  read_ints (self, "stride", window, window->stride);
  read_ints (self, "dilation", window, window->dilation);
  read_ints (self, "filter_size", window, window->kernel);
  window->groups = sym_op_lower_get_int (self, "group", 1);
  window->up = sym_op_lower_get_int (self, "rounding_mode", 0) == 1;
  window->counts_pads = sym_op_lower_get_bool (self, "count_pad_for_edges", FALSE);
  sym_op_engine_margins (self, "pad_amount", window);
  return !sym_op_lower_has_failed (self);
}

/* Where weights have two axes, @first and @second, and then the window, which lies before both. */
static void
list_axes (int n, int first, int second, gint64 axes[5])
{
  axes[0] = first;
  axes[1] = second;
  for (int i = 0; i < n; i++)
    axes[2 + i] = i;
}

/* weight [window, in / groups, out]; of each channel alone [window, 1, C * M]. */
static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 axes[5];

  if (!begin (self, &window))
    return;
  list_axes (window.n, window.n + 1, window.n, axes);
  if (g_str_has_prefix (sym_op_lower_get_type (self), "DepthWise"))
    window.groups = sym_op_foreign_size (self, 0, window.n + 1);
  sym_op_engine_conv (self, &window, axes);
}

/* weight [window, in, out / groups] */
static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[3], axes[5];
  SymId weight;

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_foreign_ints (self, "output_padding", window.n, 0, extra);
  list_axes (window.n, window.n, window.n + 1, axes);
  weight = sym_op_lower_permute (self, sym_op_engine_real (self, 1), axes, window.n + 2);
  sym_op_engine_set (self,
                     sym_op_foreign_conv_transpose (self, &window, sym_op_engine_real (self, 0),
                                                    weight, sym_op_engine_real (self, 2), extra));
}

static void
lower_pool (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (!sym_op_lower_is_rule (self) && g_str_has_prefix (sym_op_lower_get_type (self), "L2"))
    sym_op_lower_refuse (self, "L2Pool2d is not lowered");
  if (begin (self, &window))
    sym_op_engine_pool (self, &window, g_str_has_prefix (sym_op_lower_get_type (self), "PoolMax"));
}

/* All axes but the features as one: [rows, in], weight [out, in]. */
static void
lower_dense (SymOpLower *self)
{
  gint64 sizes[] = { -1, 1 };
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_bool (self, "keep_dims", FALSE))
    {
      sym_op_engine_dense (self);
      return;
    }
  sizes[1] = sym_op_foreign_size (self, 1, 1);
  x = sym_op_foreign_reshape (self, sym_op_engine_real (self, 0), sizes, 2, FALSE);
  x = sym_op_lower_binary (self, "MatMul", x,
                           sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 2, 1, 0));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, 2));
  sym_op_engine_set (self, x);
}

static void
lower_matmul (SymOpLower *self)
{
  sym_op_engine_set_matmul (self, "transpose_in0", "transpose_in1");
}

/* Arithmetic by its number in QnnOpDef.h. */
static const char *const binary_formulas[] = {
  "Add (a, b)",         "And (a, b)",
  "Div (a, b)",         "Equal (a, b)",
  "Floor (Div (a, b))", "Mod (a, b, fmod=1)",
  "Greater (a, b)",     "GreaterOrEqual (a, b)",
  "Less (a, b)",        "LessOrEqual (a, b)",
  "Max (a, b)",         "Min (a, b)",
  "Remainder (a, b)",   "Mul (a, b)",
  "Not (Equal (a, b))", "Or (a, b)",
  "Pow (a, b)",         "Mul (Sub (a, b), Sub (a, b))",
  "Sub (a, b)",         "Xor (a, b)",
};
static const char *const unary_formulas[] = {
  "Abs (a)",
  "Asin (a)",
  "Atan (a)",
  "Ceil (a)",
  "Cos (a)",
  "Exp (a)",
  "Floor (a)",
  "Log (a)",
  "Neg (a)",
  "Not (a)",
  "Reciprocal (a)",
  "Round (a)",
  "Reciprocal (Sqrt (a))",
  "Sign (a)",
  "Sin (a)",
  "Sqrt (a)",
};
static const char *const neuron_formulas[] = {
  "Where (Less (a, 0), Mul ($alpha, Sub (Exp (a), 1)), a)",
  "Gelu (a)",
  "Max (0, Min (1, Add (Mul ($alpha, a), $beta)))",
  "HardSwish (a)",
  "Relu (a)",
  "Min (Max (a, $min_value), $max_value)",
  "Sigmoid (a)",
  "Softplus (a)",
  "Tanh (a)",
};

static void
lower_elu (SymOpLower *self)
{
  sym_op_engine_set_formula (self, neuron_formulas[0]);
}

static void
lower_bounded (SymOpLower *self)
{
  sym_op_engine_set_formula (self, neuron_formulas[5]);
}

static void
lower_numbered (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gboolean is_pair = g_str_equal (type, "ElementWiseBinary");
  gboolean is_neuron = g_str_equal (type, "ElementWiseNeuron");
  const char *const *formulas = is_pair     ? binary_formulas
                                : is_neuron ? neuron_formulas
                                            : unary_formulas;
  gint64 n = is_pair     ? G_N_ELEMENTS (binary_formulas)
             : is_neuron ? G_N_ELEMENTS (neuron_formulas)
                         : G_N_ELEMENTS (unary_formulas);
  gint64 operation = sym_op_lower_get_int (self, "operation", -1);
  const char *formula = operation >= 0 && operation < n ? formulas[operation] : NULL;

  if (formula == NULL && !sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s: operation %" G_GINT64_FORMAT " is not lowered", type,
                         operation);
  if (is_neuron && operation == 7 && !sym_op_lower_is_rule (self) &&
      sym_op_lower_get_float (self, "beta", 1) != 1)
    sym_op_lower_refuse (self, "%s: a beta of softplus is not lowered", type);
  sym_op_engine_set_formula (self, formula != NULL ? formula : is_pair ? "Add (a, b)" : "Abs (a)");
}

/* Over the last axes alone, with factors and summands of theirs. */
static void
lower_layer_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axes[SYM_MAX_RANK], first = rank;
  int n = sym_op_foreign_list (self, "axes", axes);
  SymId x = sym_op_engine_real (self, 0);

  for (int i = 0; i < n; i++)
    first = MIN (first, axes[i]);
  if (n < 1 || first != rank - n)
    {
      sym_op_lower_refuse (self, "LayerNorm: its axes are not the last ones");
      return;
    }
  if (sym_op_lower_has_input (self, 1))
    x = sym_op_lower_call (self, "LayerNormalization",
                           SYM_IDS (x, sym_op_engine_real (self, 1), sym_op_engine_real (self, 2)),
                           "axis", sym_value_new_int (first), "epsilon",
                           sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-6)),
                           NULL);
  else if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "LayerNorm without factors is not lowered");
  sym_op_engine_set (self, x);
}

static void
lower_softmax (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axis = sym_op_foreign_axis (self, "axis", -1, rank);

  if (!sym_op_lower_is_rule (self) && sym_op_lower_get_float (self, "beta", 1) != 1)
    sym_op_lower_refuse (self, "%s: a beta is not lowered", sym_op_lower_get_type (self));
  sym_op_engine_set (
      self,
      sym_op_foreign_with (
          self, g_str_equal (sym_op_lower_get_type (self), "Softmax") ? "Softmax" : "LogSoftmax",
          sym_op_engine_real (self, 0), "axis", axis));
}

static void
lower_transpose (SymOpLower *self)
{
  sym_op_engine_transpose (self, "perm");
}

static void
lower_reduce (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axes", axes);
  int rank = sym_op_foreign_rank (self, 0);

  sym_op_engine_set (
      self, sym_op_foreign_reduce (self, sym_op_lower_get_type (self), sym_op_engine_real (self, 0),
                                   rank, axes, n < 1 ? -1 : n,
                                   sym_op_lower_get_bool (self, "keep_dims", FALSE)));
}

/* ---- Table ---- */

static const SymAttributeSpec window_attributes[] = {
  { "stride", SYM_ATTRIBUTE_INTS, "None", "steps of the window" },
  { "dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "filter_size", SYM_ATTRIBUTE_INTS, "None", "size of the window" },
  { "pad_amount", SYM_ATTRIBUTE_ANY, "None", "zeros before and after each axis" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "None", "added to the end of the result" },
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "rounding_mode", SYM_ATTRIBUTE_INT, "0", "1: a last, partly filled place counts" },
  { "count_pad_for_edges", SYM_ATTRIBUTE_BOOL, "False", "whether zeros count in means" },
  { NULL },
};

static const SymAttributeSpec other_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that go" },
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with size 1" },
  { "perm", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { "transpose_in0", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_in1", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

static const SymSlotSpec slope_slots[] = { { "input" }, { "slope", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec select_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };

static const SymAttributeSpec numbered_attributes[] = {
  { "operation", SYM_ATTRIBUTE_INT, "None", "which one" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "a factor" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "a summand" },
  { "min_value", SYM_ATTRIBUTE_FLOAT, "0.0", "the least that comes out" },
  { "max_value", SYM_ATTRIBUTE_FLOAT, "0.0", "the most that comes out" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "over which" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-06", "added to the variance" },
  { NULL },
};

#define QNN(name_, aliases_, summary_, category_, slots_, attributes_, lower_)                 \
  SYM_OP_ENGINE ("qnn", "QNN 2.20", name_, aliases_, summary_, category_, slots_, attributes_, \
                 lower_)
#define WEIGHTED(name_, aliases_, summary_, lower_) \
  QNN (name_, aliases_, summary_, WEIGHTS, sym_op_engine_weighted, window_attributes, lower_)
#define ELEMENTS(name_, summary_, category_, slots_, formula_)                          \
  {                                                                                     \
    SYM_OP_FOREIGN ("qnn", name_, NULL, summary_, category_),                           \
        .reference = "QNN 2.20 " name_, .slots = slots_, .infer = sym_op_infer_lowered, \
        .lower = sym_op_engine_lower_formula, .formula = formula_                       \
  }
#define PAIR(name_, summary_, formula_) \
  ELEMENTS ("ElementWise" name_, summary_, ELEMENTWISE, sym_op_foreign_two, formula_)
#define MAP(name_, summary_, formula_) \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_foreign_one, formula_)
#define ACTIVATION(name_, summary_, formula_) \
  ELEMENTS (name_, summary_, ACTIVATION, sym_op_foreign_one, formula_)

const SymOperator sym_op_qnn[] = {
  WEIGHTED ("Conv2d", "Conv1d Conv3d", "Slides filters over images", lower_conv),
  WEIGHTED ("DepthWiseConv2d", "DepthWiseConv1d", "Slides filters over each channel", lower_conv),
  WEIGHTED ("TransposeConv2d",
            "TransposeConv1d TransposeConv3d",
            "Spreads each element over a window",
            lower_conv_transpose),
  QNN ("FullyConnected",
       NULL,
       "Fully connected layer",
       WEIGHTS,
       sym_op_engine_weighted,
       other_attributes,
       lower_dense),
  QNN ("MatMul",
       NULL,
       "Product of matrices",
       WEIGHTS,
       sym_op_foreign_two,
       other_attributes,
       lower_matmul),
  QNN ("PoolAvg2d",
       "PoolMax2d PoolAvg3d PoolMax3d L2Pool2d",
       "One number of each window",
       POOLING,
       sym_op_foreign_one,
       window_attributes,
       lower_pool),
  PAIR ("Add", "Sum", "Add (a, b)"),
  PAIR ("Subtract", "Difference", "Sub (a, b)"),
  PAIR ("Multiply", "Product of elements", "Mul (a, b)"),
  PAIR ("Divide", "Quotient", "Div (a, b)"),
  PAIR ("Maximum", "The greater one", "Max (a, b)"),
  PAIR ("Minimum", "The lesser one", "Min (a, b)"),
  PAIR ("Power", "Power", "Pow (a, b)"),
  PAIR ("SquaredDifference", "Square of the difference", "Mul (Sub (a, b), Sub (a, b))"),
  PAIR ("FloorDiv", "Quotient, rounded down", "Floor (Div (a, b))"),
  PAIR ("Mod", "Remainder", "Remainder (a, b)"),
  PAIR ("Equal", "Where they are equal", "Equal (a, b)"),
  PAIR ("NotEqual", "Where they are not equal", "Not (Equal (a, b))"),
  PAIR ("Greater", "Where the first one is greater", "Greater (a, b)"),
  PAIR ("GreaterEqual", "Where the first one is not less", "GreaterOrEqual (a, b)"),
  PAIR ("Less", "Where the first one is less", "Less (a, b)"),
  PAIR ("LessEqual", "Where the first one is not greater", "LessOrEqual (a, b)"),
  PAIR ("And", "Where both hold", "And (a, b)"),
  PAIR ("Or", "Where one holds", "Or (a, b)"),
  QNN ("ElementWiseSelect",
       NULL,
       "One or the other, as a truth says",
       ELEMENTWISE,
       select_slots,
       NULL,
       sym_op_foreign_lower_where),
  QNN ("ElementWiseBinary",
       "ElementWiseUnary ElementWiseNeuron",
       "Arithmetic by a number",
       ELEMENTWISE,
       sym_op_foreign_many,
       numbered_attributes,
       lower_numbered),
  MAP ("ElementWiseAbs", "Absolute value", "Abs (a)"),
  MAP ("ElementWiseAsin", "Inverse of the sine", "Asin (a)"),
  MAP ("ElementWiseAtan", "Inverse of the tangent", "Atan (a)"),
  MAP ("ElementWiseCeil", "Rounded up", "Ceil (a)"),
  MAP ("ElementWiseCos", "Cosine", "Cos (a)"),
  MAP ("ElementWiseExp", "Exponential function", "Exp (a)"),
  MAP ("ElementWiseFloor", "Rounded down", "Floor (a)"),
  MAP ("ElementWiseLog", "Natural logarithm", "Log (a)"),
  MAP ("ElementWiseNeg", "With the other sign", "Neg (a)"),
  MAP ("ElementWiseNot", "The other truth", "Not (a)"),
  MAP ("ElementWiseRound", "Rounded", "Round (a)"),
  MAP ("ElementWiseRsqrt", "Reciprocal of the square root", "Reciprocal (Sqrt (a))"),
  MAP ("ElementWiseSign", "-1, 0 or 1", "Sign (a)"),
  MAP ("ElementWiseSin", "Sine", "Sin (a)"),
  MAP ("ElementWiseSoftplus", "Smooth rectifier", "Softplus (a)"),
  MAP ("ElementWiseSquareRoot", "Square root", "Sqrt (a)"),
  ACTIVATION ("Relu", "Rectifier", "Relu (a)"),
  ACTIVATION ("Relu6", "Rectifier with a bound", "Min (Relu (a), 6)"),
  ACTIVATION ("Relu1", "Rectifier between -1 and 1", "Min (Max (a, -1), 1)"),
  QNN ("ReluMinMax",
       NULL,
       "Rectifier with bounds",
       ACTIVATION,
       sym_op_foreign_one,
       numbered_attributes,
       lower_bounded),
  QNN ("Elu",
       NULL,
       "Exponential linear unit",
       ACTIVATION,
       sym_op_foreign_one,
       numbered_attributes,
       lower_elu),
  ELEMENTS ("Prelu",
            "Rectifier with a slope below 0",
            ACTIVATION,
            slope_slots,
            "Where (Less (a, 0), Mul (a, b), a)"),
  ACTIVATION ("Sigmoid", "Logistic function", "Sigmoid (a)"),
  ACTIVATION ("Tanh", "Hyperbolic tangent", "Tanh (a)"),
  ACTIVATION ("HardSwish", "Hard swish", "HardSwish (a)"),
  ACTIVATION ("Gelu", "Gaussian error linear unit", "Gelu (a)"),
  QNN ("Softmax",
       "LogSoftmax",
       "Numbers along an axis that sum to 1",
       ACTIVATION,
       sym_op_foreign_one,
       other_attributes,
       lower_softmax),
  QNN ("Cast",
       "Convert Quantize Dequantize",
       "Another dtype",
       SHAPE,
       sym_op_foreign_one,
       NULL,
       sym_op_engine_lower_same),
  QNN ("Transpose",
       NULL,
       "Axes in another order",
       SHAPE,
       sym_op_foreign_one,
       other_attributes,
       lower_transpose),
  SYM_OP_ENGINE_RULED ("qnn",
                       "QNN 2.20",
                       "Concat",
                       NULL,
                       "One after the other along an axis",
                       MERGE,
                       sym_op_foreign_many,
                       other_attributes,
                       sym_op_engine_infer_concat,
                       sym_op_engine_lower_concat),
  QNN ("ReduceMean",
       "ReduceMax ReduceMin ReduceProd ReduceSum",
       "One number of axes",
       POOLING,
       sym_op_foreign_one,
       other_attributes,
       lower_reduce),
  ELEMENTS ("Batchnorm",
            "Each channel by a factor and a summand",
            NORMALIZATION,
            sym_op_engine_weighted,
            "Add (Mul (a, b), c)"),
  QNN ("LayerNorm",
       NULL,
       "The last axes with mean 0 and variance 1",
       NORMALIZATION,
       sym_op_engine_weighted,
       norm_attributes,
       lower_layer_norm),
  { NULL },
};
