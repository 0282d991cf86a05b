/* SPDX-License-Identifier: MIT */
#include "core/sym-statistics.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

#define RUN 4096         /* numbers that are looked at in one go, so that they stay in the cache */
#define PIECE (16 * RUN) /* elements that are read from a tensor at once; whole bytes of any dtype */
#define LANES 8          /* independent sums, for which a compiler finds vectors */

/* A sum and what rounding took from it. */
typedef struct {
  double sum, lost;
} Sum;

/* Of one run after the other.  The deviation is of numbers less @shift, the first one: a mean far from
 * zero would cost digits otherwise. */
typedef struct {
  SymStatistics *result;
  guint64 n; /* finite ones so far */
  double shift;
  Sum sum, shifted;
  Sum squares; /* of the distances to the mean so far */
} Pass;

/* Knuth's sum of two: nothing is lost that is not in @lost. */
static void
add (Sum *self, double value)
{
  double sum = self->sum + value;
  double part = sum - self->sum;

  self->lost += (self->sum - (sum - part)) + (value - part);
  self->sum = sum;
}

static double
get_total (const Sum *self)
{
  return self->sum + self->lost;
}

/* ---- One run of finite numbers ---- */

/* Of @n numbers, a multiple of LANES, each less @shift. */
static Sum
sum_lanes (const double *values, guint n, double shift)
{
  double sums[LANES] = { 0 }, lost[LANES] = { 0 };
  Sum total = { 0 };

  for (guint i = 0; i < n; i += LANES)
    for (guint k = 0; k < LANES; k++)
      {
        double value = values[i + k] - shift;
        double sum = sums[k] + value;
        double part = sum - sums[k];

        lost[k] += (sums[k] - (sum - part)) + (value - part);
        sums[k] = sum;
      }
  for (guint k = 0; k < LANES; k++)
    {
      add (&total, sums[k]);
      total.lost += lost[k];
    }
  return total;
}

static Sum
sum_run (const double *values, guint n, double shift)
{
  guint n_lanes = n / LANES * LANES;
  Sum total = sum_lanes (values, n_lanes, shift);

  for (guint i = n_lanes; i < n; i++)
    add (&total, values[i] - shift);
  return total;
}

/* Of the squares of the distances to @center.  All are positive, so that plain sums lose little. */
static double
sum_squares (const double *values, guint n, double shift, double center)
{
  double sums[LANES] = { 0 };
  double total = 0;
  guint i = 0;

  for (; i + LANES <= n; i += LANES)
    for (guint k = 0; k < LANES; k++)
      {
        double distance = (values[i + k] - shift) - center;

        sums[k] += distance * distance;
      }
  for (; i < n; i++)
    sums[0] += (values[i] - shift - center) * (values[i] - shift - center);
  for (guint k = 0; k < LANES; k++)
    total += sums[k];
  return total;
}

static void
find_extremes (SymStatistics *result, const double *values, guint n)
{
  double lows[LANES], highs[LANES];
  guint i = 0;

  for (guint k = 0; k < LANES; k++)
    lows[k] = highs[k] = values[0];
  for (; i + LANES <= n; i += LANES)
    for (guint k = 0; k < LANES; k++)
      {
        lows[k] = values[i + k] < lows[k] ? values[i + k] : lows[k];
        highs[k] = values[i + k] > highs[k] ? values[i + k] : highs[k];
      }
  for (; i < n; i++)
    {
      lows[0] = MIN (lows[0], values[i]);
      highs[0] = MAX (highs[0], values[i]);
    }
  /* At first both are NaN, which is not less than anything. */
  for (guint k = 0; k < LANES; k++)
    {
      result->min = lows[k] >= result->min ? result->min : lows[k];
      result->max = highs[k] <= result->max ? result->max : highs[k];
    }
}

/* Two sets of numbers as one (Chan, Golub and LeVeque): the squares of both, and those of the way
 * between their means. */
static void
merge (Pass *self, guint n, const Sum *shifted, double squares)
{
  double n_before = (double) self->n;
  double mean_before = self->n == 0 ? 0 : get_total (&self->shifted) / n_before;
  double way = get_total (shifted) / n - mean_before;

  if (self->n > 0)
    add (&self->squares, way * way * (n_before * n / (n_before + n)));
  add (&self->squares, squares);
  add (&self->shifted, shifted->sum);
  self->shifted.lost += shifted->lost;
}

static void
add_finite (Pass *self, const double *values, guint n)
{
  Sum sum, shifted;

  if (n == 0)
    return;
  if (self->n == 0)
    self->shift = values[0];
  find_extremes (self->result, values, n);
  sum = sum_run (values, n, 0);
  shifted = sum_run (values, n, self->shift);
  add (&self->sum, sum.sum);
  self->sum.lost += sum.lost;
  merge (self, n, &shifted,
         sum_squares (values, n, self->shift, get_total (&shifted) / n));
  self->n += n;
}

/* ---- Any numbers ---- */

/* How many are finite and not zero is found without a branch; few runs have others. */
static guint
count_finite (const double *values, guint n, guint *n_zeros)
{
  guint finite = 0, zeros = 0;

  for (guint i = 0; i < n; i++)
    {
      finite += values[i] - values[i] == 0;
      zeros += values[i] == 0;
    }
  *n_zeros = zeros;
  return finite;
}

