/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Two tensors of one shape; and two tensors that broadcast.  One dtype throughout. */
#define BINARY(name_, aliases_, summary_)                                                  \
  {                                                                                        \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                 \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                  .slots = sym_op_mxnet_pair, .infer = sym_op_infer_elementwise            \
  }

#define BROADCAST(name_, aliases_, summary_)                                               \
  {                                                                                        \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                 \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                  .slots = sym_op_mxnet_pair, .infer = sym_op_infer_broadcast              \
  }

/* ---- where ---- */

static const SymSlotSpec where_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };

/* The condition has the shape of x and y, or says it for each of their rows. */
static gboolean
infer_where (SymRule *rule, GError **error)
{
  SymShape condition = sym_rule_get_input (rule, 0), x;

  if (!sym_rule_tie_shapes (rule, 1, 2, error) || !sym_rule_tie_dtypes (rule, 1, 2, error))
    return FALSE;
  x = sym_rule_get_input (rule, 1);
  if (x.rank < 0 || condition.rank < 0)
    return TRUE;
  if (condition.rank == x.rank)
    return sym_rule_set_input (rule, 0, &x, error);
  if (condition.rank == 1)
    return sym_op_set_input (rule, 0, SYM_SHAPE (x.dims[0]), error);
  return sym_rule_fail (error, "condition has %d axes; it should have 1 or %d", condition.rank,
                        x.rank);
}

/* ---- add_n ---- */

static const SymAttributeSpec num_args_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { NULL },
};

const SymOperator sym_op_mxnet_binary[] = {
  BINARY ("elemwise_add", "_Plus _plus _add _grad_add", "sum"),
  BINARY ("elemwise_sub", "_Minus _minus _sub", "difference"),
  BINARY ("elemwise_mul", "_Mul _mul", "product of elements"),
  BINARY ("elemwise_div", "_Div _div _scatter_elemwise_div", "quotient of elements"),
  BINARY ("_mod", "_Mod", "remainder of the division"),
  BINARY ("_power", "_Power", "first to the power of the second"),
  BINARY ("_maximum", "_Maximum", "greater one"),
  BINARY ("_minimum", "_Minimum", "lesser one"),
  BINARY ("_hypot", "_Hypot", "hypotenuse"),
  BINARY ("_equal", "_Equal", "1 where both are equal"),
  BINARY ("_not_equal", "_Not_Equal", "1 where both differ"),
  BINARY ("_greater", "_Greater", "1 where the first is greater"),
  BINARY ("_greater_equal", "_Greater_Equal", "1 where the first is not less"),
  BINARY ("_lesser", "_Lesser", "1 where the first is less"),
  BINARY ("_lesser_equal", "_Lesser_Equal", "1 where the first is not greater"),
  BINARY ("_logical_and", "_Logical_And", "1 where neither is 0"),
  BINARY ("_logical_or", "_Logical_Or", "1 where one is not 0"),
  BINARY ("_logical_xor", "_Logical_Xor", "1 where exactly one is not 0"),
  BROADCAST ("broadcast_add", "broadcast_plus", "sum"),
  BROADCAST ("broadcast_sub", "broadcast_minus", "difference"),
  BROADCAST ("broadcast_mul", NULL, "product of elements"),
  BROADCAST ("broadcast_div", NULL, "quotient of elements"),
  BROADCAST ("broadcast_mod", NULL, "remainder of the division"),
  BROADCAST ("broadcast_power", NULL, "first to the power of the second"),
  BROADCAST ("broadcast_maximum", "_npi_maximum", "greater one"),
  BROADCAST ("broadcast_minimum", "_npi_minimum", "lesser one"),
  BROADCAST ("broadcast_hypot", NULL, "hypotenuse"),
  BROADCAST ("broadcast_equal", NULL, "1 where both are equal"),
  BROADCAST ("broadcast_not_equal", NULL, "1 where both differ"),
  BROADCAST ("broadcast_greater", "_npx_broadcast_greater", "1 where the first is greater"),
  BROADCAST ("broadcast_greater_equal", NULL, "1 where the first is not less"),
  BROADCAST ("broadcast_lesser", NULL, "1 where the first is less"),
  BROADCAST ("broadcast_lesser_equal", NULL, "1 where the first is not greater"),
  BROADCAST ("broadcast_logical_and", NULL, "1 where neither is 0"),
  BROADCAST ("broadcast_logical_or", NULL, "1 where one is not 0"),
  BROADCAST ("broadcast_logical_xor", NULL, "1 where exactly one is not 0"),
  {
      SYM_OP_MXNET,
      .name = "where",
      .summary = "elements of x where the condition is not 0, else of y",
      .reference = "MXNet 1.9.1 where",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .slots = where_slots,
      .infer = infer_where,
  },
  {
      SYM_OP_MXNET,
      .name = "add_n",
      .aliases = "ElementWiseSum _sum _npx_add_n",
      .summary = "sum of all operands",
      .reference = "MXNet 1.9.1 add_n",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = num_args_attributes,
      .slots = sym_op_mxnet_many,
      .get_n_operands = sym_op_mxnet_get_num_args,
      .infer = sym_op_infer_elementwise,
  },
  { NULL },
};
