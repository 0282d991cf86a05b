/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Reductions over axes.  The operand is read once, from front to back; what its elements go to, the
 * sums so far, lies in memory of a wider type. */

/* The steps of a reduction for one dtype.  @base is, for each result, what the greatest element is
 * (ReduceLogSumExp alone asks). */
typedef struct {
  gsize size; /* of one sum */
  void (*start) (void *sums, gsize n);
  void (*fold) (void *sum, const void *x, gsize n, const double *base);   /* all into one */
  void (*merge) (void *sums, const void *x, gsize n, const double *base); /* each into its own */
  void (*finish) (const void *sums, void *y, gsize n, gsize count, const double *base);
} Reducer;

#define REDUCER(name, dtype, type, wide, first, step, last)                                    \
  static void name##_start_##dtype (void *sums, gsize n)                                       \
  {                                                                                            \
    for (gsize i = 0; i < n; i++)                                                              \
      ((wide *) sums)[i] = first;                                                              \
  }                                                                                            \
  static void name##_fold_##dtype (void *sum, const void *from, gsize n, const double *base)   \
  {                                                                                            \
    const type *x = from;                                                                      \
    wide s = *(wide *) sum;                                                                    \
    G_GNUC_UNUSED double m = base == NULL ? 0 : base[0];                                       \
                                                                                               \
    for (gsize i = 0; i < n; i++)                                                              \
      {                                                                                        \
        wide v = (wide) x[i];                                                                  \
                                                                                               \
        s = step;                                                                              \
      }                                                                                        \
    *(wide *) sum = s;                                                                         \
  }                                                                                            \
  static void name##_merge_##dtype (void *sums, const void *from, gsize n, const double *base) \
  {                                                                                            \
    const type *x = from;                                                                      \
                                                                                               \
    for (gsize i = 0; i < n; i++)                                                              \
      {                                                                                        \
        wide s = ((wide *) sums)[i], v = (wide) x[i];                                          \
        G_GNUC_UNUSED double m = base == NULL ? 0 : base[i];                                   \
                                                                                               \
        ((wide *) sums)[i] = step;                                                             \
      }                                                                                        \
  }                                                                                            \
  static void name##_finish_##dtype (const void *sums, void *to, gsize n, gsize count,         \
                                     const double *base)                                       \
  {                                                                                            \
    type *y = to;                                                                              \
                                                                                               \
    for (gsize i = 0; i < n; i++)                                                              \
      {                                                                                        \
        wide s = ((const wide *) sums)[i];                                                     \
        G_GNUC_UNUSED double m = base == NULL ? 0 : base[i];                                   \
                                                                                               \
        y[i] = (type) (last);                                                                  \
      }                                                                                        \
  }

