/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-query.h"

G_BEGIN_DECLS

/* One search, apart from widgets: what is needed for it, and what it found.  Made by the UI thread,
 * run by another, read by the first again. */
typedef struct {
  SymSummary *summary;
  SymGroups *groups;    /* NULL for none */
  double *times;        /* by call; NULL for none, and when there is an index */
  guint8 *changes;      /* likewise; of SymCompareKind */
  SymQueryIndex *index; /* NULL: to be made */
  SymQuery *query;      /* NULL when the text is none: then only what it may become is looked for */
  char *text;
  gsize cursor;        /* byte in the text, where one types */
  guint n_completions; /* how many are wanted; 0 for none */

  SymQueryResult *result;
  GArray *found;          /* of SymId, in the order of the table */
  guint best;             /* hit; G_MAXUINT for none */
  GPtrArray *completions; /* of SymQueryCompletion; without what is there already */
} ScopeSearchJob;

/* Takes @take_query, @take_times and @take_changes; refers to the rest. */
ScopeSearchJob *scope_search_job_new (SymSummary *summary,
                                      SymGroups *groups,
                                      SymQueryIndex *index,
                                      SymQuery *take_query,
                                      double *take_times,
                                      guint8 *take_changes,
                                      const char *text);
void scope_search_job_free (ScopeSearchJob *self);

/* Completes first, which takes less time. */
gboolean scope_search_job_run (ScopeSearchJob *self, GCancellable *cancellable, GError **error);

G_END_DECLS
