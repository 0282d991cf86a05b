/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-onnx-window.h"
#include "ops/sym-op-table.h"

/* Pools: MaxPool, AveragePool, LpPool, and those whose window is the whole picture. */

#define KERNEL                                                     \
  {                                                                \
    "kernel_shape", SYM_ATTRIBUTE_INTS, NULL, "size of the window" \
  }
#define CEIL                                                                          \
  {                                                                                   \
    "ceil_mode", SYM_ATTRIBUTE_INT, "0", "whether a last, partly filled place counts" \
  }
#define COUNT                                                                         \
  {                                                                                   \
    "count_include_pad", SYM_ATTRIBUTE_INT, "0", "whether padding counts in averages" \
  }
#define ORDER                                                                               \
  {                                                                                         \
    "storage_order", SYM_ATTRIBUTE_INT, "0", "whether indices count the first axis fastest" \
  }
#define PLACES SYM_OP_ONNX_AUTO_PAD, KERNEL, SYM_OP_ONNX_PADS, SYM_OP_ONNX_STRIDES

static const SymAttributeSpec plain_1[] = { PLACES, { NULL } };
static const SymAttributeSpec max_8[] = { PLACES, ORDER, { NULL } };
static const SymAttributeSpec max_10[] = { PLACES, ORDER, CEIL, SYM_OP_ONNX_DILATIONS, { NULL } };
static const SymAttributeSpec average_7[] = { PLACES, COUNT, { NULL } };
static const SymAttributeSpec average_10[] = { PLACES, COUNT, CEIL, { NULL } };
static const SymAttributeSpec average_19[] = { PLACES,
                                               COUNT,
                                               CEIL,
                                               SYM_OP_ONNX_DILATIONS,
                                               { NULL } };

#define POWER_1                                              \
  {                                                          \
    "p", SYM_ATTRIBUTE_FLOAT, "2.0", "the power of the norm" \
  }
#define POWER_2                                          \
  {                                                      \
    "p", SYM_ATTRIBUTE_INT, "2", "the power of the norm" \
  }

static const SymAttributeSpec norm_1[] = { PLACES, POWER_1, { NULL } };
static const SymAttributeSpec norm_2[] = { PLACES, POWER_2, { NULL } };
static const SymAttributeSpec norm_18[] = { PLACES,
                                            POWER_2,
                                            CEIL,
                                            SYM_OP_ONNX_DILATIONS,
                                            { NULL } };
static const SymAttributeSpec global_norm_1[] = { POWER_1, { NULL } };
static const SymAttributeSpec global_norm_2[] = { POWER_2, { NULL } };

static const char *const max_outputs[] = { "Y", "Indices", NULL };

