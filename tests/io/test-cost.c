/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "core/sym-summary.h"
#include "cost.h"
#include "run/sym-plan.h"
#include "run/sym-run-fill.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

/* Files of a size at which what is quadratic takes minutes: reading them, inferring, listing and
 * writing what was read takes no more than the file justifies. */

/* Of this process alone.  Each of these takes a hundredth of it. */
#define MAX_SECONDS 5

static double
get_seconds (void)
{
  return (double) clock () / CLOCKS_PER_SEC;
}

static void
tell (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autofree char *table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_TEXT, TRUE);

  g_assert_nonnull (table);
}

#define MANY 100000

static GString *
write_ngraph_constant (void)
{
  GString *text = g_string_new ("[{\"parameters\": [], \"result\": [\"c\"], \"ops\": [{\"name\": "
                                "\"c\", \"op\": \"Constant\", \"element_type\": \"float\", ");

  g_string_append_printf (text, "\"shape\": [%d], \"value\": [", MANY);
  cost_append_many (text, "\"1\"", ",", MANY);
  g_string_append (text, "]}]}]");
  return text;
}

static GString *
write_rknn_nodes (void)
{
  GString *text = g_string_new ("{\"network_platform\": \"x\", \"connection\": [], \"nodes\": [");

  cost_append_many (text, "{\"lid\": \"n\", \"op\": \"a\"}", ",", MANY);
  g_string_append (text, "]}");
  return text;
}

static GString *
write_onednn_results (void)
{
  GString *text =
      g_string_new ("{\"version\": \"3\", \"engine_kind\": \"cpu\", \"graph\": [{\"id\": "
                    "1, \"name\": \"a\", \"kind\": \"Split\", \"inputs\": [], "
                    "\"outputs\": [");

  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (text, "%s{\"id\": %u, \"dtype\": \"f32\", \"shape\": [1]}",
                            i == 0 ? "" : ",", i);
  g_string_append (text, "]}]}");
  return text;
}

/* A layer of one result, says the file, has many. */
static GString *
write_paddlejs_results (void)
{
  GString *text = g_string_new ("{\"chunkNum\": 0, \"vars\": [");

  for (const char *name = "abcd"; *name != '\0'; name++)
    g_string_append_printf (
        text, "{\"name\": \"%c\", \"shape\": [2], \"dtype\": \"float32\", \"persistable\": true}, ",
        *name);
  g_string_append (
      text,
      "{\"name\": \"x\", \"shape\": [1, 2, 4, 4], \"dtype\": \"float32\"}], \"ops\": [{\"type\": "
      "\"feed\", \"inputs\": {\"X\": [\"feed\"]}, \"outputs\": {\"Out\": [\"x\"]}, \"attrs\": {}}, "
      "{\"type\": \"batch_norm\", \"inputs\": {\"X\": [\"x\"], \"Scale\": [\"a\"], \"Bias\": "
      "[\"b\"], \"Mean\": [\"c\"], \"Variance\": [\"d\"]}, \"attrs\": {\"epsilon\": 1e-05, "
      "\"data_layout\": \"NCHW\"}, \"outputs\": {\"Y\": [");
  cost_append_many (text, "\"y\"", ",", 2 * MANY);
  g_string_append (text, "]}}]}");
  return text;
}

#define N_LAYERS_OF_ONE_ID 10000

/* All edges lead to the id that all layers have. */
static GString *
write_openvino_ids (void)
{
  GString *text = g_string_new ("<net name=\"n\" version=\"11\"><layers>");

  cost_append_many (text, "<layer id=\"1\" name=\"a\" type=\"ReLU\"/>", "", N_LAYERS_OF_ONE_ID);
  g_string_append (text, "</layers><edges>");
  for (guint i = 0; i < N_LAYERS_OF_ONE_ID; i++)
    g_string_append_printf (
        text, "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"1\" to-port=\"%u\"/>", i);
  g_string_append (text, "</edges></net>");
  return text;
}

