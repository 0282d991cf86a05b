/* SPDX-License-Identifier: MIT */

/* The loops of products of bytes for one kind of processor: to be included by a file that says
 * which.  LANES are the integers of a vector, TARGET is the attribute of its functions, NAME what
 * they are called, MOST_ROWS how many rows have their sums in registers, ROW_CASES has ROWS (n) for
 * each number of rows from 2 to MOST_ROWS, and add_products() adds to each integer of a vector four
 * products of bytes. */
#include "run/sym-bytes-private.h"

#include <math.h>
#include <string.h>

typedef gint32 Loose __attribute__ ((vector_size (4 * LANES), may_alias, aligned (1)));
typedef float Floats __attribute__ ((vector_size (4 * LANES), may_alias));
typedef float LooseFloats __attribute__ ((vector_size (4 * LANES), may_alias, aligned (4)));
typedef guint8 Codes __attribute__ ((vector_size (LANES), may_alias, aligned (1)));

#define VECTORS 2  /* of a row that are summed at a time */
#define N_PHASES 4 /* of a single row, as each sum waits for the one before */
#define LINE 64
#define BYTES (SYM_BYTES_GROUP * SYM_BYTES_PANEL) /* of a panel, of a group of rows */

/* ---- Sums as floats ---- */

TARGET static inline __attribute__ ((always_inline)) Floats
keep_within (Floats x, float low, float high)
{
  Floats least = (Floats){ 0 } + low, greatest = (Floats){ 0 } + high;
  Ints is_low = x<least, is_high = x> greatest;

  x = (Floats) (((Ints) least & is_low) | ((Ints) x & ~is_low));
  return (Floats) (((Ints) greatest & is_high) | ((Ints) x & ~is_high));
}

/* Of @n rows from @row on and a vector of columns from @column on, y as it is, or, where not all
 * columns are there, for keep_row(). */
TARGET static inline __attribute__ ((always_inline)) void
finish (const SymBytesProduct *self,
        const Ints sums[][VECTORS],
        const int vector,
        float *to,
        gsize to_stride,
        gsize row,
        gsize column,
        gboolean is_whole,
        const int n)
{
  Ints term = -self->zero * *(const Loose *) (self->column_sums + column);
  Floats scales = *(const LooseFloats *) (self->scales + column) * self->scale, bias = { 0 };

  if (self->terms != NULL)
    term += *(const Loose *) (self->terms + column);
  if (self->bias != NULL)
    bias = *(const LooseFloats *) (self->bias + column);
#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    {
      Ints sum = sums[i][vector] + term;
      Floats y;

      if (self->weights_zeros != NULL)
        sum -= self->row_sums[row + (gsize) i] * *(const Loose *) (self->weights_zeros + column);
      y = __builtin_convertvector(sum, Floats) * scales + bias;
      if (is_whole && self->addend != NULL)
        y += *(const LooseFloats *) (self->addend + (row + (gsize) i) * self->y_stride + column);
      if (is_whole)
        y = keep_within (y, self->low, self->high);
      *(LooseFloats *) (to + (gsize) i * to_stride) = y;
    }
}

/* The columns that are there of a panel that is not whole. */
static void
keep_rows (const SymBytesProduct *self, const float *tile, gsize row, gsize column, gsize n)
{
  gsize n_columns = self->outer - column;

  for (gsize i = 0; i < n; i++, tile += SYM_BYTES_PANEL)
    {
      float *y = self->y + (row + i) * self->y_stride + column;
      const float *addend =
          self->addend == NULL ? NULL : self->addend + (row + i) * self->y_stride + column;

      for (gsize j = 0; j < n_columns; j++)
        {
          float sum = addend == NULL ? tile[j] : tile[j] + addend[j];

          y[j] = sum < self->low ? self->low : sum > self->high ? self->high : sum;
        }
    }
}

/* ---- Sums ---- */

TARGET static inline __attribute__ ((always_inline)) Ints
spread (const guint8 *x)
{
  gint32 group;

  memcpy (&group, x, sizeof group);
  return (Ints){ 0 } + group;
}

/* @n rows, @n known while compiling, so that all sums are in registers.  What is @ahead is asked
 * for, a line at a time. */
