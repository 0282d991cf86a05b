/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/scope-bookmarks-dialog.h"
#include "app/scope-editor.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

/* Bookmarks, by keys and clicks. */

static ScopeBookmarks *
get_bookmarks (Robot *robot)
{
  return scope_application_get_bookmarks (robot->application);
}

static char *
get_uri (Robot *robot)
{
  return g_file_get_uri (scope_document_get_file (robot_get_document (robot)));
}

static ScopeMiddle
get_middle (Robot *robot)
{
  return scope_canvas_get_middle (scope_page_get_canvas (scope_window_get_page (robot->window)));
}

static void
assert_same_middle (Robot *robot, const ScopeMiddle *before)
{
  ScopeMiddle after = get_middle (robot);

  g_assert_cmpfloat_with_epsilon (after.scale, before->scale, 1e-6);
  g_assert_cmpfloat (fabs (after.x - before->x), <, 2);
  g_assert_cmpfloat (fabs (after.y - before->y), <, 2);
}

static gboolean
has_dialog (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_BOOKMARKS_DIALOG) != NULL;
}

static gboolean
has_no_dialog (gpointer data)
{
  return !has_dialog (data);
}

static GtkWidget *
open_dialog (Robot *robot)
{
  robot_do ("key ctrl+b");
  robot_wait_until (has_dialog, NULL);
  robot_idle (300);
  GtkWindow *dialog = robot_find_window (SCOPE_TYPE_BOOKMARKS_DIALOG);

  robot_focus (dialog);
  return GTK_WIDGET (dialog);
}

/* Also in the next session, and undone by Back. */
static void
test_place_is_gone_to (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_do ("key ctrl+plus");
  robot_do ("key ctrl+plus");
  robot_settle (&robot);
  ScopeMiddle before = get_middle (&robot);
  g_autofree char *uri = get_uri (&robot);

  robot_do ("key ctrl+shift+b");
  g_assert_cmpuint (scope_bookmarks_get_n (get_bookmarks (&robot), uri), ==, 1);
  g_assert_cmpstr (scope_bookmarks_get_name (get_bookmarks (&robot), uri, 0), ==, "fc2_output");
  robot_stop (&robot);

  robot_start (&robot, path);
  robot_do ("key ctrl+l");
  robot_settle (&robot);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_wait_selected (&robot, "fc1_output");
  GtkWidget *dialog = open_dialog (&robot);

  robot_wait_for (dialog, GTK_TYPE_LABEL, "FullyConnected · rank ?"); /* it has the node's name */
  robot_do ("key Return");
  robot_wait_until (has_no_dialog, NULL);
  robot_wait_selected (&robot, "fc2_output");
  robot_settle (&robot);
  g_assert_cmpint (scope_document_get_view (robot_get_document (&robot))->drawing, ==,
                   SYM_DRAWING_DATA);
  assert_same_middle (&robot, &before);
  robot_do ("key alt+Left");
  robot_wait_selected (&robot, "fc1_output");
  robot_stop (&robot);
}

static void
test_list_is_kept_in_order (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  g_autofree char *uri = get_uri (&robot);
  GtkWidget *dialog = open_dialog (&robot);
  ScopeBookmarks *bookmarks = get_bookmarks (&robot);

  g_assert_nonnull (robot_find (dialog, GTK_TYPE_LABEL, "No Bookmarks"));
  robot_click (robot_find (dialog, GTK_TYPE_BUTTON, NULL));
  robot_click (robot_find (dialog, GTK_TYPE_BUTTON, NULL));
  g_assert_cmpuint (scope_bookmarks_get_n (bookmarks, uri), ==, 2);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, uri, 1), ==, "Place (2)");
  robot_do ("key F2");
  robot_wait_for (dialog, SCOPE_TYPE_EDITOR, NULL);
  robot_do ("key ctrl+a");
  robot_do ("type s"); /* narrower than an ellipsis */
  robot_do ("key Return");
  robot_idle (300);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, uri, 1), ==, "s");
  robot_do ("key Delete");
  g_assert_cmpuint (scope_bookmarks_get_n (bookmarks, uri), ==, 1);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, uri, 0), ==, "Place");
  robot_do ("key Escape");
  robot_wait_until (has_no_dialog, NULL);
  robot_stop (&robot);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0;
}

