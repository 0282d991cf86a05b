/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-groups.h"

G_BEGIN_DECLS

/* While groups are found, finders split what the groups before them left: each looks at one *container*
 * (the top, or a group) and may put calls and groups that lie directly in it into new groups. */
struct _SymGroups {
  gatomicrefcount ref_count;
  SymModel *model;
  GArray *groups;        /* SymGroup */
  guint *call_groups;    /* by call: the innermost group */
  GStringChunk *names;

  /* Set at the end. */
  guint *call_starts;    /* by group: its calls within @calls */
  SymId *calls;
  guint n_runs;
  guint *run_starts;     /* by run, and one more */
  guint *run_groups;
};

/* Returns the new group.  @parent must be there already. */
guint sym_groups_add (SymGroups *self, SymGroupKind kind, const char *name, guint parent);

/* The group directly within @container that has the call, or SYM_NO_GROUP when the call itself lies
 * directly in it.  The call must be somewhere in @container. */
guint sym_groups_find_within (const SymGroups *self, guint container, SymId call);

/* ---- Finders ---- */

/* By names that have parts: "a/b/c" and "a.b.c". */
void sym_groups_find_scopes (SymGroups *self);

G_END_DECLS
