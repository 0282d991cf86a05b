/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-span-private.h"

/* Convolutions over three axes, and transposed ones, of each channel by itself, with the channels
 * last: lines of a box, of which each element is made from those under the kernel, whatever the
 * channel. */

typedef struct {
  SymStep step;
  SymWindowFunction weigh;
  guint x, y, addend;
  gsize n_images, n_channels;
  SymPlanAxis axes[SYM_PLAN_AXES];
  GArray *spans[SYM_PLAN_AXES]; /* of SymSpan */
  gsize n_boxes, n_lines;       /* of each image */
  float *weights, *bias;        /* of each tap all channels */
  SymBounds bounds;
} VolumeWindow;

/* The memory of one thread: where the taps and their weights are. */
typedef struct {
  const float **x, **weights;
} Work;

static gsize
count_kernel (const VolumeWindow *self)
{
  return (gsize) (self->axes[0].kernel * self->axes[1].kernel * self->axes[2].kernel);
}

static gsize
count_lines (const SymBox *box)
{
  return (gsize) (box->spans[0]->n * box->spans[1]->n);
}

static gsize
find_place (const VolumeWindow *self, gboolean is_result, gint64 i, gint64 j, gint64 k)
{
  const SymPlanAxis *axes = self->axes;
  gint64 height = is_result ? axes[1].to : axes[1].from;
  gint64 width = is_result ? axes[2].to : axes[2].from;

  return (gsize) ((i * height + j) * width + k) * self->n_channels;
}

/* The taps of the element of x at @x. */
static guint
find_taps (const VolumeWindow *self, const SymBox *box, const float *x, const Work *work)
{
  const SymSpan *a = box->spans[0], *b = box->spans[1], *c = box->spans[2];
  guint n = 0;

  for (gint64 i = 0; i < a->n_taps; i++)
    for (gint64 j = 0; j < b->n_taps; j++)
      for (gint64 k = 0; k < c->n_taps; k++, n++)
        {
          gint64 row = (a->tap + i * a->tap_step) * self->axes[1].kernel + b->tap + j * b->tap_step;
          gint64 tap = row * self->axes[2].kernel + c->tap + k * c->tap_step;

          work->x[n] =
              x + find_place (self, FALSE, i * a->x_tap_step, j * b->x_tap_step, k * c->x_tap_step);
          work->weights[n] = self->weights + (gsize) tap * self->n_channels;
        }
  return n;
}

static void
run_line (const VolumeWindow *self,
          const SymStepRun *run,
          const Work *work,
          const SymBox *box,
          gsize image,
          gsize line)
{
  const SymSpan *a = box->spans[0], *b = box->spans[1], *c = box->spans[2];
  gint64 i = (gint64) line / b->n, j = (gint64) line % b->n;
  const float *x =
      run->places[self->x] + image * find_place (self, FALSE, self->axes[0].from, 0, 0) +
      find_place (self, FALSE, a->from + i * a->x_step, b->from + j * b->x_step, c->from);
  gsize place = image * find_place (self, TRUE, self->axes[0].to, 0, 0) +
                find_place (self, TRUE, a->first + i * a->step, b->first + j * b->step, c->first);
  SymWindow window = { .x = work->x,
                       .weights = work->weights,
                       .n_taps = find_taps (self, box, x, work),
                       .step = (gsize) c->x_step * self->n_channels,
                       .bias = self->bias,
                       .y = run->places[self->y] + place,
                       .stride = (gsize) c->step * self->n_channels,
                       .n_pixels = (gsize) c->n,
                       .n_channels = self->n_channels,
                       .factor = 1,
                       .bounds = self->bounds };

  if (self->addend != SYM_PLAN_NONE)
    window.addend = run->places[self->addend] + place;
  self->weigh (&window);
}

/* Lines of one image from @first to before @end, counted over its boxes. */
static void
run_image (const VolumeWindow *self,
           const SymStepRun *run,
           const Work *work,
           gsize image,
           gsize first,
           gsize end)
{
  gsize begin = 0;

  for (gsize i = 0; i < self->n_boxes && begin < end; i++)
    {
      SymBox box = sym_step_get_box (self->spans, i);
      gsize n = count_lines (&box);

      for (gsize line = MAX (first, begin); line < MIN (end, begin + n); line++)
        run_line (self, run, work, &box, image, line - begin);
      begin += n;
    }
}

static gboolean
run_volume_window (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const VolumeWindow *self = (const VolumeWindow *) step;
  Work work = { run->scratch };
  gsize n = self->n_lines, first, end;

  work.weights = work.x + count_kernel (self);
  sym_step_get_slice (slice, step->n_slices, self->n_images * n, &first, &end);
  for (gsize image = first / n; image * n < end; image++)
    run_image (self, run, &work, image, MAX (first, image * n) - image * n,
               MIN (end - image * n, n));
  return TRUE;
}

static void
free_volume_window (SymStep *step)
{
  VolumeWindow *self = (VolumeWindow *) step;

  for (int i = 0; i < SYM_PLAN_AXES; i++)
    g_array_unref (self->spans[i]);
  g_free (self->weights);
  g_free (self->bias);
  g_free (self);
}

static const SymStepClass volume_window_class = { run_volume_window, free_volume_window };

/* ---- Making ---- */

static void
pack (VolumeWindow *self, const SymPlanOp *op)
{
  gsize taps = count_kernel (self);

  self->weights = g_new (float, taps * self->n_channels);
  for (gsize c = 0; c < self->n_channels; c++)
    for (gsize tap = 0; tap < taps; tap++)
      self->weights[tap * self->n_channels + c] = op->weights[c * taps + tap] * op->scales[c];
  self->bias = g_memdup2 (op->bias, self->n_channels * sizeof (float));
  self->step.n_bytes = (taps + 1) * self->n_channels * sizeof (float);
}

SymStep *
sym_volume_window_new (const SymPlanGraph *graph,
                       const SymPlanOp *op,
                       const SymStepOptions *options)
{
  VolumeWindow *self = g_new0 (VolumeWindow, 1);
  double n_cycles = 0;

  self->step.class = &volume_window_class;
  self->weigh = options->processor->weigh;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->n_images = op->from.n;
  self->n_channels = op->inner;
  memcpy (self->axes, op->axes, sizeof self->axes);
  self->bounds = sym_step_get_bounds (op);
  self->n_boxes = sym_step_find_spans (op, self->spans);
  for (gsize i = 0; i < self->n_boxes; i++)
    {
      SymBox box = sym_step_get_box (self->spans, i);
      double taps = (double) (box.spans[0]->n_taps * box.spans[1]->n_taps * box.spans[2]->n_taps);

      self->n_lines += count_lines (&box);
      n_cycles += (double) count_lines (&box) * (double) box.spans[2]->n * (taps + 1);
    }
  n_cycles *= (double) (self->n_images * self->n_channels) / (double) options->processor->width;
  self->step.n_slices = sym_step_count_slices (options, n_cycles, self->n_images * self->n_lines);
  self->step.n_scratch = 2 * count_kernel (self) * sizeof (float *);
  pack (self, op);
  return &self->step;
}
