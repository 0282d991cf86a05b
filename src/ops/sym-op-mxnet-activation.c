/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-lower.h"
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

static void
lower_activation (SymOpLower *self)
{
  static const char *const formulas[][2] = {
    { "relu", "Relu (a)" },         { "sigmoid", "Sigmoid (a)" },
    { "tanh", "Tanh (a)" },         { "softrelu", "Softplus (a)" },
    { "softsign", "Softsign (a)" }, { "log_sigmoid", "Neg (Softplus (Neg (a)))" },
    { "mish", "Mish (a)" },
  };
  const char *type = sym_op_lower_get_string (self, "act_type", "");

  for (guint i = 0; i < G_N_ELEMENTS (formulas); i++)
    if (strcmp (formulas[i][0], type) == 0)
      {
        sym_op_lower_set_output (self, 0, sym_op_lower_formula (self, formulas[i][1]));
        return;
      }
  sym_op_lower_refuse (self, "Activation: act_type %s is not known", type);
}

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

/* The slopes of prelu as [C, 1, 1], or [C] where the data has two axes, or one slope for all. */
static SymId
lower_slopes (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *gamma = sym_op_lower_get_input_shape (self, 1);
  SymShape shape = { .rank = MAX (data->rank - 1, 1) };
  guint64 n = 0;

  if (!sym_op_lower_need_tensor (self, 1) || !sym_shape_get_n_elements (gamma, &n))
    return SYM_NO_ID;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = 1;
  shape.dims[0] = (gint64) n;
  return sym_op_lower_reshape (self, sym_op_lower_input (self, 1), &shape);
}

/* rrelu has the mean slope when it does not train; its hidden mask is then that slope, too. */
static void
lower_leaky_relu (SymOpLower *self)
{
  const char *type = sym_op_lower_get_string (self, "act_type", "leaky");
  double slope = sym_op_lower_get_float (self, "slope", 0.25);
  SymId x = sym_op_lower_input (self, 0), y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (strcmp (type, "rrelu") == 0)
    slope = (sym_op_lower_get_float (self, "lower_bound", 0.125) +
             sym_op_lower_get_float (self, "upper_bound", 0.334)) /
            2;
  if (strcmp (type, "prelu") == 0)
    y = sym_op_lower_binary (self, "PRelu", x, lower_slopes (self));
  else if (strcmp (type, "elu") == 0)
    y = sym_op_lower_call (self, "Elu", SYM_IDS (x), "alpha", sym_value_new_float (slope), NULL);
  else if (strcmp (type, "selu") == 0)
    y = sym_op_lower_unary (self, "Selu", x);
  else if (g_str_has_prefix (type, "gelu"))
    y = sym_op_lower_call (self, "Gelu", SYM_IDS (x), "approximate",
                           sym_value_new_string (strcmp (type, "gelu_tanh") == 0 ? "tanh" : "none"),
                           NULL);
  else
    y = sym_op_lower_call (self, "LeakyRelu", SYM_IDS (x), "alpha", sym_value_new_float (slope),
                           NULL);
  sym_op_lower_set_output (self, 0, y);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1,
                             sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0),
                                                sym_op_lower_get_input_shape (self, 0), slope));
}

/* ---- SoftmaxActivation ---- */

static const SymAttributeSpec softmax_activation_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "instance",
    "instance: over all but the batch; channel: over axis 1", "instance channel" },
  { NULL },
};

static void
lower_softmax_activation (SymOpLower *self)
{
  gboolean by_channel = strcmp (sym_op_lower_get_string (self, "mode", "instance"), "channel") == 0;
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!by_channel)
    x = sym_op_lower_call (self, "Flatten", SYM_IDS (x), "axis", sym_value_new_int (1), NULL);
  x = sym_op_lower_call (self, "Softmax", SYM_IDS (x), "axis", sym_value_new_int (1), NULL);
  sym_op_lower_set_output (self, 0, by_channel ? x : sym_op_lower_reshape (self, x, data));
}

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
      .lower = lower_activation,
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
      .lower = lower_leaky_relu,
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
      .lower = lower_softmax_activation,
  },
  { NULL },
};
