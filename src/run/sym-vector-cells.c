/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-cells-private.h"

#include "run/sym-vector-math.h"

/* exp (2 |x|) - 1: tanh (|x|) is this by itself and 2. */
static inline float
raise_twice (float x)
{
  float size = fabsf (x), power;
  gint32 n;
  float r;

  size = size > 10 ? 10 : size;
  r = reduce (2 * size, &n);
  n = x == x ? n : 0;
  power = power_of_two (n);
  return power * series (r) + (power - 1);
}

/* sigmoid (x) * tanh (y), with one division for both. */
static inline float
open_gate (float x, float y)
{
  float e = raise_twice (y);

  return copysignf (e, y) / ((1 + exponential (-x)) * (e + 2));
}

static inline float
logistic (float x)
{
  return 1 / (1 + exponential (-x));
}

CLONES void
sym_vector_cell_long (float *restrict state,
                      float *restrict cell,
                      const float *restrict gates,
                      gsize stride,
                      gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      float next =
          logistic (gates[2 * stride + i]) * cell[i] + open_gate (gates[i], gates[3 * stride + i]);

      cell[i] = next;
      state[i] = open_gate (gates[stride + i], next);
    }
}

/* (1 - z) h + z s = h + z (s - h). */
CLONES void
sym_vector_cell_gated (float *restrict state,
                       const float *restrict gates,
                       gsize stride,
                       const float *restrict products,
                       gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      float reset = logistic (gates[stride + i] + products[n + i]);
      float hidden = hyperbolic_tangent (gates[2 * stride + i] + reset * products[2 * n + i]);

      state[i] = hidden + logistic (gates[i] + products[i]) * (state[i] - hidden);
    }
}

CLONES void
sym_vector_cell_reset (float *restrict reset,
                       const float *restrict state,
                       const float *restrict gates,
                       gsize stride,
                       gsize n)
{
  for (gsize i = 0; i < n; i++)
    reset[i] = logistic (gates[stride + i]) * state[i];
}

CLONES void
sym_vector_cell_blend (float *restrict state,
                       const float *restrict gates,
                       const float *restrict hidden,
                       gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      float next = hyperbolic_tangent (hidden[i]);

      state[i] = next + logistic (gates[i]) * (state[i] - next);
    }
}

CLONES void
sym_vector_cell_tanh (float *restrict state, const float *restrict gates, gsize n)
{
  for (gsize i = 0; i < n; i++)
    state[i] = hyperbolic_tangent (gates[i]);
}

CLONES void
sym_vector_cell_relu (float *restrict state, const float *restrict gates, gsize n)
{
  for (gsize i = 0; i < n; i++)
    state[i] = gates[i] < 0 ? 0 : gates[i];
}
