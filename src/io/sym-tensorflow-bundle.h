/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-io-private.h"

G_BEGIN_DECLS

/* Tensors by name in files of their own, as TensorFlow's checkpoints have them since 2016 (V2,
 * tensor_bundle.proto): "NAME.index", a table of dtypes, shapes and places, and the numbers in
 * "NAME.data-00000-of-00002" and so on.  Those files are opened when something of them is asked
 * for. */
typedef struct _SymTensorflowBundle SymTensorflowBundle;

/* @name is that of the files without ".index": beside the graph of @source, which is borrowed, or
 * where the user chose one (then it is a path of its own).  Errors: SYM_IO_ERROR_FILE when there is
 * no index, SYM_STORE_ERROR_FORMAT, SYM_IO_ERROR_UNSUPPORTED for numbers with the high byte first.
 */
SymTensorflowBundle *
sym_tensorflow_bundle_open (const SymIoSource *source, const char *name, GError **error);
void sym_tensorflow_bundle_free (SymTensorflowBundle *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTensorflowBundle, sym_tensorflow_bundle_free)

const char *sym_tensorflow_bundle_get_name (const SymTensorflowBundle *self);
gboolean sym_tensorflow_bundle_has (const SymTensorflowBundle *self, const char *key);

/* The tensor @key, or the part of it that @part says as RestoreV2 does ("4 3 0,2:-"); NULL or ""
 * for all.  What was saved in slices is put together of whole ones, one after the other.  NULL with
 * an error that does not name @key: not there, of a dtype that is not read, in slices that do not
 * fit, in a file that is missing or too short.  Of tensors and slices of up to 64 KiB the sum is
 * checked. */
SymTensor *sym_tensorflow_bundle_get (SymTensorflowBundle *self,
                                      const char *key,
                                      const char *part,
                                      GError **error);

/* The bytes of a scalar string, at most 256 MiB; its sum is checked. */
GBytes *
sym_tensorflow_bundle_get_string (SymTensorflowBundle *self, const char *key, GError **error);

G_END_DECLS
