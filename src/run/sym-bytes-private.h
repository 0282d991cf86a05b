/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Products of matrices of bytes, summed in integers of 32 bits that wrap around, and what becomes
 * of the sums as floats.  Codes of x are of 0 to 255, weights of -128 to 127; whoever has other
 * bytes moves them and their zero points by 128.  Weights are copied into panels first: each holds
 * SYM_BYTES_PANEL of the columns, and of each four rows at a time as they are read.  Compiled for
 * several kinds of processor, which all make the same integers; the choice is made when a product
 * is run. */
#define SYM_BYTES_PANEL 32
#define SYM_BYTES_GROUP 4 /* rows of weights, and bytes of x, that are multiplied at a time */

/* The bytes that rows of @n codes take: whole groups, of which the codes that are not there may be
 * anything. */
gsize sym_bytes_get_stride (gsize n);

/* Bytes that the panels of a matrix take. */
gsize sym_bytes_get_n (gsize inner, gsize outer);

/* The weight of row i and column j is at @from[i * @row_stride + j * @column_stride], with @flip to
 * be added to its bits (0 or 128).  What panels have beyond rows and columns is 0.  Of each column
 * that is there, padding too, @sums gets the sum. */
typedef struct {
  const guint8 *from;
  gssize row_stride, column_stride;
  guint8 flip;
  gsize inner, outer;
} SymBytesMatrix;

void sym_bytes_pack (const SymBytesMatrix *self, gint8 *panels, gint32 *sums);

/* y = bounds ((sums - @zero * @column_sums - @weights_zeros * @row_sums + @terms) * @scales *
 * @scale + @bias + @addend).  Numbers of columns are padded to whole panels.  All of @weights_zeros
 * (with @row_sums), @terms, @bias and @addend may be NULL.  Where there are @codes, these get y
 * rounded to the even one plus @to_zero in its place; bounds are those of codes then. */
typedef struct {
  const guint8 *x;
  gsize x_stride, rows, inner, outer;
  const gint8 *panels;
  gint32 zero;
  const gint32 *column_sums; /* of weights less their zero points */
  const gint32 *weights_zeros, *row_sums, *terms;
  float scale;
  const float *scales, *bias, *addend;
  float *y;
  guint8 *codes;
  gsize y_stride; /* of y or codes */
  float low, high;
  gint32 to_zero;
} SymBytesProduct;

void sym_bytes_multiply (const SymBytesProduct *self);

/* @n rows of it from @row on. */
SymBytesProduct sym_bytes_take_rows (const SymBytesProduct *self, gsize row, gsize n);

/* Bytes of codes that stay near while all panels pass them. */
#define SYM_BYTES_NEAR ((gsize) 256 << 10)

/* @n codes of floats: bounds (round (x / @scale) + @zero), to the even one. */
typedef struct {
  const float *x;
  guint8 *codes;
  gsize n;
  float scale, zero;
  float low, high; /* within 0 to 255 */
} SymBytesCodes;

void sym_bytes_quantize (const SymBytesCodes *self);

/* @n floats of codes: these less @zero. */
void sym_bytes_expand (const guint8 *codes, float *y, gsize n, gint32 zero);

/* @n codes of sums: bounds (round (a * @factors[0] + b * @factors[1] + @term) + @zero). */
typedef struct {
  const guint8 *a, *b;
  guint8 *codes;
  gsize n;
  float factors[2], term, zero, low, high;
} SymBytesSum;

void sym_bytes_add (const SymBytesSum *self);

/* Pixels made each from some others of the same channels: of each tap where it is for the first
 * pixel, and its weights; @step from one pixel's taps to those of the next.  y = bounds ((sums +
 * @terms) * @scales + @bias), or codes as above.  As many channels are written as there are. */
typedef struct {
  const guint8 *const *x;
  const float *const *weights;
  guint n_taps;
  gsize step;
  const float *terms, *scales, *bias;
  float *y;
  guint8 *codes;
  gsize y_stride; /* of y or codes */
  gsize n_pixels, n_channels;
  float low, high;
  gint32 to_zero;
} SymBytesWindow;

void sym_bytes_weigh (const SymBytesWindow *self);

/* The least and the greatest of some floats and 0; what is not a number is passed over. */
void sym_bytes_find_range (const float *x, gsize n, float *least, float *greatest);

/* ---- Kinds of processors ---- */

typedef struct {
  const char *name;
  void (*multiply) (const SymBytesProduct *self);
  void (*quantize) (const SymBytesCodes *self);
  void (*find_range) (const float *x, gsize n, float *least, float *greatest);
  void (*expand) (const guint8 *codes, float *y, gsize n, gint32 zero);
  void (*add) (const SymBytesSum *self);
  void (*weigh) (const SymBytesWindow *self);
} SymBytesLoops;

extern const SymBytesLoops sym_bytes_vnni, sym_bytes_avx2, sym_bytes_plain;

/* sym-bytes-amx.c: products of at least one whole tile, whose other rows are left to
 * sym_bytes_vnni, as everything else is. */
void sym_bytes_multiply_tiles (const SymBytesProduct *self);

/* Those that this processor can run, the best one first; NULL after the last. */
const SymBytesLoops *sym_bytes_get_loops (guint i);

G_END_DECLS
