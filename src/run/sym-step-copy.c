/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* The same numbers elsewhere, perhaps with the channels last where they were first, or first where
 * they were last. */
typedef struct {
  SymStep step;
  guint x, y;
  gsize n;                       /* numbers of each image */
  gsize n_images, rows, columns; /* of each image, as it was; 1 where nothing is turned */
  gsize n_parts;                 /* of each image, of whole lines of memory where it is turned */
} Copy;

/* Numbers of a part at least, of which each is about as long as so many operations of a product. */
#define PART 4096
#define OPERATIONS 16
#define LINE 16

/* Rows or columns from @first to before @end: those of which there are more. */
static void
turn_part (const Copy *self, const float *from, float *to, gsize first, gsize end)
{
  if (self->rows > self->columns)
    sym_vector_turn (to + first, (gssize) self->rows, from + first * self->columns,
                     (gssize) self->columns, end - first, self->columns);
  else
    sym_vector_turn (to + first * self->rows, (gssize) self->rows, from + first,
                     (gssize) self->columns, self->rows, end - first);
}

static void
copy_part (const Copy *self, const SymStepRun *run, gsize part)
{
  gsize image = part / self->n_parts * self->n, first, end;
  const float *from = run->places[self->x] + image;
  float *to = run->places[self->y] + image;
  gsize n = self->rows == 1 || self->columns == 1 ? self->n : MAX (self->rows, self->columns);

  sym_step_get_slice ((guint) (part % self->n_parts), (guint) self->n_parts, (n + LINE - 1) / LINE,
                      &first, &end);
  first *= LINE;
  end = MIN (end * LINE, n);
  if (n == self->n)
    memcpy (to + first, from + first, (end - first) * sizeof *to);
  else
    turn_part (self, from, to, first, end);
}

static gboolean
run_copy (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Copy *self = (const Copy *) step;
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_images * self->n_parts, &first, &end);
  for (gsize part = first; part < end; part++)
    copy_part (self, run, part);
  return TRUE;
}

static void
free_copy (SymStep *step)
{
  g_free (step);
}

static const SymStepClass copy_class = { run_copy, free_copy };

/* Images that are turned, and their rows and columns. */
static void
find_turned (Copy *self, const SymPlanTensor *x, const SymPlanTensor *y)
{
  if (x->is_last == y->is_last)
    return;
  self->n_images = (gsize) x->shape.dims[0];
  self->n = x->n / self->n_images;
  self->rows = y->is_last ? (gsize) x->shape.dims[1] : self->n / (gsize) x->shape.dims[1];
  self->columns = self->n / self->rows;
}

SymStep *
sym_copy_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  const SymPlanTensor *x = sym_plan_graph_get_tensor (graph, op->x);
  const SymPlanTensor *y = sym_plan_graph_get_tensor (graph, op->y);
  Copy *self = g_new0 (Copy, 1);
  gsize n_lines;

  self->x = op->x;
  self->y = op->y;
  self->n = x->n;
  self->n_images = self->rows = self->columns = 1;
  find_turned (self, x, y);
  n_lines = (self->rows == 1 ? self->n : MAX (self->rows, self->columns)) / LINE;
  self->n_parts = CLAMP (self->n / PART, 1, CLAMP (n_lines, 1, 10000));
  self->step = (SymStep){ .class = &copy_class,
                          .n_slices = sym_step_count_matrix_slices (
                              graph, self->n_images * self->n_parts,
                              OPERATIONS * (double) self->n / (double) self->n_parts) };
  return &self->step;
}
