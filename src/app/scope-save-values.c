/* SPDX-License-Identifier: MIT */
#include "app/scope-save-values.h"

#include <glib/gi18n.h>

#include "core/sym-error.h"
#include "core/sym-extract.h"
#include "store/sym-store-folder.h"

typedef struct {
  SymRecord *record;
  GArray *values; /* of SymId */
  char *path;
  SymStoreFolder *folder;
  guint n_saved, n_refused;
} Job;

static void
free_job (gpointer data)
{
  Job *self = data;

  sym_record_unref (self->record);
  g_array_unref (self->values);
  g_clear_pointer (&self->folder, sym_store_folder_free);
  g_free (self->path);
  g_free (self);
}

/* Only a disk that does not take them is a reason to stop. */
static gboolean
visit_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Job *self = user_data;
  const char *name = sym_model_get_unique_name (sym_record_get_model (self->record), value);
  g_autoptr (GError) local = NULL;

  if (sym_store_folder_add (self->folder, name, datum, &local))
    {
      self->n_saved++;
      return TRUE;
    }
  if (g_error_matches (local, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  self->n_refused++;
  return TRUE;
}

static void
save_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *self = task_data;
  GError *error = NULL;

  self->folder = sym_store_folder_new (self->path, &error);
  if (self->folder != NULL &&
      sym_record_visit (self->record, (const SymId *) (gpointer) self->values->data,
                        self->values->len, visit_cb, self, cancellable, &error) &&
      sym_store_folder_end (self->folder, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
scope_save_values_async (SymRecord *record,
                         const SymId *values,
                         guint n,
                         GFile *folder,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->record = sym_record_ref (record);
  job->values = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_array_append_vals (job->values, values, n);
  job->path = g_file_get_path (folder);
  g_task_set_source_tag (task, scope_save_values_async);
  g_task_set_task_data (task, job, free_job);
  if (job->path != NULL)
    g_task_run_in_thread (task, save_thread);
  else
    g_task_return_new_error (task, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("it is not on this computer"));
}

gboolean
scope_save_values_finish (GAsyncResult *result, guint *n_saved, guint *n_refused, GError **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  *n_saved = job->n_saved;
  *n_refused = job->n_refused;
  return g_task_propagate_boolean (G_TASK (result), error);
}
