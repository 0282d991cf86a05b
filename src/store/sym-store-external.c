/* SPDX-License-Identifier: MIT */
#include "store/sym-store-external.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/sym-store-private.h"

#define PAGE_BYTES 4096
#define LINE_BYTES 64
#define PAGED_FROM (1 << 20) /* as ONNX Runtime's writer */

/* A file that was asked for: open, or why not. */
typedef struct {
  SymBlob *blob;
  GError *error;
} File;

struct _SymStoreExternal {
  char *folder;      /* NULL for none */
  GHashTable *files; /* location to File */
};

static void
free_file (gpointer data)
{
  File *file = data;

  g_clear_pointer (&file->blob, sym_blob_unref);
  g_clear_error (&file->error);
  g_free (file);
}

SymStoreExternal *
sym_store_open_external (const char *folder)
{
  SymStoreExternal *self = g_new0 (SymStoreExternal, 1);

  self->folder = g_strdup (folder);
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_file);
  return self;
}

void
sym_store_external_free (SymStoreExternal *self)
{
  g_hash_table_unref (self->files);
  g_free (self->folder);
  g_free (self);
}

/* Without the name of the model, which the caller has. */
static gboolean G_GNUC_PRINTF (3, 4)
    fail (GError **error, SymStoreError code, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, SYM_STORE_ERROR, code, "its external data %s", message);
  return FALSE;
}

/* ---- Finding the file ---- */

static gboolean
is_inside_by_name (const char *location)
{
  g_auto (GStrv) parts = g_strsplit (location, "/", -1);

  return *location != '\0' && !g_path_is_absolute (location) &&
         !g_strv_contains ((const char *const *) parts, "..");
}

static gboolean
is_inside (const char *path, const char *folder)
{
  size_t n = strlen (folder);

  return strncmp (path, folder, n) == 0 && (path[n] == '/' || (n > 0 && folder[n - 1] == '/'));
}

static char *
fail_to_open (const char *path, GError **error)
{
  sym_store_fail_errno (error, path, "cannot be opened", errno);
  g_prefix_error_literal (error, "its external data: ");
  return NULL;
}

/* The file with all symbolic links followed.  NULL on error.  To follow them takes a call for each
 * folder on the way, which is too much where a thousand files are missing. */
static char *
resolve (const SymStoreExternal *self, const char *location, const char *path, GError **error)
{
  g_autofree char *folder = NULL, *real = NULL;

  if (access (path, F_OK) != 0)
    return fail_to_open (path, error);
  folder = realpath (self->folder, NULL);
  if (folder == NULL)
    return fail_to_open (self->folder, error);
  real = realpath (path, NULL);
  if (real == NULL)
    return fail_to_open (path, error);
  if (!is_inside (real, folder))
    {
      fail (error, SYM_STORE_ERROR_FORMAT,
            "“%s” is a link out of the folder of the model, to %s, where it is not looked for",
            location, real);
      return NULL;
    }
  return g_steal_pointer (&real);
}

static SymBlob *
open_location (const SymStoreExternal *self, const char *location, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *real = NULL;

  if (self->folder == NULL)
    {
      fail (error, SYM_STORE_ERROR_FILE, "“%s” has no place without a file", location);
      return NULL;
    }
  if (!is_inside_by_name (location))
    {
      fail (error, SYM_STORE_ERROR_FORMAT,
            "“%s” lies outside of the folder of the model, where it is not looked for", location);
      return NULL;
    }
  path = g_build_filename (self->folder, location, NULL);
  real = resolve (self, location, path, error);
  return real == NULL ? NULL : sym_store_open_file (real, error);
}

SymBlob *
sym_store_open_beside (const char *folder, const char *location, GError **error)
{
  SymStoreExternal place = { (char *) folder, NULL };

  return open_location (&place, location, error);
}

