/* SPDX-License-Identifier: MIT */
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "app/scope-canvas.h"
#include "robot.h"
#include "toy.h"

#define N_FIRST 15 /* tabs until all that is kept for good is there */
#define N_TABS 25
#define MOST_BYTES 8192 /* that may stay of each: GTK itself keeps some, and sizes vary */
#define N_LAYERS 50000
#define MOST_RESIDENT_BYTES \
  35e6 /* that may stay with the process; all that was in use was ten times that */

static AdwTabView *
get_tabs (Robot *robot)
{
  return ADW_TAB_VIEW (robot_find_part (robot, ADW_TYPE_TAB_VIEW));
}

static gboolean
has_one_tab (gpointer data)
{
  return adw_tab_view_get_n_pages (get_tabs (data)) == 1;
}

static gboolean
is_drawn (gpointer data)
{
  Robot *robot = data;

  return scope_document_get_progress (robot_get_document (robot)) == NULL &&
         robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_CANVAS, NULL) != NULL;
}

static void
open_and_close (Robot *robot, const char *path, guint n)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (guint i = 0; i < n; i++)
    {
      g_application_open (G_APPLICATION (robot->application), (GFile *[]){ file }, 1, "");
      robot_wait_until (is_drawn, robot);
      robot_settle (robot);
      gtk_widget_activate_action (GTK_WIDGET (robot->window), "win.close-tab", NULL);
      robot_wait_until (has_one_tab, robot);
      robot_idle (40);
    }
  robot_idle (500);
}

static void
test_closed_tab_leaves_no_memory (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  open_and_close (&robot, other, N_FIRST);
  gsize before = mallinfo2 ().uordblks;

  open_and_close (&robot, other, N_TABS);
  gsize after = mallinfo2 ().uordblks;

  g_test_message ("%.1f kB for each tab", ((double) after - (double) before) / N_TABS / 1024);
  g_assert_cmpuint (after, <, before + N_TABS * MOST_BYTES);
  robot_stop (&robot);
}

/* Of the machine's memory, what this process holds. */
static double
read_resident (void)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  return (double) g_ascii_strtoll (strchr (text, ' '), NULL, 10) * (double) sysconf (_SC_PAGESIZE);
}

static double resident_before;

static gboolean
is_given_back (gpointer data)
{
  return read_resident () < resident_before + MOST_RESIDENT_BYTES;
}

/* An allocator keeps what one thread has freed for that thread: each opened graph would add to it.
 */
static void
test_large_graphs_are_given_back (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *text = toy_format_unequal_chain (N_LAYERS);
  g_autofree char *large = toy_write ("large-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  open_and_close (&robot, path, 3);
  resident_before = read_resident ();
  open_and_close (&robot, large, 4);
  robot_wait_until (is_given_back, NULL);
  g_test_message ("%.0f MB stay", (read_resident () - resident_before) / 1e6);
  robot_stop (&robot);
}

static gpointer stopped_window;

static Robot
start_with_tabs (int n)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  for (int i = 1; i < n; i++)
    {
      g_autofree char *other = toy_write ("b-symbol.json", TOY (""));

      robot_open (&robot, other);
    }
  return robot;
}

static gboolean
has_stopped (gpointer data)
{
  return stopped_window == NULL;
}

/* Its tabs go one after the other, with nobody to see it. */
static void
check_closes (Robot *robot)
{
  gtk_window_close (GTK_WINDOW (robot->window));
  stopped_window = robot->window;
  g_object_add_weak_pointer (G_OBJECT (robot->window), &stopped_window);
  g_assert_null (gtk_application_get_windows (GTK_APPLICATION (robot->application)));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (robot->window)));
  robot_wait_until (has_stopped, NULL);
  g_clear_object (&robot->application);
}

static void
test_window_with_many_tabs_goes (void)
{
  Robot robot = start_with_tabs (5);

  check_closes (&robot);
}

static void
test_window_with_closing_tab_goes (void)
{
  Robot robot = start_with_tabs (3);

  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  check_closes (&robot);
}

