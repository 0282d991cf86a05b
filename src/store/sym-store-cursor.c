/* SPDX-License-Identifier: MIT */
#include "store/sym-store-cursor-private.h"

#include <string.h>

guint64
sym_store_cursor_get_left (const SymStoreCursor *self)
{
  return self->blob->size - self->at;
}

gboolean
sym_store_cursor_need (SymStoreCursor *self, guint64 size, const char *what, GError **error)
{
  guint64 left = sym_store_cursor_get_left (self);

  if (size <= left)
    return TRUE;
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "ends too early: %s at byte %" G_GUINT64_FORMAT " needs %" G_GUINT64_FORMAT
                         " bytes, but only %" G_GUINT64_FORMAT " are left",
                         what, self->at, size, left);
}

gboolean
sym_store_cursor_skip (SymStoreCursor *self, guint64 size, const char *what, GError **error)
{
  if (!sym_store_cursor_need (self, size, what, error))
    return FALSE;
  self->at += size;
  return TRUE;
}

/* Moves the window where it does not have the next @size bytes. */
static gboolean
fill_window (SymStoreCursor *self, guint64 size, GError **error)
{
  guint64 n = MIN (SYM_STORE_CURSOR_BYTES, sym_store_cursor_get_left (self));

  if (self->at >= self->window_start && self->at + size <= self->window_start + self->window_size)
    return TRUE;
  self->window_size = 0;
  if (!sym_blob_read (self->blob, self->at, n, self->window, error))
    return FALSE;
  self->window_start = self->at;
  self->window_size = n;
  return TRUE;
}

gboolean
sym_store_cursor_read (SymStoreCursor *self,
                       void *buffer,
                       guint64 size,
                       const char *what,
                       GError **error)
{
  if (!sym_store_cursor_need (self, size, what, error))
    return FALSE;
  if (size > SYM_STORE_CURSOR_BYTES)
    {
      if (!sym_blob_read (self->blob, self->at, size, buffer, error))
        return FALSE;
    }
  else
    {
      if (!fill_window (self, size, error))
        return FALSE;
      memcpy (buffer, self->window + (self->at - self->window_start), (size_t) size);
    }
  self->at += size;
  return TRUE;
}

gboolean
sym_store_cursor_read_u32 (SymStoreCursor *self, guint32 *value, const char *what, GError **error)
{
  guint32 raw;

  if (!sym_store_cursor_read (self, &raw, sizeof raw, what, error))
    return FALSE;
  *value = GUINT32_FROM_LE (raw);
  return TRUE;
}

gboolean
sym_store_cursor_read_u64 (SymStoreCursor *self, guint64 *value, const char *what, GError **error)
{
  guint64 raw;

  if (!sym_store_cursor_read (self, &raw, sizeof raw, what, error))
    return FALSE;
  *value = GUINT64_FROM_LE (raw);
  return TRUE;
}
