/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

typedef struct {
  guint offset;
  const char *bytes;
  guint length;
  const char *what;
} Magic;

static const Magic magics[] = {
  { 0, "\x89HDF\r\n\x1a\n", 8, "an HDF5 file (Keras weights may be one)" },
  { 0, "\x12\1\0\0\0\0\0\0", 8, "MXNet weights (.params); the graph lies beside them as JSON" },
  { 0, "\xb7\x9c\x04\x05\x4f\x8d\xe5\xf7", 8, "TVM weights; the graph lies beside them as JSON" },
  { 0, "\x93NUMPY", 6, "a NumPy array" },
  { 0, "GGUF", 4, "a GGUF file of weights" },
  { 4, "TFL3", 4, "a TensorFlow Lite model" },
  { 0, "\x80\2", 2, "a Python pickle (an old PyTorch file may be one)" },
  { 0, "\x80\3", 2, "a Python pickle" },
  { 0, "\x80\4", 2, "a Python pickle" },
  { 0, "\x89PNG", 4, "a PNG picture" },
  { 0, "\xff\xd8\xff", 3, "a JPEG picture" },
  { 0, "%PDF", 4, "a PDF document" },
  { 0, "\x7f" "ELF", 4, "a program" },
  { 0, "\x08", 1, "a protocol buffer (an ONNX model may be one)" },
  { 0, "\n", 1, "a protocol buffer (a TensorFlow graph may be one)" },
  { 0, "<", 1, "XML or HTML" },
  { 8, "{\"", 2, "safetensors: weights without a graph" },
  { 0, "node {", 6, "a TensorFlow graph in protocol buffer text" },
  { 0, "ir_version", 10, "an ONNX model in protocol buffer text" },
  { 0, "import ", 7, "a Python source" },
};

/* Members of the root that tell whose document it is; the second may be NULL. */
typedef struct {
  const char *member;
  const char *second;
  const char *what;
} Hint;

static const Hint hints[] = {
  { "modelTopology", NULL, "a TensorFlow.js model without its nodes" },
  { "model_config", NULL, "a Keras model that is not made of layers" },
  { "class_name", "config", "the description of one Keras object, not of a model" },
  { "weightsManifest", NULL, "a list of TensorFlow.js weights, without a graph" },
  { "traceEvents", NULL, "a trace of events (Chrome, Perfetto), not of a network's execution" },
  { "$schema", NULL, "a JSON schema, or a document of one" },
  { "nbformat", NULL, "a Jupyter notebook" },
  { "annotations", "images", "annotations of pictures (COCO)" },
  { "shapes", "imagePath", "annotations of a picture (labelme)" },
  { "model", "added_tokens", "a tokenizer" },
  { "tokenizer_class", NULL, "the settings of a tokenizer" },
  { "added_tokens_decoder", NULL, "the settings of a tokenizer" },
  { "architectures", "model_type", "the settings of a model (Hugging Face), without its graph" },
  { "model_type", "hidden_size", "the settings of a model (Hugging Face), without its graph" },
  { "image_processor_type", NULL, "the settings of a preprocessor (Hugging Face)" },
  { "feature_extractor_type", NULL, "the settings of a preprocessor (Hugging Face)" },
  { "do_resize", "image_mean", "the settings of a preprocessor (Hugging Face)" },
  { "eos_token_id", "transformers_version", "the settings of a text generator (Hugging Face)" },
  { "peft_type", NULL, "the settings of an adapter (PEFT)" },
  { "config", "model_weights", "a list of weights, without a graph" },
  { "learner", "version", "an XGBoost model, which is trees and no graph of layers" },
  { "oblivious_trees", NULL, "a CatBoost model, which is trees and no graph of layers" },
  { "tree_info", NULL, "a LightGBM model, which is trees and no graph of layers" },
  { "layer_shapes", NULL, "the shapes of a Core ML network (Espresso); the graph is beside it" },
  { "rootModelIdentifier", "itemInfoEntries", "the manifest of a Core ML package; the graph is in its Data folder" },
  { "mainModule", "tensors", "a PyTorch archive of 2018, whose graph is Python code" },
  { "fp16", "train_batch_size", "the settings of DeepSpeed" },
  { "train_micro_batch_size_per_gpu", NULL, "the settings of DeepSpeed" },
  { "activation_encodings", "param_encodings", "quantization encodings (AIMET)" },
  { "backend", "image_data_format", "the settings of Keras itself" },
  { "openapi", "paths", "the description of a web service" },
  { "swagger", "paths", "the description of a web service" },
  { "lockfileVersion", NULL, "the lock file of software packages" },
  { "compilerOptions", NULL, "the settings of a compiler (TypeScript)" },
  { "features", "type", "a map (GeoJSON)" },
  { "asset", "meshes", "a 3D scene (glTF)" },
  { "directed", "multigraph", "a general graph (NetworkX), not of a network" },
  { "log", "version", "a log" },
  { "name", "version", "the description of a software package" },
  { "dependencies", "version", "the description of a software package" },
  { "dependencies", "scripts", "the description of a software package" },
};

const char *
sym_io_describe_bytes (const guint8 *bytes, gsize size)
{
  for (guint i = 0; i < G_N_ELEMENTS (magics); i++)
    if (size >= magics[i].offset + magics[i].length
        && memcmp (bytes + magics[i].offset, magics[i].bytes, magics[i].length) == 0)
      return magics[i].what;

  return g_utf8_validate ((const char *) bytes, (gssize) MIN (size, 4096), NULL)
           ? "plain text, not JSON"
           : "bytes of no known kind";
}

/* What can be told by the values alone: all are whole numbers, lists of files and shapes. */
static const char *
describe_values (const SymJson *json)
{
  guint first = sym_json_get_element (json, 0, 0);
  guint n = 0, n_numbers = 0;

  if (sym_json_get_member (json, first, "weights") != SYM_JSON_NONE
      && sym_json_get_member (json, first, "paths") != SYM_JSON_NONE)
    return "a list of TensorFlow.js weights, without a graph";
  if (sym_json_get_member (json, first, "ph") != SYM_JSON_NONE)
    return "a trace of events (Chrome, Perfetto), not of a network's execution";
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i); n++)
    {
      gint64 number;

      n_numbers += i.key != SYM_JSON_NONE && sym_json_get_int (json, i.value, &number);
    }
  if (n > 100 && n_numbers == n)
    return "a vocabulary";
  return sym_json_get_kind (json, 0) == SYM_JSON_OBJECT && n == 0 ? "an empty JSON object"
                                                                   : "a JSON document of no known kind";
}

const char *
sym_io_describe_json (const SymJson *json)
{
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (sym_json_get_member (json, 0, hints[i].member) != SYM_JSON_NONE
        && (hints[i].second == NULL
            || sym_json_get_member (json, 0, hints[i].second) != SYM_JSON_NONE))
      return hints[i].what;

  return describe_values (json);
}
