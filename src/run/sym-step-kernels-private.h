/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-step-private.h"

G_BEGIN_DECLS

/* Channels of the result of a convolution that are computed together. */
typedef struct {
  SymBlock of;
  gsize group;
  gsize weights; /* where they begin */
  gsize n_tiles; /* of each image */
} SymKernelBlock;

/* The weights of a convolution, packed for tiles: of each block of channels after the other, of
 * each tap of the kernel and each channel of the input, the numbers of the block's channels.
 * Constant ones are packed once, while planning; computed ones in each run, into a tensor that is
 * there for that.  Belongs to a step. */
typedef struct {
  const SymProcessor *processor;
  gsize inner, outer, n_taps;
  gsize group_inner; /* channels of the input that one of the result needs */
  gboolean is_transposed;
  float *weights, *bias; /* NULL for computed ones; of each channel, padded at the end */
  float *scales;         /* of each channel of computed ones */
  guint given, room;     /* tensors: computed ones, and where they are packed */
  gsize n_weights, n_images;
  GArray *blocks; /* of SymKernelBlock */
  gsize n_tiles;  /* of all blocks and images */
  gsize n_bands;  /* parts of each image that all blocks pass before the next one */
} SymKernels;

/* Without weights yet. */
void sym_kernels_init (SymKernels *self,
                       const SymPlanOp *op,
                       gsize n_taps,
                       gsize n_images,
                       const SymStepOptions *options);
void sym_kernels_clear (SymKernels *self);

/* Numbers the tiles of all blocks: @count tells how many one has in each image.  An image of the
 * input has @n_input numbers. */
typedef gsize (*SymKernelsCount) (gconstpointer data, const SymKernelBlock *block);
void sym_kernels_number_tiles (SymKernels *self,
                               gsize n_input,
                               SymKernelsCount count,
                               gconstpointer data);

/* Packs constant weights, and tells @step what it holds and how many rounds it takes. */
void sym_kernels_pack (SymKernels *self,
                       SymStep *step,
                       const SymPlanOp *op,
                       const SymStepOptions *options);

/* Tiles from @first to before @end of a block and an image; @tile has the block's weights. */
typedef void (*SymKernelsVisit) (gconstpointer data,
                                 SymTile *tile,
                                 const SymKernelBlock *block,
                                 gsize image,
                                 gsize first,
                                 gsize end);

/* Runs a slice of a step: packs its part of computed weights in a round before, then visits its
 * tiles. */
void sym_kernels_run (const SymKernels *self,
                      const SymStep *step,
                      const SymStepRun *run,
                      guint slice,
                      SymTile *tile,
                      SymKernelsVisit visit,
                      gconstpointer data);

/* What a block has. */
gsize sym_kernels_get_n_weights (const SymKernels *self, const SymKernelBlock *block);

/* Multiplies a tile of so many rows, while its share of the weights that are next come near. */
void sym_kernels_multiply (const SymKernels *self,
                           const SymKernelBlock *block,
                           SymTile *tile,
                           gsize n_rows);

/* Whether a slice is of the round that only packs. */
gboolean sym_kernels_is_packing (const SymKernels *self, const SymStepRun *run);

G_END_DECLS