/* ---- Rules ---- */

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape y = sym_rule_get_input (rule, 0);
  SymOpOnnxWindows windows;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (sym_rule_get_n_outputs (rule) > 1 &&
      !sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_INT64, error))
    return FALSE;
  if (y.rank < 0)
    return TRUE;
  if (!sym_op_onnx_windows_init (&windows, sym_rule_get_attributes (rule), y.rank - 2, NULL,
                                 error) ||
      !sym_op_onnx_windows_infer (&windows, rule, &y, error))
    return FALSE;
  for (guint i = 0; i < MIN (sym_rule_get_n_outputs (rule), 2); i++)
    if (!sym_rule_set_output (rule, i, &y, error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_global (SymRule *rule, GError **error)
{
  SymShape y = sym_rule_get_input (rule, 0);

  for (int i = 2; i < y.rank; i++)
    y.dims[i] = 1;
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &y, error);
}

/* ---- Kernels ---- */

/* What comes of one window. */
typedef struct {
  double value;
  gint64 place; /* of the greatest element, within the plane */
  double power;
} Result;

/* @n elements of a window, from element @at of @x on, @step apart. */
typedef void (*Fold) (const void *x, gint64 at, gint64 step, gint64 n, Result *result);

#define FOLDS(dtype, type)                                                                        \
  static void max_##dtype (const void *x, gint64 at, gint64 step, gint64 n, Result *result)       \
  {                                                                                               \
    for (gint64 i = 0; i < n; i++, at += step)                                                    \
      {                                                                                           \
        double v = (double) ((const type *) x)[at];                                               \
                                                                                                  \
        if (result->place >= 0 && !(v > result->value) && !(isnan (v) && !isnan (result->value))) \
          continue;                                                                               \
        result->value = v;                                                                        \
        result->place = at;                                                                       \
      }                                                                                           \
  }

#define FLOAT_FOLDS(dtype, type)                                                             \
  static void sum_##dtype (const void *x, gint64 at, gint64 step, gint64 n, Result *result)  \
  {                                                                                          \
    for (gint64 i = 0; i < n; i++, at += step)                                               \
      result->value += (double) ((const type *) x)[at];                                      \
  }                                                                                          \
  static void norm_##dtype (const void *x, gint64 at, gint64 step, gint64 n, Result *result) \
  {                                                                                          \
    for (gint64 i = 0; i < n; i++, at += step)                                               \
      {                                                                                      \
        double v = fabs ((double) ((const type *) x)[at]);                                   \
                                                                                             \
        result->value += result->power == 2   ? v * v                                        \
                         : result->power == 1 ? v                                            \
                                              : pow (v, result->power);                      \
      }                                                                                      \
  }

#define MAX_TYPES(X) SYM_OP_FLOATS (X) X (INT8, gint8) X (UINT8, guint8)
#define MAX_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = max_##dtype,
#define SUM_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = sum_##dtype,
#define NORM_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = norm_##dtype,

MAX_TYPES (FOLDS)
SYM_OP_FLOATS (FLOAT_FOLDS)

typedef enum { MAXIMUM, AVERAGE, NORM } Kind;

static const Fold folds[][SYM_N_DTYPES] = {
  [MAXIMUM] = { MAX_TYPES (MAX_ENTRY) },
  [AVERAGE] = { SYM_OP_FLOATS (SUM_ENTRY) },
  [NORM] = { SYM_OP_FLOATS (NORM_ENTRY) },
};

typedef struct {
  SymKernel *kernel;
  const SymArray *x;
  SymArray *y, *indices; /* the second NULL when nobody wants it */
  SymOpOnnxWindows windows;
  Kind kind;
  Fold fold;
  double power;
  gboolean counts_padding, is_column_major;
} Pool;

/* The part of a window that lies in the data: taps [first, first + n) along each axis, and how many
 * there are in the padded data. */
static gint64
bound (const SymOpOnnxWindows *windows, int i, gint64 place, gint64 *at, gint64 *n)
{
  gint64 start = place * windows->stride[i] - windows->before[i], dilate = windows->dilate[i];
  gint64 first = start < 0 ? (-start + dilate - 1) / dilate : 0;
  gint64 end = start >= windows->size[i] ? 0 : (windows->size[i] - start - 1) / dilate + 1;
  gint64 padded = windows->size[i] + windows->after[i] - start;

  *at = start + first * dilate;
  *n = MAX (MIN (end, windows->kernel[i]) - first, 0);
  return MIN (windows->kernel[i], padded <= 0 ? 0 : (padded - 1) / dilate + 1);
}

/* All elements of one window, a row along the last axis at a time. */
static void
fold_window (const Pool *self,
             const void *plane,
             const gint64 *place,
             Result *result,
             gint64 *n_inside,
             gint64 *n_padded)
{
  const SymOpOnnxWindows *windows = &self->windows;
  gint64 at[SYM_MAX_RANK], n[SYM_MAX_RANK], tap[SYM_MAX_RANK] = { 0 };
  int last = windows->n - 1;

  *n_inside = *n_padded = 1;
  for (int i = 0; i < windows->n; i++)
    {
      *n_padded *= bound (windows, i, place[i], &at[i], &n[i]);
      *n_inside *= n[i];
    }
  for (gint64 done = 0; done < *n_inside; done += n[last])
    {
      gint64 row = 0;

      for (int i = 0; i < windows->n; i++)
        row = row * windows->size[i] + at[i] + (i == last ? 0 : tap[i] * windows->dilate[i]);
      self->fold (plane, row, windows->dilate[last], n[last], result);
      for (int i = last; i-- > 0;)
        {
          if (++tap[i] < n[i])
            break;
          tap[i] = 0;
        }
    }
}

static double
finish (const Pool *self, const Result *result, gint64 n_inside, gint64 n_padded)
{
  if (self->kind == AVERAGE)
    return result->value / (double) (self->counts_padding ? n_padded : n_inside);
  if (self->kind == NORM)
    return self->power == 2 ? sqrt (result->value) : pow (result->value, 1 / self->power);
  return result->value;
}

/* A place in row major order within the plane as one in column major order. */
static gint64
turn (const SymOpOnnxWindows *windows, gint64 place)
{
  gint64 turned = 0, step[SYM_MAX_RANK], next = 1;

  for (int i = 0; i < windows->n; i++)
    {
      step[i] = next;
      next *= windows->size[i];
    }
  for (int i = windows->n; i-- > 0; place /= windows->size[i])
    turned += place % windows->size[i] * step[i];
  return turned;
}

static void
store (const Pool *self, gsize i, double value)
{
  if (self->y->dtype == SYM_DTYPE_FLOAT32)
    ((float *) self->y->data)[i] = (float) value;
  else if (self->y->dtype == SYM_DTYPE_FLOAT64)
    ((double *) self->y->data)[i] = value;
  else if (self->y->dtype == SYM_DTYPE_INT8)
    ((gint8 *) self->y->data)[i] = (gint8) value;
  else
    ((guint8 *) self->y->data)[i] = (guint8) value;
}

/* What a window without any element gives: the least number there is. */
static double
get_least (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 ? G_MININT8 : dtype == SYM_DTYPE_UINT8 ? 0 : -INFINITY;
}

static gboolean
pool_plane (const Pool *self, gsize plane, gsize *asked, GError **error)
{
  const SymOpOnnxWindows *windows = &self->windows;
  gsize size = sym_op_onnx_multiply (windows->size, windows->n);
  gsize n_places = sym_op_onnx_multiply (windows->places, windows->n);
  const guint8 *x =
      (const guint8 *) self->x->data + plane * size * (sym_dtype_get_bits (self->x->dtype) / 8);
  gint64 place[SYM_MAX_RANK] = { 0 };

  for (gsize i = 0; i < n_places; i++)
    {
      Result result = { .place = -1, .power = self->power };
      gint64 n_inside, n_padded;

      if (self->kind == MAXIMUM)
        result.value = get_least (self->y->dtype);
      fold_window (self, x, place, &result, &n_inside, &n_padded);
      store (self, plane * n_places + i, finish (self, &result, n_inside, n_padded));
      if (self->indices != NULL && result.place >= 0)
        result.place = (gint64) (plane * size) +
                       (self->is_column_major ? turn (windows, result.place) : result.place);
      if (self->indices != NULL)
        ((gint64 *) self->indices->data)[plane * n_places + i] = result.place;
      if (!sym_op_go_on (self->kernel, asked, (gsize) n_inside + 8, error))
        return FALSE;
      for (int k = windows->n; k-- > 0;)
        {
          if (++place[k] < windows->places[k])
            break;
          place[k] = 0;
        }
    }
  return TRUE;
}

static gboolean
pool (Pool *self, GError **error)
{
  SymShape to = self->x->shape;
  gsize n_planes, asked = 0;

  self->fold = folds[self->kind][self->x->dtype];
  if (self->fold == NULL)
    return sym_op_refuse_dtype (self->kernel, self->x->dtype, error);
  for (int i = 0; i < self->windows.n; i++)
    to.dims[2 + i] = self->windows.places[i];
  self->y = sym_kernel_new_output (self->kernel, 0, self->x->dtype, &to, error);
  if (self->y == NULL)
    return FALSE;
  if (self->kind == MAXIMUM && sym_kernel_get_n_outputs (self->kernel) > 1 &&
      sym_kernel_wants_output (self->kernel, 1))
    {
      self->indices = sym_kernel_new_output (self->kernel, 1, SYM_DTYPE_INT64, &to, error);
      if (self->indices == NULL)
        return FALSE;
    }
  if (sym_array_get_n_elements (self->y) == 0)
    return TRUE;
  n_planes = sym_op_onnx_multiply (to.dims, 2);
  for (gsize i = 0; i < n_planes; i++)
    if (!pool_plane (self, i, &asked, error))
      return FALSE;
  return TRUE;
}

/* The attribute `p`, which was a float in version 1. */
static gboolean
read_power (Pool *self, GError **error)
{
  self->power = sym_kernel_get_version (self->kernel) < 2
                    ? sym_kernel_get_float (self->kernel, "p", 2)
                    : (double) sym_kernel_get_int (self->kernel, "p", 2);
  return self->power > 0 || sym_kernel_fail (error, "p must be above 0, not %g", self->power);
}

static gboolean
run_pool (SymKernel *kernel, Kind kind, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  Pool self = {
    .kernel = kernel,
    .x = x,
    .kind = kind,
    .counts_padding = sym_kernel_get_bool (kernel, "count_include_pad", FALSE),
    .is_column_major = sym_kernel_get_bool (kernel, "storage_order", FALSE),
  };

  if (x == NULL || (kind == NORM && !read_power (&self, error)))
    return FALSE;
  if (x->shape.rank < 3)
    return sym_kernel_fail (error, "X must have 3 axes or more, not %d", x->shape.rank);
  return sym_op_onnx_windows_init (&self.windows, sym_kernel_get_attributes (kernel),
                                   x->shape.rank - 2, NULL, error) &&
         sym_op_onnx_windows_place (&self.windows, x->shape.dims + 2, error) && pool (&self, error);
}

static gboolean
run_global (SymKernel *kernel, Kind kind, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  Pool self = { .kernel = kernel, .x = x, .kind = kind };

  if (x == NULL || (kind == NORM && !read_power (&self, error)))
    return FALSE;
  if (x->shape.rank < 2)
    return sym_kernel_fail (error, "X must have 2 axes or more, not %d", x->shape.rank);
  /* Without further axes there is one window of one element. */
  self.windows.n = MAX (x->shape.rank - 2, 1);
  for (int i = 0; i < self.windows.n; i++)
    {
      self.windows.size[i] = x->shape.rank == 2 ? 1 : x->shape.dims[2 + i];
      self.windows.kernel[i] = self.windows.size[i];
      self.windows.stride[i] = self.windows.dilate[i] = self.windows.places[i] = 1;
    }
  return pool (&self, error);
}

#define RUN(name, run, kind) \
  static gboolean name (SymKernel *kernel, GError **error) { return run (kernel, kind, error); }

RUN (run_max, run_pool, MAXIMUM)
RUN (run_average, run_pool, AVERAGE)
RUN (run_norm, run_pool, NORM)
RUN (run_global_max, run_global, MAXIMUM)
RUN (run_global_average, run_global, AVERAGE)
RUN (run_global_norm, run_global, NORM)

#define ENTRY(name_, version_, summary_, attributes_, infer_, run_)                       \
  {                                                                                       \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_POOLING, \
                                   .attributes = attributes_, .slots = sym_op_onnx_x,     \
                                   .infer = infer_, .run = run_, .half_as_float = TRUE    \
  }
#define MAX_ENTRIES(version_, attributes_)                                                  \
  {                                                                                         \
    SYM_OP_ONNX ("MaxPool", version_),                                                      \
        .summary = "the greatest element of each window", .category = SYM_CATEGORY_POOLING, \
        .attributes = attributes_, .slots = sym_op_onnx_x,                                  \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = max_outputs,          \
        .infer = infer_pool, .run = run_max, .half_as_float = TRUE                          \
  }

const SymOperator sym_op_onnx_pool[] = {
  ENTRY ("MaxPool", 1, "the greatest element of each window", plain_1, infer_pool, run_max),
  MAX_ENTRIES (8, max_8),
  MAX_ENTRIES (10, max_10),
  ENTRY ("AveragePool", 1, "the average of each window", plain_1, infer_pool, run_average),
  ENTRY ("AveragePool", 7, "the average of each window", average_7, infer_pool, run_average),
  ENTRY ("AveragePool", 10, "the average of each window", average_10, infer_pool, run_average),
  ENTRY ("AveragePool", 19, "the average of each window", average_19, infer_pool, run_average),
  ENTRY ("LpPool", 1, "the norm of each window", norm_1, infer_pool, run_norm),
  ENTRY ("LpPool", 2, "the norm of each window", norm_2, infer_pool, run_norm),
  ENTRY ("LpPool", 18, "the norm of each window", norm_18, infer_pool, run_norm),
  ENTRY ("GlobalMaxPool",
         1,
         "the greatest element of each channel",
         NULL,
         infer_global,
         run_global_max),
  ENTRY ("GlobalAveragePool",
         1,
         "the average of each channel",
         NULL,
         infer_global,
         run_global_average),
  ENTRY ("GlobalLpPool",
         1,
         "the norm of each channel",
         global_norm_1,
         infer_global,
         run_global_norm),
  ENTRY ("GlobalLpPool",
         2,
         "the norm of each channel",
         global_norm_2,
         infer_global,
         run_global_norm),
  { 0 },
};
