/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-nnvm.h"

/* What NNVM computes element by element.  Operands of broadcast_* may have different ranks, which
 * MXNet's may not; comparisons make numbers of the operands' dtype. */

static const SymAttributeSpec scalar_attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, NULL, "the number" },
  { NULL },
};

static const SymAttributeSpec fill_attributes[] = {
  { "fill_value", SYM_ATTRIBUTE_FLOAT, NULL, "the number" },
  { NULL },
};

#define ELEMENTS(name_, summary_, category_, slots_, attributes_, infer_, formula_) \
  {                                                                                 \
    NNVM (name_, summary_, category_), .slots = slots_, .attributes = attributes_,  \
                                       .infer = infer_, .formula = formula_         \
  }
#define MAP(name_, summary_, formula_)                                                      \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_nnvm_data, NULL, sym_op_infer_elementwise, \
            formula_)
#define ACTIVATION(name_, summary_, formula_) \
  ELEMENTS (name_, summary_, ACTIVATION, sym_op_nnvm_data, NULL, sym_op_infer_elementwise, formula_)
#define PAIR(name_, summary_, formula_)                                                     \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_nnvm_pair, NULL, sym_op_infer_elementwise, \
            formula_)
#define BROADCAST(name_, summary_, formula_) \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_nnvm_pair, NULL, sym_op_infer_broadcast, formula_)
#define SCALAR(name_, summary_, formula_)                                      \
  ELEMENTS (name_, summary_, ELEMENTWISE, sym_op_nnvm_data, scalar_attributes, \
            sym_op_infer_elementwise, formula_)

const SymOperator sym_op_nnvm_elements[] = {
  ACTIVATION ("relu", "Rectifier", "Relu (a)"),
  ACTIVATION ("sigmoid", "Logistic function", "Sigmoid (a)"),
  ACTIVATION ("tanh", "Hyperbolic tangent", "Tanh (a)"),
  MAP ("exp", "Exponential function", "Exp (a)"),
  MAP ("log", "Natural logarithm", "Log (a)"),
  MAP ("sqrt", "Square root", "Sqrt (a)"),
  MAP ("abs", "Absolute value", "Abs (a)"),
  MAP ("negative", "With the other sign", "Neg (a)"),
  MAP ("floor", "Rounded down", "Floor (a)"),
  MAP ("ceil", "Rounded up", "Ceil (a)"),
  MAP ("zeros_like", "Zeros of the same shape", "Expand (Cast (0), Shape (a))"),
  MAP ("ones_like", "Ones of the same shape", "Expand (Cast (1), Shape (a))"),
  ELEMENTS ("full_like",
            "One number everywhere, of the same shape",
            SHAPE,
            sym_op_nnvm_data,
            fill_attributes,
            sym_op_infer_elementwise,
            "Expand (Cast ($fill_value), Shape (a))"),
  PAIR ("elemwise_add", "Sum", "Add (a, b)"),
  PAIR ("elemwise_sub", "Difference", "Sub (a, b)"),
  PAIR ("elemwise_mul", "Product of elements", "Mul (a, b)"),
  PAIR ("elemwise_div", "Quotient", "Div (a, b)"),
  PAIR ("elemwise_pow", "Power", "Pow (a, b)"),
  PAIR ("greater", "1 where the first is greater", "Cast (Greater (a, b))"),
  PAIR ("less", "1 where the first is less", "Cast (Less (a, b))"),
  BROADCAST ("broadcast_add", "Sum", "Add (a, b)"),
  BROADCAST ("broadcast_sub", "Difference", "Sub (a, b)"),
  BROADCAST ("broadcast_mul", "Product of elements", "Mul (a, b)"),
  BROADCAST ("broadcast_div", "Quotient", "Div (a, b)"),
  BROADCAST ("broadcast_pow", "Power", "Pow (a, b)"),
  BROADCAST ("broadcast_max", "The greater one", "Max (a, b)"),
  BROADCAST ("broadcast_min", "The lesser one", "Min (a, b)"),
  BROADCAST ("broadcast_equal", "1 where both are equal", "Cast (Equal (a, b))"),
  BROADCAST ("broadcast_not_equal", "1 where both differ", "Cast (Not (Equal (a, b)))"),
  BROADCAST ("broadcast_greater", "1 where the first is greater", "Cast (Greater (a, b))"),
  BROADCAST ("broadcast_greater_equal",
             "1 where the first is not less",
             "Cast (GreaterOrEqual (a, b))"),
  BROADCAST ("broadcast_less", "1 where the first is less", "Cast (Less (a, b))"),
  BROADCAST ("broadcast_less_equal",
             "1 where the first is not greater",
             "Cast (LessOrEqual (a, b))"),
  SCALAR ("__add_scalar__", "Adds a number", "Add (a, $scalar)"),
  SCALAR ("__sub_scalar__", "Takes a number away", "Sub (a, $scalar)"),
  SCALAR ("__rsub_scalar__", "Takes the data from a number", "Sub ($scalar, a)"),
  SCALAR ("__mul_scalar__", "Multiplies by a number", "Mul (a, $scalar)"),
  SCALAR ("__div_scalar__", "Divides by a number", "Div (a, $scalar)"),
  SCALAR ("__rdiv_scalar__", "Divides a number by the data", "Div ($scalar, a)"),
  SCALAR ("__pow_scalar__", "Raises to a power", "Pow (a, $scalar)"),
  SCALAR ("__rpow_scalar__", "Raises a number to the data", "Pow ($scalar, a)"),
  { NULL },
};
