/* SPDX-License-Identifier: MIT */
#include "io/sym-proto-json.h"

#include <math.h>
#include <string.h>

#include "io/sym-io.h"

#define FLUSH_BYTES (64 << 10)

typedef struct {
  const SymProtoMessage *message;
  guint next;       /* entry */
  guint array;      /* number of the field whose elements are being written; 0 between members */
  guint resume;     /* entry to go on with behind the array */
  gboolean has_any; /* members, or elements */
  gboolean has_key; /* the element that follows has been begun, with its key */
  gboolean had_members;
  guint indent; /* of its members */
} Frame;

typedef struct {
  SymProtoWrite write;
  gpointer out;
  SymProtoJsonFlags flags;
  GString *text; /* not yet written */
  GArray *stack; /* of Frame */
  guint n_left_out;
} Writer;

static gboolean
is_told (float number, int digits, char *buffer)
{
  char format[] = { '%', '.', (char) ('0' + digits), 'g', '\0' };

  g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, (double) number);
  return (float) g_ascii_strtod (buffer, NULL) == number;
}

/* With the fewest digits that tell the number: where six do not, fewer do not either. */
void
sym_proto_append_float_text (GString *out, float number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = is_told (number, 6, buffer) ? 1 : 7; digits <= 9; digits++)
    if (is_told (number, digits, buffer))
      break;
  /* The largest float has no short name that is not larger than it, which strict readers refuse. */
  if (fabsf (number) == G_MAXFLOAT && fabs (g_ascii_strtod (buffer, NULL)) > (double) G_MAXFLOAT)
    g_ascii_formatd (buffer, sizeof buffer, "%.17g", (double) number);
  g_string_append (out, buffer);
  if (strpbrk (buffer, ".einf") == NULL)
    g_string_append (out, ".0");
}

static gboolean
flush (Writer *self, GError **error)
{
  gboolean good = self->write (self->out, self->text->str, self->text->len, error);

  g_string_truncate (self->text, 0);
  return good;
}

static void
start_line (Writer *self, guint depth)
{
  g_string_append_c (self->text, '\n');
  for (guint i = 0; i < depth; i++)
    g_string_append (self->text, "  ");
}

/* ---- Values ---- */

static void
append_real (Writer *self, const SymProtoField *field, guint64 bits)
{
  double number = field->kind == SYM_PROTO_FLOAT ? (double) sym_proto_to_float (bits)
                                                 : sym_proto_to_double (bits);

  if (isnan (number))
    g_string_append (self->text, "\"NaN\"");
  else if (isinf (number))
    g_string_append (self->text, number < 0 ? "\"-Infinity\"" : "\"Infinity\"");
  else if (field->kind == SYM_PROTO_FLOAT)
    sym_proto_append_float_text (self->text, (float) number);
  else
    sym_json_append_double (self->text, number);
}

static gboolean
append_name (Writer *self, const SymProtoField *field, guint64 bits)
{
  if (!(field->flags & SYM_PROTO_NAMED))
    return FALSE;
  for (const SymProtoName *name = field->names; name->name != NULL; name++)
    if ((guint64) name->number == bits)
      {
        g_string_append_printf (self->text, "\"%s\"", name->name);
        return TRUE;
      }
  return FALSE;
}

static void
append_number (Writer *self, const SymProtoField *field, guint64 bits)
{
  if (field->kind == SYM_PROTO_FLOAT || field->kind == SYM_PROTO_DOUBLE)
    append_real (self, field, bits);
  else if (field->kind == SYM_PROTO_UINT64)
    g_string_append_printf (self->text, "\"%" G_GUINT64_FORMAT "\"", bits);
  else if (field->kind == SYM_PROTO_INT64)
    g_string_append_printf (self->text, "\"%" G_GINT64_FORMAT "\"", (gint64) bits);
  else if (field->flags & SYM_PROTO_TRUTH)
    g_string_append (self->text, bits != 0 ? "true" : "false");
  else if (!append_name (self, field, bits))
    g_string_append_printf (self->text, "%" G_GINT64_FORMAT, (gint64) bits);
}

/* base64 in pieces. */
typedef struct {
  Writer *writer;
  gint state, save;
} Encoder;

static gboolean
encode (gpointer out, const void *bytes, gsize size, GError **error)
{
  Encoder *self = out;
  g_autofree char *text = g_malloc ((size / 3 + 1) * 4 + 4);
  gsize n = g_base64_encode_step (bytes, size, FALSE, text, &self->state, &self->save);

  g_string_append_len (self->writer->text, text, (gssize) n);
  return self->writer->text->len < FLUSH_BYTES || flush (self->writer, error);
}

