/* SPDX-License-Identifier: MIT */
#include "app/scope-succession.h"

#define BUS_NAME "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"
#define RETRY_MS 50
#define MAX_WAIT_MS 5000
#define MAX_ANSWER_MS 2000

/* ---- Who comes ---- */

/* What GDBus answers for one that has taken its objects off the bus, or its connection. */
static gboolean
is_of_an_end (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN);
}

gboolean
scope_succession_register (GApplication *application, GError **error)
{
  g_return_val_if_fail (G_IS_APPLICATION (application), FALSE);

  gint64 end = g_get_monotonic_time () + MAX_WAIT_MS * 1000;

  for (;;)
    {
      g_autoptr (GError) own_error = NULL;

      if (g_application_register (application, NULL, &own_error))
        return TRUE;
      if (g_get_monotonic_time () >= end || !is_of_an_end (own_error))
        {
          g_propagate_error (error, g_steal_pointer (&own_error));
          return FALSE;
        }
      g_usleep (RETRY_MS * 1000);
    }
}

/* ---- Who goes ---- */

/* GApplication first asks the one that has the name what it can do.  In a thread of the bus. */
static GDBusMessage *
refuse_cb (GDBusConnection *bus, GDBusMessage *message, gboolean is_incoming, gpointer user_data)
{
  if (!is_incoming || g_strcmp0 (g_dbus_message_get_member (message), "DescribeAll") != 0)
    return message;
  g_autoptr (GDBusMessage) answer = g_dbus_message_new_method_error_literal (
      message, "org.freedesktop.DBus.Error.ServiceUnknown", "The program is ending");

  g_dbus_connection_send_message (bus, answer, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  g_object_unref (message);
  return NULL;
}

static void
handle_pending (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
scope_succession_begin (GApplication *application)
{
  g_return_if_fail (G_IS_APPLICATION (application));

  GDBusConnection *bus = g_application_get_dbus_connection (application);

  if (bus == NULL)
    return;
  g_dbus_connection_add_filter (bus, refuse_cb, NULL, NULL);
  handle_pending (); /* who was asking already is still answered, and comes in time */
}

void
scope_succession_finish (GApplication *application)
{
  g_return_if_fail (G_IS_APPLICATION (application));

  GDBusConnection *bus = g_application_get_dbus_connection (application);
  const char *name = g_application_get_application_id (application);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;

  if (bus == NULL)
    return;
  answer = g_dbus_connection_call_sync (bus, BUS_NAME, BUS_PATH, BUS_NAME, "ReleaseName",
                                        g_variant_new ("(s)", name), G_VARIANT_TYPE ("(u)"),
                                        G_DBUS_CALL_FLAGS_NONE, MAX_ANSWER_MS, NULL, &error);
  if (answer == NULL)
    g_printerr ("symscope: %s\n", error->message);
  handle_pending ();
}

gboolean
scope_succession_start (GFile **files, int n, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", error);

  if (program == NULL)
    return FALSE;
  g_ptr_array_add (words, g_steal_pointer (&program));
  g_ptr_array_add (words, g_strdup ("--"));
  for (int i = 0; i < n; i++)
    g_ptr_array_add (words, g_file_get_uri (files[i]));
  g_ptr_array_add (words, NULL);
  return g_spawn_async (NULL, (char **) words->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                        error);
}
