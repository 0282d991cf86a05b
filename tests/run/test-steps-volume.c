/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "random.h"

#include "run/sym-step-private.h"

/* Convolutions of three axes, plain and transposed, by every kind of processor that this one can
 * stand in for, beside loops over doubles that lay each element of x over the result. */

typedef struct {
  gint64 n, inner, outer, groups;
  SymPlanAxis axes[SYM_PLAN_AXES];
} Case;

typedef struct {
  const Case *of;
  SymPlanGraph *graph;
  SymMemoryPool *pool;
  SymPlanOp op;
  float *x, *y, *addend, *weights;
  double *expected, largest;
  gsize n_y;
} Fixture;

typedef SymStep *(*Make) (const SymPlanGraph *graph,
                          const SymPlanOp *op,
                          const SymStepOptions *options);

static gsize
multiply (const SymPlanAxis *axes, gsize offset)
{
  gsize n = 1;

  for (int i = 0; i < SYM_PLAN_AXES; i++)
    n *= (gsize) G_STRUCT_MEMBER (gint64, &axes[i], offset);
  return n;
}

#define COUNT(axes, member) multiply (axes, G_STRUCT_OFFSET (SymPlanAxis, member))

static void
set_up (Fixture *self, const Case *of, gboolean is_transposed)
{
  GRand *random = g_rand_new_with_seed (5);
  gsize n = (gsize) of->n, inner = (gsize) of->inner, outer = (gsize) of->outer;

  *self = (Fixture){ of, sym_plan_graph_new (NULL, NULL), sym_memory_pool_new (NULL) };
  self->n_y = n * outer * COUNT (of->axes, to);
  self->x = new_numbers (random, n * inner * COUNT (of->axes, from));
  self->y = new_numbers (random, self->n_y);
  self->addend = new_numbers (random, self->n_y);
  self->weights =
      new_numbers (random, inner * outer / (gsize) of->groups * COUNT (of->axes, kernel));
  self->expected = g_new (double, self->n_y);
  self->op = (SymPlanOp){ .kind = SYM_PLAN_VOLUME,
                          .x = 0,
                          .y = 1,
                          .other = SYM_PLAN_NONE,
                          .third = SYM_PLAN_NONE,
                          .addend = SYM_PLAN_NONE,
                          .weights = self->weights,
                          .is_transposed = is_transposed,
                          .inner = inner,
                          .outer = outer,
                          .from = { .n = n },
                          .axes = of->axes,
                          .groups = of->groups,
                          .scales = new_numbers (random, outer),
                          .bias = new_numbers (random, outer) };
  g_rand_free (random);
}

static void
clear (Fixture *self)
{
  sym_plan_graph_free (self->graph);
  sym_memory_pool_free (self->pool);
  g_free (self->x);
  g_free (self->y);
  g_free (self->addend);
  g_free (self->weights);
  g_free (self->expected);
  g_free (self->op.scales);
  g_free (self->op.bias);
}

/* ---- What is expected ---- */

/* The element of axis @i of the other side that @place is laid over by @tap; FALSE for none. */
static gboolean
find_other (const Fixture *self, int i, gint64 place, gint64 tap, gint64 *other)
{
  const SymPlanAxis *axis = &self->of->axes[i];

  if (self->op.is_transposed)
    {
      gint64 scaled = place + axis->before - tap * axis->dilation;

      *other = scaled / axis->stride;
      return scaled >= 0 && scaled % axis->stride == 0 && *other < axis->from;
    }
  *other = place * axis->stride - axis->before + tap * axis->dilation;
  return *other >= 0 && *other < axis->from;
}

/* Of all channels of x under one tap, for one channel of the result. */
static double
add_channels (const Fixture *self, const float *x, gsize outer, gsize tap)
{
  gsize groups = (gsize) self->of->groups, n_in = self->op.inner / groups;
  gsize n_out = self->op.outer / groups, group = outer / n_out;
  gsize taps = COUNT (self->of->axes, kernel);
  double sum = 0;

  for (gsize c = 0; c < n_in; c++)
    {
      gsize kernel =
          self->op.is_transposed ? (group * n_in + c) * n_out + outer % n_out : outer * n_in + c;

      sum += (double) x[group * n_in + c] * (double) self->weights[kernel * taps + tap];
    }
  return sum * (double) self->op.scales[outer];
}

