/* SPDX-License-Identifier: MIT */
#include "store/sym-store-params-private.h"

#include <string.h>

#define DEVICE_CPU 1

static void
append_u32 (GByteArray *bytes, guint32 value)
{
  guint32 raw = GUINT32_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &raw, sizeof raw);
}

static void
append_u64 (GByteArray *bytes, guint64 value)
{
  guint64 raw = GUINT64_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &raw, sizeof raw);
}

/* -1 for a dtype that MXNet has not. */
static int
find_type_flag (SymDType dtype)
{
  for (int i = 0; i < PARAMS_N_DTYPES; i++)
    if (params_dtypes[i] == dtype)
      return i;

  return -1;
}

/* V2, but a scalar as V3: in V2 rank 0 means an array without a shape. */
static gboolean
write_array (SymStoreWriter *writer, SymTensor *tensor, GError **error)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();
  const SymShape *shape = sym_tensor_get_shape (tensor);

  append_u32 (header, shape->rank == 0 ? PARAMS_V3_MAGIC : PARAMS_V2_MAGIC);
  append_u32 (header, 0);
  append_u32 (header, (guint32) shape->rank);
  for (int i = 0; i < shape->rank; i++)
    append_u64 (header, (guint64) shape->dims[i]);
  append_u32 (header, DEVICE_CPU);
  append_u32 (header, 0);
  append_u32 (header, (guint32) find_type_flag (sym_tensor_get_dtype (tensor)));
  return sym_store_writer_write (writer, header->data, header->len, error) &&
         sym_store_writer_write_tensor (writer, tensor, error);
}

static gboolean
write_names (SymStoreWriter *writer, const char *const *names, guint n, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  append_u64 (bytes, n);
  for (guint i = 0; i < n; i++)
    {
      size_t size = strlen (names[i]);

      append_u64 (bytes, size);
      g_byte_array_append (bytes, (const guint8 *) names[i], (guint) size);
    }
  return sym_store_writer_write (writer, bytes->data, bytes->len, error);
}

gboolean
sym_store_write_params (const char *path,
                        const char *const *names,
                        SymTensor *const *tensors,
                        guint n,
                        GError **error)
{
  g_autoptr (SymStoreWriter) writer = NULL;
  g_autoptr (GByteArray) header = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    if (find_type_flag (sym_tensor_get_dtype (tensors[i])) < 0)
      return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                             "cannot be written: MXNet has no dtype %s, which “%s” has",
                             sym_dtype_to_string (sym_tensor_get_dtype (tensors[i])), names[i]);

  writer = sym_store_writer_new (path, error);
  if (writer == NULL)
    return FALSE;

  append_u64 (header, PARAMS_LIST_MAGIC);
  append_u64 (header, 0);
  append_u64 (header, n);
  if (!sym_store_writer_write (writer, header->data, header->len, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!write_array (writer, tensors[i], error))
      return FALSE;

  return write_names (writer, names, n, error) && sym_store_writer_commit (writer, error);
}
