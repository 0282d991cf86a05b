/* SPDX-License-Identifier: MIT */
#include "store/sym-store-params-private.h"

#include "store/sym-store-cursor-private.h"
#include "store/sym-store-npy-private.h"

#include <string.h>

#define MAX_NAME_BYTES (1 << 20)

typedef enum {
  STORAGE_DEFAULT,
  STORAGE_ROW_SPARSE,
  STORAGE_CSR,
} Storage;

/* What is known of one array; without a @tensor it can only be named. */
typedef struct {
  SymTensor *tensor;
  const char *skipped;
} Array;

static void
clear_array (gpointer data)
{
  Array *array = data;

  g_clear_pointer (&array->tensor, sym_tensor_unref);
}

/* @rank as read; dims of 4 bytes in V0, of 8 later. */
static gboolean
read_dims (SymStoreCursor *self, gint32 rank, gboolean is_wide, SymShape *shape, GError **error)
{
  guint64 start = self->at;

  if (rank < 0 || rank > SYM_MAX_RANK)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the array before byte %" G_GUINT64_FORMAT
                           " has %d dimensions; 0 to %d are possible",
                           start, rank, SYM_MAX_RANK);
  *shape = sym_shape_new_unknown (rank);
  for (gint32 i = 0; i < rank; i++)
    {
      guint32 narrow = 0;
      guint64 wide = 0;

      if (is_wide ? !sym_store_cursor_read_u64 (self, &wide, "a shape", error)
                  : !sym_store_cursor_read_u32 (self, &narrow, "a shape", error))
        return FALSE;
      if (wide > G_MAXINT64)
        return sym_store_fail (
            error, SYM_STORE_ERROR_FORMAT, self->path,
            "dimension %d of the shape at byte %" G_GUINT64_FORMAT " is negative", i, start);
      shape->dims[i] = (SymDim) (is_wide ? wide : narrow);
    }
  return TRUE;
}

static gboolean
read_shape (SymStoreCursor *self, SymShape *shape, GError **error)
{
  guint32 rank;

  if (!sym_store_cursor_read_u32 (self, &rank, "a shape", error))
    return FALSE;
  return read_dims (self, (gint32) rank, TRUE, shape, error);
}

static gboolean
read_dtype (SymStoreCursor *self, SymDType *dtype, GError **error)
{
  guint64 start = self->at;
  guint32 flag;

  if (!sym_store_cursor_read_u32 (self, &flag, "a dtype", error))
    return FALSE;
  if (flag >= PARAMS_N_DTYPES)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the dtype at byte %" G_GUINT64_FORMAT " is %d; known are 0 to %d",
                           start, (gint32) flag, PARAMS_N_DTYPES - 1);
  *dtype = params_dtypes[flag];
  return TRUE;
}

static gboolean
get_size (SymStoreCursor *self,
          SymDType dtype,
          const SymShape *shape,
          guint64 *size,
          GError **error)
{
  guint64 n;

  if (sym_shape_get_n_elements (shape, &n) && sym_dtype_get_size (dtype, n, size))
    return TRUE;
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "the shape before byte %" G_GUINT64_FORMAT " has too many elements",
                         self->at);
}

/* The dtype and shape of the indices, of which only their number is of use. */
static gboolean
read_indices (SymStoreCursor *self, SymStoreParamsIndices *indices, guint64 *size, GError **error)
{
  SymShape shape;

  return read_dtype (self, &indices->dtype, error) && read_shape (self, &shape, error) &&
         get_size (self, indices->dtype, &shape, size, error) &&
         sym_shape_get_n_elements (&shape, &indices->n);
}

