/* SPDX-License-Identifier: MIT */
#include "io/sym-json-private.h"

#include <math.h>
#include <string.h>

/* Long enough for every 64-bit integer and every double that a program prints. */
#define SHORT_NUMBER 64

/* Characters of a value that a message quotes. */
#define MAX_EXCERPT 60

static const SymJsonToken *
get_token_of_kind (const SymJson *self, guint value, SymJsonKind kind)
{
  const SymJsonToken *token = sym_json_peek_token (self, value);

  return token != NULL && token->kind == kind ? token : NULL;
}

SymJson *
sym_json_ref (SymJson *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_json_unref (SymJson *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->tokens);
  g_free (self->lines);
  g_bytes_unref (self->bytes);
  g_free (self);
}

gboolean
sym_json_refuse_nan (const SymJson *self, GError **error)
{
  g_autofree char *literal = sym_json_dup_text (self, self->first_nan);

  if (literal == NULL)
    return TRUE;

  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u: expected a value, found %s, which is not JSON and which this format's "
               "writers do not make",
               sym_json_get_line (self, self->first_nan), literal);
  return FALSE;
}

SymJsonKind
sym_json_get_kind (const SymJson *self, guint value)
{
  const SymJsonToken *token = sym_json_peek_token (self, value);

  return token == NULL ? SYM_JSON_ABSENT : (SymJsonKind) token->kind;
}

const char *
sym_json_kind_to_string (SymJsonKind kind)
{
  static const char *const names[] = {
    "missing", "null", "true or false", "a number", "a string", "an array", "an object",
  };

  g_return_val_if_fail (kind < G_N_ELEMENTS (names), names[0]);
  return names[kind];
}

guint
sym_json_get_line (const SymJson *self, guint value)
{
  const SymJsonToken *token = sym_json_peek_token (self, value);
  guint block;

  if (token == NULL || self->lines == NULL)
    return 0;
  block = token->start / SYM_JSON_LINE_BLOCK;
  return self->lines[block] + sym_json_count_ends (self->text + (gsize) block * SYM_JSON_LINE_BLOCK,
                                                   self->text + token->start);
}

void
sym_json_hide_lines (SymJson *self)
{
  g_clear_pointer (&self->lines, g_free);
}

GBytes *
sym_json_get_bytes (const SymJson *self)
{
  return self->bytes;
}

const char *
sym_json_get_text (const SymJson *self, guint value, gsize *length)
{
  return sym_json_peek_text (self, value, length);
}

char *
sym_json_dup_text (const SymJson *self, guint value)
{
  gsize length;
  const char *text = sym_json_get_text (self, value, &length);

  return text == NULL ? NULL : g_strndup (text, length);
}

/* A container that begins with all of another one's text is that. */
static gboolean
are_containers_equal (const SymJson *self, guint a, guint b)
{
  gsize length;
  const char *other = sym_json_peek_text (self, b, &length);
  const char *text = self->text + self->tokens[a].start;
  const char *end = self->text + g_bytes_get_size (self->bytes);

  return length <= (gsize) (end - text) && memcmp (text, other, length) == 0;
}

gboolean
sym_json_texts_equal (const SymJson *self, guint a, guint b)
{
  gsize length, other_length;
  const char *text, *other;

  if (MAX (a, b) < self->n_tokens && sym_json_is_container (&self->tokens[a]) &&
      sym_json_is_container (&self->tokens[b]))
    return are_containers_equal (self, a, b);
  text = sym_json_peek_text (self, a, &length);
  other = sym_json_peek_text (self, b, &other_length);
  return length == other_length && (length == 0 || memcmp (text, other, length) == 0);
}

/* White space between values is kept as one space where it follows a comma or a colon. */
static void
append_folded (GString *out, char c, gboolean is_in_string)
{
  if (is_in_string || !g_ascii_isspace (c))
    g_string_append_c (out, c);
  else if (out->len > 0 && strchr (",:", out->str[out->len - 1]) != NULL)
    g_string_append_c (out, ' ');
}

