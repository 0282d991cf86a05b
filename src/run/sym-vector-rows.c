/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-rows-private.h"

#include "run/sym-vector-math.h"
#include "run/sym-vector-turn.h"

/* So many sums side by side keep several vectors busy. */
#define LANES 64

/* The lanes of a row: whole groups, then what is left. */
#define EACH_GROUP(at) for (gsize at = 0; at + LANES <= n; at += LANES)
#define EACH_LANE(lane) for (gsize lane = 0; lane < LANES; lane++)

static inline float
join_sums (const float *lanes)
{
  float half[LANES];

  memcpy (half, lanes, sizeof half);
  for (gsize width = LANES / 2; width > 0; width /= 2)
    for (gsize i = 0; i < width; i++)
      half[i] += half[i + width];
  return half[0];
}

CLONES float
sym_vector_sum_row (const float *x, gsize n)
{
  float lanes[LANES] = { 0 }, rest = 0;

  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] += x[i + j];
  for (gsize i = n / LANES * LANES; i < n; i++)
    rest += x[i];
  return join_sums (lanes) + rest;
}

CLONES float
sym_vector_sum_squares_row (const float *x, gsize n)
{
  float lanes[LANES] = { 0 }, rest = 0;

  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] += x[i + j] * x[i + j];
  for (gsize i = n / LANES * LANES; i < n; i++)
    rest += x[i] * x[i];
  return join_sums (lanes) + rest;
}

/* The larger one, or the one that is not a number. */
static inline float
get_larger (float a, float b)
{
  return b <= a ? a : a != a ? a : b;
}

CLONES float
sym_vector_maximum_row (const float *x, gsize n)
{
  float lanes[LANES], result = x[0];

  EACH_LANE (j)
  lanes[j] = x[0];
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] = get_larger (lanes[j], x[i + j]);
  for (gsize i = n / LANES * LANES; i < n; i++)
    result = get_larger (result, x[i]);
  EACH_LANE (j)
  result = get_larger (result, lanes[j]);
  return result;
}

/* The exponential of what is not above 0: below -87 nothing is left that matters beside 1. */
static inline float
exponential_of_difference (float x)
{
  gint32 n;
  float r;

  x = x < -87 ? -87 : x;
  r = reduce (x, &n);
  n = x == x ? n : 0;
  return (1 + series (r)) * power_of_two (n);
}

CLONES float
sym_vector_raise_row (float *y, const float *x, const float *addend, float factor, gsize n)
{
  float lanes[LANES] = { 0 }, rest = 0, largest;

  if (addend != NULL)
    for (gsize i = 0; i < n; i++)
      y[i] = x[i] * factor + addend[i];
  else
    for (gsize i = 0; i < n; i++)
      y[i] = x[i] * factor;
  largest = sym_vector_maximum_row (y, n);
  EACH_GROUP (i)
  EACH_LANE (j)
  {
    float power = exponential_of_difference (y[i + j] - largest);

    y[i + j] = power;
    lanes[j] += power;
  }
  for (gsize i = n / LANES * LANES; i < n; i++)
    {
      y[i] = exponential_of_difference (y[i] - largest);
      rest += y[i];
    }
  return join_sums (lanes) + rest;
}

CLONES void
sym_vector_scale_row (float *y, const float *x, float factor, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = x[i] * factor;
}

CLONES void
sym_vector_add_to_row (float *y, const float *x, float addend, gsize n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = x[i] + addend;
}

CLONES void
sym_vector_norm_row (const SymVectorNorm *self, float *y, const float *x, gsize n)
{
  float mean = self->is_centered ? sym_vector_sum_row (x, n) / (float) n : 0, factor;

  for (gsize i = 0; i < n; i++)
    y[i] = x[i] - mean;
  factor = 1 / sqrtf (sym_vector_sum_squares_row (y, n) / (float) n + self->epsilon);
  if (self->scale != NULL && self->bias != NULL)
    for (gsize i = 0; i < n; i++)
      y[i] = y[i] * factor * self->scale[i] + self->bias[i];
  else if (self->scale != NULL)
    for (gsize i = 0; i < n; i++)
      y[i] = y[i] * factor * self->scale[i];
  else
    for (gsize i = 0; i < n; i++)
      y[i] = y[i] * factor + (self->bias == NULL ? 0 : self->bias[i]);
}

CLONES void
sym_vector_sum_rows (float *y, const float *x, gsize n_rows, gssize stride, gsize n)
{
  memset (y, 0, n * sizeof *y);
  for (gsize i = 0; i < n_rows; i++, x += stride)
    for (gsize j = 0; j < n; j++)
      y[j] += x[j];
}

CLONES void
sym_vector_maximum_rows (float *y, const float *x, gsize n_rows, gssize stride, gsize n)
{
  memcpy (y, x, n * sizeof *y);
  for (gsize i = 1; i < n_rows; i++)
    {
      x += stride;
      for (gsize j = 0; j < n; j++)
        y[j] = get_larger (y[j], x[j]);
    }
}

/* A few rows into one, whose number is known where this is put in, and the other way round. */
static inline __attribute__ ((always_inline)) void
weave (float *restrict y, const float *restrict x, gssize x_stride, const gssize n_rows, gsize n)
{
  for (gssize j = 0; j < (gssize) n; j++)
    for (gssize i = 0; i < n_rows; i++)
      y[j * n_rows + i] = x[i * x_stride + j];
}

static inline __attribute__ ((always_inline)) void
unweave (float *restrict y, gssize y_stride, const float *restrict x, const gssize n_rows, gsize n)
{
  for (gssize i = 0; i < (gssize) n; i++)
    for (gssize j = 0; j < n_rows; j++)
      y[j * y_stride + i] = x[i * n_rows + j];
}

CLONES void
sym_vector_turn (float *y, gssize y_stride, const float *x, gssize x_stride, gsize n_i, gsize n_j)
{
  /* Pictures of so many colours, and groups of channels. */
  if (n_i == 3 && y_stride == 3)
    weave (y, x, x_stride, 3, n_j);
  else if (n_j == 3 && x_stride == 3)
    unweave (y, y_stride, x, 3, n_i);
  else if (n_i == 2 && y_stride == 2)
    weave (y, x, x_stride, 2, n_j);
  else if (n_j == 2 && x_stride == 2)
    unweave (y, y_stride, x, 2, n_i);
  else if (n_i == 4 && y_stride == 4)
    weave (y, x, x_stride, 4, n_j);
  else if (n_j == 4 && x_stride == 4)
    unweave (y, y_stride, x, 4, n_i);
  else
    sym_turn_any (y, y_stride, x, x_stride, n_i, n_j);
}

CLONES void
sym_vector_copy_rows (float *y,
                      gssize y_stride,
                      const float *x,
                      gssize x_stride,
                      gsize n_rows,
                      gsize n)
{
  /* What is short is over before a call is made. */
  for (gsize i = 0; i < n_rows; i++, y += y_stride, x += x_stride)
    if (n > 512)
      memcpy (y, x, n * sizeof *y);
    else
      for (gsize j = 0; j < n; j++)
        y[j] = x[j];
}
