/* SPDX-License-Identifier: MIT */
#include "robot.h"
#include "toy.h"

#include "app/scope-canvas.h"
#include "app/scope-tab-drag.h"
#include "app/scope-welcome.h"

static AdwTabView *
get_tabs (Robot *robot)
{
  return ADW_TAB_VIEW (robot_find_part (robot, ADW_TYPE_TAB_VIEW));
}

static void
open_two (Robot *robot)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));

  robot_start (robot, path);
  robot_open (robot, other);
  g_assert_cmpint (adw_tab_view_get_n_pages (get_tabs (robot)), ==, 2);
}

typedef struct {
  Robot *robot;
  const char *title;
} Wish;

static gboolean
is_titled (gpointer data)
{
  const Wish *wish = data;

  return g_strcmp0 (gtk_window_get_title (GTK_WINDOW (wish->robot->window)), wish->title) == 0;
}

static void
await_title (Robot *robot, const char *title)
{
  Wish wish = { robot, title };

  robot_wait_until (is_titled, &wish);
}

static void
test_keys_lead_from_tab_to_tab (void)
{
  Robot robot;

  open_two (&robot);
  await_title (&robot, "b-symbol.json");
  robot_do ("key ctrl+Tab");
  await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+shift+Tab");
  await_title (&robot, "b-symbol.json");
  robot_do ("key alt+1");
  await_title (&robot, "a-symbol.json");
  robot_stop (&robot);
}

static void
test_new_tab_becomes_what_is_opened_in_it (void)
{
  Robot robot;

  open_two (&robot);
  robot_do ("key ctrl+t");
  await_title (&robot, "Symscope");
  g_assert_null (robot_get_document (&robot));
  GtkWidget *welcome = robot_find (GTK_WIDGET (get_tabs (&robot)), SCOPE_TYPE_WELCOME, NULL);

  g_assert_nonnull (welcome);
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (robot.window)), welcome));
  robot_do ("key ctrl+Tab");
  await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+shift+Tab");
  robot_click (robot_find (GTK_WIDGET (get_tabs (&robot)), GTK_TYPE_LABEL, "Toy ResNet"));
  await_title (&robot, "toy-resnet-symbol.json");
  g_assert_cmpint (adw_tab_view_get_n_pages (get_tabs (&robot)), ==, 3);
  robot_do ("key ctrl+t");
  await_title (&robot, "Symscope");
  robot_do ("key ctrl+w");
  await_title (&robot, "toy-resnet-symbol.json");
  robot_stop (&robot);
}

static void
test_closed_tab_comes_back (void)
{
  Robot robot;

  open_two (&robot);
  robot_do ("key ctrl+w");
  await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+w");
  await_title (&robot, "Symscope");
  robot_do ("key ctrl+shift+t");
  await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+shift+t");
  await_title (&robot, "b-symbol.json");
  robot_do ("key ctrl+shift+t");
  g_assert_cmpint (adw_tab_view_get_n_pages (get_tabs (&robot)), ==, 2);
  robot_stop (&robot);
}

static gboolean
has_menu (gpointer data)
{
  return robot_find (data, GTK_TYPE_LABEL, "Move to New Window") != NULL;
}

static guint
count_windows (Robot *robot)
{
  return g_list_length (gtk_application_get_windows (GTK_APPLICATION (robot->application)));
}

static gboolean
has_two_windows (gpointer data)
{
  return count_windows (data) == 2;
}

static void
test_tab_moves_to_a_window_of_its_own (void)
{
  Robot robot;

  open_two (&robot);
  GtkWidget *bar = robot_find_part (&robot, ADW_TYPE_TAB_BAR);

  robot_point (bar, 200, gtk_widget_get_height (bar) / 2.0, "click 3");
  robot_wait_until (has_menu, robot.window);
  robot_click (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "Move to New Window"));
  robot_wait_until (has_two_windows, &robot);
  g_assert_cmpint (adw_tab_view_get_n_pages (get_tabs (&robot)), ==, 1);
  await_title (&robot, "b-symbol.json");

  Robot other = robot;
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (robot.application));

  other.window =
      SCOPE_WINDOW (windows->data == (gpointer) robot.window ? windows->next->data : windows->data);
  await_title (&other, "a-symbol.json");
  robot_settle (&other);
  gtk_window_destroy (GTK_WINDOW (other.window));
  robot_stop (&robot);
}

static gboolean
has_list (gpointer data)
{
  return robot_find (data, GTK_TYPE_POPOVER_MENU, NULL) != NULL;
}

