/* SPDX-License-Identifier: MIT */
#include "app/scope-file-manager.h"

#include <glib/gi18n.h>

#define NAME "org.freedesktop.FileManager1"
#define PATH "/org/freedesktop/FileManager1"
#define PATIENCE_MS 5000 /* one that has to be started first answers within this */

static void
shown_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const char *uris[] = { g_task_get_task_data (task), NULL };
  GError *error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, &error);

  if (bus == NULL)
    g_task_return_error (task, error);
  else
    g_dbus_connection_call (bus, NAME, PATH, NAME, "ShowItems", g_variant_new ("(^ass)", uris, ""),
                            NULL, G_DBUS_CALL_FLAGS_NONE, PATIENCE_MS, NULL, shown_cb,
                            g_steal_pointer (&task));
}

void
scope_file_manager_show_async (const char *uri, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (uri != NULL);
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, scope_file_manager_show_async);
  g_task_set_task_data (task, g_strdup (uri), g_free);
  g_bus_get (G_BUS_TYPE_SESSION, NULL, connected_cb, task);
}

gboolean
scope_file_manager_show_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

char *
scope_file_manager_link (const char *text, GFile *file)
{
  g_return_val_if_fail (text != NULL && G_IS_FILE (file), NULL);

  g_autofree char *uri = g_file_get_uri (file);

  return g_markup_printf_escaped ("%s · <a href=\"%s\">%s</a>", text, uri, _ ("Show in Folder"));
}
