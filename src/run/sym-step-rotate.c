/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* Features of a row in pairs, each turned by an angle that the row's place has. */

/* About how many operations of a product a feature takes. */
#define OPERATIONS 8

typedef struct {
  SymStep step;
  guint x, y, cosines, sines, positions;
  SymDType dtype; /* of positions */
  SymPlanGrid from, to;
  gsize n_batch, n_heads, n_rows, size, n_pairs, n_angles;
  gboolean is_halved;
} Rotate;

/* The row of angles for a row of a sample; FALSE when its position is none of them. */
static gboolean
find_angles (const Rotate *self, const SymStepRun *run, gsize row, gsize *angles, GError **error)
{
  const void *positions;
  gint64 told, position;

  *angles = row;
  if (self->positions == SYM_PLAN_NONE)
    return TRUE;
  positions = run->places[self->positions];
  told = self->dtype == SYM_DTYPE_INT64 ? ((const gint64 *) positions)[row]
                                        : ((const gint32 *) positions)[row];
  position = told < 0 ? told + (gint64) self->n_angles : told;
  if (position < 0 || position >= (gint64) self->n_angles)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "there is no position %" G_GINT64_FORMAT " among %" G_GSIZE_FORMAT, told,
                   self->n_angles);
      return FALSE;
    }
  *angles = (gsize) position;
  return TRUE;
}

static gssize
find_row (const SymPlanGrid *grid, gsize batch, gsize row)
{
  return grid->offset + (gssize) batch * grid->strides[0] + (gssize) row * grid->strides[2];
}

/* The features of a row side by side. */
static const float *
gather (const Rotate *self, const SymStepRun *run, const float *x)
{
  float *features = run->scratch;

  if (self->from.strides[3] == 1)
    return x;
  for (gsize i = 0; i < self->size; i++)
    features[i] = x[(gssize) i * self->from.strides[3]];
  return features;
}

static gboolean
run_rotate (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Rotate *self = (const Rotate *) step;
  gsize first, end, n_turned = 2 * self->n_pairs;

  sym_step_get_slice (slice, step->n_slices, self->n_batch * self->n_rows, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      gsize batch = i / self->n_rows, row = i % self->n_rows, angles;
      const float *x = run->places[self->x] + find_row (&self->from, batch, row);
      float *y = run->places[self->y] + find_row (&self->to, batch, row);

      if (!find_angles (self, run, i, &angles, error))
        return FALSE;
      angles *= self->n_pairs;
      for (gsize head = 0; head < self->n_heads; head++)
        {
          const float *features = gather (self, run, x);

          sym_vector_rotate_row (y, features, run->places[self->cosines] + angles,
                                 run->places[self->sines] + angles, self->n_pairs, self->is_halved);
          memcpy (y + n_turned, features + n_turned, (self->size - n_turned) * sizeof *y);
          x += self->from.strides[1];
          y += self->to.strides[1];
        }
    }
  return TRUE;
}

static void
free_rotate (SymStep *step)
{
  g_free (step);
}

static const SymStepClass class = { .run = run_rotate, .free = free_rotate };

SymStep *
sym_rotate_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Rotate *self = g_new0 (Rotate, 1);
  const gint64 *sizes = op->grids[SYM_PLAN_ROTATED].sizes;

  self->x = op->x;
  self->y = op->y;
  self->cosines = op->other;
  self->sines = op->third;
  self->positions = op->fourth;
  if (op->fourth != SYM_PLAN_NONE)
    self->dtype = sym_plan_graph_get_tensor (graph, op->fourth)->dtype;
  self->from = op->grids[SYM_PLAN_ROTATED];
  self->to = op->grids[SYM_PLAN_ROTATION];
  self->n_batch = (gsize) sizes[0];
  self->n_heads = (gsize) sizes[1];
  self->n_rows = (gsize) sizes[2];
  self->size = (gsize) sizes[3];
  self->n_pairs = op->n;
  self->n_angles = sym_plan_graph_get_tensor (graph, op->other)->n / op->n;
  self->is_halved = op->is_halved;
  self->step = (SymStep){ .class = &class,
                          .n_scratch = self->size * sizeof (float),
                          .n_slices = sym_step_count_matrix_slices (
                              graph, self->n_batch * self->n_rows,
                              OPERATIONS * (double) (self->n_heads * self->size)) };
  return &self->step;
}
