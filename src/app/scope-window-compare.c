/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-compare-bar.h"
#include "app/scope-compare-dialog.h"

/* Comparing the graph in front with that of another tab, or of a file. */

static void
compare_file (ScopeWindow *self, GFile *file)
{
  if (self->document != NULL)
    scope_document_compare_file (self->document, file);
}

/* ---- Other tabs ---- */

static gboolean
is_other (ScopeWindow *self, ScopePage *page)
{
  return page != NULL && scope_page_get_document (page) != self->document;
}

static void
chosen_cb (ScopeWindow *self, ScopeDocument *other, gboolean is_folder)
{
  if (is_folder)
    scope_window_choose_existing_folder (self, _ ("Compare With Numbers"), compare_file);
  else if (other == NULL)
    scope_window_choose_file (self, _ ("Compare With"), compare_file);
  else if (self->document != NULL && self->document != other)
    scope_document_compare (self->document, other);
}

static void
compare_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (is_other (self, page))
        g_ptr_array_add (others, scope_page_get_document (page));
    }
  GtkWindow *dialog = scope_compare_dialog_new (GTK_WINDOW (self), others);

  g_signal_connect_object (dialog, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (dialog);
}

/* The other tab shows the layer that the selected one was. */
static void
select_other (ScopeDocument *document, ScopeDocument *other)
{
  ScopeComparison *comparison = scope_document_get_comparison (document);
  guint step = scope_document_get_difference (document);
  SymCompareEntry entry;

  if (comparison == NULL)
    return;
  if (step != G_MAXUINT)
    entry = scope_comparison_get_step (comparison, step);
  else if (!scope_comparison_find (comparison, scope_document_get_selected_call (document), &entry))
    return;
  if (entry.before != SYM_NO_ID)
    scope_document_select_call (other, entry.before);
}

static void
show_compared_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  ScopeDocument *document = self->document, *other = scope_document_get_compared (document);

  for (guint i = 0; other != NULL && i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page == NULL || scope_page_get_document (page) != other)
        continue;
      select_other (document, other);
      adw_tab_view_set_selected_page (self->tabs, adw_tab_view_get_nth_page (self->tabs, (int) i));
      return;
    }
  scope_window_show_message (self, _ ("The other graph is not open in this window"));
}

/* ---- Actions ---- */

/* Who was in the bar, which goes, is in the drawing then. */
static void
end_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean was_in_bar =
      focus != NULL && gtk_widget_get_ancestor (focus, SCOPE_TYPE_COMPARE_BAR) != NULL;

  scope_document_end_comparison (self->document);
  if (was_in_bar)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-drawing", NULL);
}

static void
next_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_step_difference (scope_window_get_document (user_data), TRUE);
}

static void
previous_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_document_step_difference (scope_window_get_document (user_data), FALSE);
}

void
scope_window_update_compare_actions (ScopeWindow *self)
{
  ScopeDocument *document = self->document;
  gboolean has_graph = document != NULL && scope_document_get_inference (document) != NULL;
  gboolean is_compared = has_graph && scope_document_get_compared_title (document) != NULL;
  gboolean has_steps = is_compared && scope_document_get_n_differences (document) > 0;

  scope_window_set_enabled (self, "compare", has_graph);
  scope_window_set_enabled (self, "show-compared",
                            is_compared && scope_document_get_compared (document) != NULL);
  scope_window_set_enabled (self, "end-comparison",
                            document != NULL &&
                                scope_document_get_compared_title (document) != NULL);
  scope_window_set_enabled (self, "next-difference", has_steps);
  scope_window_set_enabled (self, "previous-difference", has_steps);
}

void
scope_window_add_compare_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "compare", compare_cb },
    { "show-compared", show_compared_cb },
    { "end-comparison", end_cb },
    { "next-difference", next_cb },
    { "previous-difference", previous_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
