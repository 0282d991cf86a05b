/* SPDX-License-Identifier: MIT */
#include "core/sym-tensor-private.h"

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
  SymBlob *blob; /* NULL for strings */
  guint64 offset;
  guint64 n_bytes;
  char *text;    /* the strings, each with a NUL behind it */
  gsize *starts; /* of each in @text, and of what would be the next */
};

#define PIECE_BYTES (64 << 10) /* of what is compared at once */

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
                   "%" G_GUINT64_FORMAT " elements of dtype %s have no size in bytes", n_elements,
                   sym_dtype_to_string (dtype));
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

/* The bytes of all strings and their NULs. */
static gboolean
measure_strings (const char *const *strings, const gsize *lengths, gsize n, gsize *size)
{
  *size = 0;
  for (gsize i = 0; i < n; i++)
    if (!g_size_checked_add (size, *size, lengths == NULL ? strlen (strings[i]) : lengths[i]) ||
        !g_size_checked_add (size, *size, 1))
      return FALSE;

  return TRUE;
}

static void
copy_strings (SymTensor *self, const char *const *strings, const gsize *lengths, gsize n)
{
  char *at = self->text;

  for (gsize i = 0; i < n; i++)
    {
      gsize length = lengths == NULL ? strlen (strings[i]) : lengths[i];

      self->starts[i] = (gsize) (at - self->text);
      if (length > 0)
        memcpy (at, strings[i], length);
      at[length] = '\0';
      at += length + 1;
    }
  self->starts[n] = (gsize) (at - self->text);
}

SymTensor *
sym_tensor_new_strings (const SymShape *shape,
                        const char *const *strings,
                        const gsize *lengths,
                        GError **error)
{
  SymTensor *self;
  guint64 n = 0;
  gsize size;

  g_return_val_if_fail (shape != NULL, NULL);

  if (!sym_shape_get_n_elements (shape, &n) || n >= G_MAXSIZE / sizeof *self->starts ||
      !measure_strings (strings, lengths, (gsize) n, &size))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                   "the shape of the strings is not known, or has more than memory can hold");
      return NULL;
    }

  self = g_new0 (SymTensor, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->dtype = SYM_DTYPE_STRING;
  self->shape = *shape;
  self->n_bytes = size - n;
  self->text = g_malloc (size + 1);
  self->starts = g_new (gsize, (gsize) n + 1);
  copy_strings (self, strings, lengths, (gsize) n);
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

  g_clear_pointer (&self->blob, sym_blob_unref);
  g_free (self->text);
  g_free (self->starts);
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

gboolean
sym_tensor_fits (const SymTensor *self, const SymType *declared)
{
  if (declared->dtype != SYM_DTYPE_UNKNOWN && declared->dtype != self->dtype)
    return FALSE;
  if (declared->shape.rank < 0)
    return TRUE;
  if (declared->shape.rank != self->shape.rank)
    return FALSE;
  for (int i = 0; i < self->shape.rank; i++)
    if (declared->shape.dims[i] >= 0 && declared->shape.dims[i] != self->shape.dims[i])
      return FALSE;
  return TRUE;
}

guint64
sym_tensor_get_n_bytes (const SymTensor *self)
{
  return self->n_bytes;
}

gboolean
sym_tensor_read (SymTensor *self, guint64 offset, guint64 size, void *buffer, GError **error)
{
  if (self->blob == NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                   "strings have no bytes of a known place: they are asked for one by one");
      return FALSE;
    }
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

const char *
sym_tensor_get_string (const SymTensor *self, guint64 i, gsize *length)
{
  guint64 n = 0;

  sym_shape_get_n_elements (&self->shape, &n);
  g_return_val_if_fail (self->blob == NULL && i < n, NULL);

  if (length != NULL)
    *length = self->starts[i + 1] - self->starts[i] - 1;
  return self->text + self->starts[i];
}

static gboolean
equal_strings (const SymTensor *a, const SymTensor *b)
{
  guint64 n = 0;

  sym_shape_get_n_elements (&a->shape, &n);
  return memcmp (a->starts, b->starts, (gsize) (n + 1) * sizeof *a->starts) == 0 &&
         memcmp (a->text, b->text, a->starts[n]) == 0;
}

gboolean
sym_tensor_equal (SymTensor *a, SymTensor *b)
{
  g_autofree guint8 *left = NULL;
  g_autofree guint8 *right = NULL;

  if (a == b)
    return TRUE;
  if (a->dtype != b->dtype || !sym_shape_equal (&a->shape, &b->shape))
    return FALSE;
  if (a->blob == NULL)
    return equal_strings (a, b);

  left = g_malloc (PIECE_BYTES);
  right = g_malloc (PIECE_BYTES);
  for (guint64 at = 0; at < a->n_bytes; at += PIECE_BYTES)
    {
      gsize size = (gsize) MIN (a->n_bytes - at, PIECE_BYTES);

      if (!sym_tensor_read (a, at, size, left, NULL) ||
          !sym_tensor_read (b, at, size, right, NULL) || memcmp (left, right, size) != 0)
        return FALSE;
    }
  return TRUE;
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
sym_parameter_has_one_holder (const SymParameter *self)
{
  return g_atomic_ref_count_compare ((gatomicrefcount *) &self->ref_count, 1);
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

void
sym_parameter_set_tensor (SymParameter *self, SymTensor *tensor)
{
  if (tensor != NULL)
    sym_tensor_ref (tensor);
  g_clear_pointer (&self->tensor, sym_tensor_unref);
  self->tensor = tensor;
}
