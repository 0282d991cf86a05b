/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-private.h"

#include "run/sym-vector-math.h"

/* Activations, by the definitions of ONNX.  What is not a number stays so. */

/* exp (x) - 1, so that nothing is lost near 0; of what is not above 0. */
static inline float
exponential_less_1 (float x)
{
  gint32 n;
  float r, power;

  x = x < -80 ? -80 : x;
  x = x > 0 ? 0 : x;
  r = reduce (x, &n);
  n = x == x ? n : 0;
  power = power_of_two (n);
  return power * series (r) + (power - 1);
}

/* log (1 + exp (x)) = max (x, 0) + log (1 + t) with t = exp (-|x|), and log (1 + t) = 2 artanh (s)
 * with s = t / (2 + t). */
static inline float
soft_plus (float x)
{
  float t = exponential_near (-fabsf (x)), s = t / (2 + t), z = s * s, sum;

  sum = 2.0f / 13;
  sum = sum * z + 2.0f / 11;
  sum = sum * z + 2.0f / 9;
  sum = sum * z + 2.0f / 7;
  sum = sum * z + 2.0f / 5;
  sum = sum * z + 2.0f / 3;
  return (x < 0 ? 0 : x) + (s * z * sum + 2 * s);
}

static inline float
clip_to_1 (float x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* tanh (log (1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) with e = exp (x); from 20 on it is 1. */
static inline float
mish (float x)
{
  float e = exponential_near (x > 20 ? 20 : x), n = e * (e + 2);

  return x * (n / (n + 2));
}

SYM_VECTOR_FUNCTION (celu, u > 0 ? u : p * exponential_less_1 (u / p))
SYM_VECTOR_FUNCTION (elu, u > 0 ? u : p * exponential_less_1 (u))
SYM_VECTOR_FUNCTION (selu, u > 0 ? q * u : q * p * exponential_less_1 (u))
SYM_VECTOR_FUNCTION (hard_sigmoid, clip_to_1 (p *u + q))
SYM_VECTOR_FUNCTION (hard_swish, u *clip_to_1 (u *(1.0f / 6) + 0.5f))
SYM_VECTOR_FUNCTION (mish, mish (u))
SYM_VECTOR_FUNCTION (softplus, soft_plus (u))
SYM_VECTOR_FUNCTION (softsign, u / (1 + fabsf (u)))
SYM_VECTOR_FUNCTION (swish, u / (1 + exponential_near (-p * u)))
SYM_VECTOR_FUNCTION (threshold, u > p ? u : u == u ? 0 : u)
SYM_VECTOR_FUNCTION (slope, u < 0 ? b[i] * u : u)

/* x / 2 (1 + erf (x / sqrt (2))), and what is near to that. */
SYM_VECTOR_FUNCTION (gelu, 0.5f * u * (1 + error_function (u * 0.707106781f)))
SYM_VECTOR_FUNCTION (gelu_tanh,
                     0.5f * u *
                         (1 + hyperbolic_tangent (0.797884561f * (u + 0.044715f * u * u * u))))
