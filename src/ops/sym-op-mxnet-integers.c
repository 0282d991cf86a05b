/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-integers.h"

/* What is multiplied as integers by the intgemm library.  How it lays a prepared weight out is its
 * own affair and hangs on the processor; here it stays as it was. */

static SymId
number_of (SymOpLower *self, double number)
{
  return sym_op_lower_number (self, SYM_DTYPE_FLOAT32, number);
}

void
sym_op_mxnet_lower_greatest (SymOpLower *self)
{
  SymId x = sym_op_lower_unary (self, "Abs", sym_op_lower_input (self, 0));

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  x = sym_op_lower_call (self, "ReduceMax", SYM_IDS (x), "keepdims", sym_value_new_int (0), NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_reshape (self, x, &SYM_SHAPE (1)));
}

/* The greatest absolute value becomes 127. */
void
sym_op_mxnet_lower_prepared (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), factor;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_input_dtype (self, 0) == SYM_DTYPE_INT8)
    {
      sym_op_lower_set_output (self, 0, x);
      return;
    }
  if (!sym_op_lower_need_tensor (self, 1))
    return;
  factor = sym_op_lower_binary (self, "Div", number_of (self, 127), sym_op_lower_input (self, 1));
  x = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Mul", x, factor));
  x = sym_op_lower_call (self, "Clip", SYM_IDS (x, number_of (self, -127), number_of (self, 127)),
                         NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_INT8));
}

void
sym_op_mxnet_lower_taken (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 0),
                                                  sym_op_lower_input (self, 1)));
}

/* data of integers, or of numbers that are rounded by their greatest; weight, scaling, bias. */
void
sym_op_mxnet_lower_integer_dense (SymOpLower *self)
{
  gboolean integers = sym_op_lower_has_string (self, "out_type", "int32");
  guint bias = integers ? 2 : 3;
  const SymShape *weight = sym_op_lower_get_input_shape (self, 1);
  SymShape out = *sym_op_lower_get_output_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0), y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      weight->rank != 2 || out.rank < 1)
    return;
  if (sym_op_lower_get_input_dtype (self, 0) != SYM_DTYPE_INT8)
    {
      sym_op_lower_refuse (self, "%s: data of %s is not lowered; int8 is",
                           sym_op_lower_get_type (self),
                           sym_dtype_to_string (sym_op_lower_get_input_dtype (self, 0)));
      return;
    }
  if (sym_op_lower_get_bool (self, "flatten", TRUE))
    x = sym_op_lower_reshape (self, x, &SYM_SHAPE (out.dims[0], weight->dims[1]));
  y = sym_op_lower_binary (self, "MatMulInteger", x,
                           sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 2, 1, 0));
  if (!integers && sym_op_lower_need_tensor (self, 2))
    y = sym_op_lower_binary (self, "Mul", sym_op_lower_cast (self, y, SYM_DTYPE_FLOAT32),
                             sym_op_lower_input (self, 2));
  if (sym_op_lower_has_input (self, bias))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, bias));
  sym_op_lower_set_output (self, 0, y);
}
