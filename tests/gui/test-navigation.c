/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-back-forward.h"
#include "app/scope-canvas.h"
#include "app/scope-cell.h"
#include "app/scope-focus-bar.h"
#include "app/scope-search.h"
#include "app/scope-summary.h"
#include "questions.h"
#include "robot.h"
#include "toy.h"

static const ScopeFocus *
get_focus (Robot *robot)
{
  return scope_document_get_focus (robot_get_document (robot));
}

static void
assert_bar_says (Robot *robot, const char *text)
{
  g_assert_nonnull (
      robot_find (robot_find_part (robot, SCOPE_TYPE_FOCUS_BAR), GTK_TYPE_LABEL, text));
}

static void
test_keys_trace (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_FOCUS_BAR, NULL));
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_press (&robot, "a");
  assert_bar_says (&robot, "Ancestors of “fc2_output” · 4 nodes");
  robot_press (&robot, "d");
  assert_bar_says (&robot, "Descendants of “fc2_output” · 3 nodes");
  robot_press (&robot, "b");
  assert_bar_says (&robot, "Ancestors and descendants of “fc2_output” · 6 nodes");
  robot_press (&robot, "Escape");
  g_assert_null (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_FOCUS_BAR, NULL));
  g_assert_null (scope_document_get_trace (robot_get_document (&robot)));
  robot_wait_selected (&robot, "fc2_output");
  robot_press (&robot, "Escape");
  g_assert_cmpuint (scope_document_get_selected_value (robot_get_document (&robot)), ==, SYM_NO_ID);
  robot_stop (&robot);
}

static void
test_ctrl_click_shows_the_path (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "data", "click 1");
  robot_point_at_node (&robot, "out_output", "keydown ctrl click 1 keyup ctrl");
  robot_settle (&robot);
  assert_bar_says (&robot, "Path between “data” and “out_output” · 4 layers");
  g_assert_null (scope_document_get_cut (robot_get_document (&robot))); /* nothing was marked */
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_FOCUS_BAR), GTK_TYPE_BUTTON, NULL));
  robot_settle (&robot);
  g_assert_cmpint (get_focus (&robot)->trace, ==, SCOPE_TRACE_NONE);
  robot_stop (&robot);
}

static void
test_path_is_chosen_by_click_or_keys (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "data", "click 1");
  robot_press (&robot, "p");
  g_assert_cmpint (get_focus (&robot)->trace, ==, SCOPE_TRACE_CHOOSING);
  robot_point_at_node (&robot, "sum_output", "click 1");
  robot_settle (&robot);
  assert_bar_says (&robot, "Path between “data” and “sum_output” · 3 layers");
  robot_press (&robot, "Escape");
  robot_press (&robot, "p");
  robot_press (&robot, "Home");
  robot_press (&robot, "Down");
  robot_press (&robot, "p");
  assert_bar_says (&robot, "Path between “sum_output” and “fc1_output” · 2 layers");
  robot_stop (&robot);
}

static void
test_neighbourhood_is_entered_and_left (void)
{
  g_autofree char *text = toy_format_chain (100);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  ScopeViewport *viewport = scope_page_get_viewport (scope_window_get_page (robot.window));

  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "relu50_output"));
  robot_settle (&robot);
  SymRect before = scope_viewport_get_visible (viewport);

  gtk_widget_grab_focus (robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_press (&robot, "n");
  assert_bar_says (&robot, "Around “relu50_output”, layers away:");
  g_assert_true (robot_is_drawn (&robot, "relu52_output"));
  g_assert_false (robot_is_drawn (&robot, "relu53_output"));
  robot_press (&robot, "4");
  g_assert_true (robot_is_drawn (&robot, "relu54_output"));
  g_assert_false (robot_is_drawn (&robot, "relu55_output"));
  robot_click (robot_find (robot_find_part (&robot, GTK_TYPE_SPIN_BUTTON), GTK_TYPE_TEXT, NULL));
  robot_do ("key ctrl+a");
  robot_do ("type 6");
  robot_press (&robot, "Return");
  g_assert_true (robot_is_drawn (&robot, "relu56_output"));
  gtk_widget_grab_focus (robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_press (&robot, "Escape");
  g_assert_true (robot_is_drawn (&robot, "relu99_output"));
  SymRect after = scope_viewport_get_visible (viewport);

  g_assert_cmpfloat_with_epsilon (before.y, after.y, 1);
  g_assert_cmpfloat_with_epsilon (before.width, after.width, 1);
  robot_wait_selected (&robot, "relu50_output");
  robot_stop (&robot);
}

static void
test_back_and_forward_lead_through_views (void)
{
  g_autofree char *text = toy_format_chain (100);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));

  robot_point_at_node (&robot, "relu1_output", "click 1");
  robot_settle (&robot);
  SymRect first = scope_viewport_get_visible (viewport);

  robot_press (&robot, "End");
  robot_wait_selected (&robot, "relu99_output");
  robot_press (&robot, "n");
  robot_press (&robot, "alt+Left");
  g_assert_true (robot_is_drawn (&robot, "relu1_output"));
  robot_wait_selected (&robot, "relu99_output");
  robot_press (&robot, "alt+Left");
  robot_wait_selected (&robot, "relu1_output");
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_visible (viewport).y, first.y, 1);
  robot_point (canvas, 100, 100, "click 9"); /* the mouse's own buttons */
  robot_settle (&robot);
  robot_wait_selected (&robot, "relu99_output");
  robot_press (&robot, "alt+Right");
  g_assert_cmpuint (get_focus (&robot)->around, !=, SYM_NO_ID);
  g_assert_false (robot_is_drawn (&robot, "relu1_output"));
  robot_point (canvas, 100, 100, "click 8");
  robot_settle (&robot);
  robot_point (canvas, 100, 100, "click 8");
  robot_settle (&robot);
  robot_wait_selected (&robot, "relu1_output");
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_visible (viewport).y, first.y, 1);
  robot_stop (&robot);
}

