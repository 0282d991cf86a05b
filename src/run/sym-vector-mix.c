/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-vector-math.h"
#include "run/sym-vector-rows-private.h"

/* Products of one row and a few rows as they lie, for which packing them would take longer. */

#define LANES 16
#define GROUP 4 /* rows or vectors that are worked on at a time */

typedef float Lanes __attribute__ ((vector_size (4 * LANES), aligned (4), may_alias));

static inline __attribute__ ((always_inline)) float
join (const Lanes *lanes)
{
  float s[LANES];

  memcpy (s, lanes, sizeof s);
  for (guint width = LANES / 2; width > 0; width /= 2)
    for (guint i = 0; i < width; i++)
      s[i] += s[i + width];
  return s[0];
}

static inline __attribute__ ((always_inline)) void
dot_group (float *y, const float *x, const float *rows, gssize stride, const guint n_rows, gsize n)
{
  Lanes sums[GROUP] = { { 0 } };
  float rest[GROUP] = { 0 };
  gsize j = 0;

  for (; j + LANES <= n; j += LANES)
    for (guint i = 0; i < n_rows; i++)
      sums[i] += *(const Lanes *) (x + j) * *(const Lanes *) (rows + i * stride + j);
  for (; j < n; j++)
    for (guint i = 0; i < n_rows; i++)
      rest[i] += x[j] * rows[i * stride + (gssize) j];
  for (guint i = 0; i < n_rows; i++)
    y[i] = join (&sums[i]) + rest[i];
}

CLONES void
sym_vector_dot_rows (float *y,
                     const float *x,
                     const float *rows,
                     gssize stride,
                     gsize n_rows,
                     gsize n)
{
  gsize i = 0;

  for (; i + GROUP <= n_rows; i += GROUP, rows += GROUP * stride)
    dot_group (y + i, x, rows, stride, GROUP, n);
  for (; i < n_rows; i++, rows += stride)
    dot_group (y + i, x, rows, stride, 1, n);
}

/* @n_lanes vectors of each row, known while compiling, so that the sums stay in registers. */
static inline __attribute__ ((always_inline)) void
mix_lanes (float *y,
           const float *weights,
           const float *rows,
           gssize stride,
           gsize n_rows,
           const guint n_lanes)
{
  Lanes sums[GROUP] = { { 0 } };

  for (gsize i = 0; i < n_rows; i++, rows += stride)
    for (guint k = 0; k < n_lanes; k++)
      sums[k] += weights[i] * *(const Lanes *) (rows + k * LANES);
  for (guint k = 0; k < n_lanes; k++)
    *(Lanes *) (y + k * LANES) = sums[k];
}

CLONES void
sym_vector_mix_rows (float *y,
                     const float *weights,
                     const float *rows,
                     gssize stride,
                     gsize n_rows,
                     gsize n)
{
  gsize j = 0;

  for (; j + GROUP * LANES <= n; j += GROUP * LANES)
    mix_lanes (y + j, weights, rows + j, stride, n_rows, GROUP);
  for (; j + 2 * LANES <= n; j += 2 * LANES)
    mix_lanes (y + j, weights, rows + j, stride, n_rows, 2);
  for (; j + LANES <= n; j += LANES)
    mix_lanes (y + j, weights, rows + j, stride, n_rows, 1);
  for (; j < n; j++)
    {
      y[j] = 0;
      for (gsize i = 0; i < n_rows; i++)
        y[j] += weights[i] * rows[(gssize) i * stride + (gssize) j];
    }
}
