/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "run/sym-halves-private.h"
#include "run/sym-step-matrix-private.h"
#include "run/sym-tiles-private.h"

/* Products of all rows of x, or pixels, with a constant matrix, in halves.  Each slice brings the
 * rows that it has into halves, as many at a time as stay near while all panels pass them. */

#define NEAR_BYTES ((gsize) 1 << 20)

typedef struct {
  SymStep step;
  guint x, y, addend;
  gsize n_rows, inner, outer;
  gsize n_together;   /* rows that are in halves at a time */
  guint n_row_slices; /* the others are of panels */
  gboolean are_panels_near;
  float *panels, *bias;
  SymBounds bounds;
  SymActivation activation;
} Halves;

static gsize
count_panels (gsize outer)
{
  return (outer + SYM_HALVES_PANEL - 1) / SYM_HALVES_PANEL;
}

/* ---- Running ---- */

typedef struct {
  gsize first, end;
} Part;

static Part
get_part (guint slice, guint n_slices, gsize n)
{
  Part part;

  sym_step_get_slice (slice, n_slices, n, &part.first, &part.end);
  return part;
}

/* Slices are of whole tiles, but for the last rows. */
static Part
get_rows (const Halves *self, guint slice)
{
  Part part =
      get_part (slice, self->n_row_slices, (self->n_rows + SYM_TILE_SIDE - 1) / SYM_TILE_SIDE);

  part.first *= SYM_TILE_SIDE;
  part.end = MIN (part.end * SYM_TILE_SIDE, self->n_rows);
  return part;
}

static void
activate (const Halves *self, const SymHalvesProduct *product)
{
  for (gsize i = 0; self->activation.function != NULL && i < product->n_rows; i++)
    sym_step_activate (&self->activation, product->y + i * product->y_stride, product->outer);
}

/* The panels that this thread has next; NULL for none. */
static const char *
find_next (const Halves *self, const SymStepRun *run)
{
  Part part;

  if (self->n_row_slices > 1 || run->next >= self->step.n_slices)
    return NULL;
  part = get_part (run->next, self->step.n_slices, count_panels (self->outer));
  return (const char *) self->panels +
         sym_halves_get_panel_bytes (self->inner, part.first * SYM_HALVES_PANEL);
}

/* Rows from @row on, of which there is room for the halves, and some panels. */
static void
multiply (const Halves *self, const SymStepRun *run, gsize row, gsize n_rows, Part panels)
{
  gsize column = panels.first * SYM_HALVES_PANEL;
  SymHalvesProduct product = {
    .x = run->scratch,
    .panels = (const char *) self->panels + sym_halves_get_panel_bytes (self->inner, column),
    .n_rows = n_rows,
    .inner = self->inner,
    .outer = MIN (panels.end * SYM_HALVES_PANEL, self->outer) - column,
    .bias = self->bias + column,
    .y = run->places[self->y] + row * self->outer + column,
    .y_stride = self->outer,
    .low = self->bounds.is_bounded ? self->bounds.low : -INFINITY,
    .high = self->bounds.is_bounded ? self->bounds.high : INFINITY,
    .are_panels_far = !self->are_panels_near,
    .next = find_next (self, run),
  };

  if (self->addend != SYM_PLAN_NONE)
    product.addend = run->places[self->addend] + row * self->outer + column;
  sym_halves_split (run->places[self->x] + row * self->inner, self->inner, n_rows, self->inner,
                    run->scratch);
  sym_halves_multiply (&product);
  activate (self, &product);
}

static gboolean
run_halves (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Halves *self = (const Halves *) step;
  guint n_panel_slices = step->n_slices / self->n_row_slices;
  Part rows = get_rows (self, slice % self->n_row_slices);
  Part panels = get_part (slice / self->n_row_slices, n_panel_slices, count_panels (self->outer));

  for (gsize row = rows.first; row < rows.end; row += self->n_together)
    multiply (self, run, row, MIN (self->n_together, rows.end - row), panels);
  return TRUE;
}

static void
free_halves (SymStep *step)
{
  g_free (((Halves *) step)->bias);
  g_free (step);
}

static const SymStepClass class = { .run = run_halves, .free = free_halves };

/* ---- Making ---- */

static gboolean
can_do (const SymPlanOp *op)
{
  return op->kind == SYM_PLAN_PRODUCT ||
         (op->kind == SYM_PLAN_CONVOLUTION && sym_pointwise_fits (op));
}