static void
assert_can_go (Robot *robot, gboolean back, gboolean forward)
{
  GActionGroup *actions = G_ACTION_GROUP (robot->window);

  g_assert_cmpint (g_action_group_get_action_enabled (actions, "back"), ==, back);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "forward"), ==, forward);
}

static void
test_buttons_lead_back_and_forward (void)
{
  g_autofree char *text = toy_format_chain (5);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *buttons = robot_find_part (&robot, SCOPE_TYPE_BACK_FORWARD);
  GtkWidget *back = robot_find (buttons, GTK_TYPE_BUTTON, NULL);
  GtkWidget *forward = gtk_widget_get_next_sibling (back);

  assert_can_go (&robot, FALSE, FALSE);
  robot_point_at_node (&robot, "relu1_output", "click 1");
  robot_settle (&robot);
  robot_point_at_node (&robot, "relu3_output", "click 1");
  robot_settle (&robot);
  assert_can_go (&robot, TRUE, FALSE);
  robot_click (back);
  robot_settle (&robot);
  robot_wait_selected (&robot, "relu1_output");
  assert_can_go (&robot, TRUE, TRUE);
  robot_click (forward);
  robot_settle (&robot);
  robot_wait_selected (&robot, "relu3_output");
  assert_can_go (&robot, TRUE, FALSE);
  robot_stop (&robot);
}

static void
search_for (Robot *robot, const char *text)
{
  robot_do ("key ctrl+f");
  robot_do ("type --delay 30 '%s'", text);
  robot_idle (400);
  robot_settle (robot);
}

static void
assert_count (Robot *robot, const char *text)
{
  g_assert_nonnull (robot_find (robot_find_part (robot, SCOPE_TYPE_SEARCH), GTK_TYPE_LABEL, text));
}

static void
test_search_is_stepped_through (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  search_for (&robot, "fully");
  assert_count (&robot, "2");
  g_assert_cmpuint (scope_document_get_found (robot_get_document (&robot)).n, ==, 2);
  robot_press (&robot, "Return");
  robot_wait_selected (&robot, "fc1_output");
  assert_count (&robot, "1 of 2");
  robot_press (&robot, "Return");
  robot_wait_selected (&robot, "fc2_output");
  robot_press (&robot, "Return"); /* around */
  robot_wait_selected (&robot, "fc1_output");
  robot_press (&robot, "shift+Return");
  robot_wait_selected (&robot, "fc2_output");
  assert_count (&robot, "2 of 2");
  g_assert_null (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "sum"));
  robot_stop (&robot);
}

/* A table that was far down shows the first of what is found. */
static void
test_hits_begin_with_the_first (void)
{
  g_autofree char *text = toy_format_chain (2000);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "relu1500_output"));
  robot_settle (&robot);
  search_for (&robot, "relu1 -relu15");
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);
  GtkWidget *first = robot_find (list, SCOPE_TYPE_CELL, "relu1");
  graphene_rect_t bounds;

  g_assert_nonnull (first);
  g_assert_true (gtk_widget_compute_bounds (first, list, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.y, <, 60);
  robot_stop (&robot);
}

