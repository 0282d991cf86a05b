/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-bytes-private.h"

/* Convolutions of codes of each channel by itself, with the channels last.  Sums are of floats that
 * hold all of them.  Outside are pixels of the zero point, so that all windows have all taps. */

/* Products in a cycle. */
#define PRODUCTS 20.0

typedef struct {
  SymStep step;
  guint x, y;
  gsize channels, pixel; /* bytes from one pixel to the next */
  SymPlanImages from, to;
  gint64 kernel[2], strides[2], dilations[2], pads[2];
  gint64 inside[2]; /* columns whose taps are all inside */
  float *weights;   /* of each tap all channels */
  float *sums;      /* of each channel those of all taps */
  float *scales, *bias;
  SymBytesResult result;
} Window;

/* ---- Making ---- */

static void
take_weights (Window *self, const SymPlanOp *op)
{
  gsize taps = (gsize) (self->kernel[0] * self->kernel[1]), n = self->channels;

  self->weights = g_new (float, taps *n);
  self->sums = g_new0 (float, n);
  for (gsize c = 0; c < n; c++)
    for (gsize tap = 0; tap < taps; tap++)
      {
        guint8 bits = op->bytes->weights[c * taps + tap];
        gint32 weight = op->bytes->has_signed ? (gint8) bits : bits - 128;

        weight -= op->bytes->zeros == NULL ? 0 : op->bytes->zeros[c];
        self->weights[tap * n + c] = (float) weight;
        self->sums[c] += (float) weight;
      }
  self->scales = sym_bytes_result_new_row (&self->result, op->scales, n, n);
  self->bias = sym_bytes_result_new_row (&self->result, op->bias, n, n);
  self->step.n_bytes = (taps + 3) * n * sizeof (float);
}

static void
find_inside (Window *self)
{
  gint64 reach = (self->kernel[1] - 1) * self->dilations[1] + 1, stride = self->strides[1];
  gint64 room = (gint64) self->from.width + self->pads[1] - reach, n = (gint64) self->to.width;

  self->inside[0] = MIN ((self->pads[1] + stride - 1) / stride, n);
  self->inside[1] = CLAMP (room < 0 ? 0 : room / stride + 1, self->inside[0], n);
}

static void
free_window (SymStep *step)
{
  Window *self = (Window *) step;

  g_free (self->weights);
  g_free (self->sums);
  g_free (self->scales);
  g_free (self->bias);
  g_free (self);
}

/* ---- Running ---- */

/* The memory of one thread: where the taps and their weights are, terms of all channels, and a
 * pixel of zero points. */
typedef struct {
  const guint8 **x;
  const float **weights;
  float *terms;
  guint8 *blank;
} Work;

static Work
begin_work (const Window *self, const SymStepRun *run, gint32 zero)
{
  gsize taps = (gsize) (self->kernel[0] * self->kernel[1]);
  Work work = { .x = run->scratch };

  work.weights = (const float **) (work.x + taps);
  work.terms = (float *) (work.weights + taps);
  work.blank = (guint8 *) (work.terms + self->channels);
  for (gsize tap = 0; tap < taps; tap++)
    work.weights[tap] = self->weights + tap * self->channels;
  for (gsize c = 0; c < self->channels; c++)
    work.terms[c] = -(float) zero * self->sums[c];
  memset (work.blank, zero, self->channels);
  return work;
}

static gsize
get_scratch (const Window *self)
{
  gsize taps = (gsize) (self->kernel[0] * self->kernel[1]);

  return 2 * taps * sizeof (void *) + self->channels * (sizeof (float) + 1);
}

