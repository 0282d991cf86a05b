/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-match-private.h"

/* Whether a move makes all of its result, one after the other. */
static gboolean
is_whole (const SymPlanMatch *self, const SymPlanOp *move)
{
  return sym_plan_grid_is_plain (&move->grids[1], sym_plan_match_get (self, move->y)->n);
}

/* Reads where a move would have read. */
static void
read_through (const SymPlanMatch *self, guint *operand, SymPlanGrid *grid)
{
  for (;;)
    {
      const SymPlanOp *view = sym_plan_match_find_maker (self, *operand, SYM_PLAN_VIEW);
      const SymPlanOp *move = sym_plan_match_find_maker (self, *operand, SYM_PLAN_MOVE);

      if (view != NULL)
        sym_plan_match_change_operand (self, operand, view->x);
      else if (move != NULL && is_whole (self, move) &&
               sym_plan_grid_compose (grid, &move->grids[0]))
        sym_plan_match_change_operand (self, operand, move->x);
      else
        return;
    }
}

/* What makes the tensor for nobody else, perhaps seen through views. */
static SymPlanOp *
find_writer (const SymPlanMatch *self, guint tensor, SymPlanGrid **grid)
{
  SymPlanOp *op;

  while ((op = sym_plan_match_find_own (self, tensor, SYM_PLAN_VIEW)) != NULL)
    tensor = op->x;
  op = sym_plan_match_find_own (self, tensor, SYM_PLAN_MATRIX);
  if (op != NULL)
    *grid = &op->grids[2];
  else if ((op = sym_plan_match_find_own (self, tensor, SYM_PLAN_ATTENTION)) != NULL)
    *grid = &op->grids[SYM_PLAN_ANSWER];
  else if ((op = sym_plan_match_find_own (self, tensor, SYM_PLAN_RECURRENT)) != NULL &&
           !op->leaves_cells)
    *grid = &op->grids[SYM_PLAN_STATES];
  else
    op = NULL;
  return op;
}

/* Writes where a move would have written, if rows stay together. */
void
sym_plan_match_writes (const SymPlanMatch *self, SymPlanOp *move)
{
  SymPlanGrid *grid = NULL, back, result;
  SymPlanOp *op = find_writer (self, move->x, &grid);

  if (op == NULL || !is_whole (self, move) ||
      !sym_plan_grid_invert (&move->grids[0], sym_plan_match_get (self, move->y)->n, &back))
    return;
  result = *grid;
  if (!sym_plan_grid_compose (&result, &back) ||
      (result.strides[result.rank - 1] != 1 && result.sizes[result.rank - 1] != 1))
    return;
  *grid = result;
  sym_plan_match_join (self, op, move);
}

void
sym_plan_match_reads (const SymPlanMatch *self, SymPlanOp *op)
{
  if (op->kind == SYM_PLAN_MATRIX)
    {
      read_through (self, &op->x, &op->grids[0]);
      read_through (self, &op->other, &op->grids[1]);
    }
  if (op->kind == SYM_PLAN_APPEND)
    read_through (self, &op->other, &op->grids[SYM_PLAN_APPENDED]);
  if (op->kind == SYM_PLAN_ROTATE)
    read_through (self, &op->x, &op->grids[SYM_PLAN_ROTATED]);
  if (op->kind != SYM_PLAN_ATTENTION)
    return;
  read_through (self, &op->x, &op->grids[SYM_PLAN_QUERY]);
  read_through (self, &op->other, &op->grids[SYM_PLAN_KEY]);
  read_through (self, &op->third, &op->grids[SYM_PLAN_VALUE]);
  if (op->addend != SYM_PLAN_NONE)
    read_through (self, &op->addend, &op->grids[SYM_PLAN_MASK]);
}
