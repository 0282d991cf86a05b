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
  { "{\"format\": \"graph-model\", \"generatedBy\": \"2.11.0\", \"convertedBy\": \"TensorFlow.js "
    "Converter v4.3.0\", \"modelTopology\": {\"node\": [{\"name\": \"x\", \"op\": \"Placeholder\", "
    "\"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"}}}, {\"name\": \"y\", \"op\": \"Relu\", "
    "\"input\": [\"x\"]}], \"versions\": {\"producer\": 1286}}, \"weightsManifest\": [], "
    "\"userDefinedMetadata\": {\"author\": \"nobody\", \"signature\": {}}}",
    "format=graph-model;generatedBy=2.11.0;convertedBy=TensorFlow.js Converter "
    "v4.3.0;modelTopology.versions.producer=1286;userDefinedMetadata.author=nobody;" },
  { "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [], "
    "\"tensor_values\": {}}, \"signature\": {\"input_specs\": [], \"output_specs\": []}}, "
    "\"opset_version\": {\"aten\": 10}, \"schema_version\": {\"major\": 8, \"minor\": 20}, "
    "\"torch_version\": \"2.12.0\"}",
    "schema_version.major=8;schema_version.minor=20;torch_version=2.12.0;opset_version.aten=10;" },
  { "{\"version\": \"3.6.0\", \"engine_kind\": \"cpu\", \"fpmath_mode\": \"\", \"graph\": "
    "[{\"id\": 0, \"name\": \"r\", \"kind\": \"ReLU\", \"attrs\": {}, \"inputs\": [{\"id\": 0, "
    "\"dtype\": \"f32\", \"shape\": [1], \"stride\": [1]}], \"outputs\": [{\"id\": 1, \"dtype\": "
    "\"f32\", \"shape\": [1], \"stride\": [1]}]}]}",
    "version=3.6.0;engine_kind=cpu;" },
  { "{\"format_version\": 200, \"storage\": \"m.espresso.weights\", \"properties\": "
    "{\"mldb_token\": \"t\"}, \"layers\": [{\"name\": \"r\", \"type\": \"activation\", \"mode\": "
    "0, "
    "\"bottom\": \"x\", \"top\": \"y\"}]}",
    "format_version=200;storage=m.espresso.weights;properties.mldb_token=t;" },
  { "{\"sourceType\": \"ONNX\", \"bizCode\": \"b\", \"extraInfo\": {\"version\": \"3.0.0\"}, "
    "\"oplists\": "
    "[{\"type\": \"Input\", \"outputIndexes\": [0], \"main\": {\"dims\": [1]}}, {\"type\": "
    "\"ReLU\", "
    "\"inputIndexes\": [0], \"outputIndexes\": [1]}], \"tensorName\": [\"x\", \"y\"]}",
    "sourceType=ONNX;bizCode=b;extraInfo.version=3.0.0;" },
  { "{\"layers\": [{\"layer_type\": \"InputLayer\", \"layer\": {\"base\": {\"base\": {\"index\": "
    "0, "
    "\"layerName\": \"x\", \"outputSlots\": [{\"tensorInfo\": {\"dimensions\": [1]}}]}}}}], "
    "\"featureVersions\": {\"bindingIdsScheme\": 1, \"weightsLayoutScheme\": 1}}",
    "featureVersions.bindingIdsScheme=1;featureVersions.weightsLayoutScheme=1;" },
  { "<?xml version=\"1.0\"?><net name=\"n\" version=\"10\"><layers><layer id=\"0\" name=\"x\" "
    "type=\"Parameter\" version=\"opset1\"><data shape=\"1\" "
    "element_type=\"f32\"/><rt_info><attribute "
    "name=\"a\" value=\"1\"/></rt_info><output><port "
    "id=\"0\"><dim>1</dim></port></output></layer></layers>"
    "<edges/><meta_data><MO_version value=\"2021.4\"/><cli_parameters><framework value=\"onnx\"/>"
    "</cli_parameters></meta_data></net>",
    "version=10;meta_data.MO_version=2021.4;meta_data.cli_parameters.framework=onnx;" },
  { "{\"version\": \"1.6.0\", \"name\": \"n\", \"network_platform\": \"ONNX\", "
    "\"target_platform\": "
    "[\"rk3566\", \"rk3588\"], \"nodes\": [], \"connection\": []}",
    "name=n;version=1.6.0;network_platform=ONNX;target_platform=rk3566, rk3588;" },
  { "{\"schema\": \"1.0.2-chakra.0.0.4\", \"pid\": 7, \"time\": \"today\", \"nodes\": [{\"id\": 1, "
    "\"name\": \"aten::add\", \"ctrl_deps\": 0, \"inputs\": {\"values\": [], \"shapes\": [], "
    "\"types\": "
    "[]}, \"outputs\": {\"values\": [], \"shapes\": [], \"types\": []}, \"attrs\": []}]}",
    "schema=1.0.2-chakra.0.0.4;pid=7;time=today;" },
  { "{\"MetaData\": {\"Name\": \"n\", \"AcuityVersion\": \"6.0\", \"Org_Platform\": \"caffe\"}, "
    "\"Layers\": {\"x\": {\"name\": \"x\", \"op\": \"input\", \"parameters\": {\"shape\": [1]}, "
    "\"inputs\": [], \"outputs\": [\"out0\"]}}}",
    "MetaData.Name=n;MetaData.AcuityVersion=6.0;MetaData.Org_Platform=caffe;" },
  { "{\"model.cpp\": \"a.cpp\", \"Total parameters\": 7, \"graph\": {\"tensors\": {\"x\": "
    "{\"type\": 0, \"data_type\": 562, \"dims\": [1]}, \"y\": {\"type\": 1, \"data_type\": 562, "
    "\"dims\": [1]}}, \"nodes\": {\"r\": {\"type\": \"Relu\", \"input_names\": [\"x\"], "
    "\"output_names\": [\"y\"]}}}}",
    "model.cpp=a.cpp;Total parameters=7;" },
  { "{\"base_code\": {\"magic\": \"pir\", \"trainable\": true, \"version\": 1}, \"program\": "
    "{\"regions\": [{\"#\": \"r\", \"blocks\": [{\"#\": \"b\", \"args\": [], \"ops\": []}]}]}}",
    "base_code.magic=pir;base_code.trainable=true;base_code.version=1;" },
  { "{\"format\": \"layers-model\", \"generatedBy\": \"keras v2.4.0\", \"convertedBy\":"
    " \"TensorFlow.js Converter v3.6.0\", \"modelTopology\": {\"keras_version\": \"2.4.0\","
    " \"model_config\": {\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\","
    " \"layers\": [{\"class_name\": \"Flatten\", \"config\": {\"name\": \"f\","
    " \"batch_input_shape\": [null, 2]}}]}}}}",
    "class_name=Sequential;keras_version=2.4.0;format=layers-model;generatedBy=keras v2.4.0;"
    "convertedBy=TensorFlow.js Converter v3.6.0;" },
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