static void
test_window_with_pinned_tabs_goes (void)
{
  Robot robot = start_with_tabs (3);
  AdwTabView *tabs = get_tabs (&robot);

  for (int i = 0; i < 3; i++)
    adw_tab_view_set_page_pinned (tabs, adw_tab_view_get_nth_page (tabs, i), TRUE);
  check_closes (&robot);
}

static gboolean
shows_shortcuts (gpointer data)
{
  return robot_find_window (GTK_TYPE_SHORTCUTS_WINDOW) != NULL;
}

/* One that stays hidden goes with its window. */
static void
test_window_with_shortcuts_goes (void)
{
  Robot robot = start_with_tabs (2);

  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.show-help-overlay", NULL);
  robot_wait_until (shows_shortcuts, NULL);
  gtk_window_close (robot_find_window (GTK_TYPE_SHORTCUTS_WINDOW));
  robot_idle (50);
  g_assert_false (shows_shortcuts (NULL));
  check_closes (&robot);
}

/* Closed before they are there: nothing comes up any more. */
static void
test_window_with_coming_shortcuts_goes (void)
{
  Robot robot = start_with_tabs (2);

  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.show-help-overlay", NULL);
  check_closes (&robot);
  g_assert_false (shows_shortcuts (NULL));
}

static GtkWindow *
find_hidden (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (SCOPE_IS_WINDOW (window) && !gtk_widget_get_visible (GTK_WIDGET (window)))
        return window;
    }
  return NULL;
}

static void
test_coming_window_goes (void)
{
  Robot robot = start_with_tabs (1);

  g_action_group_activate_action (G_ACTION_GROUP (robot.application), "new-window", NULL);
  stopped_window = find_hidden ();
  g_assert_nonnull (stopped_window);
  g_object_add_weak_pointer (stopped_window, &stopped_window);
  scope_window_leave (stopped_window);
  robot_wait_until (has_stopped, NULL);
  check_closes (&robot);
}

static void
note_thread (gpointer user_data, GObject *icon)
{
  *(GThread **) user_data = g_thread_self ();
}

static gpointer
let_go (gpointer icon)
{
  g_object_unref (icon);
  return NULL;
}

static gboolean
is_set (gpointer pointer)
{
  return *(gpointer *) pointer != NULL;
}

/* Those that a thread of GTK's painted last. */
static void
test_icons_go_in_the_main_thread (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("icon.svg");
  GThread *thread = NULL;
  Robot robot;

  robot_start (&robot, NULL);
  GtkIconPaintable *icon = gtk_icon_paintable_new_for_file (file, 16, 1);

  g_object_weak_ref (G_OBJECT (icon), note_thread, &thread);
  g_thread_join (g_thread_new ("icon", let_go, icon));
  g_assert_null (thread);
  robot_wait_until (is_set, &thread);
  g_assert_true (thread == g_thread_self ());
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
  g_test_add_func ("/gui/upkeep/closed-tab-leaves-no-memory", test_closed_tab_leaves_no_memory);
  g_test_add_func ("/gui/upkeep/large-graphs-are-given-back", test_large_graphs_are_given_back);
  g_test_add_func ("/gui/upkeep/window-with-many-tabs-goes", test_window_with_many_tabs_goes);
  g_test_add_func ("/gui/upkeep/window-with-closing-tab-goes", test_window_with_closing_tab_goes);
  g_test_add_func ("/gui/upkeep/window-with-pinned-tabs-goes", test_window_with_pinned_tabs_goes);
  g_test_add_func ("/gui/upkeep/window-with-shortcuts-goes", test_window_with_shortcuts_goes);
  g_test_add_func ("/gui/upkeep/window-with-coming-shortcuts-goes",
                   test_window_with_coming_shortcuts_goes);
  g_test_add_func ("/gui/upkeep/icons-go-in-the-main-thread", test_icons_go_in_the_main_thread);
  g_test_add_func ("/gui/upkeep/coming-window-goes", test_coming_window_goes);
  return g_test_run ();
}
