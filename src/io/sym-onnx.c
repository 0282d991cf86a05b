/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include "core/sym-progress.h"

#include <string.h>

/* ONNX in its own, binary form.  A ModelProto has no mark by which it is known, so its first bytes
 * must be read as one without a doubt: every field known and of the right kind, no number out of
 * reason, the graph begun with fields of a graph. */

#define MAX_IR_VERSION 1000

/* What of the time to open a file its fields take; making a model of them takes the rest. */
#define SHARE_FIELDS 0.4

/* Fields of versions to come have higher numbers.  By wire type; what has no kind is none. */
#define MAX_KNOWN_FIELD 26

static const SymProtoField later_fields[8] = {
  { 27, "", SYM_PROTO_INT64, 0, NULL, NULL },   { 27, "", SYM_PROTO_DOUBLE, 0, NULL, NULL },
  { 27, "", SYM_PROTO_BYTES, 0, NULL, NULL },   { 27, "", SYM_PROTO_FLOAT, 0, NULL, NULL },
  { 27, "", SYM_PROTO_FLOAT, 0, NULL, NULL },   { 27, "", SYM_PROTO_FLOAT, 0, NULL, NULL },
  { 27, "", SYM_PROTO_DOUBLE, 0, NULL, NULL },  { 27, "", SYM_PROTO_DOUBLE, 0, NULL, NULL },
};

/* What has been seen of a message at its beginning. */
typedef struct {
  const guint8 *at;
  const guint8 *end;   /* of what can be looked at */
  guint64 left;        /* bytes of the message, which may go on behind @end */
  guint n_fields;
  gboolean has_version, has_opset, has_graph;
  guint64 n_graph_bytes;
} Glance;

static gboolean
take_varint (Glance *self, guint64 *value)
{
  int n = sym_proto_parse_varint (self->at, (gsize) (self->end - self->at), value);

  if (n <= 0 || (guint64) n > self->left)
    return FALSE;
  self->at += n;
  self->left -= (guint64) n;
  return TRUE;
}

static gboolean
has_right_wire (const SymProtoField *field, guint wire)
{
  switch (field->kind)
    {
    case SYM_PROTO_FLOAT:
      return wire == 5 || (wire == 2 && field->flags & SYM_PROTO_REPEATED);
    case SYM_PROTO_DOUBLE:
      return wire == 1 || (wire == 2 && field->flags & SYM_PROTO_REPEATED);
    case SYM_PROTO_INT32:
    case SYM_PROTO_INT64:
    case SYM_PROTO_UINT64:
      return wire == 0 || (wire == 2 && field->flags & SYM_PROTO_REPEATED);
    case SYM_PROTO_STRING:
    case SYM_PROTO_BYTES:
    case SYM_PROTO_MESSAGE:
    default:
      return wire == 2;
    }
}

/* The next field and, of one with a length, what is within; FALSE where there is none like it.  At
 * the end of what can be looked at it is NULL. */
static gboolean
take_field (Glance *self,
            const SymProtoType *type,
            const SymProtoField **field,
            guint64 *value,
            const guint8 **within)
{
  guint64 tag;

  *field = NULL;
  if (self->left == 0
      || (self->end - self->at < 20 && (guint64) (self->end - self->at) < self->left))
    return TRUE;
  if (!take_varint (self, &tag) || tag > G_MAXUINT)
    return FALSE;
  *field = sym_proto_type_find (type, (guint) (tag >> 3));
  if (*field == NULL && self->n_fields > 0 && tag >> 3 > MAX_KNOWN_FIELD)
    *field = &later_fields[tag & 7];
  if (*field == NULL || !has_right_wire (*field, (guint) (tag & 7)))
    return FALSE;
  if ((tag & 7) == 5 || (tag & 7) == 1)
    *value = (tag & 7) == 1 ? 8 : 4;
  else if (!take_varint (self, value))
    return FALSE;
  *within = self->at;
  self->n_fields++;
  if ((tag & 7) == 0)
    return TRUE;
  /* A field that goes on beyond the file may be one that was cut short. */
  self->at += MIN (*value, (guint64) (self->end - self->at));
  self->left -= MIN (*value, self->left);
  return TRUE;
}

/* Text has no control characters: they would be bytes of something else. */
static gboolean
is_plausible_text (const guint8 *bytes, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (bytes[i] < 0x20 && bytes[i] != '\n' && bytes[i] != '\t' && bytes[i] != '\r')
      return FALSE;
  return TRUE;
}

static gboolean
is_plausible_graph (const guint8 *bytes, const guint8 *end, guint64 size)
{
  Glance glance = { .at = bytes, .end = MIN (end, bytes + MIN (size, (guint64) (end - bytes))),
                    .left = size };

  while (glance.left > 0 && glance.at < glance.end && glance.n_fields < 32)
    {
      const SymProtoField *field;
      const guint8 *within;
      guint64 value;

      if (!take_field (&glance, &sym_onnx_graph_type, &field, &value, &within))
        return FALSE;
      if (field == NULL)
        break;
      if (field->kind == SYM_PROTO_STRING
          && !is_plausible_text (within, (gsize) (glance.at - within)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
note_field (Glance *self, const SymProtoField *field, guint64 value, const guint8 *within)
{
  switch (field->number)
    {
    case ONNX_MODEL_IR_VERSION:
      self->has_version = TRUE;
      return value <= MAX_IR_VERSION;
    case ONNX_MODEL_OPSET_IMPORT:
      self->has_opset = TRUE;
      return TRUE;
    case ONNX_MODEL_GRAPH:
      self->has_graph = TRUE;
      self->n_graph_bytes = value;
      return is_plausible_graph (within, self->end, value);
    default:
      return field->kind != SYM_PROTO_STRING
             || is_plausible_text (within, (gsize) (self->at - within));
    }
}

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  Glance glance = { .at = start, .end = n == 0 ? start : start + n, .left = size };

  while (glance.left > 0 && glance.at < glance.end)
    {
      const SymProtoField *field;
      const guint8 *within = NULL;
      guint64 value = 0;

      if (!take_field (&glance, &sym_onnx_model_type, &field, &value, &within))
        return 0;
      if (field == NULL)
        break;
      if (!note_field (&glance, field, value, within))
        return 0;
    }
  if (!glance.has_graph
      || (!glance.has_version && !glance.has_opset
          && (glance.n_fields < 2 || glance.n_graph_bytes == 0)))
    return 0;
  return 50 + 20 * glance.has_version + 20 * glance.has_opset;
}

static SymModel *
read_bytes (SymBlob *blob, const SymIoSource *source, GError **error)
{
  SymProtoMessage *model;
  SymProgressPart whole = sym_progress_enter (source->cancellable, 0, SHARE_FIELDS);
  g_autoptr (SymProto) document = sym_proto_read (blob, &sym_onnx_model_type, &model,
                                                  source->cancellable, error);

  sym_progress_leave (source->cancellable, whole);
  sym_progress_tell_unknown (source->cancellable);
  return document == NULL
           ? NULL
           : sym_onnx_read_model (document, model, SYM_ONNX_BINARY, source, error);
}

const SymIoFormat sym_onnx_format = {
  .name = "onnx",
  .title = "ONNX",
  .versions = "IR 1 to 14",
  .suffix = ".onnx",
  .score_bytes = score_bytes,
  .read_bytes = read_bytes,
  .write = sym_onnx_write,
};
