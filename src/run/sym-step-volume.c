/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-span-private.h"
#include "run/sym-vector-rows-private.h"

/* Convolutions over three axes, and transposed ones over up to three, with the channels last: each
 * tile is a few elements of the result times some vectors of its channels.  Along an axis, elements
 * that need the same taps of the kernel are a span: those in the middle, and some at the ends.  Of
 * transposed convolutions each stride-th element is like the one before, so that there are as many
 * spans more.  Elements of one span of each axis are a box, all of them computed in the same way.
 */

/* Channels of the result that are computed together. */
typedef struct {
  SymBlock of;
  gsize group;
  gsize weights; /* where they begin */
  gsize n_tiles; /* of each image */
} Block;

typedef struct {
  SymStep step;
  const SymProcessor *processor;
  guint x, y, addend;
  gsize n_images, inner, outer;
  gsize group_inner; /* channels of x that one of the result needs */
  SymPlanAxis axes[SYM_PLAN_AXES];
  GArray *spans[SYM_PLAN_AXES]; /* of SymSpan */
  gsize n_boxes;
  float *weights, *bias; /* of each block after the other; of each channel, padded at the end */
  gsize n_weights;
  GArray *blocks; /* of Block */
  gsize n_tiles;  /* of all blocks and images */
  SymBounds bounds;
} Volume;

/* ---- Boxes ---- */

static gsize
count_elements (const SymBox *box)
{
  return (gsize) (box->spans[0]->n * box->spans[1]->n * box->spans[2]->n);
}

static gsize
count_taps (const SymBox *box)
{
  return (gsize) (box->spans[0]->n_taps * box->spans[1]->n_taps * box->spans[2]->n_taps);
}

static gsize
count_tiles (const SymBox *box, const Block *block)
{
  return (count_elements (box) + block->of.n_rows - 1) / block->of.n_rows;
}

/* Of all axes the place of an element of x, or of the result. */
static gsize
find_place (const Volume *self, gboolean is_result, gint64 i, gint64 j, gint64 k)
{
  const SymPlanAxis *axes = self->axes;
  gint64 height = is_result ? axes[1].to : axes[1].from;
  gint64 width = is_result ? axes[2].to : axes[2].from;

  return (gsize) ((i * height + j) * width + k) * (is_result ? self->outer : self->inner);
}

/* What one element of the box needs, and where the first one begins. */
static void
find_pieces (const Volume *self, const SymBox *box, SymPiece *pieces, SymTile *tile)
{
  const SymSpan *a = box->spans[0], *b = box->spans[1], *c = box->spans[2];
  gboolean is_joined = self->group_inner == self->inner && c->tap_step == 1 && c->x_tap_step == 1;
  gint64 n_across = is_joined ? MIN (c->n_taps, 1) : c->n_taps;

  tile->n_pieces = 0;
  tile->piece = self->group_inner * (gsize) (is_joined ? c->n_taps : 1);
  tile->pieces = pieces;
  for (gint64 i = 0; i < a->n_taps; i++)
    for (gint64 j = 0; j < b->n_taps; j++)
      for (gint64 k = 0; k < n_across; k++)
        {
          gint64 row = (a->tap + i * a->tap_step) * self->axes[1].kernel + b->tap + j * b->tap_step;
          gint64 tap = row * self->axes[2].kernel + c->tap + k * c->tap_step;

          pieces[tile->n_pieces++] = (SymPiece){ find_place (self, FALSE, i * a->x_tap_step,
                                                             j * b->x_tap_step, k * c->x_tap_step),
                                                 (gsize) tap * self->group_inner };
        }
}

/* ---- Weights ---- */

static gsize
count_kernel (const Volume *self)
{
  return (gsize) (self->axes[0].kernel * self->axes[1].kernel * self->axes[2].kernel);
}

