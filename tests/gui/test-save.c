/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/scope-model-page.h"
#include "complaints.h"
#include "io/sym-io.h"
#include "questions.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
is_unmodified (gpointer document)
{
  return !scope_document_is_modified (document);
}

static gboolean
has_no_document (gpointer robot)
{
  return robot_get_document (robot) == NULL;
}

/* A graph whose input is called "pixels" now, and is of a shape that was typed. */
static char *
start_edited (Robot *robot)
{
  char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document;

  robot_start (robot, path);
  document = robot_get_document (robot);
  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "data"), "pixels", NULL));
  robot_settle (robot);
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "pixels"), "4,3", NULL));
  robot_settle (robot);
  g_assert_true (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (robot->window)), "• "));
  return path;
}

static void
click_answer (const char *label)
{
  robot_click (robot_wait_for (GTK_WIDGET (question_await (NULL)), GTK_TYPE_BUTTON, label));
}

static void
answer (const char *label)
{
  click_answer (label);
  robot_wait_until (question_is_not_asked, NULL);
}

static gboolean
asks_for_one (gpointer data)
{
  GtkWindow *dialog = robot_find_window (ADW_TYPE_MESSAGE_DIALOG);

  return dialog != NULL &&
         robot_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Save “Nameless”?") != NULL;
}

/* What is in the file now, with its shapes. */
static char *
read_shape (const char *path, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  SymId value;

  g_assert_no_error (error);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  if (!sym_model_resolve (model, name, &value, NULL))
    return NULL;
  SymType type = sym_inference_get_type (inference, value);

  return sym_inference_format_shape (inference, &type.shape, ",");
}

static void
test_edits_are_saved_in_the_file (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);

  robot_do ("key ctrl+s");
  robot_wait_until (is_unmodified, robot_get_document (&robot));
  robot_idle (300);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "toy-symbol.json");
  g_autofree char *input = read_shape (path, "pixels");
  g_autofree char *output = read_shape (path, "out_output");
  g_autofree char *old = read_shape (path, "data");

  g_assert_cmpstr (input, ==, "4,3");
  g_assert_cmpstr (output, ==, "4,8");
  g_assert_null (old);
  robot_do ("key ctrl+z");
  robot_settle (&robot);
  g_assert_true (scope_document_is_modified (robot_get_document (&robot)));
  scope_document_redo (robot_get_document (&robot));
  robot_settle (&robot);
  robot_stop (&robot);
}

static gboolean
has_changed_on_disk (gpointer document)
{
  return scope_document_get_disk (document) == SCOPE_DISK_CHANGED;
}

/* What another program wrote meanwhile is lost only to those who say so. */
static void
test_changed_file_is_not_replaced_unasked (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (g_file_set_contents (path, TOY ("\"a\":\"b\""), -1, NULL));
  robot_wait_until (has_changed_on_disk, document);
  robot_do ("key ctrl+s");
  answer ("_Cancel");
  g_assert_true (scope_document_is_modified (document));
  g_autofree char *other = read_shape (path, "data");

  g_assert_nonnull (other);
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+s");
  answer ("_Replace");
  robot_wait_until (is_unmodified, document);
  g_autofree char *own = read_shape (path, "pixels");

  g_assert_cmpstr (own, ==, "4,3");
  robot_stop (&robot);
}

static void
test_another_name_becomes_the_documents (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);
  g_autofree char *other = g_strconcat (path, "-other.symscope.json", NULL);
  g_autofree char *bytes = NULL;

  robot_do ("key ctrl+shift+s");
  robot_choose_file (other);
  robot_wait_until (exists, other);
  robot_wait_until (is_unmodified, robot_get_document (&robot));
  g_assert_true (g_str_has_suffix (scope_document_get_title (robot_get_document (&robot)),
                                   "-other.symscope.json"));
  /* Also where nothing is selected, of the whole. */
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_MODEL_PAGE), GTK_TYPE_LABEL,
                  scope_document_get_title (robot_get_document (&robot)));
  robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Show in Folder");
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  g_assert_null (strstr (bytes, "pixels"));
  robot_stop (&robot);
}

