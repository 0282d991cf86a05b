/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-model-builder.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "ops/sym-layers.h"

/* Formats that show a model to others: what is read again is written to the same text, all layers
 * and lines are in it, and what is left out is told. */

static char *
write_model (const char *format, SymModel *model, SymProblems *notes)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format (format), model, inference, path, notes, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return text;
}

static SymModel *
read_text (const char *text, const char *name)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, name, &error);

  g_assert_no_error (error);
  return model;
}

/* Layers, and data that none of them makes. */
static guint
count_nodes (const SymModel *model)
{
  guint n = 0;

  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);

      n += entry.is_call || sym_role_is_data (sym_model_get_role (model, entry.id));
    }
  return n;
}

/* A layer that makes nothing is given a result when it is read, to be seen. */
static gboolean
have_results (const SymModel *model)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer;

      if (!sym_model_has_call (model, call))
        continue;
      if (sym_model_get_results (model, call).n == 0)
        return FALSE;
      layer = sym_model_get_layer (model, call);
      for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
        if (!have_results (sym_layer_get_body (layer, i, NULL)))
          return FALSE;
    }
  return TRUE;
}

/* ---- Reading again ---- */

static void
assert_same_again (const char *format, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  const char *name;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (SymModel) third = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *last = NULL;

  if (model == NULL) /* that it is refused is the matter of other tests */
    return;
  g_test_message ("%s", path);
  name = sym_model_get_name (model);
  first = write_model (format, model, NULL);
  again = read_text (first, name);
  g_assert_cmpuint (count_nodes (again), ==, count_nodes (model));
  second = write_model (format, again, NULL);
  third = read_text (second, name);
  last = write_model (format, third, NULL);
  g_assert_cmpstr (second, ==, last);
  if (strcmp (format, "model-explorer") == 0 && have_results (model))
    g_assert_cmpstr (first, ==, second);
}

static guint
walk (const char *format, const char *folder, guint64 max_size)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf about;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        n += walk (format, path, max_size);
      else if (g_stat (path, &about) == 0 && (guint64) about.st_size <= max_size)
        {
          assert_same_again (format, path);
          n++;
        }
    }
  return n;
}

static const char *const folders[] = {
  "dl4j",     "dot",          "execution-trace",
  "keras",    "mnn-json",     "model-explorer",
  "ngraph",   "onednn",       "openvino",
  "mxnet",    "symscope",     "paddle-pir",
  "tensorrt", "tfjs-graph",   "tflite-json",
  "stm32",    "torch-export", "tosa",
  "tvm",      "weight-index", "onnx",
  NULL,
};

static void
test_fixtures (gconstpointer format)
{
  guint n = 0;

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", folders[i], NULL);

      n += walk (format, folder, 1 << 20);
    }
  g_assert_cmpuint (n, >=, 100);
}

static void
test_corpus (gconstpointer format)
{
  static const char *const dirs[] = { "keras",      "model-explorer", "mxnet",
                                      "tfjs-graph", "ngraph",         "torch-export",
                                      "tvm",        "onednn",         NULL };
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  guint n = 0;

  if (corpus == NULL || !g_file_test (corpus, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("there is no corpus");
      return;
    }
  for (guint i = 0; dirs[i] != NULL; i++)
    {
      g_autofree char *folder = g_build_filename (corpus, dirs[i], NULL);

      n += walk (format, folder, 300 << 10);
    }
  g_assert_cmpuint (n, >=, 50);
}

/* ---- What is written ---- */

/* x -> Linear -> ReLU, with a group and names that need care. */
static SymModel *
make_model (void)
{
  static const char text[] =
      "{\"nodes\": [{\"op\": \"null\", \"name\": \"x<&\\\"\", \"attrs\": {\"__shape__\": \"(2, "
      "8)\"}, "
      "\"inputs\": []}, {\"op\": \"null\", \"name\": \"a/fc_weight\", \"inputs\": []}, {\"op\": "
      "\"FullyConnected\", \"name\": \"a/fc\", \"attrs\": {\"num_hidden\": \"3\", \"no_bias\": "
      "\"True\"}, \"inputs\": [[0, 0, 0], [1, 0, 0]]}, {\"op\": \"Activation\", \"name\": "
      "\"a/b/relu\", \"attrs\": {\"act_type\": \"relu\"}, \"inputs\": [[2, 0, 0]]}], "
      "\"arg_nodes\": "
      "[0, 1], \"heads\": [[3, 0, 0], [2, 0, 0]]}";

  return read_text (text, "toy");
}

static SymId
find_value (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (strcmp (sym_model_get_value_name (model, value), name) == 0)
      return value;
  g_error ("no value is called %s", name);
}

static void
test_mermaid (void)
{
  g_autoptr (SymModel) model = make_model ();
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autofree char *text = write_model ("mermaid", model, notes);

  g_assert_cmpstr (text, ==,
                   "flowchart TD\n"
                   "  n0([\"Input<br/>x#60;#38;#34;\"])\n"
                   "  subgraph g0[\"a\"]\n"
                   "    n1[\"FullyConnected<br/>fc\"]\n"
                   "    subgraph g1[\"b\"]\n"
                   "      n2[\"Activation<br/>relu\"]\n"
                   "    end\n"
                   "  end\n"
                   "  n0 -->|\"2×8\"| n1\n"
                   "  n1 -->|\"2×3\"| n2\n");
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 2);
  g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==,
                   "parameters and constants are not written: 'a/fc_weight'");
  g_assert_cmpstr (
      sym_problems_get (notes, 1)->message, ==,
      "that values which layers use are outputs as well is not written: 'a/fc_output'");
}

