/* SPDX-License-Identifier: MIT */
#include "app/scope-file-manager.h"

#define NAME "org.freedesktop.FileManager1"
#define PATH "/org/freedesktop/FileManager1"
#define URI "file:///home/somebody/a%20graph.svg"

typedef struct {
  GAsyncResult *result;
  char *shown; /* what the file manager was asked to show */
} Asked;

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ((Asked *) user_data)->result = g_object_ref (result);
}

static gboolean
ask (Asked *asked, GError **error)
{
  scope_file_manager_show_async (URI, done_cb, asked);
  while (asked->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_autoptr (GAsyncResult) result = g_steal_pointer (&asked->result);

  return scope_file_manager_show_finish (result, error);
}

static void
called_cb (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *parameters,
           GDBusMethodInvocation *invocation,
           gpointer user_data)
{
  g_autofree const char **uris = NULL;

  g_assert_cmpstr (method, ==, "ShowItems");
  g_variant_get (parameters, "(^a&ss)", &uris, NULL);
  g_assert_cmpuint (g_strv_length ((char **) uris), ==, 1);
  ((Asked *) user_data)->shown = g_strdup (uris[0]);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

/* There is none: whoever asks hears of it. */
static void
test_absence_is_told (void)
{
  g_autoptr (GError) error = NULL;
  Asked asked = { NULL };

  g_assert_false (ask (&asked, &error));
  g_assert_nonnull (error);
}

static void
test_file_is_shown (void)
{
  static const GDBusInterfaceVTable table = { called_cb };
  g_autoptr (GDBusNodeInfo) node =
      g_dbus_node_info_new_for_xml ("<node><interface name='" NAME "'><method name='ShowItems'>"
                                    "<arg type='as' direction='in'/><arg type='s' direction='in'/>"
                                    "</method></interface></node>",
                                    NULL);
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GVariant) owned = NULL;
  Asked asked = { NULL };

  g_assert_nonnull (bus);
  guint object = g_dbus_connection_register_object (bus, PATH, node->interfaces[0], &table, &asked,
                                                    NULL, NULL);

  g_assert_cmpuint (object, !=, 0);
  owned = g_dbus_connection_call_sync (
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      g_variant_new ("(su)", NAME, 0), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  g_assert_nonnull (owned);
  g_assert_true (ask (&asked, NULL));
  g_assert_cmpstr (asked.shown, ==, URI);
  g_dbus_connection_unregister_object (bus, object);
  g_free (asked.shown);
}

int
main (int argc, char **argv)
{
  g_autoptr (GTestDBus) bus = NULL;
  g_autofree char *daemon = g_find_program_in_path ("dbus-daemon");

  if (daemon == NULL)
    {
      g_print ("1..0 # SKIP there is no dbus-daemon\n");
      return 77;
    }
  g_test_init (&argc, &argv, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  g_test_add_func ("/app/file-manager/absence-is-told", test_absence_is_told);
  g_test_add_func ("/app/file-manager/file-is-shown", test_file_is_shown);
  int status = g_test_run ();

  g_test_dbus_stop (bus);
  return status;
}
