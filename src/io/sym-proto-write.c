/* SPDX-License-Identifier: MIT */
#include "io/sym-proto.h"

#include <string.h>

#define PIECE_BYTES (1 << 20)

typedef struct {
  const SymProtoMessage *message;
  guint next;    /* entry */
  guint measure; /* index of its size */
} Frame;

/* ---- Sizes ---- */

static guint
measure_varint (guint64 value)
{
  guint n = 1;

  for (; value >= 0x80; value >>= 7)
    n++;
  return n;
}

static guint
measure_number (guint wire, guint64 value)
{
  return wire == 1 ? 8 : wire == 5 ? 4 : measure_varint (value);
}

static guint64
measure_packed (const SymProtoEntry *entry)
{
  guint64 size = 0;

  for (guint64 i = 0; i < entry->size; i++)
    size += measure_number (entry->wire, entry->numbers[i]);
  return size;
}

/* Of an entry that is no message: its bytes behind the tag. */
static guint64
measure_entry (const SymProtoEntry *entry)
{
  guint64 size = entry->size;

  if (entry->held == SYM_PROTO_NUMBER)
    return measure_number (entry->wire, entry->value);
  if (entry->held == SYM_PROTO_NUMBERS)
    size = measure_packed (entry);
  return measure_varint (size) + size;
}

static guint
measure_tag (const SymProtoEntry *entry)
{
  return measure_varint ((guint64) entry->number << 3);
}

/* The size of every message below @root, in the order in which they begin. */
static GArray *
measure (const SymProtoMessage *root)
{
  GArray *sizes = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  Frame first = { root, 0, 0 };

  g_array_append_val (stack, first);
  g_array_set_size (sizes, 1);
  while (stack->len > 0)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      guint64 size = g_array_index (sizes, guint64, top->measure);
      const SymProtoEntry *entry;

      if (top->next == top->message->n)
        {
          g_array_set_size (stack, stack->len - 1);
          if (stack->len > 0)
            g_array_index (sizes, guint64, g_array_index (stack, Frame, stack->len - 1).measure) +=
                measure_varint (size) + size;
          continue;
        }
      entry = &top->message->entries[top->next++];
      g_array_index (sizes, guint64, top->measure) += measure_tag (entry);
      if (entry->held == SYM_PROTO_CHILD)
        {
          Frame child = { entry->message, 0, sizes->len };

          g_array_set_size (sizes, sizes->len + 1);
          g_array_append_val (stack, child);
        }
      else
        {
          g_array_index (sizes, guint64, top->measure) += measure_entry (entry);
        }
    }
  return sizes;
}

/* ---- Bytes ---- */

typedef struct {
  SymProtoWrite write;
  gpointer out;
  GError **error;
} Writer;

static gboolean
write_varint (const Writer *self, guint64 value)
{
  guint8 bytes[10];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    bytes[n++] = (guint8) (value | 0x80);
  bytes[n++] = (guint8) value;
  return self->write (self->out, bytes, n, self->error);
}

static gboolean
write_number (const Writer *self, guint wire, guint64 value)
{
  guint64 bytes = GUINT64_TO_LE (value);

  if (wire == 0)
    return write_varint (self, value);
  return self->write (self->out, &bytes, wire == 1 ? 8 : 4, self->error);
}

static gboolean
read_piece (const SymProtoMessage *message,
            const SymProtoEntry *entry,
            guint64 done,
            gsize size,
            char *piece,
            GError **error)
{
  return entry->held == SYM_PROTO_TENSOR ? sym_tensor_read (entry->tensor, done, size, piece, error)
                                         : sym_blob_read (sym_proto_get_blob (message->document),
                                                          entry->value + done, size, piece, error);
}

gboolean
sym_proto_entry_write (const SymProtoMessage *self,
                       const SymProtoEntry *entry,
                       SymProtoWrite write,
                       gpointer out,
                       GError **error)
{
  g_autofree char *piece = NULL;

  if (entry->held == SYM_PROTO_TEXT)
    return write (out, entry->bytes, entry->size, error);

  g_return_val_if_fail (entry->held == SYM_PROTO_RANGE || entry->held == SYM_PROTO_TENSOR, FALSE);
  piece = g_malloc ((gsize) MIN (entry->size, PIECE_BYTES) + 1);
  for (guint64 done = 0; done < entry->size;)
    {
      gsize n = (gsize) MIN (entry->size - done, PIECE_BYTES);

      if (!read_piece (self, entry, done, n, piece, error) || !write (out, piece, n, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

static gboolean
write_packed (const Writer *self, const SymProtoEntry *entry)
{
  if (!write_varint (self, measure_packed (entry)))
    return FALSE;
  for (guint64 i = 0; i < entry->size; i++)
    if (!write_number (self, entry->wire, entry->numbers[i]))
      return FALSE;
  return TRUE;
}

/* A packed list is bytes, whatever its numbers are. */
static gboolean
write_tag (const Writer *self, const SymProtoEntry *entry)
{
  guint wire = entry->held == SYM_PROTO_NUMBER ? entry->wire : 2;

  return write_varint (self, (guint64) entry->number << 3 | wire);
}

static gboolean
write_entry (const Writer *self, const SymProtoMessage *message, const SymProtoEntry *entry)
{
  if (entry->held == SYM_PROTO_NUMBER)
    return write_number (self, entry->wire, entry->value);
  if (entry->held == SYM_PROTO_NUMBERS)
    return write_packed (self, entry);
  return write_varint (self, entry->size) &&
         sym_proto_entry_write (message, entry, self->write, self->out, self->error);
}

gboolean
sym_proto_write (const SymProtoMessage *self, SymProtoWrite write, gpointer out, GError **error)
{
  g_autoptr (GArray) sizes = measure (self);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  Writer writer = { write, out, error };
  Frame first = { self, 0, 0 };
  guint n_begun = 1;

  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      const SymProtoEntry *entry;

      if (top->next == top->message->n)
        {
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      entry = &top->message->entries[top->next++];
      if (!write_tag (&writer, entry))
        return FALSE;
      if (entry->held == SYM_PROTO_CHILD)
        {
          Frame child = { entry->message, 0, 0 };

          if (!write_varint (&writer, g_array_index (sizes, guint64, n_begun++)))
            return FALSE;
          g_array_append_val (stack, child);
        }
      else if (!write_entry (&writer, top->message, entry))
        {
          return FALSE;
        }
    }
  return TRUE;
}