static void
test_dot (void)
{
  g_autoptr (SymModel) model = make_model ();
  g_autofree char *text = write_model ("dot", model, NULL);

  g_assert_cmpstr (text, ==,
                   "digraph \"toy\" {\n"
                   "  node [shape=box, style=rounded];\n"
                   "  \"x<&\\\"\" [label=\"Input\\nx<&\\\"\", shape=\"cds\"];\n"
                   "  subgraph \"cluster_a\" {\n"
                   "    label=\"a\";\n"
                   "    \"a/fc\" [label=\"FullyConnected\\nfc\", tooltip=\"num_hidden=3, "
                   "no_bias=True\"];\n"
                   "    subgraph \"cluster_a/b\" {\n"
                   "      label=\"b\";\n"
                   "      \"a/b/relu\" [label=\"Activation\\nrelu\", tooltip=\"act_type=relu\"];\n"
                   "    }\n"
                   "  }\n"
                   "  \"x<&\\\"\" -> \"a/fc\" [label=\"2×8\"];\n"
                   "  \"a/fc\" -> \"a/b/relu\" [label=\"2×3\"];\n"
                   "}\n");
}

/* The name and outputs in their order come back, also one that a layer uses, and what is not
 * trained. */
static void
test_model_explorer_outputs (void)
{
  g_autoptr (SymModel) model = make_model ();
  g_autofree char *text = NULL;
  g_autoptr (SymModel) again = NULL;
  SymIds outputs;

  sym_parameter_set_trainable (sym_model_get_parameter (model, find_value (model, "a/fc_weight")),
                               FALSE);
  text = write_model ("model-explorer", model, NULL);
  again = read_text (text, "file");
  g_assert_cmpstr (sym_model_get_name (again), ==, "toy");
  outputs = sym_model_get_outputs (again);
  g_assert_cmpuint (outputs.n, ==, 2);
  g_assert_cmpstr (sym_model_get_value_name (again, outputs.ids[0]), ==, "a/b/relu_output");
  g_assert_cmpstr (sym_model_get_value_name (again, outputs.ids[1]), ==, "a/fc_output");
  g_assert_false (sym_parameter_get_trainable (
      sym_model_get_parameter (again, find_value (again, "a/fc_weight"))));
}

/* Its parameters come back, too: only their numbers are lost. */
static void
test_model_explorer (void)
{
  g_autoptr (SymModel) model = make_model ();
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autofree char *text = write_model ("model-explorer", model, notes);
  g_autoptr (SymModel) again = read_text (text, "toy");
  g_autoptr (SymInference) inference = sym_infer (again, NULL, 0, NULL, NULL);
  SymIds operands = sym_model_get_operands (again, 0);
  SymType type;

  g_assert_nonnull (strstr (text, "{\"id\": \"a/b/relu\", \"label\": \"Activation\", "
                                  "\"namespace\": \"a/b\""));
  g_assert_cmpuint (sym_model_get_inputs (again).n, ==, 1);
  g_assert_cmpstr (sym_model_get_value_name (again, sym_model_get_inputs (again).ids[0]), ==,
                   "x<&\"");
  g_assert_cmpuint (operands.n, ==, 2);
  g_assert_cmpint (sym_model_get_role (again, operands.ids[1]), ==, SYM_ROLE_PARAMETER);
  g_assert_cmpstr (sym_model_get_value_name (again, operands.ids[1]), ==, "a/fc_weight");
  type = sym_inference_get_type (inference, operands.ids[1]);
  g_assert_cmpint (type.shape.rank, ==, 2);
  g_assert_cmpint (type.shape.dims[0], ==, 3);
  g_assert_cmpint (type.shape.dims[1], ==, 8);
  g_assert_cmpstr (sym_model_get_call_name (again, 1), ==, "a/b/relu");
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 0);
}

