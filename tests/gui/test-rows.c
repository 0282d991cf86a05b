/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-cell.h"
#include "app/scope-inspector.h"
#include "app/scope-search.h"
#include "app/scope-summary-private.h"
#include "complaints.h"
#include "table.h"
#include "toasts.h"
#include "toy.h"

/* ---- Rows ---- */

typedef struct {
  ScopeDocument *document;
  guint n;
} Wish;

static gboolean
has_selected (gpointer data)
{
  const Wish *wish = data;

  return scope_document_get_selected_values (wish->document).n == wish->n;
}

static gboolean
has_marks (gpointer data)
{
  const Wish *wish = data;
  ScopeState *state = scope_document_get_state (wish->document);

  return scope_state_get_marks (state, SCOPE_MARK_OUTPUT).n == wish->n;
}

static void
test_several_rows_are_marked (void)
{
  Robot robot;

  table_start (&robot);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  robot_click (robot_find (summary, GTK_TYPE_LABEL, "fc1"));
  robot_do ("keydown ctrl");
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "sum"));
  robot_do ("keyup ctrl");
  robot_wait_until (has_selected, &(Wish){ document, 2 });
  robot_wait_selected (&robot, "sum_output");
  robot_do ("key ctrl+m");
  robot_wait_until (has_marks, &(Wish){ document, 2 });
  robot_settle (&robot);
  robot_do ("key ctrl+m");
  robot_wait_until (has_marks, &(Wish){ document, 0 });
  robot_settle (&robot);
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "fc1"));
  robot_do ("keydown shift");
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "fc2"));
  robot_do ("keyup shift");
  robot_wait_until (has_selected, &(Wish){ document, 3 });
  robot_point_at_node (&robot, "data", "click 1");
  robot_wait_until (has_selected, &(Wish){ document, 0 });
  robot_wait_selected (&robot, "data");
  robot_stop (&robot);
}

static void
test_typing_goes_to_a_name (void)
{
  Robot robot;

  table_start (&robot);
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "data"));
  robot_do ("type --delay 60 fc2");
  robot_idle (300);
  robot_wait_selected (&robot, "fc2_output");
  robot_idle (1200); /* another name */
  robot_do ("key s");
  robot_idle (300);
  robot_wait_selected (&robot, "sum_output");
  robot_do ("key Down");
  robot_idle (300);
  robot_wait_selected (&robot, "out_output");
  robot_stop (&robot);
}

/* By key or by pointer: who leaves the menu goes on in the row that it was over. */
static void
test_closed_menu_gives_the_keyboard_back (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  robot_click (robot_find (summary, GTK_TYPE_LABEL, "data"));
  for (guint i = 0; i < 2; i++)
    {
      robot_press (&robot, i == 0 ? "shift+F10" : "Menu");
      GtkWidget *menu = robot_wait_for (summary, GTK_TYPE_POPOVER_MENU, NULL);

      robot_idle (300);
      g_assert_true (gtk_widget_get_mapped (menu));
      robot_press (&robot, "Escape");
      robot_idle (300);
      g_assert_false (gtk_widget_get_mapped (menu));
      robot_press (&robot, "Down");
      robot_wait_selected (&robot, i == 0 ? "fc1_output" : "relu1_output");
    }
  robot_point (robot_find (summary, GTK_TYPE_LABEL, "sum"), 5, 5, "click 3");
  robot_wait_selected (&robot, "sum_output");
  robot_idle (300);
  robot_press (&robot, "Escape");
  robot_idle (300);
  robot_press (&robot, "Down");
  robot_wait_selected (&robot, "out_output");
  robot_stop (&robot);
}

static void
dawdle_cb (ScopeDocument *document, guint changes, gpointer has_dawdled)
{
  if ((changes & SCOPE_CHANGE_SELECTION) == 0 || *(gboolean *) has_dawdled)
    return;
  *(gboolean *) has_dawdled = TRUE;
  g_usleep (G_USEC_PER_SEC * 3 / 2);
}

