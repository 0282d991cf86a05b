/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* A tensor and a number.  The result has the shape and the dtype of the tensor, both ways. */
static const SymAttributeSpec attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "1.0", "the number" },
  { "is_int", SYM_ATTRIBUTE_BOOL, "True", "whether the number was an integer in the script" },
  { NULL },
};

#define SCALAR(name_, aliases_, formula_, summary_)                                        \
  {                                                                                        \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                 \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                  .attributes = attributes, .slots = sym_op_mxnet_data,                    \
                  .infer = sym_op_infer_elementwise, .formula = formula_                   \
  }

const SymOperator sym_op_mxnet_scalar[] = {
  SCALAR ("_plus_scalar", "_PlusScalar _scatter_plus_scalar", "Add (a, $scalar)", "adds a number"),
  SCALAR ("_minus_scalar",
          "_MinusScalar _scatter_minus_scalar",
          "Sub (a, $scalar)",
          "takes a number away"),
  SCALAR ("_rminus_scalar", "_RMinusScalar", "Sub ($scalar, a)", "takes the data from a number"),
  SCALAR ("_mul_scalar", "_MulScalar", "Mul (a, $scalar)", "multiplies by a number"),
  SCALAR ("_div_scalar", "_DivScalar", "Div (a, $scalar)", "divides by a number"),
  SCALAR ("_rdiv_scalar", "_RDivScalar", "Div ($scalar, a)", "divides a number by the data"),
  SCALAR ("_mod_scalar",
          "_ModScalar",
          SYM_OP_MXNET_MODULO_OF ("a", "$scalar"),
          "remainder of a division by a number"),
  SCALAR ("_rmod_scalar",
          "_RModScalar",
          SYM_OP_MXNET_MODULO_OF ("$scalar", "a"),
          "remainder of a number divided by the data"),
  SCALAR ("_power_scalar", "_PowerScalar", "Pow (a, $scalar)", "raises to a power"),
  SCALAR ("_rpower_scalar",
          "_RPowerScalar",
          "Pow ($scalar, a)",
          "raises a number to the power of the data"),
  SCALAR ("_maximum_scalar",
          "_MaximumScalar _npi_maximum_scalar",
          "Max (a, $scalar)",
          "greatest of the data and a number"),
  SCALAR ("_minimum_scalar",
          "_MinimumScalar _npi_minimum_scalar",
          "Min (a, $scalar)",
          "least of the data and a number"),
  SCALAR ("_hypot_scalar",
          "_HypotScalar _npi_hypot_scalar",
          "Sqrt (Add (Mul (a, a), Mul ($scalar, $scalar)))",
          "hypotenuse of the data and a number"),
  SCALAR ("_equal_scalar",
          "_EqualScalar",
          "Cast (Equal (a, $scalar))",
          "1 where the data is the number"),
  SCALAR ("_not_equal_scalar",
          "_NotEqualScalar",
          "Cast (Not (Equal (a, $scalar)))",
          "1 where the data is not the number"),
  SCALAR ("_greater_scalar",
          "_GreaterScalar",
          "Cast (Greater (a, $scalar))",
          "1 where the data is greater"),
  SCALAR ("_greater_equal_scalar",
          "_GreaterEqualScalar",
          "Cast (GreaterOrEqual (a, $scalar))",
          "1 where the data is not less"),
  SCALAR ("_lesser_scalar",
          "_LesserScalar",
          "Cast (Less (a, $scalar))",
          "1 where the data is less"),
  SCALAR ("_lesser_equal_scalar",
          "_LesserEqualScalar",
          "Cast (LessOrEqual (a, $scalar))",
          "1 where the data is not greater"),
  SCALAR ("_logical_and_scalar",
          "_LogicalAndScalar",
          "Cast (Not (Or (Equal (a, 0), Equal ($scalar, 0))))",
          "1 where data and number are not 0"),
  SCALAR ("_logical_or_scalar",
          "_LogicalOrScalar",
          "Cast (Not (And (Equal (a, 0), Equal ($scalar, 0))))",
          "1 where data or number is not 0"),
  SCALAR ("_logical_xor_scalar",
          "_LogicalXorScalar",
          "Cast (Xor (Equal (a, 0), Equal ($scalar, 0)))",
          "1 where one of both is not 0"),
  { NULL },
};
