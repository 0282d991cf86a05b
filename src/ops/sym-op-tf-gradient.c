/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

/* What graphs that train have besides: gradients of other operators.  Those of activations take the
 * gradient and what went in, or what came out and the gradient. */

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  return sym_rule_tie_shapes (rule, 0, 1, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

/* The axis of the channels. */
static gboolean
find_channels (const SymAttributes *attributes, int rank, int *axis)
{
  *axis = sym_op_tf_is_channels_first (attributes) ? 1 : rank - 1;
  return rank >= 2;
}

static gboolean
infer_bias (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  int axis;

  if (x.rank < 0)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (1), dtype, error);
  if (!find_channels (sym_rule_get_attributes (rule), x.rank, &axis))
    return sym_rule_fail (error, "the gradient must have 2 axes or more, not %d", x.rank);
  return sym_op_set_output (rule, 0, SYM_SHAPE (x.dims[axis]), dtype, error);
}

static void
lower_bias (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, channels, n = 0;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!find_channels (attributes, rank, &channels))
    {
      sym_op_lower_fail (self, "%s: the gradient must have 2 axes or more",
                         sym_op_lower_get_type (self));
      return;
    }
  for (int i = 0; i < rank; i++)
    if (i != channels)
      axes[n++] = i;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_input (self, 0), axes, n, FALSE));
}

static gboolean
infer_first (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* Operand 1 lists the sizes of the kernel. */
static gboolean
infer_kernel (SymRule *rule, GError **error)
{
  SymShape shape;
  int open;

  return sym_op_tf_get_sizes (rule, 1, &shape, &open, error) &&
         sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 0), error);
}

/* Axes along which either shape is to be summed up. */
static gboolean
infer_broadcast (SymRule *rule, GError **error)
{
  for (guint i = 0; i < 2; i++)
    if (!sym_op_set_output (rule, i, sym_shape_new_unknown (1), sym_rule_get_input_dtype (rule, i),
                            error))
      return FALSE;
  return TRUE;
}

static const SymSlotSpec into_slots[] = { { "gradients" }, { "features" }, { NULL } };
static const SymSlotSpec out_slots[] = { { "y" }, { "dy" }, { NULL } };
static const SymSlotSpec bias_slots[] = { { "out_backprop" }, { NULL } };
static const SymSlotSpec pool_slots[] = {
  { "orig_input" },
  { "orig_output" },
  { "grad" },
  { NULL },
};
static const SymSlotSpec kernel_slots[] = {
  { "input" },
  { "filter_sizes" },
  { "out_backprop" },
  { NULL },
};
static const SymSlotSpec shape_slots[] = { { "s0" }, { "s1" }, { NULL } };

static const SymAttributeSpec bias_attributes[] = {
  { "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are", "NHWC NCHW" },
  { NULL },
};

static const SymAttributeSpec window_attributes[] = {
  { "ksize", SYM_ATTRIBUTE_INTS, "1", "size of the window along every axis of the data" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window along every axis of the data" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "whether the window may reach out",
    "VALID SAME EXPLICIT" },
  { "explicit_paddings", SYM_ATTRIBUTE_INTS, "[]", "before and after every axis" },
  { "dilations", SYM_ATTRIBUTE_INTS, "1", "step between elements of the window" },
  { "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are", "NHWC NCHW" },
  { NULL },
};

static const char *const shape_names[] = { "r0", "r1", NULL };

#define GRADIENT(name_, slots_, summary_, formula_)                                               \
  {                                                                                               \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ACTIVATION, .slots = slots_, \
                       .infer = infer_pair, .formula = formula_                                   \
  }

const SymOperator sym_op_tf_gradient[] = {
  { SYM_OP_TF ("BiasAddGrad"), .summary = "gradient of what is added to each channel",
    .category = SYM_CATEGORY_POOLING, .attributes = bias_attributes, .slots = bias_slots,
    .infer = infer_bias, .lower = lower_bias },
  { SYM_OP_TF ("BroadcastGradientArgs"),
    .summary = "axes along which gradients of what was repeated are summed up",
    .category = SYM_CATEGORY_SHAPE, .slots = shape_slots, .get_n_outputs = sym_op_tf_any_outputs,
    .output_names = shape_names, .infer = infer_broadcast },
  { SYM_OP_TF ("Conv2DBackpropFilter"), .summary = "gradient of the kernel of a convolution",
    .category = SYM_CATEGORY_OTHER, .attributes = window_attributes, .slots = kernel_slots,
    .infer = infer_kernel },
  GRADIENT ("EluGrad",
            into_slots,
            "gradient of Elu, of its result",
            "Where (Less (B, 0), Mul (A, Add (B, 1)), A)"),
  { SYM_OP_TF ("MaxPoolGrad"), .summary = "gradient of the largest number of each window",
    .category = SYM_CATEGORY_POOLING, .attributes = window_attributes, .slots = pool_slots,
    .infer = infer_first },
  GRADIENT ("ReciprocalGrad",
            out_slots,
            "gradient of 1 by the number",
            "Neg (Mul (B, Mul (A, A)))"),
  GRADIENT ("Relu6Grad",
            into_slots,
            "gradient of Relu6",
            "Where (And (Greater (B, 0), Less (B, 6)), A, 0)"),
  GRADIENT ("ReluGrad", into_slots, "gradient of Relu", "Where (Greater (B, 0), A, 0)"),
  GRADIENT ("RsqrtGrad",
            out_slots,
            "gradient of 1 by the square root",
            "Neg (Mul (Mul (B, 0.5), Mul (A, Mul (A, A))))"),
  GRADIENT ("SigmoidGrad",
            out_slots,
            "gradient of the logistic function",
            "Mul (B, Mul (A, Sub (1, A)))"),
  GRADIENT ("SoftplusGrad", into_slots, "gradient of Softplus", "Mul (A, Sigmoid (B))"),
  GRADIENT ("SqrtGrad", out_slots, "gradient of the square root", "Div (Mul (B, 0.5), A)"),
  GRADIENT ("TanhGrad",
            out_slots,
            "gradient of the hyperbolic tangent",
            "Mul (B, Sub (1, Mul (A, A)))"),
  { NULL },
};
