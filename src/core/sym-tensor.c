/* SPDX-License-Identifier: MIT */
#include "core/sym-tensor.h"

#include <string.h>

/* A blob in memory. */
typedef struct {
  SymBlob parent;
  GBytes *bytes;
} BytesBlob;

struct _SymTensor {
  gatomicrefcount ref_count;
  SymDType dtype;
  SymShape shape;
  SymBlob *blob;
  guint64 offset;
  guint64 n_bytes;
};

struct _SymParameter {
  gatomicrefcount ref_count;
  gint trainable; /* atomic: a parameter may be shared by models of several threads */
  SymTensor *tensor;
};

static gboolean
bytes_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  BytesBlob *self = (BytesBlob *) blob;
  const guint8 *data = g_bytes_get_data (self->bytes, NULL);

  memcpy (buffer, data + offset, size);
  return TRUE;
}

static void
bytes_blob_free (SymBlob *blob)
{
  BytesBlob *self = (BytesBlob *) blob;

  g_bytes_unref (self->bytes);
  g_free (self);
}

static const SymBlobClass bytes_blob_class = {
  .read = bytes_blob_read,
  .free = bytes_blob_free,
};

SymBlob *
sym_blob_new_bytes (GBytes *bytes)
{
  BytesBlob *self;

  g_return_val_if_fail (bytes != NULL, NULL);

  self = g_new0 (BytesBlob, 1);
  self->parent.klass = &bytes_blob_class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = g_bytes_get_size (bytes);
  self->bytes = g_bytes_ref (bytes);
  return &self->parent;
}

SymBlob *
sym_blob_ref (SymBlob *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_blob_unref (SymBlob *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    self->klass->free (self);
}

gboolean
sym_blob_read (SymBlob *self, guint64 offset, guint64 size, void *buffer, GError **error)
{
  if (offset > self->size || size > self->size - offset)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " bytes at byte %" G_GUINT64_FORMAT
                   " lie beyond the end: there are %" G_GUINT64_FORMAT " bytes",
                   size, offset, self->size);
      return FALSE;
    }
  if (size == 0)
    return TRUE;

  return self->klass->read (self, offset, size, buffer, error);
}

/* The packed size of a tensor, or why it has none. */
static gboolean
measure (SymDType dtype, const SymShape *shape, guint64 *n_bytes, GError **error)
{
  guint64 n_elements;

  if (!sym_shape_get_n_elements (shape, &n_elements))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "the shape of the numbers is not known, or has more than 2^64 elements");
      return FALSE;
    }
  if (!sym_dtype_get_size (dtype, n_elements, n_bytes))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " elements of dtype %s have no size in bytes",
                   n_elements, sym_dtype_to_string (dtype));
      return FALSE;
    }
  return TRUE;
}

SymTensor *
sym_tensor_new (SymDType dtype,
                const SymShape *shape,
                SymBlob *blob,
                guint64 offset,
                GError **error)
{
  SymTensor *self;
  guint64 n_bytes;

  g_return_val_if_fail (shape != NULL && blob != NULL, NULL);

  if (!measure (dtype, shape, &n_bytes, error))
    return NULL;
  if (offset > blob->size || n_bytes > blob->size - offset)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "the tensor takes %" G_GUINT64_FORMAT " bytes from byte %" G_GUINT64_FORMAT
                   " on, but there are %" G_GUINT64_FORMAT " bytes in all",
                   n_bytes, offset, blob->size);
      return NULL;
    }

  self = g_new0 (SymTensor, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->dtype = dtype;
  self->shape = *shape;
  self->blob = sym_blob_ref (blob);
  self->offset = offset;
  self->n_bytes = n_bytes;
  return self;
}

SymTensor *
sym_tensor_ref (SymTensor *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_tensor_unref (SymTensor *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_blob_unref (self->blob);
  g_free (self);
}

SymDType
sym_tensor_get_dtype (const SymTensor *self)
{
  return self->dtype;
}

const SymShape *
sym_tensor_get_shape (const SymTensor *self)
{
  return &self->shape;
}

guint64
sym_tensor_get_n_bytes (const SymTensor *self)
{
  return self->n_bytes;
}

gboolean
sym_tensor_read (SymTensor *self, guint64 offset, guint64 size, void *buffer, GError **error)
{
  if (offset > self->n_bytes || size > self->n_bytes - offset)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT " bytes at byte %" G_GUINT64_FORMAT
                   " lie beyond the end of a tensor of %" G_GUINT64_FORMAT " bytes",
                   size, offset, self->n_bytes);
      return FALSE;
    }

  return sym_blob_read (self->blob, self->offset + offset, size, buffer, error);
}

SymParameter *
sym_parameter_new (gboolean trainable, SymTensor *tensor)
{
  SymParameter *self = g_new0 (SymParameter, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->trainable = trainable;
  self->tensor = tensor == NULL ? NULL : sym_tensor_ref (tensor);
  return self;
}

SymParameter *
sym_parameter_ref (SymParameter *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_parameter_unref (SymParameter *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->tensor, sym_tensor_unref);
  g_free (self);
}

gboolean
sym_parameter_get_trainable (const SymParameter *self)
{
  return g_atomic_int_get (&self->trainable);
}

void
sym_parameter_set_trainable (SymParameter *self, gboolean trainable)
{
  g_atomic_int_set (&self->trainable, trainable);
}

SymTensor *
sym_parameter_get_tensor (const SymParameter *self)
{
  return self->tensor;
}