/* The rest of a sparse array after its shape: the elements, and behind them the indices. */
static gboolean
read_sparse (SymStoreCursor *self,
             Storage storage,
             const SymShape *shape,
             const SymShape *stored,
             Array *array,
             GError **error)
{
  SymStoreParamsSparse sparse = { .is_csr = storage == STORAGE_CSR,
                                  .shape = *shape,
                                  .stored = *stored };
  guint n_indices = sparse.is_csr ? 2 : 1;
  guint64 size, sizes[2];

  if (!sym_store_cursor_skip (self, 8, "a device", error) ||
      !read_dtype (self, &sparse.dtype, error) ||
      !get_size (self, sparse.dtype, stored, &size, error))
    return FALSE;
  for (guint i = 0; i < n_indices; i++)
    if (!read_indices (self, &sparse.indices[i], &sizes[i], error))
      return FALSE;
  sparse.data = self->at;
  if (!sym_store_cursor_skip (self, size, "the elements of a sparse array", error))
    return FALSE;
  for (guint i = 0; i < n_indices; i++)
    {
      sparse.indices[i].offset = self->at;
      if (!sym_store_cursor_skip (self, sizes[i], "the indices of a sparse array", error))
        return FALSE;
    }
  array->tensor =
      sym_store_params_open_sparse (self->blob, &sparse, self->path, &array->skipped, error);
  return array->tensor != NULL || array->skipped != NULL;
}

static gboolean
read_dense (SymStoreCursor *self, const SymShape *shape, Array *array, GError **error)
{
  SymDType dtype;
  guint64 size;

  if (!sym_store_cursor_skip (self, 8, "a device", error) || !read_dtype (self, &dtype, error) ||
      !get_size (self, dtype, shape, &size, error) ||
      !sym_store_cursor_need (self, size, "an array", error))
    return FALSE;

  array->tensor = sym_tensor_new (dtype, shape, self->blob, self->at, error);
  self->at += size;
  return array->tensor != NULL;
}

static gboolean
read_storage (SymStoreCursor *self, Storage *storage, SymShape *stored, GError **error)
{
  guint64 start = self->at;
  guint32 type;

  if (!sym_store_cursor_read_u32 (self, &type, "a storage type", error))
    return FALSE;
  if (type > STORAGE_CSR)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the storage type at byte %" G_GUINT64_FORMAT
                           " is %d; known are 0 (dense), 1 (row_sparse) and 2 (csr)",
                           start, (gint32) type);
  *storage = (Storage) type;
  return *storage == STORAGE_DEFAULT || read_shape (self, stored, error);
}

/* The shape of an array with @magic.  *@is_absent when the array has none and so ends here. */
static gboolean
read_array_shape (SymStoreCursor *self,
                  guint32 magic,
                  SymShape *shape,
                  gboolean *is_absent,
                  GError **error)
{
  guint32 rank = magic; /* V0 starts with it */
  gboolean is_v0 = magic != PARAMS_V1_MAGIC && magic != PARAMS_V2_MAGIC && magic != PARAMS_V3_MAGIC;

  if (!is_v0 && !sym_store_cursor_read_u32 (self, &rank, "a shape", error))
    return FALSE;
  /* V3 has NumPy's semantics: rank 0 is a scalar, -1 is no shape. */
  *is_absent = rank == (magic == PARAMS_V3_MAGIC ? G_MAXUINT32 : 0);
  return *is_absent || read_dims (self, (gint32) rank, !is_v0, shape, error);
}

static gboolean
read_array (SymStoreCursor *self, Array *array, GError **error)
{
  Storage storage = STORAGE_DEFAULT;
  SymShape shape = SYM_SHAPE ();
  SymShape stored = SYM_SHAPE ();
  gboolean is_absent;
  guint32 magic;

  if (!sym_store_cursor_read_u32 (self, &magic, "an array", error))
    return FALSE;
  if ((magic == PARAMS_V2_MAGIC || magic == PARAMS_V3_MAGIC) &&
      !read_storage (self, &storage, &stored, error))
    return FALSE;
  if (!read_array_shape (self, magic, &shape, &is_absent, error))
    return FALSE;

  if (is_absent)
    {
      array->skipped = "is empty: it has no shape";
      return TRUE;
    }
  if (storage == STORAGE_DEFAULT)
    return read_dense (self, &shape, array, error);

  return read_sparse (self, storage, &shape, &stored, array, error);
}

