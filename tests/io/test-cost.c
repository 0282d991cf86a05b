/* SPDX-License-Identifier: MIT */
#include "../count-tensors.h"
#include "core/sym-error.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "run/sym-plan.h"
#include "run/sym-run-fill.h"

#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

/* Files of a size at which what is quadratic takes minutes, and small ones that claim much: reading
 * them, inferring and listing what was read takes no more than the file justifies. */

/* Of this process alone.  Each of these takes a hundredth of it. */
#define MAX_SECONDS 5

static double
get_seconds (void)
{
  return (double) clock () / CLOCKS_PER_SEC;
}

static void
append_many (GString *text, const char *part, const char *between, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : between, part);
}

static SymModel *
read_text (GString *take_text)
{
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (take_text);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "file", &error);

  g_assert_no_error (error);
  return model;
}

static void
tell (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autofree char *table = sym_summary_to_string (summary, SYM_STYLE_KERAS, SYM_FORMAT_TEXT, TRUE);

  g_assert_nonnull (table);
}

static guint
count_warnings (const SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);
  guint n = 0;

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    n += sym_problems_get (problems, i)->severity == SYM_SEVERITY_WARNING;
  return n;
}

/* ---- Time ---- */

#define MANY 100000

static GString *
write_ngraph_constant (void)
{
  GString *text = g_string_new ("[{\"parameters\": [], \"result\": [\"c\"], \"ops\": [{\"name\": "
                                "\"c\", \"op\": \"Constant\", \"element_type\": \"float\", ");

  g_string_append_printf (text, "\"shape\": [%d], \"value\": [", MANY);
  append_many (text, "\"1\"", ",", MANY);
  g_string_append (text, "]}]}]");
  return text;
}

static GString *
write_rknn_nodes (void)
{
  GString *text = g_string_new ("{\"network_platform\": \"x\", \"connection\": [], \"nodes\": [");

  append_many (text, "{\"lid\": \"n\", \"op\": \"a\"}", ",", MANY);
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
  append_many (text, "\"y\"", ",", 2 * MANY);
  g_string_append (text, "]}}]}");
  return text;
}

#define N_LAYERS_OF_ONE_ID 10000

/* All edges lead to the id that all layers have. */
static GString *
write_openvino_ids (void)
{
  GString *text = g_string_new ("<net name=\"n\" version=\"11\"><layers>");

  append_many (text, "<layer id=\"1\" name=\"a\" type=\"ReLU\"/>", "", N_LAYERS_OF_ONE_ID);
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
};

static void
test_case (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  double start = get_seconds ();
  g_autoptr (SymModel) model = read_text (cases[i].write ());

  tell (model);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, cases[i].n_values);
  g_assert_cmpfloat (get_seconds () - start, <, MAX_SECONDS);
}

/* What cannot be in memory is not planned. */
static void
test_plan (void)
{
  g_autoptr (SymModel) model = read_text (write_keras_nested ());
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
  g_autoptr (SymModel) model = read_text (text);
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

/* What each of many operands is filled with. */
static void
test_fill (void)
{
  g_autoptr (SymModel) model = read_text (write_onednn_wide (10000));
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymIds inputs = sym_model_get_inputs (model);
  double start = get_seconds ();

  g_assert_cmpuint (inputs.n, ==, 10000);
  for (guint i = 0; i < inputs.n; i++)
    g_assert_cmpuint (sym_run_fill_find_limit (inference, inputs.ids[i]), ==, SYM_RUN_FILL_LIMIT);
  g_assert_cmpfloat (get_seconds () - start, <, MAX_SECONDS);
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
  g_autoptr (SymModel) model = read_text (write_onednn_chain (written[i].n, written[i].has_names));

  tell (model);
  middle = get_seconds ();
  write_as (model, written[i].format);
  g_assert_cmpfloat (get_seconds () - middle, <, 15 * (middle - start));
}

/* ---- Memory ---- */

/* All layers together get as many results as a small file may claim, and one each. */
#define N_LAYERS 200
#define MAX_VALUES (16 * 1024)

static void
check_claims (GString *take_text)
{
  g_autoptr (SymModel) model = read_text (take_text);

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, N_LAYERS);
  g_assert_cmpuint (sym_model_get_n_values (model), >, 1024);
  g_assert_cmpuint (sym_model_get_n_values (model), <, MAX_VALUES);
  g_assert_cmpuint (count_warnings (model), >, 0);
}

static void
test_tvm_claims (void)
{
  GString *text = g_string_new ("{\"nodes\": [");

  append_many (text,
               "{\"op\": \"tvm_op\", \"name\": \"a\", \"inputs\": [], \"attrs\": {\"num_outputs\": "
               "\"1024\", \"func_name\": \"f\"}}",
               ",", N_LAYERS);
  g_string_append (text, "], \"arg_nodes\": [], \"heads\": [[0, 0, 0]], \"node_row_ptr\": [0]}");
  check_claims (text);
}

