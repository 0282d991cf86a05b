/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-matrix-private.h"

/* Convolution of 3x3 and stride 1 by Winograd's F(4x4, 3x3): the image is cut into squares of 4x4
 * pixels of the result, each square with what is around it is taken to 36 points, for each point
 * the channels are multiplied by a matrix, and the sums are taken back.  A quarter of the
 * multiplications, four times the weights. */

#define SIDE 4
#define POINTS SYM_WINOGRAD_POINTS

/* Squares and sums of a slice stay within a processor's second cache, unless weights are what does
 * not: each slice needs all of them.  Then they may take so much memory. */
#define NEAR_BYTES 600000
#define FAR_BYTES 6000000

typedef struct {
  SymStep step;
  const SymProcessor *processor;
  guint x, y, addend;
  gsize batch, height, width, inner; /* of the input */
  gsize rows, columns, outer;        /* of the result */
  gint64 pads[2];
  gsize squares_down, squares_across, n_squares; /* of all images */
  gsize n_together;                              /* squares of a slice */
  gsize squares_distance, sums_distance;         /* from one point to the next */
  guint n_parts;         /* of the result's channels, in slices of their own */
  float *weights, *bias; /* of each point and block [inner][vectors * width] */
  GArray *blocks;        /* of SymBlock */
  SymBounds bounds;
  SymActivation activation;
} Winograd;

/* ---- Weights ---- */

/* Channels at a time, so that what is gathered stays near. */
#define CHANNELS 16

/* Kernels of the block's channels for some of the input's: [channel][9][block]. */
static void
gather (const Winograd *self,
        const SymPlanOp *op,
        const SymBlock *block,
        gsize first,
        gsize n,
        float *to)
{
  for (gsize o = 0; o < block->n; o++)
    {
      const float *kernels = op->weights + ((block->first + o) * self->inner + first) * 9;
      float scale = op->scales[block->first + o];

      for (gsize i = 0; i < n * 9; i++)
        to[i * block->n + o] = kernels[i] * scale;
    }
}

typedef struct {
  const Winograd *self;
  const SymPlanOp *op;
  gsize distance;
  guint n_parts; /* of each block's channels */
} Packing;

static void
pack_slice (gpointer data, guint slice)
{
  const Packing *packing = data;
  const Winograd *self = packing->self;
  const SymBlock *block = &g_array_index (self->blocks, SymBlock, slice / packing->n_parts);
  gsize first = slice % packing->n_parts * CHANNELS, n = MIN (CHANNELS, self->inner - first);
  g_autofree float *kernels = g_new (float, n * 9 * block->n);

  gather (self, packing->op, block, first, n, kernels);
  for (gsize c = 0; c < n; c++)
    self->processor->winograd_turn (kernels + c * 9 * block->n,
                                    self->weights + block->first * self->inner +
                                        (first + c) * block->n,
                                    packing->distance, block->n);
}

/* Heads of detectors are the same ones at several sizes of the picture. */
static void
pack (Winograd *self, const SymPlanOp *op, const SymStepOptions *options)
{
  Packing packing = { self, op, self->inner * self->outer,
                      (guint) ((self->inner + CHANNELS - 1) / CHANNELS) };
  gsize n = packing.distance * POINTS;

  self->weights = sym_step_find_packed (op, SYM_PACKED_POINTS, options);
  if (self->weights == NULL)
    {
      self->weights = sym_memory_pool_take_any (options->pool, n);
      sym_packer_run (options->packer, pack_slice, &packing, self->blocks->len * packing.n_parts,
                      n * sizeof (float));
      sym_step_keep_packed (op, SYM_PACKED_POINTS, self->weights, options);
      self->step.n_bytes = n * sizeof (float);
    }
  self->bias = sym_memory_pool_take (options->pool, self->outer);
  memcpy (self->bias, op->bias, self->outer * sizeof (float));
  self->step.n_bytes += self->outer * sizeof (float);
}

/* ---- Running ---- */

/* The memory of one thread. */
typedef struct {
  float *squares, *sums, *nothing;
} Work;

static Work
get_work (const Winograd *self, void *scratch)
{
  Work work = { scratch };

  work.sums = work.squares + POINTS * self->squares_distance;
  work.nothing = work.sums + POINTS * self->sums_distance;
  return work;
}

static gsize
count_scratch (const Winograd *self)
{
  gsize n =
      POINTS * (self->squares_distance + self->sums_distance) + MAX (self->inner, self->outer);

  return n * sizeof (float);
}

typedef struct {
  gsize image;
  gint64 row, column; /* of the result */
} Square;

static Square
get_square (const Winograd *self, gsize i)
{
  gsize line = i / self->squares_across;

  return (Square){ line / self->squares_down, (gint64) (line % self->squares_down) * SIDE,
                   (gint64) (i % self->squares_across) * SIDE };
}