char *
sym_json_dup_excerpt (const SymJson *self, guint value)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean is_in_string = FALSE;
  guint n_characters = 0;
  gsize length;
  const char *text = sym_json_get_text (self, value, &length);

  for (gsize i = 0; i < length; i++)
    {
      gsize before = out->len;

      append_folded (out, text[i], is_in_string);
      if (out->len > before && (text[i] & 0xc0) != 0x80 && ++n_characters > MAX_EXCERPT)
        {
          g_string_truncate (out, before);
          g_string_append (out, "...");
          break;
        }
      if (text[i] == '"')
        is_in_string = !is_in_string;
      else if (text[i] == '\\' && i + 1 < length)
        append_folded (out, text[++i], TRUE), n_characters++;
    }
  return text == NULL ? NULL : g_string_free (g_steal_pointer (&out), FALSE);
}

static guint
read_hex (const char *digits)
{
  guint code = 0;

  for (guint i = 0; i < 4; i++)
    code = code * 16 + (guint) g_ascii_xdigit_value (digits[i]);
  return code;
}

/* Reads what follows \u at @at; returns where the escape ends.  The scan has checked the digits. */
static const char *
decode_unicode (const char *at, const char *end, GString *out)
{
  gunichar code = read_hex (at);

  at += 4;
  if (code >= 0xd800 && code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u')
    {
      guint low = read_hex (at + 2);

      if (low >= 0xdc00 && low < 0xe000)
        {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          at += 6;
        }
    }
  if (code == 0 || (code >= 0xd800 && code < 0xe000))
    code = 0xfffd;

  g_string_append_unichar (out, code);
  return at;
}

/* The text of a checked string between its quotes, escapes resolved. */
static char *
decode_string (const char *at, const char *end)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  GString *out = g_string_sized_new ((gsize) (end - at));

  while (at < end)
    {
      const char *backslash = memchr (at, '\\', (gsize) (end - at));

      if (backslash == NULL)
        backslash = end;
      g_string_append_len (out, at, backslash - at);
      at = backslash;
      if (at == end)
        break;
      if (at[1] == 'u')
        {
          at = decode_unicode (at + 2, end, out);
        }
      else
        {
          g_string_append_c (out, to[strchr (from, at[1]) - from]);
          at += 2;
        }
    }
  return g_string_free (out, FALSE);
}

char *
sym_json_dup_string (const SymJson *self, guint value)
{
  const SymJsonToken *token = get_token_of_kind (self, value, SYM_JSON_STRING);
  const char *first;
  char *string;
  gsize length;

  if (token == NULL)
    return NULL;
  first = self->text + token->start + 1;
  length = sym_json_measure (self, value) - 2;
  if (token->is_escaped)
    return decode_string (first, first + length);
  string = g_malloc (length + 1);
  memcpy (string, first, length);
  string[length] = '\0';
  return string;
}

const char *
sym_json_peek_string (const SymJson *self, guint value, gsize *length)
{
  return sym_json_peek_characters (self, value, length);
}

/* Most differ in their first letter. */
static inline gboolean
is_text (const char *text, const char *wanted, gsize length)
{
  return length == 0 || (text[0] == wanted[0] && memcmp (text, wanted, length) == 0);
}

static gboolean
is_decoded (const SymJson *self, guint value, const char *string)
{
  g_autofree char *decoded = sym_json_dup_string (self, value);

  return decoded != NULL && strcmp (decoded, string) == 0;
}

gboolean
sym_json_string_equals (const SymJson *self, guint value, const char *string)
{
  gsize length;
  const char *text = sym_json_peek_characters (self, value, &length);

  if (text == NULL)
    return is_decoded (self, value, string);
  return length == strlen (string) && is_text (text, string, length);
}

gboolean
sym_json_get_bool (const SymJson *self, guint value, gboolean *result)
{
  const SymJsonToken *token = get_token_of_kind (self, value, SYM_JSON_BOOL);

  if (token == NULL)
    return FALSE;

  *result = self->text[token->start] == 't';
  return TRUE;
}

