/* SPDX-License-Identifier: MIT */
#include "app/scope-cell.h"
#include "app/scope-shapes.h"
#include "app/scope-summary.h"
#include "questions.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

static ScopeMiddle
get_middle (Robot *robot)
{
  return scope_canvas_get_middle (scope_page_get_canvas (scope_window_get_page (robot->window)));
}

static void
test_files_and_views_come_back (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  robot_open (&robot, other);
  robot_do ("key ctrl+l");
  robot_settle (&robot);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_do ("key ctrl+plus");
  robot_do ("key ctrl+plus");
  robot_settle (&robot);
  robot_do ("key ctrl+m");
  robot_settle (&robot);
  ScopeMiddle before = get_middle (&robot);

  robot_quit (&robot);
  g_assert_true (robot_session_tells ((gpointer) "ended=true"));

  robot_start_session (&robot, NULL);
  robot_wait_until (robot_has_drawing, &robot);
  robot_settle (&robot);
  ScopeDocument *document = robot_get_document (&robot);
  ScopeMiddle after = get_middle (&robot);

  g_assert_cmpstr (scope_document_get_title (document), ==, "b-symbol.json");
  g_assert_cmpint (scope_document_get_view (document)->drawing, ==, SYM_DRAWING_LAYERS);
  robot_wait_selected (&robot, "fc2_output");
  g_assert_true (scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_OUTPUT,
                                       toy_find (document, "fc2_output")));
  g_assert_cmpfloat_with_epsilon (after.scale, before.scale, 1e-6);
  g_assert_cmpfloat (fabs (after.x - before.x), <, 2);
  g_assert_cmpfloat (fabs (after.y - before.y), <, 2);
  robot_do ("key ctrl+Tab");
  robot_wait_until (robot_has_drawing, &robot);
  g_assert_cmpstr (scope_document_get_title (robot_get_document (&robot)), ==, "a-symbol.json");
  robot_quit (&robot);
}

/* Where a row of the table is, from the top of what is seen of it; FALSE for one that is not seen.
 */
static gboolean
find_row (GtkWidget *list, const char *layer, float *top)
{
  GtkWidget *label = robot_find (list, SCOPE_TYPE_CELL, layer);
  graphene_rect_t bounds;

  if (label == NULL || !gtk_widget_compute_bounds (label, list, &bounds))
    return FALSE;
  *top = bounds.origin.y;
  return *top >= 0 && *top < (float) gtk_widget_get_height (list);
}

static void
test_tab_behind_comes_back_at_its_row (void)
{
  g_autofree char *text = toy_format_chain (200);
  g_autofree char *path = toy_write ("long-symbol.json", text);
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  float top, last;
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "relu120_output"));
  robot_settle (&robot);
  robot_open (&robot, other);
  robot_quit (&robot);
  robot_start_session (&robot, NULL);
  robot_wait_until (robot_has_drawing, &robot);
  robot_do ("key alt+1");
  robot_wait_until (robot_has_drawing, &robot);
  robot_settle (&robot);
  robot_wait_selected (&robot, "relu120_output");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (robot.window)) ==
                 robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_idle (500);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);

  g_assert_true (find_row (list, "relu120", &last));
  for (guint i = 119; i > 110; i--)
    { /* no row is missing beside it */
      g_autofree char *layer = g_strdup_printf ("relu%u", i);

      g_assert_true (find_row (list, layer, &top));
      g_assert_cmpfloat (last - top, >, 5);
      g_assert_cmpfloat (last - top, <, 60);
      last = top;
    }
  robot_quit (&robot);
}

static void
test_nothing_comes_back_when_it_is_not_wanted (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  robot_wait_until (robot_session_tells, (gpointer) "ended=false");
  g_assert_true (scope_settings_set (scope_application_get_settings (robot.application),
                                     SCOPE_SETTING_RESTORE, FALSE, NULL));
  robot_quit (&robot);
  g_assert_false (robot_session_tells ((gpointer) "a-symbol.json"));
  robot_start_session (&robot, NULL);
  g_assert_null (robot_get_document (&robot));
  robot_quit (&robot);
}

