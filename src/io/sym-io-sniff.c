/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

#include "io/sym-onnx-messages.h"
#include "io/sym-proto-glance.h"

typedef struct {
  guint offset;
  const char *bytes;
  guint length;
  const char *what;
} Magic;

#define PICKLED \
  "PyTorch weights, or a pickled module, without a graph: torch.export.save() writes one"
#define CAFFE "a network of Caffe, which is not read"

static const Magic magics[] = {
  { 0, "\x89HDF\r\n\x1a\n", 8, "an HDF5 file (Keras weights may be one)" },
  { 2, "ONNXOPSET", 9, "descriptions of ONNX operators (OperatorSetProto), without a graph" },
  { 0, "\x12\1\0\0\0\0\0\0", 8, "MXNet weights (.params); the graph lies beside them as JSON" },
  { 0, "\xb7\x9c\x04\x05\x4f\x8d\xe5\xf7", 8, "TVM weights; the graph lies beside them as JSON" },
  { 0, "\x93NUMPY", 6, "a NumPy array" },
  { 0, "GGUF", 4, "a GGUF file of weights" },
  { 0, "\x80\2\x8a\nl\xfc\x9c", 6, PICKLED },
  { 0, "\x80\2", 2, "a Python pickle (an old PyTorch file may be one)" },
  { 0, "\x80\3", 2, "a Python pickle" },
  { 0, "\x80\4", 2, "a Python pickle" },
  { 0, "\x80\5", 2, "a Python pickle" },
  { 0, "\x89PNG", 4, "a PNG picture" },
  { 0, "\xff\xd8\xff", 3, "a JPEG picture" },
  { 0, "GIF8", 4, "a GIF picture" },
  { 8, "WEBP", 4, "a WebP picture" },
  { 4, "ftyp", 4, "a video" },
  { 0, "%PDF", 4, "a PDF document" },
  { 0, SYM_STORE_LFS, sizeof SYM_STORE_LFS - 1,
    "a pointer of Git LFS: “git lfs pull” fetches the file itself" },
  { 0, "pbze", 4, "a file that Apple's tools have compressed (LZFSE), which is not unpacked" },
  { 4, "ORTM", 4, "a model of ONNX Runtime's own (.ort), which is not read; its .onnx is" },
  { 4, "ET12", 4,
    "a program of ExecuTorch (.pte), which is not read; its torch.export program is" },
  { 4, "TOSA", 4, "a TOSA program as bytes, which is not read; as JSON (flatc) it is" },
  { 4, "ARMN", 4, "an Arm NN network as bytes, which is not read; as JSON (flatc) it is" },
  { 0, "VGF1", 4, "a network for Arm's processors (VGF), which is not read" },
  { 0, "RKNN", 4, "a network for Rockchip's processors (RKNN), which is not read" },
  { 0, "ftrt", 4, "an engine of TensorRT; its inspector writes the graph as JSON" },
  { 0, "ptrt", 4, "an engine of TensorRT; its inspector writes the graph as JSON" },
  { 0, "SQLite format 3", 15, "a database (SQLite)" },
  { 0, "PAR1", 4, "a table of data (Parquet)" },
  { 0, "ARROW1", 6, "a table of data (Arrow)" },
  { 0, "MATLAB ", 7, "data of MATLAB" },
  { 0, "ML\xefR", 4, "a program of MLIR" },
  { 0, "7z\xbc\xaf", 4, "a 7z archive, which is not unpacked" },
  { 0,
    "\xfd"
    "7zXZ",
    5, "an xz archive, which is not unpacked" },
  { 0, "\x28\xb5\x2f\xfd", 4, "a Zstandard archive, which is not unpacked" },
  { 0, "BZh", 3, "a bzip2 archive, which is not unpacked" },
  { 0, "\x04\x22\x4d\x18", 4, "an LZ4 archive, which is not unpacked" },
  { 0, "Rar!", 4, "a RAR archive, which is not unpacked" },
  { 0, "PK\5\6", 4, "a zip archive without files" },
  { 0, "PK\3\4", 4, "a zip archive" },
  { 0, "\x1f\x8b", 2, "a gzip file" },
  { 0, "binf", 4, "an XGBoost model, which is trees and no graph of layers" },
  { 0, "tree\nversion=", 13, "a LightGBM model, which is trees and no graph of layers" },
  { 0,
    "\x7f"
    "ELF",
    4, "a program" },
  { 0, "\x08\1\x12", 3, SYM_IO_SAVED_MODEL },
  { 0, "\x08", 1, "a protocol buffer (an ONNX model may be one)" },
  { 0, "\n", 1, "a protocol buffer (a TensorFlow graph may be one)" },
  { 8, "{\"", 2, "safetensors: weights without a graph" },
  { 0, "node {", 6, "a TensorFlow graph in protocol buffer text" },
  { 0, "ir_version", 10, "an ONNX model in protocol buffer text" },
  { 0, "[net]", 5, "a network of Darknet, which is not read" },
  { 0, "[", 1, "the settings of a program (INI or TOML)" },
  { 0, "7767517", 7, "a network of ncnn, which is not read" },
  { 0, "module ", 7, "a program of MLIR" },
  { 0, "module{", 7, "a program of MLIR" },
  { 0, "layer {", 7, CAFFE },
  { 0, "layers {", 8, CAFFE },
  { 0, "import ", 7, "a Python source" },
  { 0, "from ", 5, "a Python source" },
  { 0, "#include", 8, "a C source" },
  { 0, "--- Layer", 9,
    "what an engine of TensorRT tells of its layers as text; its inspector writes them as JSON" },
  { 0, "---", 3, "a YAML document" },
};

