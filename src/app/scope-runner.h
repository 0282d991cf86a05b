/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-run-setup.h"
#include "run/sym-recorder.h"

G_BEGIN_DECLS

/* The recorder of a document's model, held by the document and by its runs in their threads, which
 * take turns.  Reference-counted; all that it has in memory is given back, in a thread of its own,
 * as soon as nobody holds it. */
typedef struct _ScopeRunner ScopeRunner;

ScopeRunner *scope_runner_new (SymModel *model);
ScopeRunner *scope_runner_ref (ScopeRunner *self);
void scope_runner_unref (ScopeRunner *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeRunner, scope_runner_unref)

SymModel *scope_runner_get_model (const ScopeRunner *self);

/* Waits for a run that goes on.  @setup must be of this model. */
SymRecord *scope_runner_run (ScopeRunner *self,
                             const ScopeRunSetup *setup,
                             const SymRecordOptions *options,
                             GCancellable *cancellable,
                             GError **error);

G_END_DECLS