static void
test_tensorflow_claims (void)
{
  GString *text =
      g_string_new ("{\"modelTopology\": {\"versions\": {\"producer\": 1}, \"node\": [");

  append_many (text,
               "{\"name\": \"a\", \"op\": \"Unpack\", \"input\": [\"b\"], \"attr\": {\"num\": "
               "{\"i\": \"4096\"}}}",
               ",", N_LAYERS);
  g_string_append (text, "]}}");
  check_claims (text);
}

/* Graphs of the file, by a text with their number twice, each of which names the next one twice. */
static GString *
write_graphs (const char *begin, const char *format, const char *end)
{
  GString *text = g_string_new (begin);

  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i), *next = g_strdup_printf ("%u", i + 1);

      if (i > 0)
        g_string_append_c (text, ',');
      for (const char *at = format; *at != '\0'; at++)
        if (*at == '#' || *at == '$')
          g_string_append (text, *at == '#' ? number : next);
        else
          g_string_append_c (text, *at);
    }
  g_string_append (text, end);
  return text;
}

/* Each of 10,000 nodes is in 60 clusters with long names, which are 36 MB. */
static void
test_dot_scopes (void)
{
  GString *text = g_string_new ("digraph {");
  g_autoptr (SymModel) model = NULL;
  gsize n_bytes = 0;

  append_many (text, "subgraph cluster_with_a_name_that_is_long_and_longer_than_that_of_a_node {",
               "", 60);
  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "a%u;", i);
  append_many (text, "}", "", 61);
  model = read_text (text);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 10000);
  g_assert_cmpuint (count_warnings (model), ==, 1);
  for (SymId call = 0; call < 10000; call++)
    n_bytes += strlen (sym_model_get_call_name (model, call));
  g_assert_cmpuint (n_bytes, >, 1 << 20);
  g_assert_cmpuint (n_bytes, <, 4 << 20);
}

/* Two sets of so many nodes with an edge from each of the one to each of the other. */
static GString *
write_dot_sets (guint n)
{
  GString *text = g_string_new ("digraph {");

  for (guint i = 0; i < 2 * n; i++)
    g_string_append_printf (text, "%s%u", i == 0 ? "{" : i == n ? "} -> {" : " ", i);
  g_string_append (text, "}}");
  return text;
}

/* 5 KB would be 360,000 edges. */
static void
test_dot_sets (void)
{
  g_autoptr (SymModel) model = read_text (write_dot_sets (360));
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (write_dot_sets (600));
  g_autofree char *message =
      g_strdup_printf ("*: more than the %u edges that are read of a drawing of this size",
                       131072 + 4 * (guint) g_bytes_get_size (bytes));
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (sym_model_get_operands (model, 719).n, ==, 360);
  g_assert_null (sym_io_read_bytes (bytes, "file", &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT);
  if (!g_pattern_match_simple (message, error->message))
    g_error ("%s", error->message);
}

static guint64
count_nested (const SymModel *model)
{
  guint64 n = 0;

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_get_layer (model, call);

      for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
        n += 1 + count_nested (sym_layer_get_body (layer, i, NULL));
    }
  return n;
}

/* The innermost would be there 2^15 times, or 4^15; some of them are shown. */
static void
check_bodies (GString *take_text)
{
  g_autoptr (SymModel) model = read_text (take_text);

  g_assert_cmpuint (count_nested (model), >, 100);
  g_assert_cmpuint (count_nested (model), <, 1000);
}

static void
test_model_explorer_bodies (void)
{
  check_bodies (write_graphs ("{\"graphs\": [",
                              "{\"id\": \"#\", \"nodes\": [{\"id\": \"n\", \"label\": \"a\", "
                              "\"subgraphIds\": [\"$\", \"$\"]}]}",
                              "]}"));
}

static void
test_tosa_bodies (void)
{
  check_bodies (write_graphs ("{\"version\": {\"_major\": 1}, \"regions\": [",
                              "{\"name\": \"#\", \"blocks\": [{\"operators\": [{\"op\": "
                              "\"COND_IF\", \"attribute\": {\"then_graph\": \"$\", \"else_graph\": "
                              "\"$\"}}]}]}",
                              "]}"));
}

#define FUNCTION                                                                              \
  "{\"signature\": {\"name\": \"f#\", \"inputArg\": [{\"name\": \"x\"}]}, \"nodeDef\": "      \
  "[{\"name\": "                                                                              \
  "\"a\", \"op\": \"PartitionedCall\", \"input\": [\"x\"], \"attr\": {\"f\": {\"func\": "     \
  "{\"name\": "                                                                               \
  "\"f$\"}}}}, {\"name\": \"b\", \"op\": \"PartitionedCall\", \"input\": [\"a\"], \"attr\": " \
  "{\"f\": "                                                                                  \
  "{\"func\": {\"name\": \"f$\"}}}}], \"ret\": {}}"