/* Questions find what answers them; what is none says where it is wrong. */
static void
test_search_takes_questions (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  search_for (&robot, "type:fully");
  g_assert_cmpuint (scope_document_get_found (document).n, ==, 2);
  search_for (&robot, "parent:relu1 -type:fully");
  g_assert_cmpuint (scope_document_get_found (document).n, ==, 1);
  search_for (&robot, "parent:relu1 params:");
  GtkWidget *search = robot_find_part (&robot, SCOPE_TYPE_SEARCH);
  GtkWidget *row = gtk_widget_get_first_child (gtk_widget_get_first_child (search));
  GtkWidget *label = gtk_widget_get_next_sibling (row);

  g_assert_true (gtk_widget_get_visible (label));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), "olumn"));
  search_for (&robot, "/^fc[12]$/");
  g_assert_false (gtk_widget_get_visible (label));
  g_assert_cmpuint (scope_document_get_found (document).n, ==, 2);
  robot_stop (&robot);
}

static void
test_search_prefers_what_is_named_so (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  search_for (&robot, "out"); /* every name ends in _output */
  robot_press (&robot, "Return");
  robot_wait_selected (&robot, "out_output");
  search_for (&robot, "no such thing");
  assert_count (&robot, "0");
  g_assert_nonnull (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL,
                                "No Layer Matches"));
  robot_press (&robot, "Return"); /* leads nowhere */
  robot_wait_selected (&robot, "out_output");
  robot_stop (&robot);
}

static gboolean
is_searched_for_nothing (gpointer data)
{
  return !scope_document_has_search (data);
}

/* Where nothing is found a button brings the rows back, by pointer and by keys. */
static void
test_empty_table_offers_to_clear_the_search (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  for (guint i = 0; i < 2; i++)
    {
      search_for (&robot, "no such thing");
      GtkWidget *clear = robot_wait_for (summary, GTK_TYPE_BUTTON, "Clear Search");

      robot_idle (300);
      if (i == 0)
        {
          robot_click (clear);
        }
      else
        {
          for (guint tabs = 0; tabs < 4; tabs++) /* the question mark, the table's menu, headings */
            robot_press (&robot, "Tab");
          g_assert_true (gtk_window_get_focus (GTK_WINDOW (robot.window)) == clear);
          robot_press (&robot, "Return");
        }
      robot_wait_until (is_searched_for_nothing, document);
      robot_settle (&robot);
      g_assert_false (gtk_widget_get_mapped (clear));
      g_assert_true (GTK_IS_EDITABLE (gtk_window_get_focus (GTK_WINDOW (robot.window))));
    }
  robot_stop (&robot);
}

static void
test_escape_ends_one_after_the_other (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  search_for (&robot, "relu");
  robot_point_at_node (&robot, "relu1_output", "click 1");
  robot_press (&robot, "a");
  robot_press (&robot, "n");
  robot_press (&robot, "Escape");
  g_assert_cmpint (get_focus (&robot)->trace, ==, SCOPE_TRACE_NONE);
  g_assert_cmpuint (get_focus (&robot)->around, !=, SYM_NO_ID);
  robot_press (&robot, "Escape");
  g_assert_cmpuint (get_focus (&robot)->around, ==, SYM_NO_ID);
  g_assert_true (scope_document_has_search (document));
  robot_press (&robot, "Escape");
  g_assert_false (scope_document_has_search (document));
  g_assert_nonnull (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "sum"));
  robot_wait_selected (&robot, "relu1_output");
  robot_press (&robot, "Escape");
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, SYM_NO_ID);
  robot_stop (&robot);
}

/* What the menu of a node offers, the table offers of its row, by pointer and by keys. */
static void
test_rows_have_the_menu_of_nodes (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  GtkWidget *label = robot_find (summary, GTK_TYPE_LABEL, "fc2");

  robot_point (label, 5, 5, "click 3");
  robot_idle (300);
  robot_wait_selected (&robot, "fc2_output");
  g_assert_nonnull (robot_find (summary, GTK_TYPE_POPOVER_MENU, NULL));
  robot_do ("key a"); /* the mnemonic of the ancestors */
  robot_settle (&robot);
  assert_bar_says (&robot, "Ancestors of “fc2_output” · 4 nodes");
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "relu1"));
  robot_press (&robot, "Menu");
  g_assert_nonnull (robot_find (summary, GTK_TYPE_POPOVER_MENU, NULL));
  robot_do ("key d");
  robot_settle (&robot);
  assert_bar_says (&robot, "Descendants of “relu1_output” · 4 nodes");
  robot_stop (&robot);
}

