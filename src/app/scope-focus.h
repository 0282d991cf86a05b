/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-extract.h"
#include "core/sym-infer.h"
#include "query/sym-folding.h"
#include "query/sym-trace.h"

G_BEGIN_DECLS

/* What is brought out of a graph by dimming the rest. */
typedef enum {
  SCOPE_TRACE_NONE,
  SCOPE_TRACE_ANCESTORS,
  SCOPE_TRACE_DESCENDANTS,
  SCOPE_TRACE_BOTH,
  SCOPE_TRACE_PATH,
  SCOPE_TRACE_CHOOSING, /* a path whose other end is still to be chosen: nothing is dimmed */
} ScopeTraceKind;

/* Which part of a graph is looked into.  A value, copied with =. */
typedef struct {
  ScopeTraceKind trace;
  SymEntry from, to; /* of the trace; @to of paths only */
  SymId around;      /* only what is near this value is laid out; SYM_NO_ID: all of the graph */
  guint group;       /* that it was drawn in, closed: all of it is looked around; or SYM_NO_GROUP */
  guint n_merged;    /* how many of its run, that one first, were drawn as one */
  guint n_hops;      /* how near: layers between */
} ScopeFocus;

#define SCOPE_DEFAULT_HOPS 2
#define SCOPE_MAX_HOPS 99

/* Nothing in particular. */
ScopeFocus scope_focus_get_whole (void);

gboolean scope_focus_has_same_trace (const ScopeFocus *a, const ScopeFocus *b);
gboolean scope_focus_has_same_part (const ScopeFocus *a, const ScopeFocus *b);

/* What is near what is looked around; there must be something.  @groups are those of the model;
 * NULL will do when no group is looked around. */
SymSelection *scope_focus_select (const ScopeFocus *self, SymModel *model, const SymGroups *groups);

/* "conv1", or the name of the group. */
const char *
scope_focus_get_part_name (const ScopeFocus *self, SymModel *model, const SymGroups *groups);

/* What the trace brings out; NULL for nothing, also when no path joins the two.  Linear in the
 * model. */
SymTrace *scope_focus_trace (const ScopeFocus *self, SymModel *model);

/* "Ancestors of “fc1” · 12 nodes", for people; NULL without a trace.  @trace is what
 * scope_focus_trace() found. */
char *scope_focus_trace_to_string (const ScopeFocus *self, SymModel *model, const SymTrace *trace);

G_END_DECLS
