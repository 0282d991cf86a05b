/* SPDX-License-Identifier: MIT */
#include "app/scope-chooser.h"
#include "app/scope-export-dialog.h"
#include "app/scope-log.h"
#include "app/scope-window-private.h"
#include "complaints.h"
#include "crowd.h"
#include "robot.h"
#include "toy.h"

#include <glib/gstdio.h>

#define DIALOG GTK_TYPE_FILE_CHOOSER_DIALOG
#define SMALL_WIDTH 700 /* pixels */

static gboolean
has_none (gpointer data)
{
  return robot_find_window (GPOINTER_TO_SIZE (data)) == NULL;
}

static gboolean
has_one (gpointer data)
{
  return !has_none (data);
}

static GtkWindow *
wait_for_window (GType type)
{
  robot_wait_until (has_one, GSIZE_TO_POINTER (type));
  return robot_find_window (type);
}

/* The chooser of files that an action of the window opens. */
static GtkWindow *
ask (GtkWindow *window, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
  return wait_for_window (DIALOG);
}

/* GTK presses the button a moment after the key: by then the dialog has gone. */
static void
test_accepted_and_left_at_once (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWindow *dialog = ask (GTK_WINDOW (robot.window), "win.save-as");

  robot_idle (700);
  robot_focus (dialog);
  robot_do ("key --delay 10 Return Escape");
  robot_wait_until (has_none, GSIZE_TO_POINTER (DIALOG));
  robot_idle (600);
  robot_stop (&robot);
}

/* GTK presses the button a moment after the key, here after the dialog has gone, and asks whether
 * to replace the file of that name. */
static void
test_left_before_it_asks (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWindow *dialog = ask (GTK_WINDOW (robot.window), "win.save-as");

  robot_idle (700);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "a-symbol.json");
  robot_idle (300);
  gtk_window_close (dialog);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (dialog)));
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  robot_idle (600);
  g_assert_null (robot_find_window (GTK_TYPE_MESSAGE_DIALOG));
  robot_stop (&robot);
}

/* GTK may accept a name that is none. */
static void
accept_nothing (Robot *robot, GType asking)
{
  GtkNativeDialog *chooser = GTK_NATIVE_DIALOG (robot->window->chooser);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "");
  robot_idle (300);
  g_assert_null (gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)));
  g_signal_emit_by_name (chooser, "response", GTK_RESPONSE_ACCEPT);
  robot_wait_until (has_none, GSIZE_TO_POINTER (DIALOG));
  g_assert_true (asking == G_TYPE_NONE || robot_find_window (asking) != NULL);
}

static void
test_nothing_is_accepted (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  scope_document_toggle_mark (robot_get_document (&robot), SCOPE_MARK_OUTPUT,
                              toy_find (robot_get_document (&robot), "fc1_output"));
  robot_settle (&robot);
  ask (GTK_WINDOW (robot.window), "win.extract");
  robot_idle (700);
  accept_nothing (&robot, G_TYPE_NONE);
  robot_stop (&robot);
}

static gboolean
has_other_document (gpointer document)
{
  GtkWindow *window = robot_find_window (SCOPE_TYPE_WINDOW);

  return window != NULL && scope_window_get_document (SCOPE_WINDOW (window)) != document;
}

/* A part that has no file yet is likely to be wanted where the whole is. */
static void
test_part_is_saved_beside_the_whole (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) beside = g_file_get_parent (file);
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *whole = robot_get_document (&robot);

  scope_document_toggle_mark (whole, SCOPE_MARK_OUTPUT, toy_find (whole, "fc1_output"));
  robot_settle (&robot);
  robot_do ("key ctrl+shift+o");
  robot_wait_until (has_other_document, whole);
  robot_settle (&robot);
  GtkWindow *dialog = ask (GTK_WINDOW (robot.window), "win.save");

  robot_idle (700);
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (dialog));

  g_assert_true (folder != NULL && g_file_equal (folder, beside));
  robot_focus (dialog);
  robot_do ("key Escape");
  robot_wait_until (has_none, GSIZE_TO_POINTER (DIALOG));
  robot_stop (&robot);
}

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Nobody who types "part.mmd" wants the JSON of MXNet in it, which the dialog has chosen. */
static void
test_typed_suffix_says_the_format (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *other = g_strconcat (path, "-part.mmd", NULL);
  g_autofree char *bytes = NULL;
  Robot robot;

  robot_start (&robot, path);
  ask (GTK_WINDOW (robot.window), "win.extract");
  robot_choose_file (other);
  robot_wait_until (exists, other);
  robot_settle (&robot);
  g_assert_true (g_file_get_contents (other, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes, "flowchart"));
  robot_stop (&robot);
}

static GtkWindow *
open_export (Robot *robot)
{
  GtkWindow *dialog;

  gtk_widget_activate_action (GTK_WIDGET (robot->window), "win.export", NULL);
  dialog = wait_for_window (SCOPE_TYPE_EXPORT_DIALOG);
  robot_idle (500);
  return dialog;
}