/* Its list of weights cannot be written: it stays as it is, and what was edited gets a name. */
static void
test_file_with_more_than_the_graph_is_kept (void)
{
  Robot robot;
  g_autofree char *path = toy_copy_fixture ("keras-weights", "tfjs.json");
  g_autofree char *other = g_strconcat (path, "-other.symscope.json", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  SymModel *model = sym_inference_get_model (scope_document_get_inference (document));
  SymId input = sym_model_get_inputs (model).ids[0];

  g_assert_true (scope_document_rename_value (document, input, "pixels", NULL));
  robot_settle (&robot);
  robot_do ("key ctrl+s");
  toasts_wait_for ("Not saved: the file there is a TensorFlow.js model");
  g_assert_true (scope_document_is_modified (document));
  robot_choose_file (other);
  robot_wait_until (is_unmodified, document);
  g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, before);
  robot_stop (&robot);
}

static void
test_closing_asks_and_can_be_cancelled (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);
  g_autofree char *bytes = NULL;

  robot_do ("key ctrl+w");
  answer ("_Cancel");
  robot_focus (GTK_WINDOW (robot.window));
  g_assert_true (scope_document_is_modified (robot_get_document (&robot)));
  robot_do ("key ctrl+w");
  answer ("_Discard");
  robot_wait_until (has_no_document, &robot);
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  g_assert_null (strstr (bytes, "pixels"));
  robot_stop (&robot);
}

static guint
count_questions (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      n += ADW_IS_MESSAGE_DIALOG (window) ? 1 : 0;
    }
  return n;
}

/* Keys can come before the question is there to take them. */
static void
test_closing_asks_once (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);

  g_assert_nonnull (path);
  gtk_window_close (GTK_WINDOW (robot.window));
  gtk_window_close (GTK_WINDOW (robot.window));
  g_assert_cmpuint (count_questions (), ==, 1);
  answer ("_Cancel");
  robot_focus (GTK_WINDOW (robot.window));
  for (guint i = 0; i < 2; i++)
    gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  g_assert_cmpuint (count_questions (), ==, 1);
  answer ("_Discard");
  robot_wait_until (has_no_document, &robot);
  robot_stop (&robot);
}

static void
test_closing_saves_when_told (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);

  robot_do ("key ctrl+w");
  answer ("_Save");
  robot_wait_until (has_no_document, &robot);
  g_autofree char *input = read_shape (path, "pixels");

  g_assert_cmpstr (input, ==, "4,3");
  robot_stop (&robot);
}

static void
test_window_asks_for_all (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);

  gtk_window_close (GTK_WINDOW (robot.window));
  answer ("_Cancel");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (robot.window)));
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+q");
  answer ("_Cancel");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (robot.window)));
  scope_document_undo (robot_get_document (&robot));
  scope_document_undo (robot_get_document (&robot));
  robot_settle (&robot);
  g_assert_false (scope_window_is_modified (robot.window));
  g_autofree char *old = read_shape (path, "data");

  g_assert_nonnull (old);
  robot_stop (&robot);
}

static void
rename_input (Robot *robot, const char *name)
{
  ScopeDocument *document = robot_get_document (robot);

  g_assert_true (scope_document_rename_value (document, toy_find (document, "data"), name, NULL));
  robot_settle (robot);
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/* Two have files, the third is to be given one: it is asked for when the others are saved, and then
 * the window closes. */
static void
test_window_saves_all_and_closes (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  g_autofree char *third = g_strconcat (other, "-third.symscope.json", NULL);
  gpointer window = robot.window;

  robot_open (&robot, other);
  rename_input (&robot, "points");
  scope_window_open_model (robot.window, scope_document_get_model (robot_get_document (&robot)),
                           "Nameless");
  robot_settle (&robot);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "points"), "voxels", NULL));
  robot_settle (&robot);
  g_object_add_weak_pointer (G_OBJECT (robot.window), &window);
  gtk_window_close (GTK_WINDOW (robot.window));
  robot_wait_until (question_is_asked, NULL);
  GtkWidget *dialog = GTK_WIDGET (robot_find_window (ADW_TYPE_MESSAGE_DIALOG));

  g_assert_nonnull (robot_wait_for (dialog, GTK_TYPE_LABEL, "Save 3 Graphs?"));
  click_answer ("_Save");
  robot_wait_until (asks_for_one, NULL);
  answer ("_Save");
  robot_choose_file (third);
  robot_wait_until (is_gone, &window);
  g_autofree char *first = read_shape (path, "pixels");
  g_autofree char *second = read_shape (other, "points");
  g_autofree char *last = read_shape (third, "voxels");

  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_nonnull (last);
  g_clear_object (&robot.application);
}

