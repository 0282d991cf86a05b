/* SPDX-License-Identifier: MIT */
#include "app/scope-extract.h"

#include <glib/gi18n.h>

#define FALLBACK_FORMAT "symscope"

typedef struct {
  ScopeState *state;
  ScopeCut *cut; /* NULL: everything */
  SymInference *inference;
  const SymIoFormat *format;
  char *path; /* NULL: not written */
  SymProblems *notes;
} Extract;

static void
free_extract (gpointer data)
{
  Extract *self = data;

  g_clear_pointer (&self->state, scope_state_unref);
  g_clear_pointer (&self->cut, scope_cut_unref);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->notes, sym_problems_unref);
  g_free (self->path);
  g_free (self);
}

static SymModel *
extract_model (Extract *self)
{
  if (self->cut == NULL)
    return sym_model_ref (scope_state_get_model (self->state));
  return sym_selection_extract (scope_cut_get_selection (self->cut), self->inference);
}

static gboolean
write_model (Extract *self, SymModel *model, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymInference) inference = self->cut == NULL
                                           ? sym_inference_ref (self->inference)
                                           : sym_infer (model, NULL, 0, cancellable, error);
  gboolean done;

  if (inference == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  done = sym_io_write (self->format, model, inference, self->path, self->notes, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  return done;
}

static void
extract_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Extract *self = task_data;
  g_autoptr (SymModel) model = extract_model (self);
  GError *error = NULL;

  if (!g_cancellable_set_error_if_cancelled (cancellable, &error) &&
      (self->path == NULL || write_model (self, model, cancellable, &error)))
    g_task_return_pointer (task, g_steal_pointer (&model), (GDestroyNotify) sym_model_unref);
  else
    g_task_return_error (task, error);
}

const SymIoFormat *
scope_extract_get_format (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  const SymIoFormat *own = scope_document_get_format (document);

  return own != NULL && sym_io_format_can_save (own) ? own : sym_io_find_format (FALLBACK_FORMAT);
}

void
scope_extract_async (ScopeDocument *document,
                     const SymIoFormat *format,
                     GFile *file,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document));

  g_autoptr (GTask) task = g_task_new (document, cancellable, callback, user_data);
  SymInference *inference = scope_document_get_inference (document);
  ScopeCut *cut = scope_document_get_cut (document);

  g_task_set_source_tag (task, scope_extract_async);
  if (inference == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("Nothing has been read yet"));
      return;
    }
  if (sym_inference_get_model (inference) != scope_document_get_model (document))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("Shapes of the edited graph are not known yet"));
      return;
    }
  if (cut != NULL && scope_cut_get_selection (cut) == NULL)
    {
      g_task_return_error (task, g_error_copy (scope_cut_get_error (cut)));
      return;
    }
  Extract *self = g_new0 (Extract, 1);

  self->state = scope_state_ref (scope_document_get_state (document));
  self->cut = cut != NULL ? scope_cut_ref (cut) : NULL;
  self->inference = sym_inference_ref (inference);
  self->format = format;
  self->path = file != NULL ? g_file_get_path (file) : NULL;
  self->notes = sym_problems_new ();
  g_task_set_task_data (task, self, free_extract);
  g_task_set_check_cancellable (task, FALSE); /* what was written is there, and is told */
  g_task_run_in_thread (task, extract_thread);
}

SymModel *
scope_extract_finish (GAsyncResult *result, SymProblems **notes, GError **error)
{
  Extract *self = g_task_get_task_data (G_TASK (result));
  SymModel *model = g_task_propagate_pointer (G_TASK (result), error);

  if (model != NULL && notes != NULL)
    *notes = sym_problems_ref (self->notes);
  return model;
}
