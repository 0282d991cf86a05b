/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Operators on rows of numbers. */

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

/* Of rows whose numbers are not side by side: they are brought together, and back. */
static gboolean
append_turned (SymPlanCall *call, const SymPlanOp *op)
{
  gint64 outer = (gint64) op->n_outer, n = (gint64) op->n, inner = (gint64) op->n_inner;
  SymPlanGrid from = { .rank = 3,
                       .sizes = { outer, inner, n },
                       .strides = { n * inner, 1, inner } };
  SymPlanGrid back = { .rank = 3, .sizes = { outer, n, inner }, .strides = { n * inner, 1, n } };
  SymPlanOp rows = *op, move = sym_plan_call_new_op (call, SYM_PLAN_MOVE, SYM_PLAN_NONE);

  rows.x = sym_plan_call_append_move (call, op->x, &from, &SYM_SHAPE (outer, inner, n));
  rows.y = sym_plan_call_add_tensor (call, &SYM_SHAPE (outer, inner, n));
  rows.n_outer = (gsize) (outer * inner);
  rows.n_inner = 1;
  sym_plan_call_append (call, &rows);
  move.x = rows.y;
  move.grids = sym_plan_graph_add_grids (call->graph, 2);
  move.grids[0] = back;
  sym_plan_grid_init_sizes (&move.grids[1], 3, back.sizes);
  return sym_plan_call_append (call, &move);
}

/* Before version 13 all axes from the one on are one row. */
static gboolean
read_any_softmax (SymPlanCall *call, SymPlanRows rows)
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
  op = new_rows (call, x, rows, axis, call->version < 13 ? rank : axis + 1);
  return op.n_inner == 1 ? sym_plan_call_append (call, &op) : append_turned (call, &op);
}

static gboolean
read_softmax (SymPlanCall *call, SymVectorFunction function)
{
  return read_any_softmax (call, SYM_PLAN_SOFTMAX);
}

static gboolean
read_log_softmax (SymPlanCall *call, SymVectorFunction function)
{
  return read_any_softmax (call, SYM_PLAN_LOG_SOFTMAX);
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

/* The axes that are told, all when none are. */
static gboolean
read_axes (const SymPlanCall *call, int rank, gboolean *are_reduced)
{
  gint64 axes[SYM_MAX_RANK];
  gboolean is_told =
      sym_attributes_find (call->attributes, "axes") != NULL || sym_plan_call_has_operand (call, 1);
  int n = is_told ? sym_plan_call_get_list (call, "axes", 1, axes, SYM_MAX_RANK) : 0;

  if (n < 0 || n > SYM_MAX_RANK ||
      (n == 0 && sym_plan_call_get_int (call, "noop_with_empty_axes", 0) != 0))
    return FALSE;
  for (int i = 0; i < rank; i++)
    are_reduced[i] = n == 0;
  for (int i = 0; i < n; i++)
    {
      int axis = sym_plan_call_find_axis (axes[i], rank);

      if (axis < 0)
        return FALSE;
      are_reduced[axis] = TRUE;
    }
  return TRUE;
}

/* The last axes that follow each other and are to be reduced; FALSE for none. */
static gboolean
find_group (const gboolean *are_reduced, int rank, int *begin, int *end)
{
  *end = rank;
  while (*end > 0 && !are_reduced[*end - 1])
    (*end)--;
  *begin = *end;
  while (*begin > 0 && are_reduced[*begin - 1])
    (*begin)--;
  return *begin < *end;
}

/* @function of x into a tensor of its own, or into the result. */
static guint
append_function (SymPlanCall *call, guint x, SymVectorFunction function, gboolean is_last)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, x);
  SymShape shape = sym_plan_call_get (call, x)->shape;

  if (function == NULL && !is_last)
    return x;
  op.y = is_last ? call->result : sym_plan_call_add_tensor (call, &shape);
  op.function = function;
  sym_plan_call_append (call, &op);
  return op.y;
}