/* So many digits fit whatever they are. */
#define SURE_DIGITS 18

static inline gboolean
read_sure_digits (const char *at, const char *end, guint64 *magnitude)
{
  guint64 number = 0;

  for (; at < end; at++)
    {
      guint digit = (guint) (*at - '0');

      if (digit > 9)
        return FALSE;
      number = number * 10 + digit;
    }
  *magnitude = number;
  return TRUE;
}

/* The digits of an integer literal that fits an unsigned 64-bit number. */
static inline gboolean
read_digits (const SymJson *self, guint value, gboolean *is_negative, guint64 *magnitude)
{
  const SymJsonToken *token = sym_json_peek_token (self, value);
  const char *at, *end;
  guint64 number = 0;

  if (token == NULL || token->kind != SYM_JSON_NUMBER)
    return FALSE;

  at = self->text + token->start;
  end = at + sym_json_measure (self, value);
  *is_negative = *at == '-';
  at += *is_negative ? 1 : 0;
  if (end - at <= SURE_DIGITS)
    return read_sure_digits (at, end, magnitude);
  for (; at < end; at++)
    {
      guint digit = (guint) (*at - '0');

      if (digit > 9 || __builtin_mul_overflow (number, 10, &number) ||
          __builtin_add_overflow (number, digit, &number))
        return FALSE;
    }
  *magnitude = number;
  return TRUE;
}

static inline gboolean
read_int (const SymJson *self, guint value, gint64 *result)
{
  gboolean is_negative;
  guint64 magnitude;

  if (!read_digits (self, value, &is_negative, &magnitude) ||
      magnitude > (guint64) G_MAXINT64 + (is_negative ? 1 : 0))
    return FALSE;

  *result = is_negative ? (gint64) (0 - magnitude) : (gint64) magnitude;
  return TRUE;
}

gboolean
sym_json_get_int (const SymJson *self, guint value, gint64 *result)
{
  return read_int (self, value, result);
}

int
sym_json_get_ints (const SymJson *self, guint array, gint64 *results, int max)
{
  const SymJsonToken *container = get_token_of_kind (self, array, SYM_JSON_ARRAY);
  int n = 0;

  if (container == NULL)
    return -1;
  for (guint i = array + 1; i < container->extent; i = sym_json_get_next (self->tokens, i))
    if (n == max || !read_int (self, i, &results[n++]))
      return -1;
  return n;
}

gboolean
sym_json_get_uint (const SymJson *self, guint value, guint64 *result)
{
  gboolean is_negative;
  guint64 magnitude;

  if (!read_digits (self, value, &is_negative, &magnitude) || (is_negative && magnitude > 0))
    return FALSE;

  *result = magnitude;
  return TRUE;
}

gboolean
sym_json_get_double (const SymJson *self, guint value, double *result)
{
  const SymJsonToken *token = get_token_of_kind (self, value, SYM_JSON_NUMBER);
  char buffer[SHORT_NUMBER];
  g_autofree char *copy = NULL;
  gsize length;

  if (token == NULL)
    return FALSE;

  /* The bytes need not end in a NUL, where strtod would stop. */
  length = sym_json_measure (self, value);
  if (length >= sizeof buffer)
    copy = g_strndup (self->text + token->start, length);
  else
    memcpy (buffer, self->text + token->start, length), buffer[length] = '\0';

  *result = g_ascii_strtod (copy != NULL ? copy : buffer, NULL);
  return TRUE;
}

SymJsonIter
sym_json_iterate (const SymJson *self, guint container)
{
  return sym_json_begin (self, container);
}

gboolean
sym_json_iter_next (const SymJson *self, SymJsonIter *iter)
{
  return sym_json_step (self, iter);
}

guint
sym_json_count (const SymJson *self, guint container)
{
  SymJsonIter iter = sym_json_begin (self, container);
  guint key = iter.key == SYM_JSON_NONE ? 0 : 1;
  guint n = 0;

  for (guint i = iter.next; i < iter.end; i = sym_json_get_next (self->tokens, i + key))
    n++;
  return n;
}

