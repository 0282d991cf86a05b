/* SPDX-License-Identifier: MIT */
#include "core/sym-statistics.h"

#include <math.h>
#include <string.h>

#include "core/sym-clones-private.h"
#include "core/sym-element.h"
#include "core/sym-statistics-private.h"

#define RUN 2048 /* numbers that are looked at in one go, so that they stay in the cache */
#define PIECE \
  (32 * RUN)     /* elements that are read from a tensor at once; whole bytes of any dtype */
#define TABLES 4 /* of bins, for which the same */
#define LANES 16 /* independent sums, for which a compiler finds vectors */

/* A sum and what rounding took from it. */
typedef struct {
  double sum, lost;
} Sum;

/* A mean and what rounding took from it. */
typedef struct {
  double mean, rest;
} Mean;

/* Of one run after the other. */
typedef struct {
  SymStatistics *result;
  guint64 n; /* finite ones so far */
  Sum sum;
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

/* What is left of the division is divided again: near the mean, all depends on its last digits. */
static Mean
get_mean (const Sum *sum, guint64 n)
{
  Mean self = { get_total (sum) / (double) n, 0 };

  self.rest = (fma (-self.mean, (double) n, sum->sum) + sum->lost) / (double) n;
  return self;
}

/* ---- One run of finite numbers ---- */

/* LANES at a time, and the rest one by one. */
SYM_CLONES static Sum
sum_run (const double *values, guint n)
{
  double sums[LANES] = { 0 }, lost[LANES] = { 0 };
  Sum total = { 0 };
  guint i = 0;

  for (; i + LANES <= n; i += LANES)
    for (guint k = 0; k < LANES; k++)
      {
        double sum = sums[k] + values[i + k];
        double part = sum - sums[k];

        lost[k] += (sums[k] - (sum - part)) + (values[i + k] - part);
        sums[k] = sum;
      }
  for (; i < n; i++)
    add (&total, values[i]);
  for (guint k = 0; k < LANES; k++)
    {
      add (&total, sums[k]);
      total.lost += lost[k];
    }
  return total;
}

/* Of the distances to the mean.  All are positive, so that plain sums lose little. */
SYM_CLONES static double
sum_squares (const double *values, guint n, Mean center)
{
  double sums[LANES] = { 0 };
  double total = 0;
  guint i = 0;

  for (; i + LANES <= n; i += LANES)
    for (guint k = 0; k < LANES; k++)
      {
        double distance = (values[i + k] - center.mean) - center.rest;

        sums[k] += distance * distance;
      }
  for (; i < n; i++)
    {
      double distance = (values[i] - center.mean) - center.rest;

      sums[0] += distance * distance;
    }
  for (guint k = 0; k < LANES; k++)
    total += sums[k];
  return total;
}

SYM_CLONES static void
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
merge (Pass *self, guint n, const Sum *sum, Mean mean, double squares)
{
  if (self->n > 0)
    {
      double n_before = (double) self->n;
      Mean before = get_mean (&self->sum, self->n);
      double way = (mean.mean - before.mean) + (mean.rest - before.rest);

      add (&self->squares, way * way * (n_before * n / (n_before + n)));
    }
  add (&self->squares, squares);
  add (&self->sum, sum->sum);
  self->sum.lost += sum->lost;
  self->n += n;
}

static void
add_finite (Pass *self, const double *values, guint n)
{
  Sum sum;
  Mean mean;

  if (n == 0)
    return;
  find_extremes (self->result, values, n);
  sum = sum_run (values, n);
  mean = get_mean (&sum, n);
  merge (self, n, &sum, mean, sum_squares (values, n, mean));
}

/* ---- Any numbers ---- */

/* How many are finite and not zero is found without a branch; few runs have others. */
SYM_CLONES static guint
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

/* ---- Floats ---- */

/* FALSE when there is one that is not finite: then nothing was added. */
static gboolean
add_floats (Pass *self, const float *values, guint n)
{
  double first = (double) values[0], middle;
  SymFloatRun run;
  Sum sum = { 0 };
  Mean mean;

  sym_statistics_scan_floats (values, n, &run);
  if (!run.is_finite)
    return FALSE;
  self->result->min = (double) run.low >= self->result->min ? self->result->min : (double) run.low;
  self->result->max =
      (double) run.high <= self->result->max ? self->result->max : (double) run.high;
  self->result->n_elements += n;
  self->result->n_zeros += run.n_zeros;
  add (&sum, first * n);
  add (&sum, run.sum);
  middle = run.sum / n;
  mean.mean = first + middle;
  mean.rest = (first - mean.mean) + middle;
  merge (self, n, &sum, mean, MAX (run.squares - middle * run.sum, 0));
  return TRUE;
}

/* ---- Bins ---- */

/* The bin of each number; @n_bins for what is not within the edges, as nothing that is not finite
 * is.  The last edge belongs to the last bin; rounding may put what is just below it there, too. */
SYM_CLONES static void
find_bins (const SymStatistics *result, const double *values, guint n, gint32 *bins)
{
  double first = result->first_edge, last = result->last_edge;
  double scale = result->n_bins / (last - first);
  gint32 n_bins = (gint32) result->n_bins;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_within = values[i] >= first && values[i] <= last;
      gint32 bin = (gint32) (((is_within ? values[i] : last) - first) * scale);

      bin = bin < n_bins ? bin : n_bins - 1;
      bins[i] = is_within ? bin : n_bins;
    }
}

