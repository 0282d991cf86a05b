/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/sym-store-private.h"

G_BEGIN_DECLS

#define SYM_STORE_CURSOR_BYTES 4096

/* Walks over a file of little-endian numbers, reading it through a small window, so that headers
 * cost few reads and the data between them none.  Begins as { @blob, @path }, both borrowed. */
typedef struct {
  SymBlob *blob;
  const char *path;
  guint64 at;
  guint64 window_start, window_size;
  guint8 window[SYM_STORE_CURSOR_BYTES];
} SymStoreCursor;

guint64 sym_store_cursor_get_left (const SymStoreCursor *self);

/* FALSE with SYM_STORE_ERROR_FORMAT where fewer bytes than @size are left: of @what, "a shape". */
gboolean
sym_store_cursor_need (SymStoreCursor *self, guint64 size, const char *what, GError **error);

/* The same, and goes over them. */
gboolean
sym_store_cursor_skip (SymStoreCursor *self, guint64 size, const char *what, GError **error);
gboolean sym_store_cursor_read (SymStoreCursor *self,
                                void *buffer,
                                guint64 size,
                                const char *what,
                                GError **error);
gboolean
sym_store_cursor_read_u32 (SymStoreCursor *self, guint32 *value, const char *what, GError **error);
gboolean
sym_store_cursor_read_u64 (SymStoreCursor *self, guint64 *value, const char *what, GError **error);

G_END_DECLS
