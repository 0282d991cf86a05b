/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-canvas.h"
#include "app/scope-hits.h"
#include "app/scope-search-help.h"
#include "app/scope-search.h"
#include "app/scope-suggestions.h"
#include "app/scope-summary.h"
#include "query/sym-query.h"
#include "robot.h"
#include "toy.h"

static void
press (Robot *robot, const char *keys)
{
  robot_do ("key --delay 60 %s", keys);
  robot_idle (300);
  robot_settle (robot);
}

static void
type (Robot *robot, const char *text)
{
  robot_do ("type --delay 30 '%s'", text);
  robot_idle (400);
  robot_settle (robot);
}

static GtkWidget *
get_search (Robot *robot)
{
  return robot_find_part (robot, SCOPE_TYPE_SEARCH);
}

static const char *
get_text (Robot *robot)
{
  return gtk_editable_get_text (
      GTK_EDITABLE (robot_find (get_search (robot), GTK_TYPE_SEARCH_ENTRY, NULL)));
}

static GtkWidget *
find_suggestion (Robot *robot, const char *text)
{
  GtkWidget *list = robot_find (get_search (robot), SCOPE_TYPE_SUGGESTIONS, NULL);

  return list != NULL ? robot_find (list, GTK_TYPE_LABEL, text) : NULL;
}

static gboolean
has_keyboard (Robot *robot)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (robot->window));

  return focus != NULL && gtk_widget_is_ancestor (focus, get_search (robot));
}

static void
start (Robot *robot, const char *path)
{
  robot_clear_home ();
  robot_start (robot, path);
  press (robot, "ctrl+f");
}

/* The entry, which has become narrower beside the number of hits, and its list. */
static void
check_width (Robot *robot)
{
  GtkWidget *entry = robot_find (get_search (robot), GTK_TYPE_SEARCH_ENTRY, NULL);
  GtkWidget *list = robot_find (get_search (robot), SCOPE_TYPE_SUGGESTIONS, NULL);
  int width;

  gtk_widget_get_size_request (robot_find (list, GTK_TYPE_SCROLLED_WINDOW, NULL), &width, NULL);
  g_assert_cmpint (width, ==, MAX (gtk_widget_get_width (entry), 260));
}

/* The keyboard stays in the entry all the time. */
static void
test_word_is_completed (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "ty");
  g_assert_nonnull (find_suggestion (&robot, "type:"));
  check_width (&robot);
  press (&robot, "Tab");
  g_assert_cmpstr (get_text (&robot), ==, "type:");
  g_assert_nonnull (find_suggestion (&robot, "type:FullyConnected"));
  g_assert_nonnull (find_suggestion (&robot, "2 nodes"));
  press (&robot, "Down Down Up");
  g_assert_true (has_keyboard (&robot));
  press (&robot, "Return");
  g_assert_true (g_str_has_prefix (get_text (&robot), "type:"));
  g_assert_cmpuint (strlen (get_text (&robot)), >, strlen ("type:"));
  g_assert_null (find_suggestion (&robot, "2 nodes")); /* it is complete */
  g_assert_cmpuint (scope_document_get_found (robot_get_document (&robot)).n, >, 0);
  g_assert_true (has_keyboard (&robot));
  type (&robot, " par");
  g_assert_nonnull (find_suggestion (&robot, "params>"));
  press (&robot, "Escape"); /* ends the list, not the search */
  g_assert_null (find_suggestion (&robot, "params>"));
  g_assert_true (g_str_has_suffix (get_text (&robot), " par"));
  press (&robot, "Escape"); /* now the search, and one looks at the drawing again */
  g_assert_cmpstr (get_text (&robot), ==, "");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (robot.window)) ==
                 robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_stop (&robot);
}

/* What was done last is undone first, wherever the keyboard is. */
static void
test_keys_undo_what_was_done_last (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document;
  Robot robot;

  start (&robot, path);
  document = robot_get_document (&robot);
  type (&robot, "sum");
  press (&robot, "Return ctrl+m");
  g_assert_true (scope_document_can_undo (document));
  press (&robot, "ctrl+z");
  g_assert_true (scope_document_can_redo (document));
  g_assert_cmpstr (get_text (&robot), ==, "sum");
  press (&robot, "x ctrl+z");
  g_assert_cmpstr (get_text (&robot), !=, "sumx");
  g_assert_true (scope_document_can_redo (document));
  robot_stop (&robot);
}

