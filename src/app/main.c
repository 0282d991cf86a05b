/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <locale.h>

#include "app/scope-application.h"
#include "app/scope-log.h"
#include "app/scope-succession.h"

static int
complain (const GError *error)
{
  g_printerr ("symscope: %s\n", error->message);
  return 1;
}

/* GTK's own complaint names neither the program nor a way out. */
static int
complain_of_display (void)
{
  g_printerr ("symscope: %s\n",
              _ ("there is no display to open a window on; “symscope summary FILE” and "
                 "“symscope draw FILE -o OUT” need none"));
  return 1;
}

/* Only as one that tells another, which needs a bus: else it would begin to be the program itself,
 * and that needs a display. */
static gboolean
find_other (GApplication *application)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);

  g_application_set_flags (application,
                           g_application_get_flags (application) | G_APPLICATION_IS_LAUNCHER);
  return bus != NULL && g_application_register (application, NULL, NULL) &&
         g_application_get_is_remote (application);
}

/* The program that runs has a display, even where this one has none. */
static int
open_another_window (GApplication *application, gboolean has_display)
{
  g_autoptr (GError) error = NULL;

  if (!has_display && !find_other (application))
    return complain_of_display ();
  if (has_display && !scope_succession_register (application, &error))
    return complain (error);
  if (!g_application_get_is_remote (application))
    return -1;
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  return 0;
}

/* What is done without a window; -1 lets it open. */
static int
handle_options_cb (GApplication *application, GVariantDict *options, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("symscope-window %s\n", SYMSCOPE_VERSION);
      return 0;
    }
  if (g_variant_dict_contains (options, "new-instance"))
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  gboolean has_display = gtk_init_check ();

  if (g_variant_dict_contains (options, "new-window"))
    return open_another_window (application, has_display);
  if (!has_display)
    return complain_of_display ();
  return scope_succession_register (application, &error) ? -1 : complain (error);
}

int
main (int argc, char **argv)
{
  scope_log_begin ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, SYMSCOPE_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name (_ ("Symscope"));

  g_autoptr (ScopeApplication) application = scope_application_new (G_APPLICATION_DEFAULT_FLAGS);

  g_application_add_main_option (G_APPLICATION (application), "version", 'V', G_OPTION_FLAG_NONE,
                                 G_OPTION_ARG_NONE, _ ("Print the version and exit"), NULL);
  g_application_add_main_option (G_APPLICATION (application), "new-instance", 'n',
                                 G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
                                 _ ("Start a program of its own, which keeps no session"), NULL);
  g_application_add_main_option (
      G_APPLICATION (application), "new-window", 'w', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE,
      _ ("Open another window, also when the program runs already"), NULL);
  g_application_set_option_context_parameter_string (G_APPLICATION (application), _ ("[FILE…]"));
  g_signal_connect (application, "handle-local-options", G_CALLBACK (handle_options_cb), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