/* Text that no first bytes tell, by a word that is in its beginning. */
static const struct {
  const char *word;
  const char *what;
} words[] = {
  { "layer {", CAFFE },
  { "layers {", CAFFE },
  { "input_arg {", "descriptions of operators (TensorFlow), without a graph" },
  { "train_config", "the settings of a training (TensorFlow Object Detection)" },
  { "max_batch_size:", "the settings of a model server (Triton), without the model's graph" },
  { "\nplatform:", "the settings of a model server (Triton), without the model's graph" },
  { "\nbackend:", "the settings of a model server (Triton), without the model's graph" },
  { "item {", "names of classes (TensorFlow Object Detection), without a graph" },
  { "\nop {", "a network of Caffe2, which is not read" },
  { "\nimport ", "a Python source" },
  { "func.func ", "a program of MLIR" },
  { "func @", "a program of MLIR" },
  { "\nbackbone:", "the settings of a YOLO network, which its own program makes the graph of" },
};

/* XML and HTML, by the name of the first element. */
static const struct {
  const char *name;
  const char *what;
} elements[] = {
  { "html", "a web page (HTML)" },
  { "svg", "a drawing (SVG)" },
  { "graphml", "a general graph (GraphML), not of a network" },
  { "gexf", "a general graph (GEXF), not of a network" },
  { "mxfile", "a drawing (draw.io)" },
  { "PMML", "a model of PMML, which is not read" },
  { "annotation", "annotations of a picture (Pascal VOC)" },
  { "annotations", "annotations of pictures (CVAT)" },
  { "opencv_storage", "data of OpenCV, in which there is no graph of layers" },
  { "project", "the settings of a project (Maven, Ant, an editor)" },
  { "plist", "a list of properties (Apple)" },
  { "Error", "an answer of a server, which is not the file that was asked for" },
};

/* Where the next element of @text is, behind a declaration, comments and a document's type. */
static const char *
find_element (const char *text, gsize size)
{
  const char *end = text + size;

  for (const char *at = text; at < end; at++)
    if (end - at > 4 && memcmp (at, "<!--", 4) == 0)
      {
        const char *closed = g_strstr_len (at, end - at, "-->");

        if (closed == NULL)
          return NULL;
        at = closed;
      }
    else if (end - at > 1 && *at == '<' && at[1] != '?' && at[1] != '!')
      return at + 1;
  return NULL;
}

