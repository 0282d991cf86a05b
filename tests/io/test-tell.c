/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"

static void
append_cb (const char *name, const char *text, gpointer user_data)
{
  g_string_append_printf (user_data, "%s=%s;", name, text);
}

static char *
tell (const SymModel *model)
{
  GString *told = g_string_new (NULL);

  sym_io_tell (model, append_cb, told);
  return g_string_free (told, FALSE);
}

/* What files say besides their graph, by the names that their formats have for it. */
static const struct {
  const char *text, *told;
} cases[] = {
  { "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1], producer_name: \"pytorch\","
    " producer_version: \"2.1\", domain: \"org.example\", model_version: 3, doc_string: \"a note\","
    " metadata_props: [\"author\" : \"nobody\", \"licence\" : \"none\"]>\n"
    "main_graph (float[1] x) => (float[1] y) { y = Relu (x) }",
    "ir_version=8;model_version=3;opset_import=ai.onnx 17;opset_import=com.microsoft 1;"
    "producer_name=pytorch;producer_version=2.1;domain=org.example;doc_string=a note;"
    "graph.name=main_graph;author=nobody;licence=none;" },
  { "{\"ir_version\": 8, \"opset_import\": [{\"version\": 17}], \"graph\": {\"name\": \"g\","
    " \"doc_string\": \"of the graph\", \"node\": [{\"op_type\": \"Relu\", \"input\": [\"x\"],"
    " \"output\": [\"y\"]}], \"input\": [{\"name\": \"x\"}], \"output\": [{\"name\": \"y\"}]}}",
    "ir_version=8;opset_import=ai.onnx 17;graph.name=g;graph.doc_string=of the graph;" },
  { "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\", \"layers\": [{\"class_name\":"
    " \"Dense\", \"config\": {\"name\": \"d\", \"units\": 2, \"batch_input_shape\": [null, 3]}}]},"
    " \"keras_version\": \"2.4.0\", \"backend\": \"tensorflow\", \"build_config\": {\"a\": 1}}",
    "class_name=Sequential;keras_version=2.4.0;backend=tensorflow;" },
  { "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}, {\"op\": \"Flatten\","
    " \"name\": \"f\", \"inputs\": [[0, 0, 0]]}], \"arg_nodes\": [0], \"heads\": [[1, 0, 0]],"
    " \"attrs\": {\"mxnet_version\": [\"int\", 10901], \"is_np_shape\": [\"int\", 0]}}",
    "mxnet_version=10901;is_np_shape=0;" },
  { "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}, {\"op\": \"Flatten\","
    " \"name\": \"f\", \"inputs\": [[0, 0, 0]]}], \"arg_nodes\": [0], \"heads\": [[1, 0, 0]]}",
    "" },
};

static void
test_files_tell_of_the_model (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].text, strlen (cases[i].text));
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "x", &error);
      g_autofree char *told = NULL;

      g_assert_no_error (error);
      told = tell (model);
      g_assert_cmpstr (told, ==, cases[i].told);
    }
}

/* The same as a file that tells nothing. */
static void
test_what_is_forgotten_is_not_told (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (cases[0].text, strlen (cases[0].text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "x", &error);
  g_autofree char *told = NULL;

  g_assert_no_error (error);
  sym_model_forget_origin (model);
  told = tell (model);
  g_assert_cmpstr (told, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/tell/files-tell-of-the-model", test_files_tell_of_the_model);
  g_test_add_func ("/io/tell/what-is-forgotten-is-not-told", test_what_is_forgotten_is_not_told);
  return g_test_run ();
}