/* Moves the finite ones to the front. */
static guint
keep_finite (SymStatistics *result, double *values, guint n)
{
  guint n_kept = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      values[n_kept++] = values[i];
    else if (isnan (values[i]))
      result->n_nan++;
    else
      result->n_infinite++;
  return n_kept;
}

static void
add_run (gpointer data, double *values, guint n)
{
  Pass *self = data;
  guint n_zeros;

  if (count_finite (values, n, &n_zeros) < n)
    {
      self->result->n_elements += n;
      n = keep_finite (self->result, values, n);
    }
  else
    self->result->n_elements += n;
  self->result->n_zeros += n_zeros;
  add_finite (self, values, n);
}

/* The last edge belongs to the last bin; rounding may put what is just below it there, too. */
static void
bin_run (gpointer data, double *values, guint n)
{
  SymStatistics *result = data;
  double width = result->last_edge - result->first_edge;

  for (guint i = 0; i < n; i++)
    {
      /* Halves first: the width of all doubles is no double. */
      double share = isfinite (width)
                       ? (values[i] - result->first_edge) / width
                       : (values[i] / 2 - result->first_edge / 2)
                           / (result->last_edge / 2 - result->first_edge / 2);

      if (isfinite (values[i]))
        result->bins[(guint) CLAMP (share * result->n_bins, 0, result->n_bins - 1)]++;
    }
}

/* ---- Passes over elements ---- */

/* Elements of a tensor, or in memory. */
typedef struct {
  SymDType dtype;
  guint64 n;
  SymTensor *tensor; /* NULL: @elements */
  const guint8 *elements;
  guint8 *piece; /* of the tensor */
} Elements;

typedef void (*AddRun) (gpointer data, double *values, guint n);

static void
add_piece (SymDType dtype, const guint8 *elements, guint n, AddRun add_one_run, gpointer data)
{
  guint run_bytes = sym_dtype_get_bits (dtype) * RUN / 8;
  double values[RUN];

  for (guint i = 0; i < n; i += RUN, elements += run_bytes)
    {
      guint n_values = MIN (n - i, RUN);

      sym_convert_elements (dtype, elements, SYM_DTYPE_FLOAT64, values, n_values);
      add_one_run (data, values, n_values);
    }
}

static gboolean
pass_over (const Elements *self,
           AddRun add_one_run,
           gpointer data,
           GCancellable *cancellable,
           GError **error)
{
  guint64 piece_bytes = (guint64) sym_dtype_get_bits (self->dtype) * PIECE / 8;
  guint64 offset = 0;

  for (guint64 i = 0; i < self->n; i += PIECE, offset += piece_bytes)
    {
      guint n = (guint) MIN (self->n - i, PIECE);
      guint64 size = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      sym_dtype_get_size (self->dtype, n, &size);
      if (self->tensor != NULL && !sym_tensor_read (self->tensor, offset, size, self->piece, error))
        return FALSE;
      add_piece (self->dtype, self->tensor != NULL ? self->piece : self->elements + offset, n,
                 add_one_run, data);
    }
  return TRUE;
}

static void
set_edges (SymStatistics *self)
{
  double around = self->min < self->max ? 0 : 0.5;

  self->first_edge = self->min - around;
  self->last_edge = self->max + around;
}

static gboolean
compute (SymStatistics *self,
         const Elements *elements,
         guint n_bins,
         GCancellable *cancellable,
         GError **error)
{
  Pass pass = { .result = self };

  *self = (SymStatistics){ .min = (double) NAN, .max = (double) NAN, .mean = (double) NAN,
                           .std = (double) NAN, .first_edge = (double) NAN,
                           .last_edge = (double) NAN, .n_bins = n_bins };
  if (!pass_over (elements, add_run, &pass, cancellable, error))
    return FALSE;
  if (pass.n == 0)
    return TRUE;

  self->mean = get_total (&pass.sum) / (double) pass.n;
  self->std = sqrt (get_total (&pass.squares) / (double) pass.n);
  set_edges (self);
  return n_bins == 0 || pass_over (elements, bin_run, self, cancellable, error);
}

gboolean
sym_statistics_compute (SymStatistics *self,
                        SymTensor *tensor,
                        guint n_bins,
                        GCancellable *cancellable,
                        GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  Elements elements = { .dtype = dtype, .tensor = tensor };
  g_autofree guint8 *piece = NULL;

  g_return_val_if_fail (n_bins <= SYM_STATISTICS_MAX_BINS, FALSE);

  if (!sym_dtype_is_numeric (dtype))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                   "a tensor of %s has no statistics: its elements are no numbers",
                   sym_dtype_to_string (dtype));
      return FALSE;
    }
  sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &elements.n);
  piece = g_malloc (MIN (sym_tensor_get_n_bytes (tensor),
                         (guint64) sym_dtype_get_bits (dtype) * PIECE / 8)
                    + 1);
  elements.piece = piece;
  return compute (self, &elements, n_bins, cancellable, error);
}

gboolean
sym_statistics_compute_elements (SymStatistics *self,
                                 SymDType dtype,
                                 const void *elements,
                                 guint64 n,
                                 guint n_bins,
                                 GCancellable *cancellable,
                                 GError **error)
{
  Elements all = { .dtype = dtype, .n = n, .elements = elements };

  g_return_val_if_fail (sym_dtype_is_numeric (dtype), FALSE);
  g_return_val_if_fail (n_bins <= SYM_STATISTICS_MAX_BINS, FALSE);

  return compute (self, &all, n_bins, cancellable, error);
}
