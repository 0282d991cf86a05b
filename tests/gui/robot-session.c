/* SPDX-License-Identifier: MIT */
#include "robot.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- What it keeps ---- */

/* A test that was ended may have left a folder where a file should be. */
static void
remove_tree (GFile *file)
{
  g_autoptr (GFileEnumerator) children = g_file_enumerate_children (
      file, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  GFile *child;

  while (children != NULL && g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) &&
         child != NULL)
    remove_tree (child);
  g_file_delete (file, NULL, NULL);
}

static void
remove_own (const char *variable, const char *name)
{
  const char *build = g_getenv ("G_TEST_BUILDDIR"), *folder = g_getenv (variable);

  if (build == NULL || folder == NULL || !g_str_has_prefix (folder, build))
    return;
  g_autoptr (GFile) file = g_file_new_build_filename (folder, name, NULL);

  remove_tree (file);
}

void
robot_clear_home (void)
{
  remove_own ("XDG_CONFIG_HOME", "symscope/settings.ini");
  remove_own ("XDG_STATE_HOME", "symscope/session.ini");
  remove_own ("XDG_STATE_HOME", "symscope/searches");
  remove_own ("XDG_DATA_HOME", "recently-used.xbel");
}

char *
robot_get_session_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "symscope", "session.ini", NULL);
}

gboolean
robot_session_tells (gpointer part)
{
  g_autofree char *path = robot_get_session_path ();
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, part) != NULL;
}

/* ---- Its end ---- */

gboolean
robot_has_no_window (gpointer self)
{
  Robot *robot = self;

  return gtk_application_get_windows (GTK_APPLICATION (robot->application)) == NULL;
}

void
robot_wait_for_end (Robot *self)
{
  robot_wait_until (robot_has_no_window, self);
  g_clear_object (&self->application);
}

void
robot_quit (Robot *self)
{
  robot_do ("key ctrl+q");
  robot_wait_for_end (self);
}

void
robot_end_by_signal (Robot *self)
{
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  robot_wait_for_end (self);
}
