/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- Concat ---- */

static const SymAttributeSpec concat_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "dim", SYM_ATTRIBUTE_INT, "1", "axis along which the operands are laid" },
  { NULL },
};

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  return sym_op_mxnet_tie_all_dtypes (rule, error) &&
         sym_op_concatenate (rule, 0, sym_rule_get_int (rule, "dim", 1), error);
}

/* ---- stack ---- */

static const SymAttributeSpec stack_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "where the new axis is in the result" },
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { NULL },
};

/* Operands are the output without its new axis. */
static gboolean
infer_stack (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  SymShape common = SYM_SHAPE_UNKNOWN, out = sym_rule_get_output (rule, 0);
  int rank, axis;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  for (guint i = 0; i < n && common.rank < 0; i++)
    common = sym_rule_get_input (rule, i);
  rank = common.rank >= 0 ? common.rank + 1 : out.rank;
  if (rank < 1 || rank > SYM_MAX_RANK)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), rank, &axis, error))
    return FALSE;
  if (common.rank < 0)
    common = sym_op_remove_axis (&out, axis);
  if (!sym_op_set_output (rule, 0, sym_op_insert_axis (&common, axis, n), SYM_DTYPE_UNKNOWN, error))
    return FALSE;
  out = sym_rule_get_output (rule, 0);
  common = sym_op_remove_axis (&out, axis);
  for (guint i = 0; i < n; i++)
    if (!sym_rule_set_input (rule, i, &common, error))
      return FALSE;
  return TRUE;
}

/* ---- Lowering ---- */

static void
lower_join (SymOpLower *self, gint64 given, gboolean is_stack)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  SymShape shape;
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 1)
    return;
  shape = *sym_op_lower_get_output_shape (self, 0);
  if (!sym_op_lower_find_axis (self, given, shape.rank, &axis))
    return;
  shape.dims[axis] = 1;
  for (guint i = 0; i < n; i++)
    parts[i] = is_stack ? sym_op_lower_reshape (self, sym_op_lower_input (self, i), &shape)
                        : sym_op_lower_input (self, i);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

static void
lower_concat (SymOpLower *self)
{
  lower_join (self, sym_op_lower_get_int (self, "dim", 1), FALSE);
}

static void
lower_stack (SymOpLower *self)
{
  lower_join (self, sym_op_lower_get_int (self, "axis", 0), TRUE);
}

const SymOperator sym_op_mxnet_concat[] = {
  {
      SYM_OP_MXNET,
      .name = "Concat",
      .aliases = "concat _rnn_param_concat _npi_rnn_param_concat",
      .summary = "lays tensors one after the other along an axis",
      .reference = "MXNet 1.9.1 Concat",
      .category = SYM_CATEGORY_MERGE,
      .attributes = concat_attributes,
      .slots = sym_op_mxnet_many,
      .get_n_operands = sym_op_mxnet_get_num_args,
      .infer = infer_concat,
      .lower = lower_concat,
  },
  {
      SYM_OP_MXNET,
      .name = "stack",
      .aliases = "_npi_stack",
      .summary = "lays tensors side by side along a new axis",
      .reference = "MXNet 1.9.1 stack",
      .category = SYM_CATEGORY_MERGE,
      .attributes = stack_attributes,
      .slots = sym_op_mxnet_many,
      .get_n_operands = sym_op_mxnet_get_num_args,
      .infer = infer_stack,
      .lower = lower_stack,
  },
  { NULL },
};