static const char *
describe_markup (const char *text, gsize size)
{
  const char *name = find_element (text, size);

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (elements); i++)
    {
      gsize length = strlen (elements[i].name);
      gsize left = size - (gsize) (name - text);

      if (left > length && g_ascii_strncasecmp (name, elements[i].name, length) == 0 &&
          !g_ascii_isalnum (name[length]) && name[length] != '-' && name[length] != '_')
        return elements[i].what;
    }
  return "XML or HTML";
}

/* true, null, 42 or "a", which JSON allows for a document. */
static gboolean
is_json_value (const char *text, gsize size)
{
  static const char *const names[] = { "true", "false", "null", NULL };
  g_autofree char *whole = g_strstrip (g_strndup (text, size));
  gsize length = strlen (whole);
  char *end;

  if (g_strv_contains (names, whole) ||
      (length > 1 && *whole == '"' && strchr (whole + 1, '"') == whole + length - 1))
    return TRUE;
  g_ascii_strtod (whole, &end);
  return (g_ascii_isdigit (*whole) || *whole == '-') && *end == '\0';
}

static const char *
describe_text (const char *text, gsize size)
{
  if (is_json_value (text, size))
    return "a single JSON value, without a graph";
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strstr_len (text, (gssize) size, words[i].word) != NULL)
      return words[i].what;
  if (size >= 2 && text[0] == '/' && (text[1] == '/' || text[1] == '*'))
    return "text that begins with a comment: settings (JSON with comments), or a source";
  return "plain text, not JSON";
}

/* Where text begins after blank lines; 0 for what is no text, such as protocol buffers, which may
 * begin with the byte of a line's end. */
static gsize
skip_blank_lines (const guint8 *bytes, gsize size)
{
  gsize at = 0;

  for (gsize i = 0; i < MIN (size, 4096); i++)
    if (bytes[i] < ' ' && !g_ascii_isspace (bytes[i]))
      return 0;
  while (at < size && g_ascii_isspace (bytes[at]))
    at++;
  return at < size ? at : 0;
}

/* The place after a length of protocol buffers. */
static gsize
skip_length (const guint8 *bytes, gsize size, gsize at)
{
  while (at < size && bytes[at] >= 0x80)
    at++;
  return at + 1;
}

/* Version, then what it takes: a list of features, whose names come first.  A SavedModel begins
 * alike, but for what that list holds. */
static gboolean
is_core_ml (const guint8 *bytes, gsize size)
{
  gsize at = 3;

  if (size < at || bytes[0] != 0x08 || bytes[1] == 0 || bytes[1] >= 0x80 || bytes[2] != 0x12)
    return FALSE;
  at = skip_length (bytes, size, at);
  if (at >= size || bytes[at] != 0x0a)
    return FALSE;
  at = skip_length (bytes, size, at + 1);
  return at < size && bytes[at] == 0x0a;
}

/* What lies beside a SavedModel of Keras: a list of objects, each beginning with its place in the
 * model and the kind of Keras object that it is. */
static gboolean
is_keras_metadata (const guint8 *bytes, gsize size)
{
  static const char kind[] = "_tf_keras_";
  gsize at;

  if (size < 1 || bytes[0] != 0x0a)
    return FALSE;
  at = skip_length (bytes, size, 1);
  return at < size &&
         g_strstr_len ((const char *) bytes + at, (gssize) MIN (size - at, 64), kind) != NULL;
}

/* What TensorFlow puts beside a SavedModel: hashes as numbers, of which some may be 0 and are not
 * written then, and behind them a version within a message. */
static gboolean
is_fingerprint (const guint8 *bytes, gsize size)
{
  guint n_hashes = 0;
  gsize at = 0;

  for (guint8 field = 0x08; field <= 0x28; field += 8)
    if (at < size && bytes[at] == field)
      {
        gsize start = at + 1;

        at = skip_length (bytes, size, start);
        n_hashes += at > start + 5;
      }
  return n_hashes >= 3 && at + 1 < size && bytes[at] == 0x32 && bytes[at + 1] <= 2;
}

