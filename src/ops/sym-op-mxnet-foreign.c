/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Operators whose meaning lies elsewhere, in the program that made the file: nothing is told of
 * their outputs. */

static int
get_any_number (const SymAttributes *attributes)
{
  return -1;
}

/* ---- Custom ---- */

static const SymAttributeSpec custom_attributes[] = {
  { "op_type", SYM_ATTRIBUTE_STRING, NULL, "name of the operator in the program" },
  { NULL },
};

#define FOREIGN(name_, summary_, attributes_)                                          \
  SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                .category = SYM_CATEGORY_CONTROL, .attributes = attributes_,           \
                .slots = sym_op_mxnet_many, .get_n_operands = get_any_number

const SymOperator sym_op_mxnet_foreign[] = {
  { FOREIGN ("Custom", "an operator of the program that made the file", custom_attributes),
    .aliases = "_npi_Custom" },
  { FOREIGN ("_Native", "an operator of the program that made the file", NULL) },
  { FOREIGN ("_NDArray", "an operator of the program that made the file", NULL) },
  { NULL },
};
