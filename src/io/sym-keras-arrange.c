/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "core/sym-element.h"
#include "store/sym-store-blobs.h"

#include <string.h>

/* Arrays of old files lie in another order than layers use them in.  Nothing is read before it is
 * asked for; then the whole is made, since weights that old are small, and kept. */

typedef struct {
  SymBlob parent;
  SymTensor **parts;
  guint n_parts;
  SymDType dtype;
  int axes[SYM_MAX_RANK]; /* of a single part */
  guint flips;
  gboolean is_turned;
  GMutex mutex; /* of @made */
  GBytes *made;
} Arranged;

static guint64
count_bytes (SymTensor *tensor)
{
  return sym_tensor_get_n_bytes (tensor);
}

static guint8 *
read_all (SymTensor *tensor, GError **error)
{
  guint64 size = count_bytes (tensor);
  guint8 *bytes = g_try_malloc (MAX ((gsize) size, 1));

  if (bytes == NULL)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                 "there is no memory for %" G_GUINT64_FORMAT " bytes", size);
  else if (!sym_tensor_read (tensor, 0, size, bytes, error))
    g_clear_pointer (&bytes, g_free);
  return bytes;
}

/* Rows of all parts, one after the other; a row is the last axis. */
static gboolean
make_joined (const Arranged *self, guint8 *out, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint64 *rows = g_new0 (guint64, self->n_parts);
  guint64 n_rows = 0;

  for (guint i = 0; i < self->n_parts; i++)
    {
      const SymShape *shape = sym_tensor_get_shape (self->parts[i]);
      guint8 *bytes = read_all (self->parts[i], error);

      if (bytes == NULL)
        return FALSE;
      g_ptr_array_add (all, bytes);
      rows[i] = (guint64) shape->dims[shape->rank - 1] * sym_dtype_get_bits (self->dtype) / 8;
      if (rows[i] > 0)
        n_rows = count_bytes (self->parts[i]) / rows[i];
    }
  for (guint64 row = 0; row < n_rows; row++)
    for (guint i = 0; i < self->n_parts; i++)
      {
        memcpy (out, (guint8 *) all->pdata[i] + row * rows[i], rows[i]);
        out += rows[i];
      }
  return TRUE;
}

/* Where element @i of what is made lies in the part. */
static guint64
find_element (const Arranged *self, const SymShape *shape, guint64 i)
{
  gint64 places[SYM_MAX_RANK];
  guint64 at = 0;

  for (int k = shape->rank - 1; k >= 0; k--)
    {
      int axis = self->axes[k];
      gint64 size = shape->dims[axis];
      gint64 place = (gint64) (i % (guint64) size);

      places[axis] = (self->flips >> axis & 1) != 0 ? size - 1 - place : place;
      i /= (guint64) size;
    }
  for (int axis = 0; axis < shape->rank; axis++)
    at = at * (guint64) shape->dims[axis] + (guint64) places[axis];
  return at;
}

static gboolean
make_turned (const Arranged *self, guint8 *out, GError **error)
{
  const SymShape *shape = sym_tensor_get_shape (self->parts[0]);
  g_autofree guint8 *bytes = read_all (self->parts[0], error);
  gsize size = sym_dtype_get_bits (self->dtype) / 8;

  if (bytes == NULL)
    return FALSE;
  for (guint64 i = 0; i < self->parent.size / size; i++)
    memcpy (out + i * size, bytes + find_element (self, shape, i) * size, size);
  return TRUE;
}

static gboolean
make (Arranged *self, GError **error)
{
  guint8 *out = g_try_malloc (MAX ((gsize) self->parent.size, 1));
  gboolean done;

  if (out == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "there is no memory for %" G_GUINT64_FORMAT " bytes", self->parent.size);
      return FALSE;
    }
  done = self->is_turned ? make_turned (self, out, error) : make_joined (self, out, error);
  if (done)
    self->made = g_bytes_new_take (out, (gsize) self->parent.size);
  else
    g_free (out);
  return done;
}

static gboolean
arranged_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  Arranged *self = (Arranged *) blob;
  gboolean done;

  g_mutex_lock (&self->mutex);
  done = self->made != NULL || make (self, error);
  g_mutex_unlock (&self->mutex);
  if (done)
    memcpy (buffer, (const guint8 *) g_bytes_get_data (self->made, NULL) + offset, (gsize) size);
  return done;
}

