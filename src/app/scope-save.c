/* SPDX-License-Identifier: MIT */
#include "app/scope-save.h"

#include <glib/gi18n.h>

#include "core/sym-edit.h"

typedef struct {
  ScopeState *state;
  SymInference *inference;
  const SymIoFormat *format;
  GFile *file;
  SymProblems *notes;
} Save;

static void
free_save (gpointer data)
{
  Save *self = data;

  scope_state_unref (self->state);
  sym_inference_unref (self->inference);
  sym_problems_unref (self->notes);
  g_object_unref (self->file);
  g_free (self);
}

/* The model with what was typed in it. */
static SymModel *
declare (const Save *self, GError **error)
{
  guint n;
  const SymOverride *overrides = scope_state_get_overrides (self->state, &n);
  SymModel *model = scope_state_get_model (self->state);
  g_autoptr (SymEdit) edit = NULL;

  if (n == 0)
    return sym_model_ref (model);
  edit = sym_edit_new (model);
  for (guint i = 0; i < n; i++)
    if (!sym_edit_take_types (edit, self->inference, &overrides[i].value, 1, error))
      return NULL;
  return sym_edit_end (g_steal_pointer (&edit));
}

static gboolean
save (const Save *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymModel) model = declare (self, error);
  g_autoptr (SymInference) inference = NULL;
  g_autofree char *path = g_file_get_path (self->file);
  gboolean done;

  if (model == NULL)
    return FALSE;
  inference = model == scope_state_get_model (self->state)
                  ? sym_inference_ref (self->inference)
                  : sym_infer (model, NULL, 0, cancellable, error);
  if (inference == NULL)
    return FALSE;
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  done = sym_io_write (self->format, model, inference, path, self->notes, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  return done;
}

static void
save_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (!g_cancellable_set_error_if_cancelled (cancellable, &error) &&
      save (task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

gboolean
scope_save_is_possible (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), FALSE);

  GFile *file = scope_document_get_file (document);
  const SymIoFormat *format = scope_document_get_format (document);

  return file != NULL && g_file_is_native (file) && format != NULL &&
         sym_io_format_can_save (format);
}

void
scope_save_async (ScopeDocument *document,
                  const SymIoFormat *format,
                  GFile *file,
                  GCancellable *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer user_data)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && format != NULL && G_IS_FILE (file));

  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  SymInference *inference = scope_document_get_inference (document);

  g_task_set_source_tag (task, scope_save_async);
  if (inference == NULL ||
      sym_inference_get_model (inference) != scope_document_get_model (document))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("The shapes of the graph are not known yet"));
      return;
    }
  Save *self = g_new0 (Save, 1);

  self->state = scope_state_ref (scope_document_get_state (document));
  self->inference = sym_inference_ref (inference);
  self->format = format;
  self->file = g_object_ref (file);
  self->notes = sym_problems_new ();
  g_task_set_task_data (task, self, free_save);
  g_task_set_check_cancellable (task, FALSE); /* what was written is there, and is told */
  g_task_run_in_thread (task, save_thread);
}

gboolean
scope_save_finish (GAsyncResult *result, SymProblems **notes, GError **error)
{
  Save *self = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  if (notes != NULL)
    *notes = sym_problems_ref (self->notes);
  scope_document_take_saved (g_task_get_source_object (G_TASK (result)),
                             scope_state_ref (self->state), self->file, self->format);
  return TRUE;
}
