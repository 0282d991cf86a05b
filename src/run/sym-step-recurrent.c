/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-panel-private.h"
#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-cells-private.h"

/* Recurrent layers: one step after the other, for all of the batch at a time, or for as much of it
 * as a run may go on for unasked.  What came of the inputs is there; the sums of gates are made in
 * its place.
 *
 * Where there are threads for it, and a step takes long enough, each of them makes some features,
 * whose weights stay near it, and all wait for each other after each step. */

#define MOST_OPERATIONS 1e9   /* of one step of one slice */
#define LEAST_PRODUCTS 250000 /* of a step that threads share */

typedef struct {
  SymStep step;
  SymPlanCell cell;
  guint x, begin, begin_cell, y;
  SymPlanGrid grids[SYM_PLAN_N_RECURRENT];
  gsize n_steps, n_directions, n_batch, n_gates, n_features;
  gsize n_parts;      /* of the batch, or of the features */
  gboolean is_shared; /* whether threads share each step: slices are of features */
  gboolean is_reverse, leaves_cells;
  float *panels[2], *bias; /* of each direction one after the other */
  gsize panel_sizes[2];
} Recurrent;

/* One direction of one part of the batch, and of some features. */
typedef struct {
  const Recurrent *of;
  const SymStepRun *run;
  gsize direction, first, n; /* elements of the batch */
  gsize first_feature, n_features;
  const float *last;     /* the states before: [n, features] */
  float *states, *cells; /* [n, features] */
  float *sums;           /* of gates, or what a reset gate makes of states */
} Walk;

/* ---- Places ---- */

static gssize
get_place (const SymPlanGrid *grid, gsize direction, gsize batch)
{
  int axis = grid->rank - 3;

  return grid->offset + (gssize) direction * grid->strides[axis] +
         (gssize) batch * grid->strides[axis + 1];
}

/* Of step @t what came of the inputs of element @i. */
static float *
find_gates (const Walk *self, gsize t, gsize i)
{
  const SymPlanGrid *grid = &self->of->grids[SYM_PLAN_GATES];

  return self->run->places[self->of->x] + get_place (grid, self->direction, self->first + i) +
         (gssize) t * grid->strides[0];
}

static gsize
get_n_sums (const Recurrent *self)
{
  gsize n_gates = self->cell == SYM_PLAN_CELL_GATED_LATE ? self->n_gates
                  : self->cell == SYM_PLAN_CELL_GATED    ? 1
                                                         : 0;

  return n_gates * self->n_features;
}

/* ---- Steps ---- */

/* y = x . weights of so many of the columns, and bias or what is in y already. */
static void
multiply (const Walk *self,
          guint i,
          float *y,
          gssize y_stride,
          const float *x,
          gsize first,
          gsize n,
          gboolean adds)
{
  const Recurrent *of = self->of;
  gsize size = of->panel_sizes[i];
  SymPanelProduct product = {
    .y = y,
    .y_stride = y_stride,
    .x = x,
    .x_stride = (gssize) of->n_features,
    .x_step = 1,
    .panels = of->panels[i] + self->direction * sym_panel_get_n (of->n_features, size) +
              first * of->n_features,
    .bias = adds || of->bias == NULL ? NULL : of->bias + self->direction * size + first,
    .addend = adds ? y : NULL,
    .rows = self->n,
    .inner = of->n_features,
    .outer = n,
    .low = -INFINITY,
    .high = INFINITY,
  };

  sym_panel_multiply (&product);
}

/* Columns of the first matrix, into where the functions of the cell find their sums. */
static void
add_columns (const Walk *self, gsize t, gsize gate, gsize n)
{
  const Recurrent *of = self->of;
  gsize first = gate * of->n_features + self->first_feature;

  if (of->cell == SYM_PLAN_CELL_GATED_LATE)
    multiply (self, 0, self->sums + gate * self->n_features,
              (gssize) (of->n_gates * self->n_features), self->last, first, n, FALSE);
  else
    multiply (self, 0, find_gates (self, t, 0) + first, of->grids[SYM_PLAN_GATES].strides[2],
              self->last, first, n, TRUE);
}

