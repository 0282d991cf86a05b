/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-plan-graph-private.h"

G_BEGIN_DECLS

/* Elementwise operations one after the other, run piece by piece so that what is between them stays
 * in the processor's nearest memory.  Immutable. */
typedef struct _SymChain SymChain;

/* Of the @n operations from @first on, all of them elementwise, of as many elements, and in the
 * same order in memory.  @hidden tensors are not written.  Constants are borrowed. */
SymChain *sym_chain_new (const SymPlanGraph *graph, guint first, guint n, const gboolean *hidden);
void sym_chain_free (SymChain *self);

/* Floats to work in, aligned to 64 bytes, for the time of a run. */
gsize sym_chain_get_n_scratch (const SymChain *self);

/* @places has the memory of each tensor of the graph. */
void sym_chain_run (const SymChain *self, float *const *places, float *scratch);

G_END_DECLS
