/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Arm NN's layers by their names in its schema, without the "Layer" at the end (20 to 25), and the
 * members of their descriptors.  What flatc leaves out is the schema's default: 0, or the first of
 * an enumeration, but the layout of convolutions, which is NCHW. */

static gboolean
is_channels_last (SymOpLower *self, const char *fallback)
{
  return g_str_equal (sym_op_lower_get_string (self, "dataLayout", fallback), "NHWC");
}

static gboolean
begin (SymOpLower *self, const char *layout, SymOpForeignWindow *window)
{
  gint64 before[3], after[3];

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  if (window->n != 2)
    {
      sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
      return FALSE;
    }
  window->channels_last = is_channels_last (self, layout);
  sym_op_engine_pair (self, "strideY", "strideX", 1, window->stride);
  sym_op_engine_pair (self, "dilationY", "dilationX", 1, window->dilation);
  sym_op_engine_pair (self, "padTop", "padLeft", 0, before);
  sym_op_engine_pair (self, "padBottom", "padRight", 0, after);
  for (int i = 0; i < 2; i++)
    {
      window->before[i] = before[i];
      window->after[i] = after[i];
    }
  return !sym_op_lower_has_failed (self);
}

/* weight as the data: [out, h, w, in], or [out, in, h, w]. */
static void
lower_conv (SymOpLower *self)
{
  const gint64 axes[] = { 0, 3, 1, 2 };
  SymOpForeignWindow window;

  if (begin (self, "NCHW", &window))
    sym_op_engine_conv (self, &window, window.channels_last ? axes : NULL);
}

/* weight [1, h, w, C * M]; before 21.11 [M, C, h, w], of which nothing is told. */
static void
lower_depthwise (SymOpLower *self)
{
  const gint64 axes[] = { 3, 0, 1, 2 };
  SymOpForeignWindow window;

  if (!begin (self, "NCHW", &window) || sym_op_foreign_rank (self, 1) != 4)
    return;
  window.groups = sym_op_foreign_size (self, 0, window.channels_last ? 3 : 1);
  if (sym_op_foreign_size (self, 1, 0) != 1 ||
      sym_op_foreign_size (self, 1, 3) % MAX (window.groups, 1) != 0)
    {
      sym_op_lower_refuse (self, "DepthwiseConvolution2d: its weight is of another version");
      return;
    }
  sym_op_engine_conv (self, &window, axes);
}

static void
lower_conv_transpose (SymOpLower *self)
{
  const gint64 none[3] = { 0 };
  SymOpForeignWindow window;
  SymId weight;

  if (!begin (self, "NCHW", &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  weight = sym_op_engine_real (self, 1);
  weight = window.channels_last ? sym_op_lower_transpose (self, weight, 4, 3, 0, 1, 2)
                                : sym_op_lower_transpose (self, weight, 4, 1, 0, 2, 3);
  sym_op_engine_set (self,
                     sym_op_foreign_conv_transpose (self, &window, sym_op_engine_real (self, 0),
                                                    weight, sym_op_engine_real (self, 2), none));
}

static void
lower_pool (SymOpLower *self)
{
  gboolean is_max = !sym_op_lower_has_string (self, "poolType", "Average") &&
                    !sym_op_lower_has_string (self, "poolType", "L2");
  SymOpForeignWindow window;

  if (!begin (self, "NHWC", &window))
    return;
  if (!sym_op_lower_is_rule (self) && sym_op_lower_has_string (self, "poolType", "L2"))
    sym_op_lower_refuse (self, "Pooling2d of L2 is not lowered");
  sym_op_engine_pair (self, "poolHeight", "poolWidth", 1, window.kernel);
  window.up = sym_op_lower_has_string (self, "outputShapeRounding", "Ceiling");
  window.counts_pads = !sym_op_lower_has_string (self, "paddingMethod", "Exclude");
  sym_op_engine_pool (self, &window, is_max);
}

/* weight [in, out], or [out, in] where it is turned; all axes but the batch are one. */
static void
lower_dense (SymOpLower *self)
{
  gboolean turned = sym_op_lower_get_bool (self, "transposeWeightsMatrix", FALSE);
  gint64 sizes[] = { -1, 1 };
  SymId x, weight;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_foreign_rank (self, 1) != 2)
    return;
  sizes[1] = sym_op_foreign_size (self, 1, turned ? 1 : 0);
  x = sym_op_foreign_reshape (self, sym_op_engine_real (self, 0), sizes, 2, FALSE);
  weight = sym_op_engine_real (self, 1);
  if (turned)
    weight = sym_op_lower_transpose (self, weight, 2, 1, 0);
  x = sym_op_lower_binary (self, "MatMul", x, weight);
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, 2));
  sym_op_engine_set (self, x);
}

