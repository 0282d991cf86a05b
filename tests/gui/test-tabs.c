/* SPDX-License-Identifier: MIT */
#include "tabs.h"

#include "app/scope-canvas.h"
#include "app/scope-page.h"
#include "app/scope-welcome.h"

static void
test_keys_lead_from_tab_to_tab (void)
{
  Robot robot;

  tabs_open_two (&robot);
  tabs_await_title (&robot, "b-symbol.json");
  robot_do ("key ctrl+Tab");
  tabs_await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+shift+Tab");
  tabs_await_title (&robot, "b-symbol.json");
  robot_do ("key alt+1");
  tabs_await_title (&robot, "a-symbol.json");
  robot_stop (&robot);
}

static GtkWidget *
get_canvas (Robot *robot, int n)
{
  AdwTabPage *tab = adw_tab_view_get_nth_page (tabs_get (robot), n);

  return GTK_WIDGET (scope_page_get_canvas (SCOPE_PAGE (adw_tab_page_get_child (tab))));
}

static void
check_front (Robot *robot, int front, int behind)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (robot->window));

  g_assert_true (gtk_widget_is_visible (get_canvas (robot, front)));
  g_assert_true (gtk_widget_get_mapped (get_canvas (robot, front)));
  g_assert_false (gtk_widget_is_visible (get_canvas (robot, behind)));
  g_assert_true (focus == get_canvas (robot, front));
}

/* What GTK thinks visible is styled again with all else; and the keyboard comes back to where it
 * was. */
static void
test_tabs_behind_cost_nothing (void)
{
  Robot robot;

  tabs_open_two (&robot);
  tabs_await_title (&robot, "b-symbol.json");
  check_front (&robot, 1, 0);
  for (guint i = 0; i < 2; i++)
    {
      robot_do ("key ctrl+Tab");
      tabs_await_title (&robot, "a-symbol.json");
      robot_idle (100);
      check_front (&robot, 0, 1);
      robot_do ("key ctrl+Tab");
      tabs_await_title (&robot, "b-symbol.json");
      robot_idle (100);
      check_front (&robot, 1, 0);
    }
  robot_stop (&robot);
}

static void
test_new_tab_becomes_what_is_opened_in_it (void)
{
  Robot robot;

  tabs_open_two (&robot);
  robot_do ("key ctrl+t");
  tabs_await_title (&robot, "Symscope");
  g_assert_null (robot_get_document (&robot));
  GtkWidget *welcome = robot_find (GTK_WIDGET (tabs_get (&robot)), SCOPE_TYPE_WELCOME, NULL);

  g_assert_nonnull (welcome);
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (robot.window)), welcome));
  robot_do ("key ctrl+Tab");
  tabs_await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+shift+Tab");
  robot_click (robot_find (GTK_WIDGET (tabs_get (&robot)), GTK_TYPE_LABEL, "Toy ResNet"));
  tabs_await_title (&robot, "toy-resnet-symbol.json");
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_get (&robot)), ==, 3);
  robot_do ("key ctrl+t");
  tabs_await_title (&robot, "Symscope");
  robot_do ("key ctrl+w");
  tabs_await_title (&robot, "toy-resnet-symbol.json");
  robot_stop (&robot);
}

static void
test_closed_tab_comes_back (void)
{
  Robot robot;

  tabs_open_two (&robot);
  robot_do ("key ctrl+w");
  tabs_await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+w");
  tabs_await_title (&robot, "Symscope");
  robot_do ("key ctrl+shift+t");
  tabs_await_title (&robot, "a-symbol.json");
  robot_do ("key ctrl+shift+t");
  tabs_await_title (&robot, "b-symbol.json");
  robot_do ("key ctrl+shift+t");
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_get (&robot)), ==, 2);
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

static gboolean
has_drawing_focus (gpointer data)
{
  return SCOPE_IS_CANVAS (gtk_window_get_focus (data));
}

static void
test_tab_moves_to_a_window_of_its_own (void)
{
  Robot robot;

  tabs_open_two (&robot);
  GtkWidget *bar = robot_find_part (&robot, ADW_TYPE_TAB_BAR);

  robot_point (bar, 200, gtk_widget_get_height (bar) / 2.0, "click 3");
  robot_wait_until (has_menu, robot.window);
  robot_click (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "Move to New Window"));
  robot_wait_until (has_two_windows, &robot);
  g_assert_cmpint (adw_tab_view_get_n_pages (tabs_get (&robot)), ==, 1);
  tabs_await_title (&robot, "b-symbol.json");

  Robot other = robot;
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (robot.application));

  other.window =
      SCOPE_WINDOW (windows->data == (gpointer) robot.window ? windows->next->data : windows->data);
  tabs_await_title (&other, "a-symbol.json");
  robot_settle (&other);
  robot_wait_until (has_drawing_focus, other.window);
  robot_wait_until (has_drawing_focus, robot.window); /* not the tab bar, which has gone */
  gtk_window_destroy (GTK_WINDOW (other.window));
  robot_stop (&robot);
}

