/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-archive.h"

G_BEGIN_DECLS

/* What torch.save() writes since PyTorch 1.6: an archive of a pickle, data.pkl, and of the bytes of
 * each storage.  The pickle is read as data, and runs nothing (sym-store-pickle-private.h). */

/* Whether @archive has such a pickle. */
gboolean sym_store_is_torch (const SymStoreArchive *archive);

/* The tensors and parameters of a dictionary by their names: of the one that was saved, or of one
 * that is in it, as checkpoints have a `state_dict` among other things; the one with the most
 * tensors, and the outermost in a draw (of others, none).  What is in the others is told among the
 * skipped, and so are views that reach beyond their storage: sixteen, and how many more there
 * are.  Takes time in proportion to the pickle.  @path is for messages.  Errors: those of the
 * archive, SYM_STORE_ERROR_FORMAT, G_IO_ERROR_CANCELLED. */
SymStoreTensors *sym_store_read_torch (SymStoreArchive *archive,
                                       const char *path,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
