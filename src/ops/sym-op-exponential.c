/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-exponential.h"

#include <math.h>
#include <string.h>

#include "ops/sym-op-clones.h"

/* So many numbers at a time have loops whose length is known. */
#define MANY 64
#define FEW 16

/* 2^n, n from -1022 to 1023. */
static inline double
power_of_two (guint64 n)
{
  guint64 bits = (n + 1023) << 52;
  double power;

  memcpy (&power, &bits, sizeof power);
  return power;
}

/* x = n log 2 + r, |r| at most log 2 / 2, which is returned.  Adding 1.5 * 2^52 rounds to n, which
 * then lies in the last bits; log 2 is taken in two parts, products of n with the first being
 * exact. */
static inline double
reduce (double x, guint64 *n)
{
  const double shift = 6755399441055744.0;
  double shifted = x * M_LOG2E + shift, whole = shifted - shift;
  guint64 bits, zero;

  memcpy (&bits, &shifted, sizeof bits);
  memcpy (&zero, &shift, sizeof zero);
  *n = bits - zero;
  return (x - whole * 6.93147180369123816490e-01) - whole * 1.90821492927058770002e-10;
}

/* exp (r) - 1, by its series. */
static inline double
series (double r)
{
  double sum = 1.0 / 6227020800;

  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  return sum * r * r + r;
}

/* 2^n is taken in two factors, as n may be beyond what an exponent can hold; it is halved where it
 * is positive, as that is the same with and without a sign. */
static inline double
exponential (double x)
{
  guint64 n, half;
  double r;

  x = x < -746 ? -746 : x;
  x = x > 710 ? 710 : x;
  r = reduce (x, &n);
  half = ((n + 2048) >> 1) - 1024;
  return (1 + series (r)) * power_of_two (half) * power_of_two (n - half);
}

/* e / (e + 2) with e = exp (2 |x|) - 1, so that nothing is lost near 0. */
static inline double
hyperbolic_tangent (double x)
{
  double size = fabs (x), bounded = size > 20 ? 20 : size, r, power, less;
  guint64 n;

  r = reduce (2 * bounded, &n);
  power = power_of_two (n);
  less = series (r) * power + (power - 1);
  return copysign (less / (less + 2), x);
}

static inline double
logistic (double x)
{
  return 1 / (1 + exponential (-x));
}

/* One number after the other would wait for each step of its formula; many do not. */
#define ALL(name, function)                                                                   \
  static inline __attribute__ ((always_inline)) void name##_some (const double *x, double *y, \
                                                                  gsize n, const int most)    \
  {                                                                                           \
    double numbers[MANY] = { 0 };                                                             \
                                                                                              \
    memcpy (numbers, x, n * sizeof *x);                                                       \
    for (int k = 0; k < most; k++)                                                            \
      numbers[k] = function (numbers[k]);                                                     \
    memcpy (y, numbers, n * sizeof *y);                                                       \
  }                                                                                           \
                                                                                              \
  SYM_OP_CLONES void name (const double *x, double *y, gsize n)                               \
  {                                                                                           \
    gsize i = 0;                                                                              \
                                                                                              \
    for (; n - i >= MANY; i += MANY)                                                          \
      name##_some (x + i, y + i, MANY, MANY);                                                 \
    for (; i < n; i += FEW)                                                                   \
      name##_some (x + i, y + i, MIN (n - i, FEW), FEW);                                      \
  }

ALL (sym_op_exp_all, exponential)
ALL (sym_op_tanh_all, hyperbolic_tangent)
ALL (sym_op_logistic_all, logistic)
