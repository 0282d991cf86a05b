/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Normalization without weights: LpNormalization, LRN and MeanVarianceNormalization. */

/* ---- LpNormalization ---- */

/* [size, inner] divided by the norms along the first axis; 0 where a norm is 0. */
#define LP(dtype, type)                                                                        \
  static void normalize_lp_##dtype (const type *x, type *y, SymOpAxis axis, gboolean squares,  \
                                    double *norms)                                             \
  {                                                                                            \
    memset (norms, 0, axis.inner * sizeof *norms);                                             \
    for (gsize i = 0; i < axis.size; i++)                                                      \
      for (gsize j = 0; j < axis.inner; j++)                                                   \
        {                                                                                      \
          double v = x[i * axis.inner + j];                                                    \
                                                                                               \
          norms[j] += squares ? v * v : fabs (v);                                              \
        }                                                                                      \
    for (gsize j = 0; squares && j < axis.inner; j++)                                          \
      norms[j] = sqrt (norms[j]);                                                              \
    for (gsize i = 0; i < axis.size; i++)                                                      \
      for (gsize j = 0; j < axis.inner; j++)                                                   \
        y[i * axis.inner + j] = norms[j] == 0 ? 0 : (type) (x[i * axis.inner + j] / norms[j]); \
  }

SYM_OP_FLOATS (LP)