static gboolean
append_bytes (Writer *self,
              const SymProtoMessage *message,
              const SymProtoEntry *entry,
              GError **error)
{
  Encoder encoder = { self, 0, 0 };
  char end[8];
  gsize n;

  if (entry->held == SYM_PROTO_RANGE && self->flags & SYM_PROTO_JSON_PLACES)
    {
      g_string_append_printf (
          self->text, "{\"offset\": %" G_GUINT64_FORMAT ", \"size\": %" G_GUINT64_FORMAT "}",
          entry->value, entry->size);
      return TRUE;
    }
  g_string_append_c (self->text, '"');
  if (!sym_proto_entry_write (message, entry, encode, &encoder, error))
    return FALSE;
  n = g_base64_encode_close (FALSE, end, &encoder.state, &encoder.save);
  g_string_append_len (self->text, end, (gssize) n);
  g_string_append_c (self->text, '"');
  return TRUE;
}

static void
start_element (Writer *self)
{
  Frame *top = &g_array_index (self->stack, Frame, self->stack->len - 1);

  if (top->array == 0)
    return;
  if (top->has_key)
    {
      top->has_key = FALSE;
      return;
    }
  if (top->has_any)
    g_string_append_c (self->text, ',');
  top->has_any = TRUE;
  start_line (self, top->indent + 1);
}

static gboolean
append_range_numbers (Writer *self,
                      const SymProtoMessage *message,
                      const SymProtoField *field,
                      const SymProtoEntry *entry,
                      GError **error)
{
  guint width = field->kind == SYM_PROTO_FLOAT ? 4 : field->kind == SYM_PROTO_DOUBLE ? 8 : 0;
  g_autofree guint8 *bytes = g_try_malloc (entry->size + 1);

  if (bytes == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "there is no memory for %" G_GUINT64_FORMAT " bytes of numbers", entry->size);
      return FALSE;
    }
  if (!sym_blob_read (sym_proto_get_blob (message->document), entry->value, entry->size, bytes,
                      error))
    return FALSE;
  for (guint64 at = 0; at < entry->size;)
    {
      guint64 bits = 0;
      int n = (int) width;

      if (width > 0 && entry->size - at >= width)
        memcpy (&bits, bytes + at, width);
      else
        n = width > 0 ? 0 : sym_proto_parse_varint (bytes + at, (gsize) (entry->size - at), &bits);
      if (n <= 0)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "'%s' ends within a number",
                       field->name);
          return FALSE;
        }
      start_element (self);
      append_number (self, field, GUINT64_FROM_LE (bits));
      at += (guint) n;
      if (self->text->len >= FLUSH_BYTES && !flush (self, error))
        return FALSE;
    }
  return TRUE;
}

static void
append_text (Writer *self, const SymProtoMessage *message, const SymProtoEntry *entry)
{
  start_element (self);
  sym_json_append_string (self->text, sym_proto_entry_get_text (message, entry));
}

static void
open_message (Writer *self, const SymProtoMessage *message)
{
  const Frame *top = &g_array_index (self->stack, Frame, self->stack->len - 1);
  Frame child = { .message = message, .indent = top->indent + (top->array != 0 ? 2 : 1) };

  start_element (self);
  g_string_append_c (self->text, '{');
  g_array_append_val (self->stack, child);
}

static gboolean
append_value (Writer *self,
              const SymProtoMessage *message,
              const SymProtoField *field,
              const SymProtoEntry *entry,
              GError **error)
{
  switch ((SymProtoHeld) entry->held)
    {
    case SYM_PROTO_NUMBER:
      start_element (self);
      append_number (self, field, entry->value);
      return TRUE;
    case SYM_PROTO_NUMBERS:
      for (guint64 i = 0; i < entry->size; i++)
        {
          start_element (self);
          append_number (self, field, entry->numbers[i]);
        }
      return TRUE;
    case SYM_PROTO_CHILD:
      open_message (self, entry->message);
      return TRUE;
    case SYM_PROTO_TEXT:
      if (field->kind == SYM_PROTO_STRING)
        {
          append_text (self, message, entry);
          return TRUE;
        }
      start_element (self);
      return append_bytes (self, message, entry, error);
    case SYM_PROTO_RANGE:
    case SYM_PROTO_TENSOR:
    default:
      if (field->kind != SYM_PROTO_BYTES)
        return append_range_numbers (self, message, field, entry, error);
      start_element (self);
      return append_bytes (self, message, entry, error);
    }
}

/* ---- Members ---- */

static gboolean
comes_before (const SymProtoMessage *message, guint at)
{
  for (guint i = at; i > 0; i--)
    if (message->entries[i - 1].number == message->entries[at].number &&
        !message->entries[i - 1].is_unknown)
      return TRUE;
  return FALSE;
}

