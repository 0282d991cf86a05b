/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "run/sym-record.h"

G_BEGIN_DECLS

/* Writes values of a run as a folder of `.npy` (store/sym-store-folder.h), in a thread; what was
 * not kept is computed again. */
void scope_save_values_async (SymRecord *record,
                              const SymId *values,
                              guint n,
                              GFile *folder,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* How many were written, and how many could not be, as NumPy has nothing like them.  FALSE: not all
 * of the others were. */
gboolean
scope_save_values_finish (GAsyncResult *result, guint *n_saved, guint *n_refused, GError **error);

G_END_DECLS
