/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

#include "complaints.h"
#include "questions.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

/* What becomes of edits when the program is to end, and does not, or cannot keep them. */

static void
rename_value (Robot *robot, const char *name, const char *new_name)
{
  ScopeDocument *document = robot_get_document (robot);

  g_assert_true (scope_document_rename_value (document, toy_find (document, name), new_name, NULL));
  robot_settle (robot);
}

/* Another window of that program, with a graph whose input is called "points". */
static Robot
open_second (Robot *first, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Robot second = *first;

  g_action_group_activate_action (G_ACTION_GROUP (first->application), "new-window", NULL);
  robot_idle (700);
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (first->application)); l != NULL;
       l = l->next)
    if (SCOPE_IS_WINDOW (l->data) && l->data != first->window)
      second.window = l->data;
  g_assert_true (second.window != first->window);
  scope_window_open (second.window, file);
  robot_wait_until (robot_has_drawing, &second);
  rename_value (&second, "data", "points");
  return second;
}

/* The first graph is called "pixels" where it was "data". */
static void
start_two (Robot *first, Robot *second, const char *other)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));

  robot_clear_home ();
  robot_start_session (first, path);
  rename_value (first, "data", "pixels");
  *second = open_second (first, other);
}

static void
stop_two (Robot *first, Robot *second)
{
  gtk_window_destroy (GTK_WINDOW (second->window));
  robot_idle (300);
  robot_stop (first);
}

/* That of the window in front comes first, so that of the other lies above it. */
static void
ask_both (Robot *first, Robot *second)
{
  robot_focus (GTK_WINDOW (second->window));
  robot_do ("key ctrl+q");
  robot_wait_until (question_is_asked, first->window);
  robot_wait_until (question_is_asked, second->window);
}

/* All is as it was before somebody wanted to quit: nothing of it is lost or left out. */
static void
assert_not_given_up (Robot *robot)
{
  g_assert_true (scope_window_is_modified (robot->window));
  robot_wait_until (robot_session_tells, (gpointer) "pixels");
  rename_value (robot, "pixels", "voxels");
  robot_wait_until (robot_session_tells, (gpointer) "voxels");
  gtk_window_close (GTK_WINDOW (robot->window));
  question_answer (robot->window, "Escape");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (robot->window)));
}

static void
test_failed_save_gives_nothing_up (void)
{
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  g_autofree char *folder = g_path_get_dirname (other);
  Robot first, second;

  start_two (&first, &second, other);
  g_assert_cmpint (g_remove (other), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  ask_both (&first, &second);
  question_answer (first.window, "alt+d");
  question_answer (second.window, "alt+s");
  toasts_wait_for ("Not saved: ");
  g_assert_true (scope_window_is_modified (second.window));
  assert_not_given_up (&first);
  stop_two (&first, &second);
}

static gboolean
has_chooser (gpointer data)
{
  return robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL;
}

static gboolean
has_no_chooser (gpointer data)
{
  return !has_chooser (data);
}

static void
test_chooser_without_a_file_gives_nothing_up (void)
{
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot first, second;

  start_two (&first, &second, other);
  scope_window_open_model (second.window, scope_document_get_model (robot_get_document (&second)),
                           "Nameless");
  robot_settle (&second);
  rename_value (&second, "points", "stars");
  ask_both (&first, &second);
  question_answer (first.window, "alt+d");
  question_answer (second.window, "alt+s");
  /* The one with a file is saved by now, the other is asked about alone. */
  question_answer (second.window, "alt+s");
  robot_wait_until (has_chooser, NULL);
  robot_idle (700);
  robot_focus (robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG));
  robot_do ("key Escape");
  robot_wait_until (has_no_chooser, NULL);
  g_assert_true (scope_window_is_modified (second.window));
  assert_not_given_up (&first);
  stop_two (&first, &second);
}