/* What was typed is undone where it was typed; the graph keeps its edits. */
static void
test_keys_undo_what_was_typed (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document;
  Robot robot;

  start (&robot, path);
  document = robot_get_document (&robot);
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL));
  type (&robot, "sum");
  press (&robot, "ctrl+z");
  g_assert_cmpstr (get_text (&robot), !=, "sum");
  g_assert_false (scope_document_can_redo (document));
  press (&robot, "ctrl+shift+z");
  g_assert_cmpstr (get_text (&robot), ==, "sum");
  press (&robot, "ctrl+BackSpace"); /* else what clears marks */
  g_assert_cmpstr (get_text (&robot), ==, "");
  press (&robot, "Escape Escape");
  press (&robot, "ctrl+z");
  g_assert_true (scope_document_can_redo (document));
  robot_stop (&robot);
}

static void
test_enter_without_choice_goes_on (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "type:fully");
  g_assert_nonnull (find_suggestion (&robot, "type:FullyConnected"));
  press (&robot, "Return");
  g_assert_cmpstr (get_text (&robot), ==, "type:fully");
  robot_wait_selected (&robot, "fc1_output");
  g_assert_null (find_suggestion (&robot, "type:FullyConnected"));
  g_assert_nonnull (robot_find (get_search (&robot), GTK_TYPE_LABEL, "1 of 2"));
  g_assert_nonnull (
      robot_find (get_search (&robot), GTK_TYPE_LABEL, "Found by type FullyConnected"));
  robot_stop (&robot);
}

/* Before the entry has told what was typed. */
static void
test_enter_at_once_finds_what_was_typed (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  robot_press (&robot, "--delay 0 r e l u 1 Return");
  robot_wait_selected (&robot, "relu1_output");
  robot_press (&robot, "--delay 0 ctrl+a f u l l y shift+Return");
  robot_wait_selected (&robot, "fc1_output");
  robot_press (&robot, "--delay 0 ctrl+a n o n e Return");
  robot_wait_selected (&robot, "fc1_output");
  robot_stop (&robot);
}

/* From wherever the keyboard is. */
static void
test_keys_step_from_the_drawing (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "type:fully");
  gtk_widget_grab_focus (robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  press (&robot, "F3");
  robot_wait_selected (&robot, "fc1_output");
  press (&robot, "ctrl+g");
  robot_wait_selected (&robot, "fc2_output");
  press (&robot, "shift+F3");
  robot_wait_selected (&robot, "fc1_output");
  press (&robot, "ctrl+shift+g"); /* around */
  robot_wait_selected (&robot, "fc2_output");
  g_assert_false (has_keyboard (&robot));
  press (&robot, "Escape");
  press (&robot, "F3"); /* nothing is searched for: it is asked for what */
  g_assert_true (has_keyboard (&robot));
  robot_stop (&robot);
}

static void
test_past_searches_come_back (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "relu1");
  press (&robot, "Return ctrl+a BackSpace Down");
  g_assert_nonnull (find_suggestion (&robot, "relu1"));
  g_assert_nonnull (find_suggestion (&robot, "searched for before"));
  g_assert_nonnull (find_suggestion (&robot, "after:"));
  press (&robot, "Down Return");
  g_assert_cmpstr (get_text (&robot), ==, "relu1");
  g_assert_cmpuint (scope_document_get_found (robot_get_document (&robot)).n, >, 0);
  robot_stop (&robot);
}

/* Every example can be searched for. */
static void
assert_is_question (GtkWidget *list)
{
  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *box = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row));
      const char *text = gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (box)));
      g_autoptr (GError) error = NULL;
      g_autoptr (SymQuery) query = sym_query_parse (text, NULL, &error);

      g_assert_no_error (error);
      g_assert_false (sym_query_is_empty (query));
    }
}

