/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

#include <string.h>

/* Of each tensor: the operation that makes it, the last one where there are several, and how many
 * use it. */
typedef struct {
  SymPlanGraph *graph;
  guint *makers, *n_uses;
} Match;

static SymPlanTensor *
get (const Match *self, guint tensor)
{
  return sym_plan_graph_get_tensor (self->graph, tensor);
}

/* The operation of that kind that makes the tensor; NULL for none. */
static SymPlanOp *
find_maker (const Match *self, guint tensor, SymPlanOpKind kind)
{
  SymPlanOp *op;

  if (tensor == SYM_PLAN_NONE || self->makers[tensor] == SYM_PLAN_NONE)
    return NULL;
  op = sym_plan_graph_get_op (self->graph, self->makers[tensor]);
  return op->kind == kind ? op : NULL;
}

/* The same, when nobody else needs the tensor. */
static SymPlanOp *
find_own (const Match *self, guint tensor, SymPlanOpKind kind)
{
  return tensor == SYM_PLAN_NONE || self->n_uses[tensor] != 1 ? NULL
                                                              : find_maker (self, tensor, kind);
}

/* The tensor that it is another view of. */
static guint
find_seen (const Match *self, guint tensor)
{
  const SymPlanOp *view;

  while ((view = find_maker (self, tensor, SYM_PLAN_VIEW)) != NULL)
    tensor = view->x;
  return tensor;
}

static SymPlanOp *
find_function (const Match *self, guint tensor, SymVectorFunction function)
{
  SymPlanOp *op = find_maker (self, find_seen (self, tensor), SYM_PLAN_ELEMENTWISE);

  return op == NULL || op->function != function ? NULL : op;
}

static void
change_operand (const Match *self, guint *operand, guint tensor)
{
  if (*operand != SYM_PLAN_NONE)
    self->n_uses[*operand]--;
  if (tensor != SYM_PLAN_NONE)
    self->n_uses[tensor]++;
  *operand = tensor;
}

/* What @op needed is needed no longer. */
static void
drop (const Match *self, SymPlanOp *op)
{
  for (guint i = 0; i < SYM_PLAN_N_OPERANDS; i++)
    change_operand (self, sym_plan_op_get_operand (op, i), SYM_PLAN_NONE);
  op->is_gone = TRUE;
}

/* @into makes what @op made, whose use of it is over. */
static void
join (const Match *self, SymPlanOp *into, SymPlanOp *op)
{
  self->makers[op->y] = self->makers[into->y];
  into->y = op->y;
  drop (self, op);
}

/* Whether the tensor is there before the operation. */
static gboolean
is_before (const Match *self, guint tensor, const SymPlanOp *op)
{
  return self->makers[tensor] == SYM_PLAN_NONE || self->makers[tensor] < self->makers[op->y];
}

/* The operand that is not @tensor; SYM_PLAN_NONE when none is, or both are. */
static guint
find_other (const SymPlanOp *op, guint tensor)
{
  if (op->other == SYM_PLAN_NONE || op->x == op->other)
    return SYM_PLAN_NONE;
  return op->x == tensor ? op->other : op->other == tensor ? op->x : SYM_PLAN_NONE;
}

/* ---- Norms ---- */

/* The mean of rows of x, that repeats for each number of a row. */
static const SymPlanOp *
find_mean (const Match *self, guint tensor, gsize period, gsize repeat)
{
  const SymPlanOp *op = find_maker (self, find_seen (self, tensor), SYM_PLAN_ROWS);

  if (op == NULL || op->rows != SYM_PLAN_MEAN || op->n_inner != 1)
    return NULL;
  return (period == op->n_outer || period == 1) && repeat == op->n ? op : NULL;
}

/* x less the mean of its rows. */
static const SymPlanOp *
find_centered (const Match *self, guint tensor)
{
  const SymPlanOp *op = find_function (self, tensor, sym_vector_subtract), *mean;

  if (op == NULL || op->x_period != 0)
    return NULL;
  mean = find_mean (self, op->other, op->other_period, op->other_repeat);
  return mean != NULL && find_seen (self, mean->x) == find_seen (self, op->x) ? mean : NULL;
}

