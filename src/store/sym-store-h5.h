/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* Arrays of an HDF5 file, as Keras keeps weights in.  HDF5's library reads files in a process of
 * its own only (symscope-hdf5), which can be killed; opening reads what there is, and no numbers.
 * Arrays that lie in the file as they are become ranges of it, others are asked of the process when
 * they are read.  What the process says is believed as little as a file.  Immutable,
 * reference-counted, readable from any thread. */
typedef struct _SymStoreH5 SymStoreH5;

/* Whether @start, the first bytes of a file, begins one. */
gboolean sym_store_is_h5 (const guint8 *start, gsize n);

/* @path is for messages.  What is no file of its own is copied into a nameless one first; @n_packed
 * is how many bytes hold it, against which its size is checked (G_MAXUINT64: do not).  Errors:
 * SYM_STORE_ERROR_FORMAT, _FILE, with what HDF5 or the process' end has to say;
 * G_IO_ERROR_CANCELLED. */
SymStoreH5 *sym_store_open_h5 (SymBlob *blob,
                               guint64 n_packed,
                               const char *path,
                               GCancellable *cancellable,
                               GError **error);
SymStoreH5 *sym_store_h5_ref (SymStoreH5 *self);
void sym_store_h5_unref (SymStoreH5 *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreH5, sym_store_h5_unref)

/* Arrays by the names of their groups and their own: "dense/kernel:0". */
guint sym_store_h5_get_n (const SymStoreH5 *self);
const char *sym_store_h5_get_path (const SymStoreH5 *self, guint i);

/* The array called @path; -1 for none. */
int sym_store_h5_find (const SymStoreH5 *self, const char *path);

/* A new reference; NULL with SYM_STORE_ERROR_FORMAT when its numbers cannot be had. */
SymTensor *sym_store_h5_open_tensor (SymStoreH5 *self, guint i, GError **error);

/* An attribute of a group ("" is the file) or an array that is text, or a list of texts;
 * NULL-ended; NULL for none of that name.  Borrowed. */
const char *const *
sym_store_h5_get_attribute (const SymStoreH5 *self, const char *path, const char *name);

/* ---- Writing ---- */

/* A text that a group or an array of the file has beside it. */
typedef enum {
  SYM_STORE_H5_TEXT,  /* as Python writes a str, which is what readers get */
  SYM_STORE_H5_BYTES, /* as Python writes bytes */
  SYM_STORE_H5_TEXTS, /* a list of bytes */
} SymStoreH5Kind;

typedef struct {
  char *path; /* of what has it; "" is the file */
  char *name;
  SymStoreH5Kind kind;
  char **texts; /* one, or a list that is not empty */
} SymStoreH5Text;

/* Whether a file can hold numbers of that dtype. */
gboolean sym_store_h5_takes (SymDType dtype);

/* A file with arrays and texts, whose bytes come from the tensors when they are read; @path is for
 * messages.  Groups are made as the paths name them.  The process lays the file out, and sees none
 * of the numbers. */
SymBlob *sym_store_make_h5 (const char *path,
                            const char *const *names,
                            SymTensor *const *tensors,
                            guint n,
                            const SymStoreH5Text *texts,
                            guint n_texts,
                            GError **error);

G_END_DECLS
