/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/scope-inspector.h"
#include "app/scope-legend.h"
#include "app/scope-window-private.h"
#include "io/sym-overlay.h"
#include "robot.h"
#include "toy.h"

/* Node data that are laid over a graph. */

/* The number itself, not only its colour; of a node that is selected already, too. */
static void
test_overlay_is_told (void)
{
  static const char text[] = "{\"results\": {\"fc1\": {\"value\": 12.5}}}";
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_settle (&robot);
  ScopeDocument *document = robot_get_document (&robot);
  SymOverlay *overlay =
      sym_overlay_new_from_bytes (scope_document_get_model (document), bytes, "data.json", &error);

  g_assert_no_error (error);
  scope_document_take_overlay (document, overlay);
  robot_settle (&robot);
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "Overlay"));
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "12.5"));
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_LEGEND), GTK_TYPE_LABEL, "data.json");
  robot_stop (&robot);
}

/* Opened for reading by the program, which waits for what comes. */
static gboolean
opens_for_writing (gpointer data)
{
  struct {
    const char *path;
    int file;
  } *pipe = data;

  if (pipe->file < 0)
    pipe->file = g_open (pipe->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  return pipe->file >= 0;
}

static gboolean
has_another_model (gpointer data)
{
  struct {
    ScopeDocument *document;
    SymModel *before;
  } *reading = data;
  SymModel *model = scope_document_get_model (reading->document);

  return model != NULL && model != reading->before;
}

static gboolean
has_overlay (gpointer document)
{
  return scope_document_get_overlay (document) != NULL;
}

/* It is read for the graph that there is by then. */
static void
test_overlay_outlives_a_reload (void)
{
  static const char text[] = "{\"results\": {\"fc1\": {\"value\": 12.5}}}";
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *data = toy_write ("data.json", "");
  g_autoptr (GFile) file = g_file_new_for_path (data);
  struct {
    const char *path;
    int file;
  } pipe = { data, -1 };
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  struct {
    ScopeDocument *document;
    SymModel *before;
  } reading = { document, scope_document_get_model (document) };

  g_unlink (data);
  g_assert_cmpint (mkfifo (data, 0600), ==, 0);
  scope_window_read_overlay (robot.window, file);
  robot_wait_until (opens_for_writing, &pipe);
  scope_document_reload (document);
  robot_wait_until (has_another_model, &reading);
  g_unlink (data);
  g_assert_true (g_file_set_contents (data, text, -1, NULL));
  g_assert_cmpint (write (pipe.file, text, strlen (text)), ==, strlen (text));
  g_close (pipe.file, NULL);
  robot_wait_until (has_overlay, document);
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_LEGEND), GTK_TYPE_LABEL, "data.json");
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
  g_test_add_func ("/gui/data-of-nodes/overlay-is-told", test_overlay_is_told);
  g_test_add_func ("/gui/data-of-nodes/overlay-outlives-a-reload", test_overlay_outlives_a_reload);
  return g_test_run ();
}
