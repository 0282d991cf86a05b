/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-io.h"

/* JSON documents that people try, and a part of the sentence that names each. */
static const struct {
  const char *text, *what;
} kinds[] = {
  { "{\"artifact_path\": \"model\", \"flavors\": {}}", "a model (MLflow), without its graph" },
  { "{\"model_spec\": {}, \"metadata\": {}}", "TensorFlow Serving" },
  { "{\"instances\": [[1]]}", "a request to a model server" },
  { "{\"predictions\": [[1]]}", "the answer of a model server" },
  { "{\"metadata\": {}, \"records\": [{\"dataPath\": \"a.bin\"}]}", "a list of weights (MLC)" },
  { "{\"pretrained_config\": {}, \"build_config\": {}}", "TensorRT-LLM" },
  { "{\"pipeline\": {\"input\": [], \"tasks\": []}}", "MMDeploy" },
  { "{\"input_features\": [], \"output_features\": []}", "a model (Ludwig)" },
  { "{\"trial_id\": \"a\", \"training_iteration\": 1}", "the results of a training (Ray)" },
  { "{\"input\": [], \"config\": [], \"result\": []}", "a record of a tuning (TVM)" },
  { "{\"os\": \"a\", \"python\": \"3\", \"startedAt\": \"b\"}", "Weights & Biases" },
  { "{\"frames\": {\"a.jpg\": {\"blendShapes\": [0]}}}", "the faces in a row of pictures" },
  { "{\"id\": \"a/b\", \"licenses\": [], \"title\": \"c\"}", "a Kaggle data set" },
  { "{\"0\": [\"n01440764\", \"tench\"], \"1\": [\"n01443537\", \"goldfish\"]}",
    "a list of what numbers stand for" },
  { "{\"document\": {}, \"schemaVersion\": 0}", "a drawing (Figma)" },
  { "{\"argv\": [], \"display_name\": \"a\"}", "a Jupyter kernel" },
  { "{\"version\": \"a\", \"title\": \"b\", \"items\": []}", "JSON Feed" },
  { "{\"abi\": [], \"bytecode\": \"0x\"}", "a compiled contract" },
  { "{\"type\": \"record\", \"name\": \"a\", \"fields\": []}", "records (Avro)" },
  { "{\"error\": {\"code\": 404, \"message\": \"a\"}}", "a server's answer" },
  { "{\"status\": 404, \"message\": \"a\", \"path\": []}", "a server's answer" },
  { "{\"info\": {}, \"task_type\": \"a\", \"questions\": []}", "VQA" },
  { "{\"camera_angle_x\": 1.5, \"frames\": []}", "NeRF" },
  { "{\"schema\": \"2.0\", \"stages\": {}}", "a pipeline of data (DVC)" },
  { "{\"segments\": [], \"device_traces\": []}", "a GPU's memory" },
  { "{\"name\": \"G\", \"directed\": true, \"strict\": false, \"_subgraph_cnt\": 0}",
    "a drawing of Graphviz as JSON" },
  { "{\"version\": \"3\", \"services\": {}}", "Docker Compose" },
  { "{\"keys\": [{\"kty\": \"RSA\"}]}", "keys (JWK)" },
  { "{\"created\": 1, \"exitcode\": 0, \"tests\": []}", "the results of tests (pytest)" },
  { "[{\"name\": \"a.jpg\", \"labels\": [], \"attributes\": {}}]", "BDD100K" },
  { "{\"nodes\": [{\"id\": \"a\", \"label\": \"A\", \"x\": 0}, {\"id\": \"b\", \"label\": \"B\", "
    "\"x\": 1}], "
    "\"edges\": [{\"id\": \"e\", \"source\": \"a\", \"target\": \"b\"}]}",
    "a general graph of nodes and edges" },
  { "{\"nodes\": [{\"id\": \"1\", \"label\": \"A\"}, {\"id\": \"2\", \"label\": \"B\"}], "
    "\"links\": [{}]}",
    "a general graph of nodes and links" },
  { "{\"graphs\": [{\"nodes\": [{\"id\": \"1\", \"label\": \"A\"}], \"edges\": [{\"source\": "
    "\"1\"}]}]}",
    "general graphs of nodes and edges" },
  { "[{\"image\": \"a.jpg\", \"points\": [[1, 2]]}]", "points in pictures" },
  { "[{\"id\": 1, \"type\": \"a\", \"title\": \"b\", \"author\": []}]", "publications (CSL)" },
};

static void
test_are_named (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (kinds[i].text, strlen (kinds[i].text));
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "a.json", &error);

      g_assert_null (model);
      if (error == NULL || strstr (error->message, kinds[i].what) == NULL)
        g_error ("%s is told to be: %s", kinds[i].text, error == NULL ? "" : error->message);
    }
}

/* What a network's own nodes say counts, whatever is beside them. */
static void
test_networks_with_edges (void)
{
  static const char text[] =
      "{\"nodes\": [{\"id\": \"a\", \"label\": \"A\"}, {\"id\": \"b\", \"label\": \"B\", "
      "\"incomingEdges\": [{\"sourceNodeId\": \"a\"}]}], \"edges\": [{\"source\": \"a\"}]}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "a.json", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/kinds/are-named", test_are_named);
  g_test_add_func ("/io/kinds/networks-may-list-edges-too", test_networks_with_edges);
  return g_test_run ();
}
