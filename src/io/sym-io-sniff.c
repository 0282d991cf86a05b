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
  { 0, "digraph", 7, "a DOT drawing" },
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
  { "modelTopology", NULL, "a TensorFlow.js graph model, which is not read yet" },
  { "model_config", NULL, "a Keras model that is not made of layers" },
  { "class_name", "config", "the description of one Keras object, not of a model" },
  { "graph_module", NULL, "a torch.export program, which is not read yet" },
  { "schema_version", "graph_module", "a torch.export program, which is not read yet" },
  { "node", NULL, "a TensorFlow graph as JSON, which is not read yet" },
  { "weightsManifest", NULL, "a list of TensorFlow.js weights, without a graph" },
  { "traceEvents", NULL, "a trace of events" },
  { "$schema", NULL, "a JSON schema, or a document of one" },
  { "dependencies", "version", "the description of a software package" },
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

const char *
sym_io_describe_json (const SymJson *json)
{
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (sym_json_get_member (json, 0, hints[i].member) != SYM_JSON_NONE
        && (hints[i].second == NULL
            || sym_json_get_member (json, 0, hints[i].second) != SYM_JSON_NONE))
      return hints[i].what;

  return sym_json_get_kind (json, 0) == SYM_JSON_OBJECT && sym_json_count (json, 0) == 0
           ? "an empty JSON object"
           : "a JSON document of no known kind";
}
