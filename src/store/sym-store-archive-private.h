/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-archive.h"
#include "store/sym-store-private.h"

G_BEGIN_DECLS

/* A part of a blob, read as a blob of its own; it must lie within. */
SymBlob *sym_store_blob_new_part (SymBlob *whole, guint64 offset, guint64 size);

/* ---- gzip ---- */

gboolean sym_store_is_gzip (const guint8 *start, gsize n);
GBytes *
sym_store_gunzip (SymBlob *blob, const char *path, GCancellable *cancellable, GError **error);

/* ---- tar ---- */

typedef struct {
  char *name;
  guint64 offset;
  guint64 size;
} SymStoreTarFile;

gboolean sym_store_is_tar (const guint8 *start, gsize n);

/* The regular files of a tar archive (ustar, GNU's and pax' long names): of SymStoreTarFile. */
GArray *sym_store_list_tar (SymBlob *blob, const char *path, GError **error);

G_END_DECLS
