/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Arm NN's layers by their names in its schema, without the "Layer" at the end (20 to 25), and the
 * members of their descriptors.  What flatc leaves out is 0, or the first of an enumeration. */

static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window)
{
  gint64 before[3], after[3];

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  if (window->n != 2)
    {
      sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
      return FALSE;
    }
  window->channels_last = !sym_op_lower_has_string (self, "dataLayout", "NCHW");
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

  if (begin (self, &window))
    sym_op_engine_conv (self, &window, window.channels_last ? axes : NULL);
}

/* weight [1, h, w, C * M]; before 21.11 [M, C, h, w], of which nothing is told. */
static void
lower_depthwise (SymOpLower *self)
{
  const gint64 axes[] = { 3, 0, 1, 2 };
  SymOpForeignWindow window;

  if (!begin (self, &window) || sym_op_foreign_rank (self, 1) != 4)
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

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
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

  if (!begin (self, &window))
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

/* What a number tells: a shape. */
static void
lower_shape (SymOpLower *self)
{
  SymId x = sym_op_engine_real (self, 0);

  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s is not lowered", sym_op_lower_get_type (self));
  for (guint i = 1; i < sym_op_lower_get_n_inputs (self) &&
                    !g_str_equal (sym_op_lower_get_type (self), "BatchNormalization") &&
                    !g_str_equal (sym_op_lower_get_type (self), "InstanceNormalization");
       i++)
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, i));
  sym_op_engine_set (self, x);
}

static void
lower_activation (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "Sigmoid", "sigmoid" }, { "TanH", "tanh" },         { "ReLu", "relu" },
    { "Abs", "abs" },         { "Sqrt", "sqrt" },         { "HardSwish", "hard_swish" },
    { "Elu", "elu" },         { "SoftReLu", "softplus" }, { "Gelu", "gelu" },
  };
  const char *kind = sym_op_lower_get_string (self, "activationFunction", "Sigmoid");
  SymId x = sym_op_engine_real (self, 0);

  for (guint i = 0; !sym_op_lower_is_rule (self) && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], kind))
      {
        sym_op_engine_set (self, sym_op_foreign_activate (self, kinds[i][1], 0, x));
        return;
      }
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "Activation of %s is not lowered", kind);
  sym_op_engine_set (self, x);
}

static void
lower_softmax (SymOpLower *self)
{
  if (!sym_op_lower_is_rule (self) && sym_op_lower_get_float (self, "beta", 0) != 1)
    sym_op_lower_refuse (self, "Softmax: a beta is not lowered");
  sym_op_engine_set (
      self,
      sym_op_foreign_with (self, "Softmax", sym_op_engine_real (self, 0), "axis",
                           sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0))));
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
lower_mean (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n = sym_op_foreign_list (self, "axis", axes);

  sym_op_engine_set (self, sym_op_foreign_reduce (self, "ReduceMean", sym_op_engine_real (self, 0),
                                                  rank, axes, n < 1 ? -1 : n,
                                                  sym_op_lower_get_bool (self, "keepDims", FALSE)));
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
  { "dataLayout", SYM_ATTRIBUTE_STRING, "NHWC", "the order of the data's axes" },
  { NULL },
};

static const SymAttributeSpec other_attributes[] = {
  { "transposeWeightsMatrix", SYM_ATTRIBUTE_BOOL, "False", "whether weight is [out, in]" },
  { "activationFunction", SYM_ATTRIBUTE_STRING, "Sigmoid", "which one" },
  { "targetShape", SYM_ATTRIBUTE_INTS, "None", "sizes" },
  { "dimMappings", SYM_ATTRIBUTE_INTS, "None", "the new order of axes" },
  { "concatAxis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "axis", SYM_ATTRIBUTE_ANY, "None", "axis or axes" },
  { "keepDims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { NULL },
};

#define ARMNN(name_, aliases_, summary_, category_, slots_, attributes_, lower_)        \
  SYM_OP_ENGINE ("armnn", "Arm NN 25.02", name_, aliases_, summary_, category_, slots_, \
                 attributes_, lower_)
#define PAIR(name_, summary_, formula_)                                                          \
  {                                                                                              \
    SYM_OP_FOREIGN ("armnn", name_, NULL, summary_, ELEMENTWISE),                                \
        .reference = "Arm NN 25.02 " name_, .slots = sym_op_foreign_two,                         \
        .infer = sym_op_infer_lowered, .lower = sym_op_engine_lower_formula, .formula = formula_ \
  }

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
  ARMNN ("BatchNormalization",
         "ElementwiseUnary ElementwiseBinary Comparison Floor Rsqrt Abs Prelu L2Normalization "
         "Normalization InstanceNormalization LogSoftmax",
         "Numbers of the shape of the data",
         NORMALIZATION,
         sym_op_foreign_many,
         NULL,
         lower_shape),
  ARMNN ("Softmax",
         NULL,
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
  ARMNN ("Mean", NULL, "Mean over axes", POOLING, sym_op_foreign_one, other_attributes, lower_mean),
  { NULL },
};
