/* SPDX-License-Identifier: MIT */
#include "store/sym-store-strided.h"

#include <string.h>

#include "store/sym-store.h"

#define MAX_REPEATED \
  (G_GUINT64_CONSTANT (256) << 20) /* bytes, of what is larger than its storage */

typedef struct {
  SymBlob parent;
  SymBlob *storage;
  SymShape shape;
  guint64 strides[SYM_MAX_RANK]; /* bytes */
  guint64 start, span;           /* bytes: from the first element to the end of the last one */
  gsize element_bytes;

  GMutex mutex;
  guint8 *all; /* all elements; the mutex guards it */
} Strided;

/* ---- Gathering ---- */

/* To the next element: the last axis is the fastest. */
static guint64
step (const Strided *self, guint64 *indices, guint64 at)
{
  for (int i = self->shape.rank; i-- > 0;)
    {
      at += self->strides[i];
      if (++indices[i] < (guint64) self->shape.dims[i])
        return at;
      at -= indices[i] * self->strides[i];
      indices[i] = 0;
    }
  return at;
}

static void
gather (const Strided *self, const guint8 *from, guint8 *to)
{
  guint64 indices[SYM_MAX_RANK] = { 0 };
  gsize size = self->element_bytes;
  guint64 at = 0;

  for (guint64 done = 0; done < self->parent.size; done += size)
    {
      memcpy (to + done, from + at, size);
      at = step (self, indices, at);
    }
}

static gboolean
load (const Strided *self, guint8 *to, GError **error)
{
  g_autofree guint8 *from = g_try_malloc (self->span);

  if (from == NULL)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE,
                   "there is no memory to gather the numbers of a view");
      return FALSE;
    }
  if (!sym_blob_read (self->storage, self->start, self->span, from, error))
    return FALSE;
  gather (self, from, to);
  return TRUE;
}

static gboolean
keep_all (Strided *self, GError **error)
{
  g_autofree guint8 *all = NULL;

  if (self->all != NULL)
    return TRUE;
  all = g_try_malloc (self->parent.size);
  if (all == NULL)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE,
                   "there is no memory for the numbers of a view");
      return FALSE;
    }
  if (!load (self, all, error))
    return FALSE;
  self->all = g_steal_pointer (&all);
  return TRUE;
}

static gboolean
read_strided (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  Strided *self = (Strided *) blob;
  gboolean done;

  if (size == 0)
    return TRUE;
  if (size == blob->size)
    return load (self, buffer, error);
  g_mutex_lock (&self->mutex);
  done = keep_all (self, error);
  if (done)
    memcpy (buffer, self->all + offset, size);
  if (offset + size == blob->size)
    g_clear_pointer (&self->all, g_free);
  g_mutex_unlock (&self->mutex);
  return done;
}

static void
free_strided (SymBlob *blob)
{
  Strided *self = (Strided *) blob;

  sym_blob_unref (self->storage);
  g_mutex_clear (&self->mutex);
  g_free (self->all);
  g_free (self);
}

/* ---- Checks ---- */

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, SYM_ERROR, SYM_ERROR_LIMIT, message);
  return FALSE;
}

static gboolean
is_packed (const SymShape *shape, const gint64 *strides)
{
  guint64 expected = 1;

  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] == 0)
      return TRUE;
  for (int i = shape->rank; i-- > 0;)
    {
      if (shape->dims[i] > 1 && (strides[i] < 0 || (guint64) strides[i] != expected))
        return FALSE;
      if (!g_uint64_checked_mul (&expected, expected, (guint64) shape->dims[i]))
        return FALSE;
    }
  return TRUE;
}

/* How many elements lie from the first to the last one. */
static gboolean
measure_span (const SymShape *shape, const gint64 *strides, guint64 *span, GError **error)
{
  *span = 1;
  for (int i = 0; i < shape->rank; i++)
    {
      guint64 steps;

      if (shape->dims[i] <= 1)
        continue;
      if (strides[i] < 0)
        return fail (error, "a stride is negative");
      if (!g_uint64_checked_mul (&steps, (guint64) shape->dims[i] - 1, (guint64) strides[i]) ||
          !g_uint64_checked_add (span, *span, steps))
        return fail (error, "its strides are too large");
    }
  return TRUE;
}

static gboolean
check_place (const Strided *self, GError **error)
{
  guint64 size = self->storage->size;

  if (self->start > size || self->span > size - self->start)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "it takes %" G_GUINT64_FORMAT " bytes from byte %" G_GUINT64_FORMAT
                   " on, but there are %" G_GUINT64_FORMAT " bytes in all",
                   self->span, self->start, size);
      return FALSE;
    }
  if (self->parent.size > MAX (size, MAX_REPEATED))
    return fail (error, "it repeats a small storage too often");
  return TRUE;
}

static gboolean
place (Strided *self, SymDType dtype, const gint64 *strides, guint64 at, GError **error)
{
  guint64 n, n_span, element;

  if (!measure_span (&self->shape, strides, &n_span, error))
    return FALSE;
  if (!sym_dtype_get_size (dtype, 1, &element) ||
      !sym_dtype_get_size (dtype, n_span, &self->span) ||
      !sym_shape_get_n_elements (&self->shape, &n) ||
      !sym_dtype_get_size (dtype, n, &self->parent.size))
    return fail (error, "it is too large");
  self->start = at;
  self->element_bytes = (gsize) element;
  for (int i = 0; i < self->shape.rank; i++)
    if (self->shape.dims[i] > 1)
      self->strides[i] = (guint64) strides[i] * element;
  return check_place (self, error);
}

SymTensor *
sym_store_open_strided (SymDType dtype,
                        const SymShape *shape,
                        const gint64 *strides,
                        gint64 offset,
                        SymBlob *storage,
                        GError **error)
{
  static const SymBlobClass klass = { read_strided, free_strided };
  Strided *self;
  SymTensor *tensor = NULL;
  guint64 at;

  if (offset < 0 || !sym_dtype_get_size (dtype, (guint64) offset, &at))
    {
      fail (error, offset < 0 ? "its offset is negative" : "its offset is too large");
      return NULL;
    }
  if (is_packed (shape, strides))
    return sym_tensor_new (dtype, shape, storage, at, error);
  self = g_new0 (Strided, 1);
  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  g_mutex_init (&self->mutex);
  self->storage = sym_blob_ref (storage);
  self->shape = *shape;
  if (place (self, dtype, strides, at, error))
    tensor = sym_tensor_new (dtype, shape, &self->parent, 0, error);
  sym_blob_unref (&self->parent);
  return tensor;
}
