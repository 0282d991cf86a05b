/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store.h"

G_BEGIN_DECLS

/* Blobs made of others, read when they are asked for. */

/* A part of a blob, read as a blob of its own; it must lie within. */
SymBlob *sym_store_blob_new_part (SymBlob *whole, guint64 offset, guint64 size);

/* One after the other. */
SymBlob *sym_store_join_blobs (SymBlob *const *parts, guint n);

/* Makes @n elements of a blob, from @first on, as they are asked for. */
typedef gboolean (
    *SymStoreMake) (gpointer data, guint64 first, gsize n, guint8 *elements, GError **error);

/* How many elements are made at once, at most. */
#define SYM_STORE_PIECE 4096

/* @n elements of @bytes each (at most 16), which @make makes of @data; takes @data. */
SymBlob *sym_store_make_blob (guint64 n,
                              guint bytes,
                              SymStoreMake make,
                              gpointer data,
                              GDestroyNotify free_data);

/* @n numbers of @stored (float16, uint8, uint16) at @offset of @whole, which must hold them, as
 * numbers of @dtype (float32, int32): each is multiplied by @factor and moved by @minimum, and
 * rounded for integers.  TensorFlow.js quantizes weights so. */
SymBlob *sym_store_scale_blob (SymBlob *whole,
                               guint64 offset,
                               guint64 n,
                               SymDType stored,
                               SymDType dtype,
                               double factor,
                               double minimum);

/* Moves *@at behind @n texts, each of which stands behind its length, an uint32: they are not read,
 * but what follows them is.  The last one may end behind the blob.  SYM_STORE_ERROR_FORMAT where a
 * length would. */
gboolean sym_store_skip_texts (SymBlob *blob,
                               guint64 n,
                               guint64 *at,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
