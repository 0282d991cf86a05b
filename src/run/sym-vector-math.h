/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>
#include <string.h>

#include <glib.h>

/* Functions of one float without branches, for loops that become vector instructions. */

/* The choice is made before the thread sanitizer is ready for it. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#  define CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#  define CLONES
#endif

/* 2^@n for @n from -126 to 127. */
static inline float
power_of_two (gint32 n)
{
  guint32 bits = (guint32) (n + 127) << 23;
  float result;

  memcpy (&result, &bits, sizeof result);
  return result;
}

/* @x = *n log 2 + what is returned, which is at most log 2 / 2.  Adding 1.5 * 2^23 rounds to an
 * integer, which then lies in the last bits. */
static inline float
reduce (float x, gint32 *n)
{
  const float shift = 12582912;
  float shifted = x * 1.44269504f + shift, whole = shifted - shift;
  gint32 bits, zero;

  memcpy (&bits, &shifted, sizeof bits);
  memcpy (&zero, &shift, sizeof zero);
  *n = (gint32) ((guint32) bits - (guint32) zero);
  return (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
}

/* exp (r) - 1 for small r, by its series. */
static inline float
series (float r)
{
  float sum = 1.0f / 5040;

  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  return sum * r * r + r;
}

/* 2^n is taken in two factors, as n may be beyond what a float's exponent can hold. */
static inline float
exponential (float x)
{
  gint32 n, half;
  float r;

  x = x < -104 ? -104 : x;
  x = x > 89 ? 89 : x;
  r = reduce (x, &n);
  n = x == x ? n : 0;
  half = n >> 1;
  return (1 + series (r)) * power_of_two (half) * power_of_two (n - half);
}

/* The same from -87 to 87, and as there beyond, even of what is not a number: for where that is not
 * seen.  Bits are bounded, as those of sizes are in their order, and compilers know it for numbers
 * of integers only. */
static inline float
exponential_near (float x)
{
  const float most = 87;
  guint32 bits, bound;
  gint32 n, size;

  memcpy (&bits, &x, sizeof bits);
  memcpy (&bound, &most, sizeof bound);
  size = (gint32) (bits & 0x7fffffffu);
  size = size < (gint32) bound ? size : (gint32) bound;
  bits = (bits & 0x80000000u) | (guint32) size;
  memcpy (&x, &bits, sizeof x);
  x = reduce (x, &n);
  return (1 + series (x)) * power_of_two (n);
}

/* The exponential of what is not above 0: below -87 nothing is left that matters beside 1, and
 * below -104 nothing at all.  Masked scores become 0, as numbers next to it are slow to reckon
 * with. */
static inline float
exponential_of_difference (float x)
{
  float near = x < -87 ? -87 : x, r;
  gint32 n;

  r = reduce (near, &n);
  n = x == x ? n : 0;
  return x < -104 ? 0 : (1 + series (r)) * power_of_two (n);
}

/* From exp (2 |x|) - 1, so that nothing is lost near 0. */
static inline float
hyperbolic_tangent (float x)
{
  float size = fabsf (x), r, rest, power;
  gint32 n;

  size = size > 10 ? 10 : size;
  r = reduce (2 * size, &n);
  n = x == x ? n : 0;
  power = power_of_two (n);
  rest = power * series (r) + (power - 1);
  return copysignf (rest / (rest + 2), x);
}

/* x P(x^2) / Q(x^2), fitted to be within 2e-8 up to where the nearest float is 1. */
static inline float
error_function (float x)
{
  float size = fabsf (x), z, p, q, y;

  size = size > 3.925f ? 3.925f : size;
  z = size * size;
  p = 2.04596793e-6f;
  p = p * z + 2.84843295e-4f;
  p = p * z + 3.77266169e-3f;
  p = p * z + 5.27696314e-2f;
  p = p * z + 1.90596724e-1f;
  p = p * z + 1.12837915f;
  q = 3.80471479e-5f;
  q = q * z + 1.16387976e-3f;
  q = q * z + 1.49834228e-2f;
  q = q * z + 1.14183895e-1f;
  q = q * z + 5.02244679e-1f;
  q = q * z + 1;
  y = size * p / q;
  return copysignf (size < 3.925f ? y : x == x ? 1 : x, x);
}

/* A function of that name whose elements are the expression, of `u`, b[i], p and q. */
#define SYM_VECTOR_FUNCTION(name, expression)                                                \
  CLONES void sym_vector_##name (float *y, const float *a, const float *b, gsize n, float p, \
                                 float q)                                                    \
  {                                                                                          \
    for (gsize i = 0; i < n / SYM_VECTOR_UNIT * SYM_VECTOR_UNIT; i++)                        \
      {                                                                                      \
        float u = a[i];                                                                      \
                                                                                             \
        y[i] = (expression);                                                                 \
      }                                                                                      \
  }
