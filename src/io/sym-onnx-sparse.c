/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include <string.h>

/* A file must not make us allocate what it does not justify: all zeros take no bytes in it.  Up to
 * so many bytes are made dense in any case, beyond that so many for each byte that is stored. */
#define FREE_BYTES (1 << 20)
#define BYTES_PER_BYTE 1000

typedef struct {
  SymShape shape;
  SymTensor *values, *indices;
  guint64 n_stored;
  gboolean is_linear; /* an index counts elements; else there is one for each dimension */
} Sparse;

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, message);
  return FALSE;
}

static gboolean
read_shape (Sparse *self, const SymProtoMessage *message, GError **error)
{
  g_autoptr (GArray) dims = sym_proto_get_numbers (message, ONNX_SPARSE_DIMS);

  if (dims->len > SYM_MAX_RANK)
    return fail (error, "it has too many dimensions");
  self->shape.rank = (int) dims->len;
  for (guint i = 0; i < dims->len; i++)
    {
      self->shape.dims[i] = g_array_index (dims, gint64, i);
      if (self->shape.dims[i] < 0)
        return fail (error, "one of its dimensions is negative");
    }
  return TRUE;
}

/* Indices are [n] or [n, rank], int64. */
static gboolean
check_parts (Sparse *self, GError **error)
{
  const SymShape *values = sym_tensor_get_shape (self->values);
  const SymShape *indices = sym_tensor_get_shape (self->indices);

  if (sym_dtype_get_bits (sym_tensor_get_dtype (self->values)) < 8)
    return fail (error, "its elements are no whole bytes");
  if (values->rank != 1 || sym_tensor_get_dtype (self->indices) != SYM_DTYPE_INT64 ||
      (indices->rank != 1 && indices->rank != 2) || indices->dims[0] != values->dims[0] ||
      (indices->rank == 2 && indices->dims[1] != self->shape.rank))
    return fail (error, "its values must be a list, and its indices int64, one for each value or "
                        "one for each dimension of it");
  self->n_stored = (guint64) values->dims[0];
  self->is_linear = indices->rank == 1;
  return TRUE;
}

/* The element that entry @i stands for; FALSE when there is none such. */
static gboolean
find_element (const Sparse *self, const gint64 *indices, guint64 i, guint64 n, guint64 *element)
{
  *element = 0;
  if (self->is_linear)
    {
      gint64 index = GINT64_FROM_LE (indices[i]);

      *element = (guint64) index;
      return index >= 0 && *element < n;
    }
  for (int k = 0; k < self->shape.rank; k++)
    {
      gint64 index = GINT64_FROM_LE (indices[i * (guint64) self->shape.rank + (guint64) k]);

      if (index < 0 || index >= self->shape.dims[k])
        return FALSE;
      *element = *element * (guint64) self->shape.dims[k] + (guint64) index;
    }
  return *element < n;
}

static guint8 *
read_bytes (SymTensor *tensor, GError **error)
{
  guint64 n = sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *bytes = g_try_malloc (n + 1);

  if (bytes == NULL)
    {
      fail (error, "there is no memory for it");
      return NULL;
    }
  return sym_tensor_read (tensor, 0, n, bytes, error) ? g_steal_pointer (&bytes) : NULL;
}

static gboolean
scatter (const Sparse *self, guint8 *dense, guint64 n, GError **error)
{
  gsize width = sym_dtype_get_bits (sym_tensor_get_dtype (self->values)) / 8;
  g_autofree guint8 *values = read_bytes (self->values, error);
  g_autofree guint8 *indices = values == NULL ? NULL : read_bytes (self->indices, error);

  if (indices == NULL)
    return FALSE;
  for (guint64 i = 0; i < self->n_stored; i++)
    {
      guint64 element;

      if (!find_element (self, (const gint64 *) (gconstpointer) indices, i, n, &element))
        return fail (error, "one of its indices lies outside of its shape");
      memcpy (dense + element * width, values + i * width, width);
    }
  return TRUE;
}

static SymTensor *
make_dense (const Sparse *self, GError **error)
{
  SymDType dtype = sym_tensor_get_dtype (self->values);
  g_autofree guint8 *dense = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  guint64 n, size;

  if (!sym_shape_get_n_elements (&self->shape, &n) || !sym_dtype_get_size (dtype, n, &size) ||
      (size > FREE_BYTES && size / BYTES_PER_BYTE > sym_tensor_get_n_bytes (self->values)))
    {
      fail (error, "it is too sparse to be made dense");
      return NULL;
    }
  dense = g_try_malloc0 (size + 1);
  if (dense == NULL)
    {
      fail (error, "there is no memory for it");
      return NULL;
    }
  if (!scatter (self, dense, n, error))
    return NULL;
  bytes = g_bytes_new_take (g_steal_pointer (&dense), size);
  blob = sym_blob_new_bytes (bytes);
  return sym_tensor_new (dtype, &self->shape, blob, 0, error);
}

SymTensor *
sym_onnx_read_sparse (SymOnnxFile *file, const SymProtoMessage *message, GError **error)
{
  const SymProtoMessage *value_message = sym_proto_get_message (message, ONNX_SPARSE_VALUES);
  const SymProtoMessage *index_message = sym_proto_get_message (message, ONNX_SPARSE_INDICES);
  g_autoptr (SymTensor) values = NULL;
  g_autoptr (SymTensor) indices = NULL;
  Sparse sparse = { 0 };

  if (value_message == NULL || index_message == NULL)
    {
      fail (error, "its values or its indices are missing");
      return NULL;
    }
  values = sym_onnx_read_tensor (file, value_message, error);
  indices = values == NULL ? NULL : sym_onnx_read_tensor (file, index_message, error);
  if (indices == NULL)
    return NULL;
  sparse.values = values;
  sparse.indices = indices;
  return read_shape (&sparse, message, error) && check_parts (&sparse, error)
             ? make_dense (&sparse, error)
             : NULL;
}