static gboolean
comes_after (const SymProtoMessage *message, guint at)
{
  for (guint i = at + 1; i < message->n; i++)
    if (message->entries[i].number == message->entries[at].number &&
        !message->entries[i].is_unknown)
      return TRUE;
  return FALSE;
}

/* A packed list may be there without a number in it, which is the same as none. */
static gboolean
has_elements (const SymProtoMessage *message, guint number)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (message, number, &at)) != NULL;)
    if ((entry->held != SYM_PROTO_NUMBERS && entry->held != SYM_PROTO_RANGE) || entry->size > 0)
      return TRUE;
  return FALSE;
}

static void
start_member (Writer *self, Frame *top, const SymProtoField *field)
{
  g_autofree char *camel =
      self->flags & SYM_PROTO_JSON_SNAKE_CASE ? NULL : sym_proto_make_camel_case (field->name);

  if (top->had_members)
    g_string_append_c (self->text, ',');
  top->had_members = TRUE;
  start_line (self, top->indent);
  g_string_append_printf (self->text, "\"%s\": ", camel == NULL ? field->name : camel);
}

static gboolean
write_member (Writer *self, Frame *top, GError **error)
{
  const SymProtoMessage *message = top->message;
  guint at = top->next++;
  const SymProtoEntry *entry = &message->entries[at];
  const SymProtoField *field = sym_proto_type_find (message->type, entry->number);

  if (field == NULL || entry->is_unknown)
    {
      self->n_left_out++;
      return TRUE;
    }
  if (field->flags & SYM_PROTO_REPEATED)
    {
      if (comes_before (message, at) || !has_elements (message, entry->number))
        return TRUE;
      start_member (self, top, field);
      g_string_append_c (self->text, field->flags & SYM_PROTO_MAP ? '{' : '[');
      top->array = entry->number;
      top->has_any = FALSE;
      top->resume = top->next;
      top->next = at;
      return TRUE;
    }
  if (comes_after (message, at))
    return TRUE;
  start_member (self, top, field);
  return append_value (self, message, field, entry, error);
}

/* A member of a map: what protobuf leaves out is the empty text, the empty message. */
static gboolean
write_pair (Writer *self, Frame *top, const SymProtoMessage *pair, GError **error)
{
  const SymProtoEntry *entry = sym_proto_find (pair, 2);
  const SymProtoField *field = sym_proto_type_find (pair->type, 2);
  const char *key = sym_proto_get_text (pair, 1);

  start_element (self);
  sym_json_append_string (self->text, key == NULL ? "" : key);
  g_string_append (self->text, ": ");
  if (entry == NULL)
    {
      g_string_append (self->text, field->kind == SYM_PROTO_MESSAGE ? "{}" : "\"\"");
      return TRUE;
    }
  top->has_key = TRUE;
  return append_value (self, pair, field, entry, error);
}

static gboolean
write_element (Writer *self, Frame *top, GError **error)
{
  const SymProtoMessage *message = top->message;
  const SymProtoField *field = sym_proto_type_find (message->type, top->array);
  const SymProtoEntry *entry = sym_proto_next (message, top->array, &top->next);

  if (entry == NULL)
    {
      if (top->has_any)
        start_line (self, top->indent);
      g_string_append_c (self->text, field->flags & SYM_PROTO_MAP ? '}' : ']');
      top->array = 0;
      top->next = top->resume;
      return TRUE;
    }
  return field->flags & SYM_PROTO_MAP ? write_pair (self, top, entry->message, error)
                                      : append_value (self, message, field, entry, error);
}

static gboolean
write_all (Writer *self, GError **error)
{
  while (self->stack->len > 0)
    {
      Frame *top = &g_array_index (self->stack, Frame, self->stack->len - 1);

      if (self->text->len >= FLUSH_BYTES && !flush (self, error))
        return FALSE;
      if (top->array != 0)
        {
          if (!write_element (self, top, error))
            return FALSE;
        }
      else if (top->next < top->message->n)
        {
          if (!write_member (self, top, error))
            return FALSE;
        }
      else
        {
          if (top->had_members)
            start_line (self, top->indent - 1);
          g_string_append_c (self->text, '}');
          g_array_set_size (self->stack, self->stack->len - 1);
        }
    }
  g_string_append_c (self->text, '\n');
  return flush (self, error);
}

gboolean
sym_proto_write_json (const SymProtoMessage *self,
                      SymProtoJsonFlags flags,
                      SymProtoWrite write,
                      gpointer out,
                      guint *n_left_out,
                      GError **error)
{
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  Writer writer = { write, out, flags, text, stack, 0 };
  Frame first = { .message = self, .indent = 1 };
  gboolean good;

  g_array_append_val (stack, first);
  good = write_all (&writer, error);
  if (n_left_out != NULL)
    *n_left_out = writer.n_left_out;
  return good;
}
