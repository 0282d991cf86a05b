/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-manager.h"
#include "app/scope-messages.h"

/* What was written is often wanted by another program next. */

typedef struct {
  ScopeWindow *window;
  char *uri;
} Showing;

static void
showing_free (Showing *self)
{
  g_object_unref (self->window);
  g_free (self->uri);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Showing, showing_free)

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!gtk_show_uri_full_finish (GTK_WINDOW (source), result, &error))
    scope_window_show_message (self, error->message);
}

static void
open_folder (ScopeWindow *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *address = folder != NULL ? g_file_get_uri (folder) : g_strdup (uri);

  gtk_show_uri_full (GTK_WINDOW (self), address, GDK_CURRENT_TIME, NULL, opened_cb,
                     g_object_ref (self));
}

/* Where no file manager can be asked, whatever opens folders shows at least that. */
static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Showing) self = user_data;
  g_autoptr (GError) error = NULL;

  if (scope_file_manager_show_finish (result, &error))
    return;
  g_debug ("no file manager shows %s: %s", self->uri, error->message);
  if (gtk_window_get_application (GTK_WINDOW (self->window)) != NULL) /* it is open still */
    open_folder (self->window, self->uri);
}

void
scope_window_show_in_folder (ScopeWindow *self, const char *uri)
{
  Showing *showing = g_new0 (Showing, 1);

  showing->window = g_object_ref (self);
  showing->uri = g_strdup (uri);
  scope_file_manager_show_async (uri, asked_cb, showing);
}

void
scope_window_offer_folder (ScopeWindow *self, const char *text, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  scope_messages_offer (ADW_TOAST_OVERLAY (self->toasts), text, _ ("Show in Folder"),
                        "win.show-in-folder", uri);
}