/* One that lies in the way of closing is shown, and closing goes on when it has another name. */
static void
test_window_asks_where_instead (void)
{
  Robot robot;
  g_autofree char *kept = toy_copy_fixture ("keras-weights", "tfjs.json");
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  g_autofree char *third = g_strconcat (other, "-third.symscope.json", NULL);
  gpointer window;

  robot_start (&robot, kept);
  ScopeDocument *document = robot_get_document (&robot);
  SymModel *model = sym_inference_get_model (scope_document_get_inference (document));

  g_assert_true (
      scope_document_rename_value (document, sym_model_get_inputs (model).ids[0], "voxels", NULL));
  robot_open (&robot, other);
  rename_input (&robot, "points");
  window = robot.window;
  g_object_add_weak_pointer (G_OBJECT (robot.window), &window);
  gtk_window_close (GTK_WINDOW (robot.window));
  answer ("_Save");
  robot_choose_file (third);
  robot_wait_until (is_gone, &window);
  g_autofree char *saved = read_shape (other, "points");

  g_assert_nonnull (saved);
  g_assert_true (g_file_test (third, G_FILE_TEST_EXISTS));
  g_clear_object (&robot.application);
}

/* Which of several files saving would replace is told. */
static void
test_window_tells_what_has_changed (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  g_autofree char *text = g_strdup_printf (
      "“%s”, whose file has changed: saving loses what it holds now\n“other-symbol.json”", name);
  ScopeDocument *document = robot_get_document (&robot);

  robot_open (&robot, other);
  rename_input (&robot, "points");
  g_assert_true (g_file_set_contents (path, TOY ("\"a\":\"b\""), -1, NULL));
  robot_wait_until (has_changed_on_disk, document);
  gtk_window_close (GTK_WINDOW (robot.window));
  robot_wait_until (question_is_asked, NULL);
  GtkWidget *dialog = GTK_WIDGET (robot_find_window (ADW_TYPE_MESSAGE_DIALOG));

  g_assert_nonnull (robot_wait_for (dialog, GTK_TYPE_LABEL, text));
  g_assert_cmpstr (adw_message_dialog_get_default_response (ADW_MESSAGE_DIALOG (dialog)), ==,
                   "cancel");
  answer ("_Cancel");
  robot_stop (&robot);
}

/* One that cannot be written keeps the window, and all that was edited. */
static void
test_window_stays_when_one_cannot_be_saved (void)
{
  Robot robot;
  g_autofree char *path = start_edited (&robot);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));

  ScopeDocument *lost = robot_get_document (&robot), *document;

  robot_open (&robot, other);
  rename_input (&robot, "points");
  document = robot_get_document (&robot);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  gtk_window_close (GTK_WINDOW (robot.window));
  answer ("_Save");
  robot_wait_until (is_unmodified, document);
  robot_idle (500); /* the other one is told, too */
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (robot.window)));
  g_assert_true (scope_window_is_modified (robot.window));
  g_assert_true (robot_get_document (&robot) == lost);
  g_autofree char *saved = read_shape (other, "points");

  g_assert_nonnull (saved);
  robot_stop (&robot);
}

static GtkWidget *
find_save_as (Robot *robot)
{
  return robot_find (GTK_WIDGET (robot->window), GTK_TYPE_BUTTON, "Save As…");
}

static gboolean
is_offered (gpointer data)
{
  return find_save_as (data) != NULL;
}

static gboolean
is_not_offered (gpointer data)
{
  return !is_offered (data);
}

