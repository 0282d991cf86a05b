/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-query-index.h"

G_BEGIN_DECLS

/* Questions to a model: "type:Conv kernel:3 -parent:relu params>1M".
 *
 *   query      = all { OR all }                        OR is also written |
 *   all        = condition { [AND] condition }
 *   condition  = ( NOT | - ) condition | "(" query ")" | text | field
 *   text       = WORD | "WORDS" | /EXPRESSION/
 *   field      = NAME ":" value | NAME ("=" | "!=" | ">" | ">=" | "<" | "<=") value
 *              | NAME ":" "(" query ")"                of parent, child, before, after
 *   value      = text | NUMBER | NUMBER..NUMBER | SHAPE | yes | no
 *
 * A text alone is looked for in names, types, dtypes and shapes, in the names of groups, and in
 * what a layer has inside.  Upper and lower case are the same.  A text matches where it occurs (in
 * `type`, `op`, `category` and `dtype` at the beginning of a word: "type:conv" is no
 * Deconvolution); a text with stars or question marks matches as a whole, of which these stand for
 * any characters and for one; after = every text is the whole.
 * Quotes take every character as it stands.  An expression is one of Perl's, found anywhere; a text
 * that begins with a slash and has no closing one before a space, as "/layer1/conv", is a word.
 *
 * Numbers may end in k, M, G, T (thousands) or Ki, Mi, Gi, Ti (1024), and then in B; times in us,
 * ms or s, else they are milliseconds.  "10..20" includes both.  Shapes are sizes with x, × or
 * commas between: a number or name as it is, * for one size or more, ? for one; without * and ?
 * they are found as neighbours anywhere in a shape, after = as the whole.
 *
 * A NAME that is no field is an attribute of the layer, whole or its first word: "kernel:3" is
 * kernel_shape=[3, 3] as well, "kernel:3x5" what it says, "stride>1" what is greater in every
 * number.  "kernel" is found of convolutions whose sizes only their weights tell, too. The fields
 * are those of sym_query_get_fields().
 *
 * What is called as the whole text is found by that, too, whatever the text says as a query:
 * names such as "Identity:0", "onnx::Add_12" and "(Layer* 802) [Shuffle]" can be pasted.  A part of
 * a name is found so where the query finds nothing else.
 *
 * What is not known matches no condition and not its opposite either: a layer whose parameters are
 * not known is neither "params>1M" nor "-params>1M".  So is it with what a field does not make
 * sense of: a group has no type, an input no attributes.
 *
 * Immutable; reference-counted; readable from any thread. */
typedef struct _SymQuery SymQuery;

#define SYM_QUERY_ERROR (sym_query_error_quark ())

typedef enum {
  SYM_QUERY_ERROR_SYNTAX,
  SYM_QUERY_ERROR_NAME,     /* neither field nor attribute of the model */
  SYM_QUERY_ERROR_TOO_HARD, /* an expression that takes too long */
} SymQueryError;

GQuark sym_query_error_quark (void);

#define SYM_QUERY_MAX_CONDITIONS 64

/* NULL with SYM_QUERY_ERROR_SYNTAX: "column 8: expected a number after “params>”, such as 1M"; and
 * in
 * *@place, which may be NULL, the byte of @text that it is about.  An empty text is a query that
 * finds nothing. */
SymQuery *sym_query_parse (const char *text, gsize *place, GError **error);
SymQuery *sym_query_ref (SymQuery *self);
void sym_query_unref (SymQuery *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymQuery, sym_query_unref)

const char *sym_query_get_text (const SymQuery *self);
gboolean sym_query_is_empty (const SymQuery *self);

/* ---- What is found ---- */

typedef struct {
  SymQueryItem item;
  guint rank;      /* how well the texts match by which it was found: 0 is best */
  guint64 reasons; /* a bit for each condition that holds and is not negated, in their order */
} SymQueryHit;

/* Immutable; reference-counted; holds query and index. */
typedef struct _SymQueryResult SymQueryResult;

/* Everything that matches: nodes in the order of the summary, then layers that make none, then
 * groups. NULL with SYM_QUERY_ERROR_NAME or _TOO_HARD, or when @cancellable was cancelled.  Takes a
 * few milliseconds for 100,000 nodes; the first query that asks for multiply-adds makes the
 * figures. */
SymQueryResult *
sym_query_run (SymQuery *self, SymQueryIndex *index, GCancellable *cancellable, GError **error);
SymQueryResult *sym_query_result_ref (SymQueryResult *self);
void sym_query_result_unref (SymQueryResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymQueryResult, sym_query_result_unref)

/* What was looked for, and what through; borrowed. */
SymQuery *sym_query_result_get_query (const SymQueryResult *self);
SymQueryIndex *sym_query_result_get_index (const SymQueryResult *self);

guint sym_query_result_get_n (const SymQueryResult *self);
SymQueryHit sym_query_result_get (const SymQueryResult *self, guint i);

/* The hit of the best rank, the first of several; G_MAXUINT when there is none. */
guint sym_query_result_get_best (const SymQueryResult *self);

/* Whether a node, a layer (one of its nodes is enough) or a group is among the hits. */
gboolean sym_query_result_has_value (const SymQueryResult *self, SymId value);
gboolean sym_query_result_has_call (const SymQueryResult *self, SymId call);
gboolean sym_query_result_has_group (const SymQueryResult *self, guint group);

/* Why: "type Conv, kernel_shape [3, 3]". */
char *sym_query_result_explain (const SymQueryResult *self, guint i);

/* ---- Fields, and what may come next ---- */

typedef struct {
  const char *name;
  const char *meaning; /* one line */
  const char *example; /* "params>1M" */
} SymQueryFieldInfo;

const SymQueryFieldInfo *sym_query_get_fields (guint *n);

typedef struct {
  char *text;    /* in place of what is between start and end: "type:", "Conv" */
  char *meaning; /* "type of the layer", "53 nodes"; may be "" */
  gsize start, end;
} SymQueryCompletion;

void sym_query_completion_free (SymQueryCompletion *self);

/* What the word that ends at byte @cursor of @text may become: fields and attributes, and after
 * "type:" the types of the model, those of most nodes first; at most @max.  Of SymQueryCompletion.
 */
GPtrArray *sym_query_complete (SymQueryIndex *index, const char *text, gsize cursor, guint max);

G_END_DECLS
