/* SPDX-License-Identifier: MIT */
#include "io/sym-proto-json.h"

#include <math.h>
#include <string.h>

#include "core/sym-rows.h"
#include "io/sym-json-private.h"

typedef struct {
  SymProtoMessage *message;
  SymJsonIter members;
  const SymProtoField *field; /* whose elements are being read; NULL between members */
  SymJsonIter elements;
} Frame;

/* A key of a message, and what it was found to be: most messages have the keys of one before. */
typedef struct {
  const SymProtoType *type; /* NULL for none */
  guint key;
  const SymProtoField *field; /* or NULL */
} Known;

#define N_KNOWN 64

typedef struct {
  const SymJson *json;
  SymProblems *problems;
  SymRows *stack; /* of Frame */
  Known known[N_KNOWN];

  /* The name of a number that was met last, and which number that is. */
  const SymProtoField *named; /* NULL for none */
  guint name;
  guint64 number;
} Reader;

static Frame *
get_top (const Reader *self)
{
  return &g_array_index (self->stack, Frame, self->stack->len - 1);
}

char *
sym_proto_make_camel_case (const char *name)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (const char *at = name; *at != '\0'; at++)
    if (*at == '_' && at[1] != '\0')
      g_string_append_c (out, g_ascii_toupper (*++at));
    else
      g_string_append_c (out, *at);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* Whether @text is @name in camel case. */
static gboolean
is_camel_case (const char *text, gsize length, const char *name)
{
  gsize i = 0;

  for (; *name != '\0'; name++, i++)
    {
      gboolean is_raised = *name == '_' && name[1] != '\0';

      name += is_raised;
      if (i == length || text[i] != (is_raised ? g_ascii_toupper (*name) : *name))
        return FALSE;
    }
  return i == length;
}

static const SymProtoField *
look_up (const SymJson *json, guint key, const SymProtoType *type)
{
  g_autofree char *copy = NULL;
  gsize length;
  const char *text = sym_json_peek_string (json, key, &length);

  if (text == NULL)
    {
      copy = sym_json_dup_string (json, key);
      text = copy;
      length = strlen (copy);
    }
  for (const SymProtoField *field = type->fields; field->number != 0; field++)
    if (length > 0 && *text == *field->name &&
        (is_camel_case (text, length, field->name) ||
         (strlen (field->name) == length && memcmp (text, field->name, length) == 0)))
      return field;
  return NULL;
}

static const SymProtoField *
find_field (Reader *self, guint key, const SymProtoType *type)
{
  const SymJsonToken *token = &self->json->tokens[key];
  guint length = token->extent;
  guchar first = (guchar) self->json->text[token->start + 1];
  Known *known = &self->known[(length * 8 + first) % N_KNOWN];

  if (known->type == type && sym_json_is_same_key (self->json, known->key, key))
    return known->field;
  *known = (Known){ type, key, look_up (self->json, key, type) };
  return known->field;
}

/* ---- Numbers ---- */

