/* SPDX-License-Identifier: MIT */
#include "io/sym-json-plain.h"
#include "io/sym-json-scan-private.h"

/* Nearly all of a document is text without escapes, whole numbers, words and brackets.  They are
 * gone through here with all that changes in registers, and as much room before the end of the
 * bytes as makes a look at it needless. */

/* Bytes behind a place that may be looked at without asking: a bracket, a mark and a space, or the
 * longest word and them. */
#define ROOM 16

/* What no byte is. */
#define NONE 256

typedef struct {
  const guint8 *start;
  const guint8 *at;
  const guint8 *stop; /* ROOM bytes before the end, or where to tell how far it is */
  const guint8 *limit;
  const guint8 *end;
  SymJsonToken *tokens;
  guint n, room; /* tokens that are there, and up to how many there may be */
  guint depth;
  guint closing; /* the bracket that ends what is open now, or NONE */
  SymJsonExpect expected;
} Walk;

G_ALWAYS_INLINE static inline void
add (Walk *walk, SymJsonKind kind, const guint8 *end)
{
  walk->tokens[walk->n] = (SymJsonToken){
    .start = (guint32) (walk->at - walk->start),
    .extent = sym_json_scan_limit (end - walk->at),
    .kind = kind,
  };
  walk->n++;
  walk->at = end;
}

/* Over a comma or a colon, and the space that mostly follows. */
G_ALWAYS_INLINE static inline void
skip_mark (Walk *walk)
{
  walk->at += walk->at[1] == ' ' ? 2 : 1;
}

G_ALWAYS_INLINE static inline guint
get_closing (const Walk *walk, const SymJsonScan *scan)
{
  if (walk->depth == 0)
    return NONE;
  return walk->tokens[scan->stack[walk->depth - 1]].kind == SYM_JSON_ARRAY ? ']' : '}';
}

G_ALWAYS_INLINE static inline void
close_one (Walk *walk, const SymJsonScan *scan)
{
  SymJsonToken *token = &walk->tokens[scan->stack[--walk->depth]];

  walk->at++;
  token->extent = walk->n;
  walk->closing = get_closing (walk, scan);
}

/* Behind a value: what ends there, and the comma. */
G_ALWAYS_INLINE static inline void
finish (Walk *walk, const SymJsonScan *scan)
{
  while (walk->at < walk->limit && *walk->at == walk->closing)
    close_one (walk, scan);
  walk->expected = walk->depth == 0 ? SYM_JSON_EXPECT_NOTHING : SYM_JSON_EXPECT_COMMA_OR_END;
  if (walk->at < walk->limit && *walk->at == ',' && walk->depth > 0)
    {
      skip_mark (walk);
      walk->expected = walk->closing == ']' ? SYM_JSON_EXPECT_VALUE : SYM_JSON_EXPECT_KEY;
    }
}

G_ALWAYS_INLINE static inline gboolean
open_one (Walk *walk, SymJsonScan *scan, gboolean is_array)
{
  if (walk->depth == SYM_JSON_MAX_DEPTH)
    return FALSE;
  scan->stack[walk->depth++] = walk->n;
  add (walk, is_array ? SYM_JSON_ARRAY : SYM_JSON_OBJECT, walk->at + 1);
  walk->closing = is_array ? ']' : '}';
  walk->expected = is_array ? SYM_JSON_EXPECT_VALUE_OR_END : SYM_JSON_EXPECT_KEY_OR_END;
  return TRUE;
}

G_ALWAYS_INLINE static inline gboolean
add_string (Walk *walk)
{
  const guint8 *quote = sym_json_skip_plain (walk->at + 1, walk->end);

  if (quote >= walk->limit || *quote != '"')
    return FALSE;
  add (walk, SYM_JSON_STRING, quote + 1);
  return TRUE;
}

G_ALWAYS_INLINE static inline gboolean
add_number (Walk *walk)
{
  const guint8 *end = sym_json_skip_whole (walk->at, walk->end);

  if (end == walk->at)
    return FALSE;
  add (walk, SYM_JSON_NUMBER, end);
  return TRUE;
}

G_ALWAYS_INLINE static inline gboolean
add_word (Walk *walk, SymJsonKind kind, const char *word, guint length)
{
  if (memcmp (walk->at, word, length) != 0)
    return FALSE;
  add (walk, kind, walk->at + length);
  return TRUE;
}

/* Each of these: FALSE, staying, where something else is there. */

