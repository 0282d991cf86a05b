/* SPDX-License-Identifier: MIT */

/* What becomes of the sums of products of bytes, for one kind of processor: to be included by a
 * file that says which.  LANES are the integers of a vector, Ints, TARGET is the attribute of its
 * functions, and write_bytes() has integers as bytes in memory. */
#include "run/sym-bytes-private.h"

#include <math.h>
#include <string.h>

typedef gint32 Loose __attribute__ ((vector_size (4 * LANES), may_alias, aligned (1)));
typedef float Floats __attribute__ ((vector_size (4 * LANES), may_alias));
typedef float LooseFloats __attribute__ ((vector_size (4 * LANES), may_alias, aligned (4)));

#define VECTORS 2                                 /* of a row that are summed at a time */
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

/* Adding it leaves whole numbers in the last bits of a float, rounded to the even one. */
#define MAGIC 12582912.0f
#define MAGIC_BITS 0x4b400000

/* Codes of what is within bounds. */
TARGET static inline __attribute__ ((always_inline)) void
write_codes (guint8 *codes, Floats x, gint32 zero)
{
  write_bytes (codes, (Ints) (x + MAGIC) - MAGIC_BITS + zero);
}

/* A float as write_codes() makes a code of it. */
static inline guint8
get_code (float x, gint32 zero)
{
  return (guint8) ((gint32) nearbyintf (x) + zero);
}

static inline float
keep_one_within (float x, float low, float high)
{
  return x < low ? low : x > high ? high : x;
}

/* Of @n rows from @row on and a vector of columns, that from @column on.  Where not all of these
 * are there, the sums are left in @tile for keep_rows(). */
TARGET static inline __attribute__ ((always_inline)) void
finish (const SymBytesProduct *self,
        const Ints sums[][VECTORS],
        const int vector,
        float *tile,
        gsize row,
        gsize column,
        const int n)
{
  Ints term = -self->zero * *(const Loose *) (self->column_sums + column);
  Floats scales = *(const LooseFloats *) (self->scales + column) * self->scale, bias = { 0 };
  gboolean is_whole = column + LANES <= self->outer;

  if (self->terms != NULL)
    term += *(const Loose *) (self->terms + column);
  if (self->bias != NULL)
    bias = *(const LooseFloats *) (self->bias + column);
#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    {
      gsize to = (row + (gsize) i) * self->y_stride + column;
      Ints sum = sums[i][vector] + term;
      Floats y;

      if (self->weights_zeros != NULL)
        sum -= self->row_sums[row + (gsize) i] * *(const Loose *) (self->weights_zeros + column);
      y = __builtin_convertvector(sum, Floats) * scales + bias;
      if (!is_whole)
        {
          *(LooseFloats *) (tile + i * LANES) = y;
          continue;
        }
      if (self->addend != NULL)
        y += *(const LooseFloats *) (self->addend + to);
      y = keep_within (y, self->low, self->high);
      if (self->codes != NULL)
        write_codes (self->codes + to, y, self->to_zero);
      else
        *(LooseFloats *) (self->y + to) = y;
    }
}

/* The columns that are there of a vector that is not whole. */
static void
keep_rows (const SymBytesProduct *self, const float *tile, gsize row, gsize column, gsize n)
{
  gsize n_columns = self->outer - column;

  for (gsize i = 0; i < n; i++, tile += LANES)
    {
      gsize to = (row + i) * self->y_stride + column;

      for (gsize j = 0; j < n_columns; j++)
        {
          float y = self->addend == NULL ? tile[j] : tile[j] + self->addend[to + j];

          y = keep_one_within (y, self->low, self->high);
          if (self->codes != NULL)
            self->codes[to + j] = get_code (y, self->to_zero);
          else
            self->y[to + j] = y;
        }
    }
}
