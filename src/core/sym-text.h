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

static inline guint64
sym_text_load_8 (const char *text)
{
  guint64 part;

  memcpy (&part, text, sizeof part);
  return part;
}

/* @n bytes, fewer than 8, in one number. */
static inline guint64
sym_text_load_few (const char *text, gsize n)
{
  guint32 first, last;

  if (n == 0)
    return 0;
  if (n < sizeof first)
    return (guint64) (guchar) text[0] << 16 | (guint64) (guchar) text[n / 2] << 8 |
           (guchar) text[n - 1];
  memcpy (&first, text, sizeof first);
  memcpy (&last, text + n - sizeof last, sizeof last);
  return (guint64) first << 32 | last;
}

/* A hash of @n bytes after others.  Two times eight are looked at side by side, since names are
 * long and the steps of one row wait for each other; the last eight may have been looked at before.
 */
static inline guint
sym_text_hash (guint start, const char *text, gsize n)
{
  const char *end = text + n;
  guint64 hash = start ^ n;
  guint64 other = n >= 8 ? sym_text_load_8 (end - 8) : sym_text_load_few (text, n);

  other = sym_hash_mix (n, other); /* else it would vanish where it is looked at again */
  for (; end - text >= 16; text += 16)
    {
      hash = sym_hash_mix (hash, sym_text_load_8 (text));
      other = sym_hash_mix (other, sym_text_load_8 (text + 8));
    }
  if (end - text >= 8)
    hash = sym_hash_mix (hash, sym_text_load_8 (text));
  /* What the last bytes say lies in the highest bits, and tables look at the lowest. */
  hash ^= other * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  hash = sym_hash_mix (0, hash ^ hash >> 32);
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
