/* SPDX-License-Identifier: MIT */
#include "robot.h"
#include "toasts.h"
#include "toy.h"

#include <glib/gstdio.h>

#include "app/scope-preferences.h"
#include "app/scope-recent.h"
#include "app/scope-welcome.h"

static GtkWidget *
find_label (Robot *robot, const char *text)
{
  GtkWidget *page = robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_WELCOME, NULL);

  return page != NULL ? robot_find (page, GTK_TYPE_LABEL, text) : NULL;
}

typedef struct {
  Robot *robot;
  const char *text;
} Wish;

static gboolean
is_told (gpointer data)
{
  const Wish *wish = data;

  return find_label (wish->robot, wish->text) != NULL;
}

static gboolean
is_not_told (gpointer data)
{
  return !is_told (data);
}

static void
await (Robot *robot, const char *text)
{
  Wish wish = { robot, text };

  robot_wait_until (is_told, &wish);
}

static void
await_none (Robot *robot, const char *text)
{
  Wish wish = { robot, text };

  robot_wait_until (is_not_told, &wish);
}

static GtkWidget *
find_pin (Robot *robot, const char *name)
{
  GtkWidget *row = gtk_widget_get_ancestor (find_label (robot, name), ADW_TYPE_ACTION_ROW);

  return robot_find (row, GTK_TYPE_TOGGLE_BUTTON, NULL);
}

static gboolean
is_shown (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document != NULL && scope_document_get_picture (document) != NULL;
}

static void
test_opened_file_is_among_the_recent_ones (void)
{
  g_autofree char *path = toy_write ("often-symbol.json", TOY (""));
  g_autofree char *gone = toy_write ("gone-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, gone);
  robot_open (&robot, path);
  robot_do ("key ctrl+w ctrl+w");
  await (&robot, "often-symbol.json");
  await (&robot, "gone-symbol.json");
  robot_stop (&robot);

  g_autofree char *folder = g_path_get_dirname (gone);
  g_autofree char *missing = g_strdup_printf ("Missing from %s", folder);

  g_assert_cmpint (g_unlink (gone), ==, 0);
  robot_start (&robot, NULL);
  await (&robot, missing);
  robot_click (find_label (&robot, "often-symbol.json"));
  robot_wait_until (is_shown, &robot);
  robot_stop (&robot);
}

/* GTK forgets that it has forgotten a file when it reads its list, which it has just written,
 * again; then one has to say so once more. */
static gboolean
is_cleared (gpointer data)
{
  Robot *robot = data;

  if (find_label (robot, "other-symbol.json") == NULL)
    return TRUE;
  robot_click (robot_find (GTK_WIDGET (robot->window), GTK_TYPE_BUTTON, "Clear"));
  robot_idle (500);
  return FALSE;
}

static void
test_pinned_file_stays_when_the_others_are_cleared (void)
{
  g_autofree char *path = toy_write ("dear-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_open (&robot, other);
  robot_do ("key ctrl+w ctrl+w");
  await (&robot, "dear-symbol.json");
  await (&robot, "other-symbol.json");
  robot_idle (500);
  robot_click (find_pin (&robot, "dear-symbol.json"));
  robot_wait_until (is_cleared, &robot);
  await (&robot, "dear-symbol.json");
  robot_click (gtk_widget_get_next_sibling (find_pin (&robot, "dear-symbol.json")));
  await_none (&robot, "dear-symbol.json");
  await_none (&robot, "Recent Files");
  robot_stop (&robot);
}

static GtkWindow *
find_settings (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (SCOPE_IS_PREFERENCES (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
has_settings (gpointer data)
{
  return find_settings () != NULL;
}

static gboolean
has_no_settings (gpointer data)
{
  return find_settings () == NULL;
}

static SymDrawing
get_drawing (Robot *robot)
{
  return scope_document_get_view (robot_get_document (robot))->drawing;
}

static void
test_settings_hold_for_new_tabs_and_next_time (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, NULL);
  ScopeSettings *settings = scope_application_get_settings (robot.application);

  robot_do ("key ctrl+comma");
  robot_wait_until (has_settings, NULL);
  GtkWindow *dialog = find_settings ();

  robot_focus (dialog);
  g_assert_true (scope_settings_get (settings, SCOPE_SETTING_RESTORE));
  robot_click (robot_find (GTK_WIDGET (dialog), GTK_TYPE_SWITCH, NULL));
  g_assert_false (scope_settings_get (settings, SCOPE_SETTING_RESTORE));
  robot_do ("key Escape");
  robot_wait_until (has_no_settings, NULL);
  robot_focus (GTK_WINDOW (robot.window));
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_DRAWING, SYM_DRAWING_LAYERS, NULL));
  robot_stop (&robot);

  robot_start (&robot, path);
  settings = scope_application_get_settings (robot.application);
  g_assert_false (scope_settings_get (settings, SCOPE_SETTING_RESTORE));
  g_assert_cmpint (get_drawing (&robot), ==, SYM_DRAWING_LAYERS);
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_DRAWING, SYM_DRAWING_DATA, NULL));
  g_assert_cmpint (get_drawing (&robot), ==, SYM_DRAWING_LAYERS); /* it is no new tab */
  robot_open (&robot, other);
  g_assert_cmpint (get_drawing (&robot), ==, SYM_DRAWING_DATA);
  robot_stop (&robot);
}