static gboolean
find_name (const SymProtoField *field, const char *text, guint64 *number)
{
  for (const SymProtoName *name = field->names; name != NULL && name->name != NULL; name++)
    if (g_ascii_strcasecmp (name->name, text) == 0)
      {
        *number = (guint64) name->number;
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_integer (const SymProtoField *field, const char *text, guint64 *number)
{
  gint64 negative;

  if (find_name (field, text, number))
    return TRUE;
  if (text[0] != '-')
    return g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, number, NULL);
  if (!g_ascii_string_to_signed (text, 10, G_MININT64, 0, &negative, NULL))
    return FALSE;
  *number = (guint64) negative;
  return TRUE;
}

static gboolean
read_named (Reader *self, guint value, const SymProtoField *field, guint64 *number)
{
  g_autofree char *text = NULL;

  if (self->named == field && sym_json_is_same_key (self->json, self->name, value))
    {
      *number = self->number;
      return TRUE;
    }
  text = sym_json_dup_string (self->json, value);
  if (!parse_integer (field, text, number))
    return FALSE;
  self->named = field;
  self->name = value;
  self->number = *number;
  return TRUE;
}

static gboolean
read_integer (Reader *self, guint value, const SymProtoField *field, guint64 *number)
{
  const SymJson *json = self->json;
  gint64 integer;
  double real;

  if (sym_json_get_quoted_digits (json, value, number))
    return TRUE;
  if (sym_json_get_kind (json, value) == SYM_JSON_STRING)
    return read_named (self, value, field, number);
  if (sym_json_get_int (json, value, &integer))
    {
      *number = (guint64) integer;
      return TRUE;
    }
  if (sym_json_get_uint (json, value, number))
    return TRUE;
  if (!sym_json_get_double (json, value, &real) || real != floor (real) ||
      fabs (real) > 9007199254740992.0)
    return FALSE;
  *number = (guint64) (gint64) real;
  return TRUE;
}

static gboolean
read_real (const SymJson *json, guint value, double *number)
{
  g_autofree char *text = sym_json_dup_string (json, value);
  char *end;

  if (text == NULL)
    return sym_json_get_double (json, value, number);
  if (g_str_equal (text, "NaN"))
    *number = NAN;
  else if (g_str_equal (text, "Infinity") || g_str_equal (text, "-Infinity"))
    *number = text[0] == '-' ? -INFINITY : INFINITY;
  else
    {
      *number = g_ascii_strtod (text, &end);
      return end != text && *end == '\0';
    }
  return TRUE;
}

/* The bits that the binary form would have. */
static gboolean
read_number (Reader *self, guint value, const SymProtoField *field, guint64 *bits)
{
  double real;
  float narrow;
  guint32 low;

  if (field->kind != SYM_PROTO_FLOAT && field->kind != SYM_PROTO_DOUBLE)
    return read_integer (self, value, field, bits);
  if (!read_real (self->json, value, &real))
    return FALSE;
  if (field->kind == SYM_PROTO_DOUBLE)
    {
      memcpy (bits, &real, sizeof real);
      return TRUE;
    }
  narrow = (float) real;
  memcpy (&low, &narrow, sizeof low);
  *bits = low;
  return TRUE;
}

static guint8
get_wire (const SymProtoField *field)
{
  return field->kind == SYM_PROTO_FLOAT ? 5 : field->kind == SYM_PROTO_DOUBLE ? 1 : 0;
}

/* ---- Bytes ---- */

/* A Buffer as JavaScript's JSON has it: {"type": "Buffer", "data": [1, 2]}. */
static gboolean
read_buffer (const SymJson *json, guint value, GByteArray *out)
{
  guint data = sym_json_get_member (json, value, "data");

  if (sym_json_get_kind (json, data) != SYM_JSON_ARRAY)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, data); sym_json_iter_next (json, &i);)
    {
      gint64 number;
      guint8 byte;

      if (!sym_json_get_int (json, i.value, &number) || number < 0 || number > 255)
        return FALSE;
      byte = (guint8) number;
      g_byte_array_append (out, &byte, 1);
    }
  return TRUE;
}