/* What counts is when the keys were pressed, not when there was time for them. */
static void
test_typing_on_a_busy_machine (void)
{
  gboolean has_dawdled = FALSE;
  Robot robot;

  table_start (&robot);
  ScopeDocument *document = robot_get_document (&robot);

  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "data"));
  g_signal_connect (document, "changed", G_CALLBACK (dawdle_cb), &has_dawdled);
  robot_do ("type --delay 30 fc2");
  robot_wait_selected (&robot, "fc2_output");
  g_assert_true (has_dawdled);
  g_signal_handlers_disconnect_by_func (document, dawdle_cb, &has_dawdled);
  robot_stop (&robot);
}

static void
test_enter_opens_the_inspector (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  robot_do ("key ctrl+F9");
  robot_idle (300);
  g_assert_false (gtk_widget_get_visible (inspector));
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "fc1"));
  robot_do ("key Return");
  robot_idle (300);
  g_assert_true (gtk_widget_get_visible (inspector));
  robot_do ("key Return"); /* and it stays */
  robot_idle (300);
  g_assert_true (gtk_widget_get_visible (inspector));
  robot_stop (&robot);
}

/* ---- The tree ---- */

static guint
count_rows (Robot *robot)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (
      robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_COLUMN_VIEW, NULL)))));
}

static void
test_groups_fold_with_the_drawing (void)
{
  g_autofree char *chain = toy_format_chain (40);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  guint n = count_rows (&robot);

  scope_document_open_all (document);
  table_choose (&robot, "table.tree");
  guint n_open = count_rows (&robot);

  g_assert_cmpuint (n_open, >, n);
  scope_document_select_value (document, toy_find (document, "relu39_output"));
  robot_idle (500); /* scrolls there */
  robot_click (
      robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "relu39"));
  robot_do ("key Left"); /* to its group */
  robot_idle (300);
  g_assert_cmpuint (scope_document_get_selected_frame (document), !=, SYM_NO_GROUP);
  robot_do ("key Left"); /* and that closes */
  robot_settle (&robot);
  g_assert_cmpuint (count_rows (&robot), <, n_open);
  g_assert_false (robot_is_drawn (&robot, "relu39_output"));
  robot_do ("key Right");
  robot_settle (&robot);
  g_assert_cmpuint (count_rows (&robot), ==, n_open);
  robot_do ("key Return");
  robot_settle (&robot);
  g_assert_cmpuint (count_rows (&robot), <, n_open);
  table_choose (&robot, "table.tree");
  g_assert_cmpuint (count_rows (&robot), ==, n);
  robot_stop (&robot);
}

/* ---- Files ---- */

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_table_is_saved (void)
{
  g_autofree char *path = toy_write ("here", "");
  g_autofree char *saved = g_strconcat (path, ".md", NULL);
  g_autofree char *text = NULL;
  Robot robot;

  table_start (&robot);
  table_choose (&robot, "table.sort('-layer')");
  table_choose (&robot, "table.save");
  robot_choose_file (saved);
  robot_wait_until (exists, saved);
  robot_idle (300);
  g_assert_true (g_file_get_contents (saved, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "|"));
  g_assert_nonnull (strstr (text, "| sum"));
  g_assert_true (strstr (text, "| sum") < strstr (text, "| data"));
  robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Show in Folder");
  robot_stop (&robot);
}

/* As the chosen kind: a table is not lost for a name. */
static void
test_table_gets_a_suffix (void)
{
  g_autofree char *path = toy_write ("here", "");
  g_autofree char *saved = g_strconcat (path, ".table.csv", NULL);
  g_autofree char *bare = g_strconcat (path, ".table", NULL);
  g_autofree char *text = NULL;
  Robot robot;

  table_start (&robot);
  table_choose (&robot, "table.save");
  robot_choose_file (bare);
  robot_wait_until (exists, saved);
  robot_idle (300);
  g_assert_true (g_file_get_contents (saved, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "fc1,FullyConnected"));
  g_assert_false (g_file_test (bare, G_FILE_TEST_EXISTS));
  robot_stop (&robot);
}

