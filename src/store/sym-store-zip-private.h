/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-private.h"

G_BEGIN_DECLS

/* The files in a zip archive as blobs.  What a directory claims is checked before anything is
 * allocated for it: a stored file must lie within the archive, and a deflated one cannot be longer
 * than deflate can make it from its bytes. */
typedef struct _SymStoreZip SymStoreZip;

/* @path is for messages. */
SymStoreZip *sym_store_zip_open (SymBlob *archive, const char *path, GError **error);
void sym_store_zip_unref (SymStoreZip *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreZip, sym_store_zip_unref)

guint sym_store_zip_get_n (const SymStoreZip *self);

/* Valid UTF-8; borrowed. */
const char *sym_store_zip_get_name (const SymStoreZip *self, guint i);

/* The contents of file @i, inflated while they are read: from front to back costs least, since
 * deflated bytes before what is asked for are inflated again and dropped. */
SymBlob *sym_store_zip_open_entry (SymStoreZip *self, guint i, GError **error);

/* Writes an archive of files that are stored, not deflated, into @writer, which the caller commits.
 * Each file is made known before with its size and CRC-32. */
typedef struct _SymStoreZipWriter SymStoreZipWriter;

SymStoreZipWriter *sym_store_zip_writer_new (SymStoreWriter *writer);
void sym_store_zip_writer_free (SymStoreZipWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymStoreZipWriter, sym_store_zip_writer_free)

gboolean sym_store_zip_writer_begin (SymStoreZipWriter *self,
                                     const char *name,
                                     guint64 size,
                                     guint32 crc,
                                     GError **error);
gboolean
sym_store_zip_writer_write (SymStoreZipWriter *self, const void *bytes, gsize size, GError **error);
gboolean sym_store_zip_writer_finish (SymStoreZipWriter *self, GError **error);

G_END_DECLS
