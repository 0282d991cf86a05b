/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "store/sym-store-numpy.h"

#include <errno.h>
#include <glib/gstdio.h>

/* @name with what is not good in a file's name as %XX. */
static char *
escape (const char *name)
{
  GString *text = g_string_new (NULL);

  for (const guchar *byte = (const guchar *) name; *byte != '\0'; byte++)
    if (g_ascii_isalnum (*byte) || *byte == '_' || *byte == '.' || *byte == '-')
      g_string_append_c (text, (char) *byte);
    else
      g_string_append_printf (text, "%%%02X", *byte);
  return g_string_free (text, FALSE);
}

static gboolean
write_array (const SymArray *array,
             const char *folder,
             const char *name,
             SymCliJson *manifest,
             GError **error)
{
  g_autofree char *file = g_strconcat (name, ".npy", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autoptr (SymTensor) tensor = sym_tensor_new_copy (array, error);

  if (tensor == NULL || !sym_store_write_npy (path, tensor, error))
    return FALSE;
  sym_cli_json_add_string (manifest, file);
  return TRUE;
}

/* What a sequence or an optional holds becomes a list of files. */
static gboolean
write_datum (const SymDatum *datum,
             const char *folder,
             const char *name,
             SymCliJson *manifest,
             GError **error)
{
  if (sym_datum_get_array (datum) != NULL)
    return write_array (sym_datum_get_array (datum), folder, name, manifest, error);
  sym_cli_json_begin_array (manifest);
  for (guint i = 0; i < sym_datum_get_n_items (datum); i++)
    {
      g_autofree char *item = g_strdup_printf ("%s.%u", name, i);

      if (!write_datum (sym_datum_get_item (datum, i), folder, item, manifest, error))
        return FALSE;
    }
  sym_cli_json_end_array (manifest);
  return TRUE;
}

static gboolean
write_all (const SymRun *run, const char *folder, SymCliJson *manifest, GError **error)
{
  SymModel *model = sym_plan_get_model (sym_run_get_plan (run));
  SymIds outputs = sym_model_get_outputs (model);
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL);

  sym_cli_json_begin_object (manifest);
  for (guint i = 0; i < outputs.n; i++)
    {
      const char *name = sym_model_get_unique_name (model, outputs.ids[i]);
      g_autofree char *file = escape (name);

      if (!g_hash_table_add (written, GUINT_TO_POINTER (outputs.ids[i])))
        continue;
      sym_cli_json_add_key (manifest, name);
      if (!write_datum (sym_run_get (run, outputs.ids[i]), folder, file, manifest, error))
        return FALSE;
    }
  sym_cli_json_end_object (manifest);
  return TRUE;
}

static gboolean
write_piece (gpointer target, const void *bytes, gsize size, GError **error)
{
  return sym_store_writer_write (target, bytes, size, error);
}

gboolean
sym_cli_write_outputs (const SymRun *run, const char *path, GError **error)
{
  g_autofree char *file = g_build_filename (path, "manifest.json", NULL);
  g_autoptr (SymStoreWriter) writer = NULL;
  g_autoptr (SymCliJson) manifest = NULL;

  if (g_mkdir_with_parents (path, 0777) != 0)
    {
      g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST, "cannot make the folder %s: %s",
                   path, g_strerror (errno));
      return FALSE;
    }
  writer = sym_store_writer_new (file, error);
  if (writer == NULL)
    return FALSE;
  manifest = sym_cli_json_new (write_piece, writer);
  return write_all (run, path, manifest, error) &&
         sym_cli_json_end (g_steal_pointer (&manifest), error) &&
         sym_store_writer_commit (writer, error);
}
