/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Operators on rows of numbers, and on matrices of them. */

static guint
need_computed (const SymPlanCall *call, guint i)
{
  guint x = sym_plan_call_need_operand (call, i);

  return x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->constant != NULL ? SYM_PLAN_NONE : x;
}

static gsize
count (const SymShape *shape, int begin, int end)
{
  gsize n = 1;

  for (int i = begin; i < end; i++)
    n *= (gsize) shape->dims[i];
  return n;
}

/* Axes from @begin to before @end of x. */
static SymPlanOp
new_rows (const SymPlanCall *call, guint x, SymPlanRows rows, int begin, int end)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ROWS, x);
  const SymShape *shape = &sym_plan_call_get (call, x)->shape;

  op.rows = rows;
  op.n_outer = count (shape, 0, begin);
  op.n = count (shape, begin, end);
  op.n_inner = count (shape, end, shape->rank);
  return op;
}

/* Before version 13 all axes from the one on are one row. */
static gboolean
read_softmax (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0);
  int axis, rank;
  SymPlanOp op;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  rank = sym_plan_call_get (call, x)->shape.rank;
  axis = sym_plan_call_find_axis (sym_plan_call_get_int (call, "axis", call->version < 13 ? 1 : -1),
                                  rank);
  if (axis < 0)
    return FALSE;
  op = new_rows (call, x, SYM_PLAN_SOFTMAX, axis, call->version < 13 ? rank : axis + 1);
  return op.n_inner == 1 && sym_plan_call_append (call, &op);
}

/* Factors or terms of a norm: one for each number of a row. */
static gboolean
read_numbers (const SymPlanCall *call, guint i, gsize n, guint *tensor)
{
  *tensor = sym_plan_call_need_operand (call, i);
  if (!sym_plan_call_has_operand (call, i))
    return TRUE;
  return *tensor != SYM_PLAN_NONE && sym_plan_call_get (call, *tensor)->n == n;
}

static gboolean
read_norm (SymPlanCall *call, SymPlanRows rows)
{
  guint x = need_computed (call, 0);
  int axis, rank;
  SymPlanOp op;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  rank = sym_plan_call_get (call, x)->shape.rank;
  axis = sym_plan_call_find_axis (sym_plan_call_get_int (call, "axis", -1), rank);
  if (axis < 0)
    return FALSE;
  op = new_rows (call, x, rows, axis, rank);
  op.p = (float) sym_plan_call_get_float (call, "epsilon", 1e-5);
  return read_numbers (call, 1, op.n, &op.other) && read_numbers (call, 2, op.n, &op.third) &&
         sym_plan_call_append (call, &op);
}

static gboolean
read_layer_norm (SymPlanCall *call, SymVectorFunction function)
{
  return read_norm (call, SYM_PLAN_NORM);
}

static gboolean
read_root_norm (SymPlanCall *call, SymVectorFunction function)
{
  return read_norm (call, SYM_PLAN_ROOT_NORM);
}

/* ---- Reductions ---- */

/* Axes that follow each other, all when none are told. */
static gboolean
read_axes (const SymPlanCall *call, int rank, int *begin, int *end)
{
  gboolean is_reduced[SYM_MAX_RANK] = { FALSE };
  gint64 axes[SYM_MAX_RANK];
  gboolean is_told =
      sym_attributes_find (call->attributes, "axes") != NULL || sym_plan_call_has_operand (call, 1);
  int n = is_told ? sym_plan_call_get_list (call, "axes", 1, axes, SYM_MAX_RANK) : 0;

  if (n < 0 || n > SYM_MAX_RANK ||
      (n == 0 && sym_plan_call_get_int (call, "noop_with_empty_axes", 0) != 0))
    return FALSE;
  *begin = 0;
  *end = rank;
  if (n == 0)
    return TRUE;
  for (int i = 0; i < n; i++)
    {
      int axis = sym_plan_call_find_axis (axes[i], rank);

      if (axis < 0)
        return FALSE;
      is_reduced[axis] = TRUE;
    }
  while (!is_reduced[*begin])
    (*begin)++;
  *end = *begin;
  while (*end < rank && is_reduced[*end])
    (*end)++;
  for (int i = *end; i < rank; i++)
    if (is_reduced[i])
      return FALSE;
  return TRUE;
}

static gboolean
read_reduction (SymPlanCall *call, SymPlanRows rows)
{
  guint x = need_computed (call, 0);
  int begin, end;
  SymPlanOp op;

  if (x == SYM_PLAN_NONE ||
      !read_axes (call, sym_plan_call_get (call, x)->shape.rank, &begin, &end))
    return FALSE;
  op = new_rows (call, x, rows, begin, end);
  return sym_plan_call_get (call, call->result)->n == op.n_outer * op.n_inner &&
         sym_plan_call_append (call, &op);
}

static gboolean
read_sum (SymPlanCall *call, SymVectorFunction function)
{
  return read_reduction (call, SYM_PLAN_SUM);
}

static gboolean
read_mean (SymPlanCall *call, SymVectorFunction function)
{
  return read_reduction (call, SYM_PLAN_MEAN);
}

static gboolean
read_maximum (SymPlanCall *call, SymVectorFunction function)
{
  return read_reduction (call, SYM_PLAN_MAXIMUM);
}

/* ---- Matrices ---- */

/* The operand as one of matrices of @sizes, those of the result, but for the last two axes. */
static gboolean
spread_matrices (const SymPlanCall *call, guint tensor, const SymShape *result, SymPlanGrid *grid)
{
  const SymShape *shape = &sym_plan_call_get (call, tensor)->shape;
  SymShape wanted = *result;

  if (shape->rank < 2 || shape->rank > result->rank)
    return FALSE;
  for (int i = 1; i <= 2; i++)
    wanted.dims[wanted.rank - i] = shape->dims[shape->rank - i];
  sym_plan_grid_spread (grid, shape, &wanted);
  return TRUE;
}

gboolean
sym_plan_call_append_matrix (SymPlanCall *call, guint x, guint other)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MATRIX, x);
  const SymShape *result = &sym_plan_call_get (call, call->result)->shape;
  int rank = result->rank;

  if (x == SYM_PLAN_NONE || other == SYM_PLAN_NONE || rank < 2 ||
      (sym_plan_call_get (call, x)->constant != NULL &&
       sym_plan_call_get (call, other)->constant != NULL))
    return FALSE;
  op.other = other;
  op.p = 1;
  op.grids = sym_plan_graph_add_grids (call->graph, 3);
  sym_plan_grid_init (&op.grids[2], result);
  if (!spread_matrices (call, x, result, &op.grids[0]) ||
      !spread_matrices (call, other, result, &op.grids[1]))
    return FALSE;
  if (op.grids[0].sizes[rank - 1] != op.grids[1].sizes[rank - 2] ||
      op.grids[0].sizes[rank - 2] != result->dims[rank - 2] ||
      op.grids[1].sizes[rank - 1] != result->dims[rank - 1])
    return FALSE;
  return sym_plan_call_append (call, &op);
}

const SymPlanReader sym_plan_row_readers[] = {
  { "LayerNormalization", 17, read_layer_norm, NULL },
  { "RMSNormalization", 23, read_root_norm, NULL },
  { "ReduceMax", 1, read_maximum, NULL },
  { "ReduceMean", 1, read_mean, NULL },
  { "ReduceSum", 1, read_sum, NULL },
  { "Softmax", 1, read_softmax, NULL },
  { NULL },
};
