/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-application.h"
#include "app/scope-bookmarks-dialog.h"

/* Places of the graph in front that have a name. */

static ScopeBookmarks *
get_bookmarks (ScopeWindow *self)
{
  return scope_application_get_bookmarks (
      SCOPE_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))));
}

/* A graph without a file would not be found again. */
static gboolean
can_be_kept (ScopeDocument *document)
{
  return document != NULL && scope_document_get_inference (document) != NULL &&
         scope_document_get_file (document) != NULL;
}

/* Under the name of what is selected. */
static void
add_cb (ScopeWindow *self)
{
  if (!can_be_kept (self->document)) /* the dialog is about to go with it */
    return;
  ScopeCanvas *canvas = scope_page_get_canvas (scope_window_get_page (self));
  ScopeMiddle middle = scope_canvas_get_middle (canvas);
  g_autoptr (ScopeMemory) memory = scope_memory_new_place (self->document, &middle);
  g_autofree char *uri = g_file_get_uri (scope_document_get_file (self->document));
  const char *selected = scope_memory_get_selected (memory);
  ScopeBookmarks *bookmarks = get_bookmarks (self);
  g_autofree char *name = scope_bookmarks_suggest (
      bookmarks, uri, selected != NULL ? selected : C_ ("bookmark", "Place"));

  scope_bookmarks_insert (bookmarks, uri, G_MAXUINT, name, memory);
}

static void
add_bookmark_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  g_autofree char *uri = g_file_get_uri (scope_document_get_file (self->document));
  ScopeBookmarks *bookmarks = get_bookmarks (self);

  add_cb (self);
  g_autofree char *text = g_strdup_printf (
      _ ("Added the bookmark “%s”"),
      scope_bookmarks_get_name (bookmarks, uri, scope_bookmarks_get_n (bookmarks, uri) - 1));

  scope_window_show_message (self, text);
}

static void
chosen_cb (ScopeWindow *self, guint nth)
{
  if (!can_be_kept (self->document))
    return;
  ScopeCanvas *canvas = scope_page_get_canvas (scope_window_get_page (self));
  g_autofree char *uri = g_file_get_uri (scope_document_get_file (self->document));
  g_autoptr (ScopeMemory) memory =
      scope_memory_ref (scope_bookmarks_get_memory (get_bookmarks (self), uri, nth));

  scope_canvas_recall (canvas, memory);
  gtk_widget_grab_focus (GTK_WIDGET (canvas));
  scope_window_update_actions (self);
}

static void
bookmarks_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  GtkWindow *dialog;

  if (self->bookmarks_dialog == NULL)
    {
      dialog = scope_bookmarks_dialog_new (GTK_WINDOW (self), get_bookmarks (self), self->document);
      g_set_weak_pointer (&self->bookmarks_dialog, dialog);
      g_signal_connect_object (dialog, "add", G_CALLBACK (add_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (dialog, "chosen", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
    }
  gtk_window_present (self->bookmarks_dialog);
}

/* One is of the graph that was in front: another may come there without the user, and a file that
 * was read again may be none any more. */
static gboolean
is_outdated (ScopeWindow *self)
{
  return scope_bookmarks_dialog_get_document (SCOPE_BOOKMARKS_DIALOG (self->bookmarks_dialog)) !=
             self->document ||
         !can_be_kept (self->document);
}

void
scope_window_update_bookmark_actions (ScopeWindow *self)
{
  gboolean is_possible = can_be_kept (self->document);

  if (self->bookmarks_dialog != NULL && is_outdated (self))
    gtk_window_destroy (self->bookmarks_dialog);
  scope_window_set_enabled (self, "bookmarks", is_possible);
  scope_window_set_enabled (self, "add-bookmark", is_possible);
}

void
scope_window_add_bookmark_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "bookmarks", bookmarks_cb },
    { "add-bookmark", add_bookmark_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
