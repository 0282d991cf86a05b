/* SPDX-License-Identifier: MIT */
#include "io/sym-numbers-private.h"

#include <stdio.h>
#include <string.h>

#include "io/sym-io.h"
#include "store/sym-store-numpy.h"

#define NPY ".npy"
#define MANIFEST "manifest.json"

gboolean
sym_numbers_refuse (const char *path, GError **error)
{
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
               "%s: neither .npz nor .npy, nor a folder of .npy, nor Model Explorer node data",
               path);
  return sym_failed ();
}

/* ---- Making ---- */

static SymNumbers *
create (void)
{
  SymNumbers *self = g_new0 (SymNumbers, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  self->skipped = g_ptr_array_new_with_free_func (g_free);
  self->has_dtypes = TRUE;
  return self;
}

void
sym_numbers_add (SymNumbers *self, const char *name, SymTensor *tensor)
{
  g_ptr_array_add (self->names, g_strdup (name));
  g_ptr_array_add (self->tensors, tensor);
}

void
sym_numbers_skip (SymNumbers *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->skipped, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

gboolean
sym_numbers_add_npy (SymNumbers *self, const char *name, const char *path, GError **error)
{
  SymTensor *tensor = sym_store_open_npy (path, error);

  if (tensor == NULL)
    return FALSE;
  sym_numbers_add (self, name, tensor);
  return TRUE;
}

/* ---- Kinds of files ---- */

/* "conv%2F1.npy" is of "conv/1". */
static char *
name_file (const char *file)
{
  g_autofree char *base = g_path_get_basename (file);
  g_autofree char *stem =
      g_strndup (base, strlen (base) - (g_str_has_suffix (base, NPY) ? strlen (NPY) : 0));
  g_autofree char *name = g_uri_unescape_string (stem, NULL);

  return g_utf8_make_valid (name != NULL ? name : stem, -1);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_npy (const char *folder, GError **error)
{
  g_autoptr (GDir) entries = g_dir_open (folder, 0, error);
  GPtrArray *paths = NULL;
  const char *name;

  if (entries == NULL)
    return NULL;
  paths = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (entries)) != NULL)
    if (g_str_has_suffix (name, NPY))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

static gboolean
read_folder (SymNumbers *self, const char *folder, GCancellable *cancellable, GError **error)
{
  g_autofree char *manifest = g_build_filename (folder, MANIFEST, NULL);
  g_autoptr (GPtrArray) paths = list_npy (folder, error);

  if (paths == NULL)
    return FALSE;
  if (paths->len == 0)
    return sym_numbers_refuse (folder, error);
  if (g_file_test (manifest, G_FILE_TEST_EXISTS))
    return sym_numbers_read_json (self, manifest, cancellable, error);
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *name = name_file (paths->pdata[i]);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !sym_numbers_add_npy (self, name, paths->pdata[i], error))
        return FALSE;
    }
  return TRUE;
}

/* A zip without arrays is something else, as is one that is broken: the reader of graphs tells of
 * it. */
static gboolean
read_npz (SymNumbers *self, const char *path, GError **error)
{
  g_autoptr (SymStoreTensors) tensors = sym_store_open_npz (path, NULL);
  guint n = tensors != NULL ? sym_store_tensors_get_n (tensors) : 0;
  const char *const *skipped = n > 0 ? sym_store_tensors_get_skipped (tensors) : NULL;

  if (n == 0)
    return sym_numbers_refuse (path, error);
  for (guint i = 0; i < n; i++)
    sym_numbers_add (self, sym_store_tensors_get_name (tensors, i),
                     sym_tensor_ref (sym_store_tensors_get (tensors, i)));
  for (guint i = 0; skipped[i] != NULL; i++)
    sym_numbers_skip (self, "%s", skipped[i]);
  return TRUE;
}

static gboolean
read_npy (SymNumbers *self, const char *path, GError **error)
{
  g_autofree char *name = name_file (path);

  return sym_numbers_add_npy (self, name, path, error);
}

/* What a file begins with; nothing when it cannot be read. */
static void
peek (const char *path, char start[8])
{
  FILE *file = fopen (path, "rb");
  gsize n = file != NULL ? fread (start, 1, 7, file) : 0;

  start[n] = '\0';
  if (file != NULL)
    fclose (file);
}

static gboolean
read_any (SymNumbers *self, const char *path, GCancellable *cancellable, GError **error)
{
  char start[8];

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return read_folder (self, path, cancellable, error);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return sym_numbers_refuse (path, error);
  peek (path, start);
  if (g_str_has_prefix (start, "PK"))
    return read_npz (self, path, error);
  if (g_str_has_prefix (start, "\x93NUMPY"))
    return read_npy (self, path, error);
  return sym_numbers_read_json (self, path, cancellable, error);
}

SymNumbers *
sym_numbers_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  SymNumbers *self = create ();

  if (!read_any (self, path, cancellable, error))
    {
      sym_numbers_unref (self);
      return NULL;
    }
  g_ptr_array_add (self->skipped, NULL);
  return self;
}

SymNumbers *
sym_numbers_ref (SymNumbers *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_numbers_unref (SymNumbers *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->skipped);
  g_free (self);
}

guint
sym_numbers_get_n (const SymNumbers *self)
{
  return self->names->len;
}

const char *const *
sym_numbers_get_names (const SymNumbers *self)
{
  return (const char *const *) self->names->pdata;
}

SymTensor *const *
sym_numbers_get_tensors (const SymNumbers *self)
{
  return (SymTensor *const *) self->tensors->pdata;
}

gboolean
sym_numbers_has_dtypes (const SymNumbers *self)
{
  return self->has_dtypes;
}

const char *const *
sym_numbers_get_skipped (const SymNumbers *self)
{
  return (const char *const *) self->skipped->pdata;
}