/* The same where the width of all is no double, or its inverse is none. */
static void
find_wide_bins (const SymStatistics *result, const double *values, guint n, gint32 *bins)
{
  double first = result->first_edge, last = result->last_edge;
  double part = isfinite (last - first) ? 1 : 0.5;

  for (guint i = 0; i < n; i++)
    {
      double place =
          (values[i] * part - first * part) / (last * part - first * part) * result->n_bins;

      bins[i] = (gint32) result->n_bins;
      if (values[i] >= first && values[i] <= last)
        bins[i] = (gint32) MIN ((guint) place, result->n_bins - 1);
    }
}

/* Neighbours are often alike, so each goes to a table of its own: one need not wait for the other.
 */
static void
bin_run (gpointer data, double *values, guint n)
{
  SymStatistics *result = data;
  guint tables[TABLES][SYM_STATISTICS_MAX_BINS + 1] = { { 0 } };
  gint32 bins[RUN];

  if (isfinite (result->n_bins / (result->last_edge - result->first_edge)) &&
      isfinite (result->last_edge - result->first_edge))
    find_bins (result, values, n, bins);
  else
    find_wide_bins (result, values, n, bins);
  for (guint i = 0; i < n; i++)
    tables[i % TABLES][bins[i]]++;
  for (guint i = 0; i < result->n_bins; i++)
    for (guint k = 0; k < TABLES; k++)
      result->bins[i] += tables[k][i];
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

/* FALSE for what takes doubles. */
static gboolean
add_as_floats (SymDType dtype, const guint8 *elements, guint n, AddRun add_one_run, gpointer data)
{
  return dtype == SYM_DTYPE_FLOAT32 && add_one_run == add_run &&
         (gsize) elements % G_ALIGNOF (float) == 0 &&
         add_floats (data, (const float *) (gconstpointer) elements, n);
}

static void
add_piece (SymDType dtype, const guint8 *elements, guint n, AddRun add_one_run, gpointer data)
{
  guint run_bytes = sym_dtype_get_bits (dtype) * RUN / 8;
  double values[RUN];

  for (guint i = 0; i < n; i += RUN, elements += run_bytes)
    {
      guint n_values = MIN (n - i, RUN);

      if (add_as_floats (dtype, elements, n_values, add_one_run, data))
        continue;
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

  *self = (SymStatistics){ .min = (double) NAN,
                           .max = (double) NAN,
                           .mean = (double) NAN,
                           .std = (double) NAN,
                           .first_edge = (double) NAN,
                           .last_edge = (double) NAN,
                           .n_bins = n_bins };
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
  piece = g_malloc (
      MIN (sym_tensor_get_n_bytes (tensor), (guint64) sym_dtype_get_bits (dtype) * PIECE / 8) + 1);
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
