/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-match-private.h"

#include <string.h>

/* The operand that is not @tensor; SYM_PLAN_NONE when none is, or both are. */
static guint
find_other (const SymPlanOp *op, guint tensor)
{
  if (op->other == SYM_PLAN_NONE || op->x == op->other)
    return SYM_PLAN_NONE;
  return op->x == tensor ? op->other : op->other == tensor ? op->x : SYM_PLAN_NONE;
}

/* A factor of all numbers of a product of matrices, before or after it. */
static gboolean
find_factor (const SymPlanMatch *self, const SymPlanOp *op, guint *rest, float *factor)
{
  guint number = op->other;

  *rest = op->x;
  if (op->kind != SYM_PLAN_ELEMENTWISE || op->other == SYM_PLAN_NONE)
    return FALSE;
  if (op->function == sym_vector_multiply && sym_plan_match_get (self, number)->constant == NULL)
    {
      number = op->x;
      *rest = op->other;
    }
  else if (op->function != sym_vector_multiply && op->function != sym_vector_divide)
    return FALSE;
  if (sym_plan_match_get (self, number)->constant == NULL ||
      sym_plan_match_get (self, number)->n != 1 ||
      sym_plan_match_get (self, *rest)->n != sym_plan_match_get (self, op->y)->n)
    return FALSE;
  *factor = *sym_plan_match_get (self, number)->constant;
  if (op->function == sym_vector_divide)
    *factor = 1 / *factor;
  return TRUE;
}

void
sym_plan_match_factor_after (const SymPlanMatch *self, SymPlanOp *op)
{
  SymPlanOp *matrix;
  float factor;
  guint rest;

  if (!find_factor (self, op, &rest, &factor))
    return;
  matrix = sym_plan_match_find_own (self, rest, SYM_PLAN_MATRIX);
  if (matrix == NULL)
    return;
  matrix->p *= factor;
  sym_plan_match_join (self, matrix, op);
}

static void
match_factor_before (const SymPlanMatch *self, SymPlanOp *op, guint *operand)
{
  SymPlanOp *scaling = sym_plan_match_find_own (self, *operand, SYM_PLAN_ELEMENTWISE);
  float factor;
  guint rest;

  if (scaling == NULL || !find_factor (self, scaling, &rest, &factor))
    return;
  op->p *= factor;
  sym_plan_match_change_operand (self, operand, rest);
}

