/* SPDX-License-Identifier: MIT */

/* The loops of products of bytes for one kind of processor: to be included by a file that says
 * which.  LANES are the integers of a vector, TARGET is the attribute of its functions, NAME what
 * they are called, MOST_ROWS how many rows have their sums in registers, ROW_CASES has ROWS (n) for
 * each number of rows from 2 to MOST_ROWS, and add_products() adds to each integer of a vector four
 * products of bytes, read_bytes() and write_bytes() have integers as bytes in memory. */
#include "run/sym-bytes-finish.h"

#define N_PHASES 4 /* of a single row, as each sum waits for the one before */
#define LINE 64

/* ---- Sums ---- */

TARGET static inline __attribute__ ((always_inline)) Ints
spread (const guint8 *x)
{
  gint32 group;

  memcpy (&group, x, sizeof group);
  return (Ints){ 0 } + group;
}

/* @n rows and @n_vectors of columns, both known while compiling, so that all sums are in registers.
 * What is @ahead is asked for, a line at a time. */
TARGET static inline __attribute__ ((always_inline)) void
sum_rows (const guint8 *x,
          gsize stride,
          const gint8 *panel,
          gsize n_groups,
          const gint8 *ahead,
          Ints sums[][VECTORS],
          const int n,
          const int n_vectors)
{
#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    sums[i][0] = sums[i][1] = (Ints){ 0 };
  for (gsize k = 0; k < n_groups; k++, panel += BYTES, x += SYM_BYTES_GROUP, ahead += LINE)
    {
      Ints left = *(const Loose *) panel, right = { 0 };

      if (n_vectors > 1)
        right = *(const Loose *) (panel + 4 * LANES);
      __builtin_prefetch (ahead);
#pragma GCC unroll 16
      for (int i = 0; i < n; i++)
        {
          Ints codes = spread (x + (gsize) i * stride);

          sums[i][0] = add_products (sums[i][0], codes, left);
          if (n_vectors > 1)
            sums[i][1] = add_products (sums[i][1], codes, right);
        }
    }
}

TARGET static inline __attribute__ ((always_inline)) void
sum_row (const guint8 *x, const gint8 *panel, gsize n_groups, Ints sums[][VECTORS])
{
  Ints parts[N_PHASES][VECTORS];
  gsize k = 0;

#pragma GCC unroll 4
  for (int i = 0; i < N_PHASES; i++)
    parts[i][0] = parts[i][1] = (Ints){ 0 };
  for (; k + N_PHASES <= n_groups; k += N_PHASES)
#pragma GCC unroll 4
    for (int i = 0; i < N_PHASES; i++, panel += BYTES, x += SYM_BYTES_GROUP)
      {
        Ints codes = spread (x);

        parts[i][0] = add_products (parts[i][0], codes, *(const Loose *) panel);
        parts[i][1] = add_products (parts[i][1], codes, *(const Loose *) (panel + 4 * LANES));
      }
  for (; k < n_groups; k++, panel += BYTES, x += SYM_BYTES_GROUP)
    {
      Ints codes = spread (x);

      parts[0][0] = add_products (parts[0][0], codes, *(const Loose *) panel);
      parts[0][1] = add_products (parts[0][1], codes, *(const Loose *) (panel + 4 * LANES));
    }
#pragma GCC unroll 4
  for (int i = 1; i < N_PHASES; i++)
    {
      parts[0][0] += parts[i][0];
      parts[0][1] += parts[i][1];
    }
  sums[0][0] = parts[0][0];
  sums[0][1] = parts[0][1];
}

/* The sums of a tile, and what they become.  @n rows are known while compiling. */
TARGET static inline __attribute__ ((always_inline)) void
multiply_tile (const SymBytesProduct *self,
               const gint8 *weights,
               const gint8 *ahead,
               gsize row,
               gsize column,
               const int n,
               const int n_vectors)
{
  gsize n_groups = sym_bytes_get_stride (self->inner) / SYM_BYTES_GROUP, last;
  const guint8 *x = self->x + row * self->x_stride;
  float tile[MOST_ROWS * LANES] __attribute__ ((aligned (64)));
  Ints sums[MOST_ROWS][VECTORS];

  if (n == 1)
    sum_row (x, weights, n_groups, sums);
  else
    sum_rows (x, self->x_stride, weights, n_groups, ahead, sums, n, n_vectors);
#pragma GCC unroll 2
  for (int i = 0; i < n_vectors; i++)
    finish (self, sums, i, tile, row, column + (gsize) i * LANES, n);
  last = column + (gsize) (n_vectors - 1) * LANES;
  if (last + LANES > self->outer)
    keep_rows (self, tile, row, last, (gsize) n);
}

