/* SPDX-License-Identifier: MIT */
#include "io/sym-dot-private.h"

#include <string.h>

/* The words of Graphviz' language: names, numbers, "text" + "text", <html>, and marks. */

void
sym_dot_lexer_init (SymDotLexer *self, const char *text, gsize size)
{
  *self = (SymDotLexer){ .at = text, .end = text + size, .line = 1 };
  self->word = g_string_new (NULL);
}

void
sym_dot_lexer_clear (SymDotLexer *self)
{
  g_string_free (self->word, TRUE);
}

static void
advance (SymDotLexer *self, gsize n)
{
  for (; n > 0 && self->at < self->end; n--)
    self->line += *self->at++ == '\n';
}

static gboolean
begins (const SymDotLexer *self, const char *text)
{
  gsize n = strlen (text);

  return (gsize) (self->end - self->at) >= n && memcmp (self->at, text, n) == 0;
}

static void
skip_to (SymDotLexer *self, const char *end)
{
  while (self->at < self->end && !begins (self, end))
    advance (self, 1);
  advance (self, strlen (end));
}

/* Blanks, comments, and lines that begin with #, as the C preprocessor leaves them. */
static void
skip_blanks (SymDotLexer *self)
{
  for (;;)
    {
      if (self->at < self->end && (g_ascii_isspace (*self->at) || *self->at == '\0'))
        advance (self, 1);
      else if (begins (self, "//") || (begins (self, "#") && self->is_line_start))
        skip_to (self, "\n");
      else if (begins (self, "/*"))
        skip_to (self, "*/");
      else
        return;
      self->is_line_start = self->at > self->end - 1 || self->at[-1] == '\n';
    }
}

static gboolean
read_quoted (SymDotLexer *self, GError **error)
{
  guint line = self->line;

  for (advance (self, 1); self->at < self->end && *self->at != '"'; advance (self, 1))
    {
      if (begins (self, "\\\n"))
        advance (self, 1);
      else if (begins (self, "\\\r\n"))
        advance (self, 2);
      else if (begins (self, "\\\\")) /* stays two, and escapes no quote */
        {
          g_string_append (self->word, "\\\\");
          advance (self, 1);
        }
      else if (begins (self, "\\\""))
        {
          advance (self, 1);
          g_string_append_c (self->word, '"');
        }
      else
        g_string_append_c (self->word, *self->at);
    }
  if (self->at == self->end)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
                   "line %u: the text that begins here has no closing quote", line);
      return FALSE;
    }
  advance (self, 1);
  return TRUE;
}

static gboolean
read_html (SymDotLexer *self, GError **error)
{
  guint line = self->line, depth = 0;

  for (; self->at < self->end; advance (self, 1))
    {
      depth += *self->at == '<';
      depth -= *self->at == '>';
      g_string_append_c (self->word, *self->at);
      if (depth == 0)
        {
          advance (self, 1);
          return TRUE;
        }
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u: the <text> that begins here has no end", line);
  return FALSE;
}

static gboolean
is_name_byte (guchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c >= 0x80;
}

static void
read_name (SymDotLexer *self)
{
  gboolean is_number = *self->at == '-' || *self->at == '.' || g_ascii_isdigit (*self->at);

  do
    {
      g_string_append_c (self->word, *self->at);
      advance (self, 1);
    }
  while (self->at < self->end &&
         (is_name_byte ((guchar) *self->at) || (is_number && *self->at == '.')));
}

/* Quoted texts with plus signs between them are one. */
static gboolean
read_text (SymDotLexer *self, GError **error)
{
  for (;;)
    {
      if (!read_quoted (self, error))
        return FALSE;
      skip_blanks (self);
      if (!begins (self, "+"))
        return TRUE;
      advance (self, 1);
      skip_blanks (self);
      if (!begins (self, "\""))
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
                       "line %u: after '+' another \"text\" is expected", self->line);
          return FALSE;
        }
    }
}

static gboolean
is_keyword (const char *word)
{
  static const char *const words[] = { "graph", "digraph", "subgraph", "node", "edge", "strict" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (word, words[i]) == 0)
      return TRUE;
  return FALSE;
}

gboolean
sym_dot_lexer_next (SymDotLexer *self, GError **error)
{
  static const char marks[] = "{}[]=;,:";

  g_string_truncate (self->word, 0);
  self->is_line_start = self->at > self->end - 1 || self->line == 1 || self->at[-1] == '\n';
  skip_blanks (self);
  self->word_line = self->line;
  if (self->at >= self->end)
    self->kind = SYM_DOT_END;
  else if (begins (self, "->") || begins (self, "--"))
    {
      self->kind = SYM_DOT_EDGE;
      g_string_append_len (self->word, self->at, 2);
      advance (self, 2);
    }
  else if (strchr (marks, *self->at) != NULL)
    {
      self->kind = SYM_DOT_MARK;
      g_string_append_c (self->word, *self->at);
      advance (self, 1);
    }
  else if (*self->at == '"' || *self->at == '<')
    {
      self->kind = SYM_DOT_ID;
      return *self->at == '"' ? read_text (self, error) : read_html (self, error);
    }
  else if (is_name_byte ((guchar) *self->at) || *self->at == '-' || *self->at == '.')
    {
      read_name (self);
      self->kind = is_keyword (self->word->str) ? SYM_DOT_KEYWORD : SYM_DOT_ID;
    }
  else
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX, "line %u: '%c' is not expected here",
                   self->line, *self->at);
      return FALSE;
    }
  return TRUE;
}