TARGET static inline __attribute__ ((always_inline)) void
sum_rows (const guint8 *x,
          gsize stride,
          const gint8 *panel,
          gsize n_groups,
          const gint8 *ahead,
          Ints sums[][VECTORS],
          const int n)
{
#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    sums[i][0] = sums[i][1] = (Ints){ 0 };
  for (gsize k = 0; k < n_groups; k++, panel += BYTES, x += SYM_BYTES_GROUP, ahead += LINE)
    {
      Ints left = *(const Loose *) panel, right = *(const Loose *) (panel + 4 * LANES);

      __builtin_prefetch (ahead);
#pragma GCC unroll 16
      for (int i = 0; i < n; i++)
        {
          Ints codes = spread (x + (gsize) i * stride);

          sums[i][0] = add_products (sums[i][0], codes, left);
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

#define ROWS(n_)                                                                                   \
  case n_:                                                                                         \
    sum_rows (x, self->x_stride, weights, n_groups, ahead, sums, n_);                              \
    for (int i = 0; i < VECTORS; i++)                                                              \
      finish (self, sums, i, to + at + i * LANES, to_stride, row, column + at + (gsize) i * LANES, \
              is_whole, n_);                                                                       \
    break;

/* The rows of the next tile: all that are left are for tiles of about the same size. */
static gsize
find_n_rows (gsize left)
{
  gsize n_tiles = (left + MOST_ROWS - 1) / MOST_ROWS;

  return (left + n_tiles - 1) / n_tiles;
}

TARGET static void
multiply_panel (const SymBytesProduct *self, const gint8 *panel, gsize column)
{
  float tile[MOST_ROWS * SYM_BYTES_PANEL] __attribute__ ((aligned (64)));
  gsize n_groups = sym_bytes_get_stride (self->inner) / SYM_BYTES_GROUP;
  gboolean is_whole = self->outer - column >= SYM_BYTES_PANEL;
  gsize to_stride = is_whole ? self->y_stride : SYM_BYTES_PANEL;
  const gint8 *next = panel + n_groups * BYTES, *ahead = next;

  for (gsize row = 0, n; row < self->rows; row += n, ahead += n_groups * LINE)
    {
      const guint8 *x = self->x + row * self->x_stride;
      float *to = is_whole ? self->y + row * self->y_stride + column : tile;

      n = find_n_rows (self->rows - row);
      if (ahead >= next + n_groups * BYTES)
        ahead = panel;
      for (gsize at = 0; at < SYM_BYTES_PANEL; at += VECTORS * LANES)
        {
          const gint8 *weights = panel + at * SYM_BYTES_GROUP;
          Ints sums[MOST_ROWS][VECTORS];

          switch (n)
            {
              ROW_CASES
            default:
              sum_row (x, weights, n_groups, sums);
              for (int i = 0; i < VECTORS; i++)
                finish (self, sums, i, to + at + i * LANES, to_stride, row,
                        column + at + (gsize) i * LANES, is_whole, 1);
            }
        }
      if (!is_whole)
        keep_rows (self, tile, row, column, n);
    }
}

/* So many codes stay near while all panels pass them. */
#define NEAR_BYTES (256 << 10)

TARGET static void
multiply (const SymBytesProduct *self)
{
  gsize n = MAX (NEAR_BYTES / MAX (self->x_stride, 1) / MOST_ROWS, 1) * MOST_ROWS;
  gsize n_inner = sym_bytes_get_stride (self->inner);

  for (gsize row = 0; row < self->rows; row += n)
    {
      SymBytesProduct part = *self;

      part.x += row * self->x_stride;
      part.y += row * self->y_stride;
      part.rows = MIN (n, self->rows - row);
      if (self->addend != NULL)
        part.addend += row * self->y_stride;
      if (self->row_sums != NULL)
        part.row_sums += row;
      for (gsize column = 0; column < self->outer; column += SYM_BYTES_PANEL)
        multiply_panel (&part, self->panels + column * n_inner, column);
    }
}

/* ---- Codes ---- */

/* Adding it leaves whole numbers in the last bits of a float, rounded to the even one. */
#define MAGIC 12582912.0f
#define MAGIC_BITS 0x4b400000

TARGET static void
quantize (const SymBytesCodes *self)
{
  float low = -self->zero, high = 255 - self->zero;
  gint32 zero = (gint32) self->zero;
  gsize i = 0;

  for (; i + LANES <= self->n; i += LANES)
    {
      Floats x = *(const LooseFloats *) (self->x + i) / self->scale;
      Ints is_above, codes;

      /* What is not a number is the least. */
      is_above = x > (Floats){ 0 } + low;
      x = (Floats) (((Ints) x & is_above) | ((Ints) ((Floats){ 0 } + low) & ~is_above));
      x = keep_within (x, low, high) + MAGIC;
      codes = (Ints) x - MAGIC_BITS + zero;
      *(Codes *) (self->codes + i) = __builtin_convertvector(codes, Codes);
    }
  for (; i < self->n; i++)
    {
      float x = self->x[i] / self->scale;

      self->codes[i] = (guint8) (nearbyintf (!(x > low) ? low : MIN (x, high)) + self->zero);
    }
}

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

const SymBytesLoops LOOPS = { NAME, multiply, quantize, find_range };
