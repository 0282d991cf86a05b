/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-io.h"
#include "run/sym-reference.h"

/* a = x + w by a layer called "sum", y = a * a, where x is 1 and 2. */
#define NET                                                                            \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                       \
  "n (float[2] x, string[1] t) => (float[2] y, string[1] u) <float[2] w = {1, 2}> {\n" \
  "  [sum] a = Add (x, w)\n  y = Mul (a, a)\n  u = Identity (t)\n}\n"

static SymRecord *
run (guint64 n_bytes_to_keep)
{
  float numbers[] = { 1, 2 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };
  SymRecordOptions options = { .n_bytes_to_keep = n_bytes_to_keep };
  g_autoptr (GBytes) bytes = g_bytes_new (NET, strlen (NET));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "n.onnxtxt", &error);

  g_assert_no_error (error);
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, &error);
  SymFeed feed = { sym_model_get_inputs (model).ids[0], datum };
  SymRecord *record = sym_record_new (model, &feed, 1, &options, NULL, &error);

  g_assert_no_error (error);
  return record;
}

static SymTensor *
new_tensor (SymDType dtype, SymShape shape, const void *numbers)
{
  SymArray array = { dtype, shape, (gpointer) numbers };
  SymTensor *tensor = sym_tensor_new_copy (&array, NULL);

  g_assert_nonnull (tensor);
  return tensor;
}

static void
assert_entry (const SymReference *reference,
              const SymFinding *findings,
              guint i,
              const char *name,
              SymFindingKind kind)
{
  g_assert_cmpstr (sym_reference_get (reference, i)->name, ==, name);
  g_assert_cmpint (findings[i].kind, ==, kind);
  g_assert_cmpint (findings[i].distance.is_known, ==, kind <= SYM_FINDING_DTYPE);
}

/* In order of execution, whatever was kept. */
static void
test_findings (void)
{
  static const char *const names[] = { "nobody", "y", "sum", "x", "a", "w", "u" };
  const float square[] = { 4, 17 }, pair[] = { 2, 4 };
  const double wide[] = { 1, 2 };
  g_autoptr (SymTensor) y = new_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2), square);
  g_autoptr (SymTensor) a = new_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 2), pair);
  g_autoptr (SymTensor) x = new_tensor (SYM_DTYPE_FLOAT64, SYM_SHAPE (2), wide);
  SymTensor *const tensors[] = { y, y, a, x, a, a, y };

  for (guint64 n_bytes = 0; n_bytes < 200; n_bytes += 100)
    {
      g_autoptr (SymRecord) record = run (n_bytes);
      g_autoptr (SymReference) reference =
          sym_reference_new (sym_record_get_model (record), names, tensors, 7, TRUE);
      SymFinding findings[7];
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (sym_reference_get_n (reference), ==, 7);
      g_assert_cmpuint (sym_reference_get_n_found (reference), ==, 6);
      g_assert_true (sym_reference_measure (reference, record, findings, NULL, &error));
      g_assert_no_error (error);
      assert_entry (reference, findings, 0, "w", SYM_FINDING_NOT_COMPUTED);
      assert_entry (reference, findings, 1, "x", SYM_FINDING_DTYPE);
      assert_entry (reference, findings, 2, "a", SYM_FINDING_SHAPE);
      assert_entry (reference, findings, 3, "sum", SYM_FINDING_AGAIN);
      assert_entry (reference, findings, 4, "y", SYM_FINDING_MEASURED);
      assert_entry (reference, findings, 5, "u", SYM_FINDING_NOT_COMPUTED);
      assert_entry (reference, findings, 6, "nobody", SYM_FINDING_UNKNOWN);
      g_assert_cmpfloat (findings[1].distance.max, ==, 0);
      g_assert_cmpfloat (findings[4].distance.max, ==, 1);
      g_assert_true (sym_finding_exceeds (&findings[4], 0.01, 0));
      g_assert_false (sym_finding_exceeds (&findings[4], 0.1, 0));
      g_assert_true (sym_finding_exceeds (&findings[2], 1, 1));
      g_assert_false (sym_finding_exceeds (&findings[6], 0, 0));
    }
}

static void
test_types_are_told (void)
{
  static const char *const names[] = { "y" };
  const double wide[] = { 1, 2 };
  g_autoptr (SymTensor) tensor = new_tensor (SYM_DTYPE_FLOAT64, SYM_SHAPE (1, 2), wide);
  g_autoptr (SymRecord) record = run (0);

  for (guint has_dtypes = 0; has_dtypes < 2; has_dtypes++)
    {
      g_autoptr (SymReference) reference =
          sym_reference_new (sym_record_get_model (record), names, (SymTensor *const[]){ tensor },
                             1, (gboolean) has_dtypes);
      g_autofree char *expected = sym_reference_format_expected (reference, 0);
      g_autofree char *actual = sym_reference_format_actual (reference, 0, record);

      g_assert_cmpstr (expected, ==, has_dtypes ? "float64[1,2]" : "[1,2]");
      g_assert_cmpstr (actual, ==, has_dtypes ? "float32[2]" : "[2]");
    }
}

static void
test_nothing_and_cancelled (void)
{
  static const char *const names[] = { "y" };
  const float numbers[] = { 1, 2 };
  g_autoptr (SymTensor) tensor = new_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers);
  g_autoptr (SymRecord) record = run (0);
  SymModel *model = sym_record_get_model (record);
  g_autoptr (SymReference) empty = sym_reference_new (model, NULL, NULL, 0, TRUE);
  g_autoptr (SymReference) one =
      sym_reference_new (model, names, (SymTensor *const[]){ tensor }, 1, TRUE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  SymFinding finding;

  g_assert_true (sym_reference_measure (empty, record, &finding, NULL, &error));
  g_cancellable_cancel (cancellable);
  g_assert_false (sym_reference_measure (one, record, &finding, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/reference/findings", test_findings);
  g_test_add_func ("/run/reference/types-are-told", test_types_are_told);
  g_test_add_func ("/run/reference/nothing-and-cancelled", test_nothing_and_cancelled);
  return g_test_run ();
}
