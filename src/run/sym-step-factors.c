/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "run/sym-step-private.h"
#include "run/sym-vector-rows-private.h"

/* Of each channel the mean, the factor and the term that bring its group to mean 0 and variance 1,
 * and then to the scale and bias that it has: what norms of instances and of groups are before they
 * are applied.  The mean is taken away first, as it may be much larger than what is off it. Numbers
 * are taken some at a time, so that they are still near when the mean of those is known; means and
 * sums of squares of two parts then give those of both: Chan, Golub and LeVeque, "Updating formulae
 * and a pairwise algorithm for computing sample variances". */

#define NEAR_NUMBERS 4096

typedef struct {
  SymStep step;
  guint x, y, scale, bias;
  gsize n_images, n_channels, n_pixels, n_groups;
  gsize n_scales, n_biases; /* one for each group, or for each channel */
  double epsilon;
  gboolean is_last;
} Factors;

typedef struct {
  double n, mean, squares; /* of what is off the mean */
} Moments;

static void
merge (Moments *self, const Moments *more)
{
  double off = more->mean - self->mean, n = self->n + more->n;

  self->mean += off * more->n / n;
  self->squares += more->squares + off * off * self->n * more->n / n;
  self->n = n;
}

/* Of numbers that lie together. */
static Moments
measure_row (const float *x, gsize n)
{
  Moments all = { 0, 0, 0 };

  for (gsize i = 0; i < n; i += NEAR_NUMBERS)
    {
      gsize size = MIN (NEAR_NUMBERS, n - i);
      float mean = sym_vector_sum_row (x + i, size) / (float) size;
      Moments part = { (double) size, (double) mean,
                       (double) sym_vector_deviate_row (x + i, mean, size) };

      merge (&all, &part);
    }
  return all;
}

/* Of @n channels that lie last, each by itself; @scratch is for as many floats twice. */
static void
measure_channels (const Factors *self, const float *x, gsize n, Moments *channels, float *scratch)
{
  float *means = scratch, *squares = scratch + n;
  gsize n_near = MAX (NEAR_NUMBERS / n, 1);
  gssize stride = (gssize) self->n_channels;

  for (gsize c = 0; c < n; c++)
    channels[c] = (Moments){ 0, 0, 0 };
  for (gsize i = 0; i < self->n_pixels; i += n_near)
    {
      const float *pixels = x + i * self->n_channels;
      gsize size = MIN (n_near, self->n_pixels - i);

      sym_vector_sum_rows (means, pixels, size, stride, n);
      sym_vector_scale_row (means, means, 1 / (float) size, n);
      sym_vector_deviate_rows (squares, pixels, means, size, stride, n);
      for (gsize c = 0; c < n; c++)
        merge (&channels[c], &(Moments){ (double) size, (double) means[c], (double) squares[c] });
    }
}

/* ---- Running ---- */

static double
get_number (const SymStepRun *run, guint tensor, gsize n, gsize channel, gsize n_channels)
{
  return (double) run->places[tensor][channel / (n_channels / n)];
}

static void
put_group (const Factors *self, const SymStepRun *run, gsize image, gsize group, const Moments *of)
{
  gsize n = self->n_channels / self->n_groups;
  gsize n_all = self->n_images * self->n_channels;
  float *means = run->places[self->y] + image * self->n_channels;
  float *factors = means + n_all, *terms = factors + n_all;
  double factor = 1 / sqrt (of->squares / of->n + self->epsilon);

  for (gsize c = group * n; c < (group + 1) * n; c++)
    {
      double scale = get_number (run, self->scale, self->n_scales, c, self->n_channels);
      double bias = get_number (run, self->bias, self->n_biases, c, self->n_channels);

      means[c] = (float) of->mean;
      factors[c] = (float) (scale * factor);
      terms[c] = (float) (bias - (of->mean - (double) means[c]) * scale * factor);
    }
}

/* Groups of one image from @first to before @end. */
static void
run_last (const Factors *self, const SymStepRun *run, gsize image, gsize first, gsize end)
{
  gsize n = self->n_channels / self->n_groups;
  Moments *channels = run->scratch;
  const float *x = run->places[self->x] + image * self->n_channels * self->n_pixels + first * n;

  measure_channels (self, x, (end - first) * n, channels,
                    (float *) (gpointer) (channels + self->n_channels));
  for (gsize group = first; group < end; group++, channels += n)
    {
      Moments all = channels[0];

      for (gsize c = 1; c < n; c++)
        merge (&all, &channels[c]);
      put_group (self, run, image, group, &all);
    }
}

static void
run_first (const Factors *self, const SymStepRun *run, gsize image, gsize first, gsize end)
{
  gsize n = self->n_channels / self->n_groups * self->n_pixels;

  for (gsize group = first; group < end; group++)
    {
      Moments all = measure_row (run->places[self->x] + (image * self->n_groups + group) * n, n);

      put_group (self, run, image, group, &all);
    }
}

static gboolean
run_factors (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Factors *self = (const Factors *) step;
  gsize n = self->n_groups, first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_images * n, &first, &end);
  for (gsize image = first / n; image * n < end; image++)
    {
      gsize from = MAX (first, image * n) - image * n, to = MIN (end - image * n, n);

      (self->is_last ? run_last : run_first) (self, run, image, from, to);
    }
  return TRUE;
}

static void
free_factors (SymStep *step)
{
  g_free (step);
}

static const SymStepClass factors_class = { .run = run_factors, .free = free_factors };

/* Slices of groups whose channels lie last still read some of them together. */
#define LEAST_CHANNELS 16

SymStep *
sym_factors_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  const SymPlanTensor *x = sym_plan_graph_get_tensor (graph, op->x);
  Factors *self = g_new0 (Factors, 1);
  gsize n_units;

  self->step.class = &factors_class;
  self->x = op->x;
  self->y = op->y;
  self->scale = op->other;
  self->bias = op->third;
  self->n_images = (gsize) x->shape.dims[0];
  self->n_channels = (gsize) x->shape.dims[1];
  self->n_pixels = x->n / (self->n_images * self->n_channels);
  self->n_groups = op->n;
  self->n_scales = sym_plan_graph_get_tensor (graph, op->other)->n;
  self->n_biases = sym_plan_graph_get_tensor (graph, op->third)->n;
  self->epsilon = (double) op->p;
  self->is_last = x->is_last;
  n_units = self->n_images * self->n_groups;
  if (self->is_last)
    n_units = MIN (n_units, MAX (self->n_images * self->n_channels / LEAST_CHANNELS, 1));
  self->step.n_slices = sym_step_count_slices (options, (double) x->n / 3, n_units);
  self->step.n_scratch = self->n_channels * (sizeof (Moments) + 2 * sizeof (float));
  return &self->step;
}
