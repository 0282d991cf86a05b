/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "num_hidden", SYM_ATTRIBUTE_INT, NULL, "number of outputs of each sample" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "False", "whether there is no bias" },
  { "flatten", SYM_ATTRIBUTE_BOOL, "True", "whether all axes but the batch are one" },
  { NULL },
};

/* Number of inputs of each sample: all axes but the first, or the last one. */
static SymDim
get_n_inputs (SymRule *rule, const SymShape *data, gboolean flatten)
{
  if (!flatten)
    return data->dims[data->rank - 1];
  return sym_terms_product (sym_rule_get_terms (rule), data->dims + 1, data->rank - 1);
}

static gboolean
set_parameters (SymRule *rule, SymDim n_hidden, SymDim n_inputs, GError **error)
{
  SymShape bias = sym_rule_get_input (rule, 2);

  if (!sym_op_set_input (rule, 1, SYM_SHAPE (n_hidden, n_inputs), error))
    return FALSE;
  if (sym_rule_get_bool (rule, "no_bias", FALSE))
    return TRUE;
  return bias.rank == 2 ? sym_op_set_input (rule, 2, SYM_SHAPE (n_hidden, 1), error)
                        : sym_op_set_input (rule, 2, SYM_SHAPE (n_hidden), error);
}

/* data [N, ...], weight [H, inputs], bias [H] or [H, 1]; out [N, H], or [..., H] without flatten.
 * Nothing is told while the rank of data is not known, the batch comes back from the output. */
gboolean
sym_op_mxnet_infer_dense (SymRule *rule, GError **error)
{
  gboolean flatten = sym_rule_get_bool (rule, "flatten", TRUE);
  gint64 hidden = sym_rule_get_int (rule, "num_hidden", 0);
  SymDim n_hidden = hidden > 0 ? hidden : SYM_DIM_UNKNOWN;
  SymShape data = sym_rule_get_input (rule, 0), out;

  if (data.rank < 0)
    return TRUE;
  if (data.rank < 1)
    return sym_rule_fail (error, "data is a scalar; it should have at least one axis");
  out = flatten ? SYM_SHAPE (data.dims[0], n_hidden) : data;
  out.dims[out.rank - 1] = n_hidden;
  return sym_rule_set_output (rule, 0, &out, error) &&
         set_parameters (rule, n_hidden, get_n_inputs (rule, &data, flatten), error);
}

static gboolean
infer_fully_connected (SymRule *rule, GError **error)
{
  return sym_op_mxnet_tie_all_dtypes (rule, error) && sym_op_mxnet_infer_dense (rule, error);
}

const SymOperator sym_op_mxnet_fully_connected[] = {
  {
      SYM_OP_MXNET,
      .name = "FullyConnected",
      .aliases = "_npx_fully_connected",
      .summary = "multiplies by a matrix and adds a bias",
      .reference = "MXNet 1.9.1 FullyConnected",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = sym_op_mxnet_weighted,
      .get_n_operands = sym_op_mxnet_get_n_with_bias,
      .infer = infer_fully_connected,
  },
  { NULL },
};
