/* SPDX-License-Identifier: MIT */
#include "store/sym-store-blobs.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

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

/* ---- Scaled ---- */

typedef struct {
  SymBlob parent;
  SymBlob *whole;
  guint64 offset;
  SymDType stored, dtype;
  double scale, minimum;
} ScaledBlob;

#define PIECE 4096 /* numbers */
#define OUT_BYTES 4

static void
scale (const ScaledBlob *self, const guint8 *stored, guint8 *out, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double number =
          sym_element_get_double (self->stored, stored, i) * self->scale + self->minimum;

      sym_element_set_double (self->dtype, out, i,
                              self->dtype == SYM_DTYPE_INT32 ? floor (number + 0.5) : number);
    }
}

/* Whole numbers are made, of which those at the ends may be asked for in part. */
static gboolean
scaled_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  ScaledBlob *self = (ScaledBlob *) blob;
  guint bytes = sym_dtype_get_bits (self->stored) / 8;
  guint8 stored[PIECE * 2], out[PIECE * OUT_BYTES];
  guint8 *to = buffer;

  while (size > 0)
    {
      guint64 first = offset / OUT_BYTES;
      gsize skip = (gsize) (offset % OUT_BYTES);
      gsize n = (gsize) MIN (PIECE, (skip + size + OUT_BYTES - 1) / OUT_BYTES);
      gsize part = (gsize) MIN (size, n * OUT_BYTES - skip);

      if (!sym_blob_read (self->whole, self->offset + first * bytes, n * bytes, stored, error))
        return FALSE;
      scale (self, stored, out, n);
      memcpy (to, out + skip, part);
      to += part;
      offset += part;
      size -= part;
    }
  return TRUE;
}

static void
scaled_free (SymBlob *blob)
{
  ScaledBlob *self = (ScaledBlob *) blob;

  sym_blob_unref (self->whole);
  g_free (self);
}

SymBlob *
sym_store_scale_blob (SymBlob *whole,
                      guint64 offset,
                      guint64 n,
                      SymDType stored,
                      SymDType dtype,
                      double scale,
                      double minimum)
{
  static const SymBlobClass klass = { scaled_read, scaled_free };
  ScaledBlob *self = g_new0 (ScaledBlob, 1);

  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = n * OUT_BYTES;
  self->whole = sym_blob_ref (whole);
  self->offset = offset;
  self->stored = stored;
  self->dtype = dtype;
  self->scale = scale;
  self->minimum = minimum;
  return &self->parent;
}
