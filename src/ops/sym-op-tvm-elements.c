/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-tvm.h"

/* Parts of functions that TVM fused which leave numbers where they are. */

static void
broadcast (SymTvmChain *chain, const SymShape *other)
{
  SymShape *shape = &chain->shape;
  SymShape out = { .rank = MAX (shape->rank, other->rank) };

  for (int i = 0; i < out.rank; i++)
    {
      int a = i - (out.rank - shape->rank), b = i - (out.rank - other->rank);
      SymDim left = a < 0 ? 1 : shape->dims[a], right = b < 0 ? 1 : other->dims[b];

      out.dims[i] = left == 1 ? right : right == 1 || left == right ? left : MAX (left, right);
    }
  *shape = out;
}

void
sym_op_tvm_apply_unary (SymTvmChain *chain, const SymTvmPart *part)
{
  chain->x = sym_op_lower_unary (chain->body, part->onnx, chain->x);
}

void
sym_op_tvm_apply_pair (SymTvmChain *chain, const SymTvmPart *part)
{
  SymId other;
  SymShape shape;

  if (!sym_op_tvm_take_operand (chain, &other, &shape))
    return;
  broadcast (chain, &shape);
  chain->x = sym_op_lower_binary (chain->body, part->onnx, chain->x, other);
}

/* TVM's mod has the sign of what is divided, as C's. */
void
sym_op_tvm_apply_mod (SymTvmChain *chain, const SymTvmPart *part)
{
  SymId other;
  SymShape shape;

  if (!sym_op_tvm_take_operand (chain, &other, &shape))
    return;
  broadcast (chain, &shape);
  chain->x = sym_op_lower_call (chain->body, part->onnx, SYM_IDS (chain->x, other), "fmod",
                                sym_value_new_int (1), NULL);
}

/* Relay makes bools of a comparison, NNVM numbers: the graph says which. */
void
sym_op_tvm_apply_compare (SymTvmChain *chain, const SymTvmPart *part)
{
  if (part->n_operands == 1)
    sym_op_tvm_apply_pair (chain, part);
  else
    sym_op_tvm_apply_unary (chain, part);
  if (g_str_equal (part->name, "not_equal"))
    chain->x = sym_op_lower_unary (chain->body, "Not", chain->x);
  chain->dtype = SYM_DTYPE_BOOL;
  if (!sym_op_tvm_change_dtype (chain->rest) && chain->result_dtype != SYM_DTYPE_BOOL)
    sym_op_tvm_apply_cast (chain, part);
}

void
sym_op_tvm_apply_where (SymTvmChain *chain, const SymTvmPart *part)
{
  SymDType dtype = sym_op_lower_get_input_dtype (chain->body, chain->n_used);
  SymId condition = sym_op_lower_cast_from (chain->body, chain->x, chain->dtype, SYM_DTYPE_BOOL);
  SymId a, b;
  SymShape first, second;

  if (!sym_op_tvm_take_operand (chain, &a, &first) || !sym_op_tvm_take_operand (chain, &b, &second))
    return;
  broadcast (chain, &first);
  broadcast (chain, &second);
  chain->dtype = dtype;
  chain->x = sym_op_lower_call (chain->body, part->onnx, SYM_IDS (condition, a, b), NULL);
}

/* The gate of an LSTM: sigmoid (a) tanh (b). */
void
sym_op_tvm_apply_gates (SymTvmChain *chain, const SymTvmPart *part)
{
  SymId other;
  SymShape shape;

  if (!sym_op_tvm_take_operand (chain, &other, &shape))
    return;
  broadcast (chain, &shape);
  chain->x = sym_op_lower_binary (chain->body, part->onnx,
                                  sym_op_lower_unary (chain->body, "Sigmoid", chain->x),
                                  sym_op_lower_unary (chain->body, "Tanh", other));
}

/* Only the dtype of the whole is told, so that it must be the last one that is made. */
void
sym_op_tvm_apply_cast (SymTvmChain *chain, const SymTvmPart *part)
{
  if (chain->result_dtype == SYM_DTYPE_UNKNOWN || sym_op_tvm_change_dtype (chain->rest))
    {
      sym_op_tvm_give_up (chain, part, FALSE);
      return;
    }
  chain->x = sym_op_lower_cast_from (chain->body, chain->x, chain->dtype, chain->result_dtype);
  chain->dtype = chain->result_dtype;
}

void
sym_op_tvm_apply_rsqrt (SymTvmChain *chain, const SymTvmPart *part)
{
  sym_op_tvm_apply_unary (chain, part);
  chain->x = sym_op_lower_unary (chain->body, "Reciprocal", chain->x);
}

/* Logarithms of base 2 and 10. */
void
sym_op_tvm_apply_log (SymTvmChain *chain, const SymTvmPart *part)
{
  double base = g_str_equal (part->name, "log2") ? 2 : 10;

  sym_op_tvm_apply_unary (chain, part);
  chain->x = sym_op_lower_binary (chain->body, "Div", chain->x,
                                  sym_op_lower_number (chain->body, chain->dtype, log (base)));
}

/* TVM rounds halves away from 0: |x| rounded, with the sign of x. */
void
sym_op_tvm_apply_round (SymTvmChain *chain, const SymTvmPart *part)
{
  SymOpLower *body = chain->body;
  SymId size = sym_op_lower_unary (body, "Abs", chain->x);
  SymId whole = sym_op_lower_unary (body, part->onnx, size);
  SymId half = sym_op_lower_number (body, chain->dtype, 0.5);
  SymId is_up = sym_op_lower_binary (body, "GreaterOrEqual",
                                     sym_op_lower_binary (body, "Sub", size, whole), half);
  SymId sum =
      sym_op_lower_binary (body, "Add", whole, sym_op_lower_cast (body, is_up, chain->dtype));

  chain->x = sym_op_lower_binary (body, "Mul", sum, sym_op_lower_unary (body, "Sign", chain->x));
}

/* The only axis of @n elements that can be one of channels, none of the batch; -1 for several, -2
 * for none. */
static int
find_channels (const SymShape *shape, SymDim n)
{
  int found = -2;

  if (shape->rank == 1)
    return shape->dims[0] == n ? 0 : -2;
  for (int i = 1; i < shape->rank; i++)
    if (shape->dims[i] == n)
      found = found == -2 ? i : -1;
  return found;
}

/* One number for each channel: a bias, or slopes. */
void
sym_op_tvm_apply_channels (SymTvmChain *chain, const SymTvmPart *part)
{
  SymShape shape, wide = { .rank = 1 };
  SymId other;
  int axis;

  if (!sym_op_tvm_take_operand (chain, &other, &shape))
    return;
  axis = shape.rank == 1 ? find_channels (&chain->shape, shape.dims[0]) : -2;
  if (axis < 0)
    {
      sym_op_tvm_give_up (chain, part, axis == -2);
      return;
    }
  wide.rank = chain->shape.rank - axis;
  for (int i = 0; i < wide.rank; i++)
    wide.dims[i] = i == 0 ? shape.dims[0] : 1;
  if (wide.rank > 1)
    other = sym_op_lower_reshape (chain->body, other, &wide);
  chain->x = sym_op_lower_binary (chain->body, part->onnx, chain->x, other);
}