#define ROWS(n_)                                                      \
  case n_:                                                            \
    if (self->outer - column > LANES)                                 \
      multiply_tile (self, weights, ahead, row, column, n_, VECTORS); \
    else                                                              \
      multiply_tile (self, weights, ahead, row, column, n_, 1);       \
    break;

/* The rows of the next tile: all that are left are for tiles of about the same size. */
static gsize
find_n_rows (gsize left)
{
  gsize n_tiles = (left + MOST_ROWS - 1) / MOST_ROWS;

  return (left + n_tiles - 1) / n_tiles;
}

/* Columns from @first on, of which there are some. */
TARGET static void
multiply_panel (const SymBytesProduct *self, const gint8 *panel, gsize first)
{
  gsize n_groups = sym_bytes_get_stride (self->inner) / SYM_BYTES_GROUP;
  gsize end = MIN (first + SYM_BYTES_PANEL, self->outer);
  const gint8 *next = panel + n_groups * BYTES, *ahead = next;

  for (gsize row = 0, n; row < self->rows; row += n, ahead += n_groups * LINE)
    {
      n = find_n_rows (self->rows - row);
      if (ahead >= next + n_groups * BYTES)
        ahead = panel;
      for (gsize column = first; column < end; column += VECTORS * LANES)
        {
          const gint8 *weights = panel + (column - first) * SYM_BYTES_GROUP;

          switch (n)
            {
              ROW_CASES
              ROWS (1)
            }
        }
    }
}

TARGET static void
multiply (const SymBytesProduct *self)
{
  gsize n = MAX (SYM_BYTES_NEAR / MAX (self->x_stride, 1) / MOST_ROWS, 1) * MOST_ROWS;
  gsize n_inner = sym_bytes_get_stride (self->inner);

  for (gsize row = 0; row < self->rows; row += n)
    {
      SymBytesProduct part = sym_bytes_take_rows (self, row, MIN (n, self->rows - row));

      for (gsize column = 0; column < self->outer; column += SYM_BYTES_PANEL)
        multiply_panel (&part, self->panels + column * n_inner, column);
    }
}

/* ---- Codes ---- */

/* What is not a number is the least. */
TARGET static inline __attribute__ ((always_inline)) Floats
keep_numbers (Floats x, float low, float high)
{
  Floats least = (Floats){ 0 } + low;
  Ints is_above = x > least;

  x = (Floats) (((Ints) x & is_above) | ((Ints) least & ~is_above));
  return keep_within (x, low, high);
}

TARGET static void
quantize (const SymBytesCodes *self)
{
  float low = self->low - self->zero, high = self->high - self->zero;
  gint32 zero = (gint32) self->zero;
  gsize i = 0;

  for (; i + LANES <= self->n; i += LANES)
    {
      Floats x = *(const LooseFloats *) (self->x + i);

      if (self->scale != 1)
        x /= self->scale;
      write_codes (self->codes + i, keep_numbers (x, low, high), zero);
    }
  for (; i < self->n; i++)
    {
      float x = self->x[i] / self->scale;

      self->codes[i] = get_code (!(x > low) ? low : MIN (x, high), zero);
    }
}

TARGET static inline __attribute__ ((always_inline)) Floats
read_codes (const guint8 *codes)
{
  return __builtin_convertvector(read_bytes (codes), Floats);
}

TARGET static void
expand (const guint8 *codes, float *y, gsize n, gint32 zero)
{
  gsize i = 0;

  for (; i + LANES <= n; i += LANES)
    *(LooseFloats *) (y + i) = read_codes (codes + i) - (float) zero;
  for (; i < n; i++)
    y[i] = (float) (codes[i] - zero);
}

