/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-problem.h"
#include "io/sym-io.h"

G_BEGIN_DECLS

/* A JSON document (RFC 8259) that was checked from its first byte to its last, with every value's
 * place in the text: lines for messages, and literals (1e-05, 12345678901234567890) as they were
 * written.  Immutable, reference-counted; holds the bytes, and 8 bytes per value.  A value is a
 * number: the root is 0, SYM_JSON_NONE is no value at all, which every function accepts.
 *
 *   for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
 *     use (i.value);
 */
typedef struct _SymJson SymJson;

#define SYM_JSON_NONE G_MAXUINT32
#define SYM_JSON_MAX_DEPTH 1000

typedef enum {
  SYM_JSON_ABSENT, /* of SYM_JSON_NONE */
  SYM_JSON_NULL,
  SYM_JSON_BOOL,
  SYM_JSON_NUMBER,
  SYM_JSON_STRING,
  SYM_JSON_ARRAY,
  SYM_JSON_OBJECT,
} SymJsonKind;

/* Reads a document.  Errors (SYM_IO_ERROR_SYNTAX, _LIMIT) say line, column in bytes, what was
 * expected and what was found.  A byte order mark, a \u0000 (read as U+FFFD, like half of a
 * surrogate pair) are noted in @problems, which may be NULL.  NaN, Infinity and -Infinity are read
 * as numbers: see sym_json_refuse_nan(). */
SymJson *sym_json_parse (GBytes *bytes, SymProblems *problems, GError **error);
SymJson *sym_json_ref (SymJson *self);
void sym_json_unref (SymJson *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymJson, sym_json_unref)

/* FALSE with SYM_IO_ERROR_SYNTAX at the first NaN or Infinity: for formats whose writer makes none.
 */
gboolean sym_json_refuse_nan (const SymJson *self, GError **error);

SymJsonKind sym_json_get_kind (const SymJson *self, guint value);
const char *sym_json_kind_to_string (SymJsonKind kind);     /* "an array", "a string" */
guint sym_json_get_line (const SymJson *self, guint value); /* from 1; 0 for SYM_JSON_NONE */

/* All the bytes; borrowed. */
GBytes *sym_json_get_bytes (const SymJson *self);

/* The text of the value, quotes and brackets included; borrowed, not NUL-terminated. */
const char *sym_json_get_text (const SymJson *self, guint value, gsize *length);
char *sym_json_dup_text (const SymJson *self, guint value);

/* Whether two values are written alike, or are both none. */
gboolean sym_json_texts_equal (const SymJson *self, guint a, guint b);

/* The text as a message quotes it: on one line, "..." after 60 characters. */
char *sym_json_dup_excerpt (const SymJson *self, guint value);

/* The characters of a string or key, escapes resolved.  NULL when it is not one. */
char *sym_json_dup_string (const SymJson *self, guint value);

/* The same, borrowed and without a NUL, of a string that is written without escapes; else NULL. */
const char *sym_json_peek_string (const SymJson *self, guint value, gsize *length);
gboolean sym_json_string_equals (const SymJson *self, guint value, const char *string);

/* FALSE, leaving the result alone, when the value is not of that kind.  An integer is one that is
 * written as one and fits 64 bits (1.0 is not, nor is 1e3). */
gboolean sym_json_get_bool (const SymJson *self, guint value, gboolean *result);
gboolean sym_json_get_int (const SymJson *self, guint value, gint64 *result);
gboolean sym_json_get_uint (const SymJson *self, guint value, guint64 *result);
gboolean sym_json_get_double (const SymJson *self, guint value, double *result);

/* The integers of an array, of which there are at most @max; how many there are, or -1 when one is
 * none, there are more, or it is no array. */
int sym_json_get_ints (const SymJson *self, guint array, gint64 *results, int max);

/* Elements of an array or members of an object in file order; anything else has none.  @key is
 * SYM_JSON_NONE in arrays. */
typedef struct {
  guint key;
  guint value;
  guint next;
  guint end;
} SymJsonIter;

SymJsonIter sym_json_iterate (const SymJson *self, guint container);
gboolean sym_json_iter_next (const SymJson *self, SymJsonIter *iter);

/* How many there are.  Linear in their number. */
guint sym_json_count (const SymJson *self, guint container);

/* About how many, for whoever makes room: a large container is not gone through for it. */
guint sym_json_estimate (const SymJson *self, guint container);

/* The element or member; of members with one name the last (as in Python).  Linear. */
guint sym_json_get_element (const SymJson *self, guint array, guint i);
guint sym_json_get_member (const SymJson *self, guint object, const char *name);

/* The member of each of the NULL-ended @names, in one pass: of a large file the fastest way when
 * the members come in the order of their names. */
void
sym_json_get_members (const SymJson *self, guint object, const char *const *names, guint *members);

/* The end of a value: the number of the value that follows it and all within it. */
guint sym_json_get_end (const SymJson *self, guint value);

/* FALSE with SYM_IO_ERROR_FORMAT, "line 3: 'nodes' must be an array, but is a string", unless the
 * value is of that kind. */
gboolean sym_json_expect (const SymJson *self,
                          guint value,
                          SymJsonKind kind,
                          const char *what,
                          GError **error);

/* Sets SYM_IO_ERROR_FORMAT with the value's line before the message, and is FALSE. */
#define sym_json_fail(self, value, error, ...) \
  (sym_json_set_error ((self), (value), (error), __VA_ARGS__), sym_failed ())

void sym_json_set_error (const SymJson *self, guint value, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Appends @text as a JSON string, in quotes.  Only quotes, backslashes and control characters are
 * escaped.  @text that is not UTF-8 gets U+FFFD where it is not. */
void sym_json_append_string (GString *out, const char *text);

/* Appends the shortest literal that reads back as @number: 1e-05, 0.1, 3.0; NaN, Infinity. */
void sym_json_append_double (GString *out, double number);

G_END_DECLS