static void
test_cancel_closes_all_questions (void)
{
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot first, second;

  start_two (&first, &second, other);
  ask_both (&first, &second);
  question_answer (first.window, "Escape");
  robot_wait_until (question_is_not_asked, NULL);
  g_assert_true (scope_window_is_modified (second.window));
  assert_not_given_up (&first);

  /* They ask again, each. */
  ask_both (&first, &second);
  question_answer (first.window, "alt+d");
  question_answer (second.window, "Escape");
  g_assert_true (scope_window_is_modified (first.window));
  g_assert_true (scope_window_is_modified (second.window));
  stop_two (&first, &second);
}

/* Where there is a file in place of the folder, not even root can write. */
static void
test_signal_asks_when_nothing_can_be_kept (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *session = robot_get_session_path ();
  g_autofree char *folder = g_path_get_dirname (session);
  g_autofree char *away = g_strconcat (folder, ".away", NULL);
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  rename_value (&robot, "data", "pixels");
  robot_wait_until (robot_session_tells, (gpointer) "pixels");
  g_assert_cmpint (g_rename (folder, away), ==, 0);
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  question_answer (robot.window, "Escape");
  toasts_wait_for ("Edits cannot be kept for the next time: ");
  g_assert_true (scope_window_is_modified (robot.window));
  g_assert_cmpint (g_unlink (folder), ==, 0);
  g_assert_cmpint (g_rename (away, folder), ==, 0);
  robot_end_by_signal (&robot);
  g_assert_true (robot_session_tells ((gpointer) "ended=true"));
  g_assert_true (robot_session_tells ((gpointer) "pixels"));
}

/* What was cut out and is in no file is asked about by those who quit; the end of the desktop's
 * session waits for no answer. */
static void
test_signal_does_not_wait_for_a_part (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  robot_settle (&robot);
  scope_window_open_model (robot.window, scope_document_get_model (robot_get_document (&robot)),
                           "Nameless");
  robot_settle (&robot);
  g_assert_true (scope_window_is_modified (robot.window));
  robot_end_by_signal (&robot);
  g_assert_true (robot_session_tells ((gpointer) "ended=true"));
}

static gboolean
is_unmodified (gpointer document)
{
  return !scope_document_is_modified (document);
}

static void
test_reloading_asks_before_edits_are_lost (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  rename_value (&robot, "data", "pixels");
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+r");
  question_answer (robot.window, "Return"); /* nobody loses anything by a mere Enter */
  robot_settle (&robot);
  toy_find (robot_get_document (&robot), "pixels");
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+r");
  question_answer (robot.window, "alt+r");
  robot_wait_until (is_unmodified, robot_get_document (&robot));
  robot_settle (&robot);
  toy_find (robot_get_document (&robot), "data");

  /* A shape that was typed outlives it. */
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL));
  robot_settle (&robot);
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+r");
  robot_settle (&robot);
  g_assert_false (question_is_asked (NULL));
  g_assert_cmpstr (
      scope_state_get_shape_text (scope_document_get_state (document), toy_find (document, "data")),
      ==, "4,3");
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
  complaints_begin (); /* some are GTK's own */
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/quit/failed-save-gives-nothing-up", test_failed_save_gives_nothing_up);
  g_test_add_func ("/gui/quit/chooser-without-a-file-gives-nothing-up",
                   test_chooser_without_a_file_gives_nothing_up);
  g_test_add_func ("/gui/quit/cancel-closes-all-questions", test_cancel_closes_all_questions);
  g_test_add_func ("/gui/quit/signal-does-not-wait-for-a-part",
                   test_signal_does_not_wait_for_a_part);
  g_test_add_func ("/gui/quit/signal-asks-when-nothing-can-be-kept",
                   test_signal_asks_when_nothing_can_be_kept);
  g_test_add_func ("/gui/quit/reloading-asks-before-edits-are-lost",
                   test_reloading_asks_before_edits_are_lost);
  return g_test_run ();
}
