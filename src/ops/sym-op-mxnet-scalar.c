/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* A tensor and a number.  The result has the shape and the dtype of the tensor, both ways. */
static const SymAttributeSpec attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "1.0", "the number" },
  { "is_int", SYM_ATTRIBUTE_BOOL, "True", "whether the number was an integer in the script" },
  { NULL },
};

#define SCALAR(name_, aliases_, summary_)                                                  \
  {                                                                                        \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                 \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                  .attributes = attributes, .slots = sym_op_mxnet_data,                    \
                  .infer = sym_op_infer_elementwise                                        \
  }

const SymOperator sym_op_mxnet_scalar[] = {
  SCALAR ("_plus_scalar", "_PlusScalar _scatter_plus_scalar", "adds a number"),
  SCALAR ("_minus_scalar", "_MinusScalar _scatter_minus_scalar", "takes a number away"),
  SCALAR ("_rminus_scalar", "_RMinusScalar", "takes the data from a number"),
  SCALAR ("_mul_scalar", "_MulScalar", "multiplies by a number"),
  SCALAR ("_div_scalar", "_DivScalar", "divides by a number"),
  SCALAR ("_rdiv_scalar", "_RDivScalar", "divides a number by the data"),
  SCALAR ("_mod_scalar", "_ModScalar", "remainder of a division by a number"),
  SCALAR ("_rmod_scalar", "_RModScalar", "remainder of a number divided by the data"),
  SCALAR ("_power_scalar", "_PowerScalar", "raises to a power"),
  SCALAR ("_rpower_scalar", "_RPowerScalar", "raises a number to the power of the data"),
  SCALAR ("_maximum_scalar",
          "_MaximumScalar _npi_maximum_scalar",
          "greatest of the data and a number"),
  SCALAR ("_minimum_scalar",
          "_MinimumScalar _npi_minimum_scalar",
          "least of the data and a number"),
  SCALAR ("_hypot_scalar", "_HypotScalar _npi_hypot_scalar", "hypotenuse of the data and a number"),
  SCALAR ("_equal_scalar", "_EqualScalar", "1 where the data is the number"),
  SCALAR ("_not_equal_scalar", "_NotEqualScalar", "1 where the data is not the number"),
  SCALAR ("_greater_scalar", "_GreaterScalar", "1 where the data is greater"),
  SCALAR ("_greater_equal_scalar", "_GreaterEqualScalar", "1 where the data is not less"),
  SCALAR ("_lesser_scalar", "_LesserScalar", "1 where the data is less"),
  SCALAR ("_lesser_equal_scalar", "_LesserEqualScalar", "1 where the data is not greater"),
  SCALAR ("_logical_and_scalar", "_LogicalAndScalar", "1 where data and number are not 0"),
  SCALAR ("_logical_or_scalar", "_LogicalOrScalar", "1 where data or number is not 0"),
  SCALAR ("_logical_xor_scalar", "_LogicalXorScalar", "1 where one of both is not 0"),
  { NULL },
};
