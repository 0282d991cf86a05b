/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "store/sym-store-folder.h"

gboolean
sym_cli_write_outputs (const SymRun *run, const char *path, GError **error)
{
  SymModel *model = sym_plan_get_model (sym_run_get_plan (run));
  SymIds outputs = sym_model_get_outputs (model);
  g_autoptr (SymStoreFolder) folder = sym_store_folder_new (path, error);
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL);

  if (folder == NULL)
    return FALSE;
  for (guint i = 0; i < outputs.n; i++)
    if (g_hash_table_add (written, GUINT_TO_POINTER (outputs.ids[i])) &&
        !sym_store_folder_add (folder, sym_model_get_unique_name (model, outputs.ids[i]),
                               sym_run_get (run, outputs.ids[i]), error))
      return FALSE;
  return sym_store_folder_end (folder, error);
}