static double
add_taps (const Fixture *self, gsize image, const gint64 *place, gsize outer)
{
  const SymPlanAxis *axes = self->of->axes;
  double sum = (double) self->op.bias[outer];
  gint64 tap[3], at[3];

  for (tap[0] = 0; tap[0] < axes[0].kernel; tap[0]++)
    for (tap[1] = 0; tap[1] < axes[1].kernel; tap[1]++)
      for (tap[2] = 0; tap[2] < axes[2].kernel; tap[2]++)
        {
          gint64 number = (tap[0] * axes[1].kernel + tap[1]) * axes[2].kernel + tap[2], from;

          if (!find_other (self, 0, place[0], tap[0], &at[0]) ||
              !find_other (self, 1, place[1], tap[1], &at[1]) ||
              !find_other (self, 2, place[2], tap[2], &at[2]))
            continue;
          from = (((gint64) image * axes[0].from + at[0]) * axes[1].from + at[1]) * axes[2].from +
                 at[2];
          sum +=
              add_channels (self, self->x + (gsize) from * self->op.inner, outer, (gsize) number);
        }
  return sum;
}

static void
expect (Fixture *self)
{
  const SymPlanAxis *axes = self->of->axes;

  self->largest = 0;
  for (gsize i = 0; i < self->n_y; i++)
    {
      gint64 rest = (gint64) (i / self->op.outer), place[3];

      for (int axis = 2; axis >= 0; axis--)
        {
          place[axis] = rest % axes[axis].to;
          rest /= axes[axis].to;
        }
      self->expected[i] = add_taps (self, (gsize) rest, place, i % self->op.outer);
      self->largest = fmax (self->largest, fabs (self->expected[i]));
      if (self->op.addend != SYM_PLAN_NONE)
        self->expected[i] = fmax (self->expected[i] + (double) self->addend[i], 0);
    }
}

/* ---- What is made ---- */

static void
assert_computes (const Fixture *self, Make make, const SymProcessor *processor, guint n_threads)
{
  SymStepOptions options = { processor, n_threads, FALSE, self->pool };
  SymStep *step = make (self->graph, &self->op, &options);
  g_autofree float *y = g_memdup2 (self->y, (self->n_y + 1) * sizeof (float));
  float *places[] = { self->x, y, self->addend };
  void *scratch = sym_memory_new (step->n_scratch);
  SymStepRun run = { places, scratch, NULL };
  double difference = 0;

  y[self->n_y] = 42;
  for (guint i = step->n_slices; i > 0; i--)
    g_assert_true (step->class->run (step, &run, i - 1, NULL));
  g_assert_true (y[self->n_y] == 42);
  for (gsize i = 0; i < self->n_y; i++)
    difference = fmax (difference, fabs ((double) y[i] - self->expected[i]));
  g_assert_cmpfloat (difference, <=, 1e-5 * self->largest);
  sym_memory_free (scratch, step->n_scratch);
  step->class->free (step);
}

/* Alone, and with an addend and an activation. */
static void
assert_all_compute (const Case *of, Make make, gboolean is_transposed)
{
  Fixture fixture;

  set_up (&fixture, of, is_transposed);
  for (guint round = 0; round < 2; round++)
    {
      expect (&fixture);
      for (guint i = 0; sym_processor_get_other (i) != NULL; i++)
        for (guint n_threads = 1; n_threads <= 3; n_threads += 2)
          assert_computes (&fixture, make, sym_processor_get_other (i), n_threads);
      fixture.op.addend = 2;
      fixture.op.activation = SYM_PLAN_RELU;
    }
  clear (&fixture);
}

