/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-private.h"

#include "run/sym-vector-math.h"

static inline guint32
to_bits (float x)
{
  guint32 bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline float
from_bits (guint32 bits)
{
  float x;

  memcpy (&x, &bits, sizeof x);
  return x;
}

SYM_VECTOR_FUNCTION (add, u + b[i])
SYM_VECTOR_FUNCTION (subtract, u - b[i])
SYM_VECTOR_FUNCTION (multiply, u *b[i])
SYM_VECTOR_FUNCTION (divide, u / b[i])
SYM_VECTOR_FUNCTION (maximum, u != u || u > b[i] ? u : b[i])
SYM_VECTOR_FUNCTION (minimum, u != u || u < b[i] ? u : b[i])
SYM_VECTOR_FUNCTION (keep, from_bits (to_bits (u) & to_bits (b[i])))
SYM_VECTOR_FUNCTION (omit, from_bits (to_bits (u) & ~to_bits (b[i])))
SYM_VECTOR_FUNCTION (unite, from_bits (to_bits (u) | to_bits (b[i])))

/* What is not a number stays so. */
SYM_VECTOR_FUNCTION (relu, u < 0 ? 0 : u)
SYM_VECTOR_FUNCTION (negate, -u)
SYM_VECTOR_FUNCTION (square, u *u)
SYM_VECTOR_FUNCTION (cube, u *u *u)
SYM_VECTOR_FUNCTION (leaky, u < 0 ? p * u : u)
SYM_VECTOR_FUNCTION (absolute, fabsf (u))
SYM_VECTOR_FUNCTION (root, sqrtf (u))
SYM_VECTOR_FUNCTION (reciprocal, 1 / u)
SYM_VECTOR_FUNCTION (floor, floorf (u))
SYM_VECTOR_FUNCTION (ceiling, ceilf (u))
SYM_VECTOR_FUNCTION (round, rintf (u))
SYM_VECTOR_FUNCTION (sign, u != u ? u : (float) ((u > 0) - (u < 0)))
SYM_VECTOR_FUNCTION (clip, u<p ? p : u> q ? q : u)

SYM_VECTOR_FUNCTION (exp, exponential (u))
SYM_VECTOR_FUNCTION (sigmoid, u == u ? 1 / (1 + exponential_near (-u)) : u)
SYM_VECTOR_FUNCTION (tanh, hyperbolic_tangent (u))

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

SYM_VECTOR_FUNCTION (erf, error_function (u))
SYM_VECTOR_FUNCTION (log, logarithm (u))
