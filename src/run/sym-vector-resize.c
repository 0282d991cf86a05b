/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-rows-private.h"

#include "run/sym-vector-math.h"

CLONES void
sym_vector_blend_rows (float *restrict y,
                       const float *const *rows,
                       const float *weights,
                       guint n_rows,
                       gsize n)
{
  if (n_rows == 2)
    {
      const float *a = rows[0], *b = rows[1];

      for (gsize i = 0; i < n; i++)
        y[i] = a[i] * weights[0] + b[i] * weights[1];
      return;
    }
  if (n_rows == 4)
    {
      const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];

      for (gsize i = 0; i < n; i++)
        y[i] = a[i] * weights[0] + b[i] * weights[1] + c[i] * weights[2] + d[i] * weights[3];
      return;
    }
  for (gsize i = 0; i < n; i++)
    y[i] = rows[0][i] * weights[0];
  for (guint r = 1; r < n_rows; r++)
    for (gsize i = 0; i < n; i++)
      y[i] += rows[r][i] * weights[r];
}

/* Two taps of each pixel. */
static inline __attribute__ ((always_inline)) void
blend_pairs (const SymVectorPixels *self, float *restrict y, const float *restrict x, gsize n)
{
  for (gsize i = 0; i < self->n_pixels; i++, y += n)
    {
      const float *a = x + (gsize) self->places[2 * i] * n;
      const float *b = x + (gsize) self->places[2 * i + 1] * n;
      float first = self->weights[2 * i], second = self->weights[2 * i + 1];

      for (gsize c = 0; c < n; c++)
        y[c] = a[c] * first + b[c] * second;
    }
}

static inline __attribute__ ((always_inline)) void
choose_pixels (const SymVectorPixels *self, float *restrict y, const float *restrict x, gsize n)
{
  for (gsize i = 0; i < self->n_pixels; i++, y += n)
    {
      const float *from = x + (gsize) self->places[i] * n;

      for (gsize c = 0; c < n; c++)
        y[c] = from[c];
    }
}

CLONES void
sym_vector_blend_pixels (const SymVectorPixels *self, float *restrict y, const float *restrict x)
{
  gsize n = self->n_channels;
  guint n_taps = self->n_taps;

  if (n_taps == 1 && n == 1)
    choose_pixels (self, y, x, 1);
  else if (n_taps == 1)
    choose_pixels (self, y, x, n);
  else if (n_taps == 2 && n == 1)
    blend_pairs (self, y, x, 1);
  else if (n_taps == 2)
    blend_pairs (self, y, x, n);
  else
    for (gsize i = 0; i < self->n_pixels; i++, y += n)
      {
        memset (y, 0, n * sizeof *y);
        for (guint tap = 0; tap < n_taps; tap++)
          {
            const float *from = x + (gsize) self->places[i * n_taps + tap] * n;
            float weight = self->weights[i * n_taps + tap];

            for (gsize c = 0; c < n; c++)
              y[c] += from[c] * weight;
          }
      }
}
