/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"

/* Results that a file leaves out before others. */

#define LSTM                                                             \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n"                         \
  "g (float[5, 2, 1] x) => (float[1, 2, 1] y)\n"                         \
  "<float[1, 4, 1] w = {1, 2, 3, 4}, float[1, 4, 1] r = {1, 2, 3, 4}>\n" \
  "{\n"                                                                  \
  "  \"\", h = LSTM <hidden_size = 1> (x, w, r)\n"                       \
  "  y = Relu (h)\n"                                                     \
  "}\n"

#define SYMSCOPE(nodes, output)                                                                \
  "{\"format\": \"symscope\", \"version\": 1, \"layers\": {\"thing\": {\"type\": \"Thing\"}}," \
  " \"models\": {\"main\": {\"dialect\": \"plain\", \"nodes\": [" nodes                        \
  "], \"inputs\": [\"x\"], \"outputs\": [\"" output "\"]}}}"

static SymModel *
read_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return sym_io_read_bytes (bytes, "text", error);
}

static SymModel *
write_and_read (const char *format, SymModel *model)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize size;
  g_autoptr (GBytes) bytes = NULL;
  SymModel *copy;

  sym_io_write (sym_io_find_format (format), model, inference, path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  bytes = g_bytes_new (text, size);
  copy = sym_io_read_bytes (bytes, "copy", &error);
  g_assert_no_error (error);
  return copy;
}

static void
assert_lstm (const SymModel *model)
{
  SymIds results = sym_model_get_results (model, 0);
  SymIds rows = sym_model_get_rows (model);

  g_assert_cmpuint (results.n, ==, 2);
  g_assert_cmpint (sym_model_get_role (model, results.ids[0]), ==, SYM_ROLE_ABSENT);
  g_assert_cmpint (sym_model_get_role (model, results.ids[1]), ==, SYM_ROLE_INTERMEDIATE);
  g_assert_cmpuint (sym_model_get_first_result (model, 0), ==, results.ids[1]);
  g_assert_cmpuint (sym_model_count_results (model, 0), ==, 1);
  g_assert_cmpuint (rows.n, ==, 3);
  g_assert_cmpstr (sym_model_get_value_name (model, rows.ids[1]), ==, "h");
}

static void
test_no_row (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (LSTM, &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymSummaryRow row;

  g_assert_no_error (error);
  assert_lstm (model);
  inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  summary = sym_summary_new (inference);
  row = sym_summary_get_row (summary, 1);
  g_assert_cmpuint (row.n_parameters, ==, 8);
  g_assert_cmpint (sym_inference_get_type (inference, row.value).shape.dims[1], ==, 2);
  sym_model_collect_children (model, sym_model_get_inputs (model).ids[0], children);
  g_assert_cmpuint (children->len, ==, 1);
  g_assert_cmpuint (g_array_index (children, SymId, 0), ==, row.value);
}

static void
test_written (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (LSTM, &error);
  g_autoptr (SymModel) own = NULL, back = NULL;

  g_assert_no_error (error);
  own = write_and_read ("symscope", model);
  assert_lstm (own);
  back = write_and_read ("onnx", own);
  assert_lstm (back);
}

static void
test_what_is_used_is_there (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (
      SYMSCOPE ("{\"value\": \"x\", \"role\": \"input\"}, {\"call\": \"c\", \"layer\": \"thing\","
                " \"operands\": [\"x\"], \"results\": [{\"value\": \"a\", \"role\": \"absent\"},"
                " \"b\"]}",
                "a"),
      &error);

  g_assert_no_error (error);
  g_assert_cmpint (sym_model_get_role (model, sym_model_get_outputs (model).ids[0]), ==,
                   SYM_ROLE_INTERMEDIATE);
  g_assert_cmpuint (sym_model_get_rows (model).n, ==, 3);
}

static void
test_only_results_are_absent (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model =
      read_text (SYMSCOPE ("{\"value\": \"x\", \"role\": \"absent\"}", "x"), &error);

  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT);
  g_assert_nonnull (strstr (
      error->message, "'role' must be input, intermediate, parameter, auxiliary or constant"));
  g_assert_null (model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/absent/is-no-row", test_no_row);
  g_test_add_func ("/io/absent/is-written-as-that", test_written);
  g_test_add_func ("/io/absent/what-is-used-is-there", test_what_is_used_is_there);
  g_test_add_func ("/io/absent/only-results-are", test_only_results_are_absent);
  return g_test_run ();
}
