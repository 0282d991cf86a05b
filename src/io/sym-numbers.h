/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-tensor.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Named numbers that a file holds for the values of some graph: what an earlier run, or another
 * program, has found there.  Immutable; reference-counted; any thread may use it. */
typedef struct _SymNumbers SymNumbers;

/* Reads what is one of these, told by its contents:
 *
 * - NumPy's `.npz`; an array's name is that of its value.
 * - NumPy's `.npy`: one value, called like the file.
 * - a folder of `.npy`, as `symscope run -o` and the window write it: with a manifest.json from
 *   names to files, which may be given instead of the folder; or without one, files called like
 *   their values with %XX for bytes that file names cannot have.
 * - Model Explorer's node data, `{GRAPH: {"results": {NODE: {"value": [1, 2]}}}}` or with the
 *   results at the top, whose values are numbers or lists of lists of them.
 *
 * Of arrays only headers are read.  SYM_IO_ERROR_UNRECOGNISED for what is none of these. */
SymNumbers *sym_numbers_read (const char *path, GCancellable *cancellable, GError **error);
SymNumbers *sym_numbers_ref (SymNumbers *self);
void sym_numbers_unref (SymNumbers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNumbers, sym_numbers_unref)

/* By place: names and numbers; both borrowed, a name may occur twice. */
guint sym_numbers_get_n (const SymNumbers *self);
const char *const *sym_numbers_get_names (const SymNumbers *self);
SymTensor *const *sym_numbers_get_tensors (const SymNumbers *self);

/* Whether its dtypes mean anything: JSON has none. */
gboolean sym_numbers_has_dtypes (const SymNumbers *self);

/* What else is in there and cannot be compared, a sentence each; NULL-ended. */
const char *const *sym_numbers_get_skipped (const SymNumbers *self);

G_END_DECLS
