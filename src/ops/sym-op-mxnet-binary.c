/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* Two tensors of one shape; and two tensors that broadcast.  One dtype throughout. */
#define BINARY(name_, aliases_, formula_, summary_)                                        \
  {                                                                                        \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                 \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                  .slots = sym_op_mxnet_pair, .infer = sym_op_infer_elementwise,           \
                  .formula = formula_                                                      \
  }

#define BROADCAST(name_, aliases_, formula_, summary_)                                             \
  {                                                                                                \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                         \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE,         \
                  .slots = sym_op_mxnet_pair, .infer = sym_op_infer_broadcast, .formula = formula_ \
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

/* A condition of one axis speaks for the rows. */
static void
lower_where (SymOpLower *self)
{
  const SymShape *condition = sym_op_lower_get_input_shape (self, 0);
  int rank = sym_op_lower_get_input_shape (self, 1)->rank;
  SymId test = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (condition->rank == 1 && rank > 1)
    test = sym_op_mxnet_lower_along (self, 0, 0, rank);
  if (sym_op_lower_get_input_dtype (self, 0) != SYM_DTYPE_BOOL)
    test = sym_op_lower_cast (self, test, SYM_DTYPE_BOOL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (test, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)),
                         NULL));
}

/* ---- add_n ---- */

static void
lower_sum (SymOpLower *self)
{
  SymId sum = sym_op_lower_input (self, 0);

  for (guint i = 1; i < sym_op_lower_get_n_inputs (self); i++)
    sum = sym_op_lower_binary (self, "Add", sum, sym_op_lower_input (self, i));
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0, sum);
}

static const SymAttributeSpec num_args_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { NULL },
};

const SymOperator sym_op_mxnet_binary[] = {
  BINARY ("elemwise_add", "_Plus _plus _add _grad_add", "Add (a, b)", "sum"),
  BINARY ("elemwise_sub", "_Minus _minus _sub", "Sub (a, b)", "difference"),
  BINARY ("elemwise_mul", "_Mul _mul", "Mul (a, b)", "product of elements"),
  BINARY ("elemwise_div", "_Div _div _scatter_elemwise_div", "Div (a, b)", "quotient of elements"),
  BINARY ("_mod", "_Mod", SYM_OP_MXNET_MODULO, "remainder of the division"),
  BINARY ("_power", "_Power", "Pow (a, b)", "first to the power of the second"),
  BINARY ("_maximum", "_Maximum", "Max (a, b)", "greater one"),
  BINARY ("_minimum", "_Minimum", "Min (a, b)", "lesser one"),
  BINARY ("_hypot", "_Hypot", "Sqrt (Add (Mul (a, a), Mul (b, b)))", "hypotenuse"),
  BINARY ("_equal", "_Equal", "Cast (Equal (a, b))", "1 where both are equal"),
  BINARY ("_not_equal", "_Not_Equal", "Cast (Not (Equal (a, b)))", "1 where both differ"),
  BINARY ("_greater", "_Greater", "Cast (Greater (a, b))", "1 where the first is greater"),
  BINARY ("_greater_equal",
          "_Greater_Equal",
          "Cast (GreaterOrEqual (a, b))",
          "1 where the first is not less"),
  BINARY ("_lesser", "_Lesser", "Cast (Less (a, b))", "1 where the first is less"),
  BINARY ("_lesser_equal",
          "_Lesser_Equal",
          "Cast (LessOrEqual (a, b))",
          "1 where the first is not greater"),
  BINARY ("_logical_and",
          "_Logical_And",
          "Cast (Not (Or (Equal (a, 0), Equal (b, 0))))",
          "1 where neither is 0"),
  BINARY ("_logical_or",
          "_Logical_Or",
          "Cast (Not (And (Equal (a, 0), Equal (b, 0))))",
          "1 where one is not 0"),
  BINARY ("_logical_xor",
          "_Logical_Xor",
          "Cast (Xor (Equal (a, 0), Equal (b, 0)))",
          "1 where exactly one is not 0"),
  BROADCAST ("broadcast_add", "broadcast_plus", "Add (a, b)", "sum"),
  BROADCAST ("broadcast_sub", "broadcast_minus", "Sub (a, b)", "difference"),
  BROADCAST ("broadcast_mul", NULL, "Mul (a, b)", "product of elements"),
  BROADCAST ("broadcast_div", NULL, "Div (a, b)", "quotient of elements"),
  BROADCAST ("broadcast_mod", NULL, SYM_OP_MXNET_MODULO, "remainder of the division"),
  BROADCAST ("broadcast_power", NULL, "Pow (a, b)", "first to the power of the second"),
  BROADCAST ("broadcast_maximum", "_npi_maximum", "Max (a, b)", "greater one"),
  BROADCAST ("broadcast_minimum", "_npi_minimum", "Min (a, b)", "lesser one"),
  BROADCAST ("broadcast_hypot", NULL, "Sqrt (Add (Mul (a, a), Mul (b, b)))", "hypotenuse"),
  BROADCAST ("broadcast_equal", NULL, "Cast (Equal (a, b))", "1 where both are equal"),
  BROADCAST ("broadcast_not_equal", NULL, "Cast (Not (Equal (a, b)))", "1 where both differ"),
  BROADCAST ("broadcast_greater",
             "_npx_broadcast_greater",
             "Cast (Greater (a, b))",
             "1 where the first is greater"),
  BROADCAST ("broadcast_greater_equal",
             NULL,
             "Cast (GreaterOrEqual (a, b))",
             "1 where the first is not less"),
  BROADCAST ("broadcast_lesser", NULL, "Cast (Less (a, b))", "1 where the first is less"),
  BROADCAST ("broadcast_lesser_equal",
             NULL,
             "Cast (LessOrEqual (a, b))",
             "1 where the first is not greater"),
  BROADCAST ("broadcast_logical_and",
             NULL,
             "Cast (Not (Or (Equal (a, 0), Equal (b, 0))))",
             "1 where neither is 0"),
  BROADCAST ("broadcast_logical_or",
             NULL,
             "Cast (Not (And (Equal (a, 0), Equal (b, 0))))",
             "1 where one is not 0"),
  BROADCAST ("broadcast_logical_xor",
             NULL,
             "Cast (Xor (Equal (a, 0), Equal (b, 0)))",
             "1 where exactly one is not 0"),
  {
      SYM_OP_MXNET,
      .name = "where",
      .summary = "elements of x where the condition is not 0, else of y",
      .reference = "MXNet 1.9.1 where",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .slots = where_slots,
      .infer = infer_where,
      .lower = lower_where,
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
      .lower = lower_sum,
  },
  { NULL },
};
