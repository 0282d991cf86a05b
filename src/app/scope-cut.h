/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-state.h"
#include "core/sym-summary.h"

G_BEGIN_DECLS

/* What the marks of a state cut out of a model, in numbers for people, or why they cannot.
 * Immutable; reference-counted; made off the UI thread in time linear in the model. */
typedef struct _ScopeCut ScopeCut;

/* NULL when nothing is marked.  With inputs marked only, the cut ends at the outputs of the model.
 */
ScopeCut *scope_cut_new (ScopeState *state, SymInference *inference, SymSummary *summary);
ScopeCut *scope_cut_ref (ScopeCut *self);
void scope_cut_unref (ScopeCut *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeCut, scope_cut_unref)

/* NULL when the cut is impossible; then the error says why, and the foreign parents are the values
 * that would have to be inputs as well. */
const SymSelection *scope_cut_get_selection (const ScopeCut *self);
const GError *scope_cut_get_error (const ScopeCut *self);
SymIds scope_cut_get_foreign (const ScopeCut *self);

/* What is worth looking at: what the cut keeps, or would keep once the foreign parents are inputs.
 * NULL when there is no telling. */
const SymSelection *scope_cut_get_shown (const ScopeCut *self);

/* Parameters of the kept layers, each once; FALSE: a lower bound. */
gboolean scope_cut_get_n_parameters (const ScopeCut *self, guint64 *n);

/* "1 output · 1 input · 7 nodes · 75,648 parameters". */
char *scope_cut_to_string (const ScopeCut *self);

/* 1234567 as the locale groups it. */
char *scope_format_count (guint64 n);

G_END_DECLS
