/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "store/sym-store-params-private.h"

/* How many times the file a dense tensor may be: whoever reads one allocates all of it. */
#define MAX_RATIO 1024

/* Either kind as the dense tensor that it stands for: zeros but for what is stored. */
typedef struct {
  SymBlob parent;
  SymBlob *source;
  gboolean is_csr;
  gsize element_bytes;
  guint64 row_bytes; /* of a dense row: one index of the first dimension */
  guint64 data;      /* where the stored elements begin */
  gint64
      *rows; /* row_sparse: the stored rows, ascending; csr: where each row begins, and the end */
  guint64 n_rows;  /* of them */
  gint64 *columns; /* csr: of each stored element */
} SparseBlob;

/* ---- Reading ---- */

/* The first of the stored rows that is not before @row. */
static guint64
find_row (const SparseBlob *self, gint64 row)
{
  guint64 low = 0, high = self->n_rows;

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;

      if (self->rows[middle] < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
read_rows (const SparseBlob *self, guint64 offset, guint64 size, guint8 *buffer, GError **error)
{
  for (guint64 i = find_row (self, (gint64) (offset / self->row_bytes)); i < self->n_rows; i++)
    {
      guint64 begin = (guint64) self->rows[i] * self->row_bytes;
      guint64 first = MAX (begin, offset);
      guint64 end = MIN (begin + self->row_bytes, offset + size);

      if (begin >= offset + size)
        break;
      if (!sym_blob_read (self->source, self->data + i * self->row_bytes + (first - begin),
                          end - first, buffer + (first - offset), error))
        return FALSE;
    }
  return TRUE;
}

/* Puts what lies in the wanted range of one row's elements, of which the first is number @first. */
static void
put_elements (const SparseBlob *self,
              guint64 row,
              guint64 first,
              guint64 n,
              const guint8 *elements,
              guint64 offset,
              guint64 size,
              guint8 *buffer)
{
  gsize n_bytes = self->element_bytes;

  for (guint64 i = 0; i < n; i++)
    for (gsize k = 0; k < n_bytes; k++)
      {
        guint64 at = row * self->row_bytes + (guint64) self->columns[first + i] * n_bytes + k;

        if (at >= offset && at - offset < size)
          buffer[at - offset] = elements[i * n_bytes + k];
      }
}

static gboolean
read_csr (const SparseBlob *self, guint64 offset, guint64 size, guint8 *buffer, GError **error)
{
  guint64 end = (offset + size - 1) / self->row_bytes;

  for (guint64 row = offset / self->row_bytes; row <= end && row + 1 < self->n_rows; row++)
    {
      guint64 first = (guint64) self->rows[row];
      guint64 n = (guint64) self->rows[row + 1] - first;
      g_autofree guint8 *elements = n == 0 ? NULL : g_malloc (n * self->element_bytes);

      if (!sym_blob_read (self->source, self->data + first * self->element_bytes,
                          n * self->element_bytes, elements, error))
        return FALSE;
      put_elements (self, row, first, n, elements, offset, size, buffer);
    }
  return TRUE;
}

static gboolean
sparse_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  const SparseBlob *self = (const SparseBlob *) blob;

  memset (buffer, 0, size);
  return self->is_csr ? read_csr (self, offset, size, buffer, error)
                      : read_rows (self, offset, size, buffer, error);
}

static void
sparse_blob_free (SymBlob *blob)
{
  SparseBlob *self = (SparseBlob *) blob;

  sym_blob_unref (self->source);
  g_free (self->rows);
  g_free (self->columns);
  g_free (self);
}

static const SymBlobClass sparse_blob_class = {
  .read = sparse_blob_read,
  .free = sparse_blob_free,
};

/* ---- Opening ---- */

/* @n indices, each at least @least more than the one before and none beyond @last.  NULL when they
 * are otherwise, or cannot be read. */
static gint64 *
read_indices (SymBlob *source,
              const SymStoreParamsIndices *indices,
              gint64 least,
              gint64 last,
              const char *path,
              GError **error)
{
  guint64 size = 0;
  g_autofree guint8 *bytes = NULL;
  g_autofree gint64 *values = NULL;

  sym_dtype_get_size (indices->dtype, indices->n, &size);
  bytes = g_malloc (size + 1);
  values = g_new (gint64, indices->n + 1);
  if (!sym_blob_read (source, indices->offset, size, bytes, error))
    return NULL;
  sym_convert_elements (indices->dtype, bytes, SYM_DTYPE_INT64, values, (gsize) indices->n);
  for (guint64 i = 0; i < indices->n; i++)
    if (values[i] < 0 || values[i] > last ||
        (i > 0 && least >= 0 && values[i] - values[i - 1] < least))
      {
        sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                        "the indices of a sparse array at byte %" G_GUINT64_FORMAT
                        " are out of order, or beyond its shape",
                        indices->offset);
        return NULL;
      }
  return g_steal_pointer (&values);
}