/* ---- GraphML ---- */

typedef struct {
  guint n_nodes, n_edges;
} Counts;

static void
start_element (GMarkupParseContext *context,
               const char *element,
               const char **names,
               const char **values,
               gpointer user_data,
               GError **error)
{
  Counts *counts = user_data;

  counts->n_nodes += strcmp (element, "node") == 0;
  counts->n_edges += strcmp (element, "edge") == 0;
}

static void
test_graphml (void)
{
  static const GMarkupParser parser = { .start_element = start_element };
  g_autoptr (SymModel) model = make_model ();
  g_autofree char *text = write_model ("graphml", model, NULL);
  g_autoptr (GMarkupParseContext) context = NULL;
  g_autoptr (GError) error = NULL;
  Counts counts = { 0, 0 };

  context = g_markup_parse_context_new (&parser, 0, &counts, NULL);
  g_markup_parse_context_parse (context, text, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (counts.n_nodes, ==, 3);
  g_assert_cmpuint (counts.n_edges, ==, 2);
  g_assert_nonnull (strstr (text, "<data key=\"name\">x&lt;&amp;&quot;</data>"));
  g_assert_nonnull (strstr (text, "<data key=\"parameters\">a/fc_weight (3,8) "));
  g_assert_false (sym_io_format_can_read (sym_io_find_format ("graphml")));
}

/* A view is no place to save a model in. */
static void
test_saving (void)
{
  g_assert_true (sym_io_format_can_save (sym_io_find_format ("onnx")));
  g_assert_true (sym_io_format_can_write (sym_io_find_format ("dot")));
  g_assert_false (sym_io_format_can_save (sym_io_find_format ("dot")));
  g_assert_false (sym_io_format_can_save (sym_io_find_format ("tvm")));
}

/* A layer that must run before another one without giving it data. */
static void
test_controls (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, NULL);
  SymId calls[2];

  sym_model_builder_add_input (builder, x);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymLayer) layer = sym_layer_new ("Relu", NULL, NULL);

      calls[i] = sym_model_builder_add_call (builder, i == 0 ? "a" : "b", layer, &x, 1, 1);
    }
  sym_model_builder_add_control (builder, calls[1], calls[0]);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autofree char *mermaid = write_model ("mermaid", model, NULL);
  g_autofree char *graphml = write_model ("graphml", model, NULL);

  g_assert_nonnull (strstr (mermaid, "  n0 --> n1\n  n0 --> n2\n  n1 -.-> n2\n"));
  g_assert_nonnull (strstr (
      graphml, "<edge source=\"n1\" target=\"n2\"><data key=\"control\">true</data></edge>\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/io/views/dot-is-the-same-again", "dot", test_fixtures);
  g_test_add_data_func ("/io/views/model-explorer-is-the-same-again", "model-explorer",
                        test_fixtures);
  g_test_add_data_func ("/io/views/dot-of-the-corpus", "dot", test_corpus);
  g_test_add_data_func ("/io/views/model-explorer-of-the-corpus", "model-explorer", test_corpus);
  g_test_add_func ("/io/views/mermaid", test_mermaid);
  g_test_add_func ("/io/views/dot", test_dot);
  g_test_add_func ("/io/views/model-explorer", test_model_explorer);
  g_test_add_func ("/io/views/model-explorer-keeps-outputs", test_model_explorer_outputs);
  g_test_add_func ("/io/views/graphml", test_graphml);
  g_test_add_func ("/io/views/are-not-saved-into", test_saving);
  g_test_add_func ("/io/views/what-must-run-before-is-a-line", test_controls);
  return g_test_run ();
}
