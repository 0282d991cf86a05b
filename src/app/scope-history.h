/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-flight.h"
#include "app/scope-focus.h"
#include "app/scope-node.h"
#include "query/sym-folding.h"
#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* One view of a graph: what was selected, which part was looked into, and from where. */
typedef struct {
  ScopeNode node; /* selected: a node, a line, or nothing */
  guint frame;    /* the open group that is selected instead; SYM_NO_GROUP for none */
  ScopeFocus focus;
  ScopeSight sight;
  SymRect place; /* where the selection was drawn, so that it is found in another layout; empty when
                    it was not */
  SymFolding *folding; /* which groups were open; NULL where nothing folds */
} ScopeMoment;

/* The views that somebody has come through, as a browser has pages: a new one forgets those that
 * were gone back from.  The present one is always there once there is any.  Foldings are borrowed
 * outside, and kept inside. */
typedef struct _ScopeHistory ScopeHistory;

ScopeHistory *scope_history_new (void);
void scope_history_free (ScopeHistory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeHistory, scope_history_free)

/* Another model: ids mean something else. */
void scope_history_clear (ScopeHistory *self);

/* @before is the view that is left, as it was seen last; @now the one that is come to.  When only
 * the sight differs nothing is added. */
void scope_history_visit (ScopeHistory *self, const ScopeMoment *before, const ScopeMoment *now);

gboolean scope_history_can_go (const ScopeHistory *self, gboolean forward);

/* The view to go to, which is the present one from now on; @before is the one that is left.  NULL
 * when there is none. */
const ScopeMoment *
scope_history_go (ScopeHistory *self, gboolean forward, const ScopeMoment *before);

G_END_DECLS
