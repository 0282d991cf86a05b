/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* About how many operations on floats a number takes. */
#define OPERATIONS 60

typedef struct {
  SymStep step;
  guint x, y, scale, bias;
  SymPlanRows rows;
  gsize n_outer, n, n_inner;
  float epsilon;
} Rows;

static const float *
find_numbers (const SymStepRun *run, guint tensor)
{
  return tensor == SYM_PLAN_NONE ? NULL : run->places[tensor];
}

/* Rows that stay as long. */
static void
change_row (const Rows *self, const SymStepRun *run, gsize row)
{
  const float *x = run->places[self->x] + row * self->n;
  float *y = run->places[self->y] + row * self->n;
  SymVectorNorm norm = { find_numbers (run, self->scale), find_numbers (run, self->bias),
                         self->epsilon, self->rows == SYM_PLAN_NORM };

  if (self->rows == SYM_PLAN_LOG_SOFTMAX)
    sym_vector_add_to_row (y, x, -sym_vector_log_sum_row (x, self->n), self->n);
  else if (self->rows == SYM_PLAN_SOFTMAX)
    sym_vector_scale_row (y, y, 1 / sym_vector_raise_row (y, x, NULL, 1, self->n), self->n);
  else
    sym_vector_norm_row (&norm, y, x, self->n);
}

/* Many short rows. */
static gboolean
are_softened (const Rows *self)
{
  return (self->rows == SYM_PLAN_SOFTMAX || self->rows == SYM_PLAN_LOG_SOFTMAX) &&
         self->n <= SYM_VECTOR_SOFTEN_MOST && self->n_outer >= SYM_VECTOR_SOFTEN_ROWS / 8;
}

/* Rows that become one number. */
static float
reduce_row (const Rows *self, const float *x)
{
  if (self->rows == SYM_PLAN_MAXIMUM)
    return sym_vector_maximum_row (x, self->n);
  return sym_vector_sum_row (x, self->n) / (self->rows == SYM_PLAN_MEAN ? (float) self->n : 1);
}

/* Rows that become one row. */
static void
reduce_rows (const Rows *self, const SymStepRun *run, gsize outer)
{
  const float *x = run->places[self->x] + outer * self->n * self->n_inner;
  float *y = run->places[self->y] + outer * self->n_inner;

  if (self->rows == SYM_PLAN_MAXIMUM)
    sym_vector_maximum_rows (y, x, self->n, (gssize) self->n_inner, self->n_inner);
  else
    sym_vector_sum_rows (y, x, self->n, (gssize) self->n_inner, self->n_inner);
  if (self->rows == SYM_PLAN_MEAN)
    sym_vector_scale_row (y, y, 1 / (float) self->n, self->n_inner);
}

static gboolean
run_rows (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Rows *self = (const Rows *) step;
  gboolean stays = self->rows == SYM_PLAN_SOFTMAX || self->rows == SYM_PLAN_LOG_SOFTMAX ||
                   self->rows == SYM_PLAN_NORM || self->rows == SYM_PLAN_ROOT_NORM;
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_outer, &first, &end);
  if (are_softened (self))
    {
      sym_vector_soften_rows (run->places[self->y] + first * self->n,
                              run->places[self->x] + first * self->n, end - first, self->n,
                              self->rows == SYM_PLAN_LOG_SOFTMAX);
      return TRUE;
    }
  for (gsize i = first; i < end; i++)
    if (stays)
      change_row (self, run, i);
    else if (self->n_inner == 1)
      run->places[self->y][i] = reduce_row (self, run->places[self->x] + i * self->n);
    else
      reduce_rows (self, run, i);
  return TRUE;
}

static void
free_rows (SymStep *step)
{
  g_free (step);
}

static const SymStepClass class = { .run = run_rows, .free = free_rows };

SymStep *
sym_rows_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Rows *self = g_new0 (Rows, 1);

  self->x = op->x;
  self->y = op->y;
  self->scale = op->other;
  self->bias = op->third;
  self->rows = op->rows;
  self->n_outer = op->n_outer;
  self->n = op->n;
  self->n_inner = op->n_inner;
  self->epsilon = op->p;
  self->step =
      (SymStep){ .class = &class,
                 .n_slices = sym_step_count_matrix_slices (
                     graph, op->n_outer, OPERATIONS * (double) op->n * (double) op->n_inner) };
  return &self->step;
}
