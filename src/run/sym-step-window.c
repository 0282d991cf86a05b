/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"
#include "run/sym-vector-rows-private.h"

/* Convolutions of each channel by itself, and pools, with the channels last: each pixel of the
 * result is made from those under the kernel, whatever the channel. */

/* Of a tap of a vector: what it reads is mostly not near. */
#define CYCLES 2

/* Channels that are made together, and how many at least make it worth to cut those of a pixel. */
#define UNIT 16
#define LEAST_CHANNELS 32

typedef struct {
  SymStep step;
  SymWindowFunction function;
  SymWindowLineFunction weigh_line; /* NULL where rows are not made in one go */
  guint x, y, addend;
  gsize batch, height, width, channels; /* of the input; as many channels come out */
  gsize rows, columns;                  /* of the result */
  gint64 kernel[2], strides[2], dilations[2], pads[2];
  gint64 inside[2]; /* columns whose taps are all inside: from the first to before the second */
  float *weights, *bias; /* of each tap all channels; NULL for pools, and computed weights */
  guint given, room;     /* tensors: computed weights, and where they are packed */
  float *scales;         /* of each channel of these */
  gboolean counts_outside;
  gsize n_parts; /* which the channels of a pixel are cut into, where there is one pixel */
  SymBounds bounds;
  SymActivation activation;
} Window;

/* ---- Making ---- */

/* A tap of all channels after the other. */
static void
pack (const Window *self, const float *weights, const float *scales, float *to)
{
  gsize taps = (gsize) (self->kernel[0] * self->kernel[1]), n = self->channels;

  sym_vector_turn (to, (gssize) n, weights, (gssize) taps, n, taps);
  for (gsize tap = 0; tap < taps; tap++, to += n)
    for (gsize c = 0; c < n; c++)
      to[c] *= scales[c];
}

static void
take_weights (Window *self, const SymPlanOp *op)
{
  gsize n = (gsize) (self->kernel[0] * self->kernel[1]) * self->channels;

  self->bias = g_memdup2 (op->bias, self->channels * sizeof (float));
  self->step.n_bytes = (n + self->channels) * sizeof (float);
  if (op->packs_weights)
    {
      self->given = op->other;
      self->room = op->third;
      self->scales = g_memdup2 (op->scales, self->channels * sizeof (float));
      self->step.n_rounds = 2;
      return;
    }
  self->weights = g_new (float, n);
  pack (self, op->weights, op->scales, self->weights);
}

static void
find_inside (Window *self)
{
  gint64 reach = (self->kernel[1] - 1) * self->dilations[1] + 1, stride = self->strides[1];
  gint64 room = (gint64) self->width + self->pads[1] - reach, n = (gint64) self->columns;

  self->inside[0] = MIN ((self->pads[1] + stride - 1) / stride, n);
  self->inside[1] = CLAMP (room < 0 ? 0 : room / stride + 1, self->inside[0], n);
}

/* ---- Running ---- */

/* The memory of one thread: where the taps and their weights are; and the channels that it makes.
 */
typedef struct {
  const float **x, **weights;
  const float *packed; /* NULL for none */
  gsize channel, n_channels;
} Work;

/* The pixels from @column on in a row of the result; @n of them have the taps of the first. */
static void
run_pixels (const Window *self,
            const SymStepRun *run,
            const SymRows *rows,
            float *to,
            const Work *work,
            gsize line,
            gsize column,
            gsize n)
{
  gint64 top = (gint64) (line % self->rows) * self->strides[0] - self->pads[0];
  gint64 left = (gint64) column * self->strides[1] - self->pads[1];
  gsize image = line / self->rows * self->height;
  SymWindow window = { .x = work->x,
                       .weights = work->weights,
                       .step = (gsize) self->strides[1] * self->channels,
                       .bias = self->bias == NULL ? NULL : self->bias + work->channel,
                       .y = to + column * self->channels + work->channel,
                       .stride = self->channels,
                       .n_pixels = n,
                       .n_channels = work->n_channels,
                       .bounds = self->bounds };

  if (self->addend != SYM_PLAN_NONE)
    window.addend = run->places[self->addend] + (line * self->columns + column) * self->channels +
                    work->channel;
  for (gint64 i = 0; i < self->kernel[0]; i++)
    {
      gint64 y = top + i * self->dilations[0];
      const float *row;

      if (y < 0 || y >= (gint64) self->height)
        continue;
      row = sym_rows_find (rows, image + (gsize) y);
      for (gint64 j = 0; j < self->kernel[1]; j++)
        {
          gint64 x = left + j * self->dilations[1];

          if (x < 0 || x >= (gint64) self->width)
            continue;
          work->x[window.n_taps] = row + (gsize) x * self->channels + work->channel;
          if (work->packed != NULL)
            work->weights[window.n_taps] =
                work->packed + (gsize) (i * self->kernel[1] + j) * self->channels + work->channel;
          window.n_taps++;
        }
    }
  window.factor = self->counts_outside ? 1 / (float) (self->kernel[0] * self->kernel[1])
                                       : 1 / (float) MAX (window.n_taps, 1);
  self->function (&window);
}

