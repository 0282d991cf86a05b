/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* Numbers of an ONNX model that lie in other files of its folder (ONNX "External Data").  Each file
 * is opened once, when it is first asked for; one that cannot be opened is tried once, too, and the
 * error is the same for every tensor of it.  The tensors keep their files open by themselves.  For
 * one thread at a time. */
typedef struct _SymStoreExternal SymStoreExternal;

/* Looks at nothing yet.  @folder is the model's; NULL for a model that has none, since it came from
 * standard input: then every tensor fails. */
SymStoreExternal *sym_store_open_external (const char *folder);
void sym_store_external_free (SymStoreExternal *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreExternal, sym_store_external_free)

/* The numbers that @location, @offset and @length of TensorProto.external_data tell; without
 * @offset (NULL) they begin at 0.  NULL with SYM_STORE_ERROR_FILE when there is no such file, which
 * is a problem of the model and no reason to give up; with SYM_STORE_ERROR_FORMAT when @location
 * leads out of the folder (absolute, "..", a symbolic link), when @offset or @length are no decimal
 * numbers, or when @length is not what @dtype and @shape take; with SYM_ERROR_LIMIT when the file
 * is too short.  Messages speak of "its external data", since the caller knows whose. */
SymTensor *sym_store_external_get (SymStoreExternal *self,
                                   const char *location,
                                   const char *offset,
                                   const char *length,
                                   SymDType dtype,
                                   const SymShape *shape,
                                   GError **error);

/* One such file as it is.  The same rules hold for @location, and the same errors come. */
SymBlob *sym_store_open_beside (const char *folder, const char *location, GError **error);

/* Writes the bytes of @tensors to one file, atomic, and tells where each begins.  Those of 1 MiB
 * and more begin at a page (4096), so that they can be mapped, the others at a multiple of 64. */
gboolean sym_store_write_external (const char *path,
                                   SymTensor *const *tensors,
                                   guint n,
                                   guint64 *offsets,
                                   GError **error);

G_END_DECLS