G_ALWAYS_INLINE static inline gboolean
go_over_value (Walk *walk, SymJsonScan *scan)
{
  gboolean is_plain;

  switch (*walk->at)
    {
    case '{':
      return open_one (walk, scan, FALSE);
    case '[':
      return open_one (walk, scan, TRUE);
    case '"':
      is_plain = add_string (walk);
      break;
    case 'n':
      is_plain = add_word (walk, SYM_JSON_NULL, "null", 4);
      break;
    case 't':
      is_plain = add_word (walk, SYM_JSON_BOOL, "true", 4);
      break;
    case 'f':
      is_plain = add_word (walk, SYM_JSON_BOOL, "false", 5);
      break;
    default:
      is_plain = add_number (walk);
      break;
    }
  if (is_plain)
    finish (walk, scan);
  return is_plain;
}

/* With its colon and, where nothing is between, its value. */
G_ALWAYS_INLINE static inline gboolean
go_over_key (Walk *walk, SymJsonScan *scan)
{
  if (*walk->at != '"' || !add_string (walk))
    return FALSE;
  walk->expected = SYM_JSON_EXPECT_COLON;
  if (*walk->at == ':')
    {
      skip_mark (walk);
      walk->expected = SYM_JSON_EXPECT_VALUE;
    }
  return TRUE;
}

G_ALWAYS_INLINE static inline gboolean
go_over_end (Walk *walk, const SymJsonScan *scan)
{
  if (*walk->at != walk->closing)
    return FALSE;
  close_one (walk, scan);
  finish (walk, scan);
  return TRUE;
}

G_ALWAYS_INLINE static inline gboolean
go_over_comma (Walk *walk, const SymJsonScan *scan)
{
  if (*walk->at != ',')
    return go_over_end (walk, scan);
  skip_mark (walk);
  walk->expected = walk->closing == ']' ? SYM_JSON_EXPECT_VALUE : SYM_JSON_EXPECT_KEY;
  return TRUE;
}

G_ALWAYS_INLINE static inline gboolean
go_over (Walk *walk, SymJsonScan *scan)
{
  switch (walk->expected)
    {
    case SYM_JSON_EXPECT_KEY_OR_END:
    case SYM_JSON_EXPECT_KEY:
      return (walk->expected == SYM_JSON_EXPECT_KEY_OR_END && go_over_end (walk, scan)) ||
             go_over_key (walk, scan);
    case SYM_JSON_EXPECT_VALUE_OR_END:
    case SYM_JSON_EXPECT_VALUE:
      return (walk->expected == SYM_JSON_EXPECT_VALUE_OR_END && go_over_end (walk, scan)) ||
             go_over_value (walk, scan);
    case SYM_JSON_EXPECT_COMMA_OR_END:
      return go_over_comma (walk, scan);
    case SYM_JSON_EXPECT_COLON:
    case SYM_JSON_EXPECT_NOTHING:
    case SYM_JSON_FAILED:
    default:
      return FALSE;
    }
}

/* The end of a line, and what the next one is indented by. */
G_ALWAYS_INLINE static inline gboolean
go_over_blank (Walk *walk, SymJsonScan *scan)
{
  if (*walk->at == ' ')
    walk->at++;
  else if (*walk->at == '\n')
    {
      sym_json_scan_note_line (scan, walk->at);
      scan->line_start = walk->at + 1;
      scan->line++;
      walk->at = sym_json_skip_spaces (walk->at + 1, walk->end);
    }
  else
    return FALSE;
  return TRUE;
}

SymJsonExpect
sym_json_scan_plain (SymJsonScan *scan, SymJsonExpect expected)
{
  Walk walk = {
    .start = scan->start,
    .at = scan->at,
    .end = scan->end,
    .tokens = scan->tokens,
    .n = scan->n_tokens,
    .room = MIN (scan->capacity, scan->max_tokens),
    .depth = scan->depth,
    .expected = expected,
  };

  if (walk.end - walk.at <= ROOM)
    return expected;
  walk.limit = walk.end - ROOM;
  walk.stop = MIN (walk.limit, scan->next_tell);
  walk.closing = get_closing (&walk, scan);
  while (walk.at < walk.stop && walk.n < walk.room)
    if (*walk.at > ' ' ? !go_over (&walk, scan) : !go_over_blank (&walk, scan))
      break;

  scan->at = walk.at;
  scan->n_tokens = walk.n;
  scan->depth = walk.depth;
  scan->is_array = walk.closing == ']';
  return walk.expected;
}