static void
test_help_is_one_key_away (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  press (&robot, "F1");
  GtkWidget *help = robot_wait_for (get_search (&robot), SCOPE_TYPE_SEARCH_HELP, NULL);
  GtkWidget *list = robot_find (help, GTK_TYPE_LIST_BOX, NULL);

  assert_is_question (list);
  assert_is_question (gtk_widget_get_last_child (gtk_widget_get_parent (list)));
  press (&robot, "Down Return"); /* the second: words as they stand */
  g_assert_cmpstr (get_text (&robot), ==, "\"layer 1\"");
  g_assert_true (has_keyboard (&robot));
  g_assert_null (robot_find (get_search (&robot), SCOPE_TYPE_SEARCH_HELP, NULL));
  type (&robot, "x"); /* an example is changed at its end */
  g_assert_cmpstr (get_text (&robot), ==, "\"layer 1\"x");
  robot_stop (&robot);
}

/* However often it was asked for. */
static void
test_keyboard_comes_back_from_help (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  for (guint i = 0; i < 3; i++)
    {
      press (&robot, "F1");
      g_assert_nonnull (robot_wait_for (get_search (&robot), SCOPE_TYPE_SEARCH_HELP, NULL));
      press (&robot, "Escape");
      g_assert_null (robot_find (get_search (&robot), SCOPE_TYPE_SEARCH_HELP, NULL));
      g_assert_true (has_keyboard (&robot));
    }
  type (&robot, "relu");
  press (&robot, "F1");
  press (&robot, "Escape");
  type (&robot, "1"); /* behind what was there */
  g_assert_cmpstr (get_text (&robot), ==, "relu1");
  robot_stop (&robot);
}

/* Where nothing matches, the table tells of the question mark: it must be there then. */
static void
test_help_is_one_click_away (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "relu1");
  g_assert_null (robot_find (get_search (&robot), GTK_TYPE_BUTTON, "?"));
  type (&robot, "_like_nothing");
  g_assert_cmpuint (scope_document_get_found (robot_get_document (&robot)).n, ==, 0);
  robot_click (robot_wait_for (get_search (&robot), GTK_TYPE_BUTTON, "?"));
  g_assert_nonnull (robot_wait_for (get_search (&robot), SCOPE_TYPE_SEARCH_HELP, NULL));
  press (&robot, "Escape");
  g_assert_null (robot_find (get_search (&robot), SCOPE_TYPE_SEARCH_HELP, NULL));
  robot_stop (&robot);
}

/* A group is no row of the table: it is listed above it, counted, stepped to, and told why. */
static void
test_groups_are_among_the_hits (void)
{
  g_autofree char *path = toy_write_stages ();
  Robot robot;

  start (&robot, path);
  type (&robot, "stage2");
  GtkWidget *hits = robot_wait_for (get_search (&robot), SCOPE_TYPE_HITS, NULL);

  g_assert_nonnull (robot_find (hits, GTK_TYPE_LABEL, "stage2"));
  g_assert_nonnull (robot_find (hits, GTK_TYPE_LABEL, "group of 3 layers"));
  g_assert_nonnull (robot_find (get_search (&robot), GTK_TYPE_LABEL, "4"));
  press (&robot, "shift+Return"); /* the last one */
  g_assert_cmpuint (scope_document_get_selected_frame (robot_get_document (&robot)), !=,
                    SYM_NO_GROUP);
  g_assert_nonnull (robot_find (get_search (&robot), GTK_TYPE_LABEL, "4 of 4"));
  press (&robot, "Return"); /* around */
  g_assert_cmpuint (scope_document_get_selected_frame (robot_get_document (&robot)), ==,
                    SYM_NO_GROUP);
  g_assert_nonnull (robot_find (get_search (&robot), GTK_TYPE_LABEL, "1 of 4"));
  robot_click (robot_find (hits, GTK_TYPE_LABEL, "stage2"));
  robot_settle (&robot);
  g_assert_cmpuint (scope_document_get_selected_frame (robot_get_document (&robot)), !=,
                    SYM_NO_GROUP);
  robot_stop (&robot);
}

/* While one types, and again. */
static void
test_what_is_not_found_is_dimmed (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  type (&robot, "relu1");
  SymPicture *before = sym_picture_ref (scope_document_get_picture (document));

  press (&robot, "ctrl+h");
  robot_settle (&robot);
  g_assert_true (scope_document_get_view (document)->dims_others);
  g_assert_true (scope_document_get_picture (document) != before);
  g_assert_true (has_keyboard (&robot));
  press (&robot, "ctrl+h");
  robot_settle (&robot);
  g_assert_false (scope_document_get_view (document)->dims_others);
  sym_picture_unref (before);
  robot_stop (&robot);
}

