/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-vector-private.h"

G_BEGIN_DECLS

/* Our own loops over floats, written once and compiled for several kinds of processor, each with
 * vectors of another width. */

#define SYM_TILE_ROWS 8
#define SYM_TILE_VECTORS 4

/* What becomes of sums: bounds when there are any. */
typedef struct {
  gboolean is_bounded;
  float low, high;
} SymBounds;

/* A function of the results, after bounds. */
typedef struct {
  SymVectorFunction function; /* NULL for none */
  float p, q;
} SymActivation;

/* A row of x comes in pieces of as many numbers each: where one begins after where its row does,
 * and the row of the weights that its first number is for. */
typedef struct {
  gsize x, weights;
} SymPiece;

/* Numbers that are needed soon, and come from afar while something else is multiplied: they are
 * asked for evenly.  None: n is 0. */
typedef struct {
  const float *from;
  gsize n;
} SymAhead;

/* A few rows times a few vectors of columns, y = activation (bounds (bias + x . weights + addend)).
 */
typedef struct {
  const float *rows[SYM_TILE_ROWS]; /* of x */
  gsize places[SYM_TILE_ROWS];      /* of each row in y and in the addend */
  const SymPiece *pieces;
  guint n_pieces;
  gsize piece;          /* numbers of each */
  const float *weights; /* rows of [vectors * width] */
  const float *bias;    /* [vectors * width] */
  const float *addend;  /* perhaps y; NULL for none */
  float *y;
  gsize n; /* columns that y has, perhaps fewer than the vectors hold */
  SymAhead ahead;
  SymBounds bounds;
  SymActivation activation;
} SymTile;

typedef void (*SymTileFunction) (const SymTile *tile);

/* The same for as many rows as there are, each of one piece and as far from the next. */
typedef struct {
  const float *x;
  gsize x_step;
  float *y;
  const float *addend; /* like y; NULL for none */
  gsize y_step;
  gsize n_rows, inner;
  const float *weights; /* [inner][vectors * width] */
  const float *bias;
  gsize n; /* columns of y */
  SymAhead ahead;
  SymBounds bounds;
  SymActivation activation;
} SymLine;

/* A row of pixels, each made from some others of the same channels: with weights (one for each tap
 * and channel), their sum or their maximum. */
typedef struct {
  const float *const *x; /* of each tap where it is for the first pixel */
  const float *const *weights;
  guint n_taps;
  gsize step;        /* from one pixel's taps to those of the next */
  const float *bias; /* NULL for none */
  float *y;
  const float *addend; /* like y, NULL for none */
  gsize stride;        /* from one pixel of y to the next */
  gsize n_pixels, n_channels;
  float factor; /* of sums */
  SymBounds bounds;
} SymWindow;

typedef void (*SymWindowFunction) (const SymWindow *window);

/* A row of pixels made with weights of some rows of x, each of the same few columns in turn: what
 * is read for one pixel is used for its neighbours, too.  Columns beyond the row are 0. */
#define SYM_LINE_TAPS 7
#define SYM_LINE_STRIDES 2

typedef struct {
  const float *const *x;       /* of each row where its first column is */
  const float *const *weights; /* of each row those of its taps, [taps][channels] */
  guint n_rows;
  gsize before, width; /* columns that the first pixel begins before the row, and those of it */
  const float *bias;
  float *y;
  const float *addend; /* like y, NULL for none */
  gsize n_pixels, n_channels;
  gsize distance; /* from one column to the next one, and from one pixel, in numbers */
  SymBounds bounds;
} SymWindowLine;

typedef void (*SymWindowLineFunction) (const SymWindowLine *line);

/* Winograd's F(4x4, 3x3) of one square of pixels and all channels: Lavin and Gray, "Fast algorithms
 * for convolutional neural networks", with the points 0, 1, -1, 2, -2. */
#define SYM_WINOGRAD_POINTS 36

typedef struct {
  const float *pixels[SYM_WINOGRAD_POINTS]; /* of the 6x6 pixels where their channels are */
  float *sums;                              /* of point i at i * distance */
  gsize distance, n_channels;
} SymWinogradInput;

typedef struct {
  const float *sums; /* as above */
  gsize distance, n_channels;
  const float *bias;
  const float *addends[16]; /* of each of the 4x4 pixels, NULL for none */
  float *pixels[16];        /* NULL for those outside */
  SymBounds bounds;
} SymWinogradOutput;

typedef struct {
  const char *name;
  gsize width;                        /* floats of a vector */
  guint n_rows[SYM_TILE_VECTORS + 1]; /* the most of a tile, of each number of vectors; 0: none */
  SymTileFunction multiply[SYM_TILE_VECTORS + 1][SYM_TILE_ROWS + 1]; /* by vectors and rows */
  void (*multiply_line[SYM_TILE_VECTORS + 1]) (const SymLine *line);
  SymWindowFunction weigh, add, maximise;

  /* By taps of a row and stride; NULL for others. */
  SymWindowLineFunction weigh_line[SYM_LINE_TAPS + 1][SYM_LINE_STRIDES + 1];

  /* @n kernels, [3 * 3][n], to their points, each @distance from the next; @n is a multiple of the
   * width. */
  void (*winograd_turn) (const float *kernels, float *to, gsize distance, gsize n);
  void (*winograd_enter) (const SymWinogradInput *input);
  void (*winograd_leave) (const SymWinogradOutput *output);
} SymProcessor;

/* The best for this processor; the others that it could use, too, for tests: NULL after the last.
 */
const SymProcessor *sym_processor_get (void);
const SymProcessor *sym_processor_get_other (guint i);

G_END_DECLS
