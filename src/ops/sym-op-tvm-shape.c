/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tvm.h"

/* Parts of functions that TVM fused which move numbers.  A name does not tell where to, so that the
 * result must: it is of as many numbers, and whatever follows leaves them where they are. */

/* Whether the shape of the result is that of this part.  When the part is the last one and a size
 * is wrong, operands do not fit. */
static gboolean
ends_here (SymTvmChain *chain, const SymTvmPart *part)
{
  gint64 n = sym_op_tvm_count (&chain->shape), n_result = sym_op_tvm_count (&chain->result);

  if (n >= 0 && n == n_result && sym_op_tvm_are_elementwise (chain->rest))
    return TRUE;
  sym_op_tvm_give_up (chain, part, n >= 0 && n_result >= 0 && *chain->rest == '\0');
  return FALSE;
}

static void
skip_ones (const SymShape *shape, int *i)
{
  while (*i < shape->rank && shape->dims[*i] == 1)
    ++*i;
}

/* Whether they differ in axes of size 1 alone. */
static gboolean
differ_in_ones (const SymShape *a, const SymShape *b)
{
  int i = 0, k = 0;

  for (;; i++, k++)
    {
      skip_ones (a, &i);
      skip_ones (b, &k);
      if (i == a->rank || k == b->rank)
        return i == a->rank && k == b->rank;
      if (a->dims[i] != b->dims[k])
        return FALSE;
    }
}

static gboolean
is_of_ones (const SymTvmPart *part)
{
  return part->onnx != NULL;
}

/* Of several in a row the last one tells. */
void
sym_op_tvm_apply_reshape (SymTvmChain *chain, const SymTvmPart *part)
{
  const char *at = chain->rest;
  const SymTvmPart *next = *at == '\0' ? NULL : sym_op_tvm_take_part (&at);

  if (next != NULL && next->apply == sym_op_tvm_apply_reshape && !is_of_ones (next))
    return;
  if (!ends_here (chain, part))
    return;
  if (is_of_ones (part) && !differ_in_ones (&chain->shape, &chain->result))
    {
      sym_op_tvm_give_up (chain, part, *chain->rest == '\0');
      return;
    }
  chain->shape = chain->result;
  chain->x = sym_op_lower_reshape (chain->body, chain->x, &chain->shape);
}

/* [batch, ...] -> [batch, features] */
void
sym_op_tvm_apply_flatten (SymTvmChain *chain, const SymTvmPart *part)
{
  SymShape rest = chain->shape;

  if (rest.rank < 1)
    {
      sym_op_tvm_give_up (chain, part, TRUE);
      return;
    }
  rest.dims[0] = 1;
  chain->shape = SYM_SHAPE (chain->shape.dims[0], sym_op_tvm_count (&rest));
  chain->x = sym_op_lower_call (chain->body, "Flatten", SYM_IDS (chain->x), "axis",
                                sym_value_new_int (1), NULL);
}

/* The axis of @from for each of @to: FALSE unless sizes above 1 are all different, where those of 1
 * may go anywhere. */
static gboolean
find_order (const SymShape *from, const SymShape *to, gint64 *order)
{
  guint used = 0;

  for (int i = 0; i < to->rank; i++)
    {
      order[i] = -1;
      for (int k = 0; k < from->rank; k++)
        if (from->dims[k] == to->dims[i] && (used & (1u << k)) == 0)
          {
            if (order[i] >= 0 && to->dims[i] != 1)
              return FALSE;
            order[i] = order[i] < 0 ? k : order[i];
          }
      if (order[i] < 0)
        return FALSE;
      used |= 1u << order[i];
    }
  return TRUE;
}

void
sym_op_tvm_apply_transpose (SymTvmChain *chain, const SymTvmPart *part)
{
  gint64 order[SYM_MAX_RANK] = { 1, 0 };
  const SymShape from = chain->shape;

  if (from.rank != 2 && !ends_here (chain, part))
    return;
  if (from.rank != 2 &&
      (from.rank != chain->result.rank || !find_order (&from, &chain->result, order)))
    {
      sym_op_tvm_give_up (chain, part, FALSE);
      return;
    }
  for (int i = 0; i < from.rank; i++)
    chain->shape.dims[i] = from.dims[order[i]];
  chain->x = sym_op_lower_permute (chain->body, chain->x, order, from.rank);
}

/* ---- Concatenation ---- */

/* The only axis along which the result is of another size; -1 for none or several. */
static int
find_seam (const SymShape *a, const SymShape *result)
{
  int found = -1;

  if (a->rank != result->rank)
    return -1;
  for (int i = 0; i < a->rank; i++)
    if (a->dims[i] != result->dims[i])
      {
        if (found >= 0)
          return -1;
        found = i;
      }
  return found;
}

/* Takes all operands that no later part takes. */
void
sym_op_tvm_apply_concatenate (SymTvmChain *chain, const SymTvmPart *part)
{
  guint n_later = sym_op_tvm_count_operands (chain->rest);
  guint n_inputs = sym_op_lower_get_n_inputs (chain->body);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));
  int axis = find_seam (&chain->shape, &chain->result);

  g_array_append_val (values, chain->x);
  while (chain->n_used + n_later < n_inputs)
    {
      SymShape shape;
      SymId value;

      if (!sym_op_tvm_take_operand (chain, &value, &shape))
        return;
      g_array_append_val (values, value);
    }
  if (axis < 0 || values->len < 2 || !sym_op_tvm_are_elementwise (chain->rest))
    {
      sym_op_tvm_give_up (chain, part, FALSE);
      return;
    }
  chain->shape = chain->result;
  chain->x = sym_op_lower_call (chain->body, part->onnx,
                                (SymIds){ (const SymId *) (gpointer) values->data, values->len },
                                "axis", sym_value_new_int (axis), NULL);
}