static void
arranged_free (SymBlob *blob)
{
  Arranged *self = (Arranged *) blob;

  for (guint i = 0; i < self->n_parts; i++)
    sym_tensor_unref (self->parts[i]);
  g_free (self->parts);
  g_clear_pointer (&self->made, g_bytes_unref);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static Arranged *
arrange (SymTensor *const *tensors, guint n, SymDType dtype)
{
  static const SymBlobClass klass = { arranged_read, arranged_free };
  Arranged *self = g_new0 (Arranged, 1);

  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  g_mutex_init (&self->mutex);
  self->parts = g_new (SymTensor *, n);
  self->n_parts = n;
  self->dtype = dtype;
  for (guint i = 0; i < n; i++)
    self->parts[i] = sym_tensor_ref (tensors[i]);
  return self;
}

/* As many bytes as @shape takes: not more than its parts have, so they can be counted. */
static SymTensor *
finish (Arranged *take, const SymShape *shape)
{
  guint64 n = 0;
  SymTensor *tensor;

  sym_shape_get_n_elements (shape, &n);
  sym_dtype_get_size (take->dtype, n, &take->parent.size);
  tensor = sym_tensor_new (take->dtype, shape, &take->parent, 0, NULL);
  sym_blob_unref (&take->parent);
  return tensor;
}

SymTensor *
sym_keras_join (SymTensor *const *tensors, guint n)
{
  SymShape shape = *sym_tensor_get_shape (tensors[0]);
  SymDType dtype = sym_tensor_get_dtype (tensors[0]);
  gint64 last = 0;

  for (guint i = 0; i < n; i++)
    {
      const SymShape *other = sym_tensor_get_shape (tensors[i]);

      if (other->rank < 1 || other->rank != shape.rank ||
          sym_tensor_get_dtype (tensors[i]) != dtype)
        return NULL;
      for (int k = 0; k < shape.rank - 1; k++)
        if (other->dims[k] != shape.dims[k])
          return NULL;
      last += other->dims[shape.rank - 1];
    }
  shape.dims[shape.rank - 1] = last;
  return finish (arrange (tensors, n, dtype), &shape);
}

SymTensor *
sym_keras_turn (SymTensor *tensor, const int *axes, guint flips)
{
  SymShape shape = *sym_tensor_get_shape (tensor);
  Arranged *self = arrange (&tensor, 1, sym_tensor_get_dtype (tensor));

  self->is_turned = TRUE;
  self->flips = flips;
  for (int i = 0; i < shape.rank; i++)
    {
      self->axes[i] = axes[i];
      shape.dims[i] = sym_tensor_get_shape (tensor)->dims[axes[i]];
    }
  return finish (self, &shape);
}

SymTensor *
sym_keras_reshape (SymTensor *tensor, const SymShape *shape)
{
  const int axes[SYM_MAX_RANK] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
  Arranged *self = arrange (&tensor, 1, sym_tensor_get_dtype (tensor));

  self->is_turned = TRUE;
  memcpy (self->axes, axes, sizeof axes);
  return finish (self, shape);
}

/* ---- Another dtype ---- */

/* Weights of today may be large: pieces of them are converted as they are read. */
typedef struct {
  SymTensor *tensor;
  SymDType dtype;
} Cast;

#define MAX_BYTES 16 /* of an element */

static gboolean
cast (gpointer data, guint64 first, gsize n, guint8 *elements, GError **error)
{
  const Cast *self = data;
  SymDType from = sym_tensor_get_dtype (self->tensor);
  guint bytes = sym_dtype_get_bits (from) / 8;
  g_autofree guint8 *in = g_malloc (SYM_STORE_PIECE * MAX_BYTES);

  if (!sym_tensor_read (self->tensor, first * bytes, n * bytes, in, error))
    return FALSE;
  sym_convert_elements (from, in, self->dtype, elements, n);
  return TRUE;
}

static void
cast_free (gpointer data)
{
  Cast *self = data;

  sym_tensor_unref (self->tensor);
  g_free (self);
}

SymTensor *
sym_keras_cast (SymTensor *tensor, SymDType dtype)
{
  const SymShape *shape = sym_tensor_get_shape (tensor);
  Cast *self = g_new (Cast, 1);
  g_autoptr (SymBlob) blob = NULL;
  guint64 n = 0;

  *self = (Cast){ sym_tensor_ref (tensor), dtype };
  sym_shape_get_n_elements (shape, &n);
  blob = sym_store_make_blob (n, sym_dtype_get_bits (dtype) / 8, cast, self, cast_free);
  return sym_tensor_new (dtype, shape, blob, 0, NULL);
}
