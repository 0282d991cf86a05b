/* SPDX-License-Identifier: MIT */
#include "run/sym-step-private.h"

/* Operations on images one after the other, a few rows at a time: as soon as there are enough rows
 * of one result, the next operation makes of them what it can.  Of what is between them only so
 * many rows are kept as the next one needs at once. */

#define SLICE_ROWS 10 /* of the result, that a slice has at least */
#define LEAST_ROWS 4  /* where threads would have nothing to do else */

typedef struct {
  SymStep *step;
  gint64 stride, pad, reach; /* rows of x that a row of y needs: from row * stride - pad on */
  gsize x_height, y_height;
  gsize y_size; /* numbers of a row of y */
  gsize n_kept; /* rows of y, where it is not the last */
  gsize place;  /* of these in the scratch memory, in numbers */
} Stage;

typedef struct {
  SymStep step;
  Stage *stages;
  guint n;
  guint x, y;
  gsize x_size, n_images; /* numbers of a row of x */
  gsize n_rows;           /* of the result that are made at once */
  gsize work;             /* of scratch memory, in numbers: that of the stages */
} Strip;

/* ---- Running ---- */

/* Row @row of y, counted over all images, needs no row of x before this one. */
static gsize
find_first (const Stage *self, gsize row)
{
  gint64 first = (gint64) (row % self->y_height) * self->stride - self->pad;

  return row / self->y_height * self->x_height + (gsize) CLAMP (first, 0, (gint64) self->x_height);
}

/* Rows before @end, and at least one, need no row of x from this one on. */
static gsize
find_end (const Stage *self, gsize end)
{
  gsize image = (end - 1) / self->y_height;
  gint64 last = (gint64) ((end - 1) % self->y_height) * self->stride - self->pad + self->reach;

  return image * self->x_height + (gsize) CLAMP (last, 0, (gint64) self->x_height);
}

typedef struct {
  const Strip *strip;
  SymStepRun run;
  SymRows *rows; /* of x and of each stage's y */
  gsize *done;   /* of each stage the next row */
  gsize *ends;   /* of each stage the row to go to */
} Walk;

/* All rows of the result before @end. */
static void
go_to (const Walk *self, gsize end)
{
  const Strip *strip = self->strip;

  for (guint i = strip->n; i-- > 0;)
    {
      self->ends[i] = end;
      end = find_end (&strip->stages[i], end);
    }
  for (guint i = 0; i < strip->n; i++)
    {
      const SymStep *step = strip->stages[i].step;

      if (self->done[i] >= self->ends[i])
        continue;
      step->class->run_rows (step, &self->run, &self->rows[i], &self->rows[i + 1], self->done[i],
                             self->ends[i]);
      self->done[i] = self->ends[i];
    }
}

/* Some rows of one image. */
static void
run_piece (const Walk *self, gsize first, gsize end)
{
  gsize row = first;

  for (guint i = self->strip->n; i-- > 0;)
    {
      self->done[i] = row;
      row = find_first (&self->strip->stages[i], row);
    }
  for (row = first; row < end; row += self->strip->n_rows)
    go_to (self, MIN (row + self->strip->n_rows, end));
}

static gboolean
run_strip (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Strip *self = (const Strip *) step;
  const Stage *last = &self->stages[self->n - 1];
  float *scratch = run->scratch;
  SymRows *rows = (SymRows *) (gpointer) (scratch + self->work);
  gsize *done = (gsize *) (rows + self->n + 1);
  Walk walk = { self, *run, rows, done, done + self->n };
  gsize first, end;

  rows[0] =
      (SymRows){ run->places[self->x], self->n_images * self->stages[0].x_height, self->x_size };
  for (guint i = 0; i < self->n; i++)
    rows[i + 1] = (SymRows){ scratch + self->stages[i].place, self->stages[i].n_kept,
                             self->stages[i].y_size };
  rows[self->n] = (SymRows){ run->places[self->y], self->n_images * last->y_height, last->y_size };
  sym_step_get_slice (slice, step->n_slices, self->n_images * last->y_height, &first, &end);
  while (first < end)
    {
      gsize next = MIN ((first / last->y_height + 1) * last->y_height, end);

      run_piece (&walk, first, next);
      first = next;
    }
  return TRUE;
}