/* What protoc makes of files called .proto: the first begins with its name. */
static gboolean
is_descriptor_set (const guint8 *bytes, gsize size)
{
  static const char suffix[] = ".proto";
  gsize at, n;

  if (size < 1 || bytes[0] != 0x0a)
    return FALSE;
  at = skip_length (bytes, size, 1);
  if (at + 1 >= size || bytes[at] != 0x0a)
    return FALSE;
  n = bytes[at + 1];
  return n < 0x80 && n >= strlen (suffix) && at + 2 + n <= size &&
         memcmp (bytes + at + 2 + n - strlen (suffix), suffix, strlen (suffix)) == 0;
}

/* Whether every field of a message that can be looked at is one of its kind, and text where it
 * should be. */
static gboolean
is_message (const SymProtoGlance *around, const SymProtoGlimpse *message, const SymProtoType *type)
{
  SymProtoGlance glance = sym_proto_glance_within (around, message, type);
  SymProtoGlimpse field;

  while (sym_proto_glance_take (&glance, &field))
    if (field.field->kind == SYM_PROTO_STRING && !sym_proto_glimpse_is_text (&field))
      return FALSE;
  return !glance.is_wrong;
}

/* The type of its operator makes it sure. */
static gboolean
is_onnx_node (const SymProtoGlance *around, const SymProtoGlimpse *node)
{
  SymProtoGlance glance = sym_proto_glance_within (around, node, &sym_onnx_node_type);
  SymProtoGlimpse field;
  gboolean has_type = FALSE;

  if (!is_message (around, node, &sym_onnx_node_type))
    return FALSE;
  while (sym_proto_glance_take (&glance, &field))
    {
      has_type = has_type || (field.field->number == ONNX_NODE_OP_TYPE && field.value > 0);
      if (field.field->number == ONNX_NODE_ATTRIBUTE &&
          !is_message (&glance, &field, &sym_onnx_attribute_type))
        return FALSE;
    }
  return has_type;
}

/* A GraphProto with no ModelProto around it: what converters take for a list of operators. */
static gboolean
is_onnx_graph (const guint8 *bytes, gsize size)
{
  SymProtoGlance glance = sym_proto_glance (bytes, size, size, &sym_onnx_graph_type);
  SymProtoGlimpse field;

  return sym_proto_glance_take (&glance, &field) && field.field->number == ONNX_GRAPH_NODE &&
         is_onnx_node (&glance, &field);
}

const char *
sym_io_describe_bytes (const guint8 *bytes, gsize size)
{
  gsize blank;

  if (is_core_ml (bytes, size))
    return "a Core ML model, which is not read; the Espresso network of a compiled one is";
  if (is_keras_metadata (bytes, size))
    return "what Keras tells of a SavedModel; its graph is in saved_model.pb";
  if (is_fingerprint (bytes, size))
    return "the fingerprint of a SavedModel; its graph is in saved_model.pb";
  if (is_descriptor_set (bytes, size))
    return "descriptions of protocol buffers (FileDescriptorSet), without a graph";
  if (is_onnx_graph (bytes, size))
    return "nodes of ONNX (GraphProto) without the model around them, which tells their versions";
  blank = skip_blank_lines (bytes, size);
  bytes += blank;
  size -= blank;
  for (guint i = 0; i < G_N_ELEMENTS (magics); i++)
    if (size >= magics[i].offset + magics[i].length &&
        memcmp (bytes + magics[i].offset, magics[i].bytes, magics[i].length) == 0)
      return magics[i].what;
  if (size > 0 && *bytes == '<')
    return describe_markup ((const char *) bytes, MIN (size, 4096));

  return g_utf8_validate ((const char *) bytes, (gssize) MIN (size, 4096), NULL)
             ? describe_text ((const char *) bytes, MIN (size, 4096))
             : "bytes of no known kind";
}