/* ---- A file that changes ---- */

static GtkWidget *
find_bar_button (Robot *robot)
{
  return robot_find (GTK_WIDGET (robot->window), GTK_TYPE_BUTTON, "Read Again");
}

static gboolean
is_modified (gpointer data)
{
  return scope_document_is_modified (robot_get_document (data));
}

static gboolean
is_asked_to_read (gpointer data)
{
  return find_bar_button (data) != NULL;
}

static gboolean
is_read_again (gpointer data)
{
  return find_bar_button (data) == NULL && robot_has_drawing (data);
}

static void
test_changed_file_is_asked_about_when_it_was_edited (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *longer = toy_format_chain (3);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_ENTRY, NULL));
  robot_do ("type --delay 30 4,3");
  robot_wait_until (is_modified, &robot);
  robot_settle (&robot);
  g_assert_true (g_file_set_contents (path, longer, -1, NULL));
  robot_wait_until (is_asked_to_read, &robot);
  robot_idle (500);
  robot_click (find_bar_button (&robot));
  robot_wait_until (is_read_again, &robot);
  g_assert_cmpuint (
      sym_summary_get_n_rows (scope_document_get_summary (robot_get_document (&robot))), ==, 4);
  robot_stop (&robot);
}

/* ---- What is not saved ---- */

static gboolean
is_gone (gpointer data)
{
  return scope_document_get_disk (robot_get_document (data)) == SCOPE_DISK_GONE;
}

static gboolean
is_titled_renamed (gpointer data)
{
  Robot *robot = data;

  return g_strcmp0 (gtk_window_get_title (GTK_WINDOW (robot->window)), "• a-symbol.json") == 0;
}

static void
rename_layer (Robot *robot)
{
  ScopeDocument *document = robot_get_document (robot);
  SymId call = sym_model_get_producer (scope_document_get_model (document),
                                       toy_find (document, "relu1_output"));

  g_assert_true (scope_document_rename_call (document, call, "renamed", NULL));
  robot_wait_until (is_titled_renamed, robot);
}

static void
assert_renamed (Robot *robot)
{
  robot_wait_until (robot_has_drawing, robot);
  robot_wait_until (is_titled_renamed, robot);
  toy_find (robot_get_document (robot), "renamed_output");
}

static void
test_unsaved_edits_outlive_the_session (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  rename_layer (&robot);
  robot_end_by_signal (&robot);
  robot_start_session (&robot, NULL);
  assert_renamed (&robot);
  robot_end_by_signal (&robot);

  /* Opening something else does not lose them. */
  robot_start_session (&robot, other);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "b-symbol.json");
  robot_do ("key alt+1");
  assert_renamed (&robot);

  /* What was given up stays so. */
  robot_do ("key ctrl+q");
  question_await (NULL);
  robot_do ("key alt+d");
  robot_wait_for_end (&robot);
  robot_start_session (&robot, NULL);
  robot_wait_until (robot_has_drawing, &robot);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "a-symbol.json");
  g_assert_false (scope_document_is_modified (robot_get_document (&robot)));
  robot_quit (&robot);
}

/* The file has another layer of that name by now. */
static void
test_edits_that_are_lost_are_told (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autoptr (GString) text = g_string_new (TOY (""));
  g_autoptr (GError) error = NULL;
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  rename_layer (&robot);
  robot_end_by_signal (&robot);
  g_string_replace (text, "\"fc2\"", "\"renamed\"", 0);
  g_file_set_contents (path, text->str, -1, &error);
  g_assert_no_error (error);
  toasts_forget ();
  robot_start_session (&robot, NULL);
  toasts_wait_for ("1 edit could not be done again");
  g_assert_false (scope_document_is_modified (robot_get_document (&robot)));
  robot_quit (&robot);
}