static SymBlob *
find_blob (SymStoreExternal *self, const char *location, GError **error)
{
  File *file = g_hash_table_lookup (self->files, location);

  if (file == NULL)
    {
      file = g_new0 (File, 1);
      file->blob = open_location (self, location, &file->error);
      g_hash_table_insert (self->files, g_strdup (location), file);
    }
  if (file->blob == NULL && error != NULL)
    *error = g_error_copy (file->error);
  return file->blob;
}

/* ---- Reading ---- */

static gboolean
parse_decimal (const char *name, const char *text, guint64 *value, GError **error)
{
  guint64 number = 0;
  gboolean is_number = *text != '\0';

  for (const char *at = text; *at != '\0' && is_number; at++)
    is_number = g_ascii_isdigit (*at) && g_uint64_checked_mul (&number, number, 10) &&
                g_uint64_checked_add (&number, number, (guint64) (*at - '0'));
  if (!is_number)
    return fail (error, SYM_STORE_ERROR_FORMAT,
                 "has the %s “%s”; a decimal number below 2^64 was expected", name, text);
  *value = number;
  return TRUE;
}

SymTensor *
sym_store_external_get (SymStoreExternal *self,
                        const char *location,
                        const char *offset,
                        const char *length,
                        SymDType dtype,
                        const SymShape *shape,
                        GError **error)
{
  g_autoptr (SymTensor) tensor = NULL;
  guint64 start = 0, size = 0;
  SymBlob *blob;

  g_return_val_if_fail (self != NULL && location != NULL && shape != NULL, NULL);

  if ((offset != NULL && !parse_decimal ("offset", offset, &start, error)) ||
      (length != NULL && !parse_decimal ("length", length, &size, error)))
    return NULL;
  blob = find_blob (self, location, error);
  if (blob == NULL)
    return NULL;
  tensor = sym_tensor_new (dtype, shape, blob, start, error);
  if (tensor == NULL)
    {
      g_prefix_error (error, "its external data “%s”: ", location);
      return NULL;
    }
  if (length != NULL && size != sym_tensor_get_n_bytes (tensor))
    {
      fail (error, SYM_STORE_ERROR_FORMAT,
            "has the length %s, but dtype and shape take %" G_GUINT64_FORMAT " bytes", length,
            sym_tensor_get_n_bytes (tensor));
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

/* ---- Writing ---- */

static gboolean
write_zeros (SymStoreWriter *writer, guint64 n, GError **error)
{
  static const char zeros[PAGE_BYTES];

  return sym_store_writer_write (writer, zeros, (gsize) n, error);
}

/* How many bytes are left free before a tensor of @size bytes at @offset. */
static guint64
get_padding (guint64 offset, guint64 size)
{
  guint64 alignment = size >= PAGED_FROM ? PAGE_BYTES : LINE_BYTES;

  return (alignment - offset % alignment) % alignment;
}

gboolean
sym_store_write_external (const char *path,
                          SymTensor *const *tensors,
                          guint n,
                          guint64 *offsets,
                          GError **error)
{
  g_autoptr (SymStoreWriter) writer = NULL;
  g_autofree guint64 *begins = g_new (guint64, n + 1);
  guint64 at = 0;

  for (guint i = 0; i < n; i++)
    if (sym_tensor_get_dtype (tensors[i]) == SYM_DTYPE_STRING)
      return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                             "cannot be written: ONNX has no strings in external data");

  writer = sym_store_writer_new (path, error);
  if (writer == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint64 size = sym_tensor_get_n_bytes (tensors[i]);
      guint64 padding = get_padding (at, size);

      if (!write_zeros (writer, padding, error) ||
          !sym_store_writer_write_tensor (writer, tensors[i], error))
        return FALSE;
      begins[i] = at + padding;
      at += padding + size;
    }
  if (!sym_store_writer_commit (writer, error))
    return FALSE;

  if (n > 0)
    memcpy (offsets, begins, n * sizeof *begins);
  return TRUE;
}
