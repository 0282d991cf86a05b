/* SPDX-License-Identifier: MIT */
#include "../count-tensors.h"
#include "core/sym-infer.h"
#include "cost.h"

/* Small files that claim much: what is read of them is no more than they justify. */

/* All layers together get as many results as a small file may claim, and one each. */
#define N_LAYERS 200
#define MAX_VALUES (16 * 1024)

static void
check_claims (GString *take_text)
{
  g_autoptr (SymModel) model = cost_read_text (take_text);

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, N_LAYERS);
  g_assert_cmpuint (sym_model_get_n_values (model), >, 1024);
  g_assert_cmpuint (sym_model_get_n_values (model), <, MAX_VALUES);
  g_assert_cmpuint (cost_count_warnings (model), >, 0);
}

static void
test_tvm_claims (void)
{
  GString *text = g_string_new ("{\"nodes\": [");

  cost_append_many (
      text,
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

  cost_append_many (text,
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

  cost_append_many (
      text, "subgraph cluster_with_a_name_that_is_long_and_longer_than_that_of_a_node {", "", 60);
  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "a%u;", i);
  cost_append_many (text, "}", "", 61);
  model = cost_read_text (text);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 10000);
  g_assert_cmpuint (cost_count_warnings (model), ==, 1);
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
  g_autoptr (SymModel) model = cost_read_text (write_dot_sets (360));
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
  g_autoptr (SymModel) model = cost_read_text (take_text);

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
  g_autoptr (SymModel) model = cost_read_text (write_graphs (
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

  cost_append_many (text, "{\"name\": \"x\"}", ",", 2000);
  g_string_append (text, "]}, \"nodeDef\": [], \"ret\": {}}]}, \"node\": [");
  cost_append_many (text,
                    "{\"name\": \"c\", \"op\": \"PartitionedCall\", \"attr\": {\"f\": {\"func\": "
                    "{\"name\": \"f\"}}}}",
                    ",", 2000);
  g_string_append (text, "]}}");
  model = cost_read_text (text);
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

  cost_append_many (
      text,
      "{\"name\": \"c\", \"op\": \"Constant\", \"element_type\": \"float\", \"shape\": "
      "[65536], \"value\": [\"1\"]}",
      ",", N_LAYERS);
  g_string_append (text, "]}]");
  model = cost_read_text (text);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, N_LAYERS);
  g_assert_cmpuint (count_tensors (model), ==, 64);
}

/* What is no number has no place among whole ones. */
static void
test_ngraph_nan (void)
{
  GString *text = g_string_new ("[{\"parameters\": [], \"result\": [\"a\"], \"ops\": [");
  g_autoptr (SymModel) model = NULL;

  cost_append_many (
      text,
      "{\"name\": \"a\", \"op\": \"Constant\", \"element_type\": \"int64_t\", \"shape\": "
      "[1], \"value\": [\"nan\"]}, {\"name\": \"b\", \"op\": \"Constant\", "
      "\"element_type\": \"float\", \"shape\": [1], \"value\": [\"nan\"]}",
      ",", 1);
  g_string_append (text, "]}]");
  model = cost_read_text (text);
  g_assert_null (sym_model_get_tensor (model, 0));
  g_assert_nonnull (sym_model_get_tensor (model, 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/claims/tvm-results-that-no-file-justifies", test_tvm_claims);
  g_test_add_func ("/io/claims/tensorflow-results-that-no-file-justifies", test_tensorflow_claims);
  g_test_add_func ("/io/claims/dot-clusters-that-no-file-justifies", test_dot_scopes);
  g_test_add_func ("/io/claims/dot-sets-that-no-file-justifies", test_dot_sets);
  g_test_add_func ("/io/claims/model-explorer-graphs-within-each-other",
                   test_model_explorer_bodies);
  g_test_add_func ("/io/claims/tosa-blocks-within-each-other", test_tosa_bodies);
  g_test_add_func ("/io/claims/tensorflow-functions-within-each-other", test_tensorflow_bodies);
  g_test_add_func ("/io/claims/tensorflow-functions-of-many-operands", test_tensorflow_ends);
  g_test_add_func ("/io/claims/tflite-graphs-within-each-other", test_tflite_bodies);
  g_test_add_func ("/io/claims/ngraph-constants-that-no-file-justifies", test_ngraph_claims);
  g_test_add_func ("/io/claims/ngraph-nan-is-no-whole-number", test_ngraph_nan);
  return g_test_run ();
}
