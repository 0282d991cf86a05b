/* SPDX-License-Identifier: MIT */
#include "store/sym-store-snappy.h"

#include <string.h>

#include "store/sym-store-varint.h"

/* The unpacked size as a varint, then elements.  The low two bits of an element's first byte tell
 * what it is: 0 for bytes that follow, else a copy of bytes already there, whose distance takes 1
 * (and three bits of the first byte), 2 or 4 bytes. */

#define MAX_GROWTH 22

typedef struct {
  const guint8 *at, *end;
  guint8 *out;
  gsize n, size;
} Unpacker;

static gboolean
take_number (Unpacker *self, guint n_bytes, guint32 *number)
{
  *number = 0;
  if ((gsize) (self->end - self->at) < n_bytes)
    return FALSE;
  for (guint i = 0; i < n_bytes; i++)
    *number |= (guint32) *self->at++ << (8 * i);
  return TRUE;
}

/* Lengths of more than 60 follow in 1 to 4 bytes. */
static gboolean
take_literal (Unpacker *self, guint8 tag)
{
  guint32 length = tag >> 2;

  if (length >= 60 && !take_number (self, length - 59, &length))
    return FALSE;
  if (length >= (gsize) (self->end - self->at) || length >= self->size - self->n)
    return FALSE;
  memcpy (self->out + self->n, self->at, (gsize) length + 1);
  self->at += (gsize) length + 1;
  self->n += (gsize) length + 1;
  return TRUE;
}

/* What is copied may reach into what it makes: then it repeats. */
static gboolean
take_copy (Unpacker *self, guint8 tag)
{
  static const guint n_bytes[] = { 0, 1, 2, 4 };
  guint32 distance;
  gsize length = (gsize) (tag >> 2) + 1;

  if (!take_number (self, n_bytes[tag & 3], &distance))
    return FALSE;
  if ((tag & 3) == 1)
    {
      length = (gsize) ((tag >> 2) & 7) + 4;
      distance |= (guint32) (tag >> 5) << 8;
    }
  if (distance == 0 || distance > self->n || length > self->size - self->n)
    return FALSE;
  for (gsize i = 0; i < length; i++, self->n++)
    self->out[self->n] = self->out[self->n - distance];
  return TRUE;
}

GBytes *
sym_store_snappy_unpack (const guint8 *bytes, gsize size, gsize max)
{
  Unpacker self = { .at = bytes, .end = bytes + size };
  g_autofree guint8 *out = NULL;
  guint64 claimed;
  gboolean good = sym_store_take_varint (&self.at, self.end, &claimed);

  if (!good || claimed > max || claimed > (guint64) size * MAX_GROWTH)
    return NULL;
  self.size = (gsize) claimed;
  self.out = out = g_malloc (self.size + 1);
  while (good && self.at < self.end)
    {
      guint8 tag = *self.at++;

      good = (tag & 3) == 0 ? take_literal (&self, tag) : take_copy (&self, tag);
    }
  return good && self.n == self.size ? g_bytes_new_take (g_steal_pointer (&out), self.size) : NULL;
}
