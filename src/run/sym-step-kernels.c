/* SPDX-License-Identifier: MIT */
#include "run/sym-step-kernels-private.h"

#include <string.h>

#include "run/sym-vector-rows-private.h"

/* ---- Blocks ---- */

static void
add_blocks (SymKernels *self)
{
  gsize groups = self->inner / self->group_inner, n_group = self->outer / groups;
  gsize depth = self->group_inner * self->n_taps;
  g_autoptr (GArray) blocks = sym_step_new_blocks (self->processor, n_group);

  for (gsize group = 0; group < groups; group++)
    for (guint i = 0; i < blocks->len; i++)
      {
        SymKernelBlock block = { g_array_index (blocks, SymBlock, i), group, self->n_weights };

        block.of.first += group * n_group;
        self->n_weights += depth * block.of.n_vectors * self->processor->width;
        g_array_append_val (self->blocks, block);
      }
}

void
sym_kernels_init (SymKernels *self,
                  const SymPlanOp *op,
                  gsize n_taps,
                  gsize n_images,
                  const SymStepOptions *options)
{
  *self = (SymKernels){ .processor = options->processor,
                        .inner = op->inner,
                        .outer = op->outer,
                        .n_taps = n_taps,
                        .group_inner = op->inner / (gsize) op->groups,
                        .is_transposed = op->is_transposed,
                        .given = op->other,
                        .room = op->third,
                        .n_images = n_images };
  self->blocks = g_array_new (FALSE, FALSE, sizeof (SymKernelBlock));
  add_blocks (self);
}

void
sym_kernels_clear (SymKernels *self)
{
  g_clear_pointer (&self->blocks, g_array_unref);
  g_clear_pointer (&self->scales, g_free);
}

/* What stays near while all blocks pass it, in numbers: weights, and a part of an image. */
#define NEAR 64000

void
sym_kernels_number_tiles (SymKernels *self,
                          gsize n_input,
                          SymKernelsCount count,
                          gconstpointer data)
{
  gboolean is_near = self->n_weights <= NEAR && self->blocks->len > 1;

  self->n_bands = is_near ? MAX (n_input / NEAR, 1) : 1;
  for (guint i = 0; i < self->blocks->len; i++)
    {
      SymKernelBlock *block = &g_array_index (self->blocks, SymKernelBlock, i);

      block->n_tiles = count (data, block);
      self->n_tiles += block->n_tiles * self->n_images;
    }
}

/* ---- Packing ---- */

/* Channels at a time, so that what is written to stays near. */
#define CHANNELS 16

typedef struct {
  const SymKernels *self;
  const float *from, *scales;
  float *to;
  gsize n_parts; /* of each block's channels of the input */
} Packing;

static Packing
get_packing (const SymKernels *self, const float *from, const float *scales, float *to)
{
  return (Packing){ self, from, scales, to, (self->group_inner + CHANNELS - 1) / CHANNELS };
}

/* Where the kernel of a channel of the input, of its group, and the block's first channel is, and
 * how far the next one's is from it: weights are [outer, inner / groups, taps] or, transposed,
 * [inner, outer / groups, taps]. */
static const float *
find_kernels (const Packing *packing, const SymKernelBlock *block, gsize inner, gssize *distance)
{
  const SymKernels *self = packing->self;
  gsize n_group = self->outer / (self->inner / self->group_inner);

  if (!self->is_transposed)
    {
      *distance = (gssize) (self->group_inner * self->n_taps);
      return packing->from + (block->of.first * self->group_inner + inner) * self->n_taps;
    }
  inner += block->group * self->group_inner;
  *distance = (gssize) self->n_taps;
  return packing->from + (inner * n_group + block->of.first % n_group) * self->n_taps;
}

/* A tap of each channel of the result in turn. */
static void
pack_channel (const Packing *packing, const SymKernelBlock *block, gsize c)
{
  const SymKernels *self = packing->self;
  gsize width = block->of.n_vectors * self->processor->width;
  gssize distance = (gssize) (self->group_inner * width), from;
  const float *kernels = find_kernels (packing, block, c, &from);
  const float *scales = packing->scales + block->of.first;
  float *to = packing->to + block->weights + c * width;

  sym_vector_turn (to, distance, kernels, from, block->of.n, self->n_taps);
  for (gsize tap = 0; tap < self->n_taps; tap++, to += distance)
    for (gsize i = 0; i < block->of.n; i++)
      to[i] *= scales[i];
}

static void
pack_part (gpointer data, guint part)
{
  const Packing *packing = data;
  const SymKernels *self = packing->self;
  const SymKernelBlock *block =
      &g_array_index (self->blocks, SymKernelBlock, part / packing->n_parts);
  gsize first = part % packing->n_parts * CHANNELS;

  for (gsize c = first; c < MIN (first + CHANNELS, self->group_inner); c++)
    pack_channel (packing, block, c);
}

