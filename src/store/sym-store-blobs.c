/* SPDX-License-Identifier: MIT */
#include "store/sym-store-blobs.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "store/sym-store-cursor-private.h"

/* ---- Joined ---- */

typedef struct {
  SymBlob parent;
  SymBlob **parts;
  guint64 *starts; /* of each part, and the end */
  guint n;
} JoinedBlob;

/* The last part that begins at @offset or before. */
static guint
find_part (const JoinedBlob *self, guint64 offset)
{
  guint low = 0, high = self->n;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (self->starts[middle] <= offset)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static gboolean
joined_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  JoinedBlob *self = (JoinedBlob *) blob;
  char *out = buffer;

  for (guint i = size == 0 ? self->n : find_part (self, offset); size > 0 && i < self->n; i++)
    {
      guint64 n = MIN (size, self->starts[i + 1] - offset);

      if (!sym_blob_read (self->parts[i], offset - self->starts[i], n, out, error))
        return FALSE;
      offset += n;
      size -= n;
      out += n;
    }
  return TRUE;
}

static void
joined_free (SymBlob *blob)
{
  JoinedBlob *self = (JoinedBlob *) blob;

  for (guint i = 0; i < self->n; i++)
    sym_blob_unref (self->parts[i]);
  g_free (self->parts);
  g_free (self->starts);
  g_free (self);
}

SymBlob *
sym_store_join_blobs (SymBlob *const *parts, guint n)
{
  static const SymBlobClass klass = { joined_read, joined_free };
  JoinedBlob *self = g_new0 (JoinedBlob, 1);

  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parts = g_new0 (SymBlob *, n + 1);
  self->starts = g_new0 (guint64, n + 1);
  self->n = n;
  for (guint i = 0; i < n; i++)
    {
      self->parts[i] = sym_blob_ref (parts[i]);
      self->starts[i + 1] = self->starts[i] + parts[i]->size;
    }
  self->parent.size = self->starts[n];
  return &self->parent;
}

/* ---- Made ---- */

#define MAX_ELEMENT 16 /* bytes */

typedef struct {
  SymBlob parent;
  guint bytes;
  SymStoreMake make;
  gpointer data;
  GDestroyNotify free_data;
} MadeBlob;

/* Whole elements are made, of which those at the ends may be asked for in part. */
static gboolean
made_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  MadeBlob *self = (MadeBlob *) blob;
  g_autofree guint8 *elements = g_malloc (SYM_STORE_PIECE * MAX_ELEMENT);
  guint8 *to = buffer;

  while (size > 0)
    {
      gsize skip = (gsize) (offset % self->bytes);
      gsize n = (gsize) MIN (SYM_STORE_PIECE, (skip + size + self->bytes - 1) / self->bytes);
      gsize part = (gsize) MIN (size, n * self->bytes - skip);

      if (!self->make (self->data, offset / self->bytes, n, elements, error))
        return FALSE;
      memcpy (to, elements + skip, part);
      to += part;
      offset += part;
      size -= part;
    }
  return TRUE;
}

static void
made_free (SymBlob *blob)
{
  MadeBlob *self = (MadeBlob *) blob;

  self->free_data (self->data);
  g_free (self);
}

SymBlob *
sym_store_make_blob (guint64 n,
                     guint bytes,
                     SymStoreMake make,
                     gpointer data,
                     GDestroyNotify free_data)
{
  static const SymBlobClass klass = { made_read, made_free };
  MadeBlob *self = g_new0 (MadeBlob, 1);

  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = n * bytes;
  self->bytes = bytes;
  self->make = make;
  self->data = data;
  self->free_data = free_data;
  return &self->parent;
}

/* ---- Scaled ---- */

typedef struct {
  SymBlob *whole;
  guint64 offset;
  SymDType stored, dtype;
  double scale, minimum;
} Scaled;

static gboolean
scale (gpointer data, guint64 first, gsize n, guint8 *elements, GError **error)
{
  const Scaled *self = data;
  guint bytes = sym_dtype_get_bits (self->stored) / 8;
  guint8 stored[SYM_STORE_PIECE * 2];

  if (!sym_blob_read (self->whole, self->offset + first * bytes, n * bytes, stored, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      double number =
          sym_element_get_double (self->stored, stored, i) * self->scale + self->minimum;

      sym_element_set_double (self->dtype, elements, i,
                              self->dtype == SYM_DTYPE_INT32 ? floor (number + 0.5) : number);
    }
  return TRUE;
}

static void
scaled_free (gpointer data)
{
  Scaled *self = data;

  sym_blob_unref (self->whole);
  g_free (self);
}

SymBlob *
sym_store_scale_blob (SymBlob *whole,
                      guint64 offset,
                      guint64 n,
                      SymDType stored,
                      SymDType dtype,
                      double factor,
                      double minimum)
{
  Scaled *self = g_new (Scaled, 1);

  *self = (Scaled){ sym_blob_ref (whole), offset, stored, dtype, factor, minimum };
  return sym_store_make_blob (n, sym_dtype_get_bits (dtype) / 8, scale, self, scaled_free);
}

/* ---- Texts ---- */

#define TEXTS_AT_ONCE 4096 /* between two looks at whether it was cancelled */

gboolean
sym_store_skip_texts (SymBlob *blob,
                      guint64 n,
                      guint64 *at,
                      GCancellable *cancellable,
                      GError **error)
{
  SymStoreCursor cursor = { .blob = blob, .path = "", .at = *at };

  for (guint64 i = 0; i < n; i++)
    {
      guint32 length;

      if (i % TEXTS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (cursor.at > blob->size || sym_store_cursor_get_left (&cursor) < sizeof length)
        {
          g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT,
                       "its texts end behind the files, which have %" G_GUINT64_FORMAT " bytes",
                       blob->size);
          return FALSE;
        }
      if (!sym_store_cursor_read_u32 (&cursor, &length, "a length", error))
        return FALSE;
      cursor.at += length;
    }
  *at = cursor.at;
  return TRUE;
}
