/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-archive.h"

G_BEGIN_DECLS

/* What torch.save() writes since PyTorch 1.6: an archive of a pickle, data.pkl, and of the bytes of
 * each storage.  The pickle is read as data, and runs nothing (sym-store-pickle-private.h). */

/* Whether @archive has such a pickle. */
gboolean sym_store_is_torch (const SymStoreArchive *archive);

/* The tensors and parameters of a dictionary by their names: of the one that was saved, or of the
 * only one in it that has any, as checkpoints have a `state_dict` among other things.  What does
 * not lie one after the other is among the skipped.  @path is for messages. */
SymStoreTensors *sym_store_read_torch (SymStoreArchive *archive, const char *path, GError **error);

G_END_DECLS