#define ENTRY(name, dtype, wide)                                                    \
  [SYM_DTYPE_##dtype] = { sizeof (wide), name##_start_##dtype, name##_fold_##dtype, \
                          name##_merge_##dtype, name##_finish_##dtype },

/* X (dtype, type, type of sums): integers are summed modulo 2^64, whose low bits are right. */
#define FLOATS(X) X (FLOAT32, float, double) X (FLOAT64, double, double)
#define SIGNED(X) X (INT32, gint32, guint64) X (INT64, gint64, guint64)
#define UNSIGNED(X) X (UINT32, guint32, guint64) X (UINT64, guint64, guint64)
#define NUMBERS(X) FLOATS (X) SIGNED (X) UNSIGNED (X)

#define SUM(dtype, type, wide) REDUCER (sum, dtype, type, wide, 0, s + v, s)
#define SUM_ENTRY(dtype, type, wide) ENTRY (sum, dtype, wide)
NUMBERS (SUM)
static const Reducer sum_reducers[SYM_N_DTYPES] = { NUMBERS (SUM_ENTRY) };

#define PRODUCT(dtype, type, wide) REDUCER (product, dtype, type, wide, 1, s *v, s)
#define PRODUCT_ENTRY(dtype, type, wide) ENTRY (product, dtype, wide)
NUMBERS (PRODUCT)
static const Reducer product_reducers[SYM_N_DTYPES] = { NUMBERS (PRODUCT_ENTRY) };

#define SQUARES(dtype, type, wide) REDUCER (squares, dtype, type, wide, 0, s + v * v, s)
#define SQUARES_ENTRY(dtype, type, wide) ENTRY (squares, dtype, wide)
NUMBERS (SQUARES)
static const Reducer squares_reducers[SYM_N_DTYPES] = { NUMBERS (SQUARES_ENTRY) };

/* The mean of integers goes towards zero; of nothing it is 0. */
#define MEAN_FLOAT(dtype, type, wide) \
  REDUCER (mean, dtype, type, wide, 0, s + v, s / (double) count)
#define MEAN_SIGNED(dtype, type, wide) \
  REDUCER (mean, dtype, type, wide, 0, s + v, count == 0 ? 0 : (gint64) s / (gint64) count)
#define MEAN_UNSIGNED(dtype, type, wide) \
  REDUCER (mean, dtype, type, wide, 0, s + v, count == 0 ? 0 : s / count)
#define MEAN_ENTRY(dtype, type, wide) ENTRY (mean, dtype, wide)
FLOATS (MEAN_FLOAT)
SIGNED (MEAN_SIGNED)
UNSIGNED (MEAN_UNSIGNED)
static const Reducer mean_reducers[SYM_N_DTYPES] = { NUMBERS (MEAN_ENTRY) };

#define L1_FLOAT(dtype, type, wide) REDUCER (l1, dtype, type, wide, 0, s + fabs (v), s)
#define L1_SIGNED(dtype, type, wide) \
  REDUCER (l1, dtype, type, wide, 0, s + ((gint64) v < 0 ? 0 - v : v), s)
#define L1_UNSIGNED(dtype, type, wide) REDUCER (l1, dtype, type, wide, 0, s + v, s)
#define L1_ENTRY(dtype, type, wide) ENTRY (l1, dtype, wide)
FLOATS (L1_FLOAT)
SIGNED (L1_SIGNED)
UNSIGNED (L1_UNSIGNED)
static const Reducer l1_reducers[SYM_N_DTYPES] = { NUMBERS (L1_ENTRY) };

/* ---- By way of real numbers ---- */

#define REAL(name, first, step, last)                                                         \
  REDUCER (name, FLOAT32, float, double, first, step, last)                                   \
  REDUCER (name, FLOAT64, double, double, first, step, last)                                  \
  REDUCER (name, INT32, gint32, double, first, step, sym_op_truncate (last))                  \
  REDUCER (name, INT64, gint64, double, first, step, sym_op_truncate (last))                  \
  REDUCER (name, UINT32, guint32, double, first, step, sym_op_truncate (last))                \
  REDUCER (name, UINT64, guint64, double, first, step, sym_op_truncate (last))                \
  static const Reducer name##_reducers[SYM_N_DTYPES] = {                                      \
    ENTRY (name, FLOAT32, double) ENTRY (name, FLOAT64, double) ENTRY (name, INT32, double)   \
        ENTRY (name, INT64, double) ENTRY (name, UINT32, double) ENTRY (name, UINT64, double) \
  };

REAL (l2, 0, s + v * v, sqrt (s))
REAL (log_sum, 0, s + v, log (s))
REAL (log_sum_exp, 0, s + exp (v - m), log (s) + m)

/* ---- Greatest and least ---- */

/* What is not a number wins. */
#define EXTREMUM(name, dtype, type, first, than) \
  REDUCER (name, dtype, type, type, first, v than s || v != v ? v : s, s)
