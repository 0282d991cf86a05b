/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"
#include "io/sym-proto-text.h"

/* ONNX in protobuf's text form: what print (model) shows in Python, and what test folders hold. */

static gboolean
has_text (const guint8 *start, gsize n, const char *text)
{
  return g_strstr_len ((const char *) start, (gssize) n, text) != NULL;
}

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  static const char *const fields[] = {
    "ir_version", "producer_name", "producer_version", "domain",         "model_version",
    "doc_string", "graph",         "opset_import",     "metadata_props", NULL,
  };
  g_autofree char *first = sym_proto_text_get_first (start, n);

  return first != NULL && g_strv_contains (fields, first) &&
                 (has_text (start, n, "ir_version") || has_text (start, n, "op_type"))
             ? 80
             : 0;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  SymProtoMessage *model;
  g_autoptr (SymProto) document = sym_proto_read_text (
      blob, &sym_onnx_model_type, &model, source->problems, source->cancellable, error);

  return document == NULL ? NULL
                          : sym_onnx_read_model (document, model, SYM_ONNX_PBTXT, source, error);
}

const SymIoFormat sym_onnx_pbtxt_format = {
  .name = "onnx-pbtxt",
  .title = "ONNX as protocol buffer text",
  .versions = "IR 1 to 14",
  .limits = "operators of unknown domains and those that train do not run; saved in another form",
  .suffix = ".pbtxt",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .tell = sym_onnx_tell,
};
