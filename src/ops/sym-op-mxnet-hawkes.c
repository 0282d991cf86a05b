/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* The likelihood of events that make others likelier: n samples of t events of k kinds. */

static const SymSlotSpec slots[] = {
  { "lda" },   { "alpha" },        { "beta" },     { "state" }, { "lags" },
  { "marks" }, { "valid_length" }, { "max_time" }, { NULL },
};

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

static gboolean
infer_hawkes (SymRule *rule, GError **error)
{
  SymShape rates = sym_shape_new_unknown (2), lags = rates;
  SymDim n, t, k;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    if (i != 5 &&
        (!sym_rule_set_input_dtype (rule, i, sym_rule_get_output_dtype (rule, 0), error) ||
         !sym_rule_set_output_dtype (rule, 0, sym_rule_get_input_dtype (rule, i), error)))
      return FALSE;
  if (!sym_rule_set_output_dtype (rule, 1, sym_rule_get_output_dtype (rule, 0), error) ||
      !sym_rule_set_input_dtype (rule, 5, SYM_DTYPE_INT32, error) ||
      !sym_rule_set_input (rule, 0, &rates, error) || !sym_rule_set_input (rule, 4, &lags, error))
    return FALSE;
  n = sym_rule_get_input (rule, 4).dims[0];
  t = sym_rule_get_input (rule, 4).dims[1];
  k = sym_rule_get_input (rule, 0).dims[1];
  return sym_op_set_input (rule, 0, SYM_SHAPE (n, k), error) &&
         sym_op_set_input (rule, 1, SYM_SHAPE (k), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (k), error) &&
         sym_op_set_input (rule, 3, SYM_SHAPE (n, k), error) &&
         sym_op_set_input (rule, 5, SYM_SHAPE (n, t), error) &&
         sym_op_set_input (rule, 6, SYM_SHAPE (n), error) &&
         sym_op_set_input (rule, 7, SYM_SHAPE (n), error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (n), SYM_DTYPE_UNKNOWN, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (n, k), SYM_DTYPE_UNKNOWN, error);
}

const SymOperator sym_op_mxnet_hawkes[] = {
  {
      SYM_OP_MXNET,
      .name = "_contrib_hawkesll",
      .summary = "likelihood of events that make others likelier",
      .reference = "MXNet 1.9.1 _contrib_hawkesll",
      .category = SYM_CATEGORY_LOSS,
      .slots = slots,
      .get_n_outputs = get_two,
      .output_names = (const char *const[]){ "output", "out_state", NULL },
      .infer = infer_hawkes,
  },
  { NULL },
};
