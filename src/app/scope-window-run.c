/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-run-dialog.h"

/* Asked for once more while its panel is open, the run begins. */
static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (self->run_dialog != NULL) {
    scope_run_dialog_run (SCOPE_RUN_DIALOG (self->run_dialog));
    return;
  }
  ScopeRunDialog *dialog = scope_run_dialog_new (GTK_WINDOW (self), self->document);

  g_set_weak_pointer (&self->run_dialog, GTK_WINDOW (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}

void
scope_window_update_run_actions (ScopeWindow *self)
{
  gboolean has_graph =
      self->document != NULL && scope_document_get_inference (self->document) != NULL;

  scope_window_set_enabled (self, "run", has_graph);
}

void
scope_window_add_run_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "run", run_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
