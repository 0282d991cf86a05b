/* SPDX-License-Identifier: MIT */
#include "io/sym-proto.h"

#include <string.h>

#include "core/sym-progress.h"
#include "io/sym-io.h"
#include "store/sym-store-varint.h"

#define WINDOW_BYTES (64 << 10)

/* Of a document: 24 bytes each. */
#define MAX_ENTRIES (1u << 26)

typedef struct {
  SymProtoMessage *message;
  guint64 end;
} Frame;

/* A walk over the bytes of a blob, of which a window is in memory. */
typedef struct {
  SymBlob *blob;
  guint8 *window;
  guint64 start; /* of the window */
  gsize n;       /* bytes in it */
  guint64 at;
  Frame frames[SYM_PROTO_MAX_DEPTH];
  guint depth;
  guint n_entries;
  GCancellable *cancellable;
} Reader;

int
sym_proto_parse_varint (const guint8 *bytes, gsize size, guint64 *value)
{
  const guint8 *at = bytes;
  guint64 number;

  if (!sym_store_take_varint (&at, bytes + size, &number))
    return size < 10 ? 0 : -1;
  *value = number;
  return (int) (at - bytes);
}

static gboolean fail (const Reader *self, SymIoError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* "byte 17, in GraphProto: ..." */
static gboolean
fail (const Reader *self, SymIoError code, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, SYM_IO_ERROR, (int) code, "byte %" G_GUINT64_FORMAT ", in %s: %s", self->at,
               self->frames[self->depth - 1].message->type->name, message);
  return FALSE;
}

/* Makes up to @wanted bytes at @self->at stand in the window; *@bytes points at them. */
static gboolean
look (Reader *self, gsize wanted, const guint8 **bytes, gsize *n, GError **error)
{
  guint64 end = self->frames[self->depth - 1].end;
  gsize need = (gsize) MIN (wanted, end - self->at);

  if (self->at < self->start || self->at + need > self->start + self->n)
    {
      gsize size = (gsize) MIN (WINDOW_BYTES, self->blob->size - self->at);

      if (!sym_blob_read (self->blob, self->at, size, self->window, error))
        return FALSE;
      self->start = self->at;
      self->n = size;
    }
  *bytes = self->window + (self->at - self->start);
  *n = need;
  return TRUE;
}

static gboolean
read_varint (Reader *self, guint64 *value, GError **error)
{
  const guint8 *bytes;
  gsize n;
  int length;

  if (!look (self, 10, &bytes, &n, error))
    return FALSE;
  length = sym_proto_parse_varint (bytes, n, value);
  if (length < 0)
    return fail (self, SYM_IO_ERROR_SYNTAX, error, "a number goes on beyond ten bytes");
  if (length == 0)
    return fail (self, SYM_IO_ERROR_SYNTAX, error, "it ends within a number");
  self->at += (guint) length;
  return TRUE;
}

static gboolean
read_fixed (Reader *self, guint size, guint64 *value, GError **error)
{
  const guint8 *bytes;
  guint64 sum = 0;
  gsize n;

  if (!look (self, size, &bytes, &n, error))
    return FALSE;
  if (n < size)
    return fail (self, SYM_IO_ERROR_SYNTAX, error, "it ends within a number of %u bytes", size);
  for (guint i = 0; i < size; i++)
    sum |= (guint64) bytes[i] << (8 * i);
  self->at += size;
  *value = sum;
  return TRUE;
}

/* A length, checked against what is left of the message. */
static gboolean
read_length (Reader *self, const char *what, guint64 *length, GError **error)
{
  guint64 left;

  if (!read_varint (self, length, error))
    return FALSE;
  left = self->frames[self->depth - 1].end - self->at;
  if (*length > left)
    return fail (self, SYM_IO_ERROR_SYNTAX, error,
                 "'%s' is to have %" G_GUINT64_FORMAT " bytes, but only %" G_GUINT64_FORMAT
                 " follow: the file may be cut short",
                 what, *length, left);
  return TRUE;
}

/* ---- Values ---- */

