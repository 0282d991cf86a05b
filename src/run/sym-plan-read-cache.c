/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Operators of our own that attention with a cache is made of. */

static gboolean
read_append (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_APPEND, sym_plan_call_need_operand (call, 0));
  const SymShape *cache, *rows, *all = &sym_plan_call_get (call, call->result)->shape;

  (void) function;
  op.other = sym_plan_call_need_operand (call, 1);
  if (op.x == SYM_PLAN_NONE || op.other == SYM_PLAN_NONE || !sym_plan_call_has_operand (call, 2))
    return FALSE;
  op.fourth = sym_plan_graph_need_indices (call->graph, call->operands.ids[2]);
  cache = &sym_plan_call_get (call, op.x)->shape;
  rows = &sym_plan_call_get (call, op.other)->shape;
  if (op.fourth == SYM_PLAN_NONE || cache->rank != 4 || rows->rank != 4 || all->rank != 4 ||
      sym_plan_call_get (call, op.fourth)->n != (gsize) all->dims[0] ||
      cache->dims[2] > all->dims[2] || rows->dims[2] > all->dims[2])
    return FALSE;
  for (int i = 0; i < 4; i++)
    if (i != 2 && (cache->dims[i] != all->dims[i] || rows->dims[i] != all->dims[i]))
      return FALSE;
  op.grids = sym_plan_graph_add_grids (call->graph, 3);
  sym_plan_grid_init (&op.grids[SYM_PLAN_CACHE], &sym_plan_call_get (call, op.x)->shape);
  sym_plan_grid_init (&op.grids[SYM_PLAN_APPENDED], &sym_plan_call_get (call, op.other)->shape);
  sym_plan_grid_init (&op.grids[SYM_PLAN_ALL], &sym_plan_call_get (call, call->result)->shape);
  return sym_plan_call_append (call, &op);
}

/* Each result is an operand. */
static gboolean
read_several (SymPlanCall *call, SymVectorFunction function)
{
  (void) function;
  for (guint i = 0; i < call->results.n; i++)
    {
      guint x = sym_plan_call_need_operand (call, i), y = sym_plan_call_need_result (call, i);

      if (sym_plan_call_needs_result (call, i) &&
          (x == SYM_PLAN_NONE || y == SYM_PLAN_NONE ||
           sym_plan_call_get (call, x)->constant != NULL ||
           sym_plan_call_get (call, x)->n != sym_plan_call_get (call, y)->n))
        return FALSE;
    }
  for (guint i = 0; i < call->results.n; i++)
    {
      SymPlanOp op =
          sym_plan_call_new_op (call, SYM_PLAN_VIEW, sym_plan_call_need_operand (call, i));

      op.y = sym_plan_call_need_result (call, i);
      if (sym_plan_call_needs_result (call, i))
        sym_plan_call_append (call, &op);
    }
  return TRUE;
}

const SymPlanReader sym_plan_cache_readers[] = {
  { "Append", 1, read_append, NULL },
  { "Several", 1, read_several, NULL, TRUE },
  { NULL },
};