/* Models within each other, each of which calls the next twice: the innermost stands for 2^28. */
static GString *
write_keras_nested (void)
{
  static const char begin[] =
      "{\"name\": \"m\", \"input_layers\": [[\"i\", 0, 0]], \"output_layers\": [[\"m\", %d, 0]], "
      "\"layers\": [{\"class_name\": \"InputLayer\", \"name\": \"i\", \"config\": "
      "{\"batch_input_shape\": [null, 3]}, \"inbound_nodes\": []}, ";
  static const char end[] = "\"inbound_nodes\": [[[\"i\", 0, 0, {}]]%s]}]}";
  GString *text =
      g_string_new ("{\"class_name\": \"Functional\", \"keras_version\": \"2.15.0\", \"config\": ");

  for (guint i = 0; i < 28; i++)
    {
      g_string_append_printf (text, begin, 1);
      g_string_append (text, "{\"class_name\": \"Functional\", \"name\": \"m\", \"config\": ");
    }
  g_string_append_printf (text, begin, 0);
  g_string_append (text, "{\"class_name\": \"ReLU\", \"name\": \"m\", \"config\": {}, ");
  g_string_append_printf (text, end, "");
  for (guint i = 0; i < 28; i++)
    {
      g_string_append (text, ", ");
      g_string_append_printf (text, end, ", [[\"m\", 0, 0, {}]]");
    }
  g_string_append_c (text, '}');
  return text;
}

/* A layer that is applied many times, each of which tells its line, a million lines behind what is
 * before it. */
#define N_CALLS 20000

static GString *
write_keras_lines (void)
{
  g_autofree char *ends = g_strnfill (1000000, '\n');
  GString *text = g_string_new ("{\"class_name\": \"Functional\", \"config\": {\"name\": \"m\", "
                                "\"layers\": [{\"class_name\": \"InputLayer\", \"name\": \"i\", "
                                "\"config\": {\"name\": \"i\", \"batch_input_shape\": [null, 4]}, "
                                "\"inbound_nodes\": []},");

  g_string_append (text, ends);
  g_string_append (text, "{\"class_name\": \"Flatten\", \"name\": \"f\", \"config\": {\"name\": "
                         "\"f\"}, \"inbound_nodes\": [");
  for (guint i = 0; i < N_CALLS; i++)
    g_string_append_printf (text, "%s[[\"i\", 0, 0, {}]]", i == 0 ? "" : ",");
  g_string_append (text, "]}], \"input_layers\": [[\"i\", 0, 0]], \"output_layers\": "
                         "[[\"f\", 0, 0]]}}");
  return text;
}

static const struct {
  const char *path;
  GString *(*write) (void);
  guint n_values;
} cases[] = {
  { "/io/cost/ngraph-constant-of-many-numbers", write_ngraph_constant, 1 },
  { "/io/cost/rknn-of-many-nodes", write_rknn_nodes, MANY },
  { "/io/cost/onednn-layer-of-many-results", write_onednn_results, MANY },
  { "/io/cost/paddlejs-layer-of-many-results", write_paddlejs_results, 2 * MANY + 5 },
  { "/io/cost/openvino-layers-of-one-id", write_openvino_ids, 1 },
  { "/io/cost/keras-models-called-twice-within-each-other", write_keras_nested, 3 },
  { "/io/cost/keras-layer-of-many-calls-behind-many-lines", write_keras_lines, N_CALLS + 1 },
};

static void
test_case (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  double start = get_seconds ();
  g_autoptr (SymModel) model = cost_read_text (cases[i].write ());

  tell (model);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, cases[i].n_values);
  g_assert_cmpfloat (get_seconds () - start, <, MAX_SECONDS);
}