/* What is not lowered, and has the shape of the data. */
static void
lower_shape (SymOpLower *self)
{
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s is not lowered", sym_op_lower_get_type (self));
  sym_op_engine_set (self, sym_op_engine_real (self, 0));
}

/* What `operation` says: the first one where flatc leaves it out. */
static void
lower_operation (SymOpLower *self)
{
  static const struct {
    const char *type, *operation, *formula;
  } kinds[] = {
    { "ElementwiseUnary", "Abs", "Abs (a)" },
    { "ElementwiseUnary", "Rsqrt", "Reciprocal (Sqrt (a))" },
    { "ElementwiseUnary", "Sqrt", "Sqrt (a)" },
    { "ElementwiseUnary", "Exp", "Exp (a)" },
    { "ElementwiseUnary", "Neg", "Neg (a)" },
    { "ElementwiseUnary", "LogicalNot", "Not (a)" },
    { "ElementwiseUnary", "Log", "Log (a)" },
    { "ElementwiseUnary", "Sin", "Sin (a)" },
    { "ElementwiseUnary", "Ceil", "Ceil (a)" },
    { "ElementwiseBinary", "Add", "Add (a, b)" },
    { "ElementwiseBinary", "Div", "Div (a, b)" },
    { "ElementwiseBinary", "Maximum", "Max (a, b)" },
    { "ElementwiseBinary", "Minimum", "Min (a, b)" },
    { "ElementwiseBinary", "Mul", "Mul (a, b)" },
    { "ElementwiseBinary", "Sub", "Sub (a, b)" },
    { "ElementwiseBinary", "SqDiff", "Mul (Sub (a, b), Sub (a, b))" },
    { "ElementwiseBinary", "Power", "Pow (a, b)" },
    { "ElementwiseBinary", "FloorDiv", "Floor (Div (a, b))" },
    { "Comparison", "Equal", "Equal (a, b)" },
    { "Comparison", "Greater", "Greater (a, b)" },
    { "Comparison", "GreaterOrEqual", "GreaterOrEqual (a, b)" },
    { "Comparison", "Less", "Less (a, b)" },
    { "Comparison", "LessOrEqual", "LessOrEqual (a, b)" },
    { "Comparison", "NotEqual", "Not (Equal (a, b))" },
    { "LogicalBinary", "LogicalAnd", "And (a, b)" },
    { "LogicalBinary", "LogicalOr", "Or (a, b)" },
  };
  const char *type = sym_op_lower_get_type (self);
  const char *operation = sym_op_lower_get_string (self, "operation", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, type) &&
        (operation == NULL || g_str_equal (kinds[i].operation, operation)))
      {
        sym_op_engine_set_formula (self, kinds[i].formula);
        return;
      }
  sym_op_lower_refuse (self, "%s of %s is not lowered", type, operation);
}

/* Where flatc leaves the function out it is Min. */
static void
lower_arg (SymOpLower *self)
{
  gboolean is_max = sym_op_lower_has_string (self, "argMinMaxFunction", "Max");
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  SymId x =
      sym_op_lower_call (self, is_max ? "ArgMax" : "ArgMin", SYM_IDS (sym_op_engine_real (self, 0)),
                         "axis", sym_value_new_int (axis), "keepdims", sym_value_new_int (0), NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, x, sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32)));
}

