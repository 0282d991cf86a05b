/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tvm.h"

/* Parts of functions that TVM fused which look along axes. */

/* Whether what stays of @shape without the axes of @mask is @result, but for axes of size 1. */
static gboolean
leaves (const SymShape *shape, guint mask, const SymShape *result)
{
  int k = 0;

  for (int i = 0; i < shape->rank; i++)
    {
      if ((mask & (1u << i)) != 0 || shape->dims[i] == 1)
        continue;
      while (k < result->rank && result->dims[k] == 1)
        k++;
      if (k == result->rank || result->dims[k++] != shape->dims[i])
        return FALSE;
    }
  while (k < result->rank && result->dims[k] == 1)
    k++;
  return k == result->rank;
}

/* How many sets of axes above size 1 leave the result, and the first one. */
static guint
find_axes (const SymShape *shape, const SymShape *result, guint *mask)
{
  guint n = 0, ones = 0;

  for (int i = 0; i < shape->rank; i++)
    ones |= shape->dims[i] == 1 ? 1u << i : 0;
  for (guint set = 0; set < 1u << shape->rank; set++)
    if ((set & ones) == 0 && leaves (shape, set, result) && n++ == 0)
      *mask = set;
  return n;
}

static int
list_axes (guint mask, gint64 *axes)
{
  int n = 0;

  for (int i = 0; i < SYM_MAX_RANK; i++)
    if (mask & (1u << i))
      axes[n++] = i;
  return n;
}

void
sym_op_tvm_apply_reduce (SymTvmChain *chain, const SymTvmPart *part)
{
  gint64 axes[SYM_MAX_RANK];
  guint mask = 0, n = 0;
  gboolean is_told = sym_op_tvm_count (&chain->result) >= 0 && *chain->rest == '\0' &&
                     sym_op_tvm_count (&chain->shape) >= 0;

  if (is_told)
    n = find_axes (&chain->shape, &chain->result, &mask);
  if (n != 1)
    {
      sym_op_tvm_give_up (chain, part, is_told && n == 0);
      return;
    }
  if (mask != 0)
    chain->x = sym_op_lower_reduce (chain->body, part->onnx, chain->x, axes, list_axes (mask, axes),
                                    FALSE);
  chain->shape = chain->result;
  chain->x = sym_op_lower_reshape (chain->body, chain->x, &chain->shape);
}

/* ---- Pooling over whole pictures ---- */

/* Whether channels at @axis, of pictures of 4 axes, are what stays of them. */
static gboolean
keeps_channels (const SymTvmChain *chain, int axis)
{
  const SymShape *result = &chain->result;

  if (sym_op_tvm_count (result) != chain->shape.dims[0] * chain->shape.dims[axis])
    return FALSE;
  return result->rank != 4 || result->dims[axis] == chain->shape.dims[axis];
}

void
sym_op_tvm_apply_pool (SymTvmChain *chain, const SymTvmPart *part)
{
  gboolean is_known = chain->shape.rank == 4 && sym_op_tvm_count (&chain->shape) >= 0;
  gboolean is_first = is_known && keeps_channels (chain, 1);
  gboolean is_last = is_known && keeps_channels (chain, 3);
  gint64 axes[2] = { is_first ? 2 : 1, is_first ? 3 : 2 };

  if (is_first == is_last)
    {
      sym_op_tvm_give_up (chain, part,
                          chain->shape.rank != 4 ||
                              (is_known && !is_first && *chain->rest == '\0' &&
                               g_strrstr (part->name, "global") != NULL));
      return;
    }
  for (int i = 0; i < 2; i++)
    chain->shape.dims[axes[i]] = 1;
  chain->x = sym_op_lower_reduce (chain->body, part->onnx, chain->x, axes, 2, TRUE);
}

/* ---- Softmax ---- */

/* Over the only axis of more than one element, if there is one. */
void
sym_op_tvm_apply_softmax (SymTvmChain *chain, const SymTvmPart *part)
{
  int axis = -1;
  guint n = 0;

  for (int i = 0; i < chain->shape.rank; i++)
    if (chain->shape.dims[i] != 1)
      {
        axis = i;
        n++;
      }
  if (n > 1 || chain->shape.rank == 0)
    {
      sym_op_tvm_give_up (chain, part, chain->shape.rank == 0);
      return;
    }
  chain->x = sym_op_lower_call (chain->body, part->onnx, SYM_IDS (chain->x), "axis",
                                sym_value_new_int (axis), NULL);
}
