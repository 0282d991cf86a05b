/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"
#include "run/sym-vector-rows-private.h"

/* The same numbers elsewhere, perhaps with the channels last where they were first, or first where
 * they were last. */
typedef struct {
  SymStep step;
  guint x, y;
  gsize n;                       /* numbers of each image */
  gsize n_images, rows, columns; /* of each image, as it was; 1 where nothing is turned */
} Copy;

static gboolean
run_copy (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Copy *self = (const Copy *) step;
  const float *from = run->places[self->x];
  float *to = run->places[self->y];

  for (gsize i = 0; i < self->n_images; i++, from += self->n, to += self->n)
    if (self->rows == 1 || self->columns == 1)
      memcpy (to, from, self->n * sizeof *to);
    else
      sym_vector_turn (to, (gssize) self->rows, from, (gssize) self->columns, self->rows,
                       self->columns);
  return TRUE;
}

static void
free_copy (SymStep *step)
{
  g_free (step);
}

static const SymStepClass copy_class = { run_copy, free_copy };

SymStep *
sym_copy_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  const SymPlanTensor *x = sym_plan_graph_get_tensor (graph, op->x);
  const SymPlanTensor *y = sym_plan_graph_get_tensor (graph, op->y);
  Copy *self = g_new0 (Copy, 1);

  self->step.class = &copy_class;
  self->step.n_slices = 1;
  self->x = op->x;
  self->y = op->y;
  self->n = x->n;
  self->n_images = self->rows = self->columns = 1;
  if (x->is_last == y->is_last)
    return &self->step;
  self->n_images = (gsize) x->shape.dims[0];
  self->n = x->n / self->n_images;
  self->rows = y->is_last ? (gsize) x->shape.dims[1] : self->n / (gsize) x->shape.dims[1];
  self->columns = self->n / self->rows;
  return &self->step;
}
