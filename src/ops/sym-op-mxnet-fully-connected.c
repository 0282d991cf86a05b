/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
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

/* A bias of [H, 1], which old files have, is one of [H]. */
static SymId
lower_bias (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 2);

  if (shape->rank != 2)
    return sym_op_lower_input (self, 2);
  return sym_op_lower_reshape (self, sym_op_lower_input (self, 2), &SYM_SHAPE (shape->dims[0]));
}

static void
lower_fully_connected (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *matrix = sym_op_lower_get_input_shape (self, 1);
  SymId x = sym_op_lower_input (self, 0), weight = sym_op_lower_input (self, 1);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (data->rank < 1 || matrix->rank != 2)
    {
      sym_op_lower_fail (self,
                         "FullyConnected: data has %d axes, weight %d; at least 1 and 2 are "
                         "needed",
                         data->rank, matrix->rank);
      return;
    }
  if (sym_op_lower_get_bool (self, "flatten", TRUE) || data->rank == 2)
    {
      if (data->rank == 1)
        x = sym_op_lower_reshape (self, x, &SYM_SHAPE (data->dims[0], 1));
      else if (data->rank != 2)
        x = sym_op_lower_reshape (self, x, &SYM_SHAPE (data->dims[0], matrix->dims[1]));
      x = sym_op_lower_call (self, "Gemm", SYM_IDS (x, weight, lower_bias (self)), "transB",
                             sym_value_new_int (1), NULL);
    }
  else
    {
      x = sym_op_lower_binary (self, "MatMul", x, sym_op_lower_transpose (self, weight, 2, 1, 0));
      if (sym_op_lower_has_input (self, 2))
        x = sym_op_lower_binary (self, "Add", x, lower_bias (self));
    }
  sym_op_lower_set_output (self, 0, x);
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
      .lower = lower_fully_connected,
  },
  { NULL },
};
