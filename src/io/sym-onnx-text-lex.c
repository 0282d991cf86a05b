/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

#include <string.h>

/* Goes on from where it was last asked for. */
guint
sym_onnx_text_get_line (SymOnnxText *self)
{
  for (; self->line_at < self->at; self->line_at++)
    self->line += *self->line_at == '\n';
  return self->line;
}

gboolean
sym_onnx_text_fail (SymOnnxText *self, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  sym_io_set_place_error (error, self->start, self->at, sym_onnx_text_get_line (self), format,
                          arguments);
  va_end (arguments);
  return FALSE;
}

/* ---- Bytes ---- */

char
sym_onnx_text_peek (SymOnnxText *self)
{
  for (;;)
    {
      while (self->at < self->end && g_ascii_isspace (*self->at))
        self->at++;
      if (self->at == self->end)
        return 0;
      if (*self->at != '#')
        return *self->at;
      while (self->at < self->end && *self->at != '\n')
        self->at++;
    }
}

gboolean
sym_onnx_text_take (SymOnnxText *self, char byte)
{
  if (sym_onnx_text_peek (self) != byte || self->at == self->end)
    return FALSE;
  self->at++;
  return TRUE;
}

/* What stands at the place, for messages. */
static char *
quote_next (SymOnnxText *self)
{
  gsize n = 0, left;

  if (sym_onnx_text_peek (self) == 0 && self->at == self->end)
    return g_strdup ("the end of the text");
  left = (gsize) (self->end - self->at);
  while (n < MIN (left, 20) && self->at[n] != '\n')
    n++;
  {
    g_autofree char *valid = g_utf8_make_valid (self->at, (gssize) n);

    return g_strdup_printf ("“%s”", valid);
  }
}

gboolean
sym_onnx_text_expect (SymOnnxText *self, char byte, GError **error)
{
  g_autofree char *next = NULL;

  if (sym_onnx_text_take (self, byte))
    return TRUE;
  next = quote_next (self);
  return sym_onnx_text_fail (self, error, "'%c' was expected, not %s", byte, next);
}

/* ---- Names ---- */

static gsize
measure_id (const SymOnnxText *self)
{
  gsize n = 0;

  if (self->at == self->end || !(g_ascii_isalpha (*self->at) || *self->at == '_'))
    return 0;
  while (self->at + n < self->end && (g_ascii_isalnum (self->at[n]) || self->at[n] == '_'))
    n++;
  return n;
}

char *
sym_onnx_text_peek_id (SymOnnxText *self)
{
  gsize n;

  sym_onnx_text_peek (self);
  n = measure_id (self);
  return n == 0 ? NULL : g_strndup (self->at, n);
}

char *
sym_onnx_text_take_id (SymOnnxText *self)
{
  char *id = sym_onnx_text_peek_id (self);

  if (id != NULL)
    self->at += strlen (id);
  return id;
}

char *
sym_onnx_text_expect_id (SymOnnxText *self, GError **error)
{
  char *id = sym_onnx_text_take_id (self);

  if (id == NULL)
    {
      g_autofree char *next = quote_next (self);

      sym_onnx_text_fail (self, error, "a name was expected, not %s", next);
    }
  return id;
}

gboolean
sym_onnx_text_is_name_next (SymOnnxText *self)
{
  return sym_onnx_text_peek (self) == '"' || measure_id (self) > 0;
}

/* A backslash stands before a quote, or before itself. */
GString *
sym_onnx_text_expect_string (SymOnnxText *self, GError **error)
{
  g_autoptr (GString) string = g_string_new (NULL);

  if (!sym_onnx_text_take (self, '"'))
    {
      g_autofree char *next = quote_next (self);

      sym_onnx_text_fail (self, error, "a string in quotes was expected, not %s", next);
      return NULL;
    }
  while (self->at < self->end && *self->at != '"')
    {
      if (*self->at == '\\' && self->at + 1 < self->end)
        self->at++;
      g_string_append_c (string, *self->at++);
    }
  if (self->at == self->end)
    {
      sym_onnx_text_fail (self, error, "the text ends within a string");
      return NULL;
    }
  self->at++;
  return g_steal_pointer (&string);
}

GString *
sym_onnx_text_expect_name (SymOnnxText *self, GError **error)
{
  g_autofree char *id = NULL;

  if (sym_onnx_text_peek (self) == '"')
    return sym_onnx_text_expect_string (self, error);
  id = sym_onnx_text_expect_id (self, error);
  return id == NULL ? NULL : g_string_new (id);
}

/* ---- Numbers ---- */

static void
take_digits (SymOnnxText *self, GString *number)
{
  while (self->at < self->end && g_ascii_isdigit (*self->at))
    g_string_append_c (number, *self->at++);
}

/* What may also be the name of a value. */
gboolean
sym_onnx_text_is_number_word (const char *word)
{
  return word != NULL &&
         (g_ascii_strcasecmp (word, "inf") == 0 || g_ascii_strcasecmp (word, "infinity") == 0 ||
          g_ascii_strcasecmp (word, "nan") == 0);
}

static gboolean
take_decimal (SymOnnxText *self, GString *number, SymOnnxTextNumber *kind)
{
  gsize before = number->len;

  take_digits (self, number);
  if (self->at < self->end && *self->at == '.')
    {
      *kind = SYM_ONNX_TEXT_FLOAT;
      g_string_append_c (number, *self->at++);
      take_digits (self, number);
    }
  if (number->len == before)
    return FALSE;
  if (self->at < self->end && (*self->at == 'e' || *self->at == 'E'))
    {
      *kind = SYM_ONNX_TEXT_FLOAT;
      g_string_append_c (number, *self->at++);
      if (self->at < self->end && (*self->at == '+' || *self->at == '-'))
        g_string_append_c (number, *self->at++);
      take_digits (self, number);
    }
  return TRUE;
}

GString *
sym_onnx_text_expect_number (SymOnnxText *self, SymOnnxTextNumber *kind, GError **error)
{
  g_autoptr (GString) number = g_string_new (NULL);
  g_autofree char *word = NULL;

  *kind = SYM_ONNX_TEXT_INT;
  if (sym_onnx_text_take (self, '-'))
    g_string_append_c (number, '-');
  word = sym_onnx_text_peek_id (self);
  if (sym_onnx_text_is_number_word (word))
    {
      *kind = SYM_ONNX_TEXT_FLOAT;
      g_string_append (number, word);
      self->at += strlen (word);
      return g_steal_pointer (&number);
    }
  if (!take_decimal (self, number, kind))
    {
      g_autofree char *next = quote_next (self);

      sym_onnx_text_fail (self, error, "a number was expected, not %s", next);
      return NULL;
    }
  return g_steal_pointer (&number);
}

gboolean
sym_onnx_text_expect_int (SymOnnxText *self, gint64 *number, GError **error)
{
  SymOnnxTextNumber kind;
  g_autoptr (GString) text = sym_onnx_text_expect_number (self, &kind, error);

  if (text == NULL)
    return FALSE;
  if (kind == SYM_ONNX_TEXT_INT &&
      g_ascii_string_to_signed (text->str, 10, G_MININT64, G_MAXINT64, number, NULL))
    return TRUE;
  return sym_onnx_text_fail (self, error, "“%s” is no integer of 64 bits", text->str);
}
