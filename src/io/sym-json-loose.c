/* SPDX-License-Identifier: MIT */
#include "io/sym-json-loose.h"

#include <string.h>

typedef struct {
  const char *at, *end;
  GString *out;
  gsize comma;   /* place after the comma that nothing has followed yet, or 0 */
  guint depth;   /* brackets that are open */
  guint n_roots; /* documents that have begun */
  guint liberties;
} Loose;

static gboolean
is_word_start (char c)
{
  return g_ascii_isalpha (c) || c == '_' || c == '$';
}

/* Quotes included, to the end of the file where there is no second one. */
static void
copy_string (Loose *self)
{
  const char *start = self->at++;

  while (self->at < self->end && *self->at != '"')
    self->at += *self->at == '\\' && self->end - self->at > 1 ? 2 : 1;
  self->at = MIN (self->at + 1, self->end);
  g_string_append_len (self->out, start, self->at - start);
}

/* TRUE when one is here, of which its ends of lines are kept. */
static gboolean
skip_comment (Loose *self)
{
  gboolean is_line;

  if (self->end - self->at < 2 || self->at[0] != '/' || (self->at[1] != '/' && self->at[1] != '*'))
    return FALSE;

  is_line = self->at[1] == '/';
  self->liberties |= self->depth > 0 ? SYM_JSON_COMMENTS : SYM_JSON_REMARKS;
  for (self->at += 2; self->at < self->end; self->at++)
    {
      if (is_line && *self->at == '\n')
        return TRUE;
      if (!is_line && self->end - self->at > 1 && self->at[0] == '*' && self->at[1] == '/')
        break;
      if (*self->at == '\n')
        g_string_append_c (self->out, '\n');
    }
  self->at = MIN (self->at + 2, self->end);
  return TRUE;
}

/* A word stays as it is where JSON has it. */
static void
copy_word (Loose *self)
{
  static const struct {
    const char *word, *meaning;
  } known[] = {
    { "true", "true" },         { "false", "false" },  { "null", "null" }, { "NaN", "NaN" },
    { "Infinity", "Infinity" }, { "inf", "Infinity" }, { "nan", "NaN" },
  };
  const char *start = self->at;
  const char *after;
  gsize length;

  while (self->at < self->end && (is_word_start (*self->at) || g_ascii_isdigit (*self->at)))
    self->at++;
  length = (gsize) (self->at - start);
  for (after = self->at; after < self->end && g_ascii_isspace (*after);)
    after++;
  for (guint i = 0; i < G_N_ELEMENTS (known) && (after == self->end || *after != ':'); i++)
    if (strlen (known[i].word) == length && strncmp (start, known[i].word, length) == 0)
      {
        if (strcmp (known[i].word, known[i].meaning) != 0)
          self->liberties |= SYM_JSON_BARE_WORDS;
        g_string_append (self->out, known[i].meaning);
        return;
      }
  self->liberties |= SYM_JSON_BARE_WORDS;
  g_string_append_c (self->out, '"');
  g_string_append_len (self->out, start, (gssize) length);
  g_string_append_c (self->out, '"');
}

static void
open_bracket (Loose *self)
{
  if (self->depth++ == 0 && self->n_roots++ > 0)
    {
      g_string_append_c (self->out, ',');
      self->liberties |= SYM_JSON_DOCUMENTS;
    }
  g_string_append_c (self->out, *self->at++);
}

static void
close_bracket (Loose *self)
{
  if (self->comma > 0)
    {
      self->out->str[self->comma - 1] = ' ';
      self->liberties |= SYM_JSON_LAST_COMMAS;
    }
  self->depth -= self->depth > 0;
  g_string_append_c (self->out, *self->at++);
}

/* What is here that is no blank and no comment. */
static void
copy_token (Loose *self)
{
  gsize comma = 0;

  switch (*self->at)
    {
    case '"':
      copy_string (self);
      break;
    case '{':
    case '[':
      open_bracket (self);
      break;
    case '}':
    case ']':
      close_bracket (self);
      break;
    case ',':
      g_string_append_c (self->out, *self->at++);
      comma = self->out->len;
      break;
    default:
      if (is_word_start (*self->at))
        copy_word (self);
      else if (self->at[0] != '-' && !g_ascii_isdigit (self->at[0]))
        g_string_append_c (self->out, *self->at++);
      else
        do
          g_string_append_c (self->out, *self->at++);
        while (self->at < self->end && g_ascii_isdigit (self->at[-1]) &&
               strchr ("0123456789.eE+-", *self->at) != NULL && *self->at != '\0');
      break;
    }
  self->comma = comma;
}

GBytes *
sym_json_tighten (GBytes *bytes, guint *liberties)
{
  gsize size;
  const char *start = g_bytes_get_data (bytes, &size);
  Loose self = { 0 };

  if (size == 0)
    start = "";
  self.at = start;
  self.end = start + size;
  self.out = g_string_sized_new (size + size / 8 + 2);
  g_string_append_c (self.out, '[');
  while (self.at < self.end)
    {
      if (g_ascii_isspace (*self.at))
        g_string_append_c (self.out, *self.at++);
      else if (!skip_comment (&self))
        copy_token (&self);
    }
  *liberties = self.liberties;
  if (self.liberties & SYM_JSON_DOCUMENTS)
    g_string_append_c (self.out, ']');
  else
    self.out->str[0] = ' ';
  if (self.liberties != 0)
    return g_string_free_to_bytes (self.out);

  g_string_free (self.out, TRUE);
  return NULL;
}
