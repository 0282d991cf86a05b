/* SPDX-License-Identifier: MIT */
#include "core/sym-statistics.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

static SymStatistics
compute (SymDType dtype, const void *elements, guint64 n, guint n_bins)
{
  SymStatistics result;
  g_autoptr (GError) error = NULL;

  g_assert_true (
      sym_statistics_compute_elements (&result, dtype, elements, n, n_bins, NULL, &error));
  g_assert_no_error (error);
  return result;
}

static void
check_close (double value, double wanted, const char *what)
{
  if (fabs (value - wanted) > 1e-12 * fabs (wanted))
    g_error ("%s is %.17g, not %.17g", what, value, wanted);
}

__extension__ typedef unsigned __int128 Wide;

/* Numbers that are whole multiples of @unit, a power of two: @offset and @steps of each.  So that
 * sums are exact, and the deviation is that of the steps, by n times the sum of squares less the
 * square of the sum. */
static void
check_moments (gint64 offset, const guint64 *steps, guint n, double unit)
{
  g_autofree double *values = g_new (double, n);
  SymStatistics result;
  gint64 sum = offset * n;
  guint64 sum_steps = 0;
  Wide squares = 0;

  for (guint i = 0; i < n; i++)
    {
      values[i] = (double) (offset + (gint64) steps[i]) * unit;
      sum += (gint64) steps[i];
      sum_steps += steps[i];
      squares += (Wide) steps[i] * steps[i];
    }
  squares = squares * n - (Wide) sum_steps * sum_steps;
  result = compute (SYM_DTYPE_FLOAT64, values, n, 0);
  check_close (result.mean, (double) sum / n * unit, "the mean");
  check_close (result.std, sqrt ((double) squares) / n * unit, "the deviation");
}

static void
test_moments_are_exact (void)
{
  const guint n = 100003;
  static const gint64 offsets[] = { 0, -(1 << 20), (gint64) 1 << 42, -((gint64) 1 << 45) };
  static const double units[] = { 1, 0x1p-20, 0x1p-300, 0x1p300 };
  g_autofree guint64 *steps = g_new (guint64, n);

  for (guint o = 0; o < G_N_ELEMENTS (offsets); o++)
    for (guint u = 0; u < G_N_ELEMENTS (units); u++)
      {
        for (guint i = 0; i < n; i++)
          steps[i] = (guint32) g_test_rand_int () % (1 << 21);
        check_moments (offsets[o], steps, n, units[u]);
        /* The first run is far from all others. */
        for (guint i = 0; i < 4096; i++)
          steps[i] = (guint64) 1 << 40;
        check_moments (offsets[o], steps, n, units[u]);
        for (guint i = 0; i < n; i++)
          steps[i] = i;
        check_moments (offsets[o], steps, n, units[u]);
      }
}

static void
test_known_numbers (void)
{
  const gint16 numbers[] = { -2, 0, 0, 4, 8 };
  SymStatistics result = compute (SYM_DTYPE_INT16, numbers, 5, 5);

  g_assert_cmpuint (result.n_elements, ==, 5);
  g_assert_cmpuint (result.n_zeros, ==, 2);
  g_assert_cmpfloat (result.min, ==, -2);
  g_assert_cmpfloat (result.max, ==, 8);
  g_assert_cmpfloat (result.mean, ==, 2);
  check_close (result.std, sqrt (12.8), "the deviation");
  g_assert_cmpmem (result.bins, 5 * sizeof (guint64), ((guint64[]){ 1, 2, 0, 1, 1 }),
                   5 * sizeof (guint64));
}

static void
test_what_is_not_finite_is_counted_apart (void)
{
  const float numbers[] = { NAN, 1, INFINITY, -INFINITY, -0.0f, 3, NAN };
  const float none[] = { NAN, INFINITY };
  SymStatistics result = compute (SYM_DTYPE_FLOAT32, numbers, 7, 2);
  SymStatistics empty = compute (SYM_DTYPE_FLOAT32, none, 2, 2);

  g_assert_cmpuint (result.n_elements, ==, 7);
  g_assert_cmpuint (result.n_nan, ==, 2);
  g_assert_cmpuint (result.n_infinite, ==, 2);
  g_assert_cmpuint (result.n_zeros, ==, 1);
  g_assert_cmpfloat (result.min, ==, 0);
  g_assert_cmpfloat (result.max, ==, 3);
  check_close (result.mean, 4.0 / 3, "the mean");
  g_assert_cmpuint (result.bins[0], ==, 2);
  g_assert_cmpuint (result.bins[1], ==, 1);
  g_assert_true (isnan (empty.min) && isnan (empty.max) && isnan (empty.mean) && isnan (empty.std));
  g_assert_cmpuint (empty.bins[0] + empty.bins[1], ==, 0);
  empty = compute (SYM_DTYPE_FLOAT32, NULL, 0, 2);
  g_assert_true (isnan (empty.mean));
  g_assert_cmpuint (empty.n_elements, ==, 0);
}