static guint
count_windows (Robot *robot)
{
  guint n = 0;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (robot->application)); l != NULL;
       l = l->next)
    n += SCOPE_IS_WINDOW (l->data) ? 1 : 0;
  return n;
}

static void
ask_to_quit (Robot *robot)
{
  robot_focus (GTK_WINDOW (robot->window));
  robot_do ("key ctrl+q");
  question_await (NULL);
}

static gboolean
has_first_saved (gpointer path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "renamed") != NULL;
}

/* All of it: windows with nothing to be saved wait for the others, and come back with them. */
static void
test_quitting_goes_on_after_the_question (void)
{
  static const char *const keys[] = { "alt+d", "alt+s" };
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      robot_clear_home ();
      robot_start_session (&robot, path);
      rename_layer (&robot);
      g_action_group_activate_action (G_ACTION_GROUP (robot.application), "new-window", NULL);
      robot_idle (700);
      g_assert_cmpuint (count_windows (&robot), ==, 2);
      ask_to_quit (&robot);
      robot_do ("key Escape");
      robot_wait_until (question_is_not_asked, NULL);
      robot_idle (300);
      g_assert_cmpuint (count_windows (&robot), ==, 2);
      g_assert_true (scope_window_is_modified (robot.window));
      ask_to_quit (&robot);
      robot_do ("key %s", keys[i]);
      robot_wait_for_end (&robot);
      g_assert_true (has_first_saved (path) == (i == 1));
      g_assert_true (robot_session_tells ((gpointer) "a-symbol.json"));
      robot_start_session (&robot, NULL);
      robot_wait_until (robot_has_drawing, &robot);
      g_assert_false (scope_window_is_modified (robot.window));
      robot_quit (&robot);
    }
}

static void
test_unsaved_edits_without_a_file_are_asked_about (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  rename_layer (&robot);
  g_assert_cmpint (g_unlink (path), ==, 0);
  robot_wait_until (is_gone, &robot);
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  question_answer (NULL, "Escape");
  g_assert_false (robot_has_no_window (&robot));
  robot_stop (&robot);
}

/* ---- A program that dies ---- */

static void
die_with (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                                                      g_getenv ("SYMSCOPE_WINDOW"), path, NULL);

  g_assert_no_error (error);
  robot_wait_until (robot_session_tells, (gpointer) "ended=false");
  g_subprocess_force_exit (program);
  g_assert_true (g_subprocess_wait (program, NULL, NULL));
}

static void
test_what_was_open_at_a_crash_is_asked_about (void)
{
  g_autofree char *path = toy_write ("deadly-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  die_with (path);
  robot_start_session (&robot, NULL);
  robot_wait_until (question_is_asked, NULL);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (question_find (NULL))),
                            "deadly-symbol.json"));
  g_assert_null (robot_get_document (&robot));
  question_answer (NULL, "Escape");
  g_assert_null (robot_get_document (&robot));
  robot_focus (GTK_WINDOW (robot.window));
  robot_quit (&robot);

  robot_clear_home ();
  die_with (path);
  robot_start_session (&robot, NULL);
  question_answer (NULL, "Return");
  robot_wait_until (robot_has_drawing, &robot);
  robot_focus (GTK_WINDOW (robot.window));
  robot_quit (&robot);
}

/* A file as a program leaves it that dies, with a layer renamed in it and not saved. */
static void
die_edited (const char *path)
{
  g_autofree char *session = robot_get_session_path ();
  g_autofree char *text = NULL;
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  rename_layer (&robot);
  robot_wait_until (robot_session_tells, (gpointer) "renamed");
  g_assert_true (robot_session_tells ((gpointer) "ended=false"));
  g_assert_true (g_file_get_contents (session, &text, NULL, NULL));
  robot_end_by_signal (&robot);
  g_assert_true (g_file_set_contents (session, text, -1, NULL));
}

