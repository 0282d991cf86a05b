/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"
#include "run/sym-vector-rows-private.h"

/* Images of another size, the channels last: each row is blended of rows, then its pixels of
 * pixels.
 */

typedef struct {
  SymStep step;
  guint x, y;
  SymPlanImages from, to;
  const SymPlanTaps *down, *across; /* borrowed from the graph */
} Resize;

/* Whether row @row is the same as the one before. */
static gboolean
is_repeated (const Resize *self, gsize row)
{
  const SymPlanTaps *taps = self->down;
  gsize n = taps->n, i = row * n;

  return memcmp (taps->places + i, taps->places + i - n, n * sizeof *taps->places) == 0 &&
         memcmp (taps->weights + i, taps->weights + i - n, n * sizeof *taps->weights) == 0;
}

static void
make_row (const Resize *self, const float *image, gsize row, float *y, float *scratch)
{
  gsize n = self->from.width * self->from.channels, n_taps = self->down->n;
  const gint32 *places = self->down->places + row * n_taps;
  const float *rows[SYM_PLAN_MAX_TAPS], *line = image + (gsize) places[0] * n;
  SymVectorPixels pixels = { self->across->places, self->across->weights, self->across->n,
                             self->to.width, self->from.channels };

  if (n_taps > 1)
    {
      float *blended = self->across->is_still ? y : scratch;

      for (gsize i = 0; i < n_taps; i++)
        rows[i] = image + (gsize) places[i] * n;
      sym_vector_blend_rows (blended, rows, self->down->weights + row * n_taps, (guint) n_taps, n);
      line = blended;
    }
  if (!self->across->is_still)
    sym_vector_blend_pixels (&pixels, y, line);
  else if (line != y)
    memcpy (y, line, n * sizeof *y);
}

static gboolean
run_resize (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Resize *self = (const Resize *) step;
  gsize n = self->to.width * self->to.channels, first, end;

  sym_step_get_slice (slice, step->n_slices, self->to.n * self->to.height, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      gsize image = i / self->to.height, row = i % self->to.height;
      float *y = run->places[self->y] + i * n;

      if (i > first && row > 0 && is_repeated (self, row))
        memcpy (y, y - n, n * sizeof *y);
      else
        make_row (self,
                  run->places[self->x] +
                      image * self->from.height * self->from.width * self->from.channels,
                  row, y, run->scratch);
    }
  return TRUE;
}

static void
free_resize (SymStep *step)
{
  g_free (step);
}

static const SymStepClass resize_class = { .run = run_resize, .free = free_resize };

SymStep *
sym_resize_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Resize *self = g_new0 (Resize, 1);
  gsize n_lines = op->to.n * op->to.height;
  double n = (double) sym_plan_graph_get_tensor (graph, op->y)->n;

  self->step.class = &resize_class;
  self->x = op->x;
  self->y = op->y;
  self->from = op->from;
  self->to = op->to;
  self->down = &op->taps[0];
  self->across = &op->taps[1];
  self->step.n_slices = sym_step_count_slices (options, n / 2, n_lines);
  self->step.n_scratch = op->from.width * op->from.channels * sizeof (float);
  return &self->step;
}
