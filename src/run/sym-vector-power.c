/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-private.h"

#include "run/sym-vector-math.h"
#include "run/sym-vector-rows-private.h"

/* Powers, in doubles, so that as floats they are rounded about once. */

/* log2 (2^n m) = n + 2 artanh (s) / log 2 with s = (m - 1) / (m + 1) and m from sqrt (1/2) on. */
static inline double
logarithm_of_two (double x)
{
  const double factor = 2.8853900817779268;  /* 2 / log 2 */
  guint64 bits, begin = 0x3fe6a09e667f3bcdu; /* sqrt (1/2) */
  double m, s, z, sum;
  gint64 n;

  memcpy (&bits, &x, sizeof bits);
  n = (gint64) (bits - begin) >> 52;
  bits -= (guint64) n << 52;
  memcpy (&m, &bits, sizeof m);
  s = (m - 1) / (m + 1);
  z = s * s;
  sum = 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  return (double) n + factor * (s * z * sum + s);
}

/* From -200 to 200.  Bits are bounded, as those of sizes are in their order, and compilers know it
 * for numbers of integers only. */
static inline double
bound (double x)
{
  const guint64 most = 0x4069000000000000u, sign = (guint64) 1 << 63;
  guint64 bits, size;

  memcpy (&bits, &x, sizeof bits);
  size = bits & ~sign;
  size = size < most ? size : most;
  bits = size | (bits & sign);
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* 2^x within what a float can be, and somewhat beyond. */
static inline double
power_of (double x)
{
  const double shift = 6755399441055744; /* 1.5 * 2^52: the last bits are an integer then */
  double shifted, r, sum, scale;
  guint64 bits;

  x = bound (x);
  shifted = x + shift;
  r = (x - (shifted - shift)) * 0.69314718055994531;
  sum = 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  sum = sum * r * r + r + 1;
  memcpy (&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  memcpy (&scale, &bits, sizeof scale);
  return sum * scale;
}

/* Of what is above 0 and finite, and a finite exponent. */
static inline float
raise_to (float x, float exponent)
{
  return (float) power_of ((double) exponent * logarithm_of_two ((double) x));
}

static inline gboolean
is_usual (float x, float exponent)
{
  return (x > 0) & (x < INFINITY) & (fabsf (exponent) < INFINITY);
}

/* So many in one go. */
#define TOGETHER 256

/* What is 0, negative or no number is left to the library. */
static __attribute__ ((noinline)) void
mend (float *y, const float *x, const float *exponents, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!is_usual (x[i], exponents[i]))
      y[i] = powf (x[i], exponents[i]);
}

/* @y is none of the others. */
static inline __attribute__ ((always_inline)) void
raise_some (float *restrict y, const float *x, const float *exponents, gsize n)
{
  guint n_usual = 0;

  for (gsize i = 0; i < n; i++)
    {
      y[i] = raise_to (x[i], exponents[i]);
      n_usual += is_usual (x[i], exponents[i]) ? 1 : 0;
    }
  if (n_usual != n)
    mend (y, x, exponents, n);
}

CLONES void
sym_vector_power (float *y, const float *a, const float *b, gsize n, float p, float q)
{
  float results[TOGETHER];

  for (gsize i = 0; i < n; i += TOGETHER)
    {
      gsize size = MIN (TOGETHER, n - i);

      raise_some (results, a + i, b + i, size);
      memcpy (y + i, results, size * sizeof *y);
    }
}

CLONES void
sym_vector_power_of_all (float *y, const float *a, const float *b, gsize n, float p, float q)
{
  float exponents[TOGETHER], results[TOGETHER];

  for (gsize i = 0; i < MIN (TOGETHER, n); i++)
    exponents[i] = p;
  for (gsize i = 0; i < n; i += TOGETHER)
    {
      gsize size = MIN (TOGETHER, n - i);

      raise_some (results, a + i, exponents, size);
      memcpy (y + i, results, size * sizeof *y);
    }
}

CLONES void
sym_vector_norm_locally (const SymVectorLocalNorm *self,
                         float *y,
                         const float *x,
                         const float *squares,
                         gsize n)
{
  float exponents[TOGETHER], sums[TOGETHER], factors[TOGETHER];

  for (gsize i = 0; i < MIN (TOGETHER, n); i++)
    exponents[i] = -self->beta;
  for (gsize i = 0; i < n; i += TOGETHER)
    {
      gsize size = MIN (TOGETHER, n - i);

      for (gsize j = 0; j < size; j++)
        sums[j] = 0;
      for (gsize k = 0; k < self->size; k++)
        for (gsize j = 0; j < size; j++)
          sums[j] += squares[i + k + j];
      for (gsize j = 0; j < size; j++)
        sums[j] = self->bias + self->alpha * sums[j];
      raise_some (factors, sums, exponents, size);
      for (gsize j = 0; j < size; j++)
        y[i + j] = x[i + j] * factors[j];
    }
}