static gboolean
read_base64 (const SymJson *json, guint value, GByteArray *out)
{
  g_autofree char *text = sym_json_dup_string (json, value);
  gsize n = text == NULL ? 0 : strlen (text), size;

  if (text == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      text[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
      if (!g_ascii_isalnum (text[i]) && strchr ("+/=", text[i]) == NULL)
        return FALSE;
    }
  if (n == 0)
    return TRUE;
  g_base64_decode_inplace (text, &size);
  g_byte_array_append (out, (const guint8 *) text, (guint) size);
  return TRUE;
}

static gboolean
read_bytes (Reader *self,
            SymProtoMessage *message,
            const SymProtoField *field,
            guint value,
            GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  gboolean is_object = sym_json_get_kind (self->json, value) == SYM_JSON_OBJECT;

  if (!(is_object ? read_buffer (self->json, value, out) : read_base64 (self->json, value, out)))
    return sym_json_fail (self->json, value, error, "'%s' must be bytes, written in base64",
                          field->name);
  sym_proto_append_bytes (message, field->number, out->len == 0 ? "" : (const char *) out->data,
                          out->len);
  return TRUE;
}

/* ---- Values ---- */

static inline gboolean
expect (const Reader *self,
        guint value,
        SymJsonKind kind,
        const SymProtoField *field,
        GError **error)
{
  return self->json->tokens[value].kind == (guint) kind ||
         sym_json_expect (self->json, value, kind, field->name, error);
}

static gboolean
open_message (Reader *self, const SymProtoField *field, guint value, GError **error)
{
  Frame *top = get_top (self);
  Frame child = { .members = sym_json_begin (self->json, value) };

  if (!expect (self, value, SYM_JSON_OBJECT, field, error))
    return FALSE;
  if (self->stack->len == SYM_PROTO_MAX_DEPTH)
    return sym_json_fail (self->json, value, error, "messages are nested deeper than %d",
                          SYM_PROTO_MAX_DEPTH);
  child.message = sym_proto_add (top->message->document, field->type);
  child.message->line = sym_json_get_line (self->json, value);
  sym_proto_append_message (top->message, field->number, child.message);
  sym_rows_append (self->stack, child);
  return TRUE;
}

static void
append_escaped (Reader *self, SymProtoMessage *message, const SymProtoField *field, guint value)
{
  g_autofree char *text = sym_json_dup_string (self->json, value);

  sym_proto_append_string (message, field->number, text);
}

static void
append_text (Reader *self, SymProtoMessage *message, const SymProtoField *field, guint value)
{
  gsize length;
  const char *text = sym_json_peek_characters (self->json, value, &length);

  if (text != NULL)
    sym_proto_append_bytes (message, field->number, text, length);
  else
    append_escaped (self, message, field, value);
}

static gboolean
refuse_number (const Reader *self, const SymProtoField *field, guint value, GError **error)
{
  g_autofree char *excerpt = sym_json_dup_excerpt (self->json, value);

  return sym_json_fail (self->json, value, error, "'%s' must be a number, not %s", field->name,
                        excerpt);
}

static gboolean
append_number (Reader *self,
               SymProtoMessage *message,
               const SymProtoField *field,
               guint value,
               GError **error)
{
  SymProtoEntry entry = { .number = field->number,
                          .held = SYM_PROTO_NUMBER,
                          .wire = get_wire (field) };
  guint64 bits;

  if (!read_number (self, value, field, &bits))
    return refuse_number (self, field, value, error);
  entry.value = bits;
  sym_proto_append (message, &entry);
  return TRUE;
}

static gboolean
read_value (Reader *self, const SymProtoField *field, guint value, GError **error)
{
  SymProtoMessage *message = get_top (self)->message;

  if (field->kind == SYM_PROTO_MESSAGE)
    return open_message (self, field, value, error);
  if (field->kind == SYM_PROTO_BYTES)
    return read_bytes (self, message, field, value, error);
  if (field->kind != SYM_PROTO_STRING)
    return append_number (self, message, field, value, error);
  if (!expect (self, value, SYM_JSON_STRING, field, error))
    return FALSE;
  append_text (self, message, field, value);
  return TRUE;
}

static gboolean
read_packed (Reader *self, const SymProtoField *field, guint array, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (SymJsonIter i = sym_json_iterate (self->json, array); sym_json_iter_next (self->json, &i);)
    {
      guint64 bits;

      if (!read_number (self, i.value, field, &bits))
        return sym_json_fail (self->json, i.value, error, "'%s' must hold numbers", field->name);
      g_array_append_val (numbers, bits);
    }
  sym_proto_append_numbers (get_top (self)->message, field->number,
                            (const guint64 *) (gpointer) numbers->data, numbers->len);
  return TRUE;
}

/* ---- Members ---- */

static void
report_key (Reader *self, guint key, const SymProtoType *type)
{
  g_autofree char *name = sym_json_dup_string (self->json, key);

  sym_problems_add (self->problems, SYM_SEVERITY_WARNING, sym_json_get_line (self->json, key),
                    SYM_NO_ID, SYM_NO_ID, "%s has no field '%s'; it is left out", type->name, name);
}

static gboolean
read_member (Reader *self, guint key, guint value, GError **error)
{
  Frame *top = get_top (self);
  const SymProtoField *field = find_field (self, key, top->message->type);

  if (field == NULL)
    {
      report_key (self, key, top->message->type);
      return TRUE;
    }
  if (self->json->tokens[value].kind == SYM_JSON_NULL)
    return TRUE;
  if (sym_proto_find (top->message, field->number) != NULL)
    return sym_json_fail (self->json, key, error, "'%s' is given twice", field->name);
  if (!(field->flags & SYM_PROTO_REPEATED))
    return read_value (self, field, value, error);
  if (!expect (self, value, SYM_JSON_ARRAY, field, error))
    return FALSE;
  if (field->flags & SYM_PROTO_PACKED)
    return read_packed (self, field, value, error);
  top->field = field;
  top->elements = sym_json_begin (self->json, value);
  return TRUE;
}

static gboolean
read_all (Reader *self, GError **error)
{
  while (self->stack->len > 0)
    {
      Frame *top = get_top (self);

      if (top->field != NULL)
        {
          if (!sym_json_step (self->json, &top->elements))
            top->field = NULL;
          else if (!read_value (self, top->field, top->elements.value, error))
            return FALSE;
        }
      else if (!sym_json_step (self->json, &top->members))
        self->stack->len--;
      else if (!read_member (self, top->members.key, top->members.value, error))
        return FALSE;
    }
  return TRUE;
}

SymProto *
sym_proto_read_json (const SymJson *json,
                     guint value,
                     const SymProtoType *type,
                     SymProtoMessage **root,
                     SymProblems *problems,
                     GError **error)
{
  g_autoptr (SymProto) document = sym_proto_new (NULL);
  Reader reader = { .json = json, .problems = problems };
  Frame first = { .members = sym_json_iterate (json, value) };
  gboolean done;

  if (!sym_json_expect (json, value, SYM_JSON_OBJECT, type->name, error))
    return NULL;
  first.message = sym_proto_add (document, type);
  first.message->line = sym_json_get_line (json, value);
  reader.stack = sym_rows_new (sizeof (Frame));
  sym_rows_append (reader.stack, first);
  done = read_all (&reader, error);
  sym_rows_free (reader.stack);
  if (!done)
    return NULL;
  *root = first.message;
  return g_steal_pointer (&document);
}