/* Each is there 3,000 times, not 20,000. */
static void
test_tensorflow_bodies (void)
{
  g_autoptr (SymModel) model = read_text (write_graphs (
      "{\"modelTopology\": {\"node\": [{\"name\": \"c\", \"op\": \"PartitionedCall\", \"attr\": "
      "{\"f\": {\"func\": {\"name\": \"f0\"}}}}], \"versions\": {\"producer\": 1}, \"library\": "
      "{\"function\": [",
      FUNCTION, "]}}}"));

  g_assert_cmpuint (count_nested (model), >, 1000);
  g_assert_cmpuint (count_nested (model), <, 5000);
}

/* A function of nothing but operands, which are there for each of its calls. */
static void
test_tensorflow_ends (void)
{
  GString *text = g_string_new (
      "{\"modelTopology\": {\"versions\": {\"producer\": 1}, \"library\": {\"function\": "
      "[{\"signature\": {\"name\": \"f\", \"inputArg\": [");
  g_autoptr (SymModel) model = NULL;

  append_many (text, "{\"name\": \"x\"}", ",", 2000);
  g_string_append (text, "]}, \"nodeDef\": [], \"ret\": {}}]}, \"node\": [");
  append_many (text,
               "{\"name\": \"c\", \"op\": \"PartitionedCall\", \"attr\": {\"f\": {\"func\": "
               "{\"name\": \"f\"}}}}",
               ",", 2000);
  g_string_append (text, "]}}");
  model = read_text (text);
  g_assert_cmpuint (count_nested (model), >, 32);
  g_assert_cmpuint (count_nested (model), <, 100);
}

static void
test_tflite_bodies (void)
{
  check_bodies (write_graphs ("{\"operator_codes\": [{\"builtin_code\": \"WHILE\"}], "
                              "\"subgraphs\": [",
                              "{\"tensors\": [], \"operators\": [{\"builtin_options\": "
                              "{\"cond_subgraph_index\": $, \"body_subgraph_index\": $}}, "
                              "{\"builtin_options\": {\"cond_subgraph_index\": $, "
                              "\"body_subgraph_index\": $}}]}",
                              "]}"));
}

/* A constant that has one value for all of its elements has them; those of all are no more than
 * 2^22. */
static void
test_ngraph_claims (void)
{
  GString *text = g_string_new ("[{\"parameters\": [], \"result\": [\"c\"], \"ops\": [");
  g_autoptr (SymModel) model = NULL;

  append_many (text,
               "{\"name\": \"c\", \"op\": \"Constant\", \"element_type\": \"float\", \"shape\": "
               "[65536], \"value\": [\"1\"]}",
               ",", N_LAYERS);
  g_string_append (text, "]}]");
  model = read_text (text);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, N_LAYERS);
  g_assert_cmpuint (count_tensors (model), ==, 64);
}

/* What is no number has no place among whole ones. */
static void
test_ngraph_nan (void)
{
  GString *text = g_string_new ("[{\"parameters\": [], \"result\": [\"a\"], \"ops\": [");
  g_autoptr (SymModel) model = NULL;

  append_many (text,
               "{\"name\": \"a\", \"op\": \"Constant\", \"element_type\": \"int64_t\", \"shape\": "
               "[1], \"value\": [\"nan\"]}, {\"name\": \"b\", \"op\": \"Constant\", "
               "\"element_type\": \"float\", \"shape\": [1], \"value\": [\"nan\"]}",
               ",", 1);
  g_string_append (text, "]}]");
  model = read_text (text);
  g_assert_null (sym_model_get_tensor (model, 0));
  g_assert_nonnull (sym_model_get_tensor (model, 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, GUINT_TO_POINTER (i), test_case);
  g_test_add_func ("/io/cost/models-called-within-each-other-are-not-planned", test_plan);
  g_test_add_func ("/io/cost/layer-of-many-operands-and-results-is-listed", test_wide);
  g_test_add_func ("/io/cost/many-operands-of-one-layer-are-filled", test_fill);
  for (guint i = 0; i < G_N_ELEMENTS (written); i++)
    g_test_add_data_func (written[i].path, GUINT_TO_POINTER (i), test_writing);
  g_test_add_func ("/io/cost/tvm-results-that-no-file-justifies", test_tvm_claims);
  g_test_add_func ("/io/cost/tensorflow-results-that-no-file-justifies", test_tensorflow_claims);
  g_test_add_func ("/io/cost/dot-clusters-that-no-file-justifies", test_dot_scopes);
  g_test_add_func ("/io/cost/dot-sets-that-no-file-justifies", test_dot_sets);
  g_test_add_func ("/io/cost/model-explorer-graphs-within-each-other", test_model_explorer_bodies);
  g_test_add_func ("/io/cost/tosa-blocks-within-each-other", test_tosa_bodies);
  g_test_add_func ("/io/cost/tensorflow-functions-within-each-other", test_tensorflow_bodies);
  g_test_add_func ("/io/cost/tensorflow-functions-of-many-operands", test_tensorflow_ends);
  g_test_add_func ("/io/cost/tflite-graphs-within-each-other", test_tflite_bodies);
  g_test_add_func ("/io/cost/ngraph-constants-that-no-file-justifies", test_ngraph_claims);
  g_test_add_func ("/io/cost/ngraph-nan-is-no-whole-number", test_ngraph_nan);
  return g_test_run ();
}
