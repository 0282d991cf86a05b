/* SPDX-License-Identifier: MIT */
#include "app/scope-succession.h"

#include <glib/gi18n.h>
#include <string.h>

#define GONE " (deleted)" /* what Linux says after the name */
#define BUS_NAME "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"
#define RETRY_MS 50
#define MAX_WAIT_MS 5000
#define MAX_ANSWER_MS 2000
#define MAX_PAUSE_MS 500 /* between the two messages of another start, on a busy machine */

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
          g_dbus_error_strip_remote_error (own_error);
          g_propagate_prefixed_error (error, g_steal_pointer (&own_error),
                                      _ ("the program that runs already does not answer: "));
          return FALSE;
        }
      g_usleep (RETRY_MS * 1000);
    }
}

/* ---- Who goes ---- */

struct _ScopeSuccession {
  GApplication *application;
  GDBusConnection *bus; /* NULL where there is none */
  guint filter;
  gint is_ending; /* these two are atomic: the bus has a thread of its own */
  gint asked;     /* when somebody last asked who is there, in milliseconds; 0 for never */
};

static gint
get_milliseconds (void)
{
  return (gint) (g_get_monotonic_time () / 1000 % G_MAXINT);
}

/* GApplication first asks the one that has the name what it can do, and then tells it what to do.
 * Of one that is ending the first is refused. */
static GDBusMessage *
filter_cb (GDBusConnection *bus, GDBusMessage *message, gboolean is_incoming, gpointer user_data)
{
  ScopeSuccession *self = user_data;

  if (!is_incoming || g_strcmp0 (g_dbus_message_get_member (message), "DescribeAll") != 0)
    return message;
  if (!g_atomic_int_get (&self->is_ending))
    {
      g_atomic_int_set (&self->asked, get_milliseconds ());
      return message;
    }
  g_autoptr (GDBusMessage) answer = g_dbus_message_new_method_error_literal (
      message, "org.freedesktop.DBus.Error.ServiceUnknown", "The program is ending");

  g_dbus_connection_send_message (bus, answer, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  g_object_unref (message);
  return NULL;
}

ScopeSuccession *
scope_succession_new (GApplication *application)
{
  g_return_val_if_fail (G_IS_APPLICATION (application), NULL);

  ScopeSuccession *self = g_new0 (ScopeSuccession, 1);

  self->application = application;
  g_set_object (&self->bus, g_application_get_dbus_connection (application));
  if (self->bus != NULL)
    self->filter = g_dbus_connection_add_filter (self->bus, filter_cb, self, g_free);
  return self;
}

void
scope_succession_free (ScopeSuccession *self)
{
  g_autoptr (GDBusConnection) bus = self->bus;

  if (bus != NULL)
    g_dbus_connection_remove_filter (bus, self->filter); /* frees, once its thread is out of it */
  else
    g_free (self);
}

static void
handle_pending (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
scope_succession_begin (ScopeSuccession *self)
{
  g_atomic_int_set (&self->is_ending, TRUE);
  handle_pending (); /* who was asking already is still answered, and comes in time */
}

gboolean
scope_succession_is_ending (ScopeSuccession *self)
{
  return g_atomic_int_get (&self->is_ending);
}

/* Who has been answered may not have come to tell its files. */
static void
await_the_last (ScopeSuccession *self)
{
  gint asked = g_atomic_int_get (&self->asked);

  while (asked != 0 && ABS (get_milliseconds () - asked) < MAX_PAUSE_MS)
    {
      handle_pending ();
      g_usleep (1000);
    }
}

void
scope_succession_finish (ScopeSuccession *self)
{
  const char *name = g_application_get_application_id (self->application);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;

  if (self->bus == NULL)
    return;
  await_the_last (self);
  answer = g_dbus_connection_call_sync (self->bus, BUS_NAME, BUS_PATH, BUS_NAME, "ReleaseName",
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
  if (g_str_has_suffix (program, GONE)) /* a newer one has been installed in its place */
    program[strlen (program) - strlen (GONE)] = '\0';
  g_ptr_array_add (words, g_steal_pointer (&program));
  g_ptr_array_add (words, g_strdup ("--"));
  for (int i = 0; i < n; i++)
    g_ptr_array_add (words, g_file_get_uri (files[i]));
  g_ptr_array_add (words, NULL);
  return g_spawn_async (NULL, (char **) words->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                        error);
}