static GtkColumnView *
get_table (AdwTabPage *tab)
{
  return GTK_COLUMN_VIEW (robot_find (adw_tab_page_get_child (tab), GTK_TYPE_COLUMN_VIEW, NULL));
}

static guint
count_rows (AdwTabPage *tab)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (get_table (tab))));
}

static double
get_scrolled (AdwTabPage *tab)
{
  return gtk_adjustment_get_value (
      gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get_table (tab))));
}

typedef struct {
  AdwTabPage *tab;
  guint n_rows;
  double scrolled;
} Place;

static gboolean
is_in_place (gpointer data)
{
  const Place *place = data;

  return count_rows (place->tab) == place->n_rows && get_scrolled (place->tab) == place->scrolled;
}

static void
keep_most (GListModel *model, guint position, guint n_removed, guint n_added, gpointer data)
{
  guint *most = data;

  if (position < 200) /* those that have widgets */
    *most = MAX (*most, MIN (n_added, 200 - position));
}

/* All at once, they would take a tenth of a second. */
static void
test_rows_come_in_turns_to_another_window (void)
{
  g_autofree char *chain = toy_format_chain (400);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  guint most = 0;
  Robot robot;

  robot_start (&robot, other);
  robot_open (&robot, path);
  AdwTabPage *tab = adw_tab_view_get_nth_page (tabs_get (&robot), 1);
  ScopeDocument *document = scope_page_get_document (SCOPE_PAGE (adw_tab_page_get_child (tab)));
  GtkSelectionModel *rows = gtk_column_view_get_model (get_table (tab));

  scope_document_select_value (document, 300);
  robot_settle (&robot);
  g_autoptr (GtkBitset) before = gtk_selection_model_get_selection (rows);
  Place place = { tab, count_rows (tab), get_scrolled (tab) };

  g_assert_cmpfloat (place.scrolled, >, 2000);
  g_signal_connect (rows, "items-changed", G_CALLBACK (keep_most), &most);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.move-tab", NULL);
  robot_wait_until (has_two_windows, &robot);
  robot_wait_until (is_in_place, &place);
  g_assert_cmpuint (most, >, 0);
  g_assert_cmpuint (most, <=, 60);
  g_autoptr (GtkBitset) now = gtk_selection_model_get_selection (rows);

  g_assert_true (gtk_bitset_equals (now, before));
  g_assert_cmpuint (gtk_bitset_get_size (now), ==, 1);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, 300);
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (adw_tab_page_get_child (tab))));
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

  tabs_open_two (&robot);
  GtkWidget *bar = robot_find_part (&robot, ADW_TYPE_TAB_BAR);
  GtkWidget *button = robot_find (bar, GTK_TYPE_MENU_BUTTON, NULL);

  robot_click (button);
  robot_wait_until (has_list, button);
  robot_click (robot_find (button, GTK_TYPE_LABEL, "a-symbol.json"));
  tabs_await_title (&robot, "a-symbol.json");
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
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs_get (&robot), 0)), ==,
                   "same-symbol.json");
  robot_open (&robot, other);
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs_get (&robot), 1)), ==,
                   title);
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_cmpstr (adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs_get (&robot), 0)), ==,
                   "same-symbol.json");
  robot_stop (&robot);
}

static const char *
get_title_of_first (Robot *robot)
{
  return adw_tab_page_get_title (adw_tab_view_get_nth_page (tabs_get (robot), 0));
}