/* The window has what the disk has not any more, edited or not. */
static void
test_file_that_went_is_saved_again (void)
{
  g_autofree char *path = toy_write ("gone-symbol.json", TOY (""));
  g_autofree char *other = g_strconcat (path, "-symbol.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  robot_settle (&robot);
  g_assert_cmpint (g_unlink (path), ==, 0);
  robot_wait_until (is_offered, &robot);
  robot_do ("key ctrl+s");
  robot_wait_until (exists, path);
  robot_wait_until (is_not_offered, &robot);
  g_assert_cmpint (g_unlink (path), ==, 0);
  robot_wait_until (is_offered, &robot);
  robot_click (find_save_as (&robot));
  robot_choose_file (other);
  robot_wait_until (exists, other);
  robot_wait_until (is_not_offered, &robot);
  robot_stop (&robot);
}

static gboolean
is_of_a_part (gpointer robot)
{
  ScopeDocument *document = robot_get_document (robot);

  return document != NULL && scope_document_was_made (document) &&
         scope_document_get_inference (document) != NULL;
}

static gboolean
is_of_a_file (gpointer robot)
{
  ScopeDocument *document = robot_get_document (robot);

  return document != NULL && scope_document_get_file (document) != NULL;
}

static void
cut (Robot *robot)
{
  robot_point_at_node (robot, "fc1_output", "click 1");
  robot_press (robot, "o");
  robot_click (robot_wait_for (GTK_WIDGET (robot->window), GTK_TYPE_BUTTON, "Open in Tab"));
  robot_wait_until (is_of_a_part, robot);
  robot_settle (robot);
}

static int
count_tabs (Robot *robot)
{
  return adw_tab_view_get_n_pages (
      ADW_TAB_VIEW (robot_find (GTK_WIDGET (robot->window), ADW_TYPE_TAB_VIEW, NULL)));
}

/* Nobody has it elsewhere: it is asked about until it is in a file. */
static void
test_part_in_no_file_is_asked_about (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *part = g_strconcat (path, "-part.symscope.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  cut (&robot);
  robot_do ("key ctrl+w");
  GtkWidget *dialog = GTK_WIDGET (question_await (NULL));

  g_assert_nonnull (robot_wait_for (dialog, GTK_TYPE_LABEL, "Save “Part of toy-symbol.json”?"));
  g_assert_nonnull (robot_wait_for (dialog, GTK_TYPE_LABEL, "It is in no file yet."));
  answer ("_Cancel");
  g_assert_true (is_of_a_part (&robot));
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+w");
  answer ("_Save");
  robot_choose_file (part);
  robot_wait_until (exists, part);
  robot_wait_until (is_of_a_file, &robot);
  g_assert_cmpint (count_tabs (&robot), ==, 1);
  robot_stop (&robot);
}

static void
test_part_that_was_saved_is_not_asked_about (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *part = g_strconcat (path, "-saved.symscope.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  cut (&robot);
  robot_do ("key ctrl+s");
  robot_choose_file (part);
  robot_wait_until (is_unmodified, robot_get_document (&robot));
  robot_settle (&robot);
  robot_do ("key ctrl+w");
  robot_settle (&robot);
  g_assert_null (robot_find_window (ADW_TYPE_MESSAGE_DIALOG));
  g_assert_cmpint (count_tabs (&robot), ==, 1);
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
  g_test_add_func ("/gui/save/edits-are-saved-in-the-file", test_edits_are_saved_in_the_file);
  g_test_add_func ("/gui/save/changed-file-is-not-replaced-unasked",
                   test_changed_file_is_not_replaced_unasked);
  g_test_add_func ("/gui/save/another-name-becomes-the-documents",
                   test_another_name_becomes_the_documents);
  g_test_add_func ("/gui/save/file-with-more-than-the-graph-is-kept",
                   test_file_with_more_than_the_graph_is_kept);
  g_test_add_func ("/gui/save/closing-asks-and-can-be-cancelled",
                   test_closing_asks_and_can_be_cancelled);
  g_test_add_func ("/gui/save/closing-asks-once", test_closing_asks_once);
  g_test_add_func ("/gui/save/closing-saves-when-told", test_closing_saves_when_told);
  g_test_add_func ("/gui/save/part-in-no-file-is-asked-about", test_part_in_no_file_is_asked_about);
  g_test_add_func ("/gui/save/part-that-was-saved-is-not-asked-about",
                   test_part_that_was_saved_is_not_asked_about);
  g_test_add_func ("/gui/save/window-asks-for-all", test_window_asks_for_all);
  g_test_add_func ("/gui/save/file-that-went-is-saved-again", test_file_that_went_is_saved_again);
  g_test_add_func ("/gui/save/window-saves-all-and-closes", test_window_saves_all_and_closes);
  g_test_add_func ("/gui/save/window-asks-where-instead", test_window_asks_where_instead);
  g_test_add_func ("/gui/save/window-tells-what-has-changed", test_window_tells_what_has_changed);
  g_test_add_func ("/gui/save/window-stays-when-one-cannot-be-saved",
                   test_window_stays_when_one_cannot_be_saved);
  return g_test_run ();
}