static void
assert_only (Robot *robot, const char *title)
{
  robot_wait_until (robot_has_drawing, robot);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot->window)), ==, title);
  g_assert_cmpuint (count_windows (robot), ==, 1);
}

static void
test_edits_of_a_crash_are_opened_again (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  die_edited (path);
  robot_start_session (&robot, NULL);
  robot_wait_until (question_is_asked, NULL);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (question_find (NULL))),
                            "What was edited and not saved is kept"));
  question_answer (NULL, "Return");
  assert_renamed (&robot);
  robot_end_by_signal (&robot);
  robot_start_session (&robot, NULL);
  assert_renamed (&robot);
  g_assert_false (question_is_asked (NULL));
  robot_end_by_signal (&robot);
}

/* Not now: with other files in between, until somebody has said what is to be. */
static void
test_edits_of_a_crash_are_kept_for_later (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot robot;

  die_edited (path);
  robot_start_session (&robot, other);
  question_answer (NULL, "Escape");
  assert_only (&robot, "b-symbol.json");
  robot_focus (GTK_WINDOW (robot.window));
  robot_quit (&robot);
  g_assert_true (robot_session_tells ((gpointer) "renamed"));

  robot_start_session (&robot, NULL);
  robot_wait_until (question_is_asked, NULL);
  robot_end_by_signal (&robot); /* which is no answer */
  g_assert_true (robot_session_tells ((gpointer) "ended=true"));
  g_assert_true (robot_session_tells ((gpointer) "renamed"));

  robot_start_session (&robot, NULL);
  question_answer (NULL, "Return");
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key alt+2");
  assert_renamed (&robot);
  robot_end_by_signal (&robot);
}

static void
test_edits_of_a_crash_are_discarded_when_told (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  die_edited (path);
  robot_start_session (&robot, NULL);
  question_answer (NULL, "alt+d");
  g_assert_null (robot_get_document (&robot));
  robot_focus (GTK_WINDOW (robot.window));
  robot_quit (&robot);
  g_assert_false (robot_session_tells ((gpointer) "renamed"));
  robot_start_session (&robot, NULL);
  robot_idle (500);
  g_assert_false (question_is_asked (NULL));
  g_assert_null (robot_get_document (&robot));
  robot_quit (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/session/files-and-views-come-back", test_files_and_views_come_back);
  g_test_add_func ("/gui/session/tab-behind-comes-back-at-its-row",
                   test_tab_behind_comes_back_at_its_row);
  g_test_add_func ("/gui/session/nothing-comes-back-when-it-is-not-wanted",
                   test_nothing_comes_back_when_it_is_not_wanted);
  g_test_add_func ("/gui/session/changed-file-is-asked-about-when-it-was-edited",
                   test_changed_file_is_asked_about_when_it_was_edited);
  g_test_add_func ("/gui/session/unsaved-edits-outlive-the-session",
                   test_unsaved_edits_outlive_the_session);
  g_test_add_func ("/gui/session/edits-that-are-lost-are-told", test_edits_that_are_lost_are_told);
  g_test_add_func ("/gui/session/quitting-goes-on-after-the-question",
                   test_quitting_goes_on_after_the_question);
  g_test_add_func ("/gui/session/unsaved-edits-without-a-file-are-asked-about",
                   test_unsaved_edits_without_a_file_are_asked_about);
  g_test_add_func ("/gui/session/what-was-open-at-a-crash-is-asked-about",
                   test_what_was_open_at_a_crash_is_asked_about);
  g_test_add_func ("/gui/session/edits-of-a-crash-are-opened-again",
                   test_edits_of_a_crash_are_opened_again);
  g_test_add_func ("/gui/session/edits-of-a-crash-are-kept-for-later",
                   test_edits_of_a_crash_are_kept_for_later);
  g_test_add_func ("/gui/session/edits-of-a-crash-are-discarded-when-told",
                   test_edits_of_a_crash_are_discarded_when_told);
  return g_test_run ();
}