static void
add_blocks (Volume *self, gsize groups)
{
  gsize n_group = self->outer / groups, weights = 0;
  gsize depth = self->group_inner * count_kernel (self);
  g_autoptr (GArray) blocks = sym_step_new_blocks (self->processor, n_group);

  for (gsize group = 0; group < groups; group++)
    for (guint i = 0; i < blocks->len; i++)
      {
        Block block = { g_array_index (blocks, SymBlock, i), group, weights };

        block.of.first += group * n_group;
        weights += depth * block.of.n_vectors * self->processor->width;
        g_array_append_val (self->blocks, block);
      }
  self->n_weights = weights;
  self->step.n_bytes = (weights + self->outer) * sizeof (float);
}

/* Where the kernel of a channel of x, of its group, and the first channel of the result is, and how
 * far the next channel's is from it. */
static const float *
find_kernels (const Volume *self,
              const SymPlanOp *op,
              const Block *block,
              gsize inner,
              gssize *distance)
{
  gsize n_group = self->outer / (self->inner / self->group_inner), taps = count_kernel (self);

  if (!op->is_transposed)
    {
      *distance = (gssize) (self->group_inner * taps);
      return op->weights + (block->of.first * self->group_inner + inner) * taps;
    }
  inner += block->group * self->group_inner;
  *distance = (gssize) taps;
  return op->weights + (inner * n_group + block->of.first % n_group) * taps;
}

/* A tap of each channel of the result in turn. */
static void
pack_block (const Volume *self, const SymPlanOp *op, const Block *block)
{
  gsize width = block->of.n_vectors * self->processor->width, taps = count_kernel (self);
  gssize distance = (gssize) (self->group_inner * width), from;
  const float *scales = op->scales + block->of.first;

  for (gsize c = 0; c < self->group_inner; c++)
    {
      const float *kernels = find_kernels (self, op, block, c, &from);
      float *to = self->weights + block->weights + c * width;

      sym_vector_turn (to, distance, kernels, from, block->of.n, taps);
      for (gsize tap = 0; tap < taps; tap++, to += distance)
        for (gsize i = 0; i < block->of.n; i++)
          to[i] *= scales[i];
    }
}

static void
pack (Volume *self, const SymPlanOp *op, SymMemoryPool *pool)
{
  self->weights = sym_memory_pool_take (pool, self->n_weights);
  for (guint i = 0; i < self->blocks->len; i++)
    pack_block (self, op, &g_array_index (self->blocks, Block, i));
  self->bias = sym_memory_pool_take (pool, self->outer + SYM_TILE_VECTORS * self->processor->width);
  memcpy (self->bias, op->bias, self->outer * sizeof (float));
}

/* ---- Running ---- */

/* Elements of a box from @first to before @end; @x and @place are the first one's. */
static void
run_tile (const Volume *self,
          SymTile *tile,
          const Block *block,
          const SymBox *box,
          const float *x,
          gsize place,
          gsize first,
          gsize end)
{
  const SymSpan *a = box->spans[0], *b = box->spans[1], *c = box->spans[2];
  gint64 k = (gint64) first % c->n, j = (gint64) first / c->n % b->n,
         i = (gint64) first / c->n / b->n;

  for (gsize r = 0; r < end - first; r++)
    {
      tile->rows[r] = x + find_place (self, FALSE, i * a->x_step, j * b->x_step, k * c->x_step);
      tile->places[r] = place + find_place (self, TRUE, i * a->step, j * b->step, k * c->step);
      if (++k < c->n)
        continue;
      k = 0;
      if (++j < b->n)
        continue;
      j = 0;
      i++;
    }
  self->processor->multiply[block->of.n_vectors][end - first](tile);
}