static void
test_list_of_tabs_leads_to_each (void)
{
  Robot robot;

  open_two (&robot);
  GtkWidget *bar = robot_find_part (&robot, ADW_TYPE_TAB_BAR);
  GtkWidget *button = robot_find (bar, GTK_TYPE_MENU_BUTTON, NULL);

  robot_click (button);
  robot_wait_until (has_list, button);
  robot_click (robot_find (button, GTK_TYPE_LABEL, "a-symbol.json"));
  await_title (&robot, "a-symbol.json");
  robot_stop (&robot);
}

static void
test_files_called_alike_are_told_apart (void)
{
  g_autofree char *path = toy_write ("same-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("same-symbol.json", TOY (""));
  g_autofree char *folder = g_path_get_dirname (other);
  g_autofree char *name = g_path_get_basename (folder);
  g_autofree char *title = g_strdup_printf ("same-symbol.json · %s", name);
  Robot robot;

  robot_start (&robot, path);
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (get_tabs (&robot), 0)), ==,
                   "same-symbol.json");
  robot_open (&robot, other);
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (get_tabs (&robot), 1)), ==,
                   title);
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (get_tabs (&robot), 0)), ==,
                   "same-symbol.json");
  robot_stop (&robot);
}

static GtkWidget *
find_tab (Robot *robot)
{
  return robot_find (robot_find_part (robot, ADW_TYPE_TAB_BAR), g_type_from_name ("AdwTab"), NULL);
}

static GtkWidget *
find_close_button (Robot *robot)
{
  return robot_find (find_tab (robot), GTK_TYPE_BUTTON, NULL);
}

static gboolean
has_one_tab (gpointer data)
{
  return adw_tab_view_get_n_pages (get_tabs (data)) == 1;
}

static gboolean
has_two_tabs (gpointer data)
{
  return adw_tab_view_get_n_pages (get_tabs (data)) == 2;
}

/* Of libadwaita 1.2 the second click would close what is no tab any more. */
static void
test_two_clicks_close_one_tab (void)
{
  Robot robot;

  open_two (&robot);
  robot_idle (400);
  g_signal_emit_by_name (find_close_button (&robot), "clicked");
  g_signal_emit_by_name (find_close_button (&robot), "clicked");
  robot_wait_until (has_one_tab, &robot);
  robot_idle (300);
  await_title (&robot, "b-symbol.json");
  robot_stop (&robot);
}

static void
test_tabs_are_closed_as_fast_as_wished (void)
{
  Robot robot;

  open_two (&robot);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  await_title (&robot, "Symscope");
  robot_stop (&robot);
}

static gboolean
has_icon (gpointer data)
{
  return adw_tab_page_get_icon (data) != NULL;
}

/* Not while the tab is too narrow for it, but then. */
static void
test_icon_comes_when_the_tab_has_room (void)
{
  g_autofree char *path = toy_write ("broken.json", "{\"nodes\": [1]}");
  Robot robot;

  open_two (&robot);
  robot_open (&robot, path);
  robot_wait_until (has_icon, adw_tab_view_get_nth_page (get_tabs (&robot), 2));
  g_assert_false (has_icon (adw_tab_view_get_nth_page (get_tabs (&robot), 1)));
  robot_stop (&robot);
}

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

  open_two (&robot);
  robot_idle (400);
  GtkWidget *tab = find_tab (&robot);

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
  g_assert_cmpint (adw_tab_view_get_n_pages (get_tabs (&robot)), ==, 2);
  robot_stop (&robot);
}

static void
press_and_drag (Robot *robot)
{
  robot_point (find_tab (robot), 40, 10, "mousedown 1");
  robot_do ("mousemove_relative 30 0");
  robot_do ("mousemove_relative 200 0");
}

/* Of libadwaita 1.2 to let go what had gone ended the program, as did a drag that ended behind the
 * last. */
static void
test_tab_goes_while_it_is_dragged (void)
{
  Robot robot;

  open_two (&robot);
  robot_idle (400);
  press_and_drag (&robot);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  robot_wait_until (has_one_tab, &robot);
  robot_do ("mousemove_relative 30 0");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  await_title (&robot, "b-symbol.json");
  robot_stop (&robot);
}