/* The product whose results the functions of the cell start from. */
static void
add_states (const Walk *self, gsize t)
{
  const Recurrent *of = self->of;

  if (self->n_features == of->n_features)
    add_columns (self, t, 0, of->panel_sizes[0]);
  else
    for (gsize gate = 0; gate < of->n_gates; gate++)
      add_columns (self, t, gate, self->n_features);
}

/* Gate h of a unit whose reset gate acts on the state. */
static void
add_reset_states (const Walk *self, gsize t)
{
  gsize n = self->of->n_features;

  for (gsize i = 0; i < self->n; i++)
    sym_vector_cell_reset (self->sums + i * n, self->last + i * n, find_gates (self, t, i), n, n);
  multiply (self, 1, find_gates (self, t, 0) + 2 * n, self->of->grids[SYM_PLAN_GATES].strides[2],
            self->sums, 0, n, TRUE);
}

static void
finish_element (const Walk *self, gsize t, gsize i)
{
  const Recurrent *of = self->of;
  gsize stride = of->n_features, n = self->n_features;
  float *gates = find_gates (self, t, i) + self->first_feature;
  gsize place = i * stride + self->first_feature;
  float *state = self->states + place;

  if (self->last != self->states)
    memcpy (state, self->last + place, n * sizeof *state);
  if (of->cell == SYM_PLAN_CELL_LONG)
    sym_vector_cell_long (state, self->cells + place, gates, stride, n);
  else if (of->cell == SYM_PLAN_CELL_GATED_LATE)
    sym_vector_cell_gated (state, gates, stride, self->sums + i * of->n_gates * n, n);
  else if (of->cell == SYM_PLAN_CELL_GATED)
    sym_vector_cell_blend (state, gates, gates + 2 * stride, n);
  else if (of->cell == SYM_PLAN_CELL_RELU)
    sym_vector_cell_relu (state, gates, n);
  else
    sym_vector_cell_tanh (state, gates, n);
}

static void
take_step (const Walk *self, gsize t)
{
  const SymPlanGrid *grid = &self->of->grids[SYM_PLAN_STATES];

  add_states (self, t);
  if (self->of->cell == SYM_PLAN_CELL_GATED)
    add_reset_states (self, t);
  for (gsize i = 0; i < self->n; i++)
    {
      finish_element (self, t, i);
      memcpy (self->run->places[self->of->y] + get_place (grid, self->direction, self->first + i) +
                  (gssize) t * grid->strides[0] + self->first_feature,
              self->states + i * self->of->n_features + self->first_feature,
              self->n_features * sizeof (float));
    }
}

/* ---- Runs ---- */

static void
begin (const Walk *self, float *states, guint tensor)
{
  gsize n = self->of->n_features;

  for (gsize i = 0; i < self->n; i++)
    if (tensor == SYM_PLAN_NONE)
      memset (states + i * n, 0, n * sizeof *states);
    else
      memcpy (states + i * n,
              self->run->places[tensor] +
                  get_place (&self->of->grids[SYM_PLAN_BEGIN], self->direction, self->first + i),
              n * sizeof *states);
}

static void
leave_cells (const Walk *self)
{
  gsize n = self->of->n_features;

  for (gsize i = 0; i < self->n; i++)
    memcpy (self->run->places[self->of->y] +
                get_place (&self->of->grids[SYM_PLAN_CELLS], self->direction, self->first + i),
            self->cells + i * n, n * sizeof (float));
}

static gboolean
is_reverse (const Walk *self)
{
  return self->of->is_reverse || self->direction == 1;
}

