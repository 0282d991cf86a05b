/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-math.h"
#include "run/sym-vector-rows-private.h"

static inline __attribute__ ((always_inline)) void
rotate (float *restrict y,
        const float *restrict x,
        const float *restrict cosines,
        const float *restrict sines,
        gsize n_pairs,
        const gsize step,
        const gsize other)
{
  for (gsize i = 0; i < n_pairs; i++)
    {
      float a = x[i * step], b = x[i * step + other];

      y[i * step] = cosines[i] * a - sines[i] * b;
      y[i * step + other] = sines[i] * a + cosines[i] * b;
    }
}

CLONES void
sym_vector_rotate_row (float *y,
                       const float *x,
                       const float *cosines,
                       const float *sines,
                       gsize n_pairs,
                       gboolean is_halved)
{
  if (is_halved)
    rotate (y, x, cosines, sines, n_pairs, 1, n_pairs);
  else
    rotate (y, x, cosines, sines, n_pairs, 2, 1);
}
