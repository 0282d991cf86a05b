/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json.h"

#include <string.h>

G_BEGIN_DECLS

/* Of a document: half a GiB of tokens, with the one that is too many. */
#define SYM_JSON_MAX_VALUES ((1u << 26) - 1)

/* A value, or the key of a member, which comes just before the member's value.  Values lie in the
 * order of the text, so what is within a container follows it, up to @extent.  A text has one for
 * every five to ten bytes, so that their size is what reading takes. */
typedef struct {
  guint32 start;       /* offset of the first byte */
  guint32 extent : 27; /* of a container: the token after all within it; else: how many bytes */
  guint32 kind : 3;
  guint32 is_escaped : 1;   /* string: holds a backslash */
  guint32 is_nonfinite : 1; /* number: NaN, Infinity, -Infinity */
} SymJsonToken;

/* The extent of a string or number that has more bytes than it tells. */
#define SYM_JSON_LONG ((1u << 27) - 1)

/* The line is known at every so many bytes, and counted from there. */
#define SYM_JSON_LINE_BLOCK 256

struct _SymJson {
  gatomicrefcount ref_count;
  GBytes *bytes;
  const char *text;
  SymJsonToken *tokens;
  guint32 *lines; /* at each SYM_JSON_LINE_BLOCKth byte; NULL: they tell nobody anything */
  guint n_tokens;
  guint first_nan; /* SYM_JSON_NONE when there is none */
};

/* ---- What is asked of every token of a large file, inline ---- */

static inline const SymJsonToken *
sym_json_peek_token (const SymJson *self, guint value)
{
  return value < self->n_tokens ? &self->tokens[value] : NULL;
}

static inline gboolean
sym_json_is_container (const SymJsonToken *token)
{
  return token->kind >= SYM_JSON_ARRAY;
}

/* The token after this one and all within it. */
static inline guint
sym_json_get_next (const SymJsonToken *tokens, guint value)
{
  return sym_json_is_container (&tokens[value]) ? tokens[value].extent : value + 1;
}

/* FALSE where @character is not in the text of a value; TRUE also where it follows before the next.
 */
static inline gboolean
sym_json_may_contain (const SymJson *self, guint value, char character)
{
  guint next = value < self->n_tokens ? sym_json_get_next (self->tokens, value) : value;
  guint32 start;

  if (next == value)
    return FALSE;
  start = self->tokens[value].start;
  return next == self->n_tokens ||
         memchr (self->text + start, character, self->tokens[next].start - start) != NULL;
}

/* The ends of lines in a text up to @end. */
guint sym_json_count_ends (const char *text, const char *end);

/* The bytes of a value that is no string or number of usual length. */
gsize sym_json_measure_unusual (const SymJson *self, guint value);

static inline gsize
sym_json_measure (const SymJson *self, guint value)
{
  const SymJsonToken *token = &self->tokens[value];

  return sym_json_is_container (token) || token->extent == SYM_JSON_LONG
             ? sym_json_measure_unusual (self, value)
             : token->extent;
}

/* As sym_json_get_text(). */
static inline const char *
sym_json_peek_text (const SymJson *self, guint value, gsize *length)
{
  if (value >= self->n_tokens)
    {
      *length = 0;
      return NULL;
    }
  *length = sym_json_measure (self, value);
  return self->text + self->tokens[value].start;
}

/* As sym_json_peek_string(). */
static inline const char *
sym_json_peek_characters (const SymJson *self, guint value, gsize *length)
{
  const SymJsonToken *token = sym_json_peek_token (self, value);

  if (token == NULL || token->kind != SYM_JSON_STRING || token->is_escaped)
    return NULL;
  *length = sym_json_measure (self, value) - 2;
  return self->text + token->start + 1;
}

static inline gboolean
sym_json_is_same_four (const char *a, const char *b)
{
  return memcmp (a, b, 4) == 0;
}

static inline gboolean
sym_json_is_same_eight (const char *a, const char *b)
{
  return memcmp (a, b, 8) == 0;
}

/* As sym_json_texts_equal(), of keys, which are short: two looks, at the beginning and at the end,
 * see all of most. */
static inline gboolean
sym_json_is_same_key (const SymJson *self, guint one, guint other)
{
  const SymJsonToken *token = &self->tokens[one], *other_token = &self->tokens[other];
  const char *a = self->text + token->start, *b = self->text + other_token->start;
  gsize n = token->extent;

  if (n != other_token->extent)
    return FALSE;
  if (n == SYM_JSON_LONG)
    return sym_json_texts_equal (self, one, other);
  if (n > 16 || n < 4)
    return memcmp (a, b, n) == 0;
  if (n < 8)
    return sym_json_is_same_four (a, b) && sym_json_is_same_four (a + n - 4, b + n - 4);
  return sym_json_is_same_eight (a, b) && sym_json_is_same_eight (a + n - 8, b + n - 8);
}

/* Up to 18 digits in quotes, which 64 bits hold: protobuf's JSON writes most integers of 64 bits
 * so. FALSE for anything else. */
static inline gboolean
sym_json_get_quoted_digits (const SymJson *self, guint value, guint64 *number)
{
  gsize length;
  const char *text = sym_json_peek_characters (self, value, &length);

  if (text == NULL || length == 0 || length > 18)
    return FALSE;
  *number = 0;
  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return FALSE;
      *number = *number * 10 + (guint64) (text[i] - '0');
    }
  return TRUE;
}

/* As sym_json_iterate() and sym_json_iter_next(). */
static inline SymJsonIter
sym_json_begin (const SymJson *self, guint container)
{
  const SymJsonToken *token = sym_json_peek_token (self, container);
  SymJsonIter iter = { SYM_JSON_NONE, SYM_JSON_NONE, 0, 0 };

  if (token != NULL && sym_json_is_container (token))
    {
      iter.next = container + 1;
      iter.end = token->extent;
      iter.key = token->kind == SYM_JSON_OBJECT ? container : SYM_JSON_NONE;
    }
  return iter;
}

static inline gboolean
sym_json_step (const SymJson *self, SymJsonIter *iter)
{
  if (iter->next >= iter->end)
    return FALSE;

  iter->value = iter->next;
  if (iter->key != SYM_JSON_NONE)
    {
      iter->key = iter->next;
      iter->value = iter->next + 1;
    }
  iter->next = sym_json_get_next (self->tokens, iter->value);
  return TRUE;
}

/* ---- */

/* sym_json_parse() with a bound of its own for the keys and values, telling how far it is. */
SymJson *sym_json_parse_bounded (GBytes *bytes,
                                 guint max_values,
                                 SymProblems *problems,
                                 GCancellable *cancellable,
                                 GError **error);

/* The encoding that a mark, or the zeros around the first bracket, show; NULL for UTF-8. */
const char *sym_json_find_wide_encoding (const guint8 *bytes, gsize n);

/* Of a document that is no text of its file, lines tell nobody anything: there are none from here
 * on. */
void sym_json_hide_lines (SymJson *self);

G_END_DECLS
