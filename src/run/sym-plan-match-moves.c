/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

/* Moves read where the views and moves before them would have read, and make what the view after
 * them would have shown: then it matters less how tensors lie in memory. */

/* Of each tensor: the last operation that makes it, how many do, and how many use it. */
typedef struct {
  SymPlanGraph *graph;
  guint *makers, *n_makers, *n_uses;
} Moves;

static void
use (const Moves *self, SymPlanOp *op, int change)
{
  for (guint i = 0; i < SYM_PLAN_N_OPERANDS; i++)
    if (*sym_plan_op_get_operand (op, i) != SYM_PLAN_NONE)
      self->n_uses[*sym_plan_op_get_operand (op, i)] += (guint) change;
}

static void
count_uses (const Moves *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    self->n_uses[i] =
        sym_plan_tensor_is_wanted (sym_plan_graph_get_tensor (self->graph, i)) ? 1 : 0;
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->is_gone)
        continue;
      self->makers[op->y] = i;
      self->n_makers[op->y]++;
      use (self, op, 1);
    }
}

/* The operation that alone makes the tensor, if it is of that kind. */
static SymPlanOp *
find_maker (const Moves *self, guint tensor, SymPlanOpKind kind)
{
  SymPlanOp *op;

  if (self->n_makers[tensor] != 1)
    return NULL;
  op = sym_plan_graph_get_op (self->graph, self->makers[tensor]);
  return op->kind == kind ? op : NULL;
}

/* Whether a move makes all of its result, one after the other. */
static gboolean
is_whole (const Moves *self, const SymPlanOp *move)
{
  return sym_plan_grid_is_plain (&move->grids[1],
                                 sym_plan_graph_get_tensor (self->graph, move->y)->n);
}

static void
read_from (const Moves *self, SymPlanOp *move, guint x)
{
  self->n_uses[move->x]--;
  self->n_uses[x]++;
  move->x = x;
}

static void
read_through (const Moves *self, SymPlanOp *move)
{
  for (;;)
    {
      const SymPlanOp *view = find_maker (self, move->x, SYM_PLAN_VIEW);
      const SymPlanOp *before = find_maker (self, move->x, SYM_PLAN_MOVE);

      if (view != NULL)
        read_from (self, move, view->x);
      else if (before != NULL && is_whole (self, before) &&
               sym_plan_grid_compose (&move->grids[0], &before->grids[0]))
        read_from (self, move, before->x);
      else
        return;
    }
}

/* The view is of what a move makes for nobody else. */
static void
write_through (const Moves *self, SymPlanOp *view)
{
  SymPlanOp *move = find_maker (self, view->x, SYM_PLAN_MOVE);

  if (move == NULL || self->n_uses[view->x] != 1)
    return;
  self->n_uses[view->x]--;
  self->makers[view->y] = self->makers[view->x];
  move->y = view->y;
  view->is_gone = TRUE;
}

/* Views and moves whose results nobody needs any more. */
static void
drop_unused (const Moves *self)
{
  for (guint i = self->graph->ops->len; i-- > 0;)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->is_gone || self->n_uses[op->y] > 0 ||
          (op->kind != SYM_PLAN_VIEW && op->kind != SYM_PLAN_MOVE))
        continue;
      use (self, op, -1);
      op->is_gone = TRUE;
    }
}

void
sym_plan_graph_match_moves (SymPlanGraph *self)
{
  g_autofree guint *makers = g_new0 (guint, self->tensors->len + 1);
  g_autofree guint *n_makers = g_new0 (guint, self->tensors->len + 1);
  g_autofree guint *n_uses = g_new0 (guint, self->tensors->len + 1);
  Moves moves = { self, makers, n_makers, n_uses };

  count_uses (&moves);
  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);

      if (op->kind == SYM_PLAN_MOVE && !op->is_gone)
        read_through (&moves, op);
      if (op->kind == SYM_PLAN_VIEW && !op->is_gone)
        write_through (&moves, op);
    }
  drop_unused (&moves);
}