static guint
find_squared (const Match *self, guint tensor)
{
  const SymPlanOp *op = find_function (self, tensor, sym_vector_square);

  if (op != NULL)
    return find_seen (self, op->x);
  op = find_function (self, tensor, sym_vector_multiply);
  return op != NULL && op->x == op->other ? find_seen (self, op->x) : SYM_PLAN_NONE;
}

/* Root (mean of squares + epsilon): the squared tensor, and epsilon. */
static guint
find_deviation (const Match *self, guint root, gsize n, float *epsilon)
{
  const SymPlanOp *op = find_function (self, root, sym_vector_root), *mean = NULL;

  op = op == NULL ? NULL : find_function (self, op->x, sym_vector_add);
  if (op == NULL)
    return SYM_PLAN_NONE;
  for (guint i = 0; i < 2; i++)
    {
      guint number = i == 0 ? op->other : op->x, rest = i == 0 ? op->x : op->other;

      if (get (self, number)->constant == NULL || get (self, number)->n != 1)
        continue;
      mean = find_maker (self, find_seen (self, rest), SYM_PLAN_ROWS);
      *epsilon = *get (self, number)->constant;
    }
  if (mean == NULL || mean->rows != SYM_PLAN_MEAN || mean->n_inner != 1 || mean->n != n)
    return SYM_PLAN_NONE;
  return find_squared (self, mean->x);
}

/* (x - mean) / root, or x / root when nothing was taken from x, is a norm. */
static void
match_norm (const Match *self, SymPlanOp *op)
{
  const SymPlanOp *mean = find_centered (self, op->x), *squared_mean;
  gsize n = op->other_repeat;
  float epsilon = 0;
  guint squared;

  if (op->function != sym_vector_divide || op->x_period != 0 || op->other_period == 0 ||
      op->other_period * n != get (self, op->y)->n)
    return;
  squared = find_deviation (self, op->other, n, &epsilon);
  if (squared == SYM_PLAN_NONE || (mean != NULL && mean->n != n))
    return;
  squared_mean = find_centered (self, squared);
  if (mean == NULL
          ? squared != find_seen (self, op->x)
          : squared_mean == NULL || find_seen (self, squared_mean->x) != find_seen (self, mean->x))
    return;
  if (mean != NULL)
    change_operand (self, &op->x, mean->x);
  change_operand (self, &op->other, SYM_PLAN_NONE);
  op->kind = SYM_PLAN_ROWS;
  op->rows = mean != NULL ? SYM_PLAN_NORM : SYM_PLAN_ROOT_NORM;
  op->n_outer = get (self, op->y)->n / n;
  op->n = n;
  op->n_inner = 1;
  op->p = epsilon;
  op->other_period = op->other_repeat = 0;
}

/* Factors after a norm, then terms. */
static void
match_norm_numbers (const Match *self, SymPlanOp *op)
{
  gboolean is_left = op->x_period > 0;
  guint numbers = is_left ? op->x : op->other;
  gsize period = is_left ? op->x_period : op->other_period;
  gsize repeat = is_left ? op->x_repeat : op->other_repeat;
  SymPlanOp *norm = find_own (self, is_left ? op->other : op->x, SYM_PLAN_ROWS);

  if (norm == NULL || (norm->rows != SYM_PLAN_NORM && norm->rows != SYM_PLAN_ROOT_NORM) ||
      numbers == SYM_PLAN_NONE || period != norm->n || repeat != 1 ||
      get (self, numbers)->n != norm->n || (is_left && op->other_period != 0) ||
      !is_before (self, numbers, norm) || norm->third != SYM_PLAN_NONE)
    return;
  if (op->function == sym_vector_multiply && norm->other == SYM_PLAN_NONE)
    change_operand (self, &norm->other, numbers);
  else if (op->function == sym_vector_add)
    change_operand (self, &norm->third, numbers);
  else
    return;
  join (self, norm, op);
}

/* ---- Attention ---- */

