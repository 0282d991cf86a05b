/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

#include <string.h>

#include "store/sym-store.h"

gboolean
sym_onnx_is_external (const SymProtoMessage *tensor)
{
  return sym_proto_get_int (tensor, ONNX_TENSOR_DATA_LOCATION, 0) == ONNX_EXTERNAL;
}

static const char *
find_key (const SymProtoMessage *tensor, const char *key)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (tensor, ONNX_TENSOR_EXTERNAL_DATA, &at)) != NULL;)
    if (g_strcmp0 (sym_proto_get_text (entry->message, ONNX_ENTRY_KEY), key) == 0)
      return sym_proto_get_text (entry->message, ONNX_ENTRY_VALUE);

  return NULL;
}

/* A number of the entry @key, *@number left alone where there is none. */
static gboolean
read_number (const SymProtoMessage *tensor, const char *key, guint64 *number, GError **error)
{
  const char *text = find_key (tensor, key);

  if (text == NULL || *text == '\0' || g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, number,
                                                                   NULL))
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "the %s of its external data is “%s”, which is no number of bytes", key, text);
  return FALSE;
}

/* A model must not make us open any file that it likes: only what lies in its folder or below. */
static gboolean
check_location (const char *location, GError **error)
{
  g_auto (GStrv) parts = NULL;

  if (location == NULL || *location == '\0')
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                           "its numbers are in another file, but it does not say in which");
      return FALSE;
    }
  parts = g_strsplit (location, "/", -1);
  if (g_path_is_absolute (location) || g_strv_contains ((const char *const *) parts, ".."))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "its external data “%s” lies outside of the folder of the model, where it is not "
                   "looked for",
                   location);
      return FALSE;
    }
  return TRUE;
}

/* A model with many tensors in one file opens it once. */
static SymBlob *
open_blob (SymOnnxFile *file, const char *location, GError **error)
{
  SymBlob *blob = g_hash_table_lookup (file->external, location);
  g_autofree char *path = NULL;
  g_autoptr (GError) cause = NULL;

  if (blob != NULL)
    return blob;
  path = g_build_filename (file->folder, location, NULL);
  blob = sym_store_open_file (path, &cause);
  if (blob == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "its external data: %s",
                   cause->message);
      return NULL;
    }
  g_hash_table_insert (file->external, g_strdup (location), blob);
  return blob;
}

static gboolean
check_length (const SymProtoMessage *message,
              SymDType dtype,
              const SymShape *shape,
              GError **error)
{
  guint64 n_elements, n_bytes, length;

  if (!sym_shape_get_n_elements (shape, &n_elements)
      || !sym_dtype_get_size (dtype, n_elements, &n_bytes))
    return TRUE;
  length = n_bytes;
  if (!read_number (message, "length", &length, error))
    return FALSE;
  if (length >= n_bytes)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "its external data has %" G_GUINT64_FORMAT " bytes, but its shape takes %"
               G_GUINT64_FORMAT,
               length, n_bytes);
  return FALSE;
}

SymTensor *
sym_onnx_open_external (SymOnnxFile *file,
                        const SymProtoMessage *message,
                        SymDType dtype,
                        const SymShape *shape,
                        GError **error)
{
  const char *location = find_key (message, "location");
  guint64 offset = 0;
  SymBlob *blob;

  if (!check_location (location, error) || !read_number (message, "offset", &offset, error)
      || !check_length (message, dtype, shape, error))
    return NULL;
  if (file->folder == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE,
                   "its external data “%s” has no place without a file", location);
      return NULL;
    }
  blob = open_blob (file, location, error);
  return blob == NULL ? NULL : sym_tensor_new (dtype, shape, blob, offset, error);
}