static gboolean
is_of_another (gpointer robot)
{
  return scope_document_get_file (robot_get_document (robot)) == NULL;
}

/* What is chosen for one graph is how its parts begin, and not how others do. */
static void
test_view_of_a_tab_is_its_own (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_press (&robot, "ctrl+l");
  robot_settle (&robot);
  g_assert_cmpint (get_drawing (&robot), ==, SYM_DRAWING_LAYERS);
  scope_document_toggle_mark (robot_get_document (&robot), SCOPE_MARK_OUTPUT,
                              toy_find (robot_get_document (&robot), "fc1_output"));
  robot_settle (&robot);
  robot_do ("key ctrl+shift+o");
  robot_wait_until (is_of_another, &robot);
  g_assert_cmpint (get_drawing (&robot), ==, SYM_DRAWING_LAYERS);
  robot_open (&robot, other);
  g_assert_cmpint (get_drawing (&robot), ==, SYM_DRAWING_DATA);
  robot_stop (&robot);
}

static void
test_broken_preferences_are_told (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "symscope", NULL);
  g_autofree char *path = g_build_filename (folder, "settings.ini", NULL);
  Robot robot;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "what is this\n", -1, NULL));
  robot_start (&robot, NULL);
  toasts_wait_for ("The preferences could not be read: ");
  robot_stop (&robot);
  robot_clear_home ();
}

static gboolean
has_preferences (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_PREFERENCES) != NULL;
}

static gboolean
has_no_preferences (gpointer data)
{
  return !has_preferences (data);
}

/* Several at once: each is told, one after the other. */
static void
test_preferences_that_cannot_be_kept_are_told (void)
{
  g_autofree char *path =
      g_build_filename (g_get_user_config_dir (), "symscope", "settings.ini", NULL);
  g_autofree char *inside = g_build_filename (path, "folder", NULL);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, NULL);
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0); /* where the file would be */
  robot_do ("key ctrl+comma");
  robot_wait_until (has_preferences, NULL);
  GtkWindow *preferences = robot_find_window (SCOPE_TYPE_PREFERENCES);

  robot_focus (preferences);
  toasts_hold ();
  for (guint i = 0; i < 2; i++)
    robot_click (robot_wait_for (GTK_WIDGET (preferences), GTK_TYPE_SWITCH, NULL));
  for (guint i = 0; i < 2; i++)
    {
      toasts_wait_for ("Not kept: ");
      GtkWidget *toast =
          robot_wait_for (GTK_WIDGET (preferences), g_type_from_name ("AdwToastWidget"), NULL);

      g_signal_emit_by_name (robot_find (toast, GTK_TYPE_BUTTON, NULL), "clicked");
    }
  robot_click (robot_wait_for (GTK_WIDGET (preferences), GTK_TYPE_SWITCH, NULL));
  toasts_wait_for ("Not kept: ");
  robot_do ("key Escape"); /* closes the dialog, not the message alone */
  robot_wait_until (has_no_preferences, NULL);
  robot_stop (&robot);
  g_assert_cmpint (g_rmdir (inside), ==, 0);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

static gboolean
has_pinned (gpointer data)
{
  ScopeSettings *settings = scope_application_get_settings (((Robot *) data)->application);

  return g_strv_length ((char **) scope_settings_get_pinned (settings)) == 1;
}

