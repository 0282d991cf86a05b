/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas.h"
#include "app/scope-compare-bar.h"
#include "app/scope-compare-dialog.h"
#include "app/scope-inspector.h"
#include "app/scope-legend.h"
#include "app/scope-run-setup.h"
#include "app/scope-summary.h"
#include "complaints.h"
#include "robot.h"
#include "store/sym-store-folder.h"
#include "toy.h"

#include <glib/gstdio.h>
#include <math.h>

#define BEGINNING                                                                      \
  "<ir_version: 8, opset_import: [\"\" : 13]>\ng (float[2,3] x) => (float[2,3] y) {\n" \
  "  a = Relu (x)\n"
#define OLD                                                                    \
  BEGINNING "  b = Sigmoid (a)\n  k = Tanh (b)\n  c = Elu <alpha = 1.5> (k)\n" \
            "  m = Floor (c)\n  y = Neg (m)\n}\n"
#define NEW                                                 \
  BEGINNING "  k = Tanh (a)\n  c = Elu <alpha = 2.5> (k)\n" \
            "  m = Floor (c)\n  d = Abs (m)\n  y = Neg (d)\n}\n"

#define SUMMARY "Compared with “old.onnxtxt”: 1 added, 1 removed, 1 changed"

static gboolean
is_compared (gpointer document)
{
  return !scope_document_is_comparing (document);
}

static void
await_comparison (Robot *robot)
{
  robot_wait_until (is_compared, robot_get_document (robot));
  robot_settle (robot);
}

static gboolean
asks (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_COMPARE_DIALOG) != NULL;
}

static gboolean
asks_not (gpointer data)
{
  return !asks (data);
}

/* The old graph in the first tab, the new one in front, compared by keys alone. */
static void
start_compared (Robot *robot)
{
  g_autofree char *old = toy_write ("old.onnxtxt", OLD), *new = toy_write ("new.onnxtxt", NEW);

  robot_start (robot, old);
  robot_open (robot, new);
  robot_focus (GTK_WINDOW (robot->window));
  robot_do ("key ctrl+shift+c");
  robot_wait_until (asks, NULL);
  GtkWindow *dialog = robot_find_window (SCOPE_TYPE_COMPARE_DIALOG);

  robot_focus (dialog);
  robot_wait_for (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Another File…");
  robot_do ("key Return");
  robot_wait_until (asks_not, NULL);
  robot_focus (GTK_WINDOW (robot->window));
  await_comparison (robot);
}

static GtkWidget *
get_bar (Robot *robot)
{
  return robot_find_part (robot, SCOPE_TYPE_COMPARE_BAR);
}

static void
test_tabs_are_compared (void)
{
  Robot robot;

  start_compared (&robot);
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, SUMMARY);
  GtkWidget *legend = robot_find_part (&robot, SCOPE_TYPE_LEGEND);

  robot_wait_for (legend, GTK_TYPE_LABEL, "Added");
  g_assert_nonnull (robot_find (legend, GTK_TYPE_LABEL, "Removed after it"));
  g_assert_null (robot_find (legend, GTK_TYPE_LABEL, ""));
  g_assert_null (robot_find (legend, GTK_TYPE_LABEL, "Reshaped")); /* nothing is */
  robot_press (&robot, "F7");
  robot_wait_selected (&robot, "a");
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, "1 of 3: Sigmoid “b”, removed");
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  robot_wait_for (inspector, GTK_TYPE_LABEL, "Removed after it");
  robot_press (&robot, "F7");
  robot_wait_selected (&robot, "c");
  robot_wait_for (inspector, GTK_TYPE_LABEL, "1.5 → 2.5");
  robot_press (&robot, "shift+F7");
  robot_wait_selected (&robot, "a");
  robot_stop (&robot);
}

static gboolean
is_seen (gpointer widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0;
}

static gboolean
is_gone (gpointer widget)
{
  return !gtk_widget_get_mapped (widget);
}

