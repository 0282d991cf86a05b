/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Softmax, LogSoftmax and Hardmax along one axis; before version 13 along that axis and all behind
 * it, taken as one.  The greatest element is subtracted first, so that nothing overflows. */

/* @x and @y are [size, inner].  @greatest and @sums have a place for each of @inner. */
typedef void (
    *Loop) (const void *x, void *y, gsize size, gsize inner, double *greatest, double *sums);

#define LANES 8

/* The greatest of a row, and of each column; what is not a number may be missed: sums of
 * exponentials become so anyway. */
#define FIND_GREATEST(dtype, type)                                                               \
  static type find_in_row_##dtype (const type *x, gsize n)                                       \
  {                                                                                              \
    type lanes[LANES], greatest = -INFINITY;                                                     \
    gsize i = 0;                                                                                 \
                                                                                                 \
    for (int k = 0; k < LANES; k++)                                                              \
      lanes[k] = -INFINITY;                                                                      \
    for (; i + LANES <= n; i += LANES)                                                           \
      for (int k = 0; k < LANES; k++)                                                            \
        lanes[k] = x[i + (gsize) k] > lanes[k] ? x[i + (gsize) k] : lanes[k];                    \
    for (int k = 0; k < LANES; k++)                                                              \
      greatest = MAX (greatest, lanes[k]);                                                       \
    for (; i < n; i++)                                                                           \
      greatest = MAX (greatest, x[i]);                                                           \
    return greatest;                                                                             \
  }                                                                                              \
  static void find_in_columns_##dtype (const type *x, gsize size, gsize inner, double *greatest) \
  {                                                                                              \
    for (gsize j = 0; j < inner; j++)                                                            \
      greatest[j] = -INFINITY;                                                                   \
    for (gsize i = 0; i < size; i++)                                                             \
      for (gsize j = 0; j < inner; j++)                                                          \
        greatest[j] = MAX (x[i * inner + j], greatest[j]);                                       \
  }

#define SOFTMAX(dtype, type, exponential)                                                  \
  static void softmax_row_##dtype (const type *x, type *y, gsize n)                        \
  {                                                                                        \
    type greatest = find_in_row_##dtype (x, n);                                            \
    double sum = 0;                                                                        \
                                                                                           \
    for (gsize i = 0; i < n; i++)                                                          \
      sum += y[i] = exponential (x[i] - greatest);                                         \
    sum = 1 / sum;                                                                         \
    for (gsize i = 0; i < n; i++)                                                          \
      y[i] = (type) (y[i] * sum);                                                          \
  }                                                                                        \
  static void softmax_##dtype (const void *from, void *to, gsize size, gsize inner,        \
                               double *greatest, double *sums)                             \
  {                                                                                        \
    const type *x = from;                                                                  \
    type *y = to;                                                                          \
                                                                                           \
    if (inner == 1)                                                                        \
      {                                                                                    \
        softmax_row_##dtype (x, y, size);                                                  \
        return;                                                                            \
      }                                                                                    \
    find_in_columns_##dtype (x, size, inner, greatest);                                    \
    memset (sums, 0, inner * sizeof *sums);                                                \
    for (gsize i = 0; i < size; i++)                                                       \
      for (gsize j = 0; j < inner; j++)                                                    \
        sums[j] += y[i * inner + j] = exponential (x[i * inner + j] - (type) greatest[j]); \
    for (gsize j = 0; j < inner; j++)                                                      \
      sums[j] = 1 / sums[j];                                                               \
    for (gsize i = 0; i < size; i++)                                                       \
      for (gsize j = 0; j < inner; j++)                                                    \
        y[i * inner + j] = (type) (y[i * inner + j] * sums[j]);                            \
  }

#define LOG_SOFTMAX(dtype, type, exponential)                                           \
  static void log_softmax_row_##dtype (const type *x, type *y, gsize n)                 \
  {                                                                                     \
    type greatest = find_in_row_##dtype (x, n);                                         \
    double sum = 0;                                                                     \
                                                                                        \
    for (gsize i = 0; i < n; i++)                                                       \
      sum += exponential (x[i] - greatest);                                             \
    sum = log (sum);                                                                    \
    for (gsize i = 0; i < n; i++)                                                       \
      y[i] = (type) (x[i] - greatest - sum);                                            \
  }                                                                                     \
  static void log_softmax_##dtype (const void *from, void *to, gsize size, gsize inner, \
                                   double *greatest, double *sums)                      \
  {                                                                                     \
    const type *x = from;                                                               \
    type *y = to;                                                                       \
                                                                                        \
    if (inner == 1)                                                                     \
      {                                                                                 \
        log_softmax_row_##dtype (x, y, size);                                           \
        return;                                                                         \
      }                                                                                 \
    find_in_columns_##dtype (x, size, inner, greatest);                                 \
    memset (sums, 0, inner * sizeof *sums);                                             \
    for (gsize i = 0; i < size; i++)                                                    \
      for (gsize j = 0; j < inner; j++)                                                 \
        sums[j] += exponential (x[i * inner + j] - (type) greatest[j]);                 \
    for (gsize j = 0; j < inner; j++)                                                   \
      sums[j] = log (sums[j]);                                                          \
    for (gsize i = 0; i < size; i++)                                                    \
      for (gsize j = 0; j < inner; j++)                                                 \
        y[i * inner + j] = (type) (x[i * inner + j] - greatest[j] - sums[j]);           \
  }

/* 1 where the first of the greatest elements is, else 0; the first that is not a number counts as
 * the greatest. */