static int
measure_least_height (GtkWidget *widget, int width)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  return least;
}

/* Of what is wrong with a search: as much as it takes in a pane that has the width that it has, and
 * no empty lines. */
static void
test_problem_has_room_in_any_pane (void)
{
  static const int positions[] = { 424, 240, 600, 260 };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "(unclosed");
  GtkWidget *search = get_search (&robot);
  GtkWidget *panes = gtk_widget_get_ancestor (search, GTK_TYPE_PANED);

  for (guint i = 0; i < G_N_ELEMENTS (positions); i++)
    {
      gtk_paned_set_position (GTK_PANED (panes), positions[i]);
      robot_idle (300);
      g_assert_cmpint (measure_least_height (search, gtk_widget_get_width (search)), ==,
                       measure_least_height (search, -1));
    }
  robot_stop (&robot);
}

static gboolean
has_found (gpointer robot)
{
  return scope_document_get_found (robot_get_document (robot)).n > 0;
}

static gboolean
has_found_nothing (gpointer robot)
{
  return !has_found (robot);
}

/* What another text has found would be taken for it. */
static void
test_what_cannot_be_read_finds_nothing (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  start (&robot, path);
  type (&robot, "relu");
  robot_wait_until (has_found, &robot);
  type (&robot, " (");
  robot_wait_until (has_found_nothing, &robot);
  robot_do ("key BackSpace");
  robot_wait_until (has_found, &robot);
  robot_stop (&robot);
}

/* Cells of the table that are seen. */
static guint
count_cells (Robot *robot)
{
  GtkWidget *list =
      robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      graphene_rect_t bounds;

      if (gtk_widget_get_mapped (row) && gtk_widget_compute_bounds (row, list, &bounds) &&
          bounds.origin.y + bounds.size.height > 0 &&
          bounds.origin.y < (float) gtk_widget_get_height (list))
        n++;
    }
  return n;
}

/* Also far from their beginning. */
static void
test_rows_come_back_where_they_were (void)
{
  g_autofree char *text = toy_format_unequal_chain (400);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;
  guint before;

  start (&robot, path);
  scope_document_select_value (robot_get_document (&robot), 400);
  robot_settle (&robot);
  before = count_cells (&robot);
  g_assert_cmpuint (before, >, 10);
  type (&robot, "zzz");
  g_assert_cmpuint (count_cells (&robot), ==, 0);
  press (&robot, "Escape");
  robot_idle (500);
  g_assert_cmpuint (count_cells (&robot), >=, before - 1);
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
  g_test_add_func ("/gui/search/word-is-completed", test_word_is_completed);
  g_test_add_func ("/gui/search/keys-undo-what-was-done-last", test_keys_undo_what_was_done_last);
  g_test_add_func ("/gui/search/keys-undo-what-was-typed", test_keys_undo_what_was_typed);
  g_test_add_func ("/gui/search/enter-without-choice-goes-on", test_enter_without_choice_goes_on);
  g_test_add_func ("/gui/search/enter-at-once-finds-what-was-typed",
                   test_enter_at_once_finds_what_was_typed);
  g_test_add_func ("/gui/search/keys-step-from-the-drawing", test_keys_step_from_the_drawing);
  g_test_add_func ("/gui/search/past-searches-come-back", test_past_searches_come_back);
  g_test_add_func ("/gui/search/help-is-one-key-away", test_help_is_one_key_away);
  g_test_add_func ("/gui/search/keyboard-comes-back-from-help", test_keyboard_comes_back_from_help);
  g_test_add_func ("/gui/search/help-is-one-click-away", test_help_is_one_click_away);
  g_test_add_func ("/gui/search/problem-has-room-in-any-pane", test_problem_has_room_in_any_pane);
  g_test_add_func ("/gui/search/what-cannot-be-read-finds-nothing",
                   test_what_cannot_be_read_finds_nothing);
  g_test_add_func ("/gui/search/rows-come-back-where-they-were",
                   test_rows_come_back_where_they_were);
  g_test_add_func ("/gui/search/groups-are-among-the-hits", test_groups_are_among_the_hits);
  g_test_add_func ("/gui/search/what-is-not-found-is-dimmed", test_what_is_not_found_is_dimmed);
  return g_test_run ();
}
