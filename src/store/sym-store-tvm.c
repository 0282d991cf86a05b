/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store-cursor-private.h"

/* TVM's `.params`: a list of names and one of arrays, all numbers little-endian.  Only headers are
 * read; each array is 40 bytes, 8 for each size, 8 for the number of bytes, and those. */

#define LIST_MAGIC G_GUINT64_CONSTANT (0xf7e58d4f05049cb7)
#define ARRAY_MAGIC G_GUINT64_CONSTANT (0xdd5e40f096b4a13f)
#define MAX_NAME_BYTES (1 << 20)

static gboolean
read_magic (SymStoreCursor *self, guint64 expected, const char *what, GError **error)
{
  guint64 start = self->at, found, reserved;

  if (!sym_store_cursor_read_u64 (self, &found, what, error) ||
      !sym_store_cursor_read_u64 (self, &reserved, what, error))
    return FALSE;
  return found == expected ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "%s should begin at byte %" G_GUINT64_FORMAT, what, start);
}

/* A count of things that take at least @least bytes each. */
static gboolean
read_count (SymStoreCursor *self, guint64 least, guint64 *n, const char *what, GError **error)
{
  guint64 start = self->at;

  if (!sym_store_cursor_read_u64 (self, n, what, error))
    return FALSE;
  return *n <= (sym_store_cursor_get_left (self)) / least ||
         sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                         "%s at byte %" G_GUINT64_FORMAT " is %" G_GUINT64_FORMAT
                         ", more than the file has room for",
                         what, start, *n);
}

static gboolean
read_names (SymStoreCursor *self, GPtrArray *names, GError **error)
{
  guint64 n, length;

  if (!read_count (self, 8, &n, "the number of names", error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *name = NULL;

      if (!read_count (self, 1, &length, "the length of a name", error))
        return FALSE;
      if (length > MAX_NAME_BYTES)
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                               "a name before byte %" G_GUINT64_FORMAT " has %" G_GUINT64_FORMAT
                               " bytes",
                               self->at, length);
      name = g_malloc0 ((gsize) length + 1);
      if (!sym_store_cursor_read (self, name, length, "a name", error))
        return FALSE;
      if (!g_utf8_validate_len (name, (gsize) length, NULL))
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                               "the name before byte %" G_GUINT64_FORMAT " is no UTF-8", self->at);
      g_ptr_array_add (names, g_steal_pointer (&name));
    }
  return TRUE;
}

/* DLPack's data types: a code, the bits of a lane, and lanes. */
static SymDType
find_dtype (guint8 code, guint8 bits, guint16 lanes)
{
  static const struct {
    guint8 code, bits;
    SymDType dtype;
  } table[] = {
    { 0, 8, SYM_DTYPE_INT8 },      { 0, 16, SYM_DTYPE_INT16 },   { 0, 32, SYM_DTYPE_INT32 },
    { 0, 64, SYM_DTYPE_INT64 },    { 1, 1, SYM_DTYPE_BOOL },     { 1, 8, SYM_DTYPE_UINT8 },
    { 1, 16, SYM_DTYPE_UINT16 },   { 1, 32, SYM_DTYPE_UINT32 },  { 1, 64, SYM_DTYPE_UINT64 },
    { 2, 16, SYM_DTYPE_FLOAT16 },  { 2, 32, SYM_DTYPE_FLOAT32 }, { 2, 64, SYM_DTYPE_FLOAT64 },
    { 4, 16, SYM_DTYPE_BFLOAT16 }, { 6, 8, SYM_DTYPE_BOOL },     { 6, 1, SYM_DTYPE_BOOL },
  };

  for (guint i = 0; lanes == 1 && i < G_N_ELEMENTS (table); i++)
    if (table[i].code == code && table[i].bits == bits)
      return table[i].dtype;
  return SYM_DTYPE_UNKNOWN;
}

/* The device, which says nothing, the rank and the data type. */
static gboolean
read_type (SymStoreCursor *self, SymDType *dtype, SymShape *shape, GError **error)
{
  guint64 start = self->at;
  guint8 head[16];
  guint32 rank;
  guint16 lanes;

  if (!sym_store_cursor_read (self, head, sizeof head, "an array", error))
    return FALSE;
  memcpy (&rank, head + 8, sizeof rank);
  memcpy (&lanes, head + 14, sizeof lanes);
  rank = GUINT32_FROM_LE (rank);
  *dtype = find_dtype (head[12], head[13], GUINT16_FROM_LE (lanes));
  if (rank > SYM_MAX_RANK)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the array at byte %" G_GUINT64_FORMAT
                           " has %u dimensions; 0 to %d are possible",
                           start, rank, SYM_MAX_RANK);
  *shape = sym_shape_new_unknown ((int) rank);
  for (guint32 i = 0; i < rank; i++)
    {
      guint64 size;

      if (!sym_store_cursor_read_u64 (self, &size, "a shape", error))
        return FALSE;
      if (size > G_MAXINT64)
        return sym_store_fail (
            error, SYM_STORE_ERROR_FORMAT, self->path,
            "dimension %u of the array at byte %" G_GUINT64_FORMAT " is negative", i, start);
      shape->dims[i] = (SymDim) size;
    }
  return TRUE;
}

static gboolean
check_size (SymStoreCursor *self,
            SymDType dtype,
            const SymShape *shape,
            guint64 size,
            GError **error)
{
  guint64 n, expected;

  if (!sym_shape_get_n_elements (shape, &n) || !sym_dtype_get_size (dtype, n, &expected) ||
      expected != size)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the array before byte %" G_GUINT64_FORMAT " has %" G_GUINT64_FORMAT
                           " bytes, which does not fit its shape",
                           self->at, size);
  return TRUE;
}

static gboolean
read_array (SymStoreCursor *self, const char *name, SymStoreTensors *tensors, GError **error)
{
  SymTensor *tensor;
  SymShape shape;
  SymDType dtype;
  guint64 size;

  if (!read_magic (self, ARRAY_MAGIC, "an array", error) ||
      !read_type (self, &dtype, &shape, error) ||
      !read_count (self, 1, &size, "the number of bytes", error))
    return FALSE;
  if (dtype == SYM_DTYPE_UNKNOWN)
    {
      sym_store_tensors_skip (tensors, name, "has elements of a type that is not known");
      self->at += size;
      return TRUE;
    }
  if (!check_size (self, dtype, &shape, size, error))
    return FALSE;
  tensor = sym_tensor_new (dtype, &shape, self->blob, self->at, error);
  if (tensor == NULL)
    return FALSE;
  self->at += size;
  sym_store_tensors_add (tensors, g_strdup (name), tensor);
  return TRUE;
}

SymStoreTensors *
sym_store_read_tvm (SymBlob *blob, const char *path, GError **error)
{
  g_autoptr (SymStoreTensors) tensors = sym_store_tensors_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SymStoreCursor self = { blob, path, 0 };
  guint64 n;

  if (!read_magic (&self, LIST_MAGIC, "a list of TVM's parameters", error) ||
      !read_names (&self, names, error) ||
      !read_count (&self, 40, &n, "the number of arrays", error))
    return NULL;
  if (n != names->len)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                      "there are %u names for %" G_GUINT64_FORMAT " arrays", names->len, n);
      return NULL;
    }
  for (guint i = 0; i < names->len; i++)
    if (!read_array (&self, g_ptr_array_index (names, i), tensors, error))
      return NULL;
  return g_steal_pointer (&tensors);
}
