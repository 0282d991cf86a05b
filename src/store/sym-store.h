/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-tensor.h"

G_BEGIN_DECLS

#define SYM_STORE_ERROR (sym_store_error_quark ())

typedef enum {
  SYM_STORE_ERROR_FILE,    /* missing, a folder, no permission, too large */
  SYM_STORE_ERROR_CHANGED, /* no longer the file that was opened: shrunk, replaced or modified */
  SYM_STORE_ERROR_FORMAT,  /* not of its format; byte in the message */
} SymStoreError;

GQuark sym_store_error_quark (void);

/* A file as a blob: opened once, read with pread() in ranges; each read checks that size, inode and
 * modification time are still those it was opened with.  A file that this process replaces by a
 * SymStoreWriter goes on being read as it was. */
SymBlob *sym_store_open_file (const char *path, GError **error);

/* What a file begins with that stands for another, which Git LFS fetches: it is refused. */
#define SYM_STORE_LFS "version https://git-lfs."

/* Whether a file that begins with these bytes is worth reading; FALSE with @error if not. */
typedef gboolean (*SymStoreLook) (const guint8 *start, gsize size, GError **error);

/* The whole of a file or of standard input ("-") in memory, at most @max_size bytes.  @look, which
 * may be NULL, is asked once, with 64 KiB or, if the file is shorter, all of it: so that what is
 * not wanted, and may have no end, is not read.  A pipe is waited for, until @cancellable is
 * cancelled. */
GBytes *sym_store_read_all (const char *path,
                            guint64 max_size,
                            SymStoreLook look,
                            GCancellable *cancellable,
                            GError **error);

/* A file being written beside its target, which it replaces on commit; abandoned when freed before.
 * "-" writes to standard output. */
typedef struct _SymStoreWriter SymStoreWriter;

SymStoreWriter *sym_store_writer_new (const char *path, GError **error);
gboolean
sym_store_writer_write (SymStoreWriter *self, const void *bytes, gsize size, GError **error);
gboolean sym_store_writer_commit (SymStoreWriter *self, GError **error);
void sym_store_writer_free (SymStoreWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreWriter, sym_store_writer_free)

/* Named tensors of a weights file.  Names are in file order; a name may occur twice. */
typedef struct _SymStoreTensors SymStoreTensors;

SymStoreTensors *sym_store_tensors_ref (SymStoreTensors *self);
void sym_store_tensors_unref (SymStoreTensors *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreTensors, sym_store_tensors_unref)

guint sym_store_tensors_get_n (const SymStoreTensors *self);
const char *sym_store_tensors_get_name (const SymStoreTensors *self, guint i);
SymTensor *sym_store_tensors_get (const SymStoreTensors *self, guint i);
SymTensor *sym_store_tensors_find (const SymStoreTensors *self, const char *name); /* NULL: none */

/* What the file holds besides, a sentence each ("“w” is empty: it has no shape"); NULL-ended. */
const char *const *sym_store_tensors_get_skipped (const SymStoreTensors *self);

/* MXNet's `.params` (V0 to V3, or the zip archive of NumPy's that MXNet 2 writes) and safetensors:
 * only headers are read. */
SymStoreTensors *sym_store_open_params (const char *path, GError **error);
SymStoreTensors *sym_store_open_safetensors (const char *path, GError **error);

/* The parameters that TVM writes beside its graphs (NDArray lists); @path is for messages. */
SymStoreTensors *sym_store_read_tvm (SymBlob *blob, const char *path, GError **error);

/* Write named tensors, streaming their bytes; atomic. */
gboolean sym_store_write_params (const char *path,
                                 const char *const *names,
                                 SymTensor *const *tensors,
                                 guint n,
                                 GError **error);

/* Whether safetensors can hold @tensor: it has no strings, no integers of less than a byte and no
 * complex128, and only tensors of whole bytes. */
gboolean sym_store_safetensors_takes (SymTensor *tensor);
gboolean sym_store_write_safetensors (const char *path,
                                      const char *const *names,
                                      SymTensor *const *tensors,
                                      guint n,
                                      GError **error);

/* Writes the bytes of @blob, streaming them; atomic. */
gboolean sym_store_write_blob (const char *path, SymBlob *blob, GError **error);

/* Writes an archive (zip) of files that are stored, not deflated, streaming their bytes; atomic.
 * Each blob is read twice, since size and CRC stand before its bytes. */
gboolean sym_store_write_zip (const char *path,
                              const char *const *names,
                              SymBlob *const *blobs,
                              guint n,
                              GError **error);

G_END_DECLS