static gboolean
run_batch (const Recurrent *self, const SymStepRun *run, guint slice, GError **error)
{
  Walk walk = {
    .of = self, .run = run, .direction = slice / self->n_parts, .n_features = self->n_features
  };
  gsize end;

  sym_step_get_slice ((guint) (slice % self->n_parts), (guint) self->n_parts, self->n_batch,
                      &walk.first, &end);
  walk.n = end - walk.first;
  walk.last = walk.states = run->scratch;
  walk.cells = walk.states + walk.n * self->n_features;
  walk.sums = walk.cells + walk.n * self->n_features;
  begin (&walk, walk.states, self->begin);
  begin (&walk, walk.cells, self->begin_cell);
  for (gsize i = 0; i < self->n_steps; i++)
    {
      if (g_cancellable_set_error_if_cancelled (run->cancellable, error))
        return FALSE;
      take_step (&walk, is_reverse (&walk) ? self->n_steps - 1 - i : i);
    }
  if (self->leaves_cells)
    leave_cells (&walk);
  return TRUE;
}

/* Of each direction, in the state of the run: the states of even steps and of odd ones, which one
 * step reads and the next one writes, and cells. */
static gboolean
run_features (const Recurrent *self, const SymStepRun *run, guint slice)
{
  Walk walk = { .of = self, .run = run, .direction = slice / self->n_parts, .n = self->n_batch };
  gsize n = self->n_batch * self->n_features, end;
  float *memory = (float *) run->state + walk.direction * 3 * n;

  sym_step_get_slice ((guint) (slice % self->n_parts), (guint) self->n_parts,
                      self->n_features / SYM_PANEL, &walk.first_feature, &end);
  walk.first_feature *= SYM_PANEL;
  walk.n_features = end * SYM_PANEL - walk.first_feature;
  walk.last = memory + (run->round + 1) % 2 * n;
  walk.states = memory + run->round % 2 * n;
  walk.cells = memory + 2 * n;
  walk.sums = run->scratch;
  take_step (&walk, is_reverse (&walk) ? self->n_steps - 1 - run->round : run->round);
  return TRUE;
}

/* What the first step finds where the one before it would have been, or the cells of the last one.
 */
static void
run_ends (const Recurrent *self, const SymStepRun *run, gboolean is_begin)
{
  gsize n = self->n_batch * self->n_features;

  for (gsize direction = 0; direction < self->n_directions; direction++)
    {
      float *memory = (float *) run->state + direction * 3 * n;
      Walk walk = {
        .of = self, .run = run, .direction = direction, .n = self->n_batch, .cells = memory + 2 * n
      };

      if (!is_begin)
        {
          leave_cells (&walk);
          continue;
        }
      begin (&walk, memory + n, self->begin);
      begin (&walk, walk.cells, self->begin_cell);
    }
}

/* Of threads that share steps: the first round and the last one are for what is around these. */
static gboolean
run_recurrent (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Recurrent *self = (const Recurrent *) step;
  SymStepRun inner = *run;

  if (!self->is_shared)
    return run_batch (self, run, slice, error);
  if (run->round == 0 || run->round > self->n_steps)
    {
      if (slice == 0 && (run->round == 0 || self->leaves_cells))
        run_ends (self, run, run->round == 0);
      return TRUE;
    }
  inner.round = run->round - 1;
  return run_features (self, &inner, slice);
}

static gpointer
new_state (const SymStep *step, GError **error)
{
  const Recurrent *self = (const Recurrent *) step;

  gsize n = self->is_shared ? 3 * self->n_directions * self->n_batch * self->n_features : 0;

  return g_new0 (float, n + 1);
}

static void
free_recurrent (SymStep *step)
{
  g_free (((Recurrent *) step)->bias);
  g_free (step);
}

/* ---- Making ---- */

static const SymStepClass class = { .run = run_recurrent,
                                    .free = free_recurrent,
                                    .new_state = new_state,
                                    .free_state = g_free };

