/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "store/sym-store.h"

G_BEGIN_DECLS

/* Several values as a folder of `.npy` with a manifest.json from their names to the files: a name,
 * or for a sequence or an optional a list of these.  A file is called as its value with bytes
 * outside [A-Za-z0-9_.-] as %XX; one that would be too long for that is cut and numbered. */
typedef struct _SymStoreFolder SymStoreFolder;

/* Makes the folder with those above it, if need be. */
SymStoreFolder *sym_store_folder_new (const char *path, GError **error);
void sym_store_folder_free (SymStoreFolder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreFolder, sym_store_folder_free)

/* Each name once. */
gboolean sym_store_folder_add (SymStoreFolder *self,
                               const char *name,
                               const SymDatum *datum,
                               GError **error);

/* Writes the manifest; nothing may be added any more. */
gboolean sym_store_folder_end (SymStoreFolder *self, GError **error);

G_END_DECLS
