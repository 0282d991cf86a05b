/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "core/sym-model.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Runs calls of one layer that is said in other operators (ops/sym-op-lower.h): makes the body for
 * the operands at hand, and keeps it as long as their types stay the same. */
typedef struct _SymLowered SymLowered;

/* @layer and @pool are borrowed. */
SymLowered *sym_lowered_new (SymLayer *layer, SymDatumPool *pool);
void sym_lowered_free (SymLowered *self);

/* @inputs are NULL for empty slots; @outputs become the caller's to unref. */
gboolean sym_lowered_execute (SymLowered *self,
                              SymDatum *const *inputs,
                              guint n_inputs,
                              SymDatum **outputs,
                              guint n_outputs,
                              guint64 seed,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