static void
test_other_goes_while_a_tab_is_dragged (void)
{
  Robot robot;

  open_two (&robot);
  robot_idle (400);
  press_and_drag (&robot);
  robot_do ("mousemove_relative 500 0");
  adw_tab_view_close_page (get_tabs (&robot), adw_tab_view_get_nth_page (get_tabs (&robot), 1));
  robot_wait_until (has_one_tab, &robot);
  robot_do ("mousemove_relative 30 0");
  robot_do ("mouseup 1");
  robot_wait_until (is_animated, NULL);
  await_title (&robot, "a-symbol.json");
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

  open_two (&robot);
  robot_idle (400);
  GtkWidget *bar = robot_find_part (&robot, ADW_TYPE_TAB_BAR), *tab = find_tab (&robot);
  double before = find_x (tab, bar);

  g_assert_true (gtk_widget_grab_focus (gtk_widget_get_parent (tab)));
  adw_tab_view_reorder_page (get_tabs (&robot), adw_tab_view_get_nth_page (get_tabs (&robot), 0),
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
  GtkWidget *box = gtk_widget_get_ancestor (find_tab (data), g_type_from_name ("AdwTabBox"));
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

  open_two (&robot);
  robot_idle (400);
  robot_point (find_tab (&robot), 40, 10, "sleep 0.1");
  scope_window_open (robot.window, file);
  scope_tab_drag_end (ADW_TAB_BAR (robot_find_part (&robot, ADW_TYPE_TAB_BAR)));
  first = adw_tab_view_get_nth_page (get_tabs (&robot), 0);
  adw_tab_view_close_page (get_tabs (&robot), first);
  adw_tab_view_close_page_finish (get_tabs (&robot), first, TRUE);
  await_title (&robot, "c-symbol.json");
  robot_wait_until (has_two_tabs, &robot);
  robot_wait_until (tabs_have_room, &robot);
  robot_stop (&robot);
}

static GtkWidget *
wait_for_toast (Robot *robot, const char *text)
{
  GtkWidget *label = robot_wait_for (GTK_WIDGET (robot->window), GTK_TYPE_LABEL, text);

  return gtk_widget_get_ancestor (label, g_type_from_name ("AdwToastWidget"));
}

static void
dismiss (GtkWidget *toast)
{
  g_signal_emit_by_name (robot_find (toast, GTK_TYPE_BUTTON, NULL), "clicked");
}

static gboolean
has_no_toast (gpointer data)
{
  Robot *robot = data;
  GType type = g_type_from_name ("AdwToastWidget");

  return robot_find (GTK_WIDGET (robot->window), type, NULL) == NULL;
}

/* Each as soon as it comes: of libadwaita 1.2 a toast that came while another left ended the
 * program, when it was dismissed at once. */
static void
test_messages_are_dismissed_at_once (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  for (int i = 0; i < 3; i++)
    gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.show-message", "s",
                                (const char *[]){ "one", "two", "three" }[i]);
  dismiss (wait_for_toast (&robot, "one"));
  dismiss (wait_for_toast (&robot, "two"));
  dismiss (wait_for_toast (&robot, "three"));
  robot_wait_until (has_no_toast, &robot);
  robot_idle (600);
  robot_stop (&robot);
}

/* A tab may close while a menu is open on it. */
static void
test_tab_of_a_menu_goes (void)
{
  Robot robot;
  AdwTabView *tabs;

  open_two (&robot);
  tabs = get_tabs (&robot);
  AdwTabPage *last = adw_tab_view_get_nth_page (tabs, 1);

  g_signal_emit_by_name (tabs, "setup-menu", last);
  adw_tab_view_close_page (tabs, last);
  robot_wait_until (has_one_tab, &robot);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.new-tab", NULL);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs), ==, 2);
  robot_stop (&robot);
}

typedef struct {
  GtkWidget *window, *pages[3];
} Leavers;

static gboolean
have_left (gpointer data)
{
  return ((Leavers *) data)->window == NULL;
}

/* Of GTK 4.8 each page that had the focus stayed, once the window was hidden. */
static void
test_pages_go_with_their_window (void)
{
  g_autofree char *path = toy_write ("c-symbol.json", TOY (""));
  Leavers leavers = { NULL };
  Robot robot;

  open_two (&robot);
  robot_open (&robot, path);
  g_set_weak_pointer (&leavers.window, GTK_WIDGET (robot.window));
  for (guint i = 0; i < G_N_ELEMENTS (leavers.pages); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (get_tabs (&robot), (int) i);

      g_set_weak_pointer (&leavers.pages[i], adw_tab_page_get_child (tab));
    }
  robot_click (robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (robot.window)), leavers.pages[2]));
  gtk_window_close (GTK_WINDOW (robot.window));
  robot_wait_until (have_left, &leavers);
  robot_idle (300);
  for (guint i = 0; i < G_N_ELEMENTS (leavers.pages); i++)
    g_assert_null (leavers.pages[i]);
  g_clear_object (&robot.application);
}

