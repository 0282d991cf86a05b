/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

#include "io/sym-json.h"
#include "store/sym-store.h"

/* So many files of a folder are looked at, until so many may be graphs, of which so many are named.
 */
#define MAX_LOOKS 1000
#define MAX_GRAPHS 16
#define MAX_NAMED 4

/* Files with data, such as a list of labels, are often longer than any graph in JSON, or in another
 * text that begins with a mark. */
#define MAX_TEXT_SIZE (64 << 20)

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Hidden files are left out, as file managers do. */
static GPtrArray *
list_files (const char *path, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) folder = g_dir_open (path, 0, error);
  const char *name;

  if (folder == NULL)
    return NULL;
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *whole = g_build_filename (path, name, NULL);

      if (name[0] != '.' && g_file_test (whole, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_names);
  return g_steal_pointer (&names);
}

static gboolean
is_json_graph (const char *path, const SymIoSource *source)
{
  g_autoptr (GBytes) bytes =
      sym_store_read_all (path, MAX_TEXT_SIZE, NULL, source->cancellable, NULL);
  g_autoptr (SymJson) json = bytes == NULL ? NULL : sym_io_parse_json (bytes, source, NULL);
  int score;

  return json != NULL && sym_io_find_best (json, &score) != NULL;
}

/* What cannot be read is none. */
static gboolean
is_graph (const char *path, const SymIoSource *source)
{
  g_autoptr (SymBlob) file = sym_store_open_file (path, NULL);
  g_autoptr (SymBlob) blob = NULL;
  g_autofree guint8 *start = g_malloc (SYM_IO_LOOK_BYTES);
  gsize n;
  int score;

  if (file == NULL)
    return FALSE;
  n = (gsize) MIN (file->size, SYM_IO_LOOK_BYTES);
  if (n == 0 || !sym_blob_read (file, 0, n, start, NULL))
    return FALSE;
  if (!sym_io_is_marked (start, n))
    blob = sym_blob_ref (file);
  else if (file->size <= MAX_TEXT_SIZE)
    blob = sym_io_unmark (file, start, &n, NULL);
  if (blob == NULL)
    return FALSE;
  if (sym_io_find_best_bytes (start, n, blob->size, &score) != NULL)
    return TRUE;
  if (sym_store_is_archive (start, n))
    return sym_io_archive_has_graph (blob, source);
  return sym_io_looks_like_json (start, n) && is_json_graph (path, source);
}

/* More than the first bytes tell: an HDF5 file may have but the weights of what lies beside it. */
static void
keep_read (GPtrArray *graphs, const char *path, GCancellable *cancellable)
{
  for (guint i = graphs->len; i-- > 0;)
    {
      g_autofree char *whole = g_build_filename (path, graphs->pdata[i], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read (whole, cancellable, &error);

      if (model == NULL && g_error_matches (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED))
        g_ptr_array_remove_index (graphs, i);
    }
}

static void
refuse_many (const GPtrArray *graphs, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (graphs->len, MAX_NAMED); i++)
    {
      g_autofree char *shown = g_filename_display_name (graphs->pdata[i]);

      g_string_append_printf (text, "%s'%s'", i == 0 ? "" : ", ", shown);
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE,
               "it is a folder with several graphs (%s%s); one of them can be opened", text->str,
               graphs->len > MAX_NAMED ? ", ..." : "");
}

static void
refuse_none (guint n_files, GError **error)
{
  if (n_files == 0)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "it is a folder without files");
  else if (n_files > MAX_LOOKS)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE,
                 "it is a folder, and none of its first %d files is a graph", MAX_LOOKS);
  else
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE,
                 "it is a folder, and no file in it is a graph");
}

char *
sym_io_find_in_folder (const char *path, GCancellable *cancellable, GError **error)
{
  GError *cause = NULL;
  g_autoptr (GPtrArray) names = list_files (path, &cause);
  g_autoptr (GPtrArray) graphs = g_ptr_array_new ();
  SymIoSource source = { .cancellable = cancellable };

  if (names == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "it is a folder that cannot be read: %s",
                   cause->message);
      g_error_free (cause);
      return NULL;
    }
  for (guint i = 0; i < MIN (names->len, MAX_LOOKS) && graphs->len < MAX_GRAPHS; i++)
    {
      g_autofree char *whole = g_build_filename (path, names->pdata[i], NULL);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      source.path = whole;
      source.name = names->pdata[i];
      if (is_graph (whole, &source))
        g_ptr_array_add (graphs, names->pdata[i]);
    }
  if (graphs->len > 1)
    keep_read (graphs, path, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (graphs->len == 1)
    return g_build_filename (path, graphs->pdata[0], NULL);
  if (graphs->len > 1)
    refuse_many (graphs, error);
  else
    refuse_none (names->len, error);
  return NULL;
}
