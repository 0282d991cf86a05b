/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "random.h"

#include "run/sym-step-private.h"

/* Steps of convolution and pooling by every kind of processor that this one can stand in for, and
 * in any number of slices, beside loops over doubles. */

typedef struct {
  gint64 batch, inner, height, width, outer, kernel[2], strides[2], dilations[2], pads[4], groups;
} Case;

typedef struct {
  SymPlanGraph *graph;
  SymPlanOp op;
  float *x, *y, *addend, *weights;
  double *expected;
  double largest; /* before there are bounds: what is lost is in proportion to that */
  gsize n_x, n_y;
  SymMemoryPool *pool;
} Fixture;

typedef SymStep *(*Make) (const SymPlanGraph *graph,
                          const SymPlanOp *op,
                          const SymStepOptions *options);

static gint64
get_size (const Case *from, int axis)
{
  gint64 size = axis == 0 ? from->height : from->width;
  gint64 room = size + from->pads[axis] + from->pads[axis + 2];

  return (room - (from->kernel[axis] - 1) * from->dilations[axis] - 1) / from->strides[axis] + 1;
}

static gsize
add_tensor (SymPlanGraph *graph, SymShape shape)
{
  SymPlanTensor tensor = { .value = SYM_NO_ID, .shape = shape, .is_last = TRUE };
  guint64 n;

  g_assert_true (sym_shape_get_n_elements (&shape, &n));
  tensor.n = (gsize) n;
  tensor.root = graph->tensors->len;
  g_array_append_val (graph->tensors, tensor);
  return tensor.n;
}

