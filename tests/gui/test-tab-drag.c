/* SPDX-License-Identifier: MIT */
#include "tabs.h"

#include "app/scope-tab-drag.h"

/* Tabs that are dragged, or on their way, while others come and go. */

static gboolean
is_animated (gpointer data)
{
  gboolean is_on;

  g_object_get (gtk_settings_get_default (), "gtk-enable-animations", &is_on, NULL);
  return is_on;
}

/* Of libadwaita 1.2 what moved while a tab left its bar ended the program. */
static void
test_nothing_moves_while_a_tab_is_dragged (void)
{
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  GtkWidget *tab = tabs_find_first (&robot);

  g_assert_true (is_animated (NULL));
  robot_point (tab, 40, 10, "mousedown 1");
  g_assert_true (is_animated (NULL));
  robot_do ("mousemove_relative 30 0");
  robot_do ("mousemove_relative 200 0");
  g_assert_false (is_animated (NULL));
  robot_do ("mousemove_relative 0 300");
  robot_do ("mousemove_relative 0 30");
  g_assert_false (is_animated (NULL));
  robot_do ("key Escape");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_get (&robot)), ==, 2);
  robot_stop (&robot);
}

static gboolean
is_transferring (gpointer view)
{
  return adw_tab_view_get_is_transferring_page (view);
}

static gboolean
has_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/* GTK 4.8 keeps a drag until the next one, and with it the tab, but neither page nor graph.  Let go
 * over its window, the tab gets one of its own. */
static void
drag_out_and_close (const char *end)
{
  ScopeDocument *document;
  GtkWidget *page;
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  page = adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs_get (&robot), 0));
  document = scope_page_get_document (SCOPE_PAGE (page));
  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &page);
  g_object_add_weak_pointer (G_OBJECT (document), (gpointer *) &document);
  robot_point (tabs_find_first (&robot), 40, 10, "mousedown 1");
  robot_do ("mousemove_relative 30 0");
  robot_do ("mousemove_relative 0 300");
  robot_wait_until (is_transferring, tabs_get (&robot));
  robot_do ("mousemove_relative 0 30");
  robot_do ("%s", end);
  robot_wait_until (is_animated, NULL);
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (page));

  gtk_widget_activate_action (page, "win.close-tab", NULL);
  robot_wait_until (has_gone, &page);
  robot_wait_until (has_gone, &document);
  if (window != GTK_WINDOW (robot.window))
    gtk_window_close (window);
  robot_stop (&robot);
}

static void
test_tab_that_was_dragged_out_goes (void)
{
  drag_out_and_close ("key Escape mouseup 1");
  drag_out_and_close ("mouseup 1");
}

static gboolean
has_come (gpointer page)
{
  GtkRoot *root = gtk_widget_get_root (page);

  return root != NULL && gtk_widget_get_mapped (GTK_WIDGET (root)) && gtk_widget_get_mapped (page);
}

/* Of GTK 4.8 and libadwaita 1.2 the tab was nowhere, and the program never ended. */
static void
test_tab_over_the_bare_screen_gets_a_window (void)
{
  GtkWidget *page;
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  gtk_window_set_default_size (GTK_WINDOW (robot.window), 900, 600);
  robot_idle (400);
  page = adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs_get (&robot), 0));
  robot_point (tabs_find_first (&robot), 40, 10, "mousedown 1");
  robot_do ("mousemove_relative 30 0");
  robot_do ("mousemove_relative 0 300");
  robot_wait_until (is_transferring, tabs_get (&robot));
  robot_do ("mousemove 1400 800");
  robot_do ("mousemove 1410 810");
  robot_do ("mouseup 1");
  robot_wait_until (has_come, page);
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (page));

  g_assert_true (window != GTK_WINDOW (robot.window));
  g_assert_false (is_transferring (tabs_get (&robot)));
  g_assert_true (tabs_are_one (&robot));
  scope_window_leave (SCOPE_WINDOW (window));
  robot_stop (&robot);
}

static void
press_and_drag (Robot *robot)
{
  robot_point (tabs_find_first (robot), 40, 10, "mousedown 1");
  robot_do ("mousemove_relative 30 0");
  robot_do ("mousemove_relative 200 0");
}

/* Of libadwaita 1.2 to let go what had gone ended the program, as did a drag that ended behind the
 * last. */
static void
test_tab_goes_while_it_is_dragged (void)
{
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  press_and_drag (&robot);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  robot_wait_until (tabs_are_one, &robot);
  robot_do ("mousemove_relative 30 0");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  tabs_await_title (&robot, "b-symbol.json");
  robot_stop (&robot);
}

static void
test_other_goes_while_a_tab_is_dragged (void)
{
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  press_and_drag (&robot);
  robot_do ("mousemove_relative 500 0");
  adw_tab_view_close_page (tabs_get (&robot), adw_tab_view_get_nth_page (tabs_get (&robot), 1));
  robot_wait_until (tabs_are_one, &robot);
  robot_do ("mousemove_relative 30 0");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  tabs_await_title (&robot, "a-symbol.json");
  robot_stop (&robot);
}

static gboolean
frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer n_frames)
{
  ++*(guint *) n_frames;
  return G_SOURCE_CONTINUE;
}

static gboolean
has_frames (gpointer n_frames)
{
  return *(guint *) n_frames > 2;
}

