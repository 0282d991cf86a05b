/* SPDX-License-Identifier: MIT */
#include "tabs.h"
#include "toasts.h"

/* What the window tells in passing. */

static GtkWidget *
wait_for_toast (Robot *robot, const char *text)
{
  GtkWidget *label = robot_wait_for (GTK_WIDGET (robot->window), GTK_TYPE_LABEL, text);

  return gtk_widget_get_ancestor (label, g_type_from_name ("AdwToastWidget"));
}

static void
dismiss (GtkWidget *toast)
{
  g_signal_emit_by_name (robot_find (toast, GTK_TYPE_BUTTON, NULL), "clicked");
}

static gboolean
has_no_toast (gpointer data)
{
  Robot *robot = data;
  GType type = g_type_from_name ("AdwToastWidget");

  return robot_find (GTK_WIDGET (robot->window), type, NULL) == NULL;
}

/* Each as soon as it comes: of libadwaita 1.2 a toast that came while another left ended the
 * program, when it was dismissed at once. */
static void
test_messages_are_dismissed_at_once (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  toasts_hold ();
  for (int i = 0; i < 3; i++)
    gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.show-message", "s",
                                (const char *[]){ "one", "two", "three" }[i]);
  dismiss (wait_for_toast (&robot, "one"));
  dismiss (wait_for_toast (&robot, "two"));
  dismiss (wait_for_toast (&robot, "three"));
  robot_wait_until (has_no_toast, &robot);
  robot_idle (600);
  robot_stop (&robot);
}

/* A message does not wait for the time of those before it. */
static void
test_messages_make_room (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  toasts_stretch (3600);
  for (int i = 0; i < 3; i++)
    gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.show-message", "s",
                                (const char *[]){ "one", "two", "three" }[i]);
  toasts_wait_for ("one");
  toasts_wait_for ("two");
  toasts_wait_for ("three");
  wait_for_toast (&robot, "three");
  robot_stop (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  robot_clear_home ();
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/messages/messages-are-dismissed-at-once",
                   test_messages_are_dismissed_at_once);
  g_test_add_func ("/gui/messages/messages-make-room", test_messages_make_room);
  return g_test_run ();
}
