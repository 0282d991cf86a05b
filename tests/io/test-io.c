/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"

#include <glib/gstdio.h>
#include <string.h>

static SymModel *
read_text (const char *text, gsize length, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length);

  return sym_io_read_bytes (bytes, "text", error);
}

typedef struct {
  const char *bytes;
  gsize length;
  const char *what;
} Sample;

#define SAMPLE(bytes, what)       \
  {                               \
    bytes, sizeof bytes - 1, what \
  }

static void
test_says_what_a_file_looks_like (void)
{
  const Sample samples[] = {
    SAMPLE ("\x89PNG\r\n\x1a\n", "a PNG picture"),
    SAMPLE ("\x89HDF\r\n\x1a\n", "an HDF5 file"),
    SAMPLE ("\x12\1\0\0\0\0\0\0\0\0", "MXNet weights"),
    SAMPLE ("<html>", "a web page (HTML)"),
    SAMPLE ("<!DOCTYPE html>\n<!-- <svg> -->\n<HTML lang=\"en\">", "a web page (HTML)"),
    SAMPLE ("<?xml version=\"1.0\"?>\n<graphml xmlns=\"x\">", "a general graph (GraphML)"),
    SAMPLE ("<annotation><folder>a</folder>", "annotations of a picture (Pascal VOC)"),
    SAMPLE ("<annotation-list>", "XML or HTML"),
    SAMPLE ("<!-- never closed", "XML or HTML"),
    SAMPLE ("<", "XML or HTML"),
    SAMPLE ("%PDF-1.4", "a PDF document"),
    SAMPLE ("pbze\0\0\0\0@", "Apple's tools have compressed"),
    SAMPLE ("hello, world", "plain text"),
    SAMPLE ("42\n", "a single JSON value"),
    SAMPLE (" null", "a single JSON value"),
    SAMPLE ("\"a word\"", "a single JSON value"),
    SAMPLE ("42 cats", "plain text"),
    SAMPLE ("infinity", "plain text"),
    SAMPLE ("---\nname: x\n", "a YAML document"),
    SAMPLE ("--- Layer 0 ---\nName: conv1 + relu1\n", "an engine of TensorRT"),
    SAMPLE ("// settings\n{\"tabSize\": 2}", "JSON with comments"),
    SAMPLE ("// a test\nfunc.func @f() {}", "a program of MLIR"),
    SAMPLE ("\n\n// a test\nfunc @f() {}", "a program of MLIR"),
    SAMPLE ("[flake8]\nmax-line-length = 100\n", "the settings of a program (INI or TOML)"),
    SAMPLE ("[tool:pytest]\n[bdist_wheel]\nuniversal=1", "the settings of a program"),
    SAMPLE ("name: \"m\"\nbackend: \"python\"\n", "the settings of a model server (Triton)"),
    SAMPLE ("\nitem {\n  id: 1\n  name: 'cat'\n}", "names of classes"),
    SAMPLE ("model {\n  ssd {\n  }\n}\ntrain_config {\n}", "the settings of a training"),
    SAMPLE ("\n\3\1\2\3", "a protocol buffer (a TensorFlow graph may be one)"),
    /* A node of ONNX and a description of protocol buffers have names where TensorFlow's nodes have
     * them, too. */
    SAMPLE ("\n\34\n\1X\22\1Y\32\4Name\"\4Relu*\10\n\1t\30\5\240\1\2",
            "nodes of ONNX (GraphProto)"),
    SAMPLE ("\n\34\n\7x.proto\22\1p\"\16\n\1M\22\11\n\1e\30\1 \1(\5", "FileDescriptorSet"),
    SAMPLE ("\n\11ONNXOPSET\20\3", "descriptions of ONNX operators"),
    SAMPLE ("/* settings */\n{\"tabSize\": 2}", "JSON with comments"),
    SAMPLE ("\xf0\x01\x02\xff", "bytes of no known kind"),
    SAMPLE ("{}", "an empty JSON object"),
    SAMPLE ("[]", "an empty JSON list"),
    SAMPLE ("[1, 2]", "a list of numbers"),
    SAMPLE ("[\"cat\", \"dog\"]", "a list of words"),
    SAMPLE ("[{}]", "a JSON list of objects of no known kind"),
    SAMPLE ("[{\"x\": 1, \"y\": 2}]",
            "a JSON list of objects of no known kind (with the members \"x\", \"y\")"),
    SAMPLE ("[[1], [2]]", "a JSON list of lists"),
    SAMPLE ("[true]", "a JSON list of no known kind"),
    SAMPLE ("[{\"Config\": \"a.json\", \"Layers\": []}]", "the manifest of a container's image"),
    SAMPLE ("{\"optimizer_config\": {}, \"loss\": \"mse\"}", "how a model was trained (Keras)"),
    SAMPLE ("{\"batch_size\": 2, \"learning_rate\": 1}", "the settings of a training"),
    SAMPLE ("{\"MODEL\": {}, \"SOLVER\": {}}", "Detectron2"),
    SAMPLE ("{\"compute_environment\": \"a\", \"distributed_type\": \"b\"}", "Accelerate"),
    SAMPLE ("{\"snapshot\": {\"meta\": {}}, \"nodes\": [], \"edges\": [], \"strings\": []}",
            "a picture of a program's memory (V8)"),
    SAMPLE ("{\"type\": \"Feature\", \"geometry\": {}, \"properties\": {}}", "a map (GeoJSON)"),
    SAMPLE ("{\"default\": {\"features\": {}, \"splits\": {}}}", "the description of a data set"),
    SAMPLE ("{\"editor.fontSize\": 14}", "the settings of an editor"),
    SAMPLE ("{\"Print\": {\"prefix\": \"p\", \"body\": []}}", "pieces of text for an editor"),
    SAMPLE ("{\"/a.js\": {\"path\": \"/a.js\", \"statementMap\": {}}}", "Istanbul"),
    SAMPLE ("{\"asyncapi\": \"2.0.0\", \"channels\": {}}", "the description of a web service"),
    SAMPLE ("{\"message\": \"Not Found\", \"documentation_url\": \"d\"}", "an answer of GitHub"),
    SAMPLE ("{\"name\": \"x\", \"private\": true}", "the description of a software package"),
    SAMPLE ("{\"packages\": [], \"workspace_members\": []}", "the parts of a program (Cargo)"),
    SAMPLE ("{\"type\": \"object\", \"properties\": {}}", "a JSON schema"),
    SAMPLE ("{\"cat\": 0, \"dog\": 1}", "names and their numbers"),
    SAMPLE ("{\"info\": {\"author\": \"xcode\", \"version\": 1}}",
            "a catalogue of pictures and colours (Xcode)"),
    SAMPLE ("{\"version\": 3, \"sources\": [], \"mappings\": \"\"}", "a source map"),
    SAMPLE ("{\"version\": 6, \"configurePresets\": []}", "the presets of CMake"),
    SAMPLE ("{\"version\": \"2.0.0\", \"tasks\": [{}], // none\n}",
            "an editor (Visual Studio Code)"),
    SAMPLE ("{\"a\": 1, // one\n\"b\": []}", "settings, or other JSON with comments"),
    SAMPLE ("{\"nodes\": {\"root\": {}}, \"root\": \"root\", \"version\": 7}", "the lock file"),
    SAMPLE ("{\"nodes\": [], \"edges\": []}", "a general graph of nodes and edges"),
    SAMPLE ("{\"3\": {\"class_type\": \"KSampler\", \"inputs\": {}}}",
            "a workflow that makes pictures"),
    SAMPLE ("{\"intents\": [{\"tag\": \"a\"}]}", "the sentences of a chat bot"),
    SAMPLE ("{\"layers\": [{\"layer_type\": \"input\", \"out_depth\": 1}]}",
            "a network of ConvNetJS"),
    SAMPLE ("{\"sizes\": [2, 1], \"layers\": [{}], \"trainOpts\": {}}", "a network of brain.js"),
    SAMPLE ("{\"in_shape\": [1], \"layers\": [{\"type\": \"dense\", \"weights\": []}]}",
            "a network of RTNeural"),
    SAMPLE ("{\"tokenizer_class\": \"T\", \"processor_class\": \"P\"}",
            "the settings of a tokenizer"),
    SAMPLE ("[{\"nodeid\": 0, \"split\": \"f0\", \"children\": []}]",
            "the trees of an XGBoost model"),
    SAMPLE ("[{\"messages\": []}]", "conversations"),
    SAMPLE ("{\"messages\": [{\"role\": \"user\"}]}", "conversations"),
    SAMPLE ("{\"mainEntryPointFilePath\": \"a\", \"messages\": {}}", "API Extractor"),
    SAMPLE ("[{\"role\": \"user\", \"content\": \"hello\"}]", "conversations"),
    SAMPLE ("[{\"name\": \"Add\", \"schema\": {\"inputs\": []}}]", "a framework's operators"),
    SAMPLE ("{\"g\": {\"results\": {\"fc\": {\"value\": 1.5}}}}",
            "numbers of nodes (Model Explorer)"),
    SAMPLE ("{\"results\": {\"fc\": {\"value\": 1.5}}}", "numbers of nodes (Model Explorer)"),
    SAMPLE ("{\"nodes\": [{\"id\": 1, \"callFrame\": {}}], \"startTime\": 1}",
            "a profile of a program (V8)"),
    SAMPLE ("{\"$schema\": \"s\", \"shared\": {\"frames\": []}, \"profiles\": []}",
            "a profile of a program (Speedscope)"),
    SAMPLE ("{\"meta\": {\"interval\": 1}, \"threads\": []}", "a profile of a program (Firefox)"),
    SAMPLE ("{\"max_new_tokens\": 12, \"top_p\": 0.5}", "the settings of a text generator"),
    SAMPLE ("{\"class_name\": \"Model\", \"config\": {}}", "one Keras object"),
    SAMPLE ("{\"modelTopology\": {}}", "a TensorFlow.js model"),
    SAMPLE ("{\"nodes\": []}", "a JSON document of no known kind (with the members \"nodes\")"),
    SAMPLE ("{\"a\": 1, \"b\": [], \"c\": 2, \"d\": 3}",
            "no known kind (with the members \"a\", \"b\", \"c\", ...)"),
    SAMPLE ("{\"name\": \"x\", \"version\": \"1\"}", "the description of a software package"),
    SAMPLE ("{\"nodes\": [7, 0], \"heads\": [1, 2]}", "a JSON document of no known kind"),
    SAMPLE ("{\"model_config_list\": []}", "a model server (OpenVINO)"),
    SAMPLE ("{\"json_schema_version\": \"2\", \"input_preproc\": [], \"output_postproc\": []}",
            "DL Streamer"),
    SAMPLE ("{\"nn_config\": {}, \"mappings\": {}}", "DepthAI"),
    SAMPLE ("{\"defaults\": {\"ops\": {}}, \"params\": {}, \"op_type\": {}}", "AIMET"),
    SAMPLE ("{\"quantization_points\": {}, \"unified_scale_groups\": []}", "NNCF"),
    SAMPLE ("{\"nms_scores_th\": 0.2, \"nms_iou_th\": 0.6}", "a detector (Hailo)"),
    SAMPLE ("{\"graphs\": [{\"graph_names\": [\"g\"], \"vtcm_mb\": 8}], \"devices\": []}",
            "Qualcomm QNN"),
    SAMPLE ("{\"backend_extensions\": {\"config_file_path\": \"a\"}}", "Qualcomm QNN"),
    SAMPLE ("{\"HostRootPath\": \"a\", \"HostResultsDir\": \"b\"}", "a benchmark (Qualcomm)"),
    SAMPLE ("{\"CSynthesisReport\": {}}", "hls4ml"),
    SAMPLE ("{\"modules_info\": {}, \"port\": 1}", "PaddleHub"),
    SAMPLE ("{\"torch.mm\": {\"input_data_generator\": \"a\"}}", "PARAM"),
    SAMPLE ("{\"symbols\": {}, \"in_tensors\": {}, \"out_tensors\": {}}", "STAGE"),
    SAMPLE ("{\"lst\": [], \"polygraphy_class\": \"RunResults\"}", "Polygraphy"),
    SAMPLE ("{\"topologies-per-dim\": [\"Ring\"]}", "a simulated machine"),
    SAMPLE ("{\"dockerFile\": \"a\", \"customizations\": {}}", "a development container"),
    SAMPLE ("{\"build\": {\"dockerfile\": \"a\"}, \"deploy\": {\"restartPolicyType\": \"b\"}}",
            "Railway"),
    SAMPLE ("{\"name\": \"x\", \"version\": \"1\", \"agents\": [2], \"configuration\": {}, "
            "\"reward\": {}}",
            "the description of a game"),
    SAMPLE ("{\"images\": [], \"annotations\": []}", "annotations of pictures (COCO)"),
    SAMPLE ("{\"version\": \"1.0\", \"added_tokens\": [], \"model\": {}}", "a tokenizer"),
    SAMPLE ("{\"signature\": \"netron:pytorch\", \"format\": \"TorchScript\", \"graphs\": []}",
            "a graph in Netron's own form"),
    SAMPLE ("{\"signature\": \"netron:attachment\", \"metadata\": [], \"metrics\": []}",
            "notes on a graph (Netron)"),
    SAMPLE ("{\"cells\": [], \"nbformat\": 4}", "a Jupyter notebook"),
    SAMPLE ("{\"cells\": [{\"cell_type\": \"code\"}], \"metadata\": {}}", "a Jupyter notebook"),
    SAMPLE ("{\"hidden_size\": 8, \"num_hidden_layers\": 2, \"vocab_size\": 9}",
            "the settings of a language model"),
    SAMPLE ("[{\"startMs\": 1, \"startComputeMs\": 2, \"endComputeMs\": 3}]",
            "the times of a TensorRT engine's runs"),
    SAMPLE ("{\"traceEvents\": []}", "a trace of events"),
    SAMPLE ("{\"name\": \"m\", \"implementation\": \"a.B\", \"parameters\": {}}", "MLServer"),
    SAMPLE (
        "{\"inputs\": [{\"name\": \"x\", \"datatype\": \"FP32\", \"shape\": [1], \"data\": [2]}]}",
        "a request to a model server"),
    SAMPLE ("{\"model_name\": \"m\", \"outputs\": [{\"name\": \"y\", \"datatype\": \"FP32\"}]}",
            "the answer of a model server"),
    SAMPLE ("{\"graph_name\": \"g\", \"node_list\": [{\"node_name\": \"a\"}]}",
            "a pipeline of kernels"),
    SAMPLE ("{\"kernel_name\": \"k\", \"kernel_type\": \"cpp\"}", "a kernel in a pipeline"),
    SAMPLE ("{\"include_cle\": true}", "a quantiser"),
    SAMPLE ("{\"anchors\": [], \"iouThreshold\": 0.5}", "a detector"),
    SAMPLE ("{\"scheduling-policy\": \"LIFO\"}", "a simulated machine"),
    SAMPLE ("{\"pages\": [\"a\"], \"window\": {}}", "WeChat"),
    SAMPLE ("{\"0\": [\"n1\", \"tench\"], \"1\": [\"n2\", \"shark\"], \"2\": [\"n3\", \"ray\"]}",
            "what numbers stand for"),
    SAMPLE ("[{\"queries\": [], \"nodeType\": \"op_nodes\", \"styles\": {}}]", "how nodes look"),
    SAMPLE ("[{\"ph\": \"X\", \"ts\": 1}]", "a trace of events"),
    SAMPLE ("[{\"count\": 9}, {\"name\": \"a\", \"timeMs\": 1, \"averageMs\": 0.1}]",
            "the times of the layers of a TensorRT engine"),
    SAMPLE ("[{\"startEnqMs\": 1, \"endEnqMs\": 2, \"latencyMs\": 3}]",
            "the times of a TensorRT engine's runs"),
    SAMPLE ("{\"$schema\": \"a\", \"projects\": {}, \"newProjectRoot\": \"b\"}",
            "the settings of an Angular workspace"),
    SAMPLE ("[3]", "a list of numbers"),
    SAMPLE ("[{\"paths\": [], \"weights\": []}]", "a list of TensorFlow.js weights"),
    SAMPLE ("{\"architectures\": [], \"model_type\": \"bert\"}", "the settings of a model"),
    SAMPLE ("{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}], \"b64ndarrays\": []}",
            "objects of TVM (Relay, TIR)"),
    SAMPLE ("{\"state\": \"hailo_model\", \"hn\": \"net.hn\"}",
            "the metadata of a network for Hailo's processors"),
    SAMPLE ("{\"_class_name\": \"UNet\", \"_diffusers_version\": \"0.6\"}", "a diffusion pipeline"),
    SAMPLE ("[{\"idx\": 0, \"path\": \"\", \"type\": \"x\"}]", "the modules of a sentence encoder"),
    SAMPLE ("{\"config\": {\"w\": {\"path_name\": \"weight_0\"}}}",
            "the weights of a torch.export archive"),
    SAMPLE ("[net]\nbatch=1\n", "a network of Darknet"),
    SAMPLE ("[tool.x]\na = 1\n", "the settings of a program"),
    SAMPLE ("name: \"LeNet\"\nlayer {\n", "a network of Caffe"),
    SAMPLE ("op {\n  name: \"Abs\"\n  input_arg {\n", "descriptions of operators"),
    SAMPLE ("name: \"net\"\nop {\n  input: \"x\"\n", "a network of Caffe2"),
    SAMPLE ("7767517\n2 2\n", "a network of ncnn"),
    SAMPLE ("#!/usr/bin/python3\nimport torch\n", "a Python source"),
    SAMPLE ("module {\n", "a program of MLIR"),
    SAMPLE ("{\n  // ES\n  \"compilerOptions\": {\"strict\": true,},\n}",
            "a compiler (TypeScript)"),
    SAMPLE ("{\"text\": \"a\"}\n{\"text\": \"b\"}\n", "JSON Lines"),
    SAMPLE ("{\"ph\": \"X\"}\r\n{\"ph\": \"B\"}\r\n", "a trace of events"),
    SAMPLE ("\x80\2\x8a\nl\xfc\x9c", "PyTorch weights"),
    SAMPLE ("PK\5\6\0\0", "a zip archive without files"),
    SAMPLE ("\x08\1\x12\x05\n\x03\x12\x01x", "a TensorFlow SavedModel"),
    SAMPLE ("\x08\1\x12\x07\n\x05\n\x03\x61\x62\x63", "a Core ML model"),
    SAMPLE ("\n\x1a\x1a\4root\"\x12_tf_keras_network", "what Keras tells of a SavedModel"),
    SAMPLE ("\n\x1e\x1a\4root\"\x12_tf_keras_network*\2{}", "what Keras tells of a SavedModel"),
    SAMPLE (
        "\x08\xdb\xec\x80\xc6\xaa\xef\x01\x10\xcc\x99\xb6\x8c\x98\xbd\x01\x18\xfb\x81\xc7\x80\xfa"
        "\x01 \xff\x9e\xcb\xa5\xee\x01(\xd7\xfa\xad\xec\x01\x32\2\x08\1",
        "the fingerprint of a SavedModel"),
    SAMPLE (
        "\x08\xdb\xec\x80\xc6\xaa\xef\x01\x10\xcc\x99\xb6\x8c\x98\x01\x18\xfb\x81\xc7\x80\xfa\x01"
        "(\xd7\xfa\xad\xec\xdd\x01\x32\2\x08\1:\x02\x31\x32",
        "the fingerprint of a SavedModel"),
    SAMPLE ("\x08\xdb\xec\x80\xc6\xaa\xef\x01\x10\xcc\x99\xb6\x8c\x98\x01\x18\xfb\x81\xc7\x80\xfa"
            "\x01\x32\0",
            "the fingerprint of a SavedModel"),
    SAMPLE ("VGF1\0\0\0\0", "a network for Arm's processors"),
    SAMPLE ("\x14\0\0\0ORTM\x0c\0", "a model of ONNX Runtime's own"),
    SAMPLE ("\x14\0\0\0ET12\x0c\0", "a program of ExecuTorch"),
    SAMPLE ("\x14\0\0\0TOSA\x0c\0", "a TOSA program"),
    SAMPLE ("\x14\0\0\0ARMN\x0c\0", "an Arm NN network"),
    SAMPLE ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "a pointer of Git LFS"),
    SAMPLE ("{\"tfjsVersion\": \"1\", \"tmVersion\": \"2\"}", "a Teachable Machine model"),
    SAMPLE ("{\"data\": {}, \"meta\": {\"inputUnits\": 2, \"outputUnits\": 1}}", "an ml5.js model"),
    SAMPLE ("{\"name\": \"a\", \"typings\": \"b\", \"main\": \"c\"}", "a software package"),
    SAMPLE ("{\"layers\": [{\"name\": \"Dense\", \"output_dim\": 2}], \"loss\": \"mse\", "
            "\"optimizer\": {}, "
            "\"name\": \"Sequential\", \"class_mode\": \"categorical\"}",
            "a model of Keras 0.3 or older"),
    SAMPLE ("{\"extends\": \"./base.json\", \"files\": []}", "settings that extend those"),
    SAMPLE ("{\"files.exclude\": {}, \"a\": 1}", "the settings of an editor"),
    SAMPLE ("{\"Variable\": {\"filename\": \"a\", \"shape\": [1]}}", "a list of weights"),
    SAMPLE ("{\"cells\": [{\"address\": {}, \"value\": 1}]}", "the numbers of a tensor"),
    SAMPLE ("{\"nodes\": 7, \"heads\": 2, \"arg_nodes\": 3}", "names and their numbers"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (samples[i].bytes, samples[i].length, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
      if (strstr (error->message, samples[i].what) == NULL)
        g_error ("%s is told to be: %s", samples[i].what, error->message);
    }
}

/* Nothing that only the JSON front end can tell is taken for something else. */
static void
test_leaves_text_to_the_front_end (void)
{
  const Sample samples[] = {
    SAMPLE ("", "the file is empty"),
    SAMPLE (" \n ", "nothing but blanks"),
    SAMPLE ("{\"a\": ", "expected a value"),
    SAMPLE ("[null] 1", "text after the document"),
    SAMPLE ("{\"nodes\": [\n]}\n{\"nodes\": []}", "found a second document"),
    SAMPLE ("{nodes: [\n1 2]}", "line 2, column 3: expected ',' or ']'"),
    SAMPLE ("{\"op\": \"x\", name: 2}", "expected a key in double quotes, found 'n'"),
    SAMPLE ("\xef\xbb\xbf{", "line 1, column 2: expected a key"),
    SAMPLE ("\xef\xbb\xbf{\n\"a\": \"\xe9\"}",
            "line 2, column 7: expected UTF-8 text, found the byte 0xE9"),
    SAMPLE ("\xff\xfe{\0:\0}\0", "line 1, column 2: expected a key"),
    SAMPLE ("\xff\xfe{\0\"\0\0\xd8}\0", "byte 6: the text is UTF-16LE"),
    SAMPLE ("\0{\0", "byte 2: the text is UTF-16BE"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (samples[i].bytes, samples[i].length, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_nonnull (strstr (error->message, samples[i].what));
    }
}

static const char graph[] =
    "{\"nodes\": [{\"op\": \"null\", \"name\": \"x\", \"inputs\": []}], \"arg_nodes\": [0], "
    "\"heads\": [[0, 0]]}";

/* A comment within, or a comma too many in what would be a graph is an error with its place. */
static void
test_leaves_graphs_by_hand_alone (void)
{
  const Sample samples[] = {
    SAMPLE (
        "{\"nodes\": [{\"op\": \"null\", \"name\": \"x\", \"inputs\": []},], \"arg_nodes\": [0], "
        "\"heads\": [[0, 0]]}",
        "expected a value, found ']'"),
    SAMPLE ("{\"nodes\": [], // none\n\"arg_nodes\": [], \"heads\": []}", "found a comment"),
    SAMPLE ("{\"nodes\": [], \"arg_nodes\": [], heads: []}", "found 'h'"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (samples[i].bytes, samples[i].length, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      if (strstr (error->message, samples[i].what) == NULL)
        g_error ("%s is told to be: %s", samples[i].what, error->message);
    }
}

/* As test cases have them: what runs the graph above it, what is to come of it below. */
static void
test_reads_json_between_remarks (void)
{
  g_autofree char *text =
      g_strconcat ("// RUN: try %s\n\n/* {\n */\n", graph, "\n\n// CHECK: x [1]\n// }", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (model), ==, "mxnet");
  g_assert_cmpuint (sym_model_get_n_values (model), ==, 1);
}

/* A file that was appended to itself; what follows it then is an error with its place, as ever. */
static void
test_reads_a_document_twice_once (void)
{
  g_autofree char *twice = g_strconcat ("\n", graph, "\n\n", graph, "\n", NULL);
  g_autofree char *more = g_strconcat (twice, "{}", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (twice, strlen (twice), &error);
  const SymProblem *problem;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, 1);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 1);
  problem = sym_problems_get (sym_model_get_problems (model), 0);
  g_assert_cmpstr (problem->message, ==,
                   "the file has the same JSON document 2 times: it is read once");
  g_assert_null (read_text (more, strlen (more), &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "line 4, column 1: expected the end of the file"));
}

/* json.dump (model.to_json (), file) */
static void
test_reads_json_that_a_string_holds (void)
{
  static const char text[] =
      "\"{\\\"class_name\\\": \\\"Sequential\\\", \\\"config\\\": [{\\\"class_name\\\": "
      "\\\"Dense\\\", "
      "\\\"config\\\": {\\\"units\\\": 3, \\\"batch_input_shape\\\": [null, 2]}}]}\"\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (text, sizeof text - 1, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (model), ==, "keras");
  g_assert_null (read_text ("\"{\\\"a\\\"\"", 9, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
  g_clear_error (&error);
  g_assert_null (read_text ("\"text\"", 6, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
}

static void
test_reads_wide_text (void)
{
  static const char *const encodings[] = { "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE" };
  static const char text[] = "{\"nodes\": [{\"op\": \"null\", \"name\": \"größe 📐\", \"inputs\": "
                             "[]}], \"arg_nodes\": [0], \"heads\": [[0, 0]]}\r\n";

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize size;
      g_autofree char *wide = g_convert (text, -1, encodings[i], "UTF-8", NULL, &size, &error);
      g_autoptr (SymModel) model = wide == NULL ? NULL : read_text (wide, size, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (sym_model_get_n_values (model), ==, 1);
      g_assert_cmpstr (sym_model_get_value_name (model, 0), ==, "größe 📐");
    }
}

static void
test_the_name_of_a_file_means_nothing (void)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "picture.png", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  g_assert_true (g_file_set_contents (path, graph, -1, NULL));
  model = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sym_io_format_get_name (sym_io_get_model_format (model)), ==, "mxnet");
  g_assert_cmpstr (sym_model_get_name (model), ==, "picture.png");
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_a_missing_file_and_a_folder_are_messages (void)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "none.json", NULL);
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) is_folder = NULL;

  g_assert_null (sym_io_read (path, NULL, &missing));
  g_assert_error (missing, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_assert_null (strstr (missing->message, path));
  g_assert_null (sym_io_read (folder, NULL, &is_folder));
  g_assert_error (is_folder, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_rmdir (folder);
}

static void
test_can_be_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, graph, -1, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_null (sym_io_read (path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_formats_are_found_by_name (void)
{
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    {
      g_assert_true (sym_io_find_format (sym_io_format_get_name (*format)) == *format);
      g_assert_nonnull (sym_io_format_get_title (*format));
      g_assert_nonnull (sym_io_format_get_versions (*format));
      g_assert_nonnull (sym_io_format_get_limits (*format));
      g_assert_nonnull (sym_io_format_get_suffix (*format));
    }
  g_assert_null (sym_io_find_format ("none"));
  g_assert_true (sym_io_format_can_write (sym_io_find_format ("mxnet")));
}

static void
test_a_target_that_cannot_be_written_is_left_alone (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_text (graph, strlen (graph), NULL);

  g_assert_false (sym_io_write (sym_io_find_format ("mxnet"), model, NULL,
                                "/nowhere/at/all/x-symbol.json", NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
}

/* Notepad and PowerShell write marks and wide characters before and into any text. */
static void
test_texts_with_marks (void)
{
  static const struct {
    const char *text, *format;
  } cases[] = {
    { "digraph { a -> b }", "dot" },
    { "ir_version: 8 graph { node { op_type: \"Relu\" input: \"x\" output: \"y\" } }",
      "onnx-pbtxt" },
    { "node { name: \"x\" op: \"Placeholder\" }", "tensorflow" },
    { "<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"11\"><layers/><edges/></net>",
      "openvino" },
    { "hello, world", NULL },
  };
  static const char *const encodings[] = { "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (encodings); k++)
      {
        g_autofree char *marked = g_strconcat ("\xef\xbb\xbf", cases[i].text, NULL);
        g_autoptr (GError) error = NULL;
        gsize size;
        char *wide = g_convert (marked, -1, encodings[k], "UTF-8", NULL, &size, NULL);
        g_autoptr (GBytes) bytes = g_bytes_new_take (wide, size);
        g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "text", &error);

        if (cases[i].format == NULL)
          {
            g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
            g_assert_nonnull (strstr (error->message, "plain text"));
            continue;
          }
        g_assert_no_error (error);
        g_assert_cmpstr (sym_model_get_format (model), ==, cases[i].format);
      }
}

/* A SavedModel lists the operators that its graph is of, which may be long, before its nodes. */
static void
test_operators_listed_before_a_graph (void)
{
  static const char *const begins[] = { "saved_model_schema_version: 1\n"
                                        "meta_graphs { meta_info_def { ",
                                        "meta_info_def { " };

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    {
      GString *text = g_string_new (begins[i]);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = NULL;

      g_string_append (text, "stripped_op_list {\n");
      for (guint k = 0; k < 3000; k++)
        g_string_append_printf (text, "op { name: \"Operator%u\" is_commutative: true }\n", k);
      g_string_append (text, "} } graph_def { node { name: \"x\" op: \"Placeholder\" }"
                             " node { name: \"y\" op: \"Relu\" input: \"x\" } }");
      g_string_append (text, i == 0 ? "}" : "");
      bytes = g_string_free_to_bytes (text);
      model = sym_io_read_bytes (bytes, "text", &error);
      g_assert_no_error (error);
      g_assert_cmpstr (sym_model_get_format (model), ==, "tensorflow");
      g_assert_cmpuint (sym_model_get_n_calls (model), ==, 1);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/says-what-a-file-looks-like", test_says_what_a_file_looks_like);
  g_test_add_func ("/io/leaves-graphs-by-hand-alone", test_leaves_graphs_by_hand_alone);
  g_test_add_func ("/io/leaves-text-to-the-front-end", test_leaves_text_to_the_front_end);
  g_test_add_func ("/io/reads-json-between-remarks", test_reads_json_between_remarks);
  g_test_add_func ("/io/reads-a-document-twice-once", test_reads_a_document_twice_once);
  g_test_add_func ("/io/reads-json-that-a-string-holds", test_reads_json_that_a_string_holds);
  g_test_add_func ("/io/reads-wide-text", test_reads_wide_text);
  g_test_add_func ("/io/the-name-of-a-file-means-nothing", test_the_name_of_a_file_means_nothing);
  g_test_add_func ("/io/a-missing-file-and-a-folder-are-messages",
                   test_a_missing_file_and_a_folder_are_messages);
  g_test_add_func ("/io/can-be-cancelled", test_can_be_cancelled);
  g_test_add_func ("/io/formats-are-found-by-name", test_formats_are_found_by_name);
  g_test_add_func ("/io/a-target-that-cannot-be-written-is-left-alone",
                   test_a_target_that_cannot_be_written_is_left_alone);

  g_test_add_func ("/io/texts-with-marks", test_texts_with_marks);
  g_test_add_func ("/io/operators-listed-before-a-graph", test_operators_listed_before_a_graph);
  return g_test_run ();
}