/* The pixels from @column on in a line of the result, @n with taps like those of the first. */
static void
run_pixels (const Window *self,
            const SymStepRun *run,
            const Work *work,
            gsize line,
            gsize column,
            gsize n)
{
  const guint8 *codes = sym_code_rows_get_codes (
      run->places[self->x], self->from.n * self->from.height * self->from.width);
  gint64 top = (gint64) (line % self->to.height) * self->strides[0] - self->pads[0];
  gint64 left = (gint64) column * self->strides[1] - self->pads[1];
  gsize image = line / self->to.height * self->from.height, at = line * self->to.width + column;
  guint tap = 0;
  SymBytesWindow window = { .x = work->x,
                            .weights = work->weights,
                            .n_taps = (guint) (self->kernel[0] * self->kernel[1]),
                            .step = (gsize) self->strides[1] * self->pixel,
                            .terms = work->terms,
                            .scales = self->scales,
                            .bias = self->bias,
                            .n_pixels = n,
                            .n_channels = self->channels,
                            .low = self->result.low,
                            .high = self->result.high,
                            .to_zero = self->result.zero };

  for (gint64 i = 0; i < self->kernel[0]; i++)
    for (gint64 j = 0; j < self->kernel[1]; j++)
      {
        gint64 y = top + i * self->dilations[0], x = left + j * self->dilations[1];
        gboolean is_inside =
            y >= 0 && y < (gint64) self->from.height && x >= 0 && x < (gint64) self->from.width;

        work->x[tap++] =
            is_inside ? codes + ((image + (gsize) y) * self->from.width + (gsize) x) * self->pixel
                      : work->blank;
      }
  window.y_stride = self->result.makes_codes ? self->pixel : self->channels;
  if (self->result.makes_codes)
    window.codes = sym_code_rows_get_codes (run->places[self->y],
                                            self->to.n * self->to.height * self->to.width) +
                   at * self->pixel;
  else
    window.y = run->places[self->y] + at * self->channels;
  sym_bytes_weigh (&window);
}

/* A line of the kernel outside is blank, which goes on for one pixel only. */
static gboolean
is_within (const Window *self, gsize line)
{
  gint64 top = (gint64) (line % self->to.height) * self->strides[0] - self->pads[0];

  return top >= 0 && top + (self->kernel[0] - 1) * self->dilations[0] < (gint64) self->from.height;
}

static gboolean
run_window (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Window *self = (const Window *) step;
  gsize inside[2] = { (gsize) self->inside[0], (gsize) self->inside[1] }, first, end;
  Work work = begin_work (self, run, sym_code_rows_get_head (run->places[self->x])->zero);

  if (slice == 0 && self->result.makes_codes)
    sym_bytes_result_tell (&self->result, run->places[self->y]);
  sym_step_get_slice (slice, step->n_slices, self->to.n * self->to.height, &first, &end);
  for (gsize line = first; line < end; line++)
    for (gsize column = 0, n; column < self->to.width; column += n)
      {
        n = column == inside[0] && inside[1] > inside[0] && is_within (self, line)
                ? inside[1] - inside[0]
                : 1;
        run_pixels (self, run, &work, line, column, n);
      }
  return TRUE;
}

static const SymStepClass class = { .run = run_window, .free = free_window };

SymStep *
sym_byte_window_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Window *self = g_new0 (Window, 1);

  (void) graph;
  self->x = op->x;
  self->y = op->y;
  self->channels = op->inner;
  self->pixel = sym_bytes_get_stride (op->inner);
  self->from = op->from;
  self->to = op->to;
  for (int i = 0; i < 2; i++)
    {
      self->kernel[i] = op->kernel[i];
      self->strides[i] = op->strides[i];
      self->dilations[i] = op->dilations[i];
      self->pads[i] = op->pads[i];
    }
  self->result = sym_bytes_result_find (op);
  find_inside (self);
  take_weights (self, op);
  self->step.class = &class;
  self->step.n_scratch = get_scratch (self);
  self->step.n_slices = sym_step_count_slices (
      options,
      (double) (self->to.n * self->to.height * self->to.width * self->channels) *
          (double) (self->kernel[0] * self->kernel[1]) / PRODUCTS,
      self->to.n * self->to.height);
  return &self->step;
}
