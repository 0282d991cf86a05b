/* SPDX-License-Identifier: MIT */
#include "store/sym-store-nd4j.h"

#include <string.h>

#include "store/sym-store-npy-private.h"

/* Two buffers, the first of which tells the shape and strides.  Each: how it was allocated, as
 * Java's writeUTF() writes it (two bytes for the length), the number of elements, their dtype as a
 * name again, and the elements (ND4J's BaseDataBuffer, 0.4 to 1.0.0-M2).  The number has four bytes
 * where the allocation is one of old versions, and eight otherwise. */

#define MAX_NAME_BYTES 32
#define MAX_SHAPE_INFO 70 /* rank, sizes, strides and three more, of at most 32 axes */

struct _SymStoreNd4j {
  SymBlob *blob;
  char *path;
  SymDType dtype;
  guint64 n, start;
};

typedef struct {
  SymBlob *blob;
  const char *path;
  guint64 at;
} Reader;

typedef struct {
  SymDType dtype;
  guint64 n;
} Buffer;

static gboolean
read_bytes (Reader *self, void *buffer, guint64 size, const char *what, GError **error)
{
  if (size > self->blob->size - self->at)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "ends too early: %s should be at byte %" G_GUINT64_FORMAT, what,
                           self->at);
  if (!sym_blob_read (self->blob, self->at, size, buffer, error))
    return FALSE;
  self->at += size;
  return TRUE;
}

static gboolean
read_number (Reader *self, guint n_bytes, guint64 *number, const char *what, GError **error)
{
  guint8 bytes[8];

  if (!read_bytes (self, bytes, n_bytes, what, error))
    return FALSE;
  *number = 0;
  for (guint i = 0; i < n_bytes; i++)
    *number = *number << 8 | bytes[i];
  return TRUE;
}

static gboolean
read_name (Reader *self, char name[MAX_NAME_BYTES + 1], const char *what, GError **error)
{
  guint64 start = self->at, n;

  if (!read_number (self, 2, &n, what, error))
    return FALSE;
  if (n == 0 || n > MAX_NAME_BYTES)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "is no array of ND4J: %s should be at byte %" G_GUINT64_FORMAT, what,
                           start);
  memset (name, 0, MAX_NAME_BYTES + 1);
  return read_bytes (self, name, n, what, error);
}

/* ---- Buffers ---- */

static const struct {
  const char *name;
  gboolean is_old;
} allocations[] = {
  { "DIRECT", TRUE },
  { "HEAP", TRUE },
  { "JAVACPP", TRUE },
  { "LONG_SHAPE", FALSE },
  { "MIXED_DATA_TYPES", FALSE },
};

static const struct {
  const char *name;
  SymDType dtype;
} dtypes[] = {
  { "BFLOAT16", SYM_DTYPE_BFLOAT16 }, { "DOUBLE", SYM_DTYPE_FLOAT64 },
  { "FLOAT", SYM_DTYPE_FLOAT32 },     { "FLOAT16", SYM_DTYPE_FLOAT16 },
  { "HALF", SYM_DTYPE_FLOAT16 },      { "INT", SYM_DTYPE_INT32 },
  { "LONG", SYM_DTYPE_INT64 },
};

static gboolean
read_dtype (Reader *self, Buffer *buffer, GError **error)
{
  char name[MAX_NAME_BYTES + 1];

  if (!read_name (self, name, "a dtype", error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (strcmp (dtypes[i].name, name) == 0)
      {
        buffer->dtype = dtypes[i].dtype;
        return TRUE;
      }
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "numbers of this dtype are not read (before byte %" G_GUINT64_FORMAT ")",
                         self->at);
}

/* The elements, which come next, must be there. */
static gboolean
read_buffer (Reader *self, Buffer *buffer, GError **error)
{
  char name[MAX_NAME_BYTES + 1];
  guint i = 0;

  if (!read_name (self, name, "the name of an allocation", error))
    return FALSE;
  while (i < G_N_ELEMENTS (allocations) && strcmp (allocations[i].name, name) != 0)
    i++;
  if (i == G_N_ELEMENTS (allocations))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "is no array of ND4J: no allocation is told before byte "
                           "%" G_GUINT64_FORMAT,
                           self->at);
  if (!read_number (self, allocations[i].is_old ? 4 : 8, &buffer->n, "a number of elements",
                    error) ||
      !read_dtype (self, buffer, error))
    return FALSE;
  if (buffer->n > (self->blob->size - self->at) / (sym_dtype_get_bits (buffer->dtype) / 8))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "%" G_GUINT64_FORMAT " numbers are told at byte %" G_GUINT64_FORMAT
                           ", and only %" G_GUINT64_FORMAT " bytes are left",
                           buffer->n, self->at, self->blob->size - self->at);
  return TRUE;
}

/* Shape and strides do not matter: it is one row, and its numbers are all there is. */
static gboolean
skip_shape (Reader *self, GError **error)
{
  guint64 start = self->at;
  Buffer buffer;

  if (!read_buffer (self, &buffer, error))
    return FALSE;
  if (buffer.n > MAX_SHAPE_INFO || sym_dtype_is_floating (buffer.dtype))
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "what is at byte %" G_GUINT64_FORMAT " tells no shape", start);
  self->at += buffer.n * (sym_dtype_get_bits (buffer.dtype) / 8);
  return TRUE;
}

SymStoreNd4j *
sym_store_nd4j_open (SymBlob *blob, const char *path, GError **error)
{
  Reader reader = { blob, path, 0 };
  SymStoreNd4j *self;
  Buffer buffer;

  if (!skip_shape (&reader, error) || !read_buffer (&reader, &buffer, error))
    return NULL;
  if (!sym_dtype_is_floating (buffer.dtype))
    {
      sym_store_set_error (error, SYM_STORE_ERROR_FORMAT, path, "its numbers are no floats");
      return NULL;
    }
  self = g_new0 (SymStoreNd4j, 1);
  self->blob = sym_blob_ref (blob);
  self->path = g_strdup (path);
  self->dtype = buffer.dtype;
  self->n = buffer.n;
  self->start = reader.at;
  return self;
}

void
sym_store_nd4j_free (SymStoreNd4j *self)
{
  sym_blob_unref (self->blob);
  g_free (self->path);
  g_free (self);
}

SymDType
sym_store_nd4j_get_dtype (const SymStoreNd4j *self)
{
  return self->dtype;
}

guint64
sym_store_nd4j_get_n (const SymStoreNd4j *self)
{
  return self->n;
}

SymTensor *
sym_store_nd4j_get (const SymStoreNd4j *self,
                    guint64 first,
                    const SymShape *shape,
                    gboolean is_fortran,
                    GError **error)
{
  guint bytes = sym_dtype_get_bits (self->dtype) / 8;
  SymStoreNpyHeader header = { .dtype = self->dtype,
                               .is_big_endian = TRUE,
                               .is_fortran = is_fortran,
                               .shape = *shape,
                               .element_bytes = bytes,
                               .start = self->start + first * bytes };
  g_autoptr (SymBlob) numbers = NULL;

  if (!sym_shape_get_n_elements (shape, &header.n_elements) || first > self->n ||
      header.n_elements > self->n - first)
    {
      sym_store_set_error (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "it has only %" G_GUINT64_FORMAT " numbers", self->n);
      return NULL;
    }
  numbers = sym_store_npy_blob_new (self->blob, &header, SYM_STORE_NPY_BAND_BYTES);
  return sym_tensor_new (self->dtype, shape, numbers, 0, error);
}
