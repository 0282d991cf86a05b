/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-layer.h"
#include "run/sym-run.h"

G_BEGIN_DECLS

/* A run that is part of another one: memory comes from @pool, which is borrowed, and errors name
 * types of layers only, as whoever asked names the layer. */
SymRun *sym_run_new_within (SymPlan *plan, SymDatumPool *pool);

/* Feeds a value whatever it is; NULL takes it back. */
void sym_run_lend (SymRun *self, SymId value, SymDatum *datum);

/* What is known of a value, as the caller's own: the run keeps nothing of it but what it was fed.
 */
SymDatum *sym_run_take (SymRun *self, SymId value);

/* sym-run-function.c: calls a function of the host program, which must have a `run`.  @outputs are
 * set where it is TRUE. */
gboolean sym_run_call_function (const SymFunction *function,
                                const SymHostCall *call,
                                SymDatum **outputs,
                                guint n_outputs,
                                GError **error);

G_END_DECLS
