/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-private.h"

#include "run/sym-vector-math.h"

/* A function of that name whose elements are the expression, of `u` and `v`. */
#define FUNCTION(name, expression)                                                           \
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

FUNCTION (add, u + b[i])
FUNCTION (subtract, u - b[i])
FUNCTION (multiply, u *b[i])
FUNCTION (divide, u / b[i])
FUNCTION (power, powf (u, b[i]))

/* What is not a number stays so. */
FUNCTION (relu, u < 0 ? 0 : u)
FUNCTION (negate, -u)
FUNCTION (square, u *u)
FUNCTION (cube, u *u *u)
FUNCTION (leaky, u < 0 ? p * u : u)
FUNCTION (absolute, fabsf (u))
FUNCTION (root, sqrtf (u))
FUNCTION (reciprocal, 1 / u)
FUNCTION (clip, u<p ? p : u> q ? q : u)

FUNCTION (exp, exponential (u))
FUNCTION (sigmoid, 1 / (1 + exponential (-u)))
FUNCTION (tanh, hyperbolic_tangent (u))

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

/* log (2^n m) = n log 2 + 2 artanh (s) with s = (m - 1) / (m + 1) and m from sqrt (1/2) on. */
static inline float
logarithm (float x)
{
  const float tiny = x < 1.17549435e-38f ? 8388608.0f : 1.0f;
  float scaled = x * tiny, m, s, z, sum, y;
  guint32 bits, begin = 0x3f3504f3u; /* sqrt (1/2) */
  gint32 n;

  memcpy (&bits, &scaled, sizeof bits);
  n = (gint32) (bits - begin) >> 23;
  bits -= (guint32) n << 23;
  memcpy (&m, &bits, sizeof m);
  s = (m - 1) / (m + 1);
  z = s * s;
  sum = 2.0f / 11;
  sum = sum * z + 2.0f / 9;
  sum = sum * z + 2.0f / 7;
  sum = sum * z + 2.0f / 5;
  sum = sum * z + 2.0f / 3;
  y = (float) n - (tiny > 1 ? 23.0f : 0.0f);
  y = y * 0.693359375f + (2 * s + (s * z * sum - y * 2.12194440e-4f));
  y = x < INFINITY ? y : x; /* what is not a number, too */
  y = x > 0 ? y : x == 0 ? -INFINITY : NAN;
  return y;
}

FUNCTION (erf, error_function (u))
FUNCTION (log, logarithm (u))
