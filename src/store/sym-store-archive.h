/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* Files in a file: zip, tar, gzip (one file inside) and tar within gzip, by their content.  Nothing
 * is ever extracted: what is inside is read as blobs.  What a directory claims is checked before
 * anything is allocated for it. */
typedef struct _SymStoreArchive SymStoreArchive;

/* Whether @start, the first bytes of a file, begins one.  Of tar, 512 bytes are needed. */
gboolean sym_store_is_archive (const guint8 *start, gsize n);

/* @path is for messages.  What is in gzip is unpacked into memory: at most 1 GiB, and what is
 * longer than 16 MiB may not be more than 250 times what it is packed in (JSON of graphs is 28
 * times, zeros 1,030 times).  Errors: SYM_STORE_ERROR_FORMAT, _FILE; G_IO_ERROR_CANCELLED. */
SymStoreArchive *
sym_store_archive_open (SymBlob *blob, const char *path, GCancellable *cancellable, GError **error);
SymStoreArchive *sym_store_archive_ref (SymStoreArchive *self);
void sym_store_archive_unref (SymStoreArchive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreArchive, sym_store_archive_unref)

/* "a zip archive", "a gzip file" */
const char *sym_store_archive_get_title (const SymStoreArchive *self);

/* Files only.  Names are valid UTF-8, relative, and do not climb out: files with others are left
 * out, and counted. */
guint sym_store_archive_get_n (const SymStoreArchive *self);
guint sym_store_archive_get_n_refused (const SymStoreArchive *self);
const char *sym_store_archive_get_name (const SymStoreArchive *self, guint i);

/* The first file called @name, found at once among any number; -1 for none. */
int sym_store_archive_find (const SymStoreArchive *self, const char *name);
SymBlob *sym_store_archive_open_entry (SymStoreArchive *self, guint i, GError **error);

G_END_DECLS
