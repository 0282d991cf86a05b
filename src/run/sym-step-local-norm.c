/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"
#include "run/sym-vector-rows-private.h"

/* y = x * (bias + alpha * sum of squares) ^ -beta, the channels last: the sum is of some channels
 * around each. */

typedef struct {
  SymStep step;
  guint x, y;
  gsize n_pixels, n_channels, width; /* channels, and those that whole vectors have */
  gsize before;                      /* channels of a sum before its own */
  SymVectorLocalNorm norm;
} LocalNorm;

static gboolean
run_local_norm (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const LocalNorm *self = (const LocalNorm *) step;
  gsize n = self->n_channels, n_squares = self->width + self->norm.size, first, end;
  float *squares = run->scratch, *whole = squares + n_squares;

  memset (run->scratch, 0, step->n_scratch);
  sym_step_get_slice (slice, step->n_slices, self->n_pixels, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      const float *x = run->places[self->x] + i * n;
      float *y = run->places[self->y] + i * n;

      for (gsize c = 0; c < n; c++)
        squares[self->before + c] = x[c] * x[c];
      if (n == self->width)
        {
          sym_vector_norm_locally (&self->norm, y, x, squares, n);
          continue;
        }
      memcpy (whole, x, n * sizeof *x);
      sym_vector_norm_locally (&self->norm, whole, whole, squares, self->width);
      memcpy (y, whole, n * sizeof *y);
    }
  return TRUE;
}

static void
free_local_norm (SymStep *step)
{
  g_free (step);
}

static const SymStepClass local_norm_class = { .run = run_local_norm, .free = free_local_norm };

/* Cycles that a vector of powers takes, roughly. */
#define CYCLES 40

SymStep *
sym_local_norm_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  LocalNorm *self = g_new0 (LocalNorm, 1);
  const SymPlanTensor *y = sym_plan_graph_get_tensor (graph, op->y);

  self->step.class = &local_norm_class;
  self->x = op->x;
  self->y = op->y;
  self->n_channels = (gsize) y->shape.dims[1];
  self->n_pixels = y->n / self->n_channels;
  self->width = (self->n_channels + SYM_VECTOR_UNIT - 1) / SYM_VECTOR_UNIT * SYM_VECTOR_UNIT;
  self->before = (op->n - 1) / 2;
  self->norm = (SymVectorLocalNorm){ op->n, op->p, op->q, op->factor };
  self->step.n_scratch = (2 * self->width + op->n) * sizeof (float);
  self->step.n_slices = sym_step_count_slices (
      options, (double) (self->n_pixels * self->width) / SYM_VECTOR_UNIT * CYCLES, self->n_pixels);
  return &self->step;
}
