/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-comparison.h"
#include "run/sym-record-distance.h"
#include "run/sym-reference.h"

G_BEGIN_DECLS

/* How far apart numbers may be and count as the same: as `symscope compare` has it. */
#define SCOPE_DISTANCE_RELATIVE 1e-3
#define SCOPE_DISTANCE_ABSOLUTE 1e-7

/* How far the numbers of each value of a graph are from those that its partner in another graph
 * had, by a run of both, or from those that a file has for it.  Immutable; reference-counted; any
 * thread may use it. */
typedef struct _ScopeDistances ScopeDistances;

/* @run is of the own model of @comparison, @reference of the other one.  What was not kept is
 * computed again. NULL when it was cancelled, or that fails. */
ScopeDistances *scope_distances_new (const ScopeComparison *comparison,
                                     const SymRecord *run,
                                     const SymRecord *reference,
                                     GCancellable *cancellable,
                                     GError **error);

/* @run is of the model that @expected is for. */
ScopeDistances *scope_distances_new_expected (SymReference *expected,
                                              const SymRecord *run,
                                              GCancellable *cancellable,
                                              GError **error);
ScopeDistances *scope_distances_ref (ScopeDistances *self);
void scope_distances_unref (ScopeDistances *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeDistances, scope_distances_unref)

/* That of a value of the own graph; NULL when it has none. */
const SymDistance *scope_distances_get (const ScopeDistances *self, SymId value);

/* Whether a file has numbers of another shape for it.  Linear in those that are too far away. */
gboolean scope_distances_has_other_shape (const ScopeDistances *self, SymId value);

/* The first value, in order of execution, that is too far away; SYM_NO_ID for none.  How many were
 * measured. */
SymId scope_distances_get_first (const ScopeDistances *self);
guint scope_distances_get_n (const ScopeDistances *self);

/* Those that are too far away, of another shape included, in order of execution; borrowed. */
const SymId *scope_distances_get_far (const ScopeDistances *self, guint *n);

/* What is to be told of what a file has for a value besides its distance, as that it is of another
 * shape; NULL for nothing. */
const char *scope_distances_get_note (const ScopeDistances *self, SymId value);

/* What is not compared and of no other shape, the next from *@i on, which is counted up: what it is
 * called in the file, and why; FALSE when there is no more. */
gboolean scope_distances_next_unlike (const ScopeDistances *self,
                                      guint *i,
                                      const char **name,
                                      const char **why);

G_END_DECLS
