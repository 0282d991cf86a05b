/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"

/* Convolutions of 1x1: each pixel of the result is made from the one there, so that all pixels are
 * one line.  Pixels are taken some at a time, for all channels where the weights stay near, or all
 * pixels for some channels where they do not. */

#define TOGETHER 48
#define NEAR_BYTES 262144

typedef struct {
  SymStep step;
  const SymProcessor *processor;
  guint x, y, addend;
  gsize n_pixels, inner, outer, n_chunks;
  float *weights, *bias;
  GArray *blocks; /* of SymBlock */
  gboolean are_weights_near;
  SymBounds bounds;
  SymActivation activation;
} Pointwise;

/* ---- Weights ---- */

/* Channels at a time, so that what is written to stays near. */
#define CHANNELS 64

static void
pack_block (const Pointwise *self, const SymPlanOp *op, const SymBlock *block)
{
  gsize width = block->n_vectors * self->processor->width;
  float *to = self->weights + block->first * self->inner;

  for (gsize first = 0; first < self->inner; first += CHANNELS)
    for (gsize o = 0; o < block->n; o++)
      {
        const float *weights = op->weights + (block->first + o) * self->inner;
        float scale = op->scales[block->first + o];

        for (gsize c = first; c < MIN (first + CHANNELS, self->inner); c++)
          to[c * width + o] = weights[c] * scale;
      }
}

typedef struct {
  const Pointwise *self;
  const SymPlanOp *op;
} Packing;

static void
pack_slice (gpointer data, guint slice)
{
  const Packing *packing = data;

  pack_block (packing->self, packing->op, &g_array_index (packing->self->blocks, SymBlock, slice));
}

static void
pack (Pointwise *self, const SymPlanOp *op, const SymStepOptions *options)
{
  Packing packing = { self, op };
  gsize outer = self->outer + self->processor->width - 1;

  outer -= outer % self->processor->width;
  self->step.n_bytes = (self->inner + 1) * outer * sizeof (float);
  self->weights = sym_memory_pool_take_any (options->pool, self->inner * outer);
  sym_packer_run (options->packer, pack_slice, &packing, self->blocks->len, self->step.n_bytes);
  self->bias = sym_memory_pool_take (options->pool, outer);
  memcpy (self->bias, op->bias, self->outer * sizeof (float));
}

/* ---- Running ---- */

/* Where the pixels of one piece of work are. */
typedef struct {
  const float *x, *addend; /* NULL for no addend */
  float *y;
  gsize n;
  SymAhead ahead;
} Pixels;

static void
run_block (const Pointwise *self, const Pixels *pixels, const SymBlock *block)
{
  SymLine line = { .x = pixels->x,
                   .x_step = self->inner,
                   .y = pixels->y + block->first,
                   .addend = pixels->addend == NULL ? NULL : pixels->addend + block->first,
                   .y_step = self->outer,
                   .n_rows = pixels->n,
                   .inner = self->inner,
                   .n = block->n,
                   .ahead = pixels->ahead,
                   .weights = self->weights + block->first * self->inner,
                   .bias = self->bias + block->first,
                   .bounds = self->bounds,
                   .activation = self->activation };

  self->processor->multiply_line[block->n_vectors](&line);
}

static Pixels
find_chunk (const Pointwise *self, const SymStepRun *run, gsize chunk)
{
  Pixels pixels = { run->places[self->x], NULL, run->places[self->y], 0 };
  gsize first, end;

  sym_step_get_slice ((guint) chunk, (guint) self->n_chunks, self->n_pixels, &first, &end);
  pixels.x += first * self->inner;
  pixels.y += first * self->outer;
  if (self->addend != SYM_PLAN_NONE)
    pixels.addend = run->places[self->addend] + first * self->outer;
  pixels.n = end - first;
  return pixels;
}

static void
run_rows (const SymStep *step,
          const SymStepRun *run,
          const SymRows *x,
          const SymRows *y,
          gsize first,
          gsize end)
{
  const Pointwise *self = (const Pointwise *) step;

  for (gsize row = first; row < end; row++)
    {
      Pixels pixels = { sym_rows_find (x, row), NULL, sym_rows_find (y, row),
                        x->size / self->inner };

      if (self->addend != SYM_PLAN_NONE)
        pixels.addend = run->places[self->addend] + row * y->size;
      for (guint i = 0; i < self->blocks->len; i++)
        run_block (self, &pixels, &g_array_index (self->blocks, SymBlock, i));
    }
}