/* What cannot be in memory is not planned. */
static void
test_plan (void)
{
  g_autoptr (SymModel) model = cost_read_text (write_keras_nested ());
  g_autoptr (GError) error = NULL;
  double start = get_seconds ();

  g_assert_null (sym_plan_new (model, NULL, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_LIMIT);
  g_assert_cmpfloat (get_seconds () - start, <, MAX_SECONDS);
}

/* A layer of many results, each of which has all of its operands as parents. */
#define N_WIDE 3000

static GString *
write_onednn_wide (guint n)
{
  GString *text = g_string_new ("{\"version\": \"3\", \"engine_kind\": \"cpu\", \"graph\": "
                                "[{\"id\": 1, \"name\": \"a\", \"kind\": \"Custom\", "
                                "\"inputs\": [");

  for (guint i = 0; i < 2 * n; i++)
    g_string_append_printf (text, "%s{\"id\": %u, \"dtype\": \"f32\", \"shape\": [1]}",
                            i == 0   ? ""
                            : i == n ? "], \"outputs\": ["
                                     : ",",
                            i);
  g_string_append (text, "]}]}");
  return text;
}

/* The first result lists them all, in lines of 120 bytes at most; the others a few. */
static void
test_wide (void)
{
  GString *text = write_onednn_wide (N_WIDE);
  gsize n_bytes = text->len;
  g_autoptr (SymModel) model = cost_read_text (text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  g_assert_cmpuint (sym_summary_get_n_rows (summary), ==, 2 * N_WIDE);
  for (SymStyle style = SYM_STYLE_SYMBOLIC; style <= SYM_STYLE_TORCHINFO; style++)
    {
      g_autofree char *table = sym_summary_to_string (summary, style, SYM_FORMAT_TEXT, TRUE);

      g_assert_cmpuint (strlen (table), <, 32 * n_bytes);
      g_assert_true ((strstr (table, "and 2992 more") != NULL) == (style != SYM_STYLE_TORCHINFO));
    }
}

/* One layer that takes so many integers, of so many inputs in turn. */
static GString *
write_onednn_concat (guint n, guint n_inputs)
{
  GString *text = g_string_new ("{\"version\": \"3\", \"engine_kind\": \"cpu\", \"graph\": "
                                "[{\"id\": 1, \"name\": \"a\", \"kind\": \"Concat\", "
                                "\"attrs\": {\"axis\": {\"type\": \"s64\", \"value\": 0}}, "
                                "\"inputs\": [");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s{\"id\": %u, \"dtype\": \"s32\", \"shape\": [1]}",
                            i == 0 ? "" : ",", i % n_inputs);
  g_string_append_printf (
      text, "], \"outputs\": [{\"id\": %u, \"dtype\": \"s32\", \"shape\": [%u]}]}]}", n_inputs, n);
  return text;
}

/* What each of many operands is filled with. */
static void
test_fill (guint n, guint n_inputs)
{
  g_autoptr (SymModel) model = cost_read_text (write_onednn_concat (n, n_inputs));
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymIds inputs = sym_model_get_inputs (model);
  double start = get_seconds ();

  g_assert_cmpuint (inputs.n, ==, n_inputs);
  for (guint i = 0; i < inputs.n; i++)
    g_assert_cmpuint (sym_run_fill_find_limit (inference, inputs.ids[i]), ==, SYM_RUN_FILL_LIMIT);
  g_assert_cmpfloat (get_seconds () - start, <, MAX_SECONDS);
}

static void
test_fill_of_many_inputs (void)
{
  test_fill (10000, 10000);
}

static void
test_fill_of_one_input (void)
{
  test_fill (50000, 1);
}

/* ---- Writing ---- */

/* Layers after each other, of one name or of one each. */
static GString *
write_onednn_chain (guint n, gboolean has_names)
{
  GString *text = g_string_new ("{\"version\": \"3\", \"engine_kind\": \"cpu\", \"graph\": [");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = has_names ? g_strdup_printf ("a%u", i) : g_strdup ("a");

      g_string_append_printf (text,
                              "%s{\"id\": %u, \"name\": \"%s\", \"kind\": \"ReLU\", \"inputs\": "
                              "[{\"id\": %u, \"dtype\": \"f32\", \"shape\": [1, 2]}], "
                              "\"outputs\": [{\"id\": %u, \"dtype\": \"f32\", \"shape\": [1, "
                              "2]}]}",
                              i == 0 ? "" : ",", i, name, i, i + 1);
    }
  g_string_append (text, "]}");
  return text;
}

static void
write_as (SymModel *model, const char *format)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  g_autoptr (GError) error = NULL;

  sym_io_write (sym_io_find_format (format), model, inference, path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static const struct {
  const char *path;
  const char *format;
  guint n;
  gboolean has_names;
} written[] = {
  { "/io/cost/many-layers-are-written-as-keras", "keras", 60000, TRUE },
  { "/io/cost/many-layers-of-one-name-are-written-as-keras", "keras", 10000, FALSE },
  { "/io/cost/many-layers-of-one-name-are-written-as-onnx", "onnx", 10000, FALSE },
};

/* It takes about seven times as long as reading; more than fifteen where each layer looks at all, a
 * hundred where each name is tried. */
static void
test_writing (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  double start = get_seconds (), middle;
  g_autoptr (SymModel) model =
      cost_read_text (write_onednn_chain (written[i].n, written[i].has_names));

  tell (model);
  middle = get_seconds ();
  write_as (model, written[i].format);
  g_assert_cmpfloat (get_seconds () - middle, <, 15 * (middle - start));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, GUINT_TO_POINTER (i), test_case);
  g_test_add_func ("/io/cost/models-called-within-each-other-are-not-planned", test_plan);
  g_test_add_func ("/io/cost/layer-of-many-operands-and-results-is-listed", test_wide);
  g_test_add_func ("/io/cost/many-operands-of-one-layer-are-filled-of-many-inputs",
                   test_fill_of_many_inputs);
  g_test_add_func ("/io/cost/many-operands-of-one-layer-are-filled-of-one-input",
                   test_fill_of_one_input);
  for (guint i = 0; i < G_N_ELEMENTS (written); i++)
    g_test_add_data_func (written[i].path, GUINT_TO_POINTER (i), test_writing);
  return g_test_run ();
}