/* So many of the first tell how large one is. */
#define N_COUNTED 64

guint
sym_json_estimate (const SymJson *self, guint container)
{
  SymJsonIter iter = sym_json_begin (self, container);
  guint first = iter.next, n = 0;

  while (n < N_COUNTED && sym_json_step (self, &iter))
    n++;
  if (n < N_COUNTED)
    return n;
  return (guint) ((guint64) n * (iter.end - first) / (iter.next - first));
}

guint
sym_json_get_element (const SymJson *self, guint array, guint i)
{
  SymJsonIter iter = sym_json_iterate (self, array);

  if (sym_json_get_kind (self, array) != SYM_JSON_ARRAY)
    return SYM_JSON_NONE;
  while (sym_json_iter_next (self, &iter))
    if (i-- == 0)
      return iter.value;

  return SYM_JSON_NONE;
}

static inline gboolean
is_key (const SymJson *self, guint key, const char *name, gsize length)
{
  const SymJsonToken *token = &self->tokens[key];

  if (token->is_escaped)
    return sym_json_string_equals (self, key, name);
  return token->extent == length + 2 && is_text (self->text + token->start + 1, name, length);
}

/* The same without the length of the name. */
static inline gboolean
is_member (const SymJson *self, guint key, const char *name)
{
  const SymJsonToken *token = &self->tokens[key];
  const char *text = self->text + token->start + 1;
  gsize length = token->extent - 2;

  if (token->is_escaped)
    return sym_json_string_equals (self, key, name);
  if (text[0] != name[0])
    return length == 0 && name[0] == '\0';
  return strncmp (text, name, length) == 0 && name[length] == '\0';
}

guint
sym_json_get_member (const SymJson *self, guint object, const char *name)
{
  const SymJsonToken *container = get_token_of_kind (self, object, SYM_JSON_OBJECT);
  guint end = container == NULL ? 0 : container->extent;
  gsize length = strlen (name);
  guint found = SYM_JSON_NONE;

  for (guint key = object + 1; key < end; key = sym_json_get_next (self->tokens, key + 1))
    if (is_key (self, key, name, length))
      found = key + 1;
  return found;
}

/* The one that came next the last time is tried first. */
void
sym_json_get_members (const SymJson *self, guint object, const char *const *names, guint *members)
{
  const SymJsonToken *container = get_token_of_kind (self, object, SYM_JSON_OBJECT);
  guint end = container == NULL ? 0 : container->extent;
  guint n = 0, next = 0;

  for (; names[n] != NULL; n++)
    members[n] = SYM_JSON_NONE;
  for (guint key = object + 1; key < end; key = sym_json_get_next (self->tokens, key + 1))
    for (guint i = 0; i < n; i++, next = next + 1 < n ? next + 1 : 0)
      if (is_member (self, key, names[next]))
        {
          members[next] = key + 1;
          next = next + 1 < n ? next + 1 : 0;
          break;
        }
}

guint
sym_json_get_end (const SymJson *self, guint value)
{
  const SymJsonToken *token = sym_json_peek_token (self, value);

  return token == NULL ? SYM_JSON_NONE : sym_json_get_next (self->tokens, value);
}

gboolean
sym_json_expect (const SymJson *self,
                 guint value,
                 SymJsonKind kind,
                 const char *what,
                 GError **error)
{
  SymJsonKind found = sym_json_get_kind (self, value);

  if (found == kind)
    return TRUE;

  return sym_json_fail (self, value, error,
                        found == SYM_JSON_ABSENT ? "'%s' must be %s, but is %s"
                                                 : "'%s' must be %s, not %s",
                        what, sym_json_kind_to_string (kind), sym_json_kind_to_string (found));
}

void
sym_json_set_error (const SymJson *self, guint value, GError **error, const char *format, ...)
{
  guint line = sym_json_get_line (self, value);
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  if (line == 0)
    g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, message);
  else
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "line %u: %s", line, message);
}
