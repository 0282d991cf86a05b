/* SPDX-License-Identifier: MIT */
#include <zlib.h>

#include "store/sym-store-zip-private.h"

static gboolean
add_to_sum (gpointer crc, const void *bytes, gsize size, GError **error)
{
  *(guint32 *) crc = (guint32) crc32_z (*(guint32 *) crc, bytes, size);
  return TRUE;
}

static gboolean
write_to_zip (gpointer zip, const void *bytes, gsize size, GError **error)
{
  return sym_store_zip_writer_write (zip, bytes, size, error);
}

static gboolean
write_entry (SymStoreZipWriter *zip, const char *name, SymBlob *blob, GError **error)
{
  guint32 crc = 0;

  return sym_store_stream_blob (blob, add_to_sum, &crc, error) &&
         sym_store_zip_writer_begin (zip, name, blob->size, crc, error) &&
         sym_store_stream_blob (blob, write_to_zip, zip, error);
}

gboolean
sym_store_write_zip (const char *path,
                     const char *const *names,
                     SymBlob *const *blobs,
                     guint n,
                     GError **error)
{
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (path, error);
  g_autoptr (SymStoreZipWriter) zip = NULL;

  if (writer == NULL)
    return FALSE;
  zip = sym_store_zip_writer_new (writer);
  for (guint i = 0; i < n; i++)
    if (!write_entry (zip, names[i], blobs[i], error))
      return FALSE;
  return sym_store_zip_writer_finish (zip, error) && sym_store_writer_commit (writer, error);
}
