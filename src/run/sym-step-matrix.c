/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "run/sym-panel-private.h"
#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* Products of computed matrices.  Some columns of the right one are packed, then all rows, or as
 * many as a run may go on for unasked, pass them. */

#define MOST_COLUMNS 256
#define MOST_PACKED 1000000 /* floats */
#define MOST_ROWS 1024
#define LEAST_ROWS 48

typedef struct {
  SymStep step;
  guint x, other, y;
  SymPlanGrid grids[3];
  gsize n_batch, rows, inner, columns;
  gsize n_rows, n_columns; /* of one unit of work */
  gsize n_row_parts, n_column_parts;
  float factor;
  gboolean takes_columns; /* each for itself */
} Matrix;

/* ---- Batches ---- */

gssize
sym_step_find_matrix (const SymPlanGrid *grid, gsize batch)
{
  gssize offset = grid->offset;

  for (int i = grid->rank - 3; i >= 0 && batch > 0; i--)
    {
      if (grid->sizes[i] == 1)
        continue;
      offset += (gssize) (batch % (gsize) grid->sizes[i]) * grid->strides[i];
      batch /= (gsize) grid->sizes[i];
    }
  return offset;
}

gsize
sym_step_count_matrices (const SymPlanGrid *grid)
{
  gsize n = 1;

  for (int i = 0; i < grid->rank - 2; i++)
    n *= (gsize) grid->sizes[i];
  return n;
}

/* ---- Running ---- */

static void
multiply (const Matrix *self, const SymStepRun *run, gsize unit)
{
  gsize column = unit % self->n_column_parts * self->n_columns;
  gsize row = unit / self->n_column_parts % self->n_row_parts * self->n_rows;
  gsize batch = unit / self->n_column_parts / self->n_row_parts;
  const SymPlanGrid *x = &self->grids[0], *other = &self->grids[1], *y = &self->grids[2];
  int a = x->rank - 2, b = x->rank - 1;
  gsize n_columns = MIN (self->n_columns, self->columns - column);
  float *panels = run->scratch;
  SymPanelProduct product = {
    .y = run->places[self->y] + sym_step_find_matrix (y, batch) + (gssize) row * y->strides[a] +
         (gssize) column,
    .y_stride = y->strides[a],
    .x = run->places[self->x] + sym_step_find_matrix (x, batch) + (gssize) row * x->strides[a],
    .x_stride = x->strides[a],
    .x_step = x->strides[b],
    .panels = panels,
    .next = run->places[self->other] + sym_step_find_matrix (other, (batch + 1) % self->n_batch),
    .rows = MIN (self->n_rows, self->rows - row),
    .inner = self->inner,
    .outer = n_columns,
    .low = -INFINITY,
    .high = INFINITY,
  };

  sym_panel_pack (panels,
                  run->places[self->other] + sym_step_find_matrix (other, batch) +
                      (gssize) column * other->strides[b],
                  other->strides[a], other->strides[b], self->inner, n_columns);
  if (self->factor != 1)
    sym_vector_scale_row (panels, panels, self->factor, sym_panel_get_n (self->inner, n_columns));
  sym_panel_multiply (&product);
}

/* Few numbers of few columns: packing takes longer than the product. */
#define NARROW 4

static gboolean
is_narrow (const Matrix *self)
{
  return self->columns <= NARROW && self->inner <= NARROW;
}

static void
multiply_narrow (const Matrix *self, const SymStepRun *run, gsize unit)
{
  gsize batch = unit / self->n_row_parts, row = unit % self->n_row_parts * self->n_rows;
  gsize end = MIN (row + self->n_rows, self->rows);
  const SymPlanGrid *grids = self->grids;
  int a = grids[0].rank - 2, b = grids[0].rank - 1;
  const float *x = run->places[self->x] + sym_step_find_matrix (&grids[0], batch);
  const float *other = run->places[self->other] + sym_step_find_matrix (&grids[1], batch);
  float *y = run->places[self->y] + sym_step_find_matrix (&grids[2], batch);
  float weights[NARROW][NARROW] = { { 0 } };

  for (gsize k = 0; k < self->inner; k++)
    for (gsize j = 0; j < self->columns; j++)
      weights[k][j] =
          other[(gssize) k * grids[1].strides[a] + (gssize) j * grids[1].strides[b]] * self->factor;
  for (; row < end; row++)
    {
      const float *from = x + (gssize) row * grids[0].strides[a];
      float *to = y + (gssize) row * grids[2].strides[a], sums[NARROW] = { 0 };

      for (gsize k = 0; k < self->inner; k++)
        for (gsize j = 0; j < NARROW; j++)
          sums[j] += from[(gssize) k * grids[0].strides[b]] * weights[k][j];
      for (gsize j = 0; j < self->columns; j++)
        to[j] = sums[j];
    }
}

