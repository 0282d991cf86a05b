/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-model.h"

G_BEGIN_DECLS

/* How the calls of a model nest in groups, each of which can be drawn as one item.  Found in the
 * file: by the names of calls (scopes, module paths) and by structure alone (equal pieces that
 * follow one another, equal branches side by side; stages where neither tells enough).  The calls
 * of a group are neighbours in one order of execution, so that no choice of groups to fold makes a
 * cycle where there was none.  The same model gives the same groups, in whatever order of execution
 * its file has the calls. Immutable; reference-counted; made off the UI thread. */
typedef struct _SymGroups SymGroups;

#define SYM_NO_GROUP G_MAXUINT

typedef enum {
  SYM_GROUP_SCOPE,  /* calls whose names begin alike: "encoder/layer_0" */
  SYM_GROUP_PIECE,  /* one of several equal pieces that follow one another */
  SYM_GROUP_BRANCH, /* one of several equal pieces that stand side by side */
  SYM_GROUP_STAGE,  /* a part of what would be too much to see, cut where little crosses */
} SymGroupKind;

/* Equal groups make a *run*: they have the same parent, follow each other without a gap, and have
 * equal calls that use each other alike, in corresponding order; groups within them correspond as
 * well. */
typedef struct {
  SymGroupKind kind;
  const char
      *name;     /* to be shown: "layer_0", "Convolution, BatchNorm", "Part 2.1: 9 Add, 2 Pool" */
  guint parent;  /* SYM_NO_GROUP at the top */
  guint run;     /* SYM_NO_GROUP for a group without an equal */
  guint place;   /* in its run */
  guint n_calls; /* those of groups within included */
} SymGroup;

/* Linear in the size of the model but for sorting. */
SymGroups *sym_groups_new (SymModel *model);

/* The same; tells how far it is (SYM_STAGE_GROUP).  NULL only when @cancellable was cancelled. */
SymGroups *sym_groups_find (SymModel *model, GCancellable *cancellable, GError **error);

SymGroups *sym_groups_ref (SymGroups *self);
void sym_groups_unref (SymGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymGroups, sym_groups_unref)

SymModel *sym_groups_get_model (const SymGroups *self);

/* A parent comes before the groups within it. */
guint sym_groups_get_n (const SymGroups *self);
const SymGroup *sym_groups_get (const SymGroups *self, guint group);

/* The innermost group that has the call; SYM_NO_GROUP for none. */
guint sym_groups_find_call (const SymGroups *self, SymId call);

/* All calls in the order of execution that groups are parts of. */
SymIds sym_groups_get_order (const SymGroups *self);

/* The calls of a group, those of groups within included, in that order. */
SymIds sym_groups_get_calls (const SymGroups *self, guint group);

/* What the names of calls begin with that no group tells, as it has everything: "backbone/stage2/",
 * with what parts it from the rest; "" for nothing. */
const char *sym_groups_get_prefix (const SymGroups *self);

/* The groups of a run by their places. */
const guint *sym_groups_get_run (const SymGroups *self, guint run, guint *n_groups);

G_END_DECLS
