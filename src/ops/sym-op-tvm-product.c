/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tvm.h"

/* Parts of functions that TVM fused which are products of matrices. */

static SymDim
get_last (const SymShape *shape, int from_end)
{
  return shape->dims[shape->rank - from_end];
}

/* NNVM's has its bias beside the weight. */
static void
add_bias (SymTvmChain *chain)
{
  SymId bias;
  SymShape shape;

  if (chain->n_used + sym_op_tvm_count_operands (chain->rest) >=
      sym_op_lower_get_n_inputs (chain->body))
    return;
  if (sym_op_tvm_take_operand (chain, &bias, &shape))
    chain->x = sym_op_lower_binary (chain->body, "Add", chain->x, bias);
}

/* The weight is [out, in]. */
void
sym_op_tvm_apply_dense (SymTvmChain *chain, const SymTvmPart *part)
{
  SymShape shape;
  SymId weight;

  if (!sym_op_tvm_take_operand (chain, &weight, &shape))
    return;
  if (shape.rank != 2 || chain->shape.rank < 1)
    {
      sym_op_tvm_give_up (chain, part, TRUE);
      return;
    }
  chain->shape.dims[chain->shape.rank - 1] = shape.dims[0];
  chain->x = sym_op_lower_binary (chain->body, "MatMul", chain->x,
                                  sym_op_lower_transpose (chain->body, weight, 2, 1, 0));
  if (g_str_equal (part->name, "dense"))
    add_bias (chain);
}

/* The weight is [out / block, in, block]. */
void
sym_op_tvm_apply_dense_pack (SymTvmChain *chain, const SymTvmPart *part)
{
  SymShape shape, flat;
  SymId weight;

  if (!sym_op_tvm_take_operand (chain, &weight, &shape))
    return;
  if (shape.rank != 3 || chain->shape.rank != 2 || shape.dims[0] < 0 || shape.dims[2] < 0 ||
      shape.dims[1] != chain->shape.dims[1])
    {
      sym_op_tvm_give_up (chain, part, shape.rank == 3);
      return;
    }
  flat = SYM_SHAPE (shape.dims[1], shape.dims[0] * shape.dims[2]);
  weight = sym_op_lower_transpose (chain->body, weight, 3, 1, 0, 2);
  chain->x = sym_op_lower_binary (chain->body, "MatMul", chain->x,
                                  sym_op_lower_reshape (chain->body, weight, &flat));
  chain->shape.dims[1] = flat.dims[1];
}

/* Which of two matrices may be transposed, bit 0 for the first: a set of such numbers.  [m, n] of
 * the result is only known where what follows leaves it. */
static guint
find_transposes (const SymTvmChain *chain, const SymShape *b)
{
  const SymShape *a = &chain->shape, *result = &chain->result;
  gboolean is_told = result->rank == a->rank && sym_op_tvm_are_elementwise (chain->rest);
  guint found = 0;

  for (guint which = 0; which < 4; which++)
    {
      int first = which & 1 ? 1 : 2, second = which & 2 ? 2 : 1;

      if (get_last (a, 3 - first) == get_last (b, 3 - second) &&
          (!is_told || (get_last (a, first) == get_last (result, 2) &&
                        get_last (b, second) == get_last (result, 1))))
        found |= 1u << which;
    }
  return found;
}

void
sym_op_tvm_apply_matmul (SymTvmChain *chain, const SymTvmPart *part)
{
  SymShape b;
  SymId other, x = chain->x;
  int rank = chain->shape.rank;
  guint found, which;

  if (!sym_op_tvm_take_operand (chain, &other, &b))
    return;
  found = rank >= 2 && b.rank == rank ? find_transposes (chain, &b) : 0;
  if (found == 0 || (found & (found - 1)) != 0)
    {
      sym_op_tvm_give_up (chain, part, found == 0 && *chain->rest == '\0');
      return;
    }
  which = (guint) g_bit_nth_lsf (found, -1);
  if (which & 1)
    x = sym_op_lower_exchange (chain->body, x, rank);
  if (which & 2)
    other = sym_op_lower_exchange (chain->body, other, rank);
  if (which & 1)
    chain->shape.dims[rank - 2] = chain->shape.dims[rank - 1];
  chain->shape.dims[rank - 1] = get_last (&b, which & 2 ? 2 : 1);
  for (int i = 0; i < rank - 2; i++)
    chain->shape.dims[i] = MAX (chain->shape.dims[i], b.dims[i]);
  chain->x = sym_op_lower_binary (chain->body, "MatMul", x, other);
}
