/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* ---- Activation ---- */

static const SymAttributeSpec activation_attributes[] = {
  { "act_type", SYM_ATTRIBUTE_STRING, NULL,
    "relu, sigmoid, log_sigmoid, mish, tanh, softrelu, softsign",
    "relu sigmoid tanh softrelu softsign log_sigmoid mish" },
  { NULL },
};

static const SymSlotSpec data_slot[] = { { "data" }, { NULL } };

/* ---- LeakyReLU ---- */

static const SymAttributeSpec leaky_relu_attributes[] = {
  { "act_type", SYM_ATTRIBUTE_STRING, "leaky", "elu, gelu, leaky, prelu, rrelu, selu",
    "rrelu leaky prelu elu selu gelu gelu_erf gelu_tanh" },
  { "slope", SYM_ATTRIBUTE_FLOAT, "0.25", "slope below zero of leaky, scale of elu" },
  { "lower_bound", SYM_ATTRIBUTE_FLOAT, "0.125", "least random slope of rrelu" },
  { "upper_bound", SYM_ATTRIBUTE_FLOAT, "0.334", "greatest random slope of rrelu" },
  { NULL },
};

static const SymSlotSpec leaky_relu_slots[] = {
  { "data" },
  { "gamma", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static int
get_n_leaky_relu_operands (const SymAttributes *attributes)
{
  return sym_op_has_string (attributes, "act_type", "prelu") ? 2 : 1;
}

static int
get_n_leaky_relu_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return sym_op_has_string (attributes, "act_type", "rrelu") ? 2 : 1;
}

/* A slope for each channel unless the file says that there is one for all. */
static gboolean
infer_leaky_relu (SymRule *rule, GError **error)
{
  SymShape data, gamma;

  if (!sym_op_pass (rule, 0, 0, error) || !sym_op_pass (rule, 0, 1, error) ||
      !sym_rule_set_input_dtype (rule, 1, sym_rule_get_input_dtype (rule, 0), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  gamma = sym_rule_get_input (rule, 1);
  if (!sym_rule_has_input (rule, 1) || data.rank < 1)
    return TRUE;
  if (gamma.rank == 1 && gamma.dims[0] == 1)
    return TRUE;
  return sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[data.rank == 1 ? 0 : 1]), error);
}

/* ---- SoftmaxActivation ---- */

static const SymAttributeSpec softmax_activation_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "instance",
    "instance: over all but the batch; channel: over axis 1", "instance channel" },
  { NULL },
};

const SymOperator sym_op_mxnet_activation[] = {
  {
      .domain = "mxnet",
      .name = "Activation",
      .aliases = "_npx_activation",
      .since_version = 1,
      .summary = "applies a nonlinear function to each element",
      .reference = "MXNet 1.9.1 Activation",
      .category = SYM_CATEGORY_ACTIVATION,
      .attributes = activation_attributes,
      .slots = data_slot,
      .infer = sym_op_infer_elementwise,
  },
  {
      .domain = "mxnet",
      .name = "LeakyReLU",
      .aliases = "_npx_leaky_relu",
      .since_version = 1,
      .summary = "applies a rectifier that is not zero below zero",
      .reference = "MXNet 1.9.1 LeakyReLU",
      .category = SYM_CATEGORY_ACTIVATION,
      .attributes = leaky_relu_attributes,
      .slots = leaky_relu_slots,
      .get_n_operands = get_n_leaky_relu_operands,
      .get_n_outputs = get_n_leaky_relu_outputs,
      .output_names = (const char *const[]){ "output", "mask", NULL },
      .infer = infer_leaky_relu,
  },
  {
      .domain = "mxnet",
      .name = "SoftmaxActivation",
      .since_version = 1,
      .summary = "exponentials that sum to one",
      .reference = "MXNet 1.9.1 SoftmaxActivation",
      .category = SYM_CATEGORY_ACTIVATION,
      .attributes = softmax_activation_attributes,
      .slots = data_slot,
      .infer = sym_op_infer_elementwise,
  },
  { NULL },
};