/* One after the other, from the last on, what follows each other; the last one makes @y. */
static void
append_groups (SymPlanCall *call, SymPlanRows rows, guint x, gboolean *are_reduced, guint y)
{
  SymShape shape = sym_plan_call_get (call, x)->shape;
  int begin, end;
  gboolean goes_on = find_group (are_reduced, shape.rank, &begin, &end);

  while (goes_on)
    {
      SymPlanOp op = new_rows (call, x, rows, begin, end);

      for (int i = begin; i < end; i++)
        {
          shape.dims[i] = 1;
          are_reduced[i] = FALSE;
        }
      goes_on = find_group (are_reduced, shape.rank, &begin, &end);
      op.y = goes_on ? sym_plan_call_add_tensor (call, &shape) : y;
      sym_plan_call_append (call, &op);
      x = op.y;
    }
}

/* @before of each number, @after of what becomes of them; NULL for neither. */
static gboolean
append_reduction (SymPlanCall *call,
                  SymPlanRows rows,
                  SymVectorFunction before,
                  SymVectorFunction after)
{
  guint x = need_computed (call, 0), y = call->result;
  SymShape shape = sym_plan_call_get (call, call->result)->shape;
  gboolean are_reduced[SYM_MAX_RANK];
  const SymShape *from;
  gint64 n = 1;

  if (x == SYM_PLAN_NONE || !read_axes (call, sym_plan_call_get (call, x)->shape.rank, are_reduced))
    return FALSE;
  from = &sym_plan_call_get (call, x)->shape;
  for (int i = 0; i < from->rank; i++)
    n *= are_reduced[i] ? 1 : from->dims[i];
  if (from->rank == 0 || sym_plan_call_get (call, y)->n != (gsize) n)
    return FALSE;
  x = append_function (call, x, before, FALSE);
  if (after != NULL)
    y = sym_plan_call_add_tensor (call, &shape);
  append_groups (call, rows, x, are_reduced, y);
  if (after != NULL)
    append_function (call, y, after, TRUE);
  return TRUE;
}

static gboolean
read_reduction (SymPlanCall *call, SymPlanRows rows)
{
  return append_reduction (call, rows, NULL, NULL);
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

static gboolean
read_minimum (SymPlanCall *call, SymVectorFunction function)
{
  return append_reduction (call, SYM_PLAN_MAXIMUM, sym_vector_negate, sym_vector_negate);
}

static gboolean
read_sum_of_sizes (SymPlanCall *call, SymVectorFunction function)
{
  return append_reduction (call, SYM_PLAN_SUM, sym_vector_absolute, NULL);
}

/* @function of the sum of squares. */
static gboolean
read_squares (SymPlanCall *call, SymVectorFunction function)
{
  return append_reduction (call, SYM_PLAN_SUM, sym_vector_square, function);
}

static gboolean
read_log_sum (SymPlanCall *call, SymVectorFunction function)
{
  return append_reduction (call, SYM_PLAN_SUM, NULL, sym_vector_log);
}

const SymPlanReader sym_plan_row_readers[] = {
  { "LayerNormalization", 17, read_layer_norm, NULL },
  { "LogSoftmax", 1, read_log_softmax, NULL },
  { "RMSNormalization", 23, read_root_norm, NULL },
  { "ReduceL1", 1, read_sum_of_sizes, NULL },
  { "ReduceL2", 1, read_squares, sym_vector_root },
  { "ReduceLogSum", 1, read_log_sum, NULL },
  { "ReduceMax", 1, read_maximum, NULL },
  { "ReduceMean", 1, read_mean, NULL },
  { "ReduceMin", 1, read_minimum, NULL },
  { "ReduceSum", 1, read_sum, NULL },
  { "ReduceSumSquare", 1, read_squares, NULL },
  { "Softmax", 1, read_softmax, NULL },
  { NULL },
};