static void
enter_square (const Winograd *self, const Work *work, const float *x, gsize i, gsize place)
{
  Square square = get_square (self, i);
  SymWinogradInput input = { .sums = work->squares + place * self->inner,
                             .distance = self->squares_distance,
                             .n_channels = self->inner };

  gint64 top = square.row - self->pads[0], left = square.column - self->pads[1];
  gint64 height = (gint64) self->height, width = (gint64) self->width;
  gboolean is_inside = top >= 0 && left >= 0 && top + 6 <= height && left + 6 <= width;

  x += square.image * self->height * self->width * self->inner;
  for (gint64 j = 0; j < 6; j++)
    for (gint64 k = 0; k < 6; k++)
      {
        gint64 row = top + j, column = left + k;
        gboolean is_there =
            is_inside || (row >= 0 && row < height && column >= 0 && column < width);

        input.pixels[j * 6 + k] =
            is_there ? x + (row * width + column) * (gint64) self->inner : work->nothing;
      }
  self->processor->winograd_enter (&input);
}

static void
leave_square (const Winograd *self,
              const Work *work,
              const SymStepRun *run,
              gsize i,
              gsize place,
              gsize first,
              gsize n)
{
  Square square = get_square (self, i);
  const float *addend = self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend];
  float *y = run->places[self->y];
  SymWinogradOutput output = { .sums = work->sums + place * self->outer + first,
                               .distance = self->sums_distance,
                               .n_channels = n,
                               .bias = self->bias + first,
                               .bounds = self->bounds };

  for (gsize j = 0; j < SIDE; j++)
    for (gsize k = 0; k < SIDE; k++)
      {
        gsize row = (gsize) square.row + j, column = (gsize) square.column + k;
        gsize to =
            ((square.image * self->rows + row) * self->columns + column) * self->outer + first;

        if (row >= self->rows || column >= self->columns)
          continue;
        output.pixels[j * SIDE + k] = y + to;
        output.addends[j * SIDE + k] = addend == NULL ? NULL : addend + to;
      }
  self->processor->winograd_leave (&output);
  for (gsize j = 0; j < SIDE * SIDE; j++)
    if (output.pixels[j] != NULL)
      sym_step_activate (&self->activation, output.pixels[j], n);
}

static const float *
find_weights (const Winograd *self, const SymBlock *block, gsize point)
{
  return self->weights + (point * self->outer + block->first) * self->inner;
}

/* The sums of one point for one block of channels, of @n squares. */
static void
multiply_point (const Winograd *self,
                const Work *work,
                const SymBlock *block,
                gsize point,
                gsize n,
                SymAhead ahead)
{
  SymLine line = { .x = work->squares + point * self->squares_distance,
                   .x_step = self->inner,
                   .y = work->sums + point * self->sums_distance + block->first,
                   .y_step = self->outer,
                   .n_rows = n,
                   .inner = self->inner,
                   .weights = find_weights (self, block, point),
                   .ahead = ahead,
                   .bias = work->nothing,
                   .n = block->n };

  self->processor->multiply_line[block->n_vectors](&line);
}

static gboolean
run_winograd (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Winograd *self = (const Winograd *) step;
  Work work = get_work (self, run->scratch);
  guint part = slice % self->n_parts;
  gsize first = slice / self->n_parts * self->n_together;
  gsize n = MIN (self->n_together, self->n_squares - first), from, to;
  const SymBlock *blocks = (const SymBlock *) (gpointer) self->blocks->data;

  sym_step_get_slice (part, self->n_parts, self->blocks->len, &from, &to);
  memset (work.nothing, 0, MAX (self->inner, self->outer) * sizeof (float));
  for (gsize i = 0; i < n; i++)
    enter_square (self, &work, run->places[self->x], first + i, i);
  for (gsize point = 0; point < POINTS; point++)
    for (gsize i = from; i < to; i++)
      {
        const SymBlock *next = &blocks[i + 1 < to ? i + 1 : from];
        gsize then = i + 1 < to ? point : (point + 1) % POINTS;

        multiply_point (self, &work, &blocks[i], point, n,
                        (SymAhead){ find_weights (self, next, then), next->n * self->inner });
      }
  for (gsize i = 0; i < n; i++)
    leave_square (self, &work, run, first + i, i, blocks[from].first,
                  blocks[to - 1].first + blocks[to - 1].n - blocks[from].first);
  return TRUE;
}

static void
free_winograd (SymStep *step)
{
  Winograd *self = (Winograd *) step;

  g_array_unref (self->blocks);
  g_free (self);
}

static const SymStepClass winograd_class = { run_winograd, free_winograd };

/* ---- Making ---- */

/* Weights of a layer that others push out of the second cache until the next run. */
#define FAR_WEIGHTS 250000

/* Those that do not stay in the third one either, which others use as well: that they take four
 * times the memory is to be worth it. */
#define FARTHEST_WEIGHTS 4000000
#define WORTH_IT 0.7

typedef struct {
  gsize n_together, n_slices; /* squares of a slice */
  gboolean is_near;           /* they and their sums stay near */
} Slices;

/* What comes from afar is as little as can be: weights for each slice, or squares and sums that are
 * written and read again. */
