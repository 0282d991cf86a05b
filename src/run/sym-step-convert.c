/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-matrix-private.h"

/* Integers and booleans as floats: their numbers, or all bits set where they are not 0. */

/* About as long as so many operations of a product. */
#define OPERATIONS 10

typedef struct {
  SymStep step;
  guint x, y;
  SymDType dtype;
  gsize n;
  gboolean is_mask;
} Convert;

static gint64
get_number (const Convert *self, const void *x, gsize i)
{
  if (self->dtype == SYM_DTYPE_BOOL)
    return ((const guint8 *) x)[i] != 0;
  return self->dtype == SYM_DTYPE_INT64 ? ((const gint64 *) x)[i] : ((const gint32 *) x)[i];
}

static gboolean
run_convert (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Convert *self = (const Convert *) step;
  const void *x = run->places[self->x];
  float *y = run->places[self->y];
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->n, &first, &end);
  for (gsize i = first; i < end; i++)
    if (self->is_mask)
      memset (y + i, get_number (self, x, i) != 0 ? 0xff : 0, sizeof *y);
    else
      y[i] = (float) get_number (self, x, i);
  return TRUE;
}

static void
free_convert (SymStep *step)
{
  g_free (step);
}

static const SymStepClass convert_class = { .run = run_convert, .free = free_convert };

SymStep *
sym_convert_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Convert *self = g_new0 (Convert, 1);
  const SymPlanTensor *x = sym_plan_graph_get_tensor (graph, op->x);

  self->x = op->x;
  self->y = op->y;
  self->dtype = x->dtype;
  self->n = x->n;
  self->is_mask = op->is_mask;
  self->step = (SymStep){ .class = &convert_class,
                          .n_slices = sym_step_count_matrix_slices (graph, self->n, OPERATIONS) };
  return &self->step;
}
