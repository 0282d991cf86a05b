/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "app/scope-run-dialog.h"
#include "app/scope-save-values.h"
#include "app/scope-work.h"

/* ---- Running ---- */

/* Asked for once more while its panel is open, the run begins. */
static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (self->run_dialog != NULL && gtk_widget_get_visible (GTK_WIDGET (self->run_dialog)))
    {
      scope_run_dialog_run (SCOPE_RUN_DIALOG (self->run_dialog));
      return;
    }
  ScopeRunDialog *dialog = scope_run_dialog_new (GTK_WINDOW (self), self->document);

  g_set_weak_pointer (&self->run_dialog, GTK_WINDOW (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
cancel_run_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  scope_document_cancel_run (self->document);
}

/* ---- Saving what a run left ---- */

/* Values on their way to a folder. */
typedef struct {
  ScopeWindow *window;
  GFile *folder;
  GtkWidget *card;
} Saving;

static void
saving_free (Saving *self)
{
  scope_work_end (SCOPE_WORK (self->card));
  g_object_unref (self->card);
  g_object_unref (self->window);
  g_object_unref (self->folder);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) self = user_data;
  g_autoptr (GError) error = NULL;
  guint n_saved, n_refused;
  gboolean is_done = scope_save_values_finish (result, &n_saved, &n_refused, &error);
  g_autofree char *name = scope_file_name (self->folder);
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = g_strdup_printf (_ ("Stopped; numbers of %u nodes are in %s"), n_saved, name);
  else if (!is_done)
    text = g_strdup_printf (_ ("Not saved: %s"), error->message);
  else if (n_refused > 0)
    text = g_strdup_printf (
        _ ("Saved the numbers of %u nodes in %s; NumPy has no type for those of %u others"),
        n_saved, name, n_refused);
  else
    text = g_strdup_printf (ngettext ("Saved the numbers of %u node in %s",
                                      "Saved the numbers of %u nodes in %s", n_saved),
                            n_saved, name);
  if (n_saved > 0)
    scope_window_offer_folder (self->window, text, self->folder);
  else
    scope_window_show_message (self->window, text);
}

/* All that the run computed, or the outputs only. */
static SymIds
choose_values (SymModel *model, gboolean all)
{
  return all ? sym_model_get_rows (model) : sym_model_get_outputs (model);
}

static void
save_to (ScopeWindow *self, GFile *folder)
{
  SymRecord *record = self->document != NULL ? scope_document_get_record (self->document) : NULL;

  if (record == NULL)
    return;
  SymIds values = choose_values (sym_record_get_model (record), self->saves_all_values);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Saving *saving = g_new0 (Saving, 1);

  saving->window = g_object_ref (self);
  saving->folder = g_object_ref (folder);
  saving->card = g_object_ref_sink (scope_work_new (_ ("Saving numbers…"), cancellable));
  scope_window_begin_work (self, saving->card);
  scope_save_values_async (record, values.ids, values.n, folder, cancellable, saved_cb, saving);
}

static void
save_values_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  self->saves_all_values = g_str_equal (g_variant_get_string (parameter, NULL), "all");
  scope_window_choose_folder (self, self->saves_all_values ? "-values" : "-outputs", save_to);
}

/* ---- Actions ---- */

void
scope_window_update_run_actions (ScopeWindow *self)
{
  gboolean has_graph =
      self->document != NULL && scope_document_get_inference (self->document) != NULL;
  gboolean runs = has_graph && scope_document_is_running (self->document);
  SymRecord *record = has_graph ? scope_document_get_record (self->document) : NULL;
  gboolean has_values = record != NULL && sym_record_has_run (record);

  scope_window_set_enabled (self, "run", has_graph && scope_document_has_nodes (self->document));
  scope_window_set_enabled (self, "cancel-run", runs);
  scope_window_set_enabled (self, "save-values", has_values);
  scope_window_set_enabled (self, "list-save-values", has_values);
}

void
scope_window_add_run_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "run", run_cb },
    { "cancel-run", cancel_run_cb },
    { "save-values", save_values_cb, "s" }, /* "all" or "outputs" */
    { "list-save-values" },                 /* does nothing: of the menu that has those */
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