/* FALSE when cancelled. */
static gboolean
tell (Reader *self, GError **error)
{
  sym_progress_tell (self->cancellable, MIN (self->at, self->blob->size), self->blob->size);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

static gboolean
append (Reader *self, const SymProtoEntry *entry, GError **error)
{
  if (++self->n_entries > MAX_ENTRIES)
    return fail (self, SYM_IO_ERROR_LIMIT, error, "there are more than %u fields", MAX_ENTRIES);
  if ((self->n_entries & 0xfff) == 0 && !tell (self, error))
    return FALSE;
  sym_proto_append (self->frames[self->depth - 1].message, entry);
  return TRUE;
}

static gboolean
read_range (Reader *self, guint number, gboolean is_unknown, guint64 length, GError **error)
{
  SymProtoEntry entry = { .number = number,
                          .held = SYM_PROTO_RANGE,
                          .wire = 2,
                          .is_unknown = is_unknown != FALSE,
                          .value = self->at,
                          .size = length };

  self->at += length;
  return append (self, &entry, error);
}

static gboolean
read_text (Reader *self, guint number, guint64 length, GError **error)
{
  SymProtoMessage *message = self->frames[self->depth - 1].message;
  g_autofree char *large = NULL;
  const guint8 *bytes;
  gsize n;

  if (length <= WINDOW_BYTES)
    {
      if (!look (self, (gsize) length, &bytes, &n, error))
        return FALSE;
    }
  else
    {
      large = g_try_malloc (length);
      if (large == NULL)
        return fail (self, SYM_IO_ERROR_LIMIT, error,
                     "there is no memory for a text of %" G_GUINT64_FORMAT " bytes", length);
      if (!sym_blob_read (self->blob, self->at, length, large, error))
        return FALSE;
      bytes = (const guint8 *) large;
    }
  self->n_entries++;
  sym_proto_append_bytes (message, number, (const char *) bytes, (gsize) length);
  self->at += length;
  return TRUE;
}

/* The values of a packed list, which take at least a byte each. */
static gboolean
read_packed (Reader *self, const SymProtoField *field, guint64 length, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  Frame *frame = &self->frames[self->depth - 1];
  guint64 outer = frame->end;
  gboolean good = TRUE;

  if (length > MAX_ENTRIES)
    return fail (self, SYM_IO_ERROR_LIMIT, error, "'%s' has too many numbers", field->name);
  frame->end = self->at + length;
  while (good && self->at < frame->end)
    {
      guint64 value;

      good = field->kind == SYM_PROTO_FLOAT    ? read_fixed (self, 4, &value, error)
             : field->kind == SYM_PROTO_DOUBLE ? read_fixed (self, 8, &value, error)
                                               : read_varint (self, &value, error);
      if (good)
        g_array_append_val (numbers, value);
    }
  frame->end = outer;
  if (good)
    sym_proto_append_numbers (frame->message, field->number,
                              (const guint64 *) (gpointer) numbers->data, numbers->len);
  return good;
}

/* A message that has come before goes on: protobuf merges them. */
static gboolean
open_message (Reader *self, const SymProtoField *field, guint64 length, GError **error)
{
  SymProtoMessage *parent = self->frames[self->depth - 1].message;
  const SymProtoMessage *child =
      field->flags & SYM_PROTO_REPEATED ? NULL : sym_proto_get_message (parent, field->number);

  if (self->depth == SYM_PROTO_MAX_DEPTH)
    return fail (self, SYM_IO_ERROR_LIMIT, error, "messages are nested deeper than %d",
                 SYM_PROTO_MAX_DEPTH);
  if (child == NULL)
    {
      SymProtoEntry entry = { .number = field->number, .held = SYM_PROTO_CHILD, .wire = 2 };

      entry.message = sym_proto_add (parent->document, field->type);
      child = entry.message;
      if (!append (self, &entry, error))
        return FALSE;
    }
  self->frames[self->depth++] = (Frame){ (SymProtoMessage *) child, self->at + length };
  return TRUE;
}

static gboolean
read_bytes (Reader *self, const SymProtoField *field, guint number, GError **error)
{
  guint64 length;

  if (!read_length (self, field == NULL ? "an unknown field" : field->name, &length, error))
    return FALSE;
  if (field == NULL || field->flags & SYM_PROTO_IN_FILE)
    return read_range (self, number, field == NULL, length, error);

  switch (field->kind)
    {
    case SYM_PROTO_STRING:
    case SYM_PROTO_BYTES:
      return read_text (self, number, length, error);
    case SYM_PROTO_MESSAGE:
      return open_message (self, field, length, error);
    case SYM_PROTO_INT32:
    case SYM_PROTO_INT64:
    case SYM_PROTO_UINT64:
    case SYM_PROTO_FLOAT:
    case SYM_PROTO_DOUBLE:
    default:
      return read_packed (self, field, length, error);
    }
}

gboolean
sym_proto_field_fits (const SymProtoField *field, guint wire)
{
  switch (field->kind)
    {
    case SYM_PROTO_INT32:
    case SYM_PROTO_INT64:
    case SYM_PROTO_UINT64:
      return wire == 0 || (wire == 2 && field->flags & SYM_PROTO_REPEATED);
    case SYM_PROTO_FLOAT:
      return wire == 5 || (wire == 2 && field->flags & SYM_PROTO_REPEATED);
    case SYM_PROTO_DOUBLE:
      return wire == 1 || (wire == 2 && field->flags & SYM_PROTO_REPEATED);
    case SYM_PROTO_STRING:
    case SYM_PROTO_BYTES:
    case SYM_PROTO_MESSAGE:
    default:
      return wire == 2;
    }
}

/* Groups are of protobuf's past; nothing here has one.  They are passed over. */
static gboolean
skip_group (Reader *self, GError **error)
{
  for (guint depth = 1; depth > 0;)
    {
      guint64 tag, ignored;

      if (self->at == self->frames[self->depth - 1].end)
        return fail (self, SYM_IO_ERROR_SYNTAX, error, "it ends within a group");
      if (!read_varint (self, &tag, error))
        return FALSE;
      switch (tag & 7)
        {
        case 0:
          if (!read_varint (self, &ignored, error))
            return FALSE;
          break;
        case 1:
        case 5:
          if (!read_fixed (self, (tag & 7) == 1 ? 8 : 4, &ignored, error))
            return FALSE;
          break;
        case 2:
          if (!read_length (self, "a field of a group", &ignored, error))
            return FALSE;
          self->at += ignored;
          break;
        case 3:
          depth++;
          break;
        case 4:
          depth--;
          break;
        default:
          return fail (self, SYM_IO_ERROR_SYNTAX, error, "there is no field of wire type %u",
                       (guint) (tag & 7));
        }
    }
  return TRUE;
}

static gboolean
read_number (Reader *self, guint number, guint wire, gboolean is_unknown, GError **error)
{
  SymProtoEntry entry = { .number = number,
                          .held = SYM_PROTO_NUMBER,
                          .wire = (guint8) wire,
                          .is_unknown = is_unknown != FALSE };
  guint64 value = 0;

  if (!(wire == 0 ? read_varint (self, &value, error)
                  : read_fixed (self, wire == 1 ? 8 : 4, &value, error)))
    return FALSE;
  entry.value = value;
  return append (self, &entry, error);
}

static gboolean
read_field (Reader *self, GError **error)
{
  const SymProtoField *field;
  guint64 tag;
  guint number, wire;

  if (!read_varint (self, &tag, error))
    return FALSE;
  if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff)
    return fail (self, SYM_IO_ERROR_SYNTAX, error, "there is no field number %" G_GUINT64_FORMAT,
                 tag >> 3);
  number = (guint) (tag >> 3);
  wire = (guint) (tag & 7);
  field = sym_proto_type_find (self->frames[self->depth - 1].message->type, number);
  if (field != NULL && !sym_proto_field_fits (field, wire))
    field = NULL;

  switch (wire)
    {
    case 0:
    case 1:
    case 5:
      return read_number (self, number, wire, field == NULL, error);
    case 2:
      return read_bytes (self, field, number, error);
    case 3:
      return skip_group (self, error);
    default:
      return fail (self, SYM_IO_ERROR_SYNTAX, error, "field %u has wire type %u, which %s", number,
                   wire, wire == 4 ? "ends a group that has not begun" : "there is not");
    }
}

static gboolean
read_all (Reader *self, GError **error)
{
  while (self->depth > 0)
    {
      Frame *frame = &self->frames[self->depth - 1];

      if (self->at == frame->end)
        self->depth--;
      else if (!read_field (self, error))
        return FALSE;
    }
  return TRUE;
}

SymProto *
sym_proto_read (SymBlob *blob,
                const SymProtoType *type,
                SymProtoMessage **root,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (SymProto) document = sym_proto_new (blob);
  g_autofree Reader *reader = g_new0 (Reader, 1);
  g_autofree guint8 *window = g_malloc (WINDOW_BYTES);
  SymProtoMessage *message = sym_proto_add (document, type);

  reader->blob = blob;
  reader->window = window;
  reader->cancellable = cancellable;
  reader->frames[reader->depth++] = (Frame){ message, blob->size };
  if (!read_all (reader, error))
    return NULL;
  *root = message;
  return g_steal_pointer (&document);
}
