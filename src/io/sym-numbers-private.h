/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-numbers.h"

G_BEGIN_DECLS

struct _SymNumbers {
  gatomicrefcount ref_count;
  GPtrArray *names;
  GPtrArray *tensors; /* by name */
  GPtrArray *skipped; /* NULL-ended when it is done */
  gboolean has_dtypes;
};

/* @tensor is taken. */
void sym_numbers_add (SymNumbers *self, const char *name, SymTensor *tensor);
void sym_numbers_skip (SymNumbers *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The `.npy` at @path as @name. */
gboolean sym_numbers_add_npy (SymNumbers *self, const char *name, const char *path, GError **error);

/* JSON (sym-numbers-json.c): node data, or the manifest of the folder that it is in.  Fails with
 * SYM_IO_ERROR_UNRECOGNISED when it is neither. */
gboolean sym_numbers_read_json (SymNumbers *self,
                                const char *path,
                                GCancellable *cancellable,
                                GError **error);

/* Sets SYM_IO_ERROR_UNRECOGNISED and is FALSE. */
gboolean sym_numbers_refuse (const char *path, GError **error);

G_END_DECLS
