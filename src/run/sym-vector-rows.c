/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-rows-private.h"

#include "run/sym-vector-math.h"
#include "run/sym-vector-turn.h"

/* Elements of a row only become elements of the same place, which may be where they were. */
#if defined(__GNUC__) && !defined(__clang__)
#  define IN_PLACE _Pragma ("GCC ivdep")
#else
#  define IN_PLACE
#endif

/* So many sums side by side keep several vectors busy.  The rest of a row is filled up to as many,
 * or to half of them. */
#define LANES 64
#define HALF 32

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

/* The lanes of a row: whole groups, then what is left. */
#define EACH_GROUP(at) for (gsize at = 0; at + LANES <= n; at += LANES)
#define EACH_LANE(lane) for (gsize lane = 0; lane < LANES; lane++)
#define EACH_OF_HALF(lane) for (gsize lane = 0; lane < HALF; lane++)

/* What is left of a row after whole groups, then @filling; returns how much that is. */
ALWAYS_INLINE gsize
get_rest (float *rest, const float *x, gsize n, float filling)
{
  gsize n_rest = n % LANES;

  EACH_LANE (j)
  rest[j] = filling;
  x += n - n_rest;
  for (gsize j = 0; j < n_rest; j++)
    rest[j] = x[j];
  return n_rest;
}

/* The last few by name: loops of so few turns stay loops. */
ALWAYS_INLINE float
join_sums (const float *lanes)
{
  float s[HALF];

  EACH_OF_HALF (j)
  s[j] = lanes[j] + lanes[j + HALF];
  for (gsize width = HALF / 2; width > 4; width /= 2)
    for (gsize i = 0; i < width; i++)
      s[i] += s[i + width];
  return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

ALWAYS_INLINE float
sum_row (const float *x, gsize n)
{
  float lanes[LANES];

  get_rest (lanes, x, n, 0);
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] += x[i + j];
  return join_sums (lanes);
}

CLONES float
sym_vector_sum_row (const float *x, gsize n)
{
  return sum_row (x, n);
}

CLONES float
sym_vector_dot_row (const float *a, const float *b, gsize n)
{
  float lanes[LANES], rest[LANES];

  get_rest (lanes, a, n, 0);
  get_rest (rest, b, n, 0);
  EACH_LANE (j)
  lanes[j] *= rest[j];
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] += a[i + j] * b[i + j];
  return join_sums (lanes);
}

CLONES float
sym_vector_sum_squares_row (const float *x, gsize n)
{
  float lanes[LANES];

  get_rest (lanes, x, n, 0);
  EACH_LANE (j)
  lanes[j] *= lanes[j];
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] += x[i + j] * x[i + j];
  return join_sums (lanes);
}

/* The larger one, or the one that is not a number. */
static inline float
get_larger (float a, float b)
{
  return b <= a ? a : a != a ? a : b;
}

/* The bits of infinity: beyond are those of what is not a number. */
#define INFINITE 0x7f800000

/* The bits of a float as an integer that is in the same order, what is not a number above all, and
 * back. */
static inline gint32
turn_bits (gint32 bits)
{
  return bits ^ ((bits >> 31) & G_MAXINT32);
}

ALWAYS_INLINE float
join_largest (const float *lanes)
{
  gint32 bits[LANES], largest = G_MININT32;
  float result;

  memcpy (bits, lanes, sizeof bits);
  EACH_LANE (j)
  bits[j] = (bits[j] & G_MAXINT32) > INFINITE ? G_MAXINT32 : turn_bits (bits[j]);
  EACH_LANE (j)
  largest = MAX (largest, bits[j]);
  largest = turn_bits (largest);
  memcpy (&result, &largest, sizeof result);
  return result;
}

CLONES float
sym_vector_maximum_row (const float *x, gsize n)
{
  float lanes[LANES];

  get_rest (lanes, x, n, x[0]);
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] = get_larger (lanes[j], x[i + j]);
  return join_largest (lanes);
}

/* Short rows fit into half of the lanes. */
ALWAYS_INLINE void
raise_lanes (float *lanes, float largest, gsize n)
{
  if (n <= HALF)
    EACH_OF_HALF (j)
  lanes[j] = exponential_of_difference (lanes[j] - largest);
  else EACH_LANE (j) lanes[j] = exponential_of_difference (lanes[j] - largest);
}

CLONES float
sym_vector_raise_row (float *y, const float *x, const float *addend, float factor, gsize n)
{
  float lanes[LANES], rest[LANES], largest;
  gsize n_rest;

  if (addend != NULL)
    IN_PLACE for (gsize i = 0; i < n; i++) y[i] = x[i] * factor + addend[i];
  else if (factor != 1)
    IN_PLACE for (gsize i = 0; i < n; i++) y[i] = x[i] * factor;
  if (addend != NULL || factor != 1)
    x = y;
  n_rest = get_rest (rest, x, n, x[0]);
  EACH_LANE (j)
  lanes[j] = rest[j];
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] = get_larger (lanes[j], x[i + j]);
  largest = join_largest (lanes);
  raise_lanes (rest, largest, n_rest);
  for (gsize j = 0; j < n_rest; j++)
    y[n - n_rest + j] = rest[j];
  EACH_LANE (j)
  lanes[j] = j < n_rest ? rest[j] : 0;
  EACH_GROUP (i)
  EACH_LANE (j)
  {
    float power = exponential_of_difference (x[i + j] - largest);

    y[i + j] = power;
    lanes[j] += power;
  }
  return join_sums (lanes);
}

CLONES float
sym_vector_log_sum_row (const float *x, gsize n)
{
  float lanes[LANES], rest[LANES], largest;
  gsize n_rest = get_rest (rest, x, n, x[0]);

  EACH_LANE (j)
  lanes[j] = rest[j];
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] = get_larger (lanes[j], x[i + j]);
  largest = join_largest (lanes);
  raise_lanes (rest, largest, n_rest);
  EACH_LANE (j)
  lanes[j] = j < n_rest ? rest[j] : 0;
  EACH_GROUP (i)
  EACH_LANE (j)
  lanes[j] += exponential_of_difference (x[i + j] - largest);
  return largest + logf (join_sums (lanes));
}

CLONES void
sym_vector_scale_row (float *y, const float *x, float factor, gsize n)
{
  IN_PLACE for (gsize i = 0; i < n; i++) y[i] = x[i] * factor;
}

CLONES void
sym_vector_add_to_row (float *y, const float *x, float addend, gsize n)
{
  IN_PLACE for (gsize i = 0; i < n; i++) y[i] = x[i] + addend;
}

CLONES void
sym_vector_norm_row (const SymVectorNorm *self, float *y, const float *x, gsize n)
{
  float mean = self->is_centered ? sym_vector_sum_row (x, n) / (float) n : 0, factor;

  IN_PLACE for (gsize i = 0; i < n; i++) y[i] = x[i] - mean;
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
