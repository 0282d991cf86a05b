/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"
#include "io/sym-proto-json.h"
#include "store/sym-store.h"

/* ONNX in protobuf's JSON form, as its own tools write it (camelCase) and others do
 * (snake_case). */

static gboolean
has_any (const SymJson *json, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (sym_json_get_member (json, 0, names[i]) != SYM_JSON_NONE)
      return TRUE;

  return FALSE;
}

static const char *const camel_marks[] = { "irVersion", "opsetImport", "producerName",
                                           "metadataProps", NULL };
static const char *const snake_marks[] = { "ir_version", "opset_import", "producer_name",
                                           "metadata_props", NULL };

static int
score (const SymJson *json)
{
  guint graph = sym_json_get_member (json, 0, "graph");

  if (sym_json_get_kind (json, graph) != SYM_JSON_OBJECT ||
      sym_json_get_member (json, 0, "framework") != SYM_JSON_NONE)
    return 0;
  return has_any (json, camel_marks) || has_any (json, snake_marks) ? 90 : 0;
}

static SymModel *
read_model (SymJson *json, const SymIoSource *source, GError **error)
{
  SymProtoMessage *model;
  g_autoptr (SymProto) document =
      sym_proto_read_json (json, 0, &sym_onnx_model_type, &model, source->problems, error);

  if (document == NULL)
    return NULL;
  return sym_onnx_read_model (document, model,
                              has_any (json, snake_marks) ? SYM_ONNX_JSON_SNAKE : SYM_ONNX_JSON,
                              source, error);
}

static gboolean
write_bytes (gpointer out, const void *bytes, gsize size, GError **error)
{
  return sym_store_writer_write (out, bytes, size, error);
}

static gboolean
save (const SymProtoMessage *message,
      SymProtoJsonFlags flags,
      const char *path,
      guint *n_left_out,
      GError **error)
{
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (path, error);

  return writer != NULL &&
         sym_proto_write_json (message, flags, write_bytes, writer, n_left_out, error) &&
         sym_store_writer_commit (writer, error);
}

static gboolean
write_model (SymModel *model,
             const SymInference *inference,
             const char *path,
             SymProblems *notes,
             GError **error)
{
  const SymOnnxOrigin *origin = sym_onnx_get_origin (model);
  const SymOnnxFile *file = origin == NULL ? NULL : origin->file;
  g_autoptr (SymProto) document = NULL;
  const SymProtoMessage *message = sym_onnx_make_model (model, inference, notes, &document, error);
  SymProtoJsonFlags flags = 0;
  GError *cause = NULL;
  guint n_left_out = 0;

  if (message != NULL)
    message = sym_onnx_move_external (document, file, message, path, notes, error);
  if (message == NULL)
    return FALSE;
  if (file != NULL && file->form == SYM_ONNX_JSON_SNAKE)
    flags = SYM_PROTO_JSON_SNAKE_CASE;
  if (!save (message, flags, path, &n_left_out, &cause))
    {
      sym_io_take_file_error (error, path, cause);
      return FALSE;
    }
  if (n_left_out > 0 && notes != NULL)
    sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u fields of the file are not known here, and JSON has no name for them: "
                      "they are left out",
                      n_left_out);
  return TRUE;
}

const SymIoFormat sym_onnx_json_format = {
  .name = "onnx-json",
  .title = "ONNX as JSON",
  .versions = "IR 1 to 14, camelCase and snake_case",
  .limits = "operators of unknown domains and those that train do not run",
  .suffix = ".onnx.json",
  .score = score,
  .read = read_model,
  .write = write_model,
  .tell = sym_onnx_tell,
};
