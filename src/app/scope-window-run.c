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

/* ---- Times ---- */

static void
change_view (ScopeWindow *self, const ScopeView *view)
{
  self->view = *view;
  scope_document_set_view (self->document, view);
  scope_window_update_actions (self);
}

static void
show_times_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeView view = *scope_document_get_view (scope_window_get_document (user_data));

  view.hides_times = !g_variant_get_boolean (state);
  change_view (user_data, &view);
}

static void
set_state (ScopeWindow *self, const char *name, gboolean is_on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_on));
}

void
scope_window_update_run_actions (ScopeWindow *self)
{
  gboolean has_graph =
      self->document != NULL && scope_document_get_inference (self->document) != NULL;

  const ScopeView *view =
      self->document != NULL ? scope_document_get_view (self->document) : &self->view;

  scope_window_set_enabled (self, "run", has_graph);
  scope_window_set_enabled (self, "show-times", has_graph);
  set_state (self, "show-times", !view->hides_times);
}

void
scope_window_add_run_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "run", run_cb },
    { "show-times", NULL, NULL, "true", show_times_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
