/* SPDX-License-Identifier: MIT */
#include "io/sym-proto-glance.h"

/* Of no number, by wire type; what has no kind is none. */
static const SymProtoField later_fields[8] = {
  { G_MAXUINT, "", SYM_PROTO_INT64, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_DOUBLE, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_BYTES, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_FLOAT, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_FLOAT, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_FLOAT, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_DOUBLE, 0, NULL, NULL },
  { G_MAXUINT, "", SYM_PROTO_DOUBLE, 0, NULL, NULL },
};

SymProtoGlance
sym_proto_glance (const guint8 *start, gsize n, guint64 size, const SymProtoType *type)
{
  return (
      SymProtoGlance){ .type = type, .at = start, .end = n == 0 ? start : start + n, .left = size };
}

SymProtoGlance
sym_proto_glance_within (const SymProtoGlance *self,
                         const SymProtoGlimpse *message,
                         const SymProtoType *type)
{
  return (SymProtoGlance){ .type = type,
                           .at = message->start,
                           .end = message->end,
                           .left = message->value,
                           .max_known = self->max_known };
}

static gboolean
take_varint (SymProtoGlance *self, guint64 *value)
{
  int n = sym_proto_parse_varint (self->at, (gsize) (self->end - self->at), value);

  if (n <= 0 || (guint64) n > self->left)
    return FALSE;
  self->at += n;
  self->left -= (guint64) n;
  return TRUE;
}

static gboolean
take_field (SymProtoGlance *self, SymProtoGlimpse *field)
{
  guint64 tag;

  if (!take_varint (self, &tag) || tag > G_MAXUINT)
    return FALSE;
  field->field = sym_proto_type_find (self->type, (guint) (tag >> 3));
  if (field->field == NULL && self->max_known > 0 && self->n_fields > 0 &&
      tag >> 3 > self->max_known)
    field->field = &later_fields[tag & 7];
  if (field->field == NULL || !sym_proto_field_fits (field->field, (guint) (tag & 7)))
    return FALSE;
  if ((tag & 7) == 5 || (tag & 7) == 1)
    field->value = (tag & 7) == 1 ? 8 : 4;
  else if (!take_varint (self, &field->value))
    return FALSE;
  field->start = self->at;
  self->n_fields++;
  /* A field that goes on beyond the file may be one that was cut short. */
  if ((tag & 7) != 0)
    {
      self->at += MIN (field->value, (guint64) (self->end - self->at));
      self->left -= MIN (field->value, self->left);
    }
  field->end = self->at;
  return TRUE;
}

gboolean
sym_proto_glance_take (SymProtoGlance *self, SymProtoGlimpse *field)
{
  if (self->is_wrong || self->left == 0 || self->at >= self->end ||
      (self->end - self->at < 20 && (guint64) (self->end - self->at) < self->left))
    return FALSE;
  self->is_wrong = !take_field (self, field);
  return !self->is_wrong;
}

gboolean
sym_proto_glimpse_is_text (const SymProtoGlimpse *self)
{
  for (const guint8 *at = self->start; at < self->end; at++)
    if (*at < 0x20 && *at != '\n' && *at != '\t' && *at != '\r')
      return FALSE;
  return TRUE;
}