static void
test_bins_hold_all (void)
{
  const double extremes[] = { -1.7e308, 1.7e308, 0 }, same[] = { 4, 4, 4 };
  const double tenths[] = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1 };
  SymStatistics result = compute (SYM_DTYPE_FLOAT64, extremes, 3, 3);

  g_assert_cmpuint (result.bins[0], ==, 1);
  g_assert_cmpuint (result.bins[1], ==, 1);
  g_assert_cmpuint (result.bins[2], ==, 1);
  result = compute (SYM_DTYPE_FLOAT64, same, 3, 4);
  g_assert_cmpfloat (result.first_edge, ==, 3.5);
  g_assert_cmpfloat (result.last_edge, ==, 4.5);
  g_assert_cmpuint (result.bins[2], ==, 3);
  g_assert_cmpfloat (result.std, ==, 0);
  result = compute (SYM_DTYPE_FLOAT64, tenths, 11, SYM_STATISTICS_MAX_BINS);
  g_assert_cmpuint (result.bins[0], ==, 1);
  g_assert_cmpuint (result.bins[SYM_STATISTICS_MAX_BINS - 1], ==, 1);
  g_assert_cmpuint (result.bins[512], ==, 1);
}

static SymTensor *
make_tensor (SymDType dtype, guint n, GBytes **contents)
{
  SymShape shape = SYM_SHAPE (n);
  guint64 size = 0;
  guint8 *bytes;
  g_autoptr (SymBlob) blob = NULL;

  g_assert_true (sym_dtype_get_size (dtype, n, &size));
  bytes = g_malloc (size);
  for (guint i = 0; i < size; i++)
    bytes[i] = (guint8) g_test_rand_int ();
  *contents = g_bytes_new_take (bytes, size);
  blob = sym_blob_new_bytes (*contents);
  return sym_tensor_new (dtype, &shape, blob, 0, NULL);
}

/* Sums of floats may be added in another order, which the last digits of random numbers tell. */
static void
assert_same (const SymStatistics *a, const SymStatistics *b)
{
  g_assert_cmpuint (a->n_elements, ==, b->n_elements);
  g_assert_cmpuint (a->n_zeros, ==, b->n_zeros);
  g_assert_cmpuint (a->n_nan, ==, b->n_nan);
  g_assert_cmpuint (a->n_infinite, ==, b->n_infinite);
  g_assert_cmpuint (a->n_bins, ==, b->n_bins);
  g_assert_cmpmem (&a->min, sizeof a->min, &b->min, sizeof b->min);
  g_assert_cmpmem (&a->max, sizeof a->max, &b->max, sizeof b->max);
  g_assert_cmpmem (a->bins, sizeof a->bins, b->bins, sizeof b->bins);
  if (isfinite (a->std))
    {
      g_assert_cmpfloat (fabs (a->mean - b->mean), <=, 1e-15 * a->std);
      g_assert_cmpfloat (fabs (a->std - b->std), <=, 1e-14 * a->std);
    }
}

/* Pieces and runs of the two ways begin at the same places for every dtype, 2 and 6 bits included.
 */
static void
test_a_tensor_is_as_its_elements (void)
{
  const guint n = 70001;

  for (guint i = SYM_DTYPE_FLOAT32; i < SYM_N_DTYPES; i++)
    {
      SymDType dtype = (SymDType) i;
      g_autoptr (GBytes) contents = NULL;
      g_autoptr (SymTensor) tensor = NULL;
      g_autofree double *values = g_new (double, n);
      SymStatistics read, doubles;
      guint64 total = 0;

      if (!sym_dtype_is_numeric (dtype))
        continue;
      tensor = make_tensor (dtype, n, &contents);
      g_assert_true (sym_statistics_compute (&read, tensor, 7, NULL, NULL));
      for (guint k = 0; k < n; k++)
        values[k] = sym_element_get_double (dtype, g_bytes_get_data (contents, NULL), k);
      doubles = compute (SYM_DTYPE_FLOAT64, values, n, 7);
      g_assert_cmpuint (read.n_elements, ==, n);
      assert_same (&read, &doubles);
      for (guint k = 0; k < 7; k++)
        total += read.bins[k];
      g_assert_cmpuint (total, ==, n - read.n_nan - read.n_infinite);
    }
}

static void
test_is_cancelled_and_refuses_strings (void)
{
  const char *const strings[] = { "a" };
  SymShape shape = SYM_SHAPE (1);
  g_autoptr (GBytes) contents = NULL;
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_INT8, 5, &contents);
  g_autoptr (SymTensor) text = sym_tensor_new_strings (&shape, strings, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  SymStatistics result;

  g_cancellable_cancel (cancellable);
  g_assert_false (sym_statistics_compute (&result, tensor, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (sym_statistics_compute (&result, text, 0, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/statistics/moments-are-exact", test_moments_are_exact);
  g_test_add_func ("/core/statistics/known-numbers", test_known_numbers);
  g_test_add_func ("/core/statistics/what-is-not-finite-is-counted-apart",
                   test_what_is_not_finite_is_counted_apart);
  g_test_add_func ("/core/statistics/bins-hold-all", test_bins_hold_all);
  g_test_add_func ("/core/statistics/a-tensor-is-as-its-elements",
                   test_a_tensor_is_as_its_elements);
  g_test_add_func ("/core/statistics/is-cancelled-and-refuses-strings",
                   test_is_cancelled_and_refuses_strings);
  return g_test_run ();
}
