/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "io/sym-io.h"
#include "run/sym-record-distance.h"

#define NET(numbers)                                                                          \
  "<ir_version: 8, opset_import: [\"\" : 13]>\nn (float[2] x) => (float[2] y) <float[2] w = " \
  "{" numbers "}> {\n  s = Add (x, w)\n  y = Mul (s, s)\n}\n"

static SymDistance
measure (const float *actual, const float *expected)
{
  SymArray a = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), (gpointer) actual };
  SymArray b = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), (gpointer) expected };
  SymDistance distance;

  g_assert_true (sym_distance_measure (&distance, &a, &b));
  g_assert_true (distance.is_known);
  return distance;
}

static void
test_numbers (void)
{
  SymDistance distance = measure ((float[]){ 3, 5 }, (float[]){ 3, 4 });

  g_assert_cmpfloat (distance.max, ==, 1);
  g_assert_cmpfloat (distance.relative, ==, 0.25);
  g_assert_cmpfloat (distance.mean, ==, 0.5);
  g_assert_cmpfloat_with_epsilon (distance.cosine, 29 / (5 * sqrt (34)), 1e-12);
  g_assert_true (sym_distance_exceeds (&distance, 0.2, 0.1));
  g_assert_false (sym_distance_exceeds (&distance, 0.2, 0.25));
  g_assert_false (sym_distance_exceeds (&distance, 0, 1));
  distance = measure ((float[]){ 1, 0 }, (float[]){ 0, 0 });
  g_assert_true (isinf (distance.relative));
  g_assert_cmpfloat (distance.cosine, ==, 0);
  g_assert_true (sym_distance_exceeds (&distance, 100, 0.5));
  distance = measure ((float[]){ 0, 0 }, (float[]){ 0, 0 });
  g_assert_cmpfloat (distance.relative, ==, 0);
  g_assert_cmpfloat (distance.cosine, ==, 1);
}

static void
test_odd_numbers (void)
{
  SymDistance distance = measure ((float[]){ NAN, 1 }, (float[]){ NAN, 1 });

  g_assert_cmpuint (distance.n_odd, ==, 0);
  distance = measure ((float[]){ INFINITY, 2 }, (float[]){ -INFINITY, 2 });
  g_assert_cmpuint (distance.n_odd, ==, 1);
  g_assert_cmpfloat (distance.max, ==, 0);
  g_assert_true (sym_distance_exceeds (&distance, 1e9, 1e9));
}

static void
test_other_shapes (void)
{
  float numbers[4] = { 0 };
  SymArray a = { SYM_DTYPE_FLOAT32, SYM_SHAPE (4), numbers };
  SymArray b = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 2), numbers };
  SymDistance distance;

  g_assert_false (sym_distance_measure (&distance, &a, &b));
  g_assert_false (distance.is_known);
  g_assert_false (sym_distance_exceeds (&distance, 0, 0));
}

static SymRecord *
run (const char *text, guint64 n_bytes_to_keep)
{
  float numbers[] = { 1, 2 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };
  SymRecordOptions options = { .n_bytes_to_keep = n_bytes_to_keep };
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "model.onnxtxt", &error);

  g_assert_no_error (error);
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, &error);
  SymFeed feed = { sym_model_get_inputs (model).ids[0], datum };
  SymRecord *record = sym_record_new (model, &feed, 1, &options, NULL, &error);

  g_assert_no_error (error);
  return record;
}

/* s = x + w, which was not kept, and y = s * s. */
static void
test_runs (void)
{
  for (guint64 n_bytes = 0; n_bytes < 200; n_bytes += 100)
    {
      g_autoptr (SymRecord) reference = run (NET ("1, 2"), n_bytes);
      g_autoptr (SymRecord) other = run (NET ("1, 3"), n_bytes);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      SymModel *model = sym_record_get_model (other);
      SymId values[] = { sym_model_get_results (model, 0).ids[0],
                         sym_model_get_outputs (model).ids[0] };
      SymDistance distances[2];
      g_autoptr (GError) error = NULL;

      g_assert_true (
          sym_record_measure (other, reference, values, values, 2, distances, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (distances[0].max, ==, 1);
      g_assert_cmpfloat (distances[0].relative, ==, 0.25);
      g_assert_cmpfloat (distances[1].max, ==, 9);
      g_assert_true (
          sym_record_measure (other, reference, NULL, NULL, 0, NULL, cancellable, &error));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/distance/numbers", test_numbers);
  g_test_add_func ("/run/distance/odd-numbers", test_odd_numbers);
  g_test_add_func ("/run/distance/other-shapes", test_other_shapes);
  g_test_add_func ("/run/distance/runs", test_runs);
  return g_test_run ();
}
