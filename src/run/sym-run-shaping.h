/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* Which calls are shaped by the numbers of which values.  What was found is kept for the values
 * that are asked for later: all together cost as much as one inference of each call that their
 * numbers reach, and a few more.  The inference is borrowed.  What it knows of the results of a
 * call is not asked, as their file may declare it. */
typedef struct _SymRunShaping SymRunShaping;

SymRunShaping *sym_run_shaping_new (const SymInference *inference);
void sym_run_shaping_free (SymRunShaping *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymRunShaping, sym_run_shaping_free)

/* *@call makes something of another shape, or cannot at all, where @value has other numbers: a
 * Reshape for its sizes, a Squeeze for its axes, also where they are computed from @value first, of
 * small integers.  SYM_NO_ID where there is none; so it is with values of more than a few numbers,
 * and with those whose numbers are known.  FALSE only when @cancellable was cancelled. */
gboolean sym_run_shaping_find (SymRunShaping *self,
                               SymId value,
                               SymId *call,
                               GCancellable *cancellable,
                               GError **error);

/* Of calls by themselves, up to now. */
guint sym_run_shaping_get_n_inferences (const SymRunShaping *self);

G_END_DECLS