/* By the first one where flatc leaves it out, as it leaves out numbers that are 0. */
static void
lower_activation (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "Sigmoid", "Sigmoid (a)" },
    { "TanH", "Mul ($a, Tanh (Mul ($b, a)))" },
    { "Linear", "Add (Mul ($a, a), $b)" },
    { "ReLu", "Relu (a)" },
    { "BoundedReLu", "Min (Max (a, $b), $a)" },
    { "SoftReLu", "Softplus (a)" },
    { "LeakyReLu", "Where (Less (a, 0), Mul ($a, a), a)" },
    { "Abs", "Abs (a)" },
    { "Sqrt", "Sqrt (a)" },
    { "Square", "Mul (a, a)" },
    { "Elu", "Where (Less (a, 0), Mul ($a, Sub (Exp (a), 1)), a)" },
    { "HardSwish", "HardSwish (a)" },
    { "Gelu", "Gelu (a)" },
  };
  const char *kind = sym_op_lower_get_string (self, "activationFunction", "Sigmoid");

  for (guint i = 0; !sym_op_lower_is_rule (self) && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], kind))
      {
        sym_op_engine_set_formula (self, kinds[i][1]);
        return;
      }
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "Activation of %s is not lowered", kind);
  sym_op_engine_set (self, sym_op_engine_real (self, 0));
}

/* A factor before; the default of LogSoftmax is 1. */
static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_str_equal (sym_op_lower_get_type (self), "LogSoftmax");
  double beta = sym_op_lower_get_float (self, "beta", is_log ? 1 : 0);
  SymId x = sym_op_engine_real (self, 0);

  if (beta != 1)
    x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, beta));
  sym_op_engine_set (
      self,
      sym_op_foreign_with (self, is_log ? "LogSoftmax" : "Softmax", x, "axis",
                           sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0))));
}

/* Divided by the root of the sum of squares along the channels, or of eps. */
static void
lower_l2_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axis = is_channels_last (self, "NCHW") ? rank - 1 : 1;
  double least = sym_op_lower_get_float (self, "eps", 1e-12);
  SymId x = sym_op_engine_real (self, 0), sum;

  if (sym_op_lower_is_rule (self) || rank < 2)
    {
      sym_op_engine_set (self, x);
      return;
    }
  sum = sym_op_lower_reduce (self, "ReduceSumSquare", x, &axis, 1, TRUE);
  sum =
      sym_op_lower_binary (self, "Max", sum, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, least));
  sym_op_engine_set (self,
                     sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", sum)));
}

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "targetShape", sizes);

  if (n < 0)
    sym_op_lower_refuse (self, "Reshape: its shape is not told");
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, MAX (n, 0), FALSE));
}

static void
lower_transpose (SymOpLower *self)
{
  sym_op_engine_transpose (self, "dimMappings");
}

/* Where each axis goes, rather than where it comes from. */
static void
lower_permute (SymOpLower *self)
{
  gint64 to[SYM_MAX_RANK], from[SYM_MAX_RANK] = { 0 };
  int rank = sym_op_foreign_rank (self, 0), n = sym_op_foreign_list (self, "dimMappings", to);

  for (int i = 0; i < n && n == rank; i++)
    {
      if (to[i] < 0 || to[i] >= n)
        sym_op_lower_fail (self, "Permute: there is no axis %" G_GINT64_FORMAT, to[i]);
      else
        from[to[i]] = i;
    }
  if (n != rank)
    sym_op_lower_refuse (self, "Permute: its order of axes is not told");
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_permute (self, sym_op_lower_input (self, 0), from, rank));
}

static void
lower_concat (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);

  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                             sym_op_foreign_axis (self, "concatAxis", 0, rank)));
}

static void
lower_reduce (SymOpLower *self)
{
  gboolean is_mean = g_str_equal (sym_op_lower_get_type (self), "Mean");
  const char *kind = is_mean ? "Mean" : sym_op_lower_get_string (self, "reduceOperation", "Sum");
  g_autofree char *name = g_strconcat ("Reduce", kind, NULL);
  gint64 axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n = sym_op_foreign_list (self, "axis", axes);

  if (sym_op_find ("", name, 0) == NULL)
    sym_op_lower_refuse (self, "Reduce: nothing is known of “%s”", kind);
  else
    sym_op_engine_set (self, sym_op_foreign_reduce (
                                 self, name, sym_op_engine_real (self, 0), rank, axes,
                                 n < 1 ? -1 : n, sym_op_lower_get_bool (self, "keepDims", FALSE)));
}

