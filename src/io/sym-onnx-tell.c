/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

/* By the names that onnx.proto has for them. */
static void
tell_numbered (const SymProtoMessage *model, SymIoTellFunc func, gpointer user_data)
{
  static const guint numbers[] = { ONNX_MODEL_IR_VERSION, ONNX_MODEL_MODEL_VERSION };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      gint64 number = sym_proto_get_int (model, numbers[i], 0);
      g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

      if (number != 0)
        func (sym_proto_type_find (&sym_onnx_model_type, numbers[i])->name, text, user_data);
    }
}

static void
tell_texts (const SymProtoMessage *model, SymIoTellFunc func, gpointer user_data)
{
  static const guint texts[] = { ONNX_MODEL_PRODUCER_NAME, ONNX_MODEL_PRODUCER_VERSION,
                                 ONNX_MODEL_DOMAIN, ONNX_MODEL_DOC_STRING };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = sym_proto_get_text (model, texts[i]);

      if (text != NULL && *text != '\0')
        func (sym_proto_type_find (&sym_onnx_model_type, texts[i])->name, text, user_data);
    }
}

/* Operators of the domain without a name are those of ONNX itself. */
static void
tell_opsets (const SymProtoMessage *model, SymIoTellFunc func, gpointer user_data)
{
  const SymProtoEntry *entry;
  guint at = 0;

  while ((entry = sym_proto_next (model, ONNX_MODEL_OPSET_IMPORT, &at)) != NULL)
    {
      const char *domain = sym_proto_get_text (entry->message, ONNX_OPSET_DOMAIN);
      gint64 version = sym_proto_get_int (entry->message, ONNX_OPSET_VERSION, 0);
      gboolean is_own = domain == NULL || *domain == '\0';
      g_autofree char *text =
          g_strdup_printf ("%s %" G_GINT64_FORMAT, is_own ? "ai.onnx" : domain, version);

      func ("opset_import", text, user_data);
    }
}

/* What a model is called, and what is said of it, often stands with its graph alone. */
static void
tell_graph (const SymProtoMessage *graph, SymIoTellFunc func, gpointer user_data)
{
  const char *name = sym_proto_get_text (graph, ONNX_GRAPH_NAME);
  const char *doc_string = sym_proto_get_text (graph, ONNX_GRAPH_DOC_STRING);

  if (name != NULL && *name != '\0')
    func ("graph.name", name, user_data);
  if (doc_string != NULL && *doc_string != '\0')
    func ("graph.doc_string", doc_string, user_data);
}

static void
tell_metadata (const SymProtoMessage *model, SymIoTellFunc func, gpointer user_data)
{
  const SymProtoEntry *entry;
  guint at = 0;

  while ((entry = sym_proto_next (model, ONNX_MODEL_METADATA_PROPS, &at)) != NULL)
    {
      const char *key = sym_proto_get_text (entry->message, ONNX_ENTRY_KEY);
      const char *value = sym_proto_get_text (entry->message, ONNX_ENTRY_VALUE);

      func (key != NULL ? key : "", value != NULL ? value : "", user_data);
    }
}

void
sym_onnx_tell (const SymModel *self, SymIoTellFunc func, gpointer user_data)
{
  const SymOnnxOrigin *origin = sym_model_get_origin (self);

  tell_numbered (origin->file->model, func, user_data);
  tell_opsets (origin->file->model, func, user_data);
  tell_texts (origin->file->model, func, user_data);
  tell_graph (sym_proto_get_message (origin->file->model, ONNX_MODEL_GRAPH), func, user_data);
  tell_metadata (origin->file->model, func, user_data);
}
