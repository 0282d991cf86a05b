/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-rows-private.h"

#include "run/sym-vector-math.h"

/* So many sums side by side keep several vectors busy. */
#define LANES 64

CLONES void
sym_vector_deviate_rows (float *restrict y,
                         const float *x,
                         const float *restrict means,
                         gsize n_rows,
                         gssize stride,
                         gsize n)
{
  memset (y, 0, n * sizeof *y);
  for (gsize i = 0; i < n_rows; i++, x += stride)
    for (gsize j = 0; j < n; j++)
      y[j] += (x[j] - means[j]) * (x[j] - means[j]);
}

CLONES float
sym_vector_deviate_row (const float *x, float mean, gsize n)
{
  float lanes[LANES] = { 0 }, sum = 0;
  gsize whole = n / LANES * LANES;

  for (gsize i = 0; i < whole; i += LANES)
    for (gsize j = 0; j < LANES; j++)
      lanes[j] += (x[i + j] - mean) * (x[i + j] - mean);
  for (gsize i = whole; i < n; i++)
    lanes[i - whole] += (x[i] - mean) * (x[i] - mean);
  for (gsize j = 0; j < LANES; j++)
    sum += lanes[j];
  return sum;
}
