/* SPDX-License-Identifier: MIT */
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

/* Of one type. */
#define NUMBERS(name, type)                                       \
  static void name##_to_floats (float *y, const type *x, gsize n) \
  {                                                               \
    for (gsize i = 0; i < n; i++)                                 \
      y[i] = (float) x[i];                                        \
  }
#define MASKS(name, type)                                         \
  static void name##_to_masks (gint32 *y, const type *x, gsize n) \
  {                                                               \
    for (gsize i = 0; i < n; i++)                                 \
      y[i] = -(x[i] != 0);                                        \
  }

NUMBERS (narrow, gint32)
NUMBERS (wide, gint64)
MASKS (narrow, gint32)
MASKS (wide, gint64)
MASKS (flag, guint8)

static void
make_masks (const Convert *self, void *y, const void *x, gsize first, gsize n)
{
  gint32 *masks = (gint32 *) y + first;

  if (self->dtype == SYM_DTYPE_BOOL)
    flag_to_masks (masks, (const guint8 *) x + first, n);
  else if (self->dtype == SYM_DTYPE_INT64)
    wide_to_masks (masks, (const gint64 *) x + first, n);
  else
    narrow_to_masks (masks, (const gint32 *) x + first, n);
}

/* A bool is any byte but 0. */
static void
make_floats (const Convert *self, float *y, const void *x, gsize first, gsize n)
{
  const guint8 *flags = (const guint8 *) x + first;

  y += first;
  if (self->dtype == SYM_DTYPE_INT64)
    wide_to_floats (y, (const gint64 *) x + first, n);
  else if (self->dtype == SYM_DTYPE_INT32)
    narrow_to_floats (y, (const gint32 *) x + first, n);
  else
    for (gsize i = 0; i < n; i++)
      y[i] = flags[i] != 0 ? 1 : 0;
}

static gboolean
run_convert (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Convert *self = (const Convert *) step;
  const void *x = run->places[self->x];
  float *y = run->places[self->y];
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->n, &first, &end);
  if (self->is_mask)
    make_masks (self, y, x, first, end - first);
  else
    make_floats (self, y, x, first, end - first);
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
