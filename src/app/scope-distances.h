/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-comparison.h"
#include "run/sym-record-distance.h"

G_BEGIN_DECLS

/* How far apart numbers may be and count as the same: as `symscope compare` has it. */
#define SCOPE_DISTANCE_RELATIVE 1e-3
#define SCOPE_DISTANCE_ABSOLUTE 1e-7

/* How far the numbers of each value of a graph are from those that its partner in another graph
 * had, by a run of both.  Immutable; reference-counted; any thread may use it. */
typedef struct _ScopeDistances ScopeDistances;

/* @run is of the own model of @comparison, @reference of the other one.  What was not kept is
 * computed again. NULL when it was cancelled, or that fails. */
ScopeDistances *scope_distances_new (const ScopeComparison *comparison,
                                     const SymRecord *run,
                                     const SymRecord *reference,
                                     GCancellable *cancellable,
                                     GError **error);
ScopeDistances *scope_distances_ref (ScopeDistances *self);
void scope_distances_unref (ScopeDistances *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeDistances, scope_distances_unref)

/* That of a value of the own graph; NULL when it has none. */
const SymDistance *scope_distances_get (const ScopeDistances *self, SymId value);

/* The first value, in order of execution, that is too far away; SYM_NO_ID for none.  How many were
 * measured. */
SymId scope_distances_get_first (const ScopeDistances *self);
guint scope_distances_get_n (const ScopeDistances *self);

G_END_DECLS