void
sym_kernels_pack (SymKernels *self,
                  SymStep *step,
                  const SymPlanOp *op,
                  const SymStepOptions *options)
{
  Packing packing;

  self->bias =
      sym_memory_pool_take (options->pool, self->outer + SYM_TILE_VECTORS * self->processor->width);
  memcpy (self->bias, op->bias, self->outer * sizeof (float));
  step->n_bytes = self->outer * sizeof (float);
  if (op->packs_weights)
    {
      self->scales = g_memdup2 (op->scales, self->outer * sizeof (float));
      step->n_rounds = 2;
      return;
    }
  self->weights = sym_memory_pool_take_any (options->pool, self->n_weights);
  step->n_bytes += self->n_weights * sizeof (float);
  packing = get_packing (self, op->weights, op->scales, self->weights);
  sym_packer_run (options->packer, pack_part, &packing,
                  (guint) (self->blocks->len * packing.n_parts), self->n_weights * sizeof (float));
}

/* ---- Running ---- */

gboolean
sym_kernels_is_packing (const SymKernels *self, const SymStepRun *run)
{
  return self->weights == NULL && run->round == 0;
}

/* What a block has beyond its channels is computed but not kept: it may be anything. */
static void
pack_slice (const SymKernels *self, const SymStep *step, const SymStepRun *run, guint slice)
{
  Packing packing =
      get_packing (self, run->places[self->given], self->scales, run->places[self->room]);
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->blocks->len * packing.n_parts, &first, &end);
  for (gsize i = first; i < end; i++)
    pack_part (&packing, (guint) i);
}

/* Tiles of a block of a part of an image. */
typedef struct {
  const SymKernelBlock *block;
  gsize image, first, end;
} Part;

/* Blocks pass all images one after the other, or each part of an image in turn. */
static Part
get_part (const SymKernels *self, gsize i)
{
  gsize n_blocks = self->blocks->len, n_parts = self->n_images * self->n_bands;
  gboolean is_turned = self->n_bands > 1;
  gsize part = is_turned ? i / n_blocks : i % n_parts;
  const SymKernelBlock *block =
      &g_array_index (self->blocks, SymKernelBlock, is_turned ? i % n_blocks : i / n_parts);
  gsize band = part % self->n_bands;

  return (Part){ block, part / self->n_bands, band * block->n_tiles / self->n_bands,
                 (band + 1) * block->n_tiles / self->n_bands };
}

gsize
sym_kernels_get_n_weights (const SymKernels *self, const SymKernelBlock *block)
{
  return self->group_inner * self->n_taps * block->of.n_vectors * self->processor->width;
}

void
sym_kernels_multiply (const SymKernels *self,
                      const SymKernelBlock *block,
                      SymTile *tile,
                      gsize n_rows)
{
  self->processor->multiply[block->of.n_vectors][n_rows](tile);
  tile->ahead.from += tile->ahead.n;
}

/* The block of tile @i, NULL for none. */
static const SymKernelBlock *
find_block (const SymKernels *self, gsize i)
{
  for (guint b = 0; b < self->blocks->len; b++)
    {
      const SymKernelBlock *block = &g_array_index (self->blocks, SymKernelBlock, b);

      if (i < block->n_tiles * self->n_images)
        return block;
      i -= block->n_tiles * self->n_images;
    }
  return NULL;
}

/* The first tile of a slice; as many as there are for none. */
static gsize
find_first_tile (const SymKernels *self, const SymStep *step, guint slice)
{
  gsize first = self->n_tiles, end;

  if (slice < step->n_slices)
    sym_step_get_slice (slice, step->n_slices, self->n_tiles, &first, &end);
  return first;
}

/* What each of @n tiles asks for: weights of the block of tile @next.  Weights that pass all parts
 * of an image are near. */
static SymAhead
find_ahead (const SymKernels *self, const float *weights, gsize n, gsize next)
{
  const SymKernelBlock *block = self->n_bands > 1 ? NULL : find_block (self, next);

  if (block == NULL)
    return (SymAhead){ weights, 0 };
  return (SymAhead){ weights + block->weights,
                     (sym_kernels_get_n_weights (self, block) + n - 1) / n };
}

void
sym_kernels_run (const SymKernels *self,
                 const SymStep *step,
                 const SymStepRun *run,
                 guint slice,
                 SymTile *tile,
                 SymKernelsVisit visit,
                 gconstpointer data)
{
  const float *weights = self->weights == NULL ? run->places[self->room] : self->weights;
  gsize first, end, then, begin = 0, n_parts = self->n_images * self->n_bands, of_block = 0;

  if (sym_kernels_is_packing (self, run))
    {
      pack_slice (self, step, run, slice);
      return;
    }
  sym_step_get_slice (slice, step->n_slices, self->n_tiles, &first, &end);
  then = find_first_tile (self, step, run->next);
  for (gsize i = 0; i < n_parts * self->blocks->len && begin < end; i++)
    {
      Part part = get_part (self, i);
      gsize n = part.end - part.first;

      if (i % n_parts == 0)
        of_block = begin + part.block->n_tiles * self->n_images;
      if (first < begin + n)
        {
          tile->weights = weights + part.block->weights;
          tile->bias = self->bias + part.block->of.first;
          tile->n = part.block->of.n;
          if (begin <= first || i % n_parts == 0)
            tile->ahead = find_ahead (self, weights, MIN (of_block, end) - MAX (first, begin),
                                      of_block < end ? of_block : then);
          visit (data, tile, part.block, part.image, part.first + MAX (first, begin) - begin,
                 part.first + MIN (end - begin, n));
        }
      begin += n;
    }
}