/* Tensors 0, 1 and 2 are operand, result and addend. */
static void
set_up (Fixture *self, const Case *from, SymPlanOpKind kind)
{
  GRand *random = g_rand_new_with_seed (3);
  gint64 rows = get_size (from, 0), columns = get_size (from, 1);
  gsize n_weights =
      (gsize) (from->outer * from->inner / from->groups * from->kernel[0] * from->kernel[1]);

  self->largest = 0;
  self->graph = sym_plan_graph_new (NULL, NULL);
  self->pool = sym_memory_pool_new (NULL);
  self->n_x =
      add_tensor (self->graph, SYM_SHAPE (from->batch, from->inner, from->height, from->width));
  self->n_y = add_tensor (self->graph, SYM_SHAPE (from->batch, from->outer, rows, columns));
  add_tensor (self->graph, SYM_SHAPE (from->batch, from->outer, rows, columns));
  self->x = new_numbers (random, self->n_x);
  self->y = new_numbers (random, self->n_y);
  self->addend = new_numbers (random, self->n_y);
  self->weights = new_numbers (random, n_weights);
  self->expected = g_new (double, self->n_y);
  self->op = (SymPlanOp){
    .kind = kind,
    .x = 0,
    .y = 1,
    .other = SYM_PLAN_NONE,
    .third = SYM_PLAN_NONE,
    .addend = SYM_PLAN_NONE,
    .weights = self->weights,
    .inner = (gsize) from->inner,
    .outer = (gsize) from->outer,
    .from = { (gsize) from->batch, (gsize) from->inner, (gsize) from->height, (gsize) from->width },
    .to = { (gsize) from->batch, (gsize) from->outer, (gsize) rows, (gsize) columns },
    .groups = from->groups
  };
  memcpy (self->op.kernel, from->kernel, sizeof from->kernel);
  memcpy (self->op.strides, from->strides, sizeof from->strides);
  memcpy (self->op.dilations, from->dilations, sizeof from->dilations);
  memcpy (self->op.pads, from->pads, sizeof from->pads);
  self->op.scales = new_numbers (random, self->op.outer);
  self->op.bias = new_numbers (random, self->op.outer);
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

typedef struct {
  double sum, largest;
  guint n;
} Pixel;

/* What is under the kernel for one pixel of the result and one of its channels. */
static Pixel
look (const Fixture *self, const Case *from, gint64 image, gint64 row, gint64 column, gint64 outer)
{
  gint64 per_group = from->inner / from->groups,
         first = outer / (from->outer / from->groups) * per_group;
  gboolean is_pool = self->op.kind == SYM_PLAN_POOL;
  Pixel pixel = { 0, -INFINITY, 0 };

  for (gint64 i = 0; i < from->kernel[0]; i++)
    for (gint64 j = 0; j < from->kernel[1]; j++)
      for (gint64 c = 0; c < (is_pool ? 1 : per_group); c++)
        {
          gint64 y = row * from->strides[0] - from->pads[0] + i * from->dilations[0];
          gint64 x = column * from->strides[1] - from->pads[1] + j * from->dilations[1];
          gint64 channel = is_pool ? outer : first + c;
          double number, weight = 1;

          if (y < 0 || y >= from->height || x < 0 || x >= from->width)
            continue;
          number =
              (double)
                  self->x[((image * from->height + y) * from->width + x) * from->inner + channel];
          if (!is_pool)
            weight =
                (double) self
                    ->weights[((outer * per_group + c) * from->kernel[0] + i) * from->kernel[1] +
                              j] *
                (double) self->op.scales[outer];
          pixel.sum += number * weight;
          pixel.largest = fmax (pixel.largest, number);
          pixel.n++;
        }
  return pixel;
}

static double
finish (const Fixture *self, const Pixel *pixel, gsize i, gint64 outer)
{
  double result = pixel->sum;

  if (self->op.kind == SYM_PLAN_POOL)
    return self->op.is_maximum ? pixel->largest : pixel->sum / pixel->n;
  result += (double) self->op.bias[outer];
  if (self->op.addend != SYM_PLAN_NONE)
    result += (double) self->addend[i];
  if (self->op.activation == SYM_PLAN_RELU)
    result = fmax (result, 0);
  if (self->op.activation == SYM_PLAN_FUNCTION)
    result = result / (1 + exp (-(double) self->op.p * result));
  if (self->op.activation == SYM_PLAN_CLIP)
    result = CLAMP (result, (double) self->op.p, (double) self->op.q);
  return result;
}

static void
expect (Fixture *self, const Case *from)
{
  gint64 rows = get_size (from, 0), columns = get_size (from, 1);

  for (gsize i = 0; i < self->n_y; i++)
    {
      gint64 place = (gint64) i / from->outer, line = place / columns;
      Pixel pixel =
          look (self, from, line / rows, line % rows, place % columns, (gint64) i % from->outer);

      self->expected[i] = finish (self, &pixel, i, (gint64) i % from->outer);
      if (self->op.activation == SYM_PLAN_LINEAR)
        self->largest = fmax (self->largest, fabs (self->expected[i]));
    }
}

/* ---- What is made ---- */

static void
assert_computes (Fixture *self,
                 Make make,
                 const SymProcessor *processor,
                 guint n_threads,
                 double tolerance)
{
  SymStepOptions options = { processor, n_threads, FALSE, self->pool };
  SymStep *step = make (self->graph, &self->op, &options);
  g_autofree float *y = g_memdup2 (self->y, (self->n_y + 1) * sizeof (float));
  float *places[] = { self->x, y, self->addend };
  gsize n_scratch = step->n_scratch;
  void *scratch = sym_memory_new (n_scratch);
  SymStepRun run = { places, scratch, NULL };
  double difference = 0;

  y[self->n_y] = 42;
  for (guint i = step->n_slices; i > 0; i--)
    g_assert_true (step->class->run (step, &run, i - 1, NULL));
  g_assert_true (y[self->n_y] == 42);
  for (gsize i = 0; i < self->n_y; i++)
    difference = fmax (difference, fabs ((double) y[i] - self->expected[i]));
  g_assert_cmpfloat (difference, <=, tolerance * self->largest);
  sym_memory_free (scratch, n_scratch);
  step->class->free (step);
}

static void
assert_all_compute (Fixture *self, const Case *from, Make make, double tolerance)
{
  expect (self, from);
  for (guint i = 0; sym_processor_get_other (i) != NULL; i++)
    for (guint n_threads = 1; n_threads <= 3; n_threads += 2)
      assert_computes (self, make, sym_processor_get_other (i), n_threads, tolerance);
}

/* Plain; with an addend and no negative ones; between bounds; and by a function. */
static void
try_activations (const Case *from, Make make, double tolerance)
{
  Fixture fixture;

  set_up (&fixture, from, SYM_PLAN_CONVOLUTION);
  assert_all_compute (&fixture, from, make, tolerance);
  fixture.op.addend = 2;
  fixture.op.activation = SYM_PLAN_RELU;
  assert_all_compute (&fixture, from, make, tolerance);
  fixture.op.activation = SYM_PLAN_CLIP;
  fixture.op.p = -0.5f;
  fixture.op.q = 0.75f;
  assert_all_compute (&fixture, from, make, tolerance);
  fixture.op.activation = SYM_PLAN_FUNCTION;
  fixture.op.function = sym_vector_swish;
  assert_all_compute (&fixture, from, make, tolerance);
  clear (&fixture);
}

static void
convolves_directly (void)
{
  const Case cases[] = {
    { 1, 3, 11, 9, 8, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 1 },
    { 2, 5, 12, 7, 70, { 3, 2 }, { 2, 1 }, { 1, 1 }, { 0, 1, 2, 0 }, 1 },
    { 1, 16, 30, 31, 33, { 5, 5 }, { 2, 3 }, { 1, 1 }, { 2, 2, 2, 2 }, 1 },
    { 1, 4, 2, 2, 5, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 2, 2, 2, 2 }, 1 },
    { 1, 6, 9, 9, 4, { 3, 3 }, { 1, 1 }, { 2, 3 }, { 2, 3, 2, 3 }, 2 },
    { 2, 12, 7, 5, 36, { 1, 1 }, { 2, 2 }, { 1, 1 }, { 0, 0, 0, 0 }, 3 },
    { 1, 7, 3, 20, 129, { 7, 1 }, { 1, 1 }, { 1, 1 }, { 6, 0, 6, 0 }, 1 },
    { 2, 16, 97, 90, 6, { 3, 2 }, { 2, 1 }, { 1, 1 }, { 1, 0, 1, 1 }, 2 },
    { 1, 2, 30, 25, 3, { 31, 27 }, { 1, 1 }, { 1, 1 }, { 30, 26, 30, 26 }, 1 },
    { 2, 400, 5, 4, 64, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 1 },
    { 1, 420, 4, 7, 128, { 3, 3 }, { 2, 1 }, { 1, 2 }, { 1, 2, 1, 2 }, 1 },
    { 1, 700, 5, 2, 64, { 7, 1 }, { 1, 1 }, { 1, 1 }, { 3, 0, 3, 0 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    try_activations (&cases[i], sym_convolution_new, 1e-5);
}

static void
convolves_single_pixels (void)
{
  const Case cases[] = {
    { 1, 1, 1, 1, 1, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 1 },
    { 2, 19, 13, 7, 75, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 1 },
    { 1, 260, 7, 7, 300, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymPlanOp op = { .groups = 1, .kernel = { 1, 1 }, .strides = { 1, 1 } };

      g_assert_true (sym_pointwise_fits (&op));
      try_activations (&cases[i], sym_pointwise_new, 1e-5);
    }
}

static void
convolves_as_winograd_did (void)
{
  const Case cases[] = {
    { 1, 16, 8, 8, 16, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 1 },
    { 2, 32, 13, 9, 80, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 0, 2, 1, 0 }, 1 },
    { 1, 48, 3, 3, 32, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 1 },
    { 1, 16, 40, 41, 144, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    try_activations (&cases[i], sym_winograd_new, 1e-4);
}

/* Rows of as many pixels as are taken together, and others; windows mostly beyond them, too. */
static void
convolves_rows_of_each_channel (void)
{
  const gint64 widths[] = { 1, 2, 3, 6, 7, 8, 13, 14, 15, 31 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    for (gint64 size = 3; size <= 7; size += 2)
      for (gint64 stride = 1; stride <= 2; stride++)
        {
          gint64 pad = i % 2 == 0 ? size / 2 : size - 1;
          Case of = {
            1, 19, 4, widths[i], 19, { 3, size }, { 1, stride }, { 1, 1 }, { 1, pad, 1, pad }, 19
          };

          try_activations (&of, sym_window_new, 1e-5);
        }
}

static void
convolves_each_channel (void)
{
  const Case cases[] = {
    { 1, 8, 11, 13, 8, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 8 },
    { 2, 37, 9, 20, 37, { 3, 5 }, { 2, 2 }, { 1, 1 }, { 1, 2, 1, 2 }, 37 },
    { 1, 16, 6, 6, 16, { 3, 3 }, { 1, 1 }, { 3, 3 }, { 3, 3, 3, 3 }, 16 },
    { 1, 20, 1, 1, 20, { 5, 5 }, { 1, 1 }, { 1, 1 }, { 2, 2, 2, 2 }, 20 },
    { 1, 3, 6, 23, 3, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    try_activations (&cases[i], sym_window_new, 1e-5);
}

static void
pools (void)
{
  const Case cases[] = {
    { 1, 16, 8, 8, 16, { 2, 2 }, { 2, 2 }, { 1, 1 }, { 0, 0, 0, 0 }, 16 },
    { 2, 21, 9, 30, 21, { 3, 3 }, { 2, 1 }, { 1, 1 }, { 1, 1, 0, 1 }, 21 },
    { 1, 50, 7, 7, 50, { 7, 7 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 50 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture fixture;

      set_up (&fixture, &cases[i], SYM_PLAN_POOL);
      assert_all_compute (&fixture, &cases[i], sym_window_new, 1e-6);
      fixture.op.is_maximum = TRUE;
      assert_all_compute (&fixture, &cases[i], sym_window_new, 0);
      clear (&fixture);
    }
}

/* ---- Weights that come meanwhile ---- */

/* What tiles and lines of a processor that multiplies nothing have asked for, what they have used,
 * and how often others were needed than before, without having been asked for. */
typedef struct {
  GArray *asked, *used; /* of SymAhead */
  const float *first, *weights;
  guint n_changes, n_surprises;
} Log;

static Log requests;

static gboolean
has (const GArray *ranges, const float *weights)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      const SymAhead *range = &g_array_index (ranges, SymAhead, i);

      if (range->n > 0 && weights >= range->from && weights < range->from + range->n)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_known (const float *weights)
{
  return has (requests.asked, weights) || has (requests.used, weights);
}

static void
note (const float *weights, gsize n, const SymAhead *ahead)
{
  SymAhead used = { weights, n };

  if (requests.first == NULL)
    requests.first = weights;
  else if (weights != requests.weights)
    {
      requests.n_changes++;
      if (!is_known (weights) || !is_known (weights + n / 2) || !is_known (weights + n - 1))
        requests.n_surprises++;
    }
  requests.weights = weights;
  g_array_append_val (requests.asked, *ahead);
  g_array_append_val (requests.used, used);
}

static void
note_tile (const SymTile *tile)
{
  note (tile->weights, tile->n * tile->n_pieces * tile->piece, &tile->ahead);
}

static void
note_line (const SymLine *line)
{
  note (line->weights, line->n * line->inner, &line->ahead);
}

static SymProcessor
new_noting_processor (void)
{
  SymProcessor processor = *sym_processor_get ();

  for (guint vectors = 1; vectors <= SYM_TILE_VECTORS; vectors++)
    {
      processor.multiply_line[vectors] = note_line;
      for (guint rows = 1; rows <= SYM_TILE_ROWS; rows++)
        processor.multiply[vectors][rows] = note_tile;
    }
  return processor;
}

/* What one of the threads asks for, where each does as many slices. */
static void
take_notes (const Case *from, Make make, guint n_threads, guint thread)
{
  SymProcessor processor = new_noting_processor ();
  SymStepOptions options = { &processor, n_threads };
  Fixture fixture;
  SymStep *step;
  SymStepRun run;
  guint slice;

  set_up (&fixture, from, SYM_PLAN_CONVOLUTION);
  options.pool = fixture.pool;
  step = make (fixture.graph, &fixture.op, &options);
  requests = (Log){ .asked = g_array_new (FALSE, FALSE, sizeof (SymAhead)),
                    .used = g_array_new (FALSE, FALSE, sizeof (SymAhead)) };
  run = (SymStepRun){ (float *[]){ fixture.x, fixture.y, fixture.addend },
                      sym_memory_new (step->n_scratch), NULL };
  slice = thread == 0 ? 0 : step->n_slices - 1;
  for (guint i = 0; i < step->n_slices / n_threads; i++, slice = run.next)
    {
      run.next = sym_threads_guess_next (n_threads, thread, slice);
      g_assert_true (step->class->run (step, &run, slice, NULL));
    }
  sym_memory_free (run.scratch, step->n_scratch);
  step->class->free (step);
  clear (&fixture);
}

static void
forget_notes (void)
{
  g_array_unref (requests.asked);
  g_array_unref (requests.used);
}

static void
assert_asks (const Case *from, Make make, guint n_threads)
{
  for (guint thread = 0; thread < n_threads; thread++)
    {
      take_notes (from, make, n_threads, thread);
      g_assert_cmpuint (requests.n_changes, >=, 3);
      g_assert_cmpuint (requests.n_surprises, ==, 0);
      forget_notes ();
    }
}

/* A block that is not near as a whole asks for its own weights, too. */
static void
asks_for_parts_of_weights (void)
{
  const Case from = { 1, 512, 5, 5, 128, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 1 };
  gsize width = sym_processor_get ()->width;

  if (512 * 9 * 4 * width * sizeof (float) < 1000000)
    {
      g_test_skip ("blocks of this processor are smaller");
      return;
    }
  take_notes (&from, sym_convolution_new, 1, 0);
  for (gsize i = 512 * 3 * 4 * width; i < 512 * 9 * 128; i += 100)
    g_assert_true (has (requests.asked, requests.first + i));
  forget_notes ();
}

static void
asks_for_weights_before_their_turn (void)
{
  const Case far = { 2, 128, 7, 7, 512, { 3, 3 }, { 1, 1 }, { 1, 1 }, { 1, 1, 1, 1 }, 1 };
  const Case single = { 1, 256, 7, 14, 512, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 1 };
  const Case near = { 1, 64, 14, 14, 256, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 0, 0, 0, 0 }, 1 };

  for (guint n_threads = 1; n_threads <= 2; n_threads++)
    {
      assert_asks (&far, sym_convolution_new, n_threads);
      assert_asks (&far, sym_winograd_new, n_threads);
      assert_asks (&single, sym_pointwise_new, n_threads);
    }
  assert_asks (&near, sym_pointwise_new, 1);
}

/* ---- What they share ---- */

static void
cuts_work_into_slices (void)
{
  for (gsize n = 0; n < 40; n++)
    for (guint n_slices = 1; n_slices < 10; n_slices++)
      {
        gsize before = 0, first, end;

        for (guint i = 0; i < n_slices; i++)
          {
            sym_step_get_slice (i, n_slices, n, &first, &end);
            g_assert_cmpuint (first, ==, before);
            g_assert_cmpuint (end - first, <=, n / n_slices + 1);
            if (n_slices == 2 * i + 2)
              g_assert_cmpuint (end, ==, n / 2);
            before = end;
          }
        g_assert_cmpuint (before, ==, n);
      }
}

static void
cuts_columns_into_blocks (void)
{
  for (guint i = 0; sym_processor_get_other (i) != NULL; i++)
    for (gsize n = 1; n < 300; n++)
      {
        const SymProcessor *processor = sym_processor_get_other (i);
        g_autoptr (GArray) blocks = sym_step_new_blocks (processor, n);
        gsize next = 0;

        for (guint j = 0; j < blocks->len; j++)
          {
            const SymBlock *block = &g_array_index (blocks, SymBlock, j);

            g_assert_cmpuint (block->first, ==, next);
            g_assert_cmpuint (block->n, >, (block->n_vectors - 1) * processor->width);
            g_assert_cmpuint (block->n, <=, block->n_vectors * processor->width);
            g_assert_nonnull (processor->multiply[block->n_vectors][block->n_rows]);
            g_assert_nonnull (processor->multiply_line[block->n_vectors]);
            next += block->n;
          }
        g_assert_cmpuint (next, ==, n);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/steps/convolves-directly", convolves_directly);
  g_test_add_func ("/run/steps/convolves-single-pixels", convolves_single_pixels);
  g_test_add_func ("/run/steps/convolves-as-winograd-did", convolves_as_winograd_did);
  g_test_add_func ("/run/steps/convolves-each-channel", convolves_each_channel);
  g_test_add_func ("/run/steps/convolves-rows-of-each-channel", convolves_rows_of_each_channel);
  g_test_add_func ("/run/steps/pools", pools);
  g_test_add_func ("/run/steps/asks-for-weights-before-their-turn",
                   asks_for_weights_before_their_turn);
  g_test_add_func ("/run/steps/asks-for-parts-of-weights", asks_for_parts_of_weights);
  g_test_add_func ("/run/steps/cuts-work-into-slices", cuts_work_into_slices);
  g_test_add_func ("/run/steps/cuts-columns-into-blocks", cuts_columns_into_blocks);
  return g_test_run ();
}