static void
draw_again (GtkWidget *widget)
{
  gtk_widget_queue_draw (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    draw_again (child);
}

/* What GTK has drawn of it last. */
static GBytes *
read_drawn (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
  g_autoptr (GskRenderNode) node = gtk_snapshot_to_node (snapshot);

  return gsk_render_node_serialize (node);
}

static gboolean
is_small (gpointer window)
{
  return gtk_widget_get_width (window) <= SMALL_WIDTH;
}

/* A dialog that finds less room than it asked for looks as one that has come to its end, too. */
static void
test_export_of_a_small_window_comes_to_its_end (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_resize (&robot, SMALL_WIDTH, 560);
  robot_wait_until (is_small, robot.window);
  GtkWidget *dialog = GTK_WIDGET (open_export (&robot));

  robot_idle (1500);
  g_autoptr (GBytes) drawn = read_drawn (dialog);

  draw_again (dialog);
  robot_idle (500);
  g_autoptr (GBytes) again = read_drawn (dialog);

  g_assert_true (g_bytes_equal (drawn, again));
  gtk_window_close (GTK_WINDOW (dialog));
  robot_wait_until (has_none, GSIZE_TO_POINTER (SCOPE_TYPE_EXPORT_DIALOG));
  robot_stop (&robot);
}

/* Nothing is asked any more for a window that was closed, by the desktop or by another program. */
static void
check_goes (const char *button, GType asked)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  GtkWindow *dialog;
  Robot robot;

  robot_start (&robot, path);
  dialog = open_export (&robot);
  robot_click (robot_wait_for (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, button));
  wait_for_window (asked);
  gtk_window_close (dialog);
  robot_wait_until (has_none, GSIZE_TO_POINTER (asked));
  robot_wait_until (has_none, GSIZE_TO_POINTER (SCOPE_TYPE_EXPORT_DIALOG));
  robot_stop (&robot);
}

static void
test_goes_with_its_window (void)
{
  check_goes ("Save…", DIALOG);
}

static void
test_print_goes_with_its_window (void)
{
  check_goes ("Print…", GTK_TYPE_DIALOG);
}

static const char *shown; /* the folder's file that is to be shown */

static void
show_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  shown = g_intern_string (g_variant_get_string (parameter, NULL));
}

static gboolean
has_link (gpointer label)
{
  return strstr (gtk_label_get_label (label), "Printed to toy-symbol.pdf") != NULL;
}

/* The message of the dialog leads to the file, as that of the window does. */
static void
test_dialog_prints_to_a_file_that_can_be_shown (void)
{
  static const GActionEntry instead[] = { { "show-in-folder", show_cb, "s" } };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *before = g_get_current_dir ();
  Robot robot;

  g_assert_cmpint (g_chdir (folder), ==, 0);
  robot_start (&robot, path);
  g_action_map_add_action_entries (G_ACTION_MAP (robot.window), instead, 1, NULL);
  GtkWidget *dialog = GTK_WIDGET (open_export (&robot));
  GtkWidget *message =
      GTK_WIDGET (gtk_widget_get_template_child (dialog, SCOPE_TYPE_EXPORT_DIALOG, "message"));

  robot_click (robot_wait_for (dialog, GTK_TYPE_BUTTON, "Print…"));
  GtkWindow *printer = wait_for_window (GTK_TYPE_DIALOG);

  robot_click (robot_wait_for (GTK_WIDGET (printer), GTK_TYPE_LABEL, "Print to File"));
  robot_idle (300);
  gtk_dialog_response (GTK_DIALOG (printer), GTK_RESPONSE_OK);
  robot_wait_until (has_link, message);
  g_assert_true (gtk_widget_get_mapped (message));
  g_autofree char *uri = g_strconcat ("file://", folder, "/toy-symbol.pdf", NULL);
  gboolean is_handled = FALSE;

  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (message)), uri));
  g_signal_emit_by_name (message, "activate-link", uri, &is_handled);
  g_assert_true (is_handled);
  g_assert_cmpstr (shown, ==, uri);
  robot_stop (&robot);
  g_assert_cmpint (g_chdir (before), ==, 0);
}

/* Its list of files looks at the folder no more. */
static void
test_folder_changes_later (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  g_autofree char *folder = g_path_get_dirname (path);
  Robot robot;

  robot_start (&robot, path);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%d.json", folder, i);
      GtkWindow *dialog = ask (GTK_WINDOW (robot.window), "win.open");

      robot_focus (dialog);
      robot_do ("key --delay 30 Tab Escape");
      robot_wait_until (has_none, GSIZE_TO_POINTER (DIALOG));
      g_assert_true (g_file_set_contents (name, "{}", -1, NULL));
      robot_idle (300);
    }
  robot_stop (&robot);
}