static void
convolves (void)
{
  const Case cases[] = {
    { 1, 3, 16, 1, { { 5, 5, 3, 1, 1, 1 }, { 9, 9, 3, 1, 1, 1 }, { 8, 8, 3, 1, 1, 1 } } },
    { 2, 17, 70, 1, { { 4, 2, 2, 2, 1, 0 }, { 7, 4, 3, 2, 1, 1 }, { 6, 3, 2, 3, 1, 2 } } },
    { 1, 12, 36, 3, { { 6, 4, 3, 1, 2, 1 }, { 1, 1, 1, 1, 1, 0 }, { 9, 7, 5, 1, 1, 1 } } },
    { 1, 2, 3, 1, { { 1, 3, 3, 1, 1, 2 }, { 2, 4, 3, 1, 1, 2 }, { 1, 3, 3, 1, 1, 2 } } },
    { 1, 1, 1, 1, { { 1, 1, 1, 1, 1, 0 }, { 1, 1, 1, 1, 1, 0 }, { 1, 1, 1, 1, 1, 0 } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_all_compute (&cases[i], sym_volume_new, FALSE);
}

static void
convolves_transposed (void)
{
  const Case cases[] = {
    { 1, 20, 33, 1, { { 1, 1, 1, 1, 1, 0 }, { 1, 1, 1, 1, 1, 0 }, { 17, 136, 16, 8, 1, 4 } } },
    { 2, 16, 40, 1, { { 1, 1, 1, 1, 1, 0 }, { 7, 14, 2, 2, 1, 0 }, { 5, 10, 4, 2, 1, 1 } } },
    { 1, 9, 130, 1, { { 3, 5, 3, 1, 1, 0 }, { 2, 6, 3, 3, 2, 1 }, { 4, 20, 3, 6, 4, 2 } } },
    { 1, 12, 6, 3, { { 2, 3, 2, 1, 1, 0 }, { 3, 7, 3, 2, 1, 0 }, { 1, 9, 1, 4, 1, 0 } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_all_compute (&cases[i], sym_volume_new, TRUE);
}

static void
convolves_each_channel (void)
{
  const Case cases[] = {
    { 2, 37, 37, 37, { { 5, 5, 3, 1, 1, 1 }, { 4, 2, 3, 2, 1, 1 }, { 9, 4, 2, 2, 1, 0 } } },
    { 1, 16, 16, 16, { { 1, 1, 1, 1, 1, 0 }, { 7, 5, 3, 1, 2, 1 }, { 3, 5, 3, 1, 1, 2 } } },
  };
  const Case transposed[] = {
    { 2, 37, 37, 37, { { 2, 3, 2, 1, 1, 0 }, { 4, 8, 4, 2, 1, 1 }, { 3, 11, 3, 4, 2, 1 } } },
    { 1, 21, 21, 21, { { 1, 1, 1, 1, 1, 0 }, { 6, 48, 16, 8, 1, 4 }, { 5, 40, 16, 8, 1, 4 } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      assert_all_compute (&cases[i], sym_volume_window_new, FALSE);
      assert_all_compute (&transposed[i], sym_volume_window_new, TRUE);
    }
}

static void
scatters_few_channels (void)
{
  const Case cases[] = {
    { 1, 20, 1, 1, { { 1, 1, 1, 1, 1, 0 }, { 5, 15, 9, 3, 1, 4 }, { 6, 18, 9, 3, 1, 4 } } },
    { 2, 16, 3, 1, { { 1, 1, 1, 1, 1, 0 }, { 4, 8, 4, 2, 1, 1 }, { 5, 10, 4, 2, 1, 1 } } },
    { 1, 9, 2, 1, { { 3, 5, 3, 1, 1, 0 }, { 2, 6, 3, 3, 2, 1 }, { 4, 20, 3, 6, 4, 2 } } },
    { 1, 7, 1, 1, { { 1, 1, 1, 1, 1, 0 }, { 1, 1, 1, 1, 1, 0 }, { 400, 1600, 16, 4, 1, 6 } } },
    { 1, 3, 1, 1, { { 1, 1, 1, 1, 1, 0 }, { 1, 4, 1, 4, 1, 0 }, { 1, 9, 20, 3, 1, 5 } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_all_compute (&cases[i], sym_scatter_new, TRUE);
}

/* Where tiles would be mostly empty. */
static void
knows_when_to_scatter (void)
{
  SymPlanAxis axes[SYM_PLAN_AXES] = { { 1, 1, 1, 1, 1, 0 },
                                      { 4, 8, 4, 2, 1, 1 },
                                      { 5, 10, 4, 2, 1, 1 } };
  SymPlanOp op = { .is_transposed = TRUE, .groups = 1, .inner = 8, .outer = 1, .axes = axes };
  SymStepOptions options = { .processor = sym_processor_get () };

  g_assert_true (sym_scatter_is_better (&op, &options));
  op.outer = 64;
  g_assert_false (sym_scatter_is_better (&op, &options));
  op.outer = 1;
  op.is_transposed = FALSE;
  g_assert_false (sym_scatter_is_better (&op, &options));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/steps-volume/convolves", convolves);
  g_test_add_func ("/run/steps-volume/convolves-transposed", convolves_transposed);
  g_test_add_func ("/run/steps-volume/convolves-each-channel", convolves_each_channel);
  g_test_add_func ("/run/steps-volume/scatters-few-channels", scatters_few_channels);
  g_test_add_func ("/run/steps-volume/knows-when-to-scatter", knows_when_to_scatter);
  return g_test_run ();
}