/* A factor of all numbers of a product of matrices, before or after it. */
static gboolean
find_factor (const Match *self, const SymPlanOp *op, guint *rest, float *factor)
{
  guint number = op->other;

  *rest = op->x;
  if (op->kind != SYM_PLAN_ELEMENTWISE || op->other == SYM_PLAN_NONE)
    return FALSE;
  if (op->function == sym_vector_multiply && get (self, number)->constant == NULL)
    {
      number = op->x;
      *rest = op->other;
    }
  else if (op->function != sym_vector_multiply && op->function != sym_vector_divide)
    return FALSE;
  if (get (self, number)->constant == NULL || get (self, number)->n != 1 ||
      get (self, *rest)->n != get (self, op->y)->n)
    return FALSE;
  *factor = *get (self, number)->constant;
  if (op->function == sym_vector_divide)
    *factor = 1 / *factor;
  return TRUE;
}

static void
match_factor_after (const Match *self, SymPlanOp *op)
{
  SymPlanOp *matrix;
  float factor;
  guint rest;

  if (!find_factor (self, op, &rest, &factor))
    return;
  matrix = find_own (self, rest, SYM_PLAN_MATRIX);
  if (matrix == NULL)
    return;
  matrix->p *= factor;
  join (self, matrix, op);
}

static void
match_factor_before (const Match *self, SymPlanOp *op, guint *operand)
{
  SymPlanOp *scaling = find_own (self, *operand, SYM_PLAN_ELEMENTWISE);
  float factor;
  guint rest;

  if (scaling == NULL || !find_factor (self, scaling, &rest, &factor))
    return;
  op->p *= factor;
  change_operand (self, operand, rest);
}

/* Whether the grid is of the tensor as it lies in memory. */
static gboolean
is_plain (const Match *self, const SymPlanGrid *grid, guint tensor)
{
  SymPlanGrid joined = *grid;

  sym_plan_grid_join (&joined);
  if (joined.offset != 0 || joined.rank > 1)
    return FALSE;
  return joined.rank == 0
             ? get (self, tensor)->n == 1
             : joined.strides[0] == 1 && (gsize) joined.sizes[0] == get (self, tensor)->n;
}

static void
exchange (SymPlanGrid *grid)
{
  int a = grid->rank - 2, b = grid->rank - 1;
  gint64 size = grid->sizes[a], stride = grid->strides[a];

  grid->sizes[a] = grid->sizes[b];
  grid->strides[a] = grid->strides[b];
  grid->sizes[b] = size;
  grid->strides[b] = stride;
}

/* What is put in place of scores is as good as added to them: so far below that nothing is left of
 * it beside others, of which each row has some, or so far that whatever is added to it is lost. */
#define FAR -1e4f
#define FARTHEST -1e30f

/* Whether numbers in place of scores, of rows of @n, are as good as terms; @places are those that
 * stay, by their bits. */
static gboolean
are_terms (const float *numbers, const float *places, gsize n_numbers, gsize n)
{
  const float none = 0;

  for (gsize first = 0; first + n <= n_numbers; first += n)
    {
      float least = FARTHEST;

      for (gsize i = first; i < first + n; i++)
        if (memcmp (&places[i], &none, sizeof none) != 0)
          least = FAR;
      for (gsize i = first; i < first + n; i++)
        if (memcmp (&places[i], &none, sizeof none) == 0 && !(numbers[i] <= least))
          return FALSE;
    }
  return TRUE;
}

/* What is put in place of others, where @kept says so: known numbers, or one number where a
 * computed condition says so. */
static gboolean
is_term (const Match *self, guint chosen, const SymPlanOp *kept, gsize n_keys)
{
  const SymPlanTensor *numbers = get (self, chosen), *places = get (self, kept->other);
  const SymPlanOp *op = find_maker (self, chosen, SYM_PLAN_ELEMENTWISE);

  if (numbers->shape.rank < 1 || !sym_shape_equal (&numbers->shape, &places->shape))
    return FALSE;
  if (numbers->constant != NULL && places->constant != NULL)
    return (gsize) numbers->shape.dims[numbers->shape.rank - 1] == n_keys &&
           are_terms (numbers->constant, places->constant, numbers->n, n_keys);
  return op != NULL && op->function == sym_vector_omit && op->other == kept->other &&
         get (self, op->x)->constant != NULL && get (self, op->x)->n == 1 &&
         *get (self, op->x)->constant <= FARTHEST;
}