#define ANY_ORDER (-1)

static gboolean
load_rows (SparseBlob *self, const SymStoreParamsSparse *array, const char *path, GError **error)
{
  self->n_rows = array->indices[0].n;
  self->rows =
      read_indices (self->source, &array->indices[0], 1, array->shape.dims[0] - 1, path, error);
  return self->rows != NULL;
}

static gboolean
load_csr (SparseBlob *self, const SymStoreParamsSparse *array, const char *path, GError **error)
{
  guint64 n = array->indices[1].n;

  self->n_rows = array->indices[0].n;
  self->rows = read_indices (self->source, &array->indices[0], 0, (gint64) n, path, error);
  if (self->rows == NULL)
    return FALSE;
  if (self->rows[0] != 0 || self->rows[self->n_rows - 1] != (gint64) n)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "the rows of a sparse array at byte %" G_GUINT64_FORMAT
                           " do not hold all its elements",
                           array->indices[0].offset);
  self->columns = read_indices (self->source, &array->indices[1], ANY_ORDER,
                                array->shape.dims[1] - 1, path, error);
  return self->columns != NULL;
}

/* Whether shape, stored elements and indices go together. */
static gboolean
is_consistent (const SymStoreParamsSparse *array)
{
  const SymShape *shape = &array->shape, *stored = &array->stored;

  for (guint i = 0; i < (array->is_csr ? 2 : 1); i++)
    if (!sym_dtype_is_integer (array->indices[i].dtype))
      return FALSE;
  if (array->is_csr)
    return shape->rank == 2 && stored->rank == 1 &&
           (guint64) stored->dims[0] == array->indices[1].n &&
           (array->indices[0].n == (guint64) shape->dims[0] + 1 ||
            (array->indices[0].n == 0 && stored->dims[0] == 0));
  if (shape->rank < 1 || stored->rank != shape->rank ||
      (guint64) stored->dims[0] != array->indices[0].n)
    return FALSE;
  for (int i = 1; i < shape->rank; i++)
    if (stored->dims[i] != shape->dims[i])
      return FALSE;
  return TRUE;
}

SymTensor *
sym_store_params_open_sparse (SymBlob *source,
                              const SymStoreParamsSparse *array,
                              const char *path,
                              const char **skipped,
                              GError **error)
{
  g_autoptr (SymBlob) blob = NULL;
  guint64 n = 0, size = 0;
  SparseBlob *self;

  if (!is_consistent (array))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                      "the indices of a sparse array at byte %" G_GUINT64_FORMAT
                      " do not go with its shape",
                      array->indices[0].offset);
      return NULL;
    }
  if (!sym_shape_get_n_elements (&array->shape, &n) ||
      !sym_dtype_get_size (array->dtype, n, &size) || size / MAX_RATIO > source->size)
    {
      *skipped = "is sparse, and more than a thousand times as large as the file when it is not";
      return NULL;
    }

  self = g_new0 (SparseBlob, 1);
  blob = &self->parent;
  blob->klass = &sparse_blob_class;
  g_atomic_ref_count_init (&blob->ref_count);
  blob->size = size;
  self->source = sym_blob_ref (source);
  self->is_csr = array->is_csr;
  self->element_bytes = sym_dtype_get_bits (array->dtype) / 8;
  self->row_bytes = n == 0 ? 1 : size / (guint64) array->shape.dims[0];
  self->data = array->data;
  if (array->indices[0].n > 0 && n > 0 &&
      !(array->is_csr ? load_csr : load_rows) (self, array, path, error))
    return NULL;
  return sym_tensor_new (array->dtype, &array->shape, blob, 0, error);
}