/* The block that the next slice of the same thread begins with; as many as there are for none. */
static gsize
find_next_block (const Pointwise *self, guint slice)
{
  gsize first = self->n_chunks * self->blocks->len, end;

  if (slice < self->step.n_slices)
    sym_step_get_slice (slice, self->step.n_slices, first, &first, &end);
  return first / self->n_chunks;
}

/* Piece of work @i of those from @first to before @end: weights that all pixels pass bring those of
 * the next block, here or in slice @then; near ones come while the first pixels pass. */
static SymAhead
find_ahead (const Pointwise *self, gsize i, gsize first, gsize end, guint then)
{
  gsize n_blocks = self->blocks->len, n_chunks = self->n_chunks;
  gsize begin = i, rest = i + 1, next = i % n_blocks + 1, n;
  const SymBlock *block;

  if (self->are_weights_near && i - first >= n_blocks)
    return (SymAhead){ NULL, 0 };
  if (!self->are_weights_near)
    {
      begin = MAX (i / n_chunks * n_chunks, first);
      rest = MIN ((i / n_chunks + 1) * n_chunks, end);
      next = rest < end ? rest / n_chunks : find_next_block (self, then);
    }
  if (next >= n_blocks)
    return (SymAhead){ NULL, 0 };
  block = &g_array_index (self->blocks, SymBlock, next);
  n = (self->inner * block->n_vectors * self->processor->width - 1) / (rest - begin) + 1;
  return (SymAhead){ self->weights + block->first * self->inner + (i - begin) * n, n };
}

static gboolean
run_pointwise (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Pointwise *self = (const Pointwise *) step;
  const SymBlock *blocks = (const SymBlock *) (gpointer) self->blocks->data;
  gsize n_blocks = self->blocks->len, first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_chunks * n_blocks, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      gsize chunk = self->are_weights_near ? i / n_blocks : i % self->n_chunks;
      Pixels pixels = find_chunk (self, run, chunk);

      pixels.ahead = find_ahead (self, i, first, end, run->next);
      run_block (self, &pixels,
                 &blocks[self->are_weights_near ? i % n_blocks : i / self->n_chunks]);
    }
  return TRUE;
}

static void
free_pointwise (SymStep *step)
{
  Pointwise *self = (Pointwise *) step;

  g_array_unref (self->blocks);
  g_free (self);
}

static const SymStepClass pointwise_class = { run_pointwise, free_pointwise, run_rows };

/* ---- Making ---- */

gboolean
sym_pointwise_fits (const SymPlanOp *op)
{
  return !op->packs_weights && op->kernel[0] == 1 && op->kernel[1] == 1 && op->strides[0] == 1 &&
         op->strides[1] == 1 && op->groups == 1 &&
         op->pads[0] + op->pads[1] + op->pads[2] + op->pads[3] == 0;
}

/* Fewer pixels wait for the weights as long as so many would take, which come from far. */
#define LEAST_PIXELS 14

/* As many for each thread, if there are enough. */
static gsize
count_chunks (gsize n_pixels, guint n_threads)
{
  gsize n = (n_pixels + TOGETHER - 1) / TOGETHER;

  return n < n_threads ? n : (n + n_threads - 1) / n_threads * n_threads;
}

SymStep *
sym_pointwise_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Pointwise *self = g_new0 (Pointwise, 1);
  double n_cycles;

  self->step.class = &pointwise_class;
  self->processor = options->processor;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->inner = op->inner;
  self->outer = op->outer;
  self->n_pixels = sym_plan_graph_get_tensor (graph, op->x)->n / op->inner;
  self->n_chunks = count_chunks (self->n_pixels, options->n_threads);
  self->are_weights_near = self->inner * self->outer * sizeof (float) <= NEAR_BYTES;
  self->bounds = sym_step_get_bounds (op);
  self->activation = sym_step_get_activation (op);
  self->blocks = sym_step_new_blocks (self->processor, self->outer);
  pack (self, op, options);
  n_cycles = (double) MAX (self->n_pixels, LEAST_PIXELS) * (double) (self->inner * self->outer) /
             (double) (2 * self->processor->width);
  self->step.n_slices =
      sym_step_count_slices (options, n_cycles, self->n_chunks * self->blocks->len);
  return &self->step;
}
