/* SPDX-License-Identifier: MIT */
#include "io/sym-json-private.h"

/* What is not kept of values: their lines, and where some end. */

guint
sym_json_count_ends (const char *text, const char *end)
{
  guint n = 0;

  while ((text = memchr (text, '\n', (gsize) (end - text))) != NULL)
    {
      n++;
      text++;
    }
  return n;
}

static const char *
find_end_of_string (const char *at)
{
  for (at++; *at != '"'; at++)
    if (*at == '\\')
      at++;
  return at + 1;
}

static const char *
find_end_of_number (const char *at, const char *end)
{
  while (at < end && *at != '\0' && strchr ("0123456789+-.eE", *at) != NULL)
    at++;
  return at;
}

/* How many containers end where @value does: it, its last element if that is one, the last of that,
 * ... */
static guint
count_ends (const SymJsonToken *tokens, guint value)
{
  guint end = tokens[value].extent, n = 1;

  for (guint i = value + 1; i < end;)
    {
      guint next = sym_json_get_next (tokens, i);

      if (next == end && sym_json_is_container (&tokens[i]))
        {
          n++;
          next = i + 1;
        }
      i = next;
    }
  return n;
}

/* Behind the last value within there are but blanks and the brackets of what ends there. */
static const char *
find_end_of_container (const SymJson *self, guint value)
{
  guint last = self->tokens[value].extent - 1;
  const SymJsonToken *token = &self->tokens[last];
  const char *at = self->text + token->start;

  at += sym_json_is_container (token) ? 1 : sym_json_measure (self, last);
  for (guint n = count_ends (self->tokens, value); n > 0; at++)
    if (*at == ']' || *at == '}')
      n--;
  return at;
}

gsize
sym_json_measure_unusual (const SymJson *self, guint value)
{
  const SymJsonToken *token = &self->tokens[value];
  const char *start = self->text + token->start, *end;

  if (sym_json_is_container (token))
    end = find_end_of_container (self, value);
  else if (token->kind == SYM_JSON_STRING)
    end = find_end_of_string (start);
  else
    end = find_end_of_number (start, self->text + g_bytes_get_size (self->bytes));
  return (gsize) (end - start);
}