static Slices
find_slices (gsize n_squares, gsize inner, gsize outer)
{
  gsize each = POINTS * (inner + outer), weights = POINTS * inner * outer;
  gsize near = CLAMP (NEAR_BYTES / sizeof (float) / each / 6 * 6, 6, n_squares);
  gsize far = CLAMP (FAR_BYTES / sizeof (float) / each / 6 * 6, near, n_squares);
  gsize n_near = (n_squares + near - 1) / near, n_far = (n_squares + far - 1) / far;
  gsize even = ((n_squares + n_far - 1) / n_far + 5) / 6 * 6;

  if (weights <= FAR_WEIGHTS || n_near * weights <= n_far * weights + 2 * each * n_squares)
    return (Slices){ near, n_near, TRUE };
  return (Slices){ MIN (even, n_squares), n_far, FALSE };
}

/* Processor cycles, roughly: what is multiplied, what is turned, and numbers that come from afar.
 */
static double
estimate (double n_products, double n_turned, double n_weights, double n_fetched, gsize width)
{
  double each = n_weights > FARTHEST_WEIGHTS ? 1 : n_weights > FAR_WEIGHTS ? 0.5 : 0.125;

  return (n_products / 2 + n_turned * 3) / (double) width + n_fetched * each;
}

static double
estimate_winograd (const SymPlanOp *op, gsize n_squares, gsize width)
{
  Slices slices = find_slices (n_squares, op->inner, op->outer);
  double matrix = (double) op->inner * (double) op->outer;
  double points = (double) n_squares * POINTS, both = (double) (op->inner + op->outer);
  double n_weights = POINTS * matrix, n_fetched = n_weights;

  if (n_weights > FAR_WEIGHTS)
    n_fetched *= (double) slices.n_slices;
  if (!slices.is_near)
    n_fetched += 2 * points * both;
  return estimate (points * matrix, points * both, n_weights, n_fetched, width);
}

gboolean
sym_winograd_is_better (const SymPlanGraph *graph,
                        const SymPlanOp *op,
                        const SymStepOptions *options)
{
  const SymPlanImages *y = &op->to;
  gsize width = options->processor->width;
  gsize squares = y->n * ((y->height + SIDE - 1) / SIDE) * ((y->width + SIDE - 1) / SIDE);
  double pixels = (double) (y->n * y->height * y->width);
  double matrix = (double) op->inner * (double) op->outer;

  if (options->is_exact || op->packs_weights || op->kernel[0] != 3 || op->kernel[1] != 3 ||
      op->strides[0] != 1 || op->strides[1] != 1 || op->dilations[0] != 1 ||
      op->dilations[1] != 1 || op->groups != 1 || op->inner % width != 0 || op->outer % width != 0)
    return FALSE;
  return estimate_winograd (op, squares, width) <
         estimate (pixels * 9 * matrix, 0, 9 * matrix, 9 * matrix, width) *
             (POINTS * matrix > FARTHEST_WEIGHTS ? WORTH_IT : 1);
}

/* Long slices for one thread, enough of them for several: by squares, then by channels too, which
 * comes first where weights come from afar. */
static void
choose_slices (Winograd *self, guint n_threads)
{
  Slices slices = find_slices (self->n_squares, self->inner, self->outer);
  gsize n_slices = slices.n_slices;

  self->n_parts = 1;
  if (n_threads > 1 && !slices.is_near && self->blocks->len >= n_threads)
    self->n_parts = n_threads;
  else if (n_threads > 1)
    {
      n_slices = (n_slices + n_threads - 1) / n_threads * n_threads;
      if (self->n_squares / n_slices < 6 && self->blocks->len >= n_threads)
        {
          n_slices = slices.n_slices;
          self->n_parts = n_threads;
        }
    }
  self->n_together = (self->n_squares + n_slices - 1) / n_slices;
  /* Not by a power of 2, so that points do not take each other's place in the nearest cache. */
  self->squares_distance = (self->n_together * self->inner) | self->processor->width;
  self->sums_distance = (self->n_together * self->outer) | self->processor->width;
  self->step.n_slices =
      (guint) ((self->n_squares + self->n_together - 1) / self->n_together) * self->n_parts;
}

SymStep *
sym_winograd_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Winograd *self = g_new0 (Winograd, 1);

  self->step.class = &winograd_class;
  self->processor = options->processor;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->batch = op->from.n;
  self->inner = op->from.channels;
  self->height = op->from.height;
  self->width = op->from.width;
  self->outer = op->to.channels;
  self->rows = op->to.height;
  self->columns = op->to.width;
  self->pads[0] = op->pads[0];
  self->pads[1] = op->pads[1];
  self->bounds = sym_step_get_bounds (op);
  self->activation = sym_step_get_activation (op);
  self->squares_down = (self->rows + SIDE - 1) / SIDE;
  self->squares_across = (self->columns + SIDE - 1) / SIDE;
  self->n_squares = self->batch * self->squares_down * self->squares_across;
  self->blocks = sym_step_new_blocks (self->processor, self->outer);
  choose_slices (self, options->n_threads);
  self->step.n_scratch = count_scratch (self);
  pack (self, op, options);
  return &self->step;
}
