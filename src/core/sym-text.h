/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Tables of text have a million short pieces: a call of GLib for each takes longer than the bytes. */

/* Makes room for @n more bytes and the NUL. */
static inline void
sym_text_reserve (GString *self, gsize n)
{
  gsize length = self->len;

  if (n < self->allocated_len - length)
    return;
  g_string_set_size (self, length + n);
  g_string_truncate (self, length);
}

/* As g_string_append_len() does. */
static inline void
sym_text_append (GString *self, const char *text, gsize n)
{
  sym_text_reserve (self, n);
  memcpy (self->str + self->len, text, n);
  self->len += n;
  self->str[self->len] = '\0';
}

G_END_DECLS
