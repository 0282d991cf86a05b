/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Products of matrices of floats by tiles of halves: each number is the sum of a bfloat16 and of
 * what that leaves of it, as another one, and of their four products the three larger ones are
 * added, as floats.  What is left out is less than 2^-16 of a product, and of either sign, so that
 * sums are about as near as those of floats are (Henry, Tang and Heinecke, "Leveraging the
 * bfloat16 artificial intelligence datatype for higher-precision computations").  Numbers below
 * 2^-110 may lose some of their bits.
 *
 * Only where sym_tiles_have_halves().  Both matrices are brought into halves first: rows of x in
 * squares of 16 rows, weights in panels of 32 columns, all filled up with zeros to whole tiles. */
#define SYM_HALVES_PANEL 32
#define SYM_HALVES_DEPTH 32

/* Bytes of @n_rows rows of x, and of the panels of a matrix. */
gsize sym_halves_get_row_bytes (gsize n_rows, gsize inner);
gsize sym_halves_get_panel_bytes (gsize inner, gsize outer);

/* @n_rows rows of @inner numbers, each @stride from the next; @to is aligned to 64 bytes. */
void sym_halves_split (const float *x, gsize stride, gsize n_rows, gsize inner, void *to);

/* The weight of row i and column j is at @from[i * @row_stride + j * @column_stride], one of which
 * is 1, and is multiplied by @scales[j], NULL for none. */
typedef struct {
  const float *from;
  gssize row_stride, column_stride;
  const float *scales;
  gsize inner, outer;
} SymHalvesMatrix;

/* Of whole panels, but for the last one. */
void sym_halves_pack (const SymHalvesMatrix *self, void *panels);

/* y = bounds (x . weights + bias + addend). */
typedef struct {
  const void *x, *panels; /* as they were made */
  gsize n_rows, inner, outer;
  const float *bias, *addend; /* NULL for none; the addend lies as y does */
  float *y;
  gsize y_stride;
  float low, high;
  gboolean are_panels_far; /* they come while others are multiplied, and ... */
  const void *next;        /* ... after the last one this one does, NULL for none */
} SymHalvesProduct;

void sym_halves_multiply (const SymHalvesProduct *self);

G_END_DECLS
