/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Operators whose meaning lies elsewhere: in the program that made the file, or in their bodies.
 * Nothing is told of their outputs but how many there are. */

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

/* ---- Control flow ---- */

static const SymAttributeSpec foreach_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of outputs" },
  { "num_out_data", SYM_ATTRIBUTE_INT, NULL, "outputs that are stacked" },
  { "in_state_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body are states" },
  { "in_data_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body are data" },
  { "remain_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body stay the same" },
  { NULL },
};

static const SymAttributeSpec while_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of outputs" },
  { "num_out_data", SYM_ATTRIBUTE_INT, NULL, "outputs that are stacked" },
  { "max_iterations", SYM_ATTRIBUTE_INT, NULL, "most iterations" },
  { "cond_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the condition" },
  { "func_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the body" },
  { "func_var_locs", SYM_ATTRIBUTE_INTS, NULL, "which operands of the body are states" },
  { NULL },
};

static const SymAttributeSpec cond_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "num_outputs", SYM_ATTRIBUTE_INT, NULL, "number of outputs" },
  { "cond_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the condition" },
  { "then_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the first branch" },
  { "else_input_locs", SYM_ATTRIBUTE_INTS, NULL, "operands of the second branch" },
  { NULL },
};

static int
get_num_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = (int) CLAMP (sym_op_get_int (attributes, "num_outputs", 1), 1, G_MAXINT16);
  return *n_visible;
}

#define FOREIGN(name_, summary_, attributes_)                                          \
  SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                .category = SYM_CATEGORY_CONTROL, .attributes = attributes_,           \
                .slots = sym_op_mxnet_many, .get_n_operands = get_any_number

const SymOperator sym_op_mxnet_foreign[] = {
  { FOREIGN ("Custom", "an operator of the program that made the file", custom_attributes) },
  { FOREIGN ("_Native", "an operator of the program that made the file", NULL) },
  { FOREIGN ("_NDArray", "an operator of the program that made the file", NULL) },
  { FOREIGN ("_foreach", "runs its body for each element", foreach_attributes),
    .get_n_outputs = get_num_outputs },
  { FOREIGN ("_while_loop", "runs its body while a condition holds", while_attributes),
    .get_n_outputs = get_num_outputs },
  { FOREIGN ("_cond", "runs one of its branches", cond_attributes),
    .get_n_outputs = get_num_outputs },
  { NULL },
};