typedef struct {
  Robot *robot;
  const char *first, *second; /* NULL for none */
} Names;

static gboolean
has_names (gpointer data)
{
  const Names *names = data;
  g_autofree char *uri = get_uri (names->robot);
  ScopeBookmarks *bookmarks = get_bookmarks (names->robot);
  const char *expected[] = { names->first, names->second };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (expected) && expected[i] != NULL; i++)
    {
      if (scope_bookmarks_get_n (bookmarks, uri) <= i ||
          !g_str_equal (scope_bookmarks_get_name (bookmarks, uri, i), expected[i]))
        return FALSE;
      n++;
    }
  return scope_bookmarks_get_n (bookmarks, uri) == n;
}

/* A press is there before what it does is, on a busy machine. */
static void
await_names (Robot *robot, const char *first, const char *second)
{
  Names names = { robot, first, second };

  robot_wait_until (has_names, &names);
}

/* By the button of a message, and by keys, all of them; Escape closes while a message is there,
 * wherever the keyboard is. */
static void
test_removing_is_undone (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);

  robot_click (robot_find (dialog, GTK_TYPE_BUTTON, NULL));
  robot_click (robot_find (dialog, GTK_TYPE_BUTTON, NULL));
  await_names (&robot, "Place", "Place (2)");
  robot_do ("key Up");
  toasts_hold ();
  robot_do ("key Delete");
  await_names (&robot, "Place (2)", NULL);
  GtkWidget *undo = robot_wait_for (dialog, GTK_TYPE_BUTTON, "Undo");

  robot_wait_until (is_mapped, undo);
  robot_idle (500);
  robot_click (undo);
  robot_idle (100);
  await_names (&robot, "Place", "Place (2)");
  robot_do ("key Delete"); /* the row that came back has the keyboard */
  robot_do ("key Delete");
  await_names (&robot, NULL, NULL);
  robot_do ("key ctrl+z");
  robot_do ("key ctrl+z");
  robot_do ("key ctrl+z");
  await_names (&robot, "Place", "Place (2)");
  robot_do ("key Delete");
  robot_do ("key Delete");
  robot_do ("key Escape"); /* nothing is in the list that could have the keyboard */
  robot_wait_until (has_no_dialog, NULL);
  dialog = open_dialog (&robot);
  robot_click (robot_find (dialog, GTK_TYPE_BUTTON, NULL));
  robot_do ("key Delete");
  undo = robot_wait_for (dialog, GTK_TYPE_BUTTON, "Undo");
  robot_wait_until (is_mapped, undo);
  g_assert_true (gtk_widget_grab_focus (undo));
  robot_do ("key Escape");
  robot_wait_until (has_no_dialog, NULL);
  robot_stop (&robot);
}

/* The list goes with the graph that it is of: another one that comes to the front has its own.
 * Who asks for it twice has it once. */
static void
test_list_goes_with_its_graph (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", "{");
  g_autoptr (GFile) file = g_file_new_for_path (other);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  open_dialog (&robot);
  g_action_group_activate_action (G_ACTION_GROUP (robot.window), "bookmarks", NULL);
  robot_idle (300);
  scope_window_open (robot.window, file);
  robot_wait_until (has_no_dialog, NULL);
  robot_stop (&robot);
}

/* It may be clicked until it goes. */
static void
test_nothing_is_added_of_no_graph (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  GtkWidget *dialog;
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  dialog = open_dialog (&robot);
  g_action_group_activate_action (G_ACTION_GROUP (robot.window), "close-tab", NULL);
  g_signal_emit_by_name (dialog, "add");
  robot_wait_until (has_no_dialog, NULL);
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
  g_test_add_func ("/gui/places/place-is-gone-to", test_place_is_gone_to);
  g_test_add_func ("/gui/places/list-is-kept-in-order", test_list_is_kept_in_order);
  g_test_add_func ("/gui/places/removing-is-undone", test_removing_is_undone);
  g_test_add_func ("/gui/places/list-goes-with-its-graph", test_list_goes_with_its_graph);
  g_test_add_func ("/gui/places/nothing-is-added-of-no-graph", test_nothing_is_added_of_no_graph);
  return g_test_run ();
}