/* Of a row of the result the pixels from @phase on that are a dilation apart.  Their taps are
 * columns that are as far apart, so neighbours among these. */
static void
run_phase (const Window *self,
           SymWindowLine line,
           const float **rows,
           gsize phase,
           const Work *work)
{
  gint64 dilation = self->dilations[1], left = (gint64) phase - self->pads[1];
  gsize first = (gsize) (((left % dilation) + dilation) % dilation), every = (gsize) dilation;

  if (phase >= self->columns)
    return;
  line.before = (gsize) (((gint64) first - left) / dilation);
  line.width = first < self->width ? (self->width - first + every - 1) / every : 0;
  line.n_pixels = (self->columns - phase + every - 1) / every;
  line.y += phase * self->channels;
  if (line.addend != NULL)
    line.addend += phase * self->channels;
  for (guint i = 0; i < line.n_rows; i++)
    work->x[i] = rows[i] + first * self->channels;
  self->weigh_line (&line);
}

/* A whole row of the result, by the lines of the kernel that are inside. */
static void
run_line (const Window *self,
          const SymStepRun *run,
          const SymRows *rows,
          float *to,
          const Work *work,
          gsize line)
{
  gint64 top = (gint64) (line % self->rows) * self->strides[0] - self->pads[0];
  gsize image = line / self->rows * self->height, dilation = (gsize) self->dilations[1];
  const float **x = work->x + self->kernel[0];
  SymWindowLine whole = { .x = work->x,
                          .weights = work->weights,
                          .before = (gsize) self->pads[1],
                          .width = self->width,
                          .bias = self->bias,
                          .y = to,
                          .n_pixels = self->columns,
                          .n_channels = self->channels,
                          .distance = dilation * self->channels,
                          .bounds = self->bounds };

  if (self->addend != SYM_PLAN_NONE)
    whole.addend = run->places[self->addend] + line * self->columns * self->channels;
  for (gint64 i = 0; i < self->kernel[0]; i++)
    {
      gint64 y = top + i * self->dilations[0];

      if (y < 0 || y >= (gint64) self->height)
        continue;
      work->x[whole.n_rows] = x[whole.n_rows] = sym_rows_find (rows, image + (gsize) y);
      work->weights[whole.n_rows++] = work->packed + (gsize) (i * self->kernel[1]) * self->channels;
    }
  if (dilation == 1)
    self->weigh_line (&whole);
  for (gsize phase = 0; dilation > 1 && phase < dilation; phase++)
    run_phase (self, whole, x, phase, work);
}

/* The same by parts: columns that have all taps inside, and others. */
static void
run_parts (const Window *self,
           const SymStepRun *run,
           const SymRows *rows,
           float *to,
           const Work *work,
           gsize line)
{
  gsize columns = self->columns, first = (gsize) self->inside[0], end = (gsize) self->inside[1];

  for (gsize column = 0; column < first; column++)
    run_pixels (self, run, rows, to, work, line, column, 1);
  if (first < end)
    run_pixels (self, run, rows, to, work, line, first, end - first);
  for (gsize column = end; column < columns; column++)
    run_pixels (self, run, rows, to, work, line, column, 1);
}

static Work
begin_work (const Window *self, const SymStepRun *run)
{
  Work work = { .x = run->scratch, .n_channels = self->channels };

  work.weights = work.x + self->kernel[0] * self->kernel[1];
  work.packed = self->scales == NULL ? self->weights : run->places[self->room];
  return work;
}

