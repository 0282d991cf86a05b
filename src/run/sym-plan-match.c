/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-match-private.h"

SymPlanTensor *
sym_plan_match_get (const SymPlanMatch *self, guint tensor)
{
  return sym_plan_graph_get_tensor (self->graph, tensor);
}

/* The operation of that kind that makes the tensor; NULL for none. */
SymPlanOp *
sym_plan_match_find_maker (const SymPlanMatch *self, guint tensor, SymPlanOpKind kind)
{
  SymPlanOp *op;

  if (tensor == SYM_PLAN_NONE || self->makers[tensor] == SYM_PLAN_NONE)
    return NULL;
  op = sym_plan_graph_get_op (self->graph, self->makers[tensor]);
  return op->kind == kind ? op : NULL;
}

/* The same, when nobody else needs the tensor. */
SymPlanOp *
sym_plan_match_find_own (const SymPlanMatch *self, guint tensor, SymPlanOpKind kind)
{
  return tensor == SYM_PLAN_NONE || self->n_uses[tensor] != 1
             ? NULL
             : sym_plan_match_find_maker (self, tensor, kind);
}

/* The tensor that it is another view of. */
guint
sym_plan_match_find_seen (const SymPlanMatch *self, guint tensor)
{
  const SymPlanOp *view;

  while ((view = sym_plan_match_find_maker (self, tensor, SYM_PLAN_VIEW)) != NULL)
    tensor = view->x;
  return tensor;
}

void
sym_plan_match_change_operand (const SymPlanMatch *self, guint *operand, guint tensor)
{
  if (*operand != SYM_PLAN_NONE)
    self->n_uses[*operand]--;
  if (tensor != SYM_PLAN_NONE)
    self->n_uses[tensor]++;
  *operand = tensor;
}

/* What @op needed is needed no longer. */
static void
drop (const SymPlanMatch *self, SymPlanOp *op)
{
  for (guint i = 0; i < SYM_PLAN_N_OPERANDS; i++)
    sym_plan_match_change_operand (self, sym_plan_op_get_operand (op, i), SYM_PLAN_NONE);
  op->is_gone = TRUE;
}

/* @into makes what @op made, whose use of it is over. */
void
sym_plan_match_join (const SymPlanMatch *self, SymPlanOp *into, SymPlanOp *op)
{
  self->makers[op->y] = self->makers[into->y];
  into->y = op->y;
  drop (self, op);
}

/* ---- All ---- */

static void
count_uses (const SymPlanMatch *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      self->makers[i] = SYM_PLAN_NONE;
      self->n_uses[i] = sym_plan_tensor_is_wanted (sym_plan_match_get (self, i)) ? 1 : 0;
    }
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      self->makers[op->y] = i;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        if (*sym_plan_op_get_operand (op, j) != SYM_PLAN_NONE)
          self->n_uses[*sym_plan_op_get_operand (op, j)]++;
    }
}

/* What became part of others is not computed. */
static void
drop_unused (const SymPlanMatch *self)
{
  for (guint i = self->graph->ops->len; i-- > 0;)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (!op->is_gone && self->n_uses[op->y] == 0)
        drop (self, op);
    }
}

typedef void (*Visit) (const SymPlanMatch *self, SymPlanOp *op);

static void
visit_all (const SymPlanMatch *self, SymPlanOpKind kind, Visit visit)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->kind == kind && !op->is_gone)
        visit (self, op);
    }
}

static void
match_elementwise (const SymPlanMatch *self, SymPlanOp *op)
{
  sym_plan_match_norm (self, op);
  if (!op->is_gone && op->kind == SYM_PLAN_ELEMENTWISE)
    sym_plan_match_factor_after (self, op);
}

void
sym_plan_graph_match (SymPlanGraph *self)
{
  g_autofree guint *makers = g_new (guint, self->tensors->len + 1);
  g_autofree guint *n_uses = g_new (guint, self->tensors->len + 1);
  SymPlanMatch match = { self, makers, n_uses };

  count_uses (&match);
  visit_all (&match, SYM_PLAN_ELEMENTWISE, match_elementwise);
  visit_all (&match, SYM_PLAN_MATRIX, sym_plan_match_factors);
  visit_all (&match, SYM_PLAN_MATRIX, sym_plan_match_attention);
  drop_unused (&match);
  visit_all (&match, SYM_PLAN_MATRIX, sym_plan_match_reads);
  visit_all (&match, SYM_PLAN_ATTENTION, sym_plan_match_reads);
  visit_all (&match, SYM_PLAN_ROTATE, sym_plan_match_reads);
  visit_all (&match, SYM_PLAN_APPEND, sym_plan_match_reads);
  drop_unused (&match);
  visit_all (&match, SYM_PLAN_MOVE, sym_plan_match_writes);
  drop_unused (&match);
}
