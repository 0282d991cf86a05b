/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* Rows of a cache, with others put where each sample has room for them. */

/* About how many operations of a product a number takes. */
#define OPERATIONS 10

typedef struct {
  SymStep step;
  guint cache, rows, y, places;
  SymDType dtype; /* of places */
  SymPlanGrid grids[3];
} Append;

static gboolean
find_place (const Append *self, const SymStepRun *run, gsize batch, gint64 *place, GError **error)
{
  const void *places = run->places[self->places];
  gint64 most = self->grids[SYM_PLAN_ALL].sizes[2] - self->grids[SYM_PLAN_APPENDED].sizes[2];

  *place = self->dtype == SYM_DTYPE_INT64 ? ((const gint64 *) places)[batch]
                                          : ((const gint32 *) places)[batch];
  if (*place >= 0 && *place <= most)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
               "rows from %" G_GINT64_FORMAT " on are not within %" G_GINT64_FORMAT, *place, most);
  return FALSE;
}

static void
copy_rows (const SymPlanGrid *grid, float *y, const float *x)
{
  gsize n = (gsize) grid->sizes[3];

  if (grid->strides[3] == 1)
    sym_vector_copy_rows (y, (gssize) n, x, grid->strides[2], (gsize) grid->sizes[2], n);
  else
    for (gint64 i = 0; i < grid->sizes[2]; i++)
      for (gsize j = 0; j < n; j++)
        *y++ = x[i * grid->strides[2] + (gint64) j * grid->strides[3]];
}

static gboolean
run_append (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Append *self = (const Append *) step;
  const SymPlanGrid *cache = &self->grids[SYM_PLAN_CACHE], *all = &self->grids[SYM_PLAN_ALL];
  gsize first, end, size = (gsize) all->sizes[3], n_heads = (gsize) all->sizes[1];
  gsize n_old = (gsize) cache->sizes[2] * size, n_all = (gsize) all->sizes[2] * size;

  sym_step_get_slice (slice, step->n_slices, (gsize) all->sizes[0] * n_heads, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      float *y = run->places[self->y] + i * n_all;
      gint64 place;

      if (!find_place (self, run, i / n_heads, &place, error))
        return FALSE;
      copy_rows (cache, y, run->places[self->cache] + sym_step_find_matrix (cache, i));
      memset (y + n_old, 0, (n_all - n_old) * sizeof *y);
      copy_rows (&self->grids[SYM_PLAN_APPENDED], y + (gsize) place * size,
                 run->places[self->rows] +
                     sym_step_find_matrix (&self->grids[SYM_PLAN_APPENDED], i));
    }
  return TRUE;
}

static void
free_append (SymStep *step)
{
  g_free (step);
}

static const SymStepClass class = { .run = run_append, .free = free_append };

SymStep *
sym_append_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Append *self = g_new0 (Append, 1);
  const gint64 *sizes = op->grids[SYM_PLAN_ALL].sizes;

  self->cache = op->x;
  self->rows = op->other;
  self->places = op->fourth;
  self->y = op->y;
  self->dtype = sym_plan_graph_get_tensor (graph, op->fourth)->dtype;
  for (guint i = 0; i < 3; i++)
    self->grids[i] = op->grids[i];
  self->step = (SymStep){ .class = &class,
                          .n_slices = sym_step_count_matrix_slices (
                              graph, (gsize) (sizes[0] * sizes[1]),
                              OPERATIONS * (double) sizes[2] * (double) sizes[3]) };
  return &self->step;
}
