/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-json-private.h"

G_BEGIN_DECLS

/* What may come next. */
typedef enum {
  SYM_JSON_EXPECT_VALUE,
  SYM_JSON_EXPECT_VALUE_OR_END, /* just after [ */
  SYM_JSON_EXPECT_KEY_OR_END,   /* just after { */
  SYM_JSON_EXPECT_KEY,
  SYM_JSON_EXPECT_COLON,
  SYM_JSON_EXPECT_COMMA_OR_END,
  SYM_JSON_EXPECT_NOTHING, /* after the document */
  SYM_JSON_FAILED,
} SymJsonExpect;

/* One pass over the bytes: checks the grammar, notes where every value is.  No recursion: @stack
 * holds the open containers. */
typedef struct {
  const guint8 *start;
  const guint8 *at;
  const guint8 *end;
  const guint8 *line_start;
  guint line;
  SymJsonToken *tokens;
  guint32 *lines; /* as in SymJson */
  guint n_blocks; /* of which the line is known */
  guint n_tokens, capacity, max_tokens;
  guint stack[SYM_JSON_MAX_DEPTH];
  guint depth;
  gboolean is_array; /* the container that is open now is one */
  guint first_nan;
  guint noted_line; /* the last one with an escape that is no text */
  SymProblems *problems;
  GCancellable *cancellable;
  const guint8 *next_tell;
  GError **error;
} SymJsonScan;

/* The container that is open now. */
static inline SymJsonToken *
sym_json_scan_get_container (SymJsonScan *self)
{
  return &self->tokens[self->stack[self->depth - 1]];
}

/* All that begins up to the place @at has the scan's line. */
static inline void
sym_json_scan_note_line (SymJsonScan *self, const guint8 *at)
{
  guint32 offset = (guint32) (at - self->start);

  while ((guint64) self->n_blocks * SYM_JSON_LINE_BLOCK <= offset)
    self->lines[self->n_blocks++] = self->line;
}

/* The extent of so many bytes. */
static inline guint32
sym_json_scan_limit (gssize n_bytes)
{
  return n_bytes < SYM_JSON_LONG ? (guint32) n_bytes : SYM_JSON_LONG;
}

/* Sets the error that names the place, what was expected and what is there; returns FALSE. */
gboolean sym_json_scan_fail (SymJsonScan *self, const char *expected);

/* Makes room for more tokens. */
void sym_json_scan_grow (SymJsonScan *self);

/* Adds a value from the scan's place up to @end, which is its place then.  Of a container @end is
 * not known yet. */
static inline SymJsonToken *
sym_json_scan_add (SymJsonScan *self, SymJsonKind kind, const guint8 *end)
{
  guint n = self->n_tokens;

  if (G_UNLIKELY (n == self->capacity))
    sym_json_scan_grow (self);
  self->tokens[n] = (SymJsonToken){
    .start = (guint32) (self->at - self->start),
    .extent = sym_json_scan_limit (end - self->at),
    .kind = kind,
  };
  self->n_tokens = n + 1;
  self->at = end;
  return &self->tokens[n];
}

/* Goes on as far as the document is plain and there is room for tokens; where it stops, a step has
 * to be made by others, as also close to the end of the bytes.  Returns what may come next. */
SymJsonExpect sym_json_scan_plain (SymJsonScan *self, SymJsonExpect expected);

/* Steps over a text that is there; FALSE, staying, when another one is. */
gboolean sym_json_scan_accept (SymJsonScan *self, const char *text);

/* A string, a number, or null, true or false, at the scan's place.  @expected is for the message
 * when it is none of these.  Most strings and numbers are plain: see sym-json-plain.h; of a string
 * @at is where it is plain no longer. */
gboolean sym_json_scan_string_from (SymJsonScan *self, const guint8 *at);
gboolean sym_json_scan_number (SymJsonScan *self, const char *expected);
gboolean sym_json_scan_word (SymJsonScan *self, const char *expected);

G_END_DECLS