/* The list goes when something is chosen, and the next click is for what is below it. */
static void
test_list_leads (void)
{
  Robot robot;

  start_compared (&robot);
  robot_click (robot_wait_for (get_bar (&robot), GTK_TYPE_MENU_BUTTON, NULL));
  GtkWidget *label = robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, "d · Abs");

  robot_wait_until (is_seen, label);
  robot_click (label);
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, "3 of 3: Abs “d”, added");
  robot_wait_selected (&robot, "d");
  robot_wait_until (is_gone, label);
  robot_press (&robot, "shift+F7");
  robot_press (&robot, "shift+F7");
  robot_click (robot_wait_for (get_bar (&robot), GTK_TYPE_BUTTON, "Other Graph"));
  robot_settle (&robot);
  robot_wait_selected (&robot, "b");
  robot_stop (&robot);
}

/* The partner of what is selected is selected in the other tab. */
static void
test_other_tab_shows_the_partner (void)
{
  Robot robot;

  start_compared (&robot);
  robot_press (&robot, "F7"); /* removed: it is there only */
  robot_click (robot_wait_for (get_bar (&robot), GTK_TYPE_BUTTON, "Other Graph"));
  robot_settle (&robot);
  robot_wait_selected (&robot, "b");
  robot_stop (&robot);
}

static void
test_table_lists_and_finds (void)
{
  Robot robot;

  start_compared (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  g_assert_nonnull (robot_find (summary, GTK_TYPE_LABEL, "Change"));
  robot_do ("key ctrl+f");
  robot_do ("type change:added");
  robot_idle (500);
  robot_settle (&robot);
  SymIds found = scope_document_get_found (robot_get_document (&robot));

  g_assert_cmpuint (found.n, ==, 1);
  g_assert_cmpuint (found.ids[0], ==, toy_find (robot_get_document (&robot), "d"));
  robot_stop (&robot);
}

static void
test_closing_gives_the_view_back (void)
{
  Robot robot;

  start_compared (&robot);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_cmpint (scope_document_get_view (document)->colors, ==, SCOPE_COLORS_COMPARISON);
  GtkWidget *bar = get_bar (&robot);
  int width = gtk_widget_get_width (bar), height = gtk_widget_get_height (bar);

  robot_point (bar, width - 22, height / 2.0, "click 1");
  robot_settle (&robot);
  g_assert_cmpint (scope_document_get_view (document)->colors, ==, SCOPE_COLORS_CATEGORY);
  g_assert_null (scope_document_get_compared_title (document));
  g_assert_false (gtk_widget_get_mapped (bar));
  g_assert_null (robot_find (robot_find_part (&robot, SCOPE_TYPE_LEGEND), GTK_TYPE_LABEL, "Added"));
  robot_stop (&robot);
}

static gboolean
has_ended (gpointer document)
{
  return scope_document_get_compared_title (document) == NULL;
}

/* By its key from anywhere; by Escape from its bar, behind which the drawing has the keyboard. */
static void
test_keys_end_it (void)
{
  Robot robot;

  start_compared (&robot);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *bar = get_bar (&robot);

  robot_do ("key ctrl+F7");
  robot_wait_until (has_ended, document);
  robot_wait_until (is_gone, bar);
  robot_stop (&robot);
  start_compared (&robot);
  document = robot_get_document (&robot);
  bar = get_bar (&robot);
  g_assert_true (gtk_widget_child_focus (bar, GTK_DIR_TAB_FORWARD));
  robot_do ("key Escape");
  robot_wait_until (has_ended, document);
  robot_wait_until (is_gone, bar);
  g_assert_true (SCOPE_IS_CANVAS (gtk_window_get_focus (GTK_WINDOW (robot.window))));
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (robot.window), "end-comparison"));
  robot_stop (&robot);
}

static gboolean
shows_the_removed (gpointer robot)
{
  ScopeDocument *document = robot_get_document (robot);
  SymModel *model = scope_document_get_model (document);
  SymId value = scope_document_get_selected_value (document);

  return value != SYM_NO_ID && g_strcmp0 (sym_model_get_value_name (model, value), "b") == 0;
}

