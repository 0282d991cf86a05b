/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include "core/sym-problem-lack.h"
#include "io/sym-io-lost.h"

#include <stdlib.h>
#include <string.h>

/* `dir/net-symbol.json` and `dir/net.json` have the weights `dir/net-0010.params` and the like. */
static char *
make_prefix (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_str_has_suffix (name, ".json"))
    name[strlen (name) - strlen (".json")] = '\0';
  if (g_str_has_suffix (name, "-symbol"))
    name[strlen (name) - strlen ("-symbol")] = '\0';
  return g_build_filename (folder, name, NULL);
}

/* The epoch of a file name `<base>-0010.params`; FALSE for any other. */
static gboolean
parse_epoch (const char *name, const char *base, guint *epoch)
{
  gsize length = strlen (base);
  const char *digits = name + length + 1;
  gsize n = 0;

  if (strncmp (name, base, length) != 0 || name[length] != '-')
    return FALSE;
  while (g_ascii_isdigit (digits[n]))
    n++;
  if (n < 4 || n > 9 || strcmp (digits + n, ".params") != 0)
    return FALSE;

  *epoch = (guint) strtoul (digits, NULL, 10);
  return TRUE;
}

/* The highest epoch that lies beside; the file's path, NULL for none. */
static char *
find_highest (const char *prefix, guint *epoch)
{
  g_autofree char *folder = g_path_get_dirname (prefix);
  g_autofree char *base = g_path_get_basename (prefix);
  g_autofree char *best = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      guint found;

      if (!parse_epoch (name, base, &found) || (best != NULL && found <= *epoch))
        continue;
      g_free (best);
      best = g_strdup (name);
      *epoch = found;
    }
  return best == NULL ? NULL : g_build_filename (folder, best, NULL);
}

static char *
find_weights (const char *path, guint *epoch)
{
  g_autofree char *prefix = make_prefix (path);
  char *found = find_highest (prefix, epoch);

  if (found == NULL)
    {
      found = g_strconcat (prefix, ".params", NULL);
      if (!g_file_test (found, G_FILE_TEST_EXISTS))
        g_clear_pointer (&found, g_free);
    }
  return found;
}

SymStoreTensors *
sym_mxnet_open_weights (const char *path, guint *epoch, SymProblems *problems)
{
  g_autofree char *file = find_weights (path, epoch);
  g_autoptr (GError) error = NULL;
  SymStoreTensors *weights = file == NULL ? NULL : sym_store_open_params (file, &error);

  if (error != NULL)
    sym_problems_add_lack (problems, SYM_SEVERITY_ERROR, 0,
                           "the weights beside the graph cannot be read: %s", error->message);
  return weights;
}

/* ---- Writing ---- */

typedef struct {
  GPtrArray *names;
  GPtrArray *tensors; /* borrowed */
  guint n_missing;
} Kept;

static void
collect (const SymModel *model, Kept *kept)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymParameter *parameter =
          sym_model_has_value (model, value) ? sym_model_get_parameter (model, value) : NULL;
      SymTensor *tensor = parameter == NULL ? NULL : sym_parameter_get_tensor (parameter);
      const char *prefix =
          parameter != NULL && sym_model_get_role (model, value) == SYM_ROLE_AUXILIARY ? "aux:"
                                                                                       : "arg:";
      char *name;

      if (tensor == NULL)
        {
          kept->n_missing += parameter != NULL;
          continue;
        }
      name = g_strconcat (prefix, sym_model_get_value_name (model, value), NULL);
      g_ptr_array_add (kept->names, name);
      if (g_hash_table_add (seen, name))
        g_ptr_array_add (kept->tensors, tensor);
      else
        g_ptr_array_remove_index (kept->names, kept->names->len - 1);
    }
}

/* A file that readers take although it is not @written, which is NULL for none. */
static void
tell_other (const char *path, const char *written, SymProblems *notes)
{
  guint epoch = 0;
  g_autofree char *taken = find_weights (path, &epoch);
  g_autofree char *name = taken == NULL ? NULL : g_path_get_basename (taken);
  g_autofree char *own = written == NULL ? NULL : g_path_get_basename (written);

  if (notes != NULL && taken != NULL && g_strcmp0 (name, own) != 0)
    sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%s lies beside it and will be taken for its weights", taken);
}

static gboolean
write_kept (const Kept *kept, const char *path, guint epoch, SymProblems *notes, GError **error)
{
  g_autofree char *prefix = make_prefix (path);
  g_autofree char *file = g_strdup_printf ("%s-%04u.params", prefix, epoch);
  g_autoptr (GError) cause = NULL;

  if (!sym_store_write_params (file, (const char *const *) kept->names->pdata,
                               (SymTensor *const *) kept->tensors->pdata, kept->names->len, &cause))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be written: %s",
                   cause->message);
      return FALSE;
    }
  tell_other (path, file, notes);
  return TRUE;
}

gboolean
sym_mxnet_write_weights (const SymModel *model,
                         const char *path,
                         guint epoch,
                         SymProblems *notes,
                         GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new ();
  Kept kept = { names, tensors, 0 };

  collect (model, &kept);
  if (names->len == 0)
    {
      if (strcmp (path, "-") != 0)
        tell_other (path, NULL, notes);
      return TRUE;
    }
  if (strcmp (path, "-") == 0)
    {
      sym_io_note_tensors (names->len, notes);
      return TRUE;
    }
  if (notes != NULL && kept.n_missing > 0)
    sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u parameters have no numbers and are not among the weights written",
                      kept.n_missing);
  return write_kept (&kept, path, epoch, notes, error);
}
