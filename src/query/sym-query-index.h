/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-compare.h"
#include "query/sym-figures.h"
#include "query/sym-groups.h"

G_BEGIN_DECLS

/* One thing that can be found. */
typedef enum {
  SYM_QUERY_NODE,  /* a value that has a row, with the layer that made it */
  SYM_QUERY_LAYER, /* a call of which no result has a row */
  SYM_QUERY_GROUP,
} SymQueryKind;

typedef struct {
  SymQueryKind kind;
  SymId value; /* SYM_NO_ID unless it is a node */
  SymId call;  /* SYM_NO_ID of what no call made */
  guint group; /* SYM_NO_GROUP unless it is a group */
} SymQueryItem;

/* What queries look through: all items of a model with their texts, folded and laid out once.
 * Immutable but for what is made when it is first asked for; reference-counted; any thread may use
 * it. */
typedef struct _SymQueryIndex SymQueryIndex;

/* @groups may be NULL: then none are found, and "group:" matches nothing.  Linear in the model. */
SymQueryIndex *sym_query_index_new (SymSummary *summary, SymGroups *groups);
SymQueryIndex *sym_query_index_ref (SymQueryIndex *self);
void sym_query_index_unref (SymQueryIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymQueryIndex, sym_query_index_unref)

/* What is known from elsewhere, before the first query: figures, which it makes itself else; and
 * the time of each call in milliseconds, by id, below 0 for none, copied; without them "time" is
 * not known. */
void sym_query_index_set_figures (SymQueryIndex *self, SymFigures *figures);
void sym_query_index_set_times (SymQueryIndex *self, const double *milliseconds);

/* What each call is, by id, compared with those of another model: a SymCompareKind, copied; without
 * them "change" is not known. */
void sym_query_index_set_changes (SymQueryIndex *self, const guint8 *kinds);

SymSummary *sym_query_index_get_summary (const SymQueryIndex *self);
SymGroups *sym_query_index_get_groups (const SymQueryIndex *self);

guint sym_query_index_get_n_items (const SymQueryIndex *self);
SymQueryItem sym_query_index_get_item (const SymQueryIndex *self, guint i);

/* The name of an item, to be shown; borrowed. */
const char *sym_query_index_get_name (const SymQueryIndex *self, guint i);

G_END_DECLS