/* ---- The clipboard ---- */

static void
test_table_is_copied (void)
{
  static const struct {
    const char *format, *part;
  } cases[] = {
    { "csv", "fc1,FullyConnected" }, { "markdown", "| fc1" }, { "latex", "\\begin{tabular}" },
    { "json", "\"fc1\"" },           { "text", "fc1" },
  };
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gtk_widget_activate_action (summary, "table.copy", "s", cases[i].format);
      robot_idle (500);
      g_autofree char *text = robot_read_clipboard (&robot);

      if (strstr (text, cases[i].part) == NULL)
        g_error ("no “%s” in “%s”", cases[i].part, text);
    }
  robot_stop (&robot);
}

/* As a spreadsheet takes them: those that are selected, with the columns that are shown. */
static void
test_rows_are_copied (void)
{
  Robot robot;

  table_start (&robot);
  robot_click (
      robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "fc1"));
  gtk_widget_activate_action (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), "table.preset", "s",
                              "keras");
  robot_idle (500);
  robot_press (&robot, "shift+Down");
  robot_press (&robot, "ctrl+c");
  toasts_wait_for ("Copied 2 rows");
  g_autofree char *text = robot_read_clipboard (&robot);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 3); /* each line has its end */
  g_assert_true (g_str_has_prefix (lines[0], "fc1\tFullyConnected\t"));
  g_assert_true (g_str_has_prefix (lines[1], "relu1\tActivation\t"));
  g_assert_cmpstr (lines[2], ==, "");
  robot_stop (&robot);
}

/* What is copied while a copy is written is what is wanted by then. */
static void
test_copy_that_is_overtaken_is_not_made (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  GtkWidget *window = GTK_WIDGET (robot.window);
  ScopeDocument *document = robot_get_document (&robot);

  scope_document_select_value (document, toy_find (document, "fc1"));
  robot_settle (&robot);
  toasts_forget ();
  gtk_widget_activate_action (summary, "table.copy", "s", "csv");
  gtk_widget_activate_action (window, "win.copy-name", NULL);
  robot_idle (500);
  g_autofree char *name = robot_read_clipboard (&robot);

  g_assert_cmpstr (name, ==, "fc1_output");
  g_assert_false (toasts_said ("Copied"));
  gtk_widget_activate_action (summary, "table.copy", "s", "json");
  gtk_widget_activate_action (summary, "table.copy", "s", "csv");
  robot_idle (500);
  g_autofree char *table = robot_read_clipboard (&robot);

  g_assert_nonnull (strstr (table, "fc1,FullyConnected"));
  robot_stop (&robot);
}

/* The same of rows. */
static void
test_rows_that_are_overtaken_are_not_copied (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (robot.window));
  ScopeDocument *document = robot_get_document (&robot);

  scope_document_select_value (document, toy_find (document, "fc1"));
  robot_settle (&robot);
  toasts_forget ();
  scope_summary_copy_rows (SCOPE_SUMMARY (summary));
  gdk_clipboard_set_text (clipboard, "newer");
  robot_idle (500);
  g_autofree char *text = robot_read_clipboard (&robot);

  g_assert_cmpstr (text, ==, "newer");
  g_assert_false (toasts_said ("Copied"));
  robot_stop (&robot);
}

