/* SPDX-License-Identifier: MIT */
#include "app/scope-inspector.h"
#include "app/scope-run-dialog.h"
#include "complaints.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

static char *
get_weights (void)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", "gates_weights.h5", NULL);
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

/* In the chooser that comes. */
static void
choose (Robot *robot, const char *path)
{
  robot_choose_file (path);
  robot_wait_until (has_no_chooser, NULL);
  robot_focus (GTK_WINDOW (robot->window));
  robot_settle (robot);
}

static void
test_inspector_asks_for_missing_ones (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autofree char *weights = get_weights ();
  Robot robot;

  robot_start (&robot, path);
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "dense_1/kernel"));
  robot_settle (&robot);
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  robot_wait_for (inspector, GTK_TYPE_LABEL, "The file has no numbers for it");
  robot_click (robot_wait_for (inspector, GTK_TYPE_BUTTON, "Choose Weights…"));
  choose (&robot, weights);
  toasts_wait_for ("Weights are those in gates_weights.h5");
  robot_wait_for (inspector, GTK_TYPE_LABEL, "Numbers in the File");
  g_assert_null (robot_find (inspector, GTK_TYPE_BUTTON, "Choose Weights…"));
  robot_stop (&robot);
}

/* Of two layers without, each for its own reason. */
static void
test_inspector_tells_why_they_are_missing (void)
{
  static const char *const cases[][2] = {
    { "bare/kernel",
      "The file has no numbers for it: 'wrong.h5' has no weights of the layer “bare”" },
    { "short/kernel", "The file has no numbers for it: “short” has 1 array of weights in "
                      "'wrong.h5', where it needs 2" },
  };
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", "wrong.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      scope_document_select_value (robot_get_document (&robot),
                                   toy_find (robot_get_document (&robot), cases[i][0]));
      robot_settle (&robot);
      robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL, cases[i][1]);
    }
  robot_stop (&robot);
}

static void
test_files_that_are_none_are_told (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key F10");
  robot_idle (500);
  robot_do ("key h"); /* its mnemonic */
  choose (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_null (scope_document_get_weights (document));
  g_assert_null (scope_document_get_error (document));
  g_assert_nonnull (scope_document_get_picture (document));
  robot_stop (&robot);
}

static gboolean
has_panel (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_RUN_DIALOG) != NULL;
}

/* From where a run is asked for, and where it was told why it came to nothing. */
static void
test_runs_ask_for_missing_ones (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autofree char *weights = get_weights ();
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key F5");
  robot_wait_until (has_panel, NULL);
  robot_idle (500);
  robot_focus (robot_find_window (SCOPE_TYPE_RUN_DIALOG));
  robot_click (robot_wait_for (GTK_WIDGET (robot_find_window (SCOPE_TYPE_RUN_DIALOG)),
                               GTK_TYPE_BUTTON, "Take them from a file"));
  choose (&robot, weights);
  toasts_wait_for ("Weights are those in gates_weights.h5");
  robot_do ("key F5");
  robot_wait_until (has_panel, NULL);
  robot_idle (500);
  g_assert_null (robot_find (GTK_WIDGET (robot_find_window (SCOPE_TYPE_RUN_DIALOG)),
                             GTK_TYPE_BUTTON, "Take them from a file"));
  robot_focus (robot_find_window (SCOPE_TYPE_RUN_DIALOG));
  robot_do ("key Escape");
  robot_idle (300);
  robot_stop (&robot);
}

static void
test_edits_are_not_lost_for_them (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "dense_1"), "scores", NULL));
  robot_settle (&robot);
  robot_do ("key F10");
  robot_idle (500);
  robot_do ("key h");
  toasts_wait_for ("To take other weights the graph is read again: save or undo what was "
                   "edited first");
  g_assert_false (has_chooser (NULL));
  robot_stop (&robot);
}

static void
test_they_come_back_with_the_session (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autofree char *weights = get_weights ();
  g_autoptr (GFile) file = g_file_new_for_path (weights);
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  scope_document_choose_weights (robot_get_document (&robot), file);
  robot_settle (&robot);
  robot_quit (&robot);
  robot_start_session (&robot, NULL);
  robot_wait_until (robot_has_drawing, &robot);
  g_assert_true (g_file_equal (scope_document_get_weights (robot_get_document (&robot)), file));
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
  robot_clear_home ();
  complaints_begin (); /* some are GTK's own */
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/chosen-weights/inspector-asks-for-missing-ones",
                   test_inspector_asks_for_missing_ones);
  g_test_add_func ("/gui/chosen-weights/inspector-tells-why-they-are-missing",
                   test_inspector_tells_why_they_are_missing);
  g_test_add_func ("/gui/chosen-weights/files-that-are-none-are-told",
                   test_files_that_are_none_are_told);
  g_test_add_func ("/gui/chosen-weights/runs-ask-for-missing-ones", test_runs_ask_for_missing_ones);
  g_test_add_func ("/gui/chosen-weights/edits-are-not-lost-for-them",
                   test_edits_are_not_lost_for_them);
  g_test_add_func ("/gui/chosen-weights/they-come-back-with-the-session",
                   test_they_come_back_with_the_session);
  return g_test_run ();
}
