/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include "core/sym-progress.h"
#include "io/sym-proto-glance.h"

/* ONNX in its own, binary form.  A ModelProto has no mark by which it is known, so its first bytes
 * must be read as one without a doubt: every field known and of the right kind, no number out of
 * reason, the graph begun with fields of a graph. */

#define MAX_IR_VERSION 1000

/* What of the time to open a file its fields take; making a model of them takes the rest. */
#define SHARE_FIELDS 0.4

/* Fields of versions to come have higher numbers. */
#define MAX_KNOWN_FIELD 26

/* What has been seen of a model at its beginning. */
typedef struct {
  SymProtoGlance fields;
  gboolean has_version, has_opset, has_graph;
  guint64 n_graph_bytes;
} Glance;

static gboolean
is_plausible_graph (const SymProtoGlance *around, const SymProtoGlimpse *graph)
{
  SymProtoGlance glance = sym_proto_glance_within (around, graph, &sym_onnx_graph_type);
  SymProtoGlimpse field;

  glance.max_known = MAX_KNOWN_FIELD;
  while (glance.n_fields < 32 && sym_proto_glance_take (&glance, &field))
    if (field.field->kind == SYM_PROTO_STRING && !sym_proto_glimpse_is_text (&field))
      return FALSE;
  return !glance.is_wrong;
}

static gboolean
note_field (Glance *self, const SymProtoGlimpse *field)
{
  switch (field->field->number)
    {
    case ONNX_MODEL_IR_VERSION:
      self->has_version = TRUE;
      return field->value <= MAX_IR_VERSION;
    case ONNX_MODEL_OPSET_IMPORT:
      self->has_opset = TRUE;
      return TRUE;
    case ONNX_MODEL_GRAPH:
      self->has_graph = TRUE;
      self->n_graph_bytes = field->value;
      return is_plausible_graph (&self->fields, field);
    default:
      return field->field->kind != SYM_PROTO_STRING || sym_proto_glimpse_is_text (field);
    }
}

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  Glance glance = { .fields = sym_proto_glance (start, n, size, &sym_onnx_model_type) };
  SymProtoGlimpse field;

  glance.fields.max_known = MAX_KNOWN_FIELD;
  while (sym_proto_glance_take (&glance.fields, &field))
    if (!note_field (&glance, &field))
      return 0;
  if (glance.fields.is_wrong || !glance.has_graph ||
      (!glance.has_version && !glance.has_opset &&
       (glance.fields.n_fields < 2 || glance.n_graph_bytes == 0)))
    return 0;
  return 50 + 20 * glance.has_version + 20 * glance.has_opset;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  SymProtoMessage *model;
  SymProgressPart whole = sym_progress_enter (source->cancellable, 0, SHARE_FIELDS);
  g_autoptr (SymProto) document =
      sym_proto_read (blob, &sym_onnx_model_type, &model, source->cancellable, error);

  sym_progress_leave (source->cancellable, whole);
  sym_progress_tell_unknown (source->cancellable);
  return document == NULL ? NULL
                          : sym_onnx_read_model (document, model, SYM_ONNX_BINARY, source, error);
}

const SymIoFormat sym_onnx_format = {
  .name = "onnx",
  .title = "ONNX",
  .versions = "IR 1 to 14",
  .limits = "operators of unknown domains and those that train do not run",
  .suffix = ".onnx",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .write = sym_onnx_write,
  .tell = sym_onnx_tell,
};
