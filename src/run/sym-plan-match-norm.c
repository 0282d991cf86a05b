/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-match-private.h"

static SymPlanOp *
find_function (const SymPlanMatch *self, guint tensor, SymVectorFunction function)
{
  SymPlanOp *op = sym_plan_match_find_maker (self, sym_plan_match_find_seen (self, tensor),
                                             SYM_PLAN_ELEMENTWISE);

  return op == NULL || op->function != function ? NULL : op;
}

/* Whether the tensor is there before the operation. */
static gboolean
is_before (const SymPlanMatch *self, guint tensor, const SymPlanOp *op)
{
  return self->makers[tensor] == SYM_PLAN_NONE || self->makers[tensor] < self->makers[op->y];
}

/* The mean of rows of x, that repeats for each number of a row. */
static const SymPlanOp *
find_mean (const SymPlanMatch *self, guint tensor, gsize period, gsize repeat)
{
  const SymPlanOp *op =
      sym_plan_match_find_maker (self, sym_plan_match_find_seen (self, tensor), SYM_PLAN_ROWS);

  if (op == NULL || op->rows != SYM_PLAN_MEAN || op->n_inner != 1)
    return NULL;
  return (period == op->n_outer || period == 1) && repeat == op->n ? op : NULL;
}

/* x less the mean of its rows. */
static const SymPlanOp *
find_centered (const SymPlanMatch *self, guint tensor)
{
  const SymPlanOp *op = find_function (self, tensor, sym_vector_subtract), *mean;

  if (op == NULL || op->x_period != 0)
    return NULL;
  mean = find_mean (self, op->other, op->other_period, op->other_repeat);
  return mean != NULL &&
                 sym_plan_match_find_seen (self, mean->x) == sym_plan_match_find_seen (self, op->x)
             ? mean
             : NULL;
}

static guint
find_squared (const SymPlanMatch *self, guint tensor)
{
  const SymPlanOp *op = find_function (self, tensor, sym_vector_square);

  if (op != NULL)
    return sym_plan_match_find_seen (self, op->x);
  op = find_function (self, tensor, sym_vector_multiply);
  return op != NULL && op->x == op->other ? sym_plan_match_find_seen (self, op->x) : SYM_PLAN_NONE;
}

/* Root (mean of squares + epsilon): the squared tensor, and epsilon. */
static guint
find_deviation (const SymPlanMatch *self, guint root, gsize n, float *epsilon)
{
  const SymPlanOp *op = find_function (self, root, sym_vector_root), *mean = NULL;

  op = op == NULL ? NULL : find_function (self, op->x, sym_vector_add);
  if (op == NULL)
    return SYM_PLAN_NONE;
  for (guint i = 0; i < 2; i++)
    {
      guint number = i == 0 ? op->other : op->x, rest = i == 0 ? op->x : op->other;

      if (sym_plan_match_get (self, number)->constant == NULL ||
          sym_plan_match_get (self, number)->n != 1)
        continue;
      mean = sym_plan_match_find_maker (self, sym_plan_match_find_seen (self, rest), SYM_PLAN_ROWS);
      *epsilon = *sym_plan_match_get (self, number)->constant;
    }
  if (mean == NULL || mean->rows != SYM_PLAN_MEAN || mean->n_inner != 1 || mean->n != n)
    return SYM_PLAN_NONE;
  return find_squared (self, mean->x);
}

/* (x - mean) / root, or x / root when nothing was taken from x, is a norm. */
static void
match_norm (const SymPlanMatch *self, SymPlanOp *op)
{
  const SymPlanOp *mean = find_centered (self, op->x), *squared_mean;
  gsize n = op->other_repeat;
  float epsilon = 0;
  guint squared;

  if (op->function != sym_vector_divide || op->x_period != 0 || op->other_period == 0 ||
      op->other_period * n != sym_plan_match_get (self, op->y)->n)
    return;
  squared = find_deviation (self, op->other, n, &epsilon);
  if (squared == SYM_PLAN_NONE || (mean != NULL && mean->n != n))
    return;
  squared_mean = find_centered (self, squared);
  if (mean == NULL ? squared != sym_plan_match_find_seen (self, op->x)
                   : squared_mean == NULL || sym_plan_match_find_seen (self, squared_mean->x) !=
                                                 sym_plan_match_find_seen (self, mean->x))
    return;
  if (mean != NULL)
    sym_plan_match_change_operand (self, &op->x, mean->x);
  sym_plan_match_change_operand (self, &op->other, SYM_PLAN_NONE);
  op->kind = SYM_PLAN_ROWS;
  op->rows = mean != NULL ? SYM_PLAN_NORM : SYM_PLAN_ROOT_NORM;
  op->n_outer = sym_plan_match_get (self, op->y)->n / n;
  op->n = n;
  op->n_inner = 1;
  op->p = epsilon;
  op->other_period = op->other_repeat = 0;
}

/* Factors after a norm, then terms. */
static void
match_norm_numbers (const SymPlanMatch *self, SymPlanOp *op)
{
  gboolean is_left = op->x_period > 0;
  guint numbers = is_left ? op->x : op->other;
  gsize period = is_left ? op->x_period : op->other_period;
  gsize repeat = is_left ? op->x_repeat : op->other_repeat;
  SymPlanOp *norm = sym_plan_match_find_own (self, is_left ? op->other : op->x, SYM_PLAN_ROWS);

  if (norm == NULL || (norm->rows != SYM_PLAN_NORM && norm->rows != SYM_PLAN_ROOT_NORM) ||
      numbers == SYM_PLAN_NONE || period != norm->n || repeat != 1 ||
      sym_plan_match_get (self, numbers)->n != norm->n || (is_left && op->other_period != 0) ||
      !is_before (self, numbers, norm) || norm->third != SYM_PLAN_NONE)
    return;
  if (op->function == sym_vector_multiply && norm->other == SYM_PLAN_NONE)
    sym_plan_match_change_operand (self, &norm->other, numbers);
  else if (op->function == sym_vector_add)
    sym_plan_match_change_operand (self, &norm->third, numbers);
  else
    return;
  sym_plan_match_join (self, norm, op);
}

void
sym_plan_match_norm (const SymPlanMatch *self, SymPlanOp *op)
{
  match_norm (self, op);
  if (op->kind == SYM_PLAN_ELEMENTWISE)
    match_norm_numbers (self, op);
}