/* What has no box here is one click away. */
static void
test_legend_leads_to_the_removed (void)
{
  Robot robot;

  start_compared (&robot);
  GtkWidget *name =
      robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_LEGEND), GTK_TYPE_LABEL, "b");

  robot_wait_until (is_seen, name);
  robot_click (name);
  robot_wait_until (shows_the_removed, &robot);
  robot_stop (&robot);
}

static gboolean
has_no_chooser (gpointer data)
{
  return robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG) == NULL;
}

/* With one tab there are but a file, which comes first, and a folder. */
static void
compare_with_one (Robot *robot, const char *path, gboolean is_folder)
{
  robot_do ("key ctrl+shift+c");
  robot_wait_until (asks, NULL);
  GtkWindow *dialog = robot_find_window (SCOPE_TYPE_COMPARE_DIALOG);

  robot_focus (dialog);
  robot_wait_for (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Another File…");
  if (is_folder)
    robot_do ("key Down");
  robot_do ("key Return");
  robot_choose_file (path);
  robot_wait_until (has_no_chooser, NULL);
  robot_focus (GTK_WINDOW (robot->window));
  await_comparison (robot);
}

static void
compare_with (Robot *robot, const char *path)
{
  compare_with_one (robot, path, FALSE);
}

static void
test_files_are_compared (void)
{
  g_autofree char *old = toy_write ("old.onnxtxt", OLD), *new = toy_write ("new.onnxtxt", NEW);
  g_autofree char *broken = toy_write ("broken.onnxtxt", "<ir_version: ");
  Robot robot;

  robot_start (&robot, new);
  compare_with (&robot, broken);
  const GError *error = scope_document_get_comparison_error (robot_get_document (&robot));

  g_assert_nonnull (error);
  g_autofree char *text =
      g_strdup_printf ("Cannot be compared with “broken.onnxtxt”: %s", error->message);

  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, text);
  compare_with (&robot, old);
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, SUMMARY);
  GtkWidget *other = robot_find (get_bar (&robot), GTK_TYPE_BUTTON, "Other Graph");

  g_assert_false (gtk_widget_is_sensitive (other)); /* it has no tab */
  compare_with (&robot, new);
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_LEGEND), GTK_TYPE_LABEL, "No difference");
  robot_stop (&robot);
}

static gboolean
is_measured (gpointer document)
{
  return scope_document_get_distances (document) != NULL;
}

/* a is as expected, c is not, m has another shape, nobody is called q. */
#define DATA                                                                                   \
  "{\"results\": {\"a\": {\"value\": [[0, 0, 0], [0, 0, 0]]}, \"c\": {\"value\": [[1, 0, 0], " \
  "[0, 0, 0]]}, \"m\": {\"value\": [0, 0]}, \"q\": {\"value\": 1}}}"

static void
run_on_zeros (Robot *robot)
{
  ScopeDocument *document = robot_get_document (robot);
  SymModel *model = scope_document_get_model (document);
  g_autoptr (ScopeRunWish) wish = scope_run_wish_new (scope_document_get_state (document));
  ScopeInputWish zeros = { .value = sym_model_get_inputs (model).ids[0], .kind = SCOPE_FEED_ZEROS };
  g_autoptr (GError) error = NULL;
  guint input;

  scope_run_wish_add (wish, &zeros);
  ScopeRunSetup *setup = scope_run_wish_prepare (wish, &input, NULL, &error);

  g_assert_no_error (error);
  scope_document_run (document, setup);
}

/* By a run: what differs is named, stepped through, listed and told; so is what cannot be compared.
 */