static double
find_x (GtkWidget *tab, GtkWidget *bar)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (tab, bar, &bounds));
  return bounds.origin.x;
}

/* While it was on its way, to close its neighbour under the pointer led libadwaita 1.2 along a list
 * that it had just put in another order. */
static void
test_tab_that_moves_arrives_before_another_goes (void)
{
  guint n_frames = 0;
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  GtkWidget *bar = robot_find_part (&robot, ADW_TYPE_TAB_BAR), *tab = tabs_find_first (&robot);
  double before = find_x (tab, bar);

  g_assert_true (gtk_widget_grab_focus (gtk_widget_get_parent (tab)));
  adw_tab_view_reorder_page (tabs_get (&robot), adw_tab_view_get_nth_page (tabs_get (&robot), 0),
                             1);
  scope_tab_drag_end (ADW_TAB_BAR (bar));
  gtk_widget_add_tick_callback (bar, frame_cb, &n_frames, NULL);
  robot_wait_until (has_frames, &n_frames);
  double then = find_x (tab, bar);

  robot_idle (400);
  g_assert_cmpfloat (then, >, before);
  g_assert_cmpfloat (then, ==, find_x (tab, bar));
  g_assert_true (gtk_widget_is_focus (gtk_widget_get_parent (tab)));
  robot_stop (&robot);
}

static gboolean
tabs_have_room (gpointer data)
{
  GtkWidget *box = gtk_widget_get_ancestor (tabs_find_first (data), g_type_from_name ("AdwTabBox"));
  GType type = g_type_from_name ("AdwTab");

  for (GtkWidget *w = gtk_widget_get_first_child (box); w != NULL;
       w = gtk_widget_get_next_sibling (w))
    {
      GtkWidget *tab = robot_find (w, type, NULL);

      if (tab != NULL && gtk_widget_get_width (tab) < 100)
        return FALSE;
    }
  return TRUE;
}

/* Under the pointer, libadwaita 1.2 keeps the widths of the tabs when one goes: of one that has
 * none, too. */
static void
test_tab_comes_as_another_goes (void)
{
  g_autofree char *path = toy_write ("c-symbol.json", TOY (""));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  AdwTabPage *first;
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  robot_point (tabs_find_first (&robot), 40, 10, "sleep 0.1");
  scope_window_open (robot.window, file);
  first = adw_tab_view_get_nth_page (tabs_get (&robot), 0);
  adw_tab_view_close_page (tabs_get (&robot), first);
  adw_tab_view_close_page_finish (tabs_get (&robot), first, TRUE);
  tabs_await_title (&robot, "c-symbol.json");
  robot_wait_until (tabs_are_two, &robot);
  robot_wait_until (tabs_have_room, &robot);
  robot_stop (&robot);
}

static gboolean
tabs_are_three (gpointer data)
{
  return adw_tab_view_get_n_pages (tabs_get (data)) == 3;
}

/* One that left its bar at a stroke was put where the last one had been put, which led libadwaita
 * 1.2 beyond the end when there were fewer since. */
static void
test_tab_leaves_at_a_stroke (void)
{
  g_autofree char *path = toy_write ("c-symbol.json", TOY (""));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Robot robot;

  tabs_open_two (&robot);
  scope_window_open (robot.window, file);
  robot_wait_until (tabs_are_three, &robot);
  tabs_await_title (&robot, "c-symbol.json");
  robot_wait_until (tabs_have_room, &robot);
  robot_idle (400);
  press_and_drag (&robot);
  robot_do ("mousemove_relative 600 0");
  robot_do ("mousemove_relative 100 0");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  tabs_await_title (&robot, "a-symbol.json");
  g_assert_cmpint (adw_tab_view_get_page_position (
                       tabs_get (&robot), adw_tab_view_get_selected_page (tabs_get (&robot))),
                   ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  robot_wait_until (tabs_are_two, &robot);
  robot_wait_until (tabs_have_room, &robot);
  robot_idle (400);
  robot_point (tabs_find_first (&robot), 40, 10, "mousedown 1 mousemove_relative 0 300");
  robot_wait_until (is_transferring, tabs_get (&robot));
  robot_do ("mousemove_relative 0 30");
  robot_do ("key Escape");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_get (&robot)), ==, 2);
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
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/tab-drag/nothing-moves-while-a-tab-is-dragged",
                   test_nothing_moves_while_a_tab_is_dragged);
  g_test_add_func ("/gui/tab-drag/tab-that-was-dragged-out-goes",
                   test_tab_that_was_dragged_out_goes);
  g_test_add_func ("/gui/tab-drag/tab-over-the-bare-screen-gets-a-window",
                   test_tab_over_the_bare_screen_gets_a_window);
  g_test_add_func ("/gui/tab-drag/tab-goes-while-it-is-dragged", test_tab_goes_while_it_is_dragged);
  g_test_add_func ("/gui/tab-drag/other-goes-while-a-tab-is-dragged",
                   test_other_goes_while_a_tab_is_dragged);
  g_test_add_func ("/gui/tab-drag/tab-that-moves-arrives-before-another-goes",
                   test_tab_that_moves_arrives_before_another_goes);
  g_test_add_func ("/gui/tab-drag/tab-comes-as-another-goes", test_tab_comes_as_another_goes);
  g_test_add_func ("/gui/tab-drag/tab-leaves-at-a-stroke", test_tab_leaves_at_a_stroke);
  return g_test_run ();
}