/* Few columns of many numbers: each by each row. */
static void
multiply_columns (const Matrix *self, const SymStepRun *run, gsize unit)
{
  gsize row = unit % self->n_row_parts * self->n_rows, batch = unit / self->n_row_parts;
  gsize end = MIN (row + self->n_rows, self->rows);
  const SymPlanGrid *x = &self->grids[0], *other = &self->grids[1], *y = &self->grids[2];
  int a = x->rank - 2, b = x->rank - 1;
  const float *rows = run->places[self->x] + sym_step_find_matrix (x, batch);
  const float *columns = run->places[self->other] + sym_step_find_matrix (other, batch);
  float *to = run->places[self->y] + sym_step_find_matrix (y, batch), *column = run->scratch;

  for (gsize j = 0; j < self->columns; j++)
    {
      const float *from = columns + (gssize) j * other->strides[b];

      for (gsize k = 0; k < self->inner; k++)
        column[k] = from[(gssize) k * other->strides[a]] * self->factor;
      for (gsize i = row; i < end; i++)
        to[(gssize) i * y->strides[a] + (gssize) j] =
            sym_vector_dot_row (rows + (gssize) i * x->strides[a], column, self->inner);
    }
}

static gboolean
run_matrix (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Matrix *self = (const Matrix *) step;
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices,
                      self->n_batch * self->n_row_parts * self->n_column_parts, &first, &end);
  for (gsize unit = first; unit < end; unit++)
    if (is_narrow (self))
      multiply_narrow (self, run, unit);
    else if (self->takes_columns)
      multiply_columns (self, run, unit);
    else
      multiply (self, run, unit);
  return TRUE;
}

static void
free_matrix (SymStep *step)
{
  g_free (step);
}

/* ---- Making ---- */

static const SymStepClass class = { .run = run_matrix, .free = free_matrix };

static gsize
divide (gsize n, gsize by)
{
  return (n + by - 1) / by;
}

/* With few matrices there are parts of rows for all threads, each of which packs columns anew. */
static gsize
get_most_rows (const Matrix *self, const SymPlanGraph *graph)
{
  gsize n_units = self->n_batch * divide (self->columns, self->n_columns);
  gsize n_threads = graph->plan->n_threads;

  return n_units >= n_threads ? MOST_ROWS
                              : CLAMP (divide (self->rows, n_threads), LEAST_ROWS, MOST_ROWS);
}

/* A panel of columns takes as many cycles as there are numbers in a row; one column takes a few for
 * each vector of them, and for their sum. */
static gboolean
takes_columns (const Matrix *self)
{
  return self->columns * (self->inner / 32 + 24) < self->inner &&
         self->grids[0].strides[self->grids[0].rank - 1] == 1;
}

SymStep *
sym_matrix_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Matrix *self = g_new0 (Matrix, 1);
  int rank = op->grids[2].rank;

  self->x = op->x;
  self->other = op->other;
  self->y = op->y;
  for (guint i = 0; i < 3; i++)
    self->grids[i] = op->grids[i];
  self->factor = op->p;
  self->rows = (gsize) op->grids[0].sizes[rank - 2];
  self->inner = (gsize) op->grids[0].sizes[rank - 1];
  self->columns = (gsize) op->grids[1].sizes[rank - 1];
  self->n_batch = sym_step_count_matrices (&op->grids[2]);
  self->n_columns =
      CLAMP (MOST_PACKED / self->inner / SYM_PANEL * SYM_PANEL, SYM_PANEL, MOST_COLUMNS);
  self->takes_columns = takes_columns (self);
  self->n_rows = MIN (self->rows, get_most_rows (self, graph));
  self->n_row_parts = divide (self->rows, self->n_rows);
  self->n_column_parts = divide (self->columns, self->n_columns);
  self->step = (SymStep){
    .class = &class,
    .n_slices = sym_step_count_matrix_slices (
        graph, self->n_batch * self->n_row_parts * self->n_column_parts,
        2.0 * (double) self->n_rows * (double) self->inner *
            (double) MIN (self->n_columns, self->columns)),
    .n_scratch =
        sym_panel_get_n (self->inner, MIN (self->n_columns, self->columns)) * sizeof (float),
  };
  return &self->step;
}
