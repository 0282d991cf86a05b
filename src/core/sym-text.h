/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Tables of text have a million short pieces: a call of GLib for each takes longer than the bytes.
 */

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

/* A hash that tells @part after what @hash tells. */
static inline guint64
sym_hash_mix (guint64 hash, guint64 part)
{
  hash = (hash ^ part) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* A hash of @n bytes after others, eight at a time. */
static inline guint
sym_text_hash (guint start, const char *text, gsize n)
{
  guint64 hash = start ^ n, part;

  for (; n >= sizeof part; text += sizeof part, n -= sizeof part)
    {
      memcpy (&part, text, sizeof part);
      hash = (hash ^ part) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      hash ^= hash >> 32;
    }
  for (part = 0; n > 0; n--)
    part = part << 8 | (guchar) *text++;
  hash = (hash ^ part) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return (guint) (hash ^ hash >> 32);
}

/* For tables of texts, in place of g_str_hash(), which looks at one byte after another. */
static inline guint
sym_text_hash_whole (gconstpointer text)
{
  return sym_text_hash (0, text, strlen (text));
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
