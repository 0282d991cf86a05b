/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-archive.h"
#include "store/sym-store-blobs.h"
#include "store/sym-store-private.h"

G_BEGIN_DECLS

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