static gboolean
lists_no_toy (gpointer data)
{
  return robot_find (GTK_WIDGET (((Robot *) data)->window), ADW_TYPE_ACTION_ROW, NULL) == NULL ||
         robot_find (GTK_WIDGET (((Robot *) data)->window), GTK_TYPE_LABEL, "toy-symbol.json") ==
             NULL;
}

static gboolean
has_document (gpointer data)
{
  return robot_get_document (data) != NULL &&
         scope_document_get_picture (robot_get_document (data)) != NULL;
}

/* By the pointer and by the Menu key; and what is taken from the list while its menu is open goes
 * with it. */
static void
test_recent_files_have_a_menu (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_do ("key ctrl+w");
  GtkWidget *label = robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "toy-symbol.json");
  GtkWidget *row = gtk_widget_get_ancestor (label, ADW_TYPE_ACTION_ROW);

  robot_idle (300);
  robot_point (label, 5, 5, "click 3");
  robot_idle (300);
  GtkWidget *menu = robot_wait_for (row, GTK_TYPE_POPOVER_MENU, NULL);

  g_assert_nonnull (robot_find (menu, GTK_TYPE_LABEL, "Remove from List"));
  g_assert_true (gtk_widget_activate_action (row, "recent.copy-path", NULL));
  g_autofree char *copied = robot_read_clipboard (&robot);

  g_assert_cmpstr (copied, ==, path);
  robot_do ("key k"); /* keep at the top */
  robot_wait_until (has_pinned, &robot);
  row = gtk_widget_get_ancestor (
      robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "toy-symbol.json"),
      ADW_TYPE_ACTION_ROW);
  gtk_widget_grab_focus (row);
  robot_do ("key Menu");
  robot_idle (300);
  robot_wait_for (row, GTK_TYPE_POPOVER_MENU, NULL);
  robot_do ("key o");
  robot_wait_until (has_document, &robot);
  robot_do ("key ctrl+w");
  label = robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "toy-symbol.json");
  gtk_widget_activate_action (label, "recent.forget", NULL);
  robot_wait_until (lists_no_toy, &robot);
  robot_stop (&robot);
  robot_clear_home ();
}

static GtkWindow *
find_about (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (ADW_IS_ABOUT_WINDOW (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
has_about (gpointer data)
{
  return find_about () != NULL;
}

static gboolean
has_no_about (gpointer data)
{
  return find_about () == NULL;
}

static gboolean
has_menu (gpointer data)
{
  return robot_find (data, GTK_TYPE_LABEL, "About Symscope") != NULL;
}

static void
test_menu_leads_to_what_the_program_is (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  robot_do ("key F10");
  robot_wait_until (has_menu, robot.window);
  robot_idle (500);
  robot_click (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "About Symscope"));
  robot_wait_until (has_about, NULL);
  AdwAboutWindow *about = ADW_ABOUT_WINDOW (find_about ());

  g_assert_cmpstr (adw_about_window_get_application_name (about), ==, "Symscope");
  g_assert_nonnull (strstr (adw_about_window_get_debug_info (about), "ONNX"));
  robot_focus (GTK_WINDOW (about));
  robot_do ("key Escape");
  robot_wait_until (has_no_about, NULL);
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
  g_test_add_func ("/gui/welcome/opened-file-is-among-the-recent-ones",
                   test_opened_file_is_among_the_recent_ones);
  g_test_add_func ("/gui/welcome/pinned-file-stays-when-the-others-are-cleared",
                   test_pinned_file_stays_when_the_others_are_cleared);
  g_test_add_func ("/gui/welcome/settings-hold-for-new-tabs-and-next-time",
                   test_settings_hold_for_new_tabs_and_next_time);
  g_test_add_func ("/gui/welcome/view-of-a-tab-is-its-own", test_view_of_a_tab_is_its_own);
  g_test_add_func ("/gui/welcome/broken-preferences-are-told", test_broken_preferences_are_told);
  g_test_add_func ("/gui/welcome/preferences-that-cannot-be-kept-are-told",
                   test_preferences_that_cannot_be_kept_are_told);
  g_test_add_func ("/gui/welcome/menu-leads-to-what-the-program-is",
                   test_menu_leads_to_what_the_program_is);
  g_test_add_func ("/gui/welcome/recent-files-have-a-menu", test_recent_files_have_a_menu);
  return g_test_run ();
}