/* Gates from @first to before @end of all directions. */
static void
pack (Recurrent *self, const SymPlanOp *op, SymMemoryPool *pool, guint i, gsize first, gsize end)
{
  gsize n = self->n_features, size = (end - first) * n, n_floats = sym_panel_get_n (n, size);

  self->panel_sizes[i] = size;
  self->panels[i] = sym_memory_pool_take (pool, self->n_directions * n_floats);
  for (gsize d = 0; d < self->n_directions; d++)
    sym_panel_pack (self->panels[i] + d * n_floats,
                    op->weights + (d * self->n_gates + first) * n * n, 1, (gssize) n, n, size);
  self->step.n_bytes += self->n_directions * n_floats * sizeof (float);
}

static void
pack_all (Recurrent *self, const SymPlanOp *op, SymMemoryPool *pool)
{
  gsize n_first = self->cell == SYM_PLAN_CELL_GATED ? 2 : self->n_gates;

  pack (self, op, pool, 0, 0, n_first);
  if (n_first < self->n_gates)
    pack (self, op, pool, 1, n_first, self->n_gates);
  if (op->bias != NULL)
    self->bias = g_memdup2 (op->bias,
                            self->n_directions * self->n_gates * self->n_features * sizeof (float));
}

/* Whether threads that have no direction of their own are better off with some features each than
 * with some of the batch, for which each would read all weights. */
static gboolean
can_share (const Recurrent *self, const SymStepOptions *options)
{
  double n_products = (double) self->n_gates * (double) self->n_features *
                      (double) self->n_features * (double) self->n_batch;

  return options->n_threads >= 2 * self->n_directions && self->cell != SYM_PLAN_CELL_GATED &&
         self->n_features % SYM_PANEL == 0 && self->n_batch < 4 * options->n_threads &&
         n_products >= LEAST_PRODUCTS && n_products * 2 < MOST_OPERATIONS &&
         self->n_steps + 2 < G_MAXUINT;
}

/* Weights are read once for each part of the batch: one thread takes all that it may. */
static void
divide (Recurrent *self, const SymStepOptions *options)
{
  double operations = 2.0 * (double) self->n_batch * (double) self->n_gates *
                      (double) self->n_features * (double) self->n_features;
  double n_threads = options->n_threads / (guint) self->n_directions;
  gsize n = self->n_batch;

  self->is_shared = can_share (self, options);
  self->n_parts =
      (gsize) CLAMP (MAX (operations / MOST_OPERATIONS, n_threads), 1, (double) self->n_batch);
  if (self->is_shared)
    self->n_parts = (gsize) CLAMP (n_threads, 1, (double) (self->n_features / SYM_PANEL));
  else
    n = (self->n_batch + self->n_parts - 1) / self->n_parts;
  if (self->is_shared)
    self->step.n_rounds = (guint) self->n_steps + 2;
  self->step.n_slices = (guint) (self->n_directions * self->n_parts);
  self->step.n_scratch = n * (2 * self->n_features + get_n_sums (self)) * sizeof (float);
}

SymStep *
sym_recurrent_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Recurrent *self = g_new0 (Recurrent, 1);

  self->step.class = &class;
  self->cell = op->cell;
  self->x = op->x;
  self->begin = op->other;
  self->begin_cell = op->third;
  self->y = op->y;
  for (guint i = 0; i < SYM_PLAN_N_RECURRENT; i++)
    self->grids[i] = op->grids[i];
  self->n_steps = (gsize) op->grids[SYM_PLAN_STATES].sizes[0];
  self->n_directions = (gsize) op->grids[SYM_PLAN_STATES].sizes[1];
  self->n_batch = (gsize) op->grids[SYM_PLAN_STATES].sizes[2];
  self->n_features = (gsize) op->grids[SYM_PLAN_STATES].sizes[3];
  self->n_gates = (gsize) op->grids[SYM_PLAN_GATES].sizes[3] / self->n_features;
  self->is_reverse = op->is_reverse;
  self->leaves_cells = op->leaves_cells;
  pack_all (self, op, options->pool);
  divide (self, options);
  return &self->step;
}
