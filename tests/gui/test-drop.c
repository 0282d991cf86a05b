/* SPDX-License-Identifier: MIT */
#include "crowd.h"
#include "robot.h"
#include "toy.h"

#define SOURCE_WIDTH 200
#define MAX_STEPS 300

/* ---- The other program, from whose window a file or a text is dragged ---- */

#define IS_TEXT "text"

static GdkContentProvider *
new_content (const char *path, const char *other)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) second = g_file_new_for_path (other);
  GSList end = { second, NULL };
  GSList list = { file, g_str_equal (path, other) ? NULL : &end };

  return g_str_equal (other, IS_TEXT) ? gdk_content_provider_new_typed (G_TYPE_STRING, path)
                                      : gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, &list);
}

/* It is called so, and can be found, once its window has been drawn: before, nothing can be
 * dragged. */
static gboolean
frame_cb (GtkWidget *window, GdkFrameClock *clock, gpointer data)
{
  static guint n_frames;

  if (++n_frames < 3)
    return G_SOURCE_CONTINUE;
  gtk_window_set_title (GTK_WINDOW (window), "files to drag");
  return G_SOURCE_REMOVE;
}

static void
show_source (const char *path, const char *other)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *label = gtk_label_new (other);
  GtkDragSource *source = gtk_drag_source_new ();
  g_autoptr (GdkContentProvider) content = new_content (path, other);

  gtk_drag_source_set_content (source, content);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  gtk_window_set_default_size (GTK_WINDOW (window), SOURCE_WIDTH, 200);
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_add_tick_callback (window, frame_cb, NULL, NULL);
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

static GSubprocess *
start_source_of_two (const char *path, const char *other)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *source = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "/proc/self/exe",
                                          "--source", path, other, NULL);

  g_assert_no_error (error);
  robot_do ("search --sync --onlyvisible --name \"files to drag\" windowmove --sync 1200 600");
  robot_idle (500);
  return source;
}

static GSubprocess *
start_source (const char *path)
{
  return start_source_of_two (path, path);
}

static void
stop_source (GSubprocess *source)
{
  g_subprocess_force_exit (source);
  g_assert_true (g_subprocess_wait (source, NULL, NULL));
  g_object_unref (source);
}

/* ---- Tests ---- */

static gboolean
has_picture (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document != NULL && scope_document_get_picture (document) != NULL;
}

static gboolean
would_take_it (gpointer data)
{
  Robot *robot = data;
  g_autoptr (GPtrArray) widgets = crowd_list_widgets (GTK_WIDGET (robot->window), FALSE);

  for (guint i = 0; i < widgets->len; i++)
    if (gtk_widget_get_state_flags (widgets->pdata[i]) & GTK_STATE_FLAG_DROP_ACTIVE)
      return TRUE;
  return FALSE;
}

/* Slowly, as by hand: the programs tell each other of every step, and what is let go before the
 * other has answered is not dropped. */
static void
drag_to (Robot *robot, int x, int y)
{
  robot_do ("mousemove 1300 700 mousedown 1");
  robot_do ("mousemove 1285 690");
  robot_do ("mousemove 1200 500");
  robot_do ("mousemove %d %d", x + 10, y + 10);
  robot_do ("mousemove %d %d", x, y);
  /* A source that had no time yet takes all that for one step, and waits for the next. */
  for (int i = 0; i < MAX_STEPS && !would_take_it (robot); i++)
    robot_do ("mousemove %d %d", x + i % 2, y);
  g_assert_true (would_take_it (robot));
  robot_idle (200);
  robot_do ("mouseup 1");
}

static gboolean
shows_toy (gpointer data)
{
  Robot *robot = data;

  return has_picture (robot) &&
         g_strcmp0 (gtk_window_get_title (GTK_WINDOW (robot->window)), "toy-symbol.json") == 0;
}

static void
test_dropped_file_is_opened (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, NULL);
  g_assert_null (robot_get_document (&robot));
  GSubprocess *source = start_source (path);

  drag_to (&robot, 500, 400);
  robot_wait_until (shows_toy, &robot);
  stop_source (source);
  robot_stop (&robot);
}

/* Over the drawing of another one. */
static void
test_file_dropped_on_a_graph_is_opened_beside_it (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, other);
  GSubprocess *source = start_source (path);

  drag_to (&robot, 700, 400);
  robot_wait_until (shows_toy, &robot);
  stop_source (source);
  robot_focus (GTK_WINDOW (robot.window));
  robot_do ("key ctrl+w");
  robot_stop (&robot);
}

static gboolean
has_two_tabs (gpointer data)
{
  return adw_tab_view_get_n_pages (ADW_TAB_VIEW (robot_find (data, ADW_TYPE_TAB_VIEW, NULL))) == 2;
}

static void
test_each_of_several_files_gets_a_tab (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, NULL);
  GSubprocess *source = start_source_of_two (path, other);

  drag_to (&robot, 500, 400);
  robot_wait_until (has_picture, &robot);
  robot_wait_until (has_two_tabs, robot.window);
  stop_source (source);
  robot_stop (&robot);
}

static gboolean
shows_dropped_graph (gpointer data)
{
  Robot *robot = data;

  return has_picture (robot) &&
         g_strcmp0 (gtk_window_get_title (GTK_WINDOW (robot->window)), "• Dropped Graph") == 0;
}

static void
test_dropped_text_is_opened (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  GSubprocess *source = start_source_of_two (TOY (""), IS_TEXT);

  drag_to (&robot, 500, 400);
  robot_wait_until (shows_dropped_graph, &robot);
  stop_source (source);
  robot_stop (&robot);
}

/* What is dragged out of an entry is no graph. */
static void
test_own_text_is_not_taken (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  GtkWidget *entry;

  robot_start (&robot, path);
  robot_wait_until (has_picture, &robot);
  entry = robot_find (GTK_WIDGET (robot.window), GTK_TYPE_SEARCH_ENTRY, NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "a long text to drag");
  gtk_widget_grab_focus (entry);
  gtk_editable_select_region (GTK_EDITABLE (entry), 0, -1);
  robot_idle (200);
  robot_point (entry, 60, 17, "mousedown 1");
  robot_point (entry, 90, 20, "sleep 0.05");
  robot_point (entry, 150, 200, "sleep 0.05");
  robot_point (entry, 160, 220, "sleep 0.05");
  robot_idle (300);
  g_assert_false (would_take_it (&robot));
  robot_do ("mouseup 1");
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
  if (argc == 4 && g_str_equal (argv[1], "--source"))
    show_source (argv[2], argv[3]);
  g_test_add_func ("/gui/drop/dropped-file-is-opened", test_dropped_file_is_opened);
  g_test_add_func ("/gui/drop/file-dropped-on-a-graph-is-opened-beside-it",
                   test_file_dropped_on_a_graph_is_opened_beside_it);
  g_test_add_func ("/gui/drop/each-of-several-files-gets-a-tab",
                   test_each_of_several_files_gets_a_tab);
  g_test_add_func ("/gui/drop/dropped-text-is-opened", test_dropped_text_is_opened);
  g_test_add_func ("/gui/drop/own-text-is-not-taken", test_own_text_is_not_taken);
  return g_test_run ();
}
