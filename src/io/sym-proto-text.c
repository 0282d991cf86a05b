/* SPDX-License-Identifier: MIT */
#include "io/sym-proto-text.h"

#include <string.h>

#include "io/sym-io-private.h"

#define MAX_NAME 64
#define FIELDS_A_LOOK 4096 /* between two looks at whether to go on */

typedef struct {
  SymProtoMessage *message; /* NULL within what is left out */
  char close;               /* '}' or '>'; NUL for the root */
} Frame;

typedef struct {
  const char *start, *at, *end;
  guint line;
  GArray *stack; /* of Frame */
  GHashTable *left_out;
  SymProblems *problems;
  GString *text; /* of the string that was read last */
} Reader;

static gboolean G_GNUC_PRINTF (3, 4) fail (Reader *self, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  sym_io_set_place_error (error, self->start, self->at, self->line, format, arguments);
  va_end (arguments);
  return FALSE;
}

/* ---- Tokens ---- */

/* The next byte that is neither blank nor in a comment; NUL at the end. */
static char
peek (Reader *self)
{
  for (; self->at < self->end; self->at++)
    {
      if (*self->at == '#')
        while (self->at + 1 < self->end && self->at[1] != '\n')
          self->at++;
      else if (!g_ascii_isspace (*self->at))
        return *self->at;
      self->line += *self->at == '\n';
    }
  return '\0';
}

static gboolean
take (Reader *self, char byte)
{
  if (peek (self) != byte)
    return FALSE;
  self->at++;
  return TRUE;
}

/* Letters, digits and what numbers have; empty when something else is there or it is too long. */
static gsize
take_word (Reader *self, char word[MAX_NAME])
{
  gsize n = 0;

  peek (self);
  while (self->at + n < self->end && n < MAX_NAME - 1 &&
         (g_ascii_isalnum (self->at[n]) || strchr ("_.+-", self->at[n]) != NULL) &&
         self->at[n] != '\0')
    {
      word[n] = self->at[n];
      n++;
    }
  word[n] = '\0';
  self->at += n;
  return n;
}

/* As many digits of @base as there are, up to @max. */
static guint32
take_digits (Reader *self, guint base, guint max)
{
  guint32 value = 0;

  for (guint i = 0; i < max && self->at < self->end; i++, self->at++)
    {
      int digit = g_ascii_xdigit_value (*self->at);

      if (digit < 0 || (guint) digit >= base)
        break;
      value = value * base + (guint) digit;
    }
  return value;
}

/* Behind a backslash. */
static gboolean
take_escape (Reader *self, GError **error)
{
  static const char letters[] = "abfnrtv", meant[] = "\a\b\f\n\r\t\v";
  char byte = self->at < self->end ? *self->at : '\0';
  const char *letter = byte == '\0' ? NULL : strchr (letters, byte);

  if (byte >= '0' && byte <= '7')
    g_string_append_c (self->text, (char) take_digits (self, 8, 3));
  else if (letter != NULL)
    g_string_append_c (self->text, meant[letter - letters]);
  else if (byte != '\0' && strchr ("\\'\"?", byte) != NULL)
    g_string_append_c (self->text, byte);
  else if (byte != '\0' && strchr ("xXuU", byte) != NULL)
    {
      guint max = byte == 'u' ? 4 : byte == 'U' ? 8 : 2;
      guint32 value;

      self->at++;
      value = take_digits (self, 16, max);
      if (max == 2)
        g_string_append_c (self->text, (char) value);
      else if (g_unichar_validate (value))
        g_string_append_unichar (self->text, value);
      else
        return fail (self, error, "U+%X is no character", value);
      return TRUE;
    }
  else
    return fail (self, error, "a backslash means nothing before this");
  if (!(byte >= '0' && byte <= '7'))
    self->at++;
  return TRUE;
}

/* Strings that follow each other are one: "ab" 'c'. */
static gboolean
take_strings (Reader *self, GError **error)
{
  char quote;

  g_string_truncate (self->text, 0);
  while ((quote = peek (self)) == '"' || quote == '\'')
    {
      self->at++;
      for (; self->at < self->end && *self->at != quote && *self->at != '\n';)
        if (*self->at != '\\')
          g_string_append_c (self->text, *self->at++);
        else if (self->at++, !take_escape (self, error))
          return FALSE;
      if (self->at == self->end || *self->at != quote)
        return fail (self, error, "the string does not end in its line");
      self->at++;
    }
  return TRUE;
}