#define HARDMAX(dtype, type)                                                        \
  static void hardmax_##dtype (const void *from, void *to, gsize size, gsize inner, \
                               double *greatest, double *sums)                      \
  {                                                                                 \
    const type *x = from;                                                           \
    type *y = to;                                                                   \
                                                                                    \
    for (gsize j = 0; j < inner && size > 0; j++)                                   \
      {                                                                             \
        gsize best = j;                                                             \
                                                                                    \
        for (gsize i = j; i < size * inner; i += inner)                             \
          {                                                                         \
            if (x[i] > x[best] || (isnan (x[i]) && !isnan (x[best])))               \
              best = i;                                                             \
            y[i] = 0;                                                               \
          }                                                                         \
        y[best] = 1;                                                                \
      }                                                                             \
  }

SYM_OP_FLOATS (FIND_GREATEST)
SOFTMAX (FLOAT32, float, expf)
SOFTMAX (FLOAT64, double, exp)
LOG_SOFTMAX (FLOAT32, float, expf)
LOG_SOFTMAX (FLOAT64, double, exp)
SYM_OP_FLOATS (HARDMAX)

#define SOFTMAX_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = softmax_##dtype,
#define LOG_SOFTMAX_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = log_softmax_##dtype,
#define HARDMAX_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = hardmax_##dtype,

static const Loop softmax_loops[SYM_N_DTYPES] = { SYM_OP_FLOATS (SOFTMAX_ENTRY) };
static const Loop log_softmax_loops[SYM_N_DTYPES] = { SYM_OP_FLOATS (LOG_SOFTMAX_ENTRY) };
static const Loop hardmax_loops[SYM_N_DTYPES] = { SYM_OP_FLOATS (HARDMAX_ENTRY) };

/* The operand as [outer, size, inner]; FALSE when it has no such axis. */
static gboolean
split (SymKernel *kernel, const SymShape *shape, SymOpAxis *places, GError **error)
{
  gboolean old = sym_kernel_get_version (kernel) < 13;
  gint64 given = sym_kernel_get_int (kernel, "axis", old ? 1 : -1);
  int axis;

  if (old && given == shape->rank)
    {
      *places = (SymOpAxis){ 1, 1, 1 };
      for (int i = 0; i < shape->rank; i++)
        places->outer *= (gsize) shape->dims[i];
      return TRUE;
    }
  if (!sym_op_find_axis (given, shape->rank, &axis, error))
    return FALSE;
  *places = sym_op_split_axis (shape, axis);
  if (old)
    {
      places->size *= places->inner;
      places->inner = 1;
    }
  return TRUE;
}

/* @x, parted so, to @y, which has as many numbers of the same dtype. */
static gboolean
fill (SymKernel *kernel,
      const Loop *loops,
      const SymArray *x,
      SymOpAxis axis,
      void *y,
      GError **error)
{
  double *places = sym_kernel_get_scratch (kernel, axis.inner, 2 * sizeof (double), error);
  gsize block = axis.size * axis.inner * (sym_dtype_get_bits (x->dtype) / 8), asked = 0;

  if (places == NULL)
    return FALSE;
  for (gsize i = 0; i < axis.outer && block > 0; i++)
    {
      asked += block;
      if (asked > 1 << 18)
        {
          asked = 0;
          if (sym_kernel_is_cancelled (kernel, error))
            return FALSE;
        }
      loops[x->dtype]((const guint8 *) x->data + i * block, (guint8 *) y + i * block, axis.size,
                      axis.inner, places, places + axis.inner);
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, const Loop *loops, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymOpAxis axis;
  SymArray *y;

  if (x == NULL || !split (kernel, &x->shape, &axis, error))
    return FALSE;
  if (loops[x->dtype] == NULL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  return y != NULL && fill (kernel, loops, x, axis, y->data, error);
}

gboolean
sym_op_onnx_log_softmax (SymKernel *kernel,
                         const SymArray *x,
                         SymOpAxis axis,
                         void *y,
                         GError **error)
{
  return fill (kernel, log_softmax_loops, x, axis, y, error);
}

static gboolean
run_softmax (SymKernel *kernel, GError **error)
{
  return run (kernel, softmax_loops, error);
}

static gboolean
run_log_softmax (SymKernel *kernel, GError **error)
{
  return run (kernel, log_softmax_loops, error);
}

static gboolean
run_hardmax (SymKernel *kernel, GError **error)
{
  return run (kernel, hardmax_loops, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  gboolean old = sym_rule_get_version (rule) < 13;
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 given = sym_rule_get_int (rule, "axis", old ? 1 : -1);
  int axis;

  if (shape.rank >= 0 && !(old && given == shape.rank) &&
      !sym_op_normalize_axis (given, shape.rank, &axis, error))
    return FALSE;
  return sym_op_infer_elementwise (rule, error);
}

static const SymAttributeSpec old_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "first of the axes that are taken as one" },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which the results belong together" },
  { NULL },
};

#define ENTRY(name_, version_, summary_, attributes_, run_)                                  \
  {                                                                                          \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_ACTIVATION, \
                                   .attributes = attributes_, .slots = sym_op_onnx_input,    \
                                   .infer = infer, .run = run_, .half_as_float = TRUE        \
  }

const SymOperator sym_op_onnx_softmax[] = {
  ENTRY ("Softmax", 1, "exponentials, divided by their sum", old_attributes, run_softmax),
  ENTRY ("Softmax", 13, "exponentials, divided by their sum", attributes, run_softmax),
  ENTRY ("LogSoftmax", 1, "logarithm of Softmax", old_attributes, run_log_softmax),
  ENTRY ("LogSoftmax", 13, "logarithm of Softmax", attributes, run_log_softmax),
  ENTRY ("Hardmax", 1, "1 where the greatest element is, else 0", old_attributes, run_hardmax),
  ENTRY ("Hardmax", 13, "1 where the greatest element is, else 0", attributes, run_hardmax),
  { 0 },
};