static void
assert_focus_in (Robot *robot, GType part)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (robot->window));

  g_assert_nonnull (focus);
  g_assert_true (g_type_is_a (G_OBJECT_TYPE (focus), part) ||
                 gtk_widget_get_ancestor (focus, part) != NULL);
}

/* From the search to the table, past its rows, and on to the drawing; and back. */
static void
test_tab_leads_past_the_rows (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+f");
  assert_focus_in (&robot, SCOPE_TYPE_SEARCH);
  robot_do ("key --delay 60 Tab Tab Tab"); /* help and the table's menu come first */
  assert_focus_in (&robot, GTK_TYPE_COLUMN_VIEW);
  robot_do ("key Tab"); /* from the headings to the rows */
  assert_focus_in (&robot, GTK_TYPE_LIST_VIEW);
  robot_do ("key Tab");
  assert_focus_in (&robot, GTK_TYPE_GRID);
  robot_do ("key --delay 60 Tab Tab Tab Tab"); /* the buttons that zoom come first */
  assert_focus_in (&robot, SCOPE_TYPE_CANVAS);
  robot_do ("key --delay 60 shift+Tab shift+Tab shift+Tab shift+Tab");
  assert_focus_in (&robot, GTK_TYPE_GRID);
  robot_do ("key shift+Tab");
  assert_focus_in (&robot, GTK_TYPE_LIST_VIEW);
  robot_do ("key shift+Tab");
  assert_focus_in (&robot, GTK_TYPE_COLUMN_VIEW);
  robot_do ("key --delay 60 shift+Tab shift+Tab");
  assert_focus_in (&robot, SCOPE_TYPE_SEARCH);
  robot_stop (&robot);
}

static gboolean
is_of_a_part (gpointer robot)
{
  ScopeDocument *document = robot_get_document (robot);

  return document != NULL && g_str_has_prefix (scope_document_get_title (document), "Part of");
}

static gboolean
is_of_a_file (gpointer robot)
{
  return robot_get_document (robot) != NULL && !is_of_a_part (robot);
}

/* Not to the first entry, where the keys of the graph would be typed into a shape. */
static void
test_back_from_a_part_keys_are_the_drawings (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_press (&robot, "o");
  robot_click (robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Open in Tab"));
  robot_wait_until (is_of_a_part, &robot);
  robot_settle (&robot);
  robot_do ("key ctrl+w");
  question_answer (robot.window, "alt+d");
  robot_wait_until (is_of_a_file, &robot);
  robot_settle (&robot);
  robot_idle (300);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (robot.window)) ==
                 robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_press (&robot, "End");
  robot_wait_selected (&robot, "out_output");
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
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/navigation/keys-trace", test_keys_trace);
  g_test_add_func ("/gui/navigation/ctrl-click-shows-the-path", test_ctrl_click_shows_the_path);
  g_test_add_func ("/gui/navigation/path-is-chosen-by-click-or-keys",
                   test_path_is_chosen_by_click_or_keys);
  g_test_add_func ("/gui/navigation/neighbourhood-is-entered-and-left",
                   test_neighbourhood_is_entered_and_left);
  g_test_add_func ("/gui/navigation/back-and-forward-lead-through-views",
                   test_back_and_forward_lead_through_views);
  g_test_add_func ("/gui/navigation/buttons-lead-back-and-forward",
                   test_buttons_lead_back_and_forward);
  g_test_add_func ("/gui/navigation/search-is-stepped-through", test_search_is_stepped_through);
  g_test_add_func ("/gui/navigation/hits-begin-with-the-first", test_hits_begin_with_the_first);
  g_test_add_func ("/gui/navigation/search-takes-questions", test_search_takes_questions);
  g_test_add_func ("/gui/navigation/search-prefers-what-is-named-so",
                   test_search_prefers_what_is_named_so);
  g_test_add_func ("/gui/navigation/empty-table-offers-to-clear-the-search",
                   test_empty_table_offers_to_clear_the_search);
  g_test_add_func ("/gui/navigation/escape-ends-one-after-the-other",
                   test_escape_ends_one_after_the_other);
  g_test_add_func ("/gui/navigation/back-from-a-part-keys-are-the-drawings",
                   test_back_from_a_part_keys_are_the_drawings);
  g_test_add_func ("/gui/navigation/tab-leads-past-the-rows", test_tab_leads_past_the_rows);
  g_test_add_func ("/gui/navigation/rows-have-the-menu-of-nodes", test_rows_have_the_menu_of_nodes);
  return g_test_run ();
}