static void
run_rows (const SymStep *step,
          const SymStepRun *run,
          const SymRows *x,
          const SymRows *y,
          gsize first,
          gsize end)
{
  const Window *self = (const Window *) step;
  Work work = begin_work (self, run);

  for (gsize line = first; line < end; line++)
    {
      float *row = sym_rows_find (y, line);

      if (self->weigh_line != NULL)
        run_line (self, run, x, row, &work, line);
      else
        run_parts (self, run, x, row, &work, line);
      sym_step_activate (&self->activation, row, self->columns * self->channels);
    }
}

/* Channels of one pixel, whole vectors of them. */
static void
run_channels (const Window *self,
              const SymStepRun *run,
              const SymRows *x,
              const SymRows *y,
              gsize line,
              guint part)
{
  Work work = begin_work (self, run);
  float *row = sym_rows_find (y, line);
  gsize first, end;

  sym_step_get_slice (part, (guint) self->n_parts, (self->channels + UNIT - 1) / UNIT, &first,
                      &end);
  work.channel = first * UNIT;
  work.n_channels = MIN (end * UNIT, self->channels) - work.channel;
  run_parts (self, run, x, row, &work, line);
  sym_step_activate (&self->activation, row + work.channel, work.n_channels);
}

static gboolean
run_window (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Window *self = (const Window *) step;
  SymRows x = { run->places[self->x], self->batch * self->height, self->width * self->channels };
  SymRows y = { run->places[self->y], self->batch * self->rows, self->columns * self->channels };
  gsize first, end;

  if (self->scales != NULL && run->round == 0)
    {
      if (slice == 0)
        pack (self, run->places[self->given], self->scales, run->places[self->room]);
      return TRUE;
    }
  sym_step_get_slice (slice, step->n_slices, self->batch * self->rows * self->n_parts, &first,
                      &end);
  if (self->n_parts == 1)
    run_rows (step, run, &x, &y, first, end);
  else
    for (gsize i = first; i < end; i++)
      run_channels (self, run, &x, &y, i / self->n_parts, (guint) (i % self->n_parts));
  return TRUE;
}

static void
free_window (SymStep *step)
{
  Window *self = (Window *) step;

  g_free (self->weights);
  g_free (self->bias);
  g_free (self->scales);
  g_free (self);
}

static const SymStepClass window_class = { run_window, free_window, run_rows };

static SymWindowLineFunction
find_line (const Window *self, const SymPlanOp *op, const SymProcessor *processor)
{
  if (op->kind != SYM_PLAN_CONVOLUTION || (self->dilations[1] != 1 && self->strides[1] != 1) ||
      self->kernel[1] > SYM_LINE_TAPS || self->strides[1] > SYM_LINE_STRIDES)
    return NULL;
  return processor->weigh_line[self->kernel[1]][self->strides[1]];
}

/* What pools whole pictures has nothing else that threads could share. */
static gsize
count_parts (const Window *self)
{
  return self->weigh_line != NULL || self->rows * self->columns > 1
             ? 1
             : MAX (self->channels / LEAST_CHANNELS, 1);
}

SymStep *
sym_window_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  gsize taps = (gsize) (op->kernel[0] * op->kernel[1]);
  Window *self = g_new0 (Window, 1);
  double n_cycles;

  self->step.class = &window_class;
  self->function = op->kind == SYM_PLAN_CONVOLUTION ? options->processor->weigh
                   : op->is_maximum                 ? options->processor->maximise
                                                    : options->processor->add;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->batch = op->from.n;
  self->channels = op->from.channels;
  self->height = op->from.height;
  self->width = op->from.width;
  self->rows = op->to.height;
  self->columns = op->to.width;
  for (int i = 0; i < 2; i++)
    {
      self->kernel[i] = op->kernel[i];
      self->strides[i] = op->strides[i];
      self->dilations[i] = op->dilations[i];
      self->pads[i] = op->pads[i];
    }
  self->counts_outside = op->counts_outside;
  self->bounds = sym_step_get_bounds (op);
  self->activation = sym_step_get_activation (op);
  find_inside (self);
  self->weigh_line = find_line (self, op, options->processor);
  self->n_parts = count_parts (self);
  if (op->kind == SYM_PLAN_CONVOLUTION)
    take_weights (self, op);
  n_cycles = (double) (self->batch * self->rows * self->columns) *
             (double) (taps * self->channels * CYCLES) / (double) options->processor->width;
  self->step.n_slices =
      sym_step_count_slices (options, n_cycles, self->batch * self->rows * self->n_parts);
  self->step.n_scratch = 2 * taps * sizeof (float *);
  return &self->step;
}