/* ---- Values ---- */

static gboolean
parse_integer (const SymProtoField *field, const char *word, guint64 *bits)
{
  const char *digits = word[0] == '-' ? word + 1 : word;
  guint base = 10;

  for (const SymProtoName *name = field->names; name != NULL && name->name != NULL; name++)
    if (strcmp (name->name, word) == 0)
      {
        *bits = (guint64) name->number;
        return TRUE;
      }
  if (strcmp (word, "true") == 0 || strcmp (word, "false") == 0)
    {
      *bits = word[0] == 't';
      return TRUE;
    }
  if (digits[0] == '0' && digits[1] != '\0')
    base = g_ascii_tolower (digits[1]) == 'x' ? 16 : 8;
  if (!g_ascii_string_to_unsigned (base == 16 ? digits + 2 : digits, base, 0, G_MAXUINT64, bits,
                                   NULL))
    return FALSE;
  if (digits != word)
    *bits = -*bits;
  return TRUE;
}

static gboolean
parse_real (const char *word, double *number)
{
  char *end;

  *number = g_ascii_strtod (word, &end);
  return end != word && (*end == '\0' || (g_ascii_tolower (*end) == 'f' && end[1] == '\0'));
}

static gboolean
read_number (Reader *self, SymProtoMessage *message, const SymProtoField *field, GError **error)
{
  SymProtoEntry entry = { .number = field->number, .held = SYM_PROTO_NUMBER };
  gboolean is_real = field->kind == SYM_PROTO_FLOAT || field->kind == SYM_PROTO_DOUBLE;
  char word[MAX_NAME];
  double real = 0;
  float narrow;
  guint32 low;

  if (take_word (self, word) == 0 ||
      !(is_real ? parse_real (word, &real) : parse_integer (field, word, &entry.value)))
    return fail (self, error, "'%s' must be a number%s, not '%s'", field->name,
                 field->names == NULL ? "" : " or its name", word);
  if (field->kind == SYM_PROTO_DOUBLE)
    {
      memcpy (&entry.value, &real, sizeof real);
      entry.wire = 1;
    }
  else if (is_real)
    {
      narrow = (float) real;
      memcpy (&low, &narrow, sizeof low);
      entry.value = low;
      entry.wire = 5;
    }
  sym_proto_append (message, &entry);
  return TRUE;
}

static gboolean
open_message (Reader *self, SymProtoMessage *message, const SymProtoField *field, GError **error)
{
  Frame child = { .close = peek (self) == '<' ? '>' : '}' };

  if (!take (self, child.close == '>' ? '<' : '{'))
    return fail (self, error, "'%s' must be a message, in braces",
                 field == NULL ? "this" : field->name);
  if (self->stack->len == SYM_PROTO_MAX_DEPTH)
    return fail (self, error, "messages are nested deeper than %d", SYM_PROTO_MAX_DEPTH);
  if (field != NULL)
    {
      child.message = sym_proto_add (message->document, field->type);
      child.message->line = self->line;
      sym_proto_append_message (message, field->number, child.message);
    }
  g_array_append_val (self->stack, child);
  return TRUE;
}

/* A value that is left out: anything but a message, which is opened to be passed over. */
static gboolean
skip_value (Reader *self, GError **error)
{
  char word[MAX_NAME], byte = peek (self);

  if (byte == '{' || byte == '<')
    return open_message (self, NULL, NULL, error);
  if (byte == '"' || byte == '\'')
    return take_strings (self, error);
  return take_word (self, word) > 0 || fail (self, error, "a value was expected");
}

static gboolean
read_value (Reader *self, SymProtoMessage *message, const SymProtoField *field, GError **error)
{
  char byte = peek (self);

  if (field == NULL)
    return skip_value (self, error);
  if (field->kind == SYM_PROTO_MESSAGE)
    return open_message (self, message, field, error);
  if (field->kind != SYM_PROTO_STRING && field->kind != SYM_PROTO_BYTES)
    return read_number (self, message, field, error);
  if (field->kind == SYM_PROTO_BYTES && field->type != NULL)
    return skip_value (self, error);
  if (byte != '"' && byte != '\'')
    return fail (self, error, "'%s' must be a string, in quotes", field->name);
  if (!take_strings (self, error))
    return FALSE;
  sym_proto_append_bytes (message, field->number, self->text->str, self->text->len);
  return TRUE;
}

