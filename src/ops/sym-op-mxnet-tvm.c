/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* The few operators that MXNet had TVM compile. */

static const SymSlotSpec slots[] = { { "a" }, { "b" }, { NULL } };

/* [m, k] . [k, n] -> [m, n] */
static gboolean
infer_dot (SymRule *rule, GError **error)
{
  SymShape a, b, out;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (2), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (2), error))
    return FALSE;
  a = sym_rule_get_input (rule, 0);
  b = sym_rule_get_input (rule, 1);
  out = SYM_SHAPE (a.dims[0], b.dims[1]);
  return sym_rule_unify (rule, a.dims[1], b.dims[0], "columns of a", error) &&
         sym_rule_set_output (rule, 0, &out, error);
}

const SymOperator sym_op_mxnet_tvm[] = {
  {
      SYM_OP_MXNET,
      .name = "_contrib_tvm_dot",
      .aliases = "_contrib_tvm_dot_fallback",
      .summary = "product of two matrices",
      .reference = "MXNet 1.9.1 _contrib_tvm_dot",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .slots = slots,
      .infer = infer_dot,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_tvm_vadd",
      .summary = "sum of two tensors that broadcast",
      .reference = "MXNet 1.9.1 _contrib_tvm_vadd",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .slots = slots,
      .infer = sym_op_infer_broadcast,
  },
  { NULL },
};