static gboolean
run_lp (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 p = sym_kernel_get_int (kernel, "p", 2);
  gsize block, done = 0;
  SymOpAxis places;
  double *norms;
  SymArray *y;
  int axis;

  if (x == NULL ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", -1), x->shape.rank, &axis, error))
    return FALSE;
  if (p != 1 && p != 2)
    return sym_kernel_fail (error, "p is %" G_GINT64_FORMAT "; it should be 1 or 2", p);
  if (x->dtype != SYM_DTYPE_FLOAT32 && x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  places = sym_op_split_axis (&x->shape, axis);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  norms = sym_kernel_get_scratch (kernel, places.inner, sizeof (double), error);
  if (y == NULL || norms == NULL)
    return FALSE;
  block = places.size * places.inner;
  for (gsize i = 0; i < places.outer; i++)
    {
      if (x->dtype == SYM_DTYPE_FLOAT32)
        normalize_lp_FLOAT32 ((const float *) x->data + i * block, (float *) y->data + i * block,
                              places, p == 2, norms);
      else
        normalize_lp_FLOAT64 ((const double *) x->data + i * block, (double *) y->data + i * block,
                              places, p == 2, norms);
      if (!sym_op_go_on (kernel, &done, block, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- LRN ---- */

/* Channel @c of [channels, inner]: squares of the channels from @first up to @last are summed. */
#define LRN(dtype, type)                                                                        \
  static void normalize_lrn_##dtype (const type *x, type *y, gsize inner, gsize c, gsize first, \
                                     gsize last, const double p[3], double *sums)               \
  {                                                                                             \
    memset (sums, 0, inner * sizeof *sums);                                                     \
    for (gsize k = first; k <= last; k++)                                                       \
      for (gsize i = 0; i < inner; i++)                                                         \
        sums[i] += (double) x[k * inner + i] * x[k * inner + i];                                \
    for (gsize i = 0; i < inner; i++)                                                           \
      y[c * inner + i] = (type) (x[c * inner + i] / pow (p[2] + p[0] * sums[i], p[1]));         \
  }

SYM_OP_FLOATS (LRN)

/* @p: alpha / size, beta, bias. */
static gboolean
run_lrn_channels (SymKernel *kernel,
                  const SymArray *x,
                  SymArray *y,
                  gint64 size,
                  const double p[3],
                  GError **error)
{
  SymOpAxis places = sym_op_split_axis (&x->shape, 1);
  double *sums = sym_kernel_get_scratch (kernel, places.inner, sizeof (double), error);
  gsize before = (gsize) (size - 1) / 2, after = (gsize) size / 2, done = 0;

  for (gsize b = 0; b < places.outer && sums != NULL; b++)
    for (gsize c = 0; c < places.size; c++)
      {
        gsize first = c - MIN (c, before), last = c + MIN (places.size - 1 - c, after);
        gsize place = b * places.size * places.inner;

        if (x->dtype == SYM_DTYPE_FLOAT32)
          normalize_lrn_FLOAT32 ((const float *) x->data + place, (float *) y->data + place,
                                 places.inner, c, first, last, p, sums);
        else
          normalize_lrn_FLOAT64 ((const double *) x->data + place, (double *) y->data + place,
                                 places.inner, c, first, last, p, sums);
        if (!sym_op_go_on (kernel, &done, (last - first + 4) * places.inner, error))
          return FALSE;
      }
  return sums != NULL;
}

static gboolean
run_lrn (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 size = sym_kernel_get_int (kernel, "size", 0);
  double p[3] = { sym_kernel_get_float (kernel, "alpha", 0.0001),
                  sym_kernel_get_float (kernel, "beta", 0.75),
                  sym_kernel_get_float (kernel, "bias", 1) };
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (x->dtype != SYM_DTYPE_FLOAT32 && x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (size < 1)
    return sym_kernel_fail (error, "size is %" G_GINT64_FORMAT "; it should be at least 1", size);
  if (x->shape.rank < 2)
    return sym_kernel_fail (error, "the operand must have 2 axes or more and has %d",
                            x->shape.rank);
  p[0] /= (double) size;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  return y != NULL && run_lrn_channels (kernel, x, y, size, p, error);
}

/* ---- MeanVarianceNormalization ---- */

/* The operand with, along each axis, how far apart its means are: 0 along those that are reduced.
 */
typedef struct {
  const SymArray *x;
  void *y;
  gint64 strides[SYM_MAX_RANK];
  double count;
  double *means, *squares; /* sums of squared distances from the mean */
} Moments;

typedef enum { STEP_SUM, STEP_SQUARE, STEP_WRITE } Step;

/* One row of @n elements, whose moments begin at @place, @stride apart. */
#define STEP(dtype, type)                                                                          \
  static void step_##dtype (Moments *self, Step step, gsize i, gsize n, gsize place, gsize stride) \
  {                                                                                                \
    const type *x = (const type *) self->x->data + i;                                              \
    type *y = (type *) self->y + i;                                                                \
    double *means = self->means + place, *squares = self->squares + place;                         \
                                                                                                   \
    for (gsize k = 0; step == STEP_SUM && k < n; k++)                                              \
      means[k * stride] += x[k] / self->count;                                                     \
    for (gsize k = 0; step == STEP_SQUARE && k < n; k++)                                           \
      squares[k * stride] += (x[k] - means[k * stride]) * (x[k] - means[k * stride]);              \
    for (gsize k = 0; step == STEP_WRITE && k < n; k++)                                            \
      y[k] =                                                                                       \
          (type) ((x[k] - means[k * stride]) / (sqrt (squares[k * stride] / self->count) + 1e-9)); \
  }

SYM_OP_FLOATS (STEP)

static gboolean
take_step (SymKernel *kernel, Moments *self, Step step, GError **error)
{
  const SymShape *shape = &self->x->shape;
  gsize total = sym_array_get_n_elements (self->x), done = 0;
  int last = shape->rank - 1;
  gsize row = shape->rank == 0 ? 1 : (gsize) shape->dims[last];
  gsize stride = shape->rank == 0 ? 0 : (gsize) self->strides[last];
  gint64 index[SYM_MAX_RANK] = { 0 }, place = 0;

  for (gsize i = 0; i < total; i += row)
    {
      if (self->x->dtype == SYM_DTYPE_FLOAT32)
        step_FLOAT32 (self, step, i, row, (gsize) place, stride);
      else
        step_FLOAT64 (self, step, i, row, (gsize) place, stride);
      if (!sym_op_go_on (kernel, &done, row, error))
        return FALSE;
      for (int axis = last; axis-- > 0;)
        {
          place += self->strides[axis];
          if (++index[axis] < shape->dims[axis])
            break;
          place -= self->strides[axis] * shape->dims[axis];
          index[axis] = 0;
        }
    }
  return TRUE;
}

/* Fills in the strides; *@n is how many means there are. */
static gboolean
read_axes (SymKernel *kernel, Moments *self, gsize *n, GError **error)
{
  gint64 given[SYM_MAX_RANK] = { 0, 2, 3 }, stride = 1;
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  int count = sym_kernel_get_ints (kernel, "axes", given, SYM_MAX_RANK), axis;

  if (count > SYM_MAX_RANK)
    return sym_kernel_fail (error, "axes has %d numbers for %d axes", count, self->x->shape.rank);
  for (int i = 0; i < (count < 0 ? 3 : count); i++)
    {
      if (!sym_op_find_axis (given[i], self->x->shape.rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  self->count = 1;
  for (int i = self->x->shape.rank; i-- > 0;)
    {
      self->strides[i] = axes[i] ? 0 : stride;
      if (axes[i])
        self->count *= (double) self->x->shape.dims[i];
      else
        stride *= self->x->shape.dims[i];
    }
  *n = (gsize) stride;
  return TRUE;
}

static gboolean
run_moments (SymKernel *kernel, GError **error)
{
  Moments moments = { .x = sym_kernel_need_input (kernel, 0, error) };
  SymArray *y;
  gsize n = 1;

  if (moments.x == NULL || !read_axes (kernel, &moments, &n, error))
    return FALSE;
  if (moments.x->dtype != SYM_DTYPE_FLOAT32 && moments.x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, moments.x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, moments.x->dtype, &moments.x->shape, error);
  moments.means = sym_kernel_get_scratch (kernel, n, 2 * sizeof (double), error);
  if (y == NULL || moments.means == NULL)
    return FALSE;
  moments.y = y->data;
  moments.squares = moments.means + n;
  memset (moments.means, 0, 2 * n * sizeof (double));
  return take_step (kernel, &moments, STEP_SUM, error) &&
         take_step (kernel, &moments, STEP_SQUARE, error) &&
         take_step (kernel, &moments, STEP_WRITE, error);
}

/* ---- Table ---- */

static const SymAttributeSpec lp_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which norms are taken" },
  { "p", SYM_ATTRIBUTE_INT, "2", "1 for absolute values, 2 for squares" },
  { NULL },
};

static const SymAttributeSpec lrn_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0001", "factor of the mean of squares" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "exponent" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "1.0", "added to the squares" },
  { "size", SYM_ATTRIBUTE_INT, NULL, "number of neighbouring channels" },
  { NULL },
};

static const SymAttributeSpec moments_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "[0, 2, 3]", "axes over which means are taken" },
  { NULL },
};

#define NORM(name_, version_, summary_, attributes_, slots_, run_)                              \
  {                                                                                             \
    SYM_OP_ONNX (name_, version_),                                                              \
        .summary = summary_, .category = SYM_CATEGORY_NORMALIZATION, .attributes = attributes_, \
        .slots = slots_, .infer = sym_op_infer_elementwise, .run = run_, .half_as_float = TRUE  \
  }

const SymOperator sym_op_onnx_local_norm[] = {
  NORM ("LpNormalization", 1, "divided by a norm", lp_attributes, sym_op_onnx_input, run_lp),
  NORM ("LRN",
        1,
        "divided by a mean of neighbouring channels",
        lrn_attributes,
        sym_op_onnx_x,
        run_lrn),
  NORM ("MeanVarianceNormalization",
        9,
        "brought to mean 0, variance 1",
        moments_attributes,
        sym_op_onnx_x,
        run_moments),
  { 0 },
};