static gboolean
read_arrays (SymStoreCursor *self, GArray *arrays, GError **error)
{
  guint64 magic, n;

  if (!sym_store_cursor_read_u64 (self, &magic, "the magic number", error))
    return FALSE;
  if (magic != PARAMS_LIST_MAGIC)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "is not MXNet's: it starts with 0x%" G_GINT64_MODIFIER
                           "x, not with 0x%x",
                           magic, PARAMS_LIST_MAGIC);
  if (!sym_store_cursor_skip (self, 8, "the header", error) ||
      !sym_store_cursor_read_u64 (self, &n, "the header", error))
    return FALSE;
  /* Even an array without a shape takes four bytes. */
  if (n > sym_store_cursor_get_left (self) / 4 || n > G_MAXINT32)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "ends too early: %" G_GUINT64_FORMAT
                           " arrays do not fit into the %" G_GUINT64_FORMAT
                           " bytes after byte %" G_GUINT64_FORMAT,
                           n, sym_store_cursor_get_left (self), self->at);

  for (guint64 i = 0; i < n; i++)
    {
      Array array = { NULL, NULL };

      if (!read_array (self, &array, error))
        return FALSE;
      g_array_append_val (arrays, array);
    }
  return TRUE;
}

static char *
read_name (SymStoreCursor *self, GError **error)
{
  g_autofree char *name = NULL;
  guint64 start = self->at;
  guint64 size;

  if (!sym_store_cursor_read_u64 (self, &size, "a name", error) ||
      !sym_store_cursor_need (self, size, "a name", error))
    return NULL;
  if (size > MAX_NAME_BYTES)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                      "the name at byte %" G_GUINT64_FORMAT " has %" G_GUINT64_FORMAT
                      " bytes; at most %d are accepted",
                      start, size, MAX_NAME_BYTES);
      return NULL;
    }
  name = g_malloc0 ((gsize) size + 1);
  if (!sym_store_cursor_read (self, name, size, "a name", error))
    return NULL;
  if (!g_utf8_validate_len (name, (gsize) size, NULL))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                      "the name at byte %" G_GUINT64_FORMAT " is not UTF-8 text", start);
      return NULL;
    }
  return g_steal_pointer (&name);
}

/* Takes the tensors out of @arrays. */
static gboolean
read_names (SymStoreCursor *self, GArray *arrays, SymStoreTensors *tensors, GError **error)
{
  guint64 start = self->at;
  guint64 n;

  if (!sym_store_cursor_read_u64 (self, &n, "the number of names", error))
    return FALSE;
  if (n != 0 && n != arrays->len)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "has %" G_GUINT64_FORMAT " names at byte %" G_GUINT64_FORMAT
                           " for %u arrays; there must be as many, or none",
                           n, start, arrays->len);

  for (guint i = 0; i < arrays->len; i++)
    {
      Array *array = &g_array_index (arrays, Array, i);
      g_autofree char *name = n == 0 ? g_strdup_printf ("%u", i) : read_name (self, error);

      if (name == NULL)
        return FALSE;
      if (array->tensor == NULL)
        sym_store_tensors_skip (tensors, name, array->skipped);
      else
        sym_store_tensors_add (tensors, g_steal_pointer (&name), g_steal_pointer (&array->tensor));
    }
  if (sym_store_cursor_get_left (self) > 0)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "should end at byte %" G_GUINT64_FORMAT ", but %" G_GUINT64_FORMAT
                           " bytes follow",
                           self->at, sym_store_cursor_get_left (self));
  return TRUE;
}

/* MXNet 2 saves arrays of NumPy's kind as NumPy does, under the same file name. */
static gboolean
is_zip (SymBlob *blob)
{
  char start[4];

  return sym_blob_read (blob, 0, sizeof start, start, NULL) && memcmp (start, "PK\3\4", 4) == 0;
}

SymStoreTensors *
sym_store_open_params (const char *path, GError **error)
{
  g_autoptr (SymStoreTensors) tensors = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (GArray) arrays = NULL;
  SymStoreCursor reader = { .path = path };

  blob = sym_store_open_file (path, error);
  if (blob == NULL)
    return NULL;

  if (is_zip (blob))
    return sym_store_npz_read (blob, path, error);

  tensors = sym_store_tensors_new ();
  arrays = g_array_new (FALSE, FALSE, sizeof (Array));
  g_array_set_clear_func (arrays, clear_array);
  reader.blob = blob;
  if (!read_arrays (&reader, arrays, error) || !read_names (&reader, arrays, tensors, error))
    return NULL;
  return g_steal_pointer (&tensors);
}