/* The product that @sum chooses numbers of by a mask. */
static SymPlanOp *
find_chosen_scores (const Match *self, const SymPlanOp *sum, guint *mask)
{
  for (guint i = 0; i < 2; i++)
    {
      guint chosen = i == 0 ? sum->other : sum->x;
      SymPlanOp *kept = find_own (self, i == 0 ? sum->x : sum->other, SYM_PLAN_ELEMENTWISE);
      SymPlanOp *matrix;

      if (kept == NULL || kept->function != sym_vector_keep)
        continue;
      matrix = find_own (self, kept->x, SYM_PLAN_MATRIX);
      if (matrix == NULL || kept->x_period != 0 ||
          !is_term (self, chosen, kept, (gsize) matrix->grids[2].sizes[matrix->grids[2].rank - 1]))
        continue;
      *mask = chosen;
      return matrix;
    }
  return NULL;
}

static SymPlanOp *
find_summand_scores (const Match *self, const SymPlanOp *sum, guint *mask)
{
  SymPlanOp *matrix = find_own (self, sum->x, SYM_PLAN_MATRIX);

  if (matrix == NULL)
    matrix = find_own (self, sum->other, SYM_PLAN_MATRIX);
  if (matrix != NULL)
    *mask = find_other (sum, matrix->y);
  return matrix;
}

/* The product of queries and keys that makes the scores, perhaps with a mask added to it, or
 * numbers put in place of some. */
static SymPlanOp *
find_scores (const Match *self, guint scores, guint *mask)
{
  SymPlanOp *sum = find_own (self, scores, SYM_PLAN_ELEMENTWISE), *matrix = NULL;

  *mask = SYM_PLAN_NONE;
  if (sum == NULL)
    return find_own (self, scores, SYM_PLAN_MATRIX);
  if (sum->function == sym_vector_add)
    matrix = find_summand_scores (self, sum, mask);
  else if (sum->function == sym_vector_unite)
    matrix = find_chosen_scores (self, sum, mask);
  if (matrix == NULL || *mask == SYM_PLAN_NONE ||
      !sym_shape_equal (&get (self, matrix->y)->shape, &get (self, sum->y)->shape))
    return NULL;
  return matrix;
}

/* @op is the product of the weights and values. */
static void
match_attention (const Match *self, SymPlanOp *op)
{
  SymPlanOp *softmax = find_own (self, op->x, SYM_PLAN_ROWS), *scores;
  const SymShape *shape;
  SymPlanGrid *grids;
  guint mask;

  if (softmax == NULL || softmax->rows != SYM_PLAN_SOFTMAX || op->p != 1 ||
      !is_plain (self, &op->grids[0], op->x))
    return;
  scores = find_scores (self, softmax->x, &mask);
  if (scores == NULL || scores->grids[2].rank != op->grids[2].rank)
    return;
  shape = &get (self, scores->y)->shape;
  if (softmax->n != (gsize) shape->dims[shape->rank - 1] || softmax->n_inner != 1 ||
      !is_plain (self, &scores->grids[2], scores->y))
    return;
  grids = sym_plan_graph_add_grids (self->graph, 5);
  grids[SYM_PLAN_QUERY] = scores->grids[0];
  grids[SYM_PLAN_KEY] = scores->grids[1];
  exchange (&grids[SYM_PLAN_KEY]);
  grids[SYM_PLAN_VALUE] = op->grids[1];
  grids[SYM_PLAN_ANSWER] = op->grids[2];
  if (mask != SYM_PLAN_NONE)
    sym_plan_grid_spread (&grids[SYM_PLAN_MASK], &get (self, mask)->shape, shape);
  op->kind = SYM_PLAN_ATTENTION;
  op->grids = grids;
  op->p = scores->p;
  change_operand (self, &op->third, op->other);
  change_operand (self, &op->x, scores->x);
  change_operand (self, &op->other, scores->other);
  change_operand (self, &op->addend, mask);
}

/* ---- Moves ---- */

/* Whether a move makes all of its result, one after the other. */
static gboolean
is_whole (const Match *self, const SymPlanOp *move)
{
  return is_plain (self, &move->grids[1], move->y);
}

