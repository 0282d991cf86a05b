/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

#include <string.h>

/* Texts begin with a head that tells the IR version or the opset. */
static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  SymOnnxText text = { .at = (const char *) start,
                       .start = (const char *) start,
                       .end = n == 0 ? (const char *) start : (const char *) start + n };
  g_autofree char *key = NULL;
  static const char *const keys[] = { "ir_version",       "opset_import",   "producer_name",
                                      "producer_version", "domain",         "model_version",
                                      "doc_string",       "metadata_props", NULL };

  if (!sym_onnx_text_take (&text, '<'))
    return 0;
  key = sym_onnx_text_take_id (&text);
  return key != NULL && g_strv_contains (keys, key) && sym_onnx_text_take (&text, ':') ? 90 : 0;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_autoptr (SymProto) document = sym_proto_new (NULL);
  g_autofree char *bytes = sym_io_read_text (blob, error);
  SymOnnxText text = { .document = document };
  SymProtoMessage *model;

  if (bytes == NULL)
    return NULL;
  text.at = text.start = text.line_at = bytes;
  text.end = bytes + blob->size;
  text.line = 1;
  model = sym_onnx_text_read_model (&text, error);
  if (model == NULL)
    return NULL;
  sym_proto_sort (document);
  return sym_onnx_read_model (document, model, SYM_ONNX_TEXT, source, error);
}

static gboolean
write_text (SymModel *model,
            const SymInference *inference,
            const char *path,
            SymProblems *notes,
            GError **error)
{
  const SymOnnxOrigin *origin = sym_onnx_get_origin (model);
  g_autoptr (SymProto) document = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  const SymProtoMessage *message = sym_onnx_make_model (model, inference, notes, &document, error);
  SymOnnxPrinter printer = { .out = out, .file = origin == NULL ? NULL : origin->file };

  if (message != NULL)
    message = sym_onnx_move_external (document, printer.file, message, path, notes, error);
  if (message == NULL || !sym_onnx_text_print_model (&printer, message, error))
    return FALSE;
  if (printer.n_left_out > 0 && notes != NULL)
    sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "ONNX's text has no place for descriptions and metadata of nodes and values, "
                      "and other fields: %u are left out",
                      printer.n_left_out);
  return sym_io_write_text (path, out->str, out->len, error);
}

const SymIoFormat sym_onnx_text_format = {
  .name = "onnx-text",
  .title = "ONNX as text",
  .versions = "IR 1 to 14",
  .limits = "has no place for descriptions, nor for metadata of nodes",
  .suffix = ".onnxtxt",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .write = write_text,
  .tell = sym_onnx_tell,
};