/* ---- Table ---- */

static const SymAttributeSpec window_attributes[] = {
  { "strideX", SYM_ATTRIBUTE_INT, "1", "step along a row" },
  { "strideY", SYM_ATTRIBUTE_INT, "1", "step along a column" },
  { "dilationX", SYM_ATTRIBUTE_INT, "1", "distance of the columns in a window" },
  { "dilationY", SYM_ATTRIBUTE_INT, "1", "distance of the rows in a window" },
  { "padLeft", SYM_ATTRIBUTE_INT, "0", "zeros to the left" },
  { "padRight", SYM_ATTRIBUTE_INT, "0", "zeros to the right" },
  { "padTop", SYM_ATTRIBUTE_INT, "0", "zeros above" },
  { "padBottom", SYM_ATTRIBUTE_INT, "0", "zeros below" },
  { "poolWidth", SYM_ATTRIBUTE_INT, "1", "columns of a window" },
  { "poolHeight", SYM_ATTRIBUTE_INT, "1", "rows of a window" },
  { "poolType", SYM_ATTRIBUTE_STRING, "Max", "what is made of a window" },
  { "dataLayout", SYM_ATTRIBUTE_STRING, "None", "the order of the data's axes" },
  { NULL },
};

static const SymAttributeSpec other_attributes[] = {
  { "transposeWeightsMatrix", SYM_ATTRIBUTE_BOOL, "False", "whether weight is [out, in]" },
  { "activationFunction", SYM_ATTRIBUTE_STRING, "Sigmoid", "which one" },
  { "a", SYM_ATTRIBUTE_FLOAT, "0.0", "a number" },
  { "b", SYM_ATTRIBUTE_FLOAT, "0.0", "another number" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "None", "a factor of what is normed" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-12", "the least sum" },
  { "dataLayout", SYM_ATTRIBUTE_STRING, "None", "the order of the data's axes" },
  { "targetShape", SYM_ATTRIBUTE_INTS, "None", "sizes" },
  { "dimMappings", SYM_ATTRIBUTE_INTS, "None", "the new order of axes" },
  { "concatAxis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "axis", SYM_ATTRIBUTE_ANY, "None", "axis or axes" },
  { "keepDims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { "reduceOperation", SYM_ATTRIBUTE_STRING, "Sum", "what is made of the elements" },
  { "argMinMaxFunction", SYM_ATTRIBUTE_STRING, "Min", "which one" },
  { "operation", SYM_ATTRIBUTE_STRING, "None", "which one" },
  { NULL },
};

#define ARMNN(name_, aliases_, summary_, category_, slots_, attributes_, lower_)        \
  SYM_OP_ENGINE ("armnn", "Arm NN 25.02", name_, aliases_, summary_, category_, slots_, \
                 attributes_, lower_)
#define ELEMENTS(name_, summary_, slots_, formula_)                                         \
  {                                                                                         \
    SYM_OP_FOREIGN ("armnn", name_, NULL, summary_, ELEMENTWISE),                           \
        .reference = "Arm NN 25.02 " name_, .slots = slots_, .infer = sym_op_infer_lowered, \
        .lower = sym_op_engine_lower_formula, .formula = formula_                           \
  }
#define PAIR(name_, summary_, formula_) ELEMENTS (name_, summary_, sym_op_foreign_two, formula_)
#define MAP(name_, summary_, formula_) ELEMENTS (name_, summary_, sym_op_foreign_one, formula_)

const SymOperator sym_op_armnn[] = {
  ARMNN ("Convolution2d",
         NULL,
         "Slides filters over images",
         WEIGHTS,
         sym_op_engine_weighted,
         window_attributes,
         lower_conv),
  ARMNN ("DepthwiseConvolution2d",
         NULL,
         "Slides filters over each channel",
         WEIGHTS,
         sym_op_engine_weighted,
         window_attributes,
         lower_depthwise),
  ARMNN ("TransposeConvolution2d",
         NULL,
         "Spreads each element over a window",
         WEIGHTS,
         sym_op_engine_weighted,
         window_attributes,
         lower_conv_transpose),
  ARMNN ("FullyConnected",
         NULL,
         "Fully connected layer",
         WEIGHTS,
         sym_op_engine_weighted,
         other_attributes,
         lower_dense),
  ARMNN ("Pooling2d",
         NULL,
         "One number of each window",
         POOLING,
         sym_op_foreign_one,
         window_attributes,
         lower_pool),
  ARMNN ("Activation",
         NULL,
         "An activation",
         ACTIVATION,
         sym_op_foreign_one,
         other_attributes,
         lower_activation),
  ARMNN ("ElementwiseUnary",
         "ElementwiseBinary Comparison LogicalBinary",
         "Arithmetic by a name",
         ELEMENTWISE,
         sym_op_foreign_many,
         other_attributes,
         lower_operation),
  ARMNN ("ArgMinMax",
         NULL,
         "Where the greatest or least one is",
         POOLING,
         sym_op_foreign_one,
         other_attributes,
         lower_arg),
  MAP ("Floor", "Rounded down", "Floor (a)"),
  MAP ("Abs", "Absolute value", "Abs (a)"),
  MAP ("Rsqrt", "Reciprocal of the square root", "Reciprocal (Sqrt (a))"),
  PAIR ("Equal", "Where they are equal", "Equal (a, b)"),
  PAIR ("Greater", "Where the first one is greater", "Greater (a, b)"),
  PAIR ("Prelu", "Rectifier with a slope below 0", "Where (Less (a, 0), Mul (a, b), a)"),
  ARMNN ("BatchNormalization",
         "Normalization InstanceNormalization",
         "Numbers of the shape of the data",
         NORMALIZATION,
         sym_op_foreign_many,
         NULL,
         lower_shape),
  ARMNN ("L2Normalization",
         NULL,
         "Channels divided by their length",
         NORMALIZATION,
         sym_op_foreign_one,
         other_attributes,
         lower_l2_norm),
  ARMNN ("Softmax",
         "LogSoftmax",
         "Numbers along an axis that sum to 1",
         ACTIVATION,
         sym_op_foreign_one,
         other_attributes,
         lower_softmax),
  ARMNN ("Quantize",
         "Dequantize Cast ConvertFp16ToFp32 ConvertFp32ToFp16",
         "Another dtype",
         SHAPE,
         sym_op_foreign_one,
         NULL,
         sym_op_engine_lower_same),
  PAIR ("Addition", "Sum", "Add (a, b)"),
  PAIR ("Subtraction", "Difference", "Sub (a, b)"),
  PAIR ("Multiplication", "Product of elements", "Mul (a, b)"),
  PAIR ("Division", "Quotient", "Div (a, b)"),
  PAIR ("Maximum", "The greater one", "Max (a, b)"),
  PAIR ("Minimum", "The lesser one", "Min (a, b)"),
  ARMNN ("Reshape", NULL, "Other axes", SHAPE, sym_op_foreign_one, other_attributes, lower_reshape),
  ARMNN ("Transpose",
         NULL,
         "Axes in another order",
         SHAPE,
         sym_op_foreign_one,
         other_attributes,
         lower_transpose),
  ARMNN ("Permute",
         NULL,
         "Axes put elsewhere",
         SHAPE,
         sym_op_foreign_one,
         other_attributes,
         lower_permute),
  ARMNN ("Concat",
         "Merger",
         "One after the other along an axis",
         MERGE,
         sym_op_foreign_many,
         other_attributes,
         lower_concat),
  ARMNN ("Mean",
         "Reduce",
         "One number of axes",
         POOLING,
         sym_op_foreign_one,
         other_attributes,
         lower_reduce),
  { NULL },
};