#define EXTREMA(name, than, floats, INT, UINT)                                                     \
  EXTREMUM (name, FLOAT32, float, (float) floats, than)                                            \
  EXTREMUM (name, FLOAT64, double, floats, than)                                                   \
  EXTREMUM (name, INT8, gint8, INT##8, than)                                                       \
  EXTREMUM (name, INT32, gint32, INT##32, than)                                                    \
  EXTREMUM (name, INT64, gint64, INT##64, than)                                                    \
  EXTREMUM (name, UINT8, guint8, UINT (8), than)                                                   \
  EXTREMUM (name, UINT32, guint32, UINT (32), than)                                                \
  EXTREMUM (name, UINT64, guint64, UINT (64), than)                                                \
  EXTREMUM (name, BOOL, guint8, UINT (1), than)                                                    \
  static const Reducer name##_reducers[SYM_N_DTYPES] = {                                           \
    ENTRY (name, FLOAT32, float) ENTRY (name, FLOAT64, double) ENTRY (name, INT8, gint8)           \
        ENTRY (name, INT32, gint32) ENTRY (name, INT64, gint64) ENTRY (name, UINT8, guint8)        \
            ENTRY (name, UINT32, guint32) ENTRY (name, UINT64, guint64) ENTRY (name, BOOL, guint8) \
  };

#define LEAST_UNSIGNED(bits) 0
#define GREATEST_UNSIGNED(bits) (G_MAXUINT64 >> (64 - bits))

EXTREMA (greatest, >, -INFINITY, G_MININT, LEAST_UNSIGNED)
EXTREMA (least, <, INFINITY, G_MAXINT, GREATEST_UNSIGNED)

/* ---- Places ---- */

/* The operand with neighbouring axes of one fate laid together: @strides are those of the results,
 * 0 along an axis that goes. */
typedef struct {
  int rank;
  gint64 dims[SYM_MAX_RANK];
  gint64 strides[SYM_MAX_RANK];
  gsize n_results, count; /* how many elements go to each */
} Layout;

static void
lay_out (Layout *self, const SymShape *shape, const gboolean *axes)
{
  gboolean fates[SYM_MAX_RANK];

  *self = (Layout){ .n_results = 1, .count = 1 };
  for (int i = 0; i < shape->rank; i++)
    {
      if (axes[i])
        self->count *= (gsize) shape->dims[i];
      else
        self->n_results *= (gsize) shape->dims[i];
      if (self->rank > 0 && fates[self->rank - 1] == axes[i])
        {
          self->dims[self->rank - 1] *= shape->dims[i];
          continue;
        }
      fates[self->rank] = axes[i];
      self->dims[self->rank++] = shape->dims[i];
    }
  for (gint64 stride = 1, i = self->rank; i-- > 0;)
    {
      self->strides[i] = fates[i] ? 0 : stride;
      stride *= fates[i] ? 1 : self->dims[i];
    }
  if (self->rank == 0)
    {
      self->rank = 1;
      self->dims[0] = self->strides[0] = 1;
    }
}

/* One row of the operand in pieces of some milliseconds. */
static gboolean
reduce_row (SymKernel *kernel,
            const Reducer *reducer,
            const guint8 *x,
            gsize size,
            gsize n,
            guint8 *sums,
            gboolean folds,
            const double *base,
            GError **error)
{
  for (gsize i = 0; i < n; i += 1 << 18)
    {
      gsize piece = MIN (n - i, 1 << 18);

      if (n > 1 << 18 && sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      if (folds)
        reducer->fold (sums, x + i * size, piece, base);
      else
        reducer->merge (sums + i * reducer->size, x + i * size, piece,
                        base == NULL ? NULL : base + i);
    }
  return TRUE;
}

static gboolean
reduce_rows (SymKernel *kernel,
             const Reducer *reducer,
             const Layout *layout,
             const SymArray *x,
             guint8 *sums,
             const double *base,
             GError **error)
{
  int last = layout->rank - 1;
  gsize row = (gsize) layout->dims[last], size = sym_dtype_get_bits (x->dtype) / 8;
  gsize total = sym_array_get_n_elements (x), asked = 0;
  gint64 index[SYM_MAX_RANK] = { 0 }, place = 0;

  for (gsize i = 0; i < total; i += row)
    {
      if (i - asked > 1 << 18)
        {
          asked = i;
          if (sym_kernel_is_cancelled (kernel, error))
            return FALSE;
        }
      if (!reduce_row (kernel, reducer, (const guint8 *) x->data + i * size, size, row,
                       sums + (gsize) place * reducer->size, layout->strides[last] == 0,
                       base == NULL ? NULL : base + place, error))
        return FALSE;
      for (int axis = last; axis-- > 0;)
        {
          place += layout->strides[axis];
          if (++index[axis] < layout->dims[axis])
            break;
          place -= layout->strides[axis] * layout->dims[axis];
          index[axis] = 0;
        }
    }
  return TRUE;
}

/* Reduces @x into @y, which has a place for each result. */
static gboolean
reduce (SymKernel *kernel,
        const Reducer *reducers,
        const Layout *layout,
        const SymArray *x,
        void *y,
        const double *base,
        GError **error)
{
  const Reducer *reducer = &reducers[x->dtype];
  guint8 *sums;

  if (reducer->start == NULL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  sums = sym_kernel_get_scratch (kernel, layout->n_results, reducer->size, error);
  if (sums == NULL)
    return FALSE;
  reducer->start (sums, layout->n_results);
  if (!reduce_rows (kernel, reducer, layout, x, sums, base, error))
    return FALSE;
  reducer->finish (sums, y, layout->n_results, layout->count, base);
  return TRUE;
}

/* ---- Axes ---- */

/* Axes were an attribute of ReduceSum before version 13, of the others before 18. */
static gboolean
has_axes_operand (const char *type, int version)
{
  return version >= (g_str_equal (type, "ReduceSum") ? 13 : 18);
}

static gboolean
mark_axes (const gint64 *values, int n, gboolean noop, int rank, gboolean *axes, GError **error)
{
  for (int i = 0; i < rank; i++)
    axes[i] = n <= 0 && !noop;
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_find_axis (values[i], rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  return TRUE;
}

static gboolean
read_axes (SymKernel *kernel, int rank, gboolean *axes, GError **error)
{
  const char *name = sym_layer_get_operator (sym_kernel_get_layer (kernel))->name;
  gint64 values[SYM_MAX_RANK];
  int n;

  if (!has_axes_operand (name, sym_kernel_get_version (kernel)))
    {
      n = sym_kernel_get_ints (kernel, "axes", values, SYM_MAX_RANK);
      if (n > SYM_MAX_RANK)
        return sym_kernel_fail (error, "axes has %d numbers for %d axes", n, rank);
    }
  else if (!sym_kernel_read_ints (kernel, 1, values, SYM_MAX_RANK, &n, error))
    return FALSE;
  return mark_axes (values, n, sym_kernel_get_bool (kernel, "noop_with_empty_axes", FALSE), rank,
                    axes, error);
}

/* The layout and the place for the results. */
static SymArray *
prepare (SymKernel *kernel, Layout *layout, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gboolean axes[SYM_MAX_RANK];
  SymShape shape;

  if (x == NULL || !read_axes (kernel, x->shape.rank, axes, error))
    return NULL;
  lay_out (layout, &x->shape, axes);
  shape = sym_op_reduce_shape (&x->shape, axes, sym_kernel_get_bool (kernel, "keepdims", TRUE));
  return sym_kernel_new_output (kernel, 0, x->dtype, &shape, error);
}

static gboolean
run (SymKernel *kernel, const Reducer *reducers, GError **error)
{
  Layout layout;
  SymArray *y = prepare (kernel, &layout, error);

  return y != NULL &&
         reduce (kernel, reducers, &layout, sym_kernel_get_input (kernel, 0), y->data, NULL, error);
}

#define RUN(name)                                                \
  static gboolean run_##name (SymKernel *kernel, GError **error) \
  {                                                              \
    return run (kernel, name##_reducers, error);                 \
  }

RUN (sum)
RUN (product)
RUN (squares)
RUN (mean)
RUN (l1)
RUN (l2)
RUN (log_sum)
RUN (greatest)
RUN (least)

/* log (sum of exp (x)) = m + log (sum of exp (x - m)) cannot overflow when m is the greatest.  One
 * that is infinite serves as 0: exp takes it as it is. */
static gboolean
run_log_sum_exp (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_get_input (kernel, 0);
  Layout layout;
  SymArray *y = prepare (kernel, &layout, error);
  double *base;

  if (y == NULL)
    return FALSE;
  base = sym_kernel_get_scratch (kernel, layout.n_results, sizeof (double), error);
  if (base == NULL || !reduce (kernel, greatest_reducers, &layout, x, y->data, NULL, error))
    return FALSE;
  for (gsize i = 0; i < layout.n_results; i++)
    {
      double greatest = sym_element_get_double (y->dtype, y->data, i);

      base[i] = isfinite (greatest) && layout.count > 0 ? greatest : 0;
    }
  return reduce (kernel, log_sum_exp_reducers, &layout, x, y->data, base, error);
}

/* ---- Rules ---- */

/* The product of all sizes of a shape, or their sum, be they numbers or terms. */
static void
tell_value (SymRule *rule)
{
  gboolean product = g_str_equal (sym_rule_get_type (rule), "ReduceProd");
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim values[64], result = product ? 1 : 0;
  int n = sym_rule_get_input_values (rule, 0, values, G_N_ELEMENTS (values));

  if (n < 0 || (!product && !g_str_equal (sym_rule_get_type (rule), "ReduceSum")))
    return;
  for (int i = 0; i < n; i++)
    result = product ? sym_terms_multiply (terms, result, values[i])
                     : sym_terms_add (terms, result, values[i]);
  sym_rule_set_output_values (rule, 0, &result, 1);
}

/* Of axes that are not known: one that has size 1 has it afterwards, too; and where they go, a list
 * of one takes one.  Of more, two may be the same. */
static gboolean
infer_unknown_axes (SymRule *rule, const SymShape *data, gboolean keep, GError **error)
{
  SymShape axes = sym_rule_get_input (rule, 1), to = sym_shape_new_unknown (data->rank);

  if (!keep && (axes.rank != 1 || axes.dims[0] != 1 || data->rank == 0))
    return TRUE;
  to.rank -= !keep;
  for (int i = 0; keep && i < to.rank; i++)
    to.dims[i] = data->dims[i] == 1 ? 1 : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gboolean keep = sym_rule_get_bool (rule, "keepdims", TRUE), axes[SYM_MAX_RANK];
  gboolean noop = sym_rule_get_bool (rule, "noop_with_empty_axes", FALSE);
  gint64 values[SYM_MAX_RANK];
  int n = -1;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (!has_axes_operand (sym_rule_get_type (rule), sym_rule_get_version (rule)))
    n = sym_rule_get_ints (rule, "axes", values, SYM_MAX_RANK);
  else if (sym_rule_has_input (rule, 1))
    {
      n = sym_rule_get_input_ints (rule, 1, values, SYM_MAX_RANK);
      if (n < 0)
        return infer_unknown_axes (rule, &data, keep, error);
    }
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "axes has %d numbers for %d axes", n, data.rank);
  if (!mark_axes (values, n, noop, data.rank, axes, error))
    return FALSE;
  if (data.rank == 1 && axes[0])
    tell_value (rule);
  return sym_op_reduce (rule, axes, keep, error);
}

/* ---- Table ---- */

#define KEEP                                                            \
  {                                                                     \
    "keepdims", SYM_ATTRIBUTE_INT, "1", "whether axes stay with size 1" \
  }

static const SymAttributeSpec old_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None" },
  KEEP,
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  KEEP,
  { "noop_with_empty_axes", SYM_ATTRIBUTE_INT, "0", "whether without axes none goes, not all" },
  { NULL },
};

static const SymSlotSpec old_slots[] = { { "data" }, { NULL } };
static const SymSlotSpec slots[] = { { "data" }, { "axes", .optional = TRUE }, { NULL } };

#define REDUCE_VERSION(name_, version_, summary_, attributes_, slots_, run_)                   \
  {                                                                                            \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_POOLING,      \
                                   .attributes = attributes_, .slots = slots_, .infer = infer, \
                                   .run = run_, .half_as_float = TRUE                          \
  }

/* @version_ is the one in which the axes became an operand. */
#define REDUCE(name_, version_, summary_, run_)                         \
  REDUCE_VERSION (name_, 1, summary_, old_attributes, old_slots, run_), \
      REDUCE_VERSION (name_, version_, summary_, attributes, slots, run_)

const SymOperator sym_op_onnx_reduce[] = {
  REDUCE ("ReduceSum", 13, "sum over axes", run_sum),
  REDUCE ("ReduceMean", 18, "mean over axes", run_mean),
  REDUCE ("ReduceProd", 18, "product over axes", run_product),
  REDUCE ("ReduceMax", 18, "greatest element over axes", run_greatest),
  REDUCE ("ReduceMin", 18, "least element over axes", run_least),
  REDUCE ("ReduceL1", 18, "sum of absolute values over axes", run_l1),
  REDUCE ("ReduceL2", 18, "root of the sum of squares over axes", run_l2),
  REDUCE ("ReduceSumSquare", 18, "sum of squares over axes", run_squares),
  REDUCE ("ReduceLogSum", 18, "logarithm of the sum over axes", run_log_sum),
  REDUCE ("ReduceLogSumExp", 18, "logarithm of the sum of exponentials over axes", run_log_sum_exp),
  { 0 },
};