static void
test_nothing_is_exported (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  GtkWindow *dialog;
  Robot robot;

  robot_start (&robot, path);
  dialog = open_export (&robot);
  robot_click (robot_wait_for (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "Save…"));
  wait_for_window (DIALOG);
  robot_idle (700);
  accept_nothing (&robot, SCOPE_TYPE_EXPORT_DIALOG);
  gtk_window_close (dialog);
  robot_wait_until (has_none, GSIZE_TO_POINTER (SCOPE_TYPE_EXPORT_DIALOG));
  robot_stop (&robot);
}

typedef struct {
  GtkFileChooserNative *chooser; /* weak */
  gboolean was_there;
} Late;

static gboolean
look_cb (gpointer data)
{
  Late *late = data;

  late->was_there = late->chooser != NULL;
  return G_SOURCE_REMOVE;
}

static gboolean
has_gone (gpointer data)
{
  return ((Late *) data)->chooser == NULL;
}

/* GTK shows the menu of a file in an idle turn, which a busy program may not have for seconds. */
static void
test_waits_for_an_idle_turn (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  Late late = { NULL };
  Robot robot;

  robot_start (&robot, path);
  ask (GTK_WINDOW (robot.window), "win.save-as");
  g_set_weak_pointer (&late.chooser, robot.window->chooser);
  g_idle_add (look_cb, &late);
  scope_chooser_let_go (&robot.window->chooser, robot.window);
  g_usleep (2500 * G_TIME_SPAN_MILLISECOND);
  robot_wait_until (has_gone, &late);
  g_assert_true (late.was_there);
  robot_stop (&robot);
}

/* What GTK says of a widget that it draws too early. */
static gboolean
is_noise_of (gpointer widget)
{
  g_autofree char *message =
      g_strdup_printf ("Trying to snapshot GtkButton %p without a current allocation", widget);
  const GLogField fields[] = { { "GLIB_DOMAIN", "Gtk", -1 }, { "MESSAGE", message, -1 } };

  return scope_log_is_noise (fields, G_N_ELEMENTS (fields));
}

static void
test_complaints_of_arrows_are_noise (void)
{
  g_autofree char *path = toy_write ("a-symbol.json", TOY (""));
  guint n_noises = 0, n_others = 0;
  Robot robot;

  robot_start (&robot, path);
  g_autoptr (GPtrArray) widgets =
      crowd_list_widgets (GTK_WIDGET (ask (GTK_WINDOW (robot.window), "win.save-as")), TRUE);
  GType arrows = g_type_from_name ("GtkPathBar");

  g_assert_cmpuint (arrows, !=, 0);
  for (guint i = 0; i < widgets->len; i++)
    if (GTK_IS_BUTTON (widgets->pdata[i]))
      {
        gboolean is_arrow = gtk_widget_get_ancestor (widgets->pdata[i], arrows) != NULL;

        g_assert_true (is_noise_of (widgets->pdata[i]) == is_arrow);
        n_noises += is_arrow;
        n_others += !is_arrow;
      }
  g_assert_cmpuint (n_noises, >, 0);
  g_assert_cmpuint (n_others, >, 0);
  g_assert_false (is_noise_of (&robot));
  robot_do ("key Escape");
  robot_wait_until (has_none, GSIZE_TO_POINTER (DIALOG));
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
  g_test_add_func ("/gui/choosers/accepted-and-left-at-once", test_accepted_and_left_at_once);
  g_test_add_func ("/gui/choosers/left-before-it-asks", test_left_before_it_asks);
  g_test_add_func ("/gui/choosers/part-is-saved-beside-the-whole",
                   test_part_is_saved_beside_the_whole);
  g_test_add_func ("/gui/choosers/typed-suffix-says-the-format", test_typed_suffix_says_the_format);
  g_test_add_func ("/gui/choosers/nothing-is-accepted", test_nothing_is_accepted);
  g_test_add_func ("/gui/choosers/nothing-is-exported", test_nothing_is_exported);
  g_test_add_func ("/gui/choosers/export-of-a-small-window-comes-to-its-end",
                   test_export_of_a_small_window_comes_to_its_end);
  g_test_add_func ("/gui/choosers/goes-with-its-window", test_goes_with_its_window);
  g_test_add_func ("/gui/choosers/print-goes-with-its-window", test_print_goes_with_its_window);
  g_test_add_func ("/gui/choosers/dialog-prints-to-a-file-that-can-be-shown",
                   test_dialog_prints_to_a_file_that_can_be_shown);
  g_test_add_func ("/gui/choosers/folder-changes-later", test_folder_changes_later);
  g_test_add_func ("/gui/choosers/waits-for-an-idle-turn", test_waits_for_an_idle_turn);
  g_test_add_func ("/gui/choosers/complaints-of-arrows-are-noise",
                   test_complaints_of_arrows_are_noise);
  return g_test_run ();
}
