/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-binary-net.h"

#include <math.h>

#include "ops/sym-op-lower.h"
#include "ops/sym-op-mxnet.h"

/* BMXNet's layers with weights of one bit.  Saved for use (binarized_weights_only), the weight is
 * one row of words of 32 or 64 bits, whatever the library was built for. */

static const SymAttributeSpec convolution_attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, NULL, "size of the window: (h, w)" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "dilate", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window; 1 when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "what is put around the data; 0 when empty" },
  { "num_filter", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "num_group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "workspace", SYM_ATTRIBUTE_INT, "1024", "scratch memory allowed, in MB" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is no bias" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCHW" },
  { "act_bit", SYM_ATTRIBUTE_INT, "1", "bits of an activation" },
  { "scaling_factor", SYM_ATTRIBUTE_BOOL, "False", "whether results are scaled by the weights" },
  { "binarized_weights_only", SYM_ATTRIBUTE_BOOL, "False", "whether weights are packed bits" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "num_hidden", SYM_ATTRIBUTE_INT, NULL, "number of outputs of each sample" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is no bias" },
  { "flatten", SYM_ATTRIBUTE_BOOL, "True", "whether all axes but the batch are one" },
  { "act_bit", SYM_ATTRIBUTE_INT, "1", "bits of an activation" },
  { "binarized_weights_only", SYM_ATTRIBUTE_BOOL, "False", "whether weights are packed bits" },
  { NULL },
};

static const SymAttributeSpec activation_attributes[] = {
  { "act_bit", SYM_ATTRIBUTE_INT, "1", "bits of an activation" },
  { "backward_only", SYM_ATTRIBUTE_BOOL, "False", "whether only the gradient is changed" },
  { NULL },
};

static gboolean
set_packed (SymRule *rule, GError **error)
{
  return sym_op_set_input (rule, 1, sym_shape_new_unknown (1), error);
}

static gboolean
infer_convolution (SymRule *rule, GError **error)
{
  gboolean packed = sym_rule_get_bool (rule, "binarized_weights_only", FALSE);
  gint64 filters = sym_rule_get_int (rule, "num_filter", 0);
  SymOpMxnetWindows windows;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_op_mxnet_convolve (rule, &windows, error))
    return FALSE;
  if (packed ? !set_packed (rule, error)
             : !sym_op_mxnet_set_filters (rule, &windows, filters, error))
    return FALSE;
  return filters < 1 || sym_op_set_input (rule, 2, SYM_SHAPE (filters), error);
}

static gboolean
infer_dense (SymRule *rule, GError **error)
{
  gint64 hidden = sym_rule_get_int (rule, "num_hidden", 0);
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (!sym_rule_get_bool (rule, "binarized_weights_only", FALSE))
    return sym_op_mxnet_infer_dense (rule, error);
  if (!set_packed (rule, error))
    return FALSE;
  return data.rank < 1 ||
         sym_op_set_output (rule, 0,
                            SYM_SHAPE (data.dims[0], hidden > 0 ? hidden : SYM_DIM_UNKNOWN),
                            SYM_DTYPE_UNKNOWN, error);
}

/* One bit is a sign; k bits are 2^k steps from 0 to 1.  With backward_only the layers behind it do
 * that themselves. */
static void
lower_activation (SymOpLower *self)
{
  gint64 bits = sym_op_lower_get_int (self, "act_bit", 1);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x, steps;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_bool (self, "backward_only", FALSE))
    x = sym_op_lower_input (self, 0);
  else if (bits == 1)
    x = sym_op_lower_formula (self, "Where (Less (a, 0), -1, 1)");
  else if (bits > 1 && bits <= 32)
    {
      steps = sym_op_lower_number (self, dtype, ldexp (1, (int) bits) - 1);
      x = sym_op_lower_formula (self, "Min (Max (a, 0), 1)");
      x = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Mul", x, steps));
      x = sym_op_lower_binary (self, "Div", x, steps);
    }
  else
    {
      sym_op_lower_fail (self, "QActivation: act_bit is %" G_GINT64_FORMAT, bits);
      return;
    }
  sym_op_lower_set_output (self, 0, x);
}

const SymOperator sym_op_mxnet_binary_net[] = {
  {
      SYM_OP_MXNET,
      .name = "QConvolution",
      .aliases = "QConvolution_v1",
      .summary = "convolution with weights of few bits",
      .reference = "BMXNet QConvolution",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = convolution_attributes,
      .slots = sym_op_mxnet_weighted,
      .get_n_operands = sym_op_mxnet_get_n_without_bias,
      .infer = infer_convolution,
      .run = sym_op_mxnet_run_binary_convolution,
  },
  {
      SYM_OP_MXNET,
      .name = "QFullyConnected",
      .summary = "fully connected layer with weights of few bits",
      .reference = "BMXNet QFullyConnected",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = dense_attributes,
      .slots = sym_op_mxnet_weighted,
      .get_n_operands = sym_op_mxnet_get_n_without_bias,
      .infer = infer_dense,
      .run = sym_op_mxnet_run_binary_dense,
  },
  {
      SYM_OP_MXNET,
      .name = "QActivation",
      .summary = "rounds to few bits",
      .reference = "BMXNet QActivation",
      .category = SYM_CATEGORY_ACTIVATION,
      .attributes = activation_attributes,
      .slots = sym_op_mxnet_data,
      .infer = sym_op_infer_elementwise,
      .lower = lower_activation,
  },
  { NULL },
};