/* [1, 2]: of anything but messages. */
static gboolean
read_list (Reader *self, SymProtoMessage *message, const SymProtoField *field, GError **error)
{
  while (!take (self, ']'))
    {
      char byte = peek (self);

      if (byte == '{' || byte == '<')
        return fail (self, error, "messages are not read from a list here");
      if (!read_value (self, message, field, error))
        return FALSE;
      if (!take (self, ',') && peek (self) != ']')
        return fail (self, error, "',' or ']' was expected");
    }
  return TRUE;
}

/* ---- Fields ---- */

static const SymProtoField *
find_field (Reader *self, const SymProtoMessage *message, const char *name)
{
  if (message == NULL)
    return NULL;
  for (const SymProtoField *field = message->type->fields; field->number != 0; field++)
    if (strcmp (field->name, name) == 0)
      return field;
  if (self->problems != NULL && g_hash_table_add (self->left_out, g_strdup (name)))
    sym_problems_add (self->problems, SYM_SEVERITY_WARNING, self->line, SYM_NO_ID, SYM_NO_ID,
                      "%s has no field '%s'; it is left out", message->type->name, name);
  return NULL;
}

static gboolean
read_field (Reader *self, GError **error)
{
  SymProtoMessage *message = g_array_index (self->stack, Frame, self->stack->len - 1).message;
  const SymProtoField *field;
  gboolean has_colon;
  char name[MAX_NAME];

  if (take_word (self, name) == 0 || !(g_ascii_isalpha (name[0]) || name[0] == '_'))
    return fail (self, error, "the name of a field was expected");
  field = find_field (self, message, name);
  if (field != NULL && !(field->flags & SYM_PROTO_REPEATED) &&
      sym_proto_find (message, field->number) != NULL)
    return fail (self, error, "'%s' is given twice", name);
  has_colon = take (self, ':');
  if (take (self, '['))
    return read_list (self, message, field, error);
  if (!has_colon && peek (self) != '{' && peek (self) != '<')
    return fail (self, error, "':' was expected behind '%s'", name);
  return read_value (self, message, field, error);
}

static gboolean
read_all (Reader *self, GCancellable *cancellable, GError **error)
{
  for (guint n = 0; self->stack->len > 0; n++)
    {
      char close = g_array_index (self->stack, Frame, self->stack->len - 1).close;
      char byte = peek (self);

      if (n % FIELDS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (byte == close && (close != '\0' || self->at == self->end))
        {
          self->at += close != '\0';
          g_array_set_size (self->stack, self->stack->len - 1);
        }
      else if (byte == '\0')
        return self->at == self->end ? fail (self, error, "the text ends before '%c'", close)
                                     : fail (self, error, "a text has no byte 0");
      else if (self->stack->len > 0 && (byte == ',' || byte == ';'))
        self->at++;
      else if (!read_field (self, error))
        return FALSE;
    }
  return TRUE;
}

SymProto *
sym_proto_read_text (SymBlob *blob,
                     const SymProtoType *type,
                     SymProtoMessage **root,
                     SymProblems *problems,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autofree char *bytes = sym_io_read_text (blob, error);
  g_autoptr (SymProto) document = sym_proto_new (NULL);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_autoptr (GHashTable) left_out = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  Frame first = { .message = sym_proto_add (document, type) };
  Reader reader = { .start = bytes,
                    .at = bytes,
                    .line = 1,
                    .stack = stack,
                    .left_out = left_out,
                    .problems = problems,
                    .text = text };

  if (bytes == NULL)
    return NULL;
  reader.end = bytes + blob->size;
  first.message->line = 1;
  g_array_append_val (stack, first);
  if (!read_all (&reader, cancellable, error))
    return NULL;
  sym_proto_sort (document);
  *root = first.message;
  return g_steal_pointer (&document);
}

char *
sym_proto_text_get_first (const guint8 *start, gsize n)
{
  Reader reader = { .start = (const char *) start,
                    .at = (const char *) start,
                    .end = (const char *) start + n,
                    .line = 1 };
  char name[MAX_NAME];

  if (take_word (&reader, name) == 0 || !g_ascii_isalpha (name[0]) ||
      (peek (&reader) != ':' && peek (&reader) != '{'))
    return NULL;
  return g_strdup (name);
}