/* Reads where a move would have read. */
static void
read_through (const Match *self, guint *operand, SymPlanGrid *grid)
{
  for (;;)
    {
      const SymPlanOp *view = find_maker (self, *operand, SYM_PLAN_VIEW);
      const SymPlanOp *move = find_maker (self, *operand, SYM_PLAN_MOVE);

      if (view != NULL)
        change_operand (self, operand, view->x);
      else if (move != NULL && is_whole (self, move) &&
               sym_plan_grid_compose (grid, &move->grids[0]))
        change_operand (self, operand, move->x);
      else
        return;
    }
}

/* What makes the tensor for nobody else, perhaps seen through views. */
static SymPlanOp *
find_writer (const Match *self, guint tensor, SymPlanGrid **grid)
{
  SymPlanOp *op;

  while ((op = find_own (self, tensor, SYM_PLAN_VIEW)) != NULL)
    tensor = op->x;
  op = find_own (self, tensor, SYM_PLAN_MATRIX);
  if (op != NULL)
    *grid = &op->grids[2];
  else if ((op = find_own (self, tensor, SYM_PLAN_ATTENTION)) != NULL)
    *grid = &op->grids[SYM_PLAN_ANSWER];
  else if ((op = find_own (self, tensor, SYM_PLAN_RECURRENT)) != NULL && !op->leaves_cells)
    *grid = &op->grids[SYM_PLAN_STATES];
  else
    op = NULL;
  return op;
}

/* Writes where a move would have written, if rows stay together. */
static void
write_through (const Match *self, SymPlanOp *move)
{
  SymPlanGrid *grid = NULL, back, result;
  SymPlanOp *op = find_writer (self, move->x, &grid);

  if (op == NULL || !is_whole (self, move) ||
      !sym_plan_grid_invert (&move->grids[0], get (self, move->y)->n, &back))
    return;
  result = *grid;
  if (!sym_plan_grid_compose (&result, &back) ||
      (result.strides[result.rank - 1] != 1 && result.sizes[result.rank - 1] != 1))
    return;
  *grid = result;
  join (self, op, move);
}

static void
read_all_through (const Match *self, SymPlanOp *op)
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

/* ---- All ---- */

static void
count_uses (const Match *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      self->makers[i] = SYM_PLAN_NONE;
      self->n_uses[i] = sym_plan_tensor_is_wanted (get (self, i)) ? 1 : 0;
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
drop_unused (const Match *self)
{
  for (guint i = self->graph->ops->len; i-- > 0;)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (!op->is_gone && self->n_uses[op->y] == 0)
        drop (self, op);
    }
}

typedef void (*Visit) (const Match *self, SymPlanOp *op);

static void
visit_all (const Match *self, SymPlanOpKind kind, Visit visit)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->kind == kind && !op->is_gone)
        visit (self, op);
    }
}

static void
match_elementwise (const Match *self, SymPlanOp *op)
{
  match_norm (self, op);
  if (op->kind == SYM_PLAN_ELEMENTWISE)
    match_norm_numbers (self, op);
  if (!op->is_gone && op->kind == SYM_PLAN_ELEMENTWISE)
    match_factor_after (self, op);
}

static void
match_matrix (const Match *self, SymPlanOp *op)
{
  match_factor_before (self, op, &op->x);
  match_factor_before (self, op, &op->other);
}

void
sym_plan_graph_match (SymPlanGraph *self)
{
  g_autofree guint *makers = g_new (guint, self->tensors->len + 1);
  g_autofree guint *n_uses = g_new (guint, self->tensors->len + 1);
  Match match = { self, makers, n_uses };

  count_uses (&match);
  visit_all (&match, SYM_PLAN_ELEMENTWISE, match_elementwise);
  visit_all (&match, SYM_PLAN_MATRIX, match_matrix);
  visit_all (&match, SYM_PLAN_MATRIX, match_attention);
  drop_unused (&match);
  visit_all (&match, SYM_PLAN_MATRIX, read_all_through);
  visit_all (&match, SYM_PLAN_ATTENTION, read_all_through);
  visit_all (&match, SYM_PLAN_ROTATE, read_all_through);
  visit_all (&match, SYM_PLAN_APPEND, read_all_through);
  drop_unused (&match);
  visit_all (&match, SYM_PLAN_MOVE, write_through);
  drop_unused (&match);
}