static void
free_strip (SymStep *step)
{
  Strip *self = (Strip *) step;

  for (guint i = 0; i < self->n; i++)
    self->stages[i].step->class->free (self->stages[i].step);
  g_free (self->stages);
  g_free (self);
}

static const SymStepClass strip_class = { run_strip, free_strip };

/* ---- Making ---- */

/* What is between two operations and larger would not stay near until the second one. */
#define FAR_BYTES 250000

/* Weights are read again for each row. */
#define NEAR_WEIGHTS 16384

static gboolean
can_join (const SymPlanOp *op)
{
  if (op->kind != SYM_PLAN_CONVOLUTION || op->packs_weights)
    return FALSE;
  return sym_plan_op_is_depthwise (op) ||
         (sym_pointwise_fits (op) && op->inner * op->outer <= NEAR_WEIGHTS);
}

gboolean
sym_strip_joins (const SymPlanGraph *graph, const SymPlanOp *before, const SymPlanOp *op)
{
  return can_join (before) && can_join (op) && op->x == before->y && op->addend != before->y &&
         op->from.height > 1 &&
         sym_plan_graph_get_tensor (graph, op->x)->n * sizeof (float) > FAR_BYTES;
}

/* Pixels of a row that are worth a tile. */
#define PIXELS 24

static Stage
make_stage (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  return (Stage){ .step = sym_step_new_image (graph, op, options),
                  .stride = op->strides[0],
                  .pad = op->pads[0],
                  .reach = (op->kernel[0] - 1) * op->dilations[0] + 1,
                  .x_height = op->from.height,
                  .y_height = op->to.height,
                  .y_size = op->to.width * op->to.channels };
}

/* Rows that are kept, and memory for them: lines of it apart. */
static void
find_places (Strip *self)
{
  gsize n_rows = self->n_rows, place = 0;

  for (guint i = self->n; i-- > 1;)
    {
      Stage *before = &self->stages[i - 1];

      n_rows = (gsize) ((gint64) (n_rows - 1) * self->stages[i].stride + self->stages[i].reach);
      before->n_kept = n_rows;
    }
  for (guint i = 0; i < self->n; i++)
    self->step.n_scratch = MAX (self->step.n_scratch, self->stages[i].step->n_scratch);
  place = (self->step.n_scratch + 63) / 64 * 16;
  for (guint i = 0; i + 1 < self->n; i++)
    {
      self->stages[i].place = place;
      place += (self->stages[i].n_kept * self->stages[i].y_size + 15) / 16 * 16;
    }
  self->work = place;
  self->step.n_scratch =
      place * sizeof (float) + (self->n + 1) * sizeof (SymRows) + 2 * self->n * sizeof (gsize);
}

/* What two slices both need of a result in between is made twice, so they are few; but all threads
 * have the same number of them where rows are enough for that. */
static guint
count_slices (const SymStepOptions *options, double n_cycles, gsize n_rows)
{
  gsize max = MAX (n_rows / SLICE_ROWS, 1);

  if (options->n_threads > 1 && n_rows / options->n_threads >= LEAST_ROWS)
    max = MAX (max - max % options->n_threads, options->n_threads);
  return sym_step_count_slices (options, n_cycles, max);
}

SymStep *
sym_strip_new (const SymPlanGraph *graph, guint first, guint n, const SymStepOptions *options)
{
  const SymPlanOp *begin = sym_plan_graph_get_op (graph, first);
  const SymPlanOp *end = sym_plan_graph_get_op (graph, first + n - 1);
  Strip *self = g_new0 (Strip, 1);
  double n_cycles = 0;

  self->step.class = &strip_class;
  self->n = n;
  self->x = begin->x;
  self->y = end->y;
  self->x_size = begin->from.width * begin->from.channels;
  self->n_images = begin->from.n;
  self->n_rows = (PIXELS + end->to.width - 1) / end->to.width;
  self->stages = g_new (Stage, n);
  for (guint i = 0; i < n; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (graph, first + i);

      self->stages[i] = make_stage (graph, op, options);
      self->step.n_bytes += self->stages[i].step->n_bytes;
      n_cycles += (double) sym_plan_graph_get_tensor (graph, op->y)->n *
                  (double) (op->inner / (gsize) op->groups) *
                  (double) (op->kernel[0] * op->kernel[1]) / (double) options->processor->width;
    }
  find_places (self);
  self->step.n_slices = count_slices (options, n_cycles, self->n_images * end->to.height);
  return &self->step;
}