TARGET static void
add (const SymBytesSum *self)
{
  float low = self->low - self->zero, high = self->high - self->zero;
  gint32 zero = (gint32) self->zero;
  gsize i = 0;

  for (; i + LANES <= self->n; i += LANES)
    {
      Floats y = read_codes (self->a + i) * self->factors[0] + self->term;

      y += read_codes (self->b + i) * self->factors[1];
      write_codes (self->codes + i, keep_within (y, low, high), zero);
    }
  for (; i < self->n; i++)
    {
      float y = (float) self->a[i] * self->factors[0] + self->term;

      y += (float) self->b[i] * self->factors[1];
      self->codes[i] = get_code (keep_one_within (y, low, high), zero);
    }
}

/* ---- Windows ---- */

/* So many pixels are made at a time of a vector of channels, so that weights are read once. */
#define PIXELS 4

/* @n pixels from @pixel on, @n known while compiling, of the channels from @at on. */
TARGET static inline __attribute__ ((always_inline)) void
weigh_pixels (const SymBytesWindow *self, gsize pixel, gsize at, const int n)
{
  Floats sums[PIXELS], scales = *(const LooseFloats *) (self->scales + at);
  Floats bias = *(const LooseFloats *) (self->bias + at);

#pragma GCC unroll 4
  for (int i = 0; i < n; i++)
    sums[i] = *(const LooseFloats *) (self->terms + at);
  for (guint tap = 0; tap < self->n_taps; tap++)
    {
      Floats weights = *(const LooseFloats *) (self->weights[tap] + at);
      const guint8 *x = self->x[tap] + pixel * self->step + at;

#pragma GCC unroll 4
      for (int i = 0; i < n; i++)
        sums[i] += read_codes (x + (gsize) i * self->step) * weights;
    }
#pragma GCC unroll 4
  for (int i = 0; i < n; i++)
    {
      Floats y = keep_within (sums[i] * scales + bias, self->low, self->high);
      gsize to = (pixel + (gsize) i) * self->y_stride + at;

      if (self->codes != NULL)
        write_codes (self->codes + to, y, self->to_zero);
      else
        *(LooseFloats *) (self->y + to) = y;
    }
}

/* One of a few channels. */
static void
weigh_one (const SymBytesWindow *self, gsize pixel, gsize at)
{
  float sum = self->terms[at], y;
  gsize to = pixel * self->y_stride + at;

  for (guint tap = 0; tap < self->n_taps; tap++)
    sum += (float) self->x[tap][pixel * self->step + at] * self->weights[tap][at];
  y = keep_one_within (sum * self->scales[at] + self->bias[at], self->low, self->high);
  if (self->codes != NULL)
    self->codes[to] = get_code (y, self->to_zero);
  else
    self->y[to] = y;
}

/* The last vector of channels begins before the one before it ends. */
TARGET static void
weigh (const SymBytesWindow *self)
{
  gsize n = self->n_channels, at, pixel;

  for (at = 0; n >= LANES && at < n; at += LANES)
    {
      gsize first = MIN (at, n - LANES);

      for (pixel = 0; pixel + PIXELS <= self->n_pixels; pixel += PIXELS)
        weigh_pixels (self, pixel, first, PIXELS);
      for (; pixel < self->n_pixels; pixel++)
        weigh_pixels (self, pixel, first, 1);
    }
  for (pixel = 0; n < LANES && pixel < self->n_pixels; pixel++)
    for (at = 0; at < n; at++)
      weigh_one (self, pixel, at);
}

/* ---- Ranges ---- */

TARGET static void
find_range (const float *x, gsize n, float *least, float *greatest)
{
  Floats low = { 0 }, high = { 0 };
  float lows[LANES], highs[LANES];
  gsize i = 0;

  for (; i + LANES <= n; i += LANES)
    {
      Floats next = *(const LooseFloats *) (x + i);
      Ints is_low = next<low, is_high = next> high;

      low = (Floats) (((Ints) next & is_low) | ((Ints) low & ~is_low));
      high = (Floats) (((Ints) next & is_high) | ((Ints) high & ~is_high));
    }
  memcpy (lows, &low, sizeof lows);
  memcpy (highs, &high, sizeof highs);
  *least = *greatest = 0;
  for (int j = 0; j < LANES; j++)
    {
      *least = MIN (*least, lows[j]);
      *greatest = MAX (*greatest, highs[j]);
    }
  for (; i < n; i++)
    {
      *least = x[i] < *least ? x[i] : *least;
      *greatest = x[i] > *greatest ? x[i] : *greatest;
    }
}

const SymBytesLoops LOOPS = { NAME, multiply, quantize, find_range, expand, add, weigh };
