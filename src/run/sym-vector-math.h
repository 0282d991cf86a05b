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
