/* SPDX-License-Identifier: MIT */
#pragma once

#include <sys/stat.h>

#include "core/sym-error.h"
#include "store/sym-store.h"

G_BEGIN_DECLS

/* Messages start with the file as people know it: "weights.params: ...". */
#define sym_store_fail(error, code, path, ...) \
  (sym_store_set_error ((error), (code), (path), __VA_ARGS__), sym_failed ())

void
sym_store_set_error (GError **error, SymStoreError code, const char *path, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* The same for the errno of a failed system call, with its cause in words. */
gboolean sym_store_fail_errno (GError **error, const char *path, const char *what, int number);

/* Opens @path for reading.  Returns -1 on error; a folder is one.  Neither this nor reading waits
 * for what writes to a named pipe. */
int sym_store_open_fd (const char *path, GError **error);

/* A descriptor of its own for the file that @blob is; -1 when it is none. */
int sym_store_file_dup (SymBlob *blob);

/* Notes that this process has put another file in the place of the one that was @info. */
void sym_store_note_replaced (const struct stat *info);

/* A growing list of tensors; takes the name and the tensor, or a sentence on what is skipped. */
SymStoreTensors *sym_store_tensors_new (void);
void sym_store_tensors_add (SymStoreTensors *self, char *take_name, SymTensor *take_tensor);
void sym_store_tensors_skip (SymStoreTensors *self, const char *name, const char *reason);
void sym_store_tensors_tell (SymStoreTensors *self, char *take_sentence);

/* Streams the bytes of @tensor into @writer in pieces. */
gboolean sym_store_writer_write_tensor (SymStoreWriter *self, SymTensor *tensor, GError **error);

/* What takes bytes of a file, one piece after the other. */
typedef gboolean (*SymStoreTake) (gpointer data, const void *bytes, gsize size, GError **error);

/* Hands the bytes of @blob to @take in pieces. */
gboolean sym_store_stream_blob (SymBlob *blob, SymStoreTake take, gpointer data, GError **error);

G_END_DECLS
