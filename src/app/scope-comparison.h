/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-compare.h"

G_BEGIN_DECLS

/* What differs between the graph of a tab and another one, which counts as what there was before:
 * where each difference is to be seen in that of the tab.  Immutable; reference-counted; any thread
 * may use it. */
typedef struct _ScopeComparison ScopeComparison;

/* @title is what people call the other one; with @numbers all weights are read, too.  NULL when it
 * was cancelled or weights cannot be read. */
ScopeComparison *scope_comparison_new (SymInference *other,
                                       SymInference *own,
                                       const char *title,
                                       gboolean numbers,
                                       GCancellable *cancellable,
                                       GError **error);
ScopeComparison *scope_comparison_ref (ScopeComparison *self);
void scope_comparison_unref (ScopeComparison *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeComparison, scope_comparison_unref)

SymInference *scope_comparison_get_own (const ScopeComparison *self);
SymInference *scope_comparison_get_other (const ScopeComparison *self);
const SymCompare *scope_comparison_get_compare (const ScopeComparison *self);
const char *scope_comparison_get_title (const ScopeComparison *self);
gboolean scope_comparison_has_numbers (const ScopeComparison *self);

/* What each call of the own graph is, by id: a SymCompareKind, never SYM_COMPARE_REMOVED. */
const guint8 *scope_comparison_get_kinds (const ScopeComparison *self);

/* The entry of a call of the own graph; FALSE for one that is not among them. */
gboolean scope_comparison_find (const ScopeComparison *self, SymId call, SymCompareEntry *entry);

/* Whether something that was removed stood behind this call of the own graph. */
gboolean scope_comparison_is_gap (const ScopeComparison *self, SymId call);

/* ---- Differences to be gone through: what has other shapes only is left out ---- */
guint scope_comparison_get_n_steps (const ScopeComparison *self);
SymCompareEntry scope_comparison_get_step (const ScopeComparison *self, guint step);

/* The value or else the call of the own graph where it is: of what was removed, what stood before
 * it, or after it.  Both SYM_NO_ID when there is nothing of either. */
void
scope_comparison_get_place (const ScopeComparison *self, guint step, SymId *value, SymId *call);

/* The next step behind, or before, the selected call; G_MAXUINT when there are no steps.  Goes
 * round. */
guint scope_comparison_find_step (const ScopeComparison *self, SymId call, gboolean forward);

/* ---- For people ---- */

/* What the layer of an entry is called, in the own graph where it is there.  Borrowed. */
const char *scope_comparison_get_name (const ScopeComparison *self, const SymCompareEntry *entry);
const char *scope_comparison_get_type (const ScopeComparison *self, const SymCompareEntry *entry);

/* "kernel: 3 → 5, weight: 3x4 → 5x4", "" when nothing is to be said; the caller's. */
char *scope_comparison_tell (const ScopeComparison *self, const SymCompareEntry *entry);

/* What is to be told of a call of the own graph: "changed (alpha: 1.5 → 2.5), Sigmoid “b” removed
 * after it"; NULL when it is the same and nothing stood behind it.  The caller's. */
char *scope_comparison_describe (const ScopeComparison *self, SymId call);

/* The same of inputs and outputs of the graphs. */
char *scope_comparison_tell_models (const ScopeComparison *self);

/* "added", "reshaped", translated. */
const char *scope_comparison_tell_kind (SymCompareKind kind);

/* "1 added, 2 removed, 3 changed, 4 reshaped", "No difference"; the caller's. */
char *scope_comparison_summarise (const ScopeComparison *self);

G_END_DECLS