/* Also behind another one, where the window's title does not tell it. */
static void
test_tab_tells_that_it_was_edited (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("b-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL));
  robot_settle (&robot);
  robot_open (&robot, other);
  g_assert_cmpstr (get_title_of_first (&robot), ==, "• a-symbol.json");
  scope_document_undo (document);
  robot_idle (300);
  g_assert_cmpstr (get_title_of_first (&robot), ==, "a-symbol.json");
  robot_stop (&robot);
}

static GtkWidget *
find_close_button (Robot *robot)
{
  return robot_find (tabs_find_first (robot), GTK_TYPE_BUTTON, NULL);
}

/* Of libadwaita 1.2 the second click would close what is no tab any more. */
static void
test_two_clicks_close_one_tab (void)
{
  Robot robot;

  tabs_open_two (&robot);
  robot_idle (400);
  g_signal_emit_by_name (find_close_button (&robot), "clicked");
  g_signal_emit_by_name (find_close_button (&robot), "clicked");
  robot_wait_until (tabs_are_one, &robot);
  robot_idle (300);
  tabs_await_title (&robot, "b-symbol.json");
  robot_stop (&robot);
}

static void
test_tabs_are_closed_as_fast_as_wished (void)
{
  Robot robot;

  tabs_open_two (&robot);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  tabs_await_title (&robot, "Symscope");
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

  tabs_open_two (&robot);
  robot_open (&robot, path);
  robot_wait_until (has_icon, adw_tab_view_get_nth_page (tabs_get (&robot), 2));
  g_assert_false (has_icon (adw_tab_view_get_nth_page (tabs_get (&robot), 1)));
  robot_stop (&robot);
}

/* How much of the bar's width is left of that tab, and right of it; less than nothing where
 * it is out of sight. */
static int
get_least_room (Robot *robot, const char *title)
{
  GtkWidget *bar = robot_find_part (robot, ADW_TYPE_TAB_BAR);
  GtkWidget *label = robot_find (bar, GTK_TYPE_LABEL, title);
  GtkWidget *tab = gtk_widget_get_ancestor (label, g_type_from_name ("AdwTab"));
  GtkWidget *scroller = gtk_widget_get_ancestor (tab, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t place;

  g_assert_true (gtk_widget_compute_bounds (tab, scroller, &place));
  return (int) MIN (place.origin.x,
                    gtk_widget_get_width (scroller) - place.origin.x - place.size.width);
}

static gboolean
is_last_tab_in_sight (gpointer data)
{
  return get_least_room (data, "file13-symbol.json") >= 0;
}

/* More than the bar has room for. */
static void
test_tab_that_comes_is_in_sight (void)
{
  Robot robot;

  tabs_open_two (&robot);
  for (guint i = 0; i < 14; i++)
    {
      g_autofree char *name = g_strdup_printf ("file%u-symbol.json", i);
      g_autofree char *path = toy_write (name, TOY (""));

      robot_open (&robot, path);
    }
  tabs_await_title (&robot, "file13-symbol.json");
  robot_wait_until (is_last_tab_in_sight, &robot);
  robot_stop (&robot);
}

/* A tab may close while a menu is open on it. */
static void
test_tab_of_a_menu_goes (void)
{
  Robot robot;
  AdwTabView *tabs;

  tabs_open_two (&robot);
  tabs = tabs_get (&robot);
  AdwTabPage *last = adw_tab_view_get_nth_page (tabs, 1);

  g_signal_emit_by_name (tabs, "setup-menu", last);
  adw_tab_view_close_page (tabs, last);
  robot_wait_until (tabs_are_one, &robot);
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

  tabs_open_two (&robot);
  robot_open (&robot, path);
  g_set_weak_pointer (&leavers.window, GTK_WIDGET (robot.window));
  for (guint i = 0; i < G_N_ELEMENTS (leavers.pages); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (tabs_get (&robot), (int) i);

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

  tabs_open_two (&robot);
  g_autoptr (GtkWidget) tab = g_object_ref (tabs_find_first (&robot));
  g_autoptr (GtkWidget) box =
      g_object_ref (gtk_widget_get_ancestor (tab, g_type_from_name ("AdwTabBox")));

  g_assert_nonnull (box);
  g_set_weak_pointer (&leavers.window, GTK_WIDGET (robot.window));
  for (int i = 0; i < 2; i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (tabs_get (&robot), i);

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
      AdwTabPage *tab = adw_tab_view_get_nth_page (tabs_get (&robot), i);
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
  g_test_add_func ("/gui/tabs/tabs-behind-cost-nothing", test_tabs_behind_cost_nothing);
  g_test_add_func ("/gui/tabs/new-tab-becomes-what-is-opened-in-it",
                   test_new_tab_becomes_what_is_opened_in_it);
  g_test_add_func ("/gui/tabs/closed-tab-comes-back", test_closed_tab_comes_back);
  g_test_add_func ("/gui/tabs/tab-moves-to-a-window-of-its-own",
                   test_tab_moves_to_a_window_of_its_own);
  g_test_add_func ("/gui/tabs/rows-come-in-turns-to-another-window",
                   test_rows_come_in_turns_to_another_window);
  g_test_add_func ("/gui/tabs/tab-tells-that-it-was-edited", test_tab_tells_that_it_was_edited);
  g_test_add_func ("/gui/tabs/files-called-alike-are-told-apart",
                   test_files_called_alike_are_told_apart);
  g_test_add_func ("/gui/tabs/two-clicks-close-one-tab", test_two_clicks_close_one_tab);
  g_test_add_func ("/gui/tabs/icon-comes-when-the-tab-has-room",
                   test_icon_comes_when_the_tab_has_room);
  g_test_add_func ("/gui/tabs/tab-that-comes-is-in-sight", test_tab_that_comes_is_in_sight);
  g_test_add_func ("/gui/tabs/tabs-are-closed-as-fast-as-wished",
                   test_tabs_are_closed_as_fast_as_wished);
  g_test_add_func ("/gui/tabs/list-of-tabs-leads-to-each", test_list_of_tabs_leads_to_each);
  g_test_add_func ("/gui/tabs/tab-of-a-menu-goes", test_tab_of_a_menu_goes);
  g_test_add_func ("/gui/tabs/pages-go-with-their-window", test_pages_go_with_their_window);
  g_test_add_func ("/gui/tabs/window-goes-while-its-bar-is-held",
                   test_window_goes_while_its_bar_is_held);
  g_test_add_func ("/gui/tabs/copied-path-is-utf8", test_copied_path_is_utf8);
  g_test_add_func ("/gui/tabs/tooltip-is-the-name-as-it-is", test_tooltip_is_the_name_as_it_is);
  return g_test_run ();
}
