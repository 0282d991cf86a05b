/* SPDX-License-Identifier: MIT */
#include "robot.h"

static gboolean
has_chooser (gpointer data)
{
  return robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL;
}

/* One that saves has a name already, one that opens a place for it once somebody types.  Keys are
 * lost while a window is new. */
void
robot_choose_file (const char *path)
{
  GtkWidget *chooser;

  robot_wait_until (has_chooser, NULL);
  chooser = GTK_WIDGET (robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG));
  for (guint i = 0; i < 5 && robot_find (chooser, GTK_TYPE_TEXT, path) == NULL; i++)
    {
      robot_idle (700);
      robot_focus (GTK_WINDOW (chooser));
      if (robot_find (chooser, GTK_TYPE_TEXT, NULL) != NULL)
        robot_do ("key ctrl+a");
      robot_do ("type --delay 20 %s", path);
      robot_idle (500);
    }
  g_assert_nonnull (robot_find (chooser, GTK_TYPE_TEXT, path));
  robot_do ("key Return");
}
