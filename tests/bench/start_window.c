/* SPDX-License-Identifier: MIT */
#include "app/scope-application.h"

#include <string.h>

/* usage: start_window bare | symscope
 *
 * Opens a window, an empty one of libadwaita or ours, and ends when its first frame was painted.
 * Run by bench-start. */

static GApplication *application;

static void
painted_cb (GdkFrameClock *clock, gpointer user_data)
{
  g_application_quit (application);
}

static void
mapped_cb (GtkWidget *window, gpointer user_data)
{
  g_signal_connect_after (gtk_widget_get_frame_clock (window), "after-paint",
                          G_CALLBACK (painted_cb), NULL);
}

static void
window_added_cb (GtkApplication *self, GtkWindow *window, gpointer user_data)
{
  g_signal_connect (window, "map", G_CALLBACK (mapped_cb), NULL);
}

static void
activate_bare_cb (GtkApplication *self, gpointer user_data)
{
  GtkWidget *window = adw_application_window_new (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_status_page_new ();

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "document-open-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), "Nothing Is Open");
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 900);
  gtk_window_present (GTK_WINDOW (window));
}

static GApplication *
create_bare (void)
{
  AdwApplication *bare = adw_application_new ("org.symscope.Bare", G_APPLICATION_NON_UNIQUE);

  g_signal_connect (bare, "activate", G_CALLBACK (activate_bare_cb), NULL);
  return G_APPLICATION (bare);
}

int
main (int argc, char **argv)
{
  if (argc != 2 || (strcmp (argv[1], "bare") != 0 && strcmp (argv[1], "symscope") != 0))
    {
      g_printerr ("usage: start_window bare | symscope\n");
      return 2;
    }
  application = strcmp (argv[1], "bare") == 0
                    ? create_bare ()
                    : G_APPLICATION (scope_application_new (G_APPLICATION_NON_UNIQUE));
  g_signal_connect (application, "window-added", G_CALLBACK (window_added_cb), NULL);
  int status = g_application_run (application, 1, argv);

  g_object_unref (application);
  return status;
}
