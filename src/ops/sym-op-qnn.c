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

static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 axes[5];

  if (!begin (self, &window))
    return;
  axes[0] = window.n + 1;
  axes[1] = window.n;
  for (int i = 0; i < window.n; i++)
    axes[2 + i] = i;
  sym_op_engine_conv (self, &window, axes);
}

/* weight [h, w, 1, C * M] */
static void
lower_depthwise (SymOpLower *self)
{
  const gint64 axes[] = { 3, 2, 0, 1 };
  SymOpForeignWindow window;

  if (!begin (self, &window))
    return;
  window.groups = sym_op_foreign_size (self, 0, window.n + 1);
  sym_op_engine_conv (self, &window, axes);
}

/* weight [h, w, in, out / groups] */
static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[3];
  SymId weight;

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_foreign_ints (self, "output_padding", window.n, 0, extra);
  weight = sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 4, 2, 3, 0, 1);
  sym_op_engine_set (self,
                     sym_op_foreign_conv_transpose (self, &window, sym_op_engine_real (self, 0),
                                                    weight, sym_op_engine_real (self, 2), extra));
}

static void
lower_pool (SymOpLower *self)
{
  SymOpForeignWindow window;

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
  SymId a, b;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  a = sym_op_lower_exchange_if (self, sym_op_engine_real (self, 0), sym_op_foreign_rank (self, 0),
                                "transpose_in0");
  b = sym_op_lower_exchange_if (self, sym_op_engine_real (self, 1), sym_op_foreign_rank (self, 1),
                                "transpose_in1");
  sym_op_engine_set (self, sym_op_lower_binary (self, "MatMul", a, b));
}

/* Operations of a number that is not looked at: a shape. */
static void
lower_numbered (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  SymId x = sym_op_engine_real (self, 0);

  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s is not lowered", sym_op_lower_get_type (self));
  for (guint i = 1; i < n && g_str_equal (sym_op_lower_get_type (self), "ElementWiseBinary"); i++)
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, i));
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
  WEIGHTED ("DepthWiseConv2d", NULL, "Slides filters over each channel", lower_depthwise),
  WEIGHTED ("TransposeConv2d", NULL, "Spreads each element over a window", lower_conv_transpose),
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
       "PoolMax2d",
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
  QNN ("ElementWiseBinary",
       "ElementWiseUnary ElementWiseNeuron",
       "Arithmetic by a number",
       ELEMENTWISE,
       sym_op_foreign_many,
       NULL,
       lower_numbered),
  MAP ("ElementWiseAbs", "Absolute value", "Abs (a)"),
  MAP ("ElementWiseCeil", "Rounded up", "Ceil (a)"),
  MAP ("ElementWiseExp", "Exponential function", "Exp (a)"),
  MAP ("ElementWiseFloor", "Rounded down", "Floor (a)"),
  MAP ("ElementWiseLog", "Natural logarithm", "Log (a)"),
  MAP ("ElementWiseNeg", "With the other sign", "Neg (a)"),
  MAP ("ElementWiseRound", "Rounded", "Round (a)"),
  MAP ("ElementWiseRsqrt", "Reciprocal of the square root", "Reciprocal (Sqrt (a))"),
  MAP ("ElementWiseSquareRoot", "Square root", "Sqrt (a)"),
  ACTIVATION ("Relu", "Rectifier", "Relu (a)"),
  ACTIVATION ("Relu6", "Rectifier with a bound", "Min (Relu (a), 6)"),
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
  QNN ("Concat",
       NULL,
       "One after the other along an axis",
       MERGE,
       sym_op_foreign_many,
       other_attributes,
       sym_op_engine_lower_concat),
  QNN ("ReduceMean",
       "ReduceMax ReduceMin ReduceProd ReduceSum",
       "One number of axes",
       POOLING,
       sym_op_foreign_one,
       other_attributes,
       lower_reduce),
  { NULL },
};