static gsize
round_up (gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

static gsize
count_rows (const SymPlanGraph *graph, const SymPlanOp *op)
{
  return sym_plan_graph_get_tensor (graph, op->x)->n / op->inner;
}

/* Numbers that tiles multiply in a cycle, of which they reach about half, and how many cycles 16
 * numbers take until they are halves. */
#define PRODUCTS_OF_CYCLE (512.0 / 3)
#define SHARE 0.5
#define SPLIT_CYCLES 5.0

static double
count_cycles (gsize n_rows, const SymPlanOp *op)
{
  double n = (double) round_up (n_rows, SYM_TILE_SIDE) *
             (double) round_up (op->inner, SYM_HALVES_DEPTH) *
             (double) round_up (op->outer, SYM_HALVES_PANEL);

  return n / (PRODUCTS_OF_CYCLE * SHARE) + (double) (n_rows * op->inner) / 16 * SPLIT_CYCLES;
}

/* A few rows wait for the weights, however they are multiplied. */
#define LEAST_ROWS 12

gboolean
sym_halves_are_better (const SymPlanGraph *graph,
                       const SymPlanOp *op,
                       const SymStepOptions *options)
{
  gsize n_rows;

  if (options->is_exact || !can_do (op) || !sym_tiles_have_halves ())
    return FALSE;
  n_rows = count_rows (graph, op);
  return n_rows >= LEAST_ROWS &&
         count_cycles (n_rows, op) < (double) n_rows * (double) op->inner * (double) op->outer /
                                         (double) (2 * options->processor->width);
}

typedef struct {
  const Halves *self;
  const SymPlanOp *op;
  gboolean is_turned, has_scales;
} Packing;

static void
pack_panel (gpointer data, guint panel)
{
  const Packing *packing = data;
  const SymPlanOp *op = packing->op;
  gsize column = panel * SYM_HALVES_PANEL;
  SymHalvesMatrix matrix = { .row_stride = packing->is_turned ? 1 : (gssize) op->outer,
                             .column_stride = packing->is_turned ? (gssize) op->inner : 1,
                             .scales = packing->has_scales ? op->scales + column : NULL,
                             .inner = op->inner,
                             .outer = MIN (SYM_HALVES_PANEL, op->outer - column) };

  matrix.from = op->weights + (gssize) column * matrix.column_stride;
  sym_halves_pack (&matrix,
                   (char *) packing->self->panels + sym_halves_get_panel_bytes (op->inner, column));
}

static void
pack (Halves *self, const SymPlanOp *op, const SymStepOptions *options)
{
  Packing packing = { self, op, op->is_transposed || op->kind == SYM_PLAN_CONVOLUTION,
                      sym_step_has_scales (op) };
  SymPackedForm form = packing.is_turned ? SYM_PACKED_HALVES_TURNED : SYM_PACKED_HALVES;
  gsize n_bytes = sym_halves_get_panel_bytes (op->inner, op->outer);

  self->panels = sym_step_find_packed (op, form, options);
  if (self->panels == NULL)
    {
      self->panels = sym_memory_pool_take_any (options->pool, n_bytes / sizeof (float));
      sym_packer_run (options->packer, pack_panel, &packing, (guint) count_panels (op->outer),
                      n_bytes);
      sym_step_keep_packed (op, form, self->panels, options);
      self->step.n_bytes = n_bytes;
    }
  self->bias = g_memdup2 (op->bias, op->outer * sizeof *op->bias);
  self->step.n_bytes += op->outer * sizeof (float);
}

/* Slices of rows bring each row into halves once; slices of panels have few rows, and read each
 * weight once. */
static void
find_slices (Halves *self, const SymPlanOp *op, const SymStepOptions *options)
{
  gsize row_bytes = sym_halves_get_row_bytes (SYM_TILE_SIDE, self->inner) / SYM_TILE_SIDE;
  gsize n_blocks = (self->n_rows + 2 * SYM_TILE_SIDE - 1) / (2 * SYM_TILE_SIDE);
  double n_cycles = count_cycles (self->n_rows, op);
  gboolean is_of_rows = sym_halves_get_panel_bytes (self->inner, self->outer) <= NEAR_BYTES ||
                        self->n_rows >= 8 * self->outer;

  self->step.n_slices =
      sym_step_count_slices (options, n_cycles, is_of_rows ? n_blocks : count_panels (self->outer));
  self->n_row_slices = is_of_rows ? self->step.n_slices : 1;
  self->n_together = MAX (NEAR_BYTES / row_bytes / (2 * SYM_TILE_SIDE), 1) * 2 * SYM_TILE_SIDE;
  self->n_together = MIN (self->n_together, self->n_rows / self->n_row_slices + 2 * SYM_TILE_SIDE);
  self->step.n_scratch = sym_halves_get_row_bytes (self->n_together, self->inner);
}

SymStep *
sym_halves_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Halves *self = g_new0 (Halves, 1);

  self->step.class = &class;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->n_rows = count_rows (graph, op);
  self->inner = op->inner;
  self->outer = op->outer;
  self->bounds = sym_step_get_bounds (op);
  self->activation = sym_step_get_activation (op);
  find_slices (self, op, options);
  pack (self, op, options);
  return &self->step;
}
