/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Squares of 8 by 8 floats with rows and columns exchanged, within registers. */

#define SYM_TURN_SIZE 8

typedef float SymTurnVector __attribute__ ((vector_size (32), may_alias, aligned (4)));

/* Of two rows the halves of each pair, quarter or half: 3 steps of 8 of these turn a square. */
#define SYM_TURN_LOW(a, b) __builtin_shufflevector (a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define SYM_TURN_HIGH(a, b) __builtin_shufflevector (a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define SYM_TURN_EVEN(a, b) __builtin_shufflevector (a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SYM_TURN_ODD(a, b) __builtin_shufflevector (a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define SYM_TURN_FIRST(a, b) __builtin_shufflevector (a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define SYM_TURN_SECOND(a, b) __builtin_shufflevector (a, b, 4, 5, 6, 7, 12, 13, 14, 15)

static inline __attribute__ ((always_inline)) void
sym_turn_square (float *y, gssize y_stride, const float *x, gssize x_stride)
{
  SymTurnVector a[8], b[8];

#pragma GCC unroll 8
  for (int i = 0; i < 8; i++)
    a[i] = *(const SymTurnVector *) (x + i * x_stride);
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2)
    {
      b[i] = SYM_TURN_LOW (a[i], a[i + 1]);
      b[i + 1] = SYM_TURN_HIGH (a[i], a[i + 1]);
    }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4)
    {
      a[i] = SYM_TURN_EVEN (b[i], b[i + 2]);
      a[i + 1] = SYM_TURN_ODD (b[i], b[i + 2]);
      a[i + 2] = SYM_TURN_EVEN (b[i + 1], b[i + 3]);
      a[i + 3] = SYM_TURN_ODD (b[i + 1], b[i + 3]);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++)
    {
      *(SymTurnVector *) (y + i * y_stride) = SYM_TURN_FIRST (a[i], a[i + 4]);
      *(SymTurnVector *) (y + (i + 4) * y_stride) = SYM_TURN_SECOND (a[i], a[i + 4]);
    }
}

/* Two squares side by side in y are as wide as lines of memory, which are written whole. */
#define SYM_TURN_LINE (2 * SYM_TURN_SIZE)

/* Some rows of y, which are near while all squares of them are written. */
static inline __attribute__ ((always_inline)) void
sym_turn_rows (float *y, gssize y_stride, const float *x, gssize x_stride, gsize n_i, gsize n_j)
{
  gsize whole_i = n_i / SYM_TURN_SIZE * SYM_TURN_SIZE,
        whole_j = n_j / SYM_TURN_SIZE * SYM_TURN_SIZE;

  for (gsize begin = 0; begin < whole_i; begin += SYM_TURN_LINE)
    for (gsize j = 0; j < whole_j; j += SYM_TURN_SIZE)
      for (gsize i = begin; i < MIN (begin + SYM_TURN_LINE, whole_i); i += SYM_TURN_SIZE)
        sym_turn_square (y + (gssize) j * y_stride + i, y_stride, x + (gssize) i * x_stride + j,
                         x_stride);
  for (gsize i = 0; i < n_i; i++)
    for (gsize j = i < whole_i ? whole_j : 0; j < n_j; j++)
      y[(gssize) j * y_stride + (gssize) i] = x[(gssize) i * x_stride + (gssize) j];
}

/* Rows of y that are longer are better written line by line, for all of them: as many rows of x
 * would be read at once. */
#define SYM_TURN_LONG 512

/* Numbers of y that are near together with what they come from. */
#define SYM_TURN_NEAR 4096

/* y[j * y_stride + i] = x[i * x_stride + j] for @n_i and @n_j of them. */
static inline __attribute__ ((always_inline)) void
sym_turn_any (float *y, gssize y_stride, const float *x, gssize x_stride, gsize n_i, gsize n_j)
{
  gsize n = n_i == 0 || n_i > SYM_TURN_LONG
                ? n_j
                : MAX (SYM_TURN_NEAR / n_i / SYM_TURN_SIZE * SYM_TURN_SIZE, SYM_TURN_LINE);

  for (gsize j = 0; j < n_j; j += n)
    sym_turn_rows (y + (gssize) j * y_stride, y_stride, x + j, x_stride, n_i, MIN (n, n_j - j));
}
