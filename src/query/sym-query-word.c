/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

G_DEFINE_QUARK (sym - query - error - quark, sym_query_error)

void
sym_query_set_error (GError **error,
                     int code,
                     const char *text,
                     gsize place,
                     const char *format,
                     ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, SYM_QUERY_ERROR, code, "column %ld: %s",
               g_utf8_strlen (text, (gssize) place) + 1, message);
}

static gboolean
is_boundary (char c)
{
  return c == '\0' || g_ascii_isspace (c) || c == ')' || c == '(';
}

/* ---- What stands between marks ---- */

/* Past the mark that closes what begins at @from; 0 for none.  A backslash takes what follows. */
static gsize
find_closing (const char *text, gsize from)
{
  for (gsize i = from + 1; text[i] != '\0'; i++)
    if (text[i] == '\\' && text[i + 1] != '\0')
      i++;
    else if (text[i] == text[from])
      return i + 1;
  return 0;
}

static gboolean
read_marked (SymQueryWord *word, SymQueryWordKind kind, gsize end)
{
  word->kind = kind;
  word->end = end;
  word->text_start = word->start + 1;
  word->text_end = end - 1;
  return TRUE;
}

static gboolean
read_quoted (const char *text, SymQueryWord *word, GError **error)
{
  gsize end = find_closing (text, word->start);

  if (end != 0)
    return read_marked (word, SYM_QUERY_WORD_QUOTED, end);
  sym_query_set_error (error, SYM_QUERY_ERROR_SYNTAX, text, word->start,
                       "expected another quotation mark to close this one");
  return FALSE;
}

/* ---- Fields ---- */

static gsize
read_comparison (const char *text, gsize at, SymQueryComparison *comparison)
{
  static const struct {
    const char *text;
    SymQueryComparison comparison;
  } all[] = {
    { "!=", SYM_QUERY_IS_NOT }, { ">=", SYM_QUERY_MORE_OR_SAME }, { "<=", SYM_QUERY_LESS_OR_SAME },
    { ">", SYM_QUERY_MORE },    { "<", SYM_QUERY_LESS },          { "=", SYM_QUERY_IS },
    { ":", SYM_QUERY_HAS }
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_str_has_prefix (text + at, all[i].text))
      {
        *comparison = all[i].comparison;
        return at + strlen (all[i].text);
      }
  return 0;
}

static gboolean
read_field (const char *text, SymQueryWord *word)
{
  gsize end = word->start, after;

  while (g_ascii_isalnum (text[end]) || text[end] == '_')
    end++;
  after = end == word->start || g_ascii_isdigit (text[word->start])
              ? 0
              : read_comparison (text, end, &word->comparison);
  if (after == 0)
    return FALSE;
  word->kind = SYM_QUERY_WORD_FIELD;
  word->end = after;
  word->text_start = word->start;
  word->text_end = end;
  return TRUE;
}

static void
read_plain (const char *text, SymQueryWord *word, gboolean is_value)
{
  static const struct {
    const char *text;
    SymQueryWordKind kind;
  } operators[] = { { "AND", SYM_QUERY_WORD_AND },
                    { "OR", SYM_QUERY_WORD_OR },
                    { "|", SYM_QUERY_WORD_OR },
                    { "NOT", SYM_QUERY_WORD_NOT } };
  gsize end = word->start;

  while (!is_boundary (text[end]) && text[end] != '"')
    end++;
  word->kind = SYM_QUERY_WORD_TEXT;
  word->text_start = word->start;
  word->end = word->text_end = end;
  for (guint i = 0; i < G_N_ELEMENTS (operators) && !is_value; i++)
    if (strlen (operators[i].text) == end - word->start &&
        strncmp (text + word->start, operators[i].text, end - word->start) == 0)
      word->kind = operators[i].kind;
}

static gboolean
read_mark (const char *text, SymQueryWord *word, gboolean is_value)
{
  switch (text[word->start])
    {
    case '(':
      word->kind = SYM_QUERY_WORD_OPEN;
      break;
    case ')':
      word->kind = SYM_QUERY_WORD_CLOSE;
      break;
    case '-':
      if (is_value || (is_boundary (text[word->start + 1]) && text[word->start + 1] != '('))
        return FALSE;
      word->kind = SYM_QUERY_WORD_NOT;
      break;
    default:
      return FALSE;
    }
  word->end = word->start + 1;
  return TRUE;
}

/* What begins like an expression and has no end before the next name of a path is a word: names of
 * ONNX begin so. */
static gboolean
read_expression (const char *text, SymQueryWord *word)
{
  gsize end = find_closing (text, word->start);

  if (end <= word->start + 2 || !is_boundary (text[end]))
    return FALSE;
  return read_marked (word, SYM_QUERY_WORD_EXPRESSION, end);
}

gboolean
sym_query_read_word (const char *text,
                     gsize from,
                     gboolean is_value,
                     SymQueryWord *word,
                     GError **error)
{
  while (g_ascii_isspace (text[from]) && !is_value)
    from++;
  *word = (SymQueryWord){ .kind = SYM_QUERY_WORD_END, .start = from, .end = from };
  if (text[from] == '\0' || (is_value && g_ascii_isspace (text[from])))
    return TRUE;
  if (text[from] == '"')
    return read_quoted (text, word, error);
  if ((text[from] == '/' && read_expression (text, word)) || read_mark (text, word, is_value) ||
      (!is_value && read_field (text, word)))
    return TRUE;
  read_plain (text, word, is_value);
  return TRUE;
}
