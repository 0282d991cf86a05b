/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Products of float matrices, y = x . w, for sizes at which a library's preparations would take
 * longer than the product, and for matrices that are computed.  w is copied into panels first: each
 * holds SYM_PANEL of its columns, row after row, as they are read.  Compiled for several kinds of
 * processor; the choice is made when a product is run. */
#define SYM_PANEL 32

/* Floats that the panels of a matrix take. */
gsize sym_panel_get_n (gsize inner, gsize outer);

/* The element of row i and column j is at @from[i * @row_stride + j * @column_stride].  What the
 * last panel has beyond the last column is 0. */
void sym_panel_pack (float *panels,
                     const float *from,
                     gssize row_stride,
                     gssize column_stride,
                     gsize inner,
                     gsize outer);

/* y, [rows, outer] with @y_stride between its rows, gets x . w + bias + addend, not below @low nor
 * above @high; what is not a number stays so.  x is [rows, inner], its rows @x_stride apart and its
 * columns @x_step.  @bias, of as many numbers as there are columns, and @addend, which lies like y
 * and may be y, may be NULL. */
typedef struct {
  float *y;
  gssize y_stride;
  const float *x;
  gssize x_stride, x_step;
  const float *panels, *bias, *addend;
  const float *next; /* panels that are needed after these; NULL for those behind them */
  gsize rows, inner, outer;
  gsize packed; /* the inner of the panels, where only the first of that count; 0 for @inner */
  float low, high;
} SymPanelProduct;

void sym_panel_multiply (const SymPanelProduct *self);

/* Whether the inside is taken in parts, each of which all panels pass. */
gboolean sym_panel_has_parts (gsize rows, gsize inner);

G_END_DECLS
