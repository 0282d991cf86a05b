/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <zlib.h>

#include "store/sym-store-npy-private.h"
#include "store/sym-store-zip-private.h"

#define SUFFIX ".npy"

/* ---- Reading ---- */

/* The name that NumPy has for an array, whatever the file in the archive is called. */
static char *
make_name (const char *file)
{
  return g_str_has_suffix (file, SUFFIX) ? g_strndup (file, strlen (file) - strlen (SUFFIX))
                                         : g_strdup (file);
}

/* A file that is no array is no reason to refuse the others; one that cannot be read is. */
static gboolean
add_array (SymStoreTensors *tensors, SymStoreZip *zip, guint i, const char *path, GError **error)
{
  const char *file = sym_store_zip_get_name (zip, i);
  g_autofree char *name = make_name (file);
  g_autofree char *place = g_strdup_printf ("%s: %s", path, file);
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymBlob) blob = NULL;
  SymTensor *tensor = NULL;

  if (g_str_has_suffix (file, "/"))
    return TRUE;
  blob = sym_store_zip_open_entry (zip, i, &cause);
  if (blob != NULL)
    tensor = sym_store_npy_read (blob, place, &cause);
  if (tensor != NULL)
    sym_store_tensors_add (tensors, g_steal_pointer (&name), tensor);
  else if (g_error_matches (cause, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT))
    {
      g_autofree char *reason = g_strdup_printf ("is not read: %s", cause->message);

      sym_store_tensors_skip (tensors, name, reason);
    }
  else
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  return TRUE;
}

SymStoreTensors *
sym_store_npz_read (SymBlob *archive, const char *path, GError **error)
{
  g_autoptr (SymStoreZip) zip = sym_store_zip_open (archive, path, error);
  g_autoptr (SymStoreTensors) tensors = NULL;

  if (zip == NULL)
    return NULL;
  tensors = sym_store_tensors_new ();
  for (guint i = 0; i < sym_store_zip_get_n (zip); i++)
    if (!add_array (tensors, zip, i, path, error))
      return NULL;
  return g_steal_pointer (&tensors);
}

SymStoreTensors *
sym_store_open_npz (const char *path, GError **error)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (path, error);

  return blob == NULL ? NULL : sym_store_npz_read (blob, path, error);
}

/* ---- Writing ---- */

typedef struct {
  guint64 size;
  guint32 crc;
} Sum;

static gboolean
add_to_sum (gpointer data, const void *bytes, gsize size, GError **error)
{
  Sum *sum = data;

  sum->size += size;
  sum->crc = (guint32) crc32_z (sum->crc, bytes, size);
  return TRUE;
}

static gboolean
write_to_zip (gpointer data, const void *bytes, gsize size, GError **error)
{
  return sym_store_zip_writer_write (data, bytes, size, error);
}

/* The numbers are read twice, since size and CRC stand before them. */
static gboolean
write_array (SymStoreZipWriter *zip,
             const char *path,
             const char *name,
             SymTensor *tensor,
             GError **error)
{
  g_autofree char *file = g_strconcat (name, SUFFIX, NULL);
  Sum sum = { 0 };

  return sym_store_npy_write (tensor, path, add_to_sum, &sum, error) &&
         sym_store_zip_writer_begin (zip, file, sum.size, sum.crc, error) &&
         sym_store_npy_write (tensor, path, write_to_zip, zip, error);
}

static gboolean
check_names (const char *path, const char *const *names, guint n, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      if (*names[i] == '\0' || strlen (names[i]) > G_MAXUINT16 - strlen (SUFFIX) ||
          !g_utf8_validate (names[i], -1, NULL))
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: the name of array %u is empty, too long or not"
                               " UTF-8",
                               i);
      if (!g_hash_table_add (seen, (gpointer) names[i]))
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: the name “%s” is taken; names must differ",
                               names[i]);
    }
  return TRUE;
}

gboolean
sym_store_write_npz (const char *path,
                     const char *const *names,
                     SymTensor *const *tensors,
                     guint n,
                     GError **error)
{
  g_autoptr (SymStoreWriter) writer = NULL;
  g_autoptr (SymStoreZipWriter) zip = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  if (!check_names (path, names, n, error))
    return FALSE;
  writer = sym_store_writer_new (path, error);
  if (writer == NULL)
    return FALSE;
  zip = sym_store_zip_writer_new (writer);
  for (guint i = 0; i < n; i++)
    if (!write_array (zip, path, names[i], tensors[i], error))
      return FALSE;
  return sym_store_zip_writer_finish (zip, error) && sym_store_writer_commit (writer, error);
}