/* Tiles from @first to before @end of the @n of a box, which are as even as they can be. */
static void
run_box (const Volume *self,
         SymTile *tile,
         const Block *block,
         const SymBox *box,
         gsize image,
         gsize first,
         gsize end,
         gsize n)
{
  const SymSpan *const *spans = box->spans;
  gsize n_elements = count_elements (box);
  const float *x = tile->rows[0] + image * find_place (self, FALSE, self->axes[0].from, 0, 0) +
                   find_place (self, FALSE, spans[0]->from, spans[1]->from, spans[2]->from) +
                   block->group * self->group_inner;
  gsize place = image * find_place (self, TRUE, self->axes[0].to, 0, 0) +
                find_place (self, TRUE, spans[0]->first, spans[1]->first, spans[2]->first) +
                block->of.first;
  SymTile own = *tile;

  for (gsize i = first; i < end; i++)
    run_tile (self, &own, block, box, x, place, i * n_elements / n, (i + 1) * n_elements / n);
}

/* Tiles of one image from @first to before @end, counted over its boxes. */
static void
run_image (const Volume *self,
           SymTile *tile,
           SymPiece *pieces,
           const Block *block,
           gsize image,
           gsize first,
           gsize end)
{
  gsize begin = 0;

  for (gsize i = 0; i < self->n_boxes && begin < end; i++)
    {
      SymBox box = sym_step_get_box (self->spans, i);
      gsize n = count_tiles (&box, block);

      if (first < begin + n)
        {
          find_pieces (self, &box, pieces, tile);
          run_box (self, tile, block, &box, image, MAX (first, begin) - begin, MIN (end - begin, n),
                   n);
        }
      begin += n;
    }
}

static gboolean
run_volume (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Volume *self = (const Volume *) step;
  gsize first, end, begin = 0;
  SymTile tile = { .rows = { run->places[self->x] },
                   .addend = self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend],
                   .y = run->places[self->y],
                   .bounds = self->bounds };

  sym_step_get_slice (slice, step->n_slices, self->n_tiles, &first, &end);
  for (guint i = 0; i < self->blocks->len && begin < end; i++)
    {
      const Block *block = &g_array_index (self->blocks, Block, i);

      tile.weights = self->weights + block->weights;
      tile.bias = self->bias + block->of.first;
      tile.n = block->of.n;
      for (gsize image = 0; image < self->n_images; image++, begin += block->n_tiles)
        if (first < begin + block->n_tiles && begin < end)
          run_image (self, &tile, run->scratch, block, image, MAX (first, begin) - begin,
                     end - begin);
    }
  return TRUE;
}

static void
free_volume (SymStep *step)
{
  Volume *self = (Volume *) step;

  for (int i = 0; i < SYM_PLAN_AXES; i++)
    g_array_unref (self->spans[i]);
  g_array_unref (self->blocks);
  g_free (self);
}

static const SymStepClass volume_class = { run_volume, free_volume };

/* ---- Making ---- */

/* Numbers tiles, and returns the products of one number and one vector. */
static double
number_tiles (Volume *self)
{
  double sum = 0;

  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = &g_array_index (self->blocks, Block, i);

      for (gsize j = 0; j < self->n_boxes; j++)
        {
          SymBox box = sym_step_get_box (self->spans, j);

          block->n_tiles += count_tiles (&box, block);
          sum += (double) count_elements (&box) * (double) (count_taps (&box) * self->group_inner) *
                 block->of.n_vectors;
        }
      self->n_tiles += block->n_tiles * self->n_images;
    }
  return sum * (double) self->n_images;
}

SymStep *
sym_volume_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Volume *self = g_new0 (Volume, 1);

  self->step.class = &volume_class;
  self->processor = options->processor;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->n_images = op->from.n;
  self->inner = op->inner;
  self->outer = op->outer;
  self->group_inner = op->inner / (gsize) op->groups;
  memcpy (self->axes, op->axes, sizeof self->axes);
  self->bounds = sym_step_get_bounds (op);
  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  self->n_boxes = sym_step_find_spans (op, self->spans);
  add_blocks (self, (gsize) op->groups);
  self->step.n_slices = sym_step_count_slices (options, number_tiles (self) / 2, self->n_tiles);
  self->step.n_scratch = count_kernel (self) * sizeof (SymPiece);
  pack (self, op, options->pool);
  return &self->step;
}