static void
test_numbers_of_a_file (void)
{
  g_autofree char *new = toy_write ("new.onnxtxt", NEW), *data = toy_write ("data.json", DATA);
  Robot robot;

  robot_start (&robot, new);
  ScopeDocument *document = robot_get_document (&robot);

  compare_with (&robot, data);
  g_assert_no_error (scope_document_get_comparison_error (document));
  robot_wait_for (
      get_bar (&robot), GTK_TYPE_LABEL,
      "Compared with the numbers of “data.json”: a run tells how far its own are from them");
  g_assert_cmpint (scope_document_get_view (document)->colors, ==, SCOPE_COLORS_DISTANCE);
  run_on_zeros (&robot);
  robot_wait_until (is_measured, document);
  robot_settle (&robot);
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL,
                  "Compared with the numbers of “data.json”: other numbers from “c” on; 1 of 4 "
                  "arrays cannot be compared");
  g_autofree double *differences = scope_document_list_differences (document);

  g_assert_cmpfloat (differences[toy_find (document, "a")], ==, 0);
  g_assert_cmpfloat (differences[toy_find (document, "c")], ==, 1);
  g_assert_true (isinf (differences[toy_find (document, "m")]));
  g_assert_cmpfloat (differences[toy_find (document, "y")], <, 0);
  robot_press (&robot, "F7");
  robot_wait_selected (&robot, "c");
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, "1 of 2: “c” (Elu), largest difference 1");
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL,
                  "the first that differ");
  robot_press (&robot, "F7");
  robot_wait_selected (&robot, "m");
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, "2 of 2: “m” (Floor), is [2,3] and was [2]");
  robot_press (&robot, "F7");
  robot_wait_selected (&robot, "c");
  robot_click (robot_wait_for (get_bar (&robot), GTK_TYPE_MENU_BUTTON, NULL));
  GtkWidget *label = robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL, "q");

  robot_wait_until (is_seen, label);
  g_assert_nonnull (
      robot_find (get_bar (&robot), GTK_TYPE_LABEL, "no value or layer of the graph is called so"));
  robot_do ("key Escape");
  robot_do ("key ctrl+F7");
  robot_wait_until (has_ended, document);
  g_assert_cmpint (scope_document_get_view (document)->colors, ==, SCOPE_COLORS_CATEGORY);
  robot_stop (&robot);
}

/* What one run of the graph has left is what the next one is held against. */
static void
test_folder_of_a_run (void)
{
  g_autofree char *new = toy_write ("new.onnxtxt", NEW);
  g_autofree char *folder = toy_write ("numbers", "");
  float zeros[6] = { 0 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3), zeros };
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, NULL);
  g_autoptr (GError) error = NULL;
  Robot robot;

  g_remove (folder);
  g_autoptr (SymStoreFolder) store = sym_store_folder_new (folder, &error);

  g_assert_no_error (error);
  g_assert_true (sym_store_folder_add (store, "y", datum, &error));
  g_assert_true (sym_store_folder_end (store, &error));
  robot_start (&robot, new);
  ScopeDocument *document = robot_get_document (&robot);

  compare_with_one (&robot, folder, TRUE);
  g_assert_no_error (scope_document_get_comparison_error (document));
  run_on_zeros (&robot);
  robot_wait_until (is_measured, document);
  robot_wait_for (get_bar (&robot), GTK_TYPE_LABEL,
                  "Compared with the numbers of “numbers”: the same numbers within 0.1 %");
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
  complaints_begin (); /* some are GTK's own */
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/comparing/tabs-are-compared", test_tabs_are_compared);
  g_test_add_func ("/gui/comparing/list-leads", test_list_leads);
  g_test_add_func ("/gui/comparing/other-tab-shows-the-partner", test_other_tab_shows_the_partner);
  g_test_add_func ("/gui/comparing/table-lists-and-finds", test_table_lists_and_finds);
  g_test_add_func ("/gui/comparing/closing-gives-the-view-back", test_closing_gives_the_view_back);
  g_test_add_func ("/gui/comparing/keys-end-it", test_keys_end_it);
  g_test_add_func ("/gui/comparing/legend-leads-to-the-removed", test_legend_leads_to_the_removed);
  g_test_add_func ("/gui/comparing/files-are-compared", test_files_are_compared);
  g_test_add_func ("/gui/comparing/numbers-of-a-file", test_numbers_of_a_file);
  g_test_add_func ("/gui/comparing/folder-of-a-run", test_folder_of_a_run);
  return g_test_run ();
}