void
sym_plan_match_factors (const SymPlanMatch *self, SymPlanOp *op)
{
  match_factor_before (self, op, &op->x);
  match_factor_before (self, op, &op->other);
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

/* Whether a score stays where the mask has these bits: @kept keeps those with bits, or omits them.
 */
static gboolean
stays (const SymPlanOp *kept, const float *bits)
{
  const float none = 0;

  return (memcmp (bits, &none, sizeof none) != 0) == (kept->function == sym_vector_keep);
}

/* Whether numbers in place of scores, of rows of @n, are as good as terms; @places are the mask. */
static gboolean
are_terms (const SymPlanOp *kept,
           const float *numbers,
           const float *places,
           gsize n_numbers,
           gsize n)
{
  for (gsize first = 0; first + n <= n_numbers; first += n)
    {
      float least = FARTHEST;

      for (gsize i = first; i < first + n; i++)
        if (stays (kept, &places[i]))
          least = FAR;
      for (gsize i = first; i < first + n; i++)
        if (!stays (kept, &places[i]) && !(numbers[i] <= least))
          return FALSE;
    }
  return TRUE;
}

/* What is put in place of others, where @kept lets them not stay: known numbers, or one number
 * where a computed condition says so. */
static gboolean
is_term (const SymPlanMatch *self, guint chosen, const SymPlanOp *kept, gsize n_keys)
{
  const SymPlanTensor *numbers = sym_plan_match_get (self, chosen),
                      *places = sym_plan_match_get (self, kept->other);
  const SymPlanOp *op = sym_plan_match_find_maker (self, chosen, SYM_PLAN_ELEMENTWISE);
  SymVectorFunction opposite =
      kept->function == sym_vector_keep ? sym_vector_omit : sym_vector_keep;

  if (numbers->shape.rank < 1 || !sym_shape_equal (&numbers->shape, &places->shape))
    return FALSE;
  if (numbers->constant != NULL && places->constant != NULL)
    return (gsize) numbers->shape.dims[numbers->shape.rank - 1] == n_keys &&
           are_terms (kept, numbers->constant, places->constant, numbers->n, n_keys);
  return op != NULL && op->function == opposite && op->other == kept->other &&
         sym_plan_match_get (self, op->x)->constant != NULL &&
         sym_plan_match_get (self, op->x)->n == 1 &&
         *sym_plan_match_get (self, op->x)->constant <= FARTHEST;
}

/* The product that @sum chooses numbers of by a mask. */
static SymPlanOp *
find_chosen_scores (const SymPlanMatch *self, const SymPlanOp *sum, guint *mask)
{
  for (guint i = 0; i < 2; i++)
    {
      guint chosen = i == 0 ? sum->other : sum->x;
      SymPlanOp *kept =
          sym_plan_match_find_own (self, i == 0 ? sum->x : sum->other, SYM_PLAN_ELEMENTWISE);
      SymPlanOp *matrix;

      if (kept == NULL || (kept->function != sym_vector_keep && kept->function != sym_vector_omit))
        continue;
      matrix = sym_plan_match_find_own (self, kept->x, SYM_PLAN_MATRIX);
      if (matrix == NULL || kept->x_period != 0 ||
          !is_term (self, chosen, kept, (gsize) matrix->grids[2].sizes[matrix->grids[2].rank - 1]))
        continue;
      *mask = chosen;
      return matrix;
    }
  return NULL;
}

static SymPlanOp *
find_summand_scores (const SymPlanMatch *self, const SymPlanOp *sum, guint *mask)
{
  SymPlanOp *matrix = sym_plan_match_find_own (self, sum->x, SYM_PLAN_MATRIX);

  if (matrix == NULL)
    matrix = sym_plan_match_find_own (self, sum->other, SYM_PLAN_MATRIX);
  if (matrix != NULL)
    *mask = find_other (sum, matrix->y);
  return matrix;
}

/* The product of queries and keys that makes the scores, perhaps with a mask added to it, or
 * numbers put in place of some. */
static SymPlanOp *
find_scores (const SymPlanMatch *self, guint scores, guint *mask)
{
  SymPlanOp *sum = sym_plan_match_find_own (self, scores, SYM_PLAN_ELEMENTWISE), *matrix = NULL;

  *mask = SYM_PLAN_NONE;
  if (sum == NULL)
    return sym_plan_match_find_own (self, scores, SYM_PLAN_MATRIX);
  if (sum->function == sym_vector_add)
    matrix = find_summand_scores (self, sum, mask);
  else if (sum->function == sym_vector_unite)
    matrix = find_chosen_scores (self, sum, mask);
  if (matrix == NULL || *mask == SYM_PLAN_NONE ||
      !sym_shape_equal (&sym_plan_match_get (self, matrix->y)->shape,
                        &sym_plan_match_get (self, sum->y)->shape))
    return NULL;
  return matrix;
}

/* @op is the product of the weights and values. */
void
sym_plan_match_attention (const SymPlanMatch *self, SymPlanOp *op)
{
  SymPlanOp *softmax = sym_plan_match_find_own (self, op->x, SYM_PLAN_ROWS), *scores;
  const SymShape *shape;
  SymPlanGrid *grids;
  guint mask;

  if (softmax == NULL || softmax->rows != SYM_PLAN_SOFTMAX || op->p != 1 ||
      !sym_plan_grid_is_plain (&op->grids[0], sym_plan_match_get (self, op->x)->n))
    return;
  scores = find_scores (self, softmax->x, &mask);
  if (scores == NULL || scores->grids[2].rank != op->grids[2].rank)
    return;
  shape = &sym_plan_match_get (self, scores->y)->shape;
  if (softmax->n != (gsize) shape->dims[shape->rank - 1] || softmax->n_inner != 1 ||
      !sym_plan_grid_is_plain (&scores->grids[2], sym_plan_match_get (self, scores->y)->n))
    return;
  grids = sym_plan_graph_add_grids (self->graph, 5);
  grids[SYM_PLAN_QUERY] = scores->grids[0];
  grids[SYM_PLAN_KEY] = scores->grids[1];
  exchange (&grids[SYM_PLAN_KEY]);
  grids[SYM_PLAN_VALUE] = op->grids[1];
  grids[SYM_PLAN_ANSWER] = op->grids[2];
  if (mask != SYM_PLAN_NONE)
    sym_plan_grid_spread (&grids[SYM_PLAN_MASK], &sym_plan_match_get (self, mask)->shape, shape);
  op->kind = SYM_PLAN_ATTENTION;
  op->grids = grids;
  op->p = scores->p;
  sym_plan_match_change_operand (self, &op->third, op->other);
  sym_plan_match_change_operand (self, &op->x, scores->x);
  sym_plan_match_change_operand (self, &op->other, scores->other);
  sym_plan_match_change_operand (self, &op->addend, mask);
}