/* As GTK 4.8 holds on to what goes with the focus in it. */
static void
test_window_goes_while_its_bar_is_held (void)
{
  Leavers leavers = { NULL };
  Robot robot;

  open_two (&robot);
  g_autoptr (GtkWidget) tab = g_object_ref (find_tab (&robot));
  g_autoptr (GtkWidget) box =
      g_object_ref (gtk_widget_get_ancestor (tab, g_type_from_name ("AdwTabBox")));

  g_set_weak_pointer (&leavers.window, GTK_WIDGET (robot.window));
  for (int i = 0; i < 2; i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (get_tabs (&robot), i);

      g_set_weak_pointer (&leavers.pages[i], adw_tab_page_get_child (page));
    }
  gtk_window_close (GTK_WINDOW (robot.window));
  robot_wait_until (have_left, &leavers);
  robot_idle (300);
  g_assert_null (leavers.pages[0]);
  g_assert_null (leavers.pages[1]);
  g_clear_object (&robot.application);
}

static void
test_copied_path_is_utf8 (void)
{
  g_autofree char *path = toy_write ("\xe9t\xe9-symbol.json", TOY (""));
  g_autofree char *text = NULL;
  Robot robot;

  robot_start (&robot, path);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.copy-path", NULL);
  text = robot_read_clipboard (&robot);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_autoptr (GFile) file = g_file_parse_name (text), same = g_file_new_for_path (path);

  g_assert_true (g_file_equal (file, same));
  robot_stop (&robot);
}

/* Of one that was read, and of one that was not; a tab takes markup. */
static void
test_tooltip_is_the_name_as_it_is (void)
{
  g_autofree char *path = toy_write ("a<b & c-symbol.json", TOY (""));
  g_autofree char *broken = toy_write ("<b>.json", "{\"nodes\": [1]}");
  const char *const paths[] = { path, broken };
  Robot robot;

  robot_start (&robot, path);
  robot_open (&robot, broken);
  for (int i = 0; i < 2; i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (get_tabs (&robot), i);
      g_autofree char *text = NULL;

      g_assert_true (
          pango_parse_markup (adw_tab_page_get_tooltip (tab), -1, 0, NULL, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, paths[i]);
    }
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
  g_test_add_func ("/gui/tabs/keys-lead-from-tab-to-tab", test_keys_lead_from_tab_to_tab);
  g_test_add_func ("/gui/tabs/new-tab-becomes-what-is-opened-in-it",
                   test_new_tab_becomes_what_is_opened_in_it);
  g_test_add_func ("/gui/tabs/closed-tab-comes-back", test_closed_tab_comes_back);
  g_test_add_func ("/gui/tabs/tab-moves-to-a-window-of-its-own",
                   test_tab_moves_to_a_window_of_its_own);
  g_test_add_func ("/gui/tabs/files-called-alike-are-told-apart",
                   test_files_called_alike_are_told_apart);
  g_test_add_func ("/gui/tabs/nothing-moves-while-a-tab-is-dragged",
                   test_nothing_moves_while_a_tab_is_dragged);
  g_test_add_func ("/gui/tabs/tab-goes-while-it-is-dragged", test_tab_goes_while_it_is_dragged);
  g_test_add_func ("/gui/tabs/other-goes-while-a-tab-is-dragged",
                   test_other_goes_while_a_tab_is_dragged);
  g_test_add_func ("/gui/tabs/tab-comes-as-another-goes", test_tab_comes_as_another_goes);
  g_test_add_func ("/gui/tabs/tab-that-moves-arrives-before-another-goes",
                   test_tab_that_moves_arrives_before_another_goes);
  g_test_add_func ("/gui/tabs/two-clicks-close-one-tab", test_two_clicks_close_one_tab);
  g_test_add_func ("/gui/tabs/icon-comes-when-the-tab-has-room",
                   test_icon_comes_when_the_tab_has_room);
  g_test_add_func ("/gui/tabs/tabs-are-closed-as-fast-as-wished",
                   test_tabs_are_closed_as_fast_as_wished);
  g_test_add_func ("/gui/tabs/messages-are-dismissed-at-once", test_messages_are_dismissed_at_once);
  g_test_add_func ("/gui/tabs/list-of-tabs-leads-to-each", test_list_of_tabs_leads_to_each);
  g_test_add_func ("/gui/tabs/tab-of-a-menu-goes", test_tab_of_a_menu_goes);
  g_test_add_func ("/gui/tabs/pages-go-with-their-window", test_pages_go_with_their_window);
  g_test_add_func ("/gui/tabs/window-goes-while-its-bar-is-held",
                   test_window_goes_while_its_bar_is_held);
  g_test_add_func ("/gui/tabs/copied-path-is-utf8", test_copied_path_is_utf8);
  g_test_add_func ("/gui/tabs/tooltip-is-the-name-as-it-is", test_tooltip_is_the_name_as_it_is);
  return g_test_run ();
}
