/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Sums of products, told by a letter for each axis: "ij,jk->ik". */

static const SymAttributeSpec attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "subscripts", SYM_ATTRIBUTE_STRING, "", "a letter for each axis of each operand" },
  { "optimize", SYM_ATTRIBUTE_INT, "0", "whether the order of the products is chosen" },
  { NULL },
};

static gboolean
infer_einsum (SymRule *rule, GError **error)
{
  return sym_op_mxnet_tie_all_dtypes (rule, error) &&
         sym_op_infer_einsum (rule, sym_rule_get_string (rule, "subscripts", ""), error);
}

const SymOperator sym_op_mxnet_numpy_einsum[] = {
  {
      SYM_OP_MXNET,
      .name = "_npi_einsum",
      .summary = "sum of products, told by a letter for each axis",
      .reference = "MXNet 1.9.1 _npi_einsum",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = attributes,
      .slots = sym_op_mxnet_many,
      .get_n_operands = sym_op_mxnet_get_num_args,
      .infer = infer_einsum,
      .lower = sym_op_mxnet_lower_einsum,
  },
  { NULL },
};