/* A bar that comes above the table takes some of its height, not a part of its first row. */
static void
test_first_row_stays_whole (void)
{
  g_autofree char *json = toy_format_chain (60); /* more rows than a window has room for */
  g_autofree char *path = toy_write ("chain-symbol.json", json);
  Robot robot;

  robot_start (&robot, path);
  ScopeSummary *summary = SCOPE_SUMMARY (robot_find_part (&robot, SCOPE_TYPE_SUMMARY));
  GtkAdjustment *adjustment = scope_summary_get_adjustment (summary);

  robot_click (robot_find (GTK_WIDGET (summary), GTK_TYPE_LABEL, "relu2"));
  robot_settle (&robot);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  for (int height = 900; height > 700; height -= 37)
    {
      gtk_window_set_default_size (GTK_WINDOW (robot.window), 1400, height);
      robot_idle (300);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
    }
  robot_stop (&robot);
}

/* The name of the layer that a row is of: NULL for none. */
static const char *
read_name (GtkWidget *widget)
{
  const char *name = NULL;

  if (SCOPE_IS_CELL (widget) &&
      g_str_has_prefix (scope_cell_get_text (SCOPE_CELL (widget)), "clip"))
    return scope_cell_get_text (SCOPE_CELL (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && name == NULL;
       child = gtk_widget_get_next_sibling (child))
    name = read_name (child);
  return name;
}

/* Those of the rows that are seen, from the top. */
static char *
read_names (Robot *robot)
{
  ScopeSummary *summary = SCOPE_SUMMARY (robot_find_part (robot, SCOPE_TYPE_SUMMARY));
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *row = gtk_widget_get_first_child (scope_summary_get_list (summary));

  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    if (gtk_widget_get_child_visible (row))
      g_string_append_printf (text, "%s ", read_name (row));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
search_for (Robot *robot, const char *text)
{
  GtkWidget *search = robot_find_part (robot, SCOPE_TYPE_SEARCH);

  gtk_editable_set_text (GTK_EDITABLE (robot_find (search, GTK_TYPE_TEXT, NULL)), text);
  robot_settle (robot);
}

/* A table that is scrolled far down, and has few rows then: those before had no widgets. */
static void
test_few_rows_follow_many (void)
{
  g_autofree char *json = toy_format_unequal_chain (218);
  g_autofree char *path = toy_write ("chain-symbol.json", json);
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+f");
  robot_settle (&robot);
  search_for (&robot, "clip200");
  robot_press (&robot, "Return");
  search_for (&robot, "");
  search_for (&robot, "/clip10[1-3]$/");
  g_autofree char *names = read_names (&robot);

  g_assert_cmpstr (names, ==, "clip101 clip102 clip103 ");
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
  g_test_add_func ("/gui/rows/first-row-stays-whole", test_first_row_stays_whole);
  g_test_add_func ("/gui/rows/several-rows-are-marked", test_several_rows_are_marked);
  g_test_add_func ("/gui/rows/typing-goes-to-a-name", test_typing_goes_to_a_name);
  g_test_add_func ("/gui/rows/typing-on-a-busy-machine", test_typing_on_a_busy_machine);
  g_test_add_func ("/gui/rows/closed-menu-gives-the-keyboard-back",
                   test_closed_menu_gives_the_keyboard_back);
  g_test_add_func ("/gui/rows/enter-opens-the-inspector", test_enter_opens_the_inspector);
  g_test_add_func ("/gui/rows/groups-fold-with-the-drawing", test_groups_fold_with_the_drawing);
  g_test_add_func ("/gui/rows/table-is-saved", test_table_is_saved);
  g_test_add_func ("/gui/rows/table-is-copied", test_table_is_copied);
  g_test_add_func ("/gui/rows/rows-are-copied", test_rows_are_copied);
  g_test_add_func ("/gui/rows/copy-that-is-overtaken-is-not-made",
                   test_copy_that_is_overtaken_is_not_made);
  g_test_add_func ("/gui/rows/rows-that-are-overtaken-are-not-copied",
                   test_rows_that_are_overtaken_are_not_copied);
  g_test_add_func ("/gui/rows/table-gets-a-suffix", test_table_gets_a_suffix);
  g_test_add_func ("/gui/rows/few-rows-follow-many", test_few_rows_follow_many);
  return g_test_run ();
}
