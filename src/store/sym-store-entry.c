/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store-zip-private.h"
#include "store/sym-store.h"

/* What is asked for grows with what comes out: a directory can claim any size. */
#define CHUNK (1u << 20)

static GBytes *
read_blob (SymBlob *entry, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  while (bytes->len < entry->size)
    {
      guint start = bytes->len;
      guint n = (guint) MIN (entry->size - start, CHUNK);

      g_byte_array_set_size (bytes, start + n);
      if (!sym_blob_read (entry, start, n, bytes->data + start, error))
        return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

GBytes *
sym_store_read_entry (SymBlob *archive,
                      const char *path,
                      const char *name,
                      guint64 max_size,
                      GError **error)
{
  g_autoptr (SymStoreZip) zip = sym_store_zip_open (archive, path, error);
  g_autoptr (SymBlob) entry = NULL;

  if (zip == NULL)
    return NULL;
  for (guint i = 0; i < sym_store_zip_get_n (zip); i++)
    if (strcmp (sym_store_zip_get_name (zip, i), name) == 0)
      {
        entry = sym_store_zip_open_entry (zip, i, error);
        if (entry == NULL)
          return NULL;
        if (entry->size <= MIN (max_size, G_MAXUINT / 2))
          return read_blob (entry, error);
        g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE,
                     "%s: “%s” in the archive is larger than %" G_GUINT64_FORMAT " bytes", path,
                     name, max_size);
        return NULL;
      }
  g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT,
               "%s: there is no “%s” in the archive", path, name);
  return NULL;
}
