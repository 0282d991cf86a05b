/* SPDX-License-Identifier: MIT */
#include <time.h>

#include "app/scope-summary.h"
#include "core/sym-infer.h"
#include "io/sym-io.h"
#include "robot.h"
#include "toy.h"

#define N_LAYERS 100000
#define PATIENCE (60 * G_USEC_PER_SEC)
#define AFTERWARDS G_USEC_PER_SEC

/* What one round of the main loop, in which no key is answered, may take of the processor: part of
 * what reading the file and inferring its shapes take on the same machine.  Building the page and
 * filling the table take a fifth, however large the graph; it has 100,000 layers, so that anything
 * that goes through all of them is seen. */
#define MOST 0.75

static double whole;

/* The time of this thread alone: other programs, and this one's own threads, do not count. */
static double
get_milliseconds (void)
{
  struct timespec now;

  g_assert_cmpint (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now), ==, 0);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static void
measure_whole (const char *path)
{
  double before = get_milliseconds ();
  g_autoptr (SymModel) model = sym_io_read (path, NULL, NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  g_assert_nonnull (inference);
  whole = get_milliseconds () - before;
  g_test_message ("reading and inferring: %.1f ms", whole);
}

/* Until all is drawn, and for a while longer; the longest round. */
static double
run_until_drawn (Robot *robot)
{
  gint64 end = g_get_monotonic_time () + PATIENCE, now;
  double most = 0;

  while ((now = g_get_monotonic_time ()) < end)
    {
      double before = get_milliseconds ();

      g_main_context_iteration (NULL, FALSE);
      most = MAX (most, get_milliseconds () - before);
      if (robot_has_drawing (robot))
        end = MIN (end, now + AFTERWARDS);
    }
  g_assert_true (robot_has_drawing (robot));
  return most;
}

static void
assert_answers (Robot *robot, const char *what)
{
  double most = run_until_drawn (robot);

  g_test_message ("%s: %.1f ms at most", what, most);
  g_assert_cmpfloat (most, <=, MOST * whole);
}

/* What the table shows is made by a thread, of which the document knows nothing. */
static void
assert_table_answers (Robot *robot, ScopeRowsView rows, const char *what)
{
  ScopeDocument *document = robot_get_document (robot);
  ScopeView view = *scope_document_get_view (document);

  view.rows = rows;
  scope_document_set_view (document, &view);
  assert_answers (robot, what);
  assert_answers (robot, what);
  assert_answers (robot, what);
}

static SymId
get_middle (ScopeDocument *document)
{
  return sym_summary_get_row (scope_document_get_summary (document), N_LAYERS / 2).value;
}

static void
test_whatever_is_done_with_a_large_graph (void)
{
  g_autofree char *little = toy_format_unequal_chain (3),
                  *text = toy_format_unequal_chain (N_LAYERS);
  g_autofree char *first = toy_write ("little-symbol.json", little);
  g_autofree char *path = toy_write ("large-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  Robot robot;

  measure_whole (path);
  robot_start (&robot, first); /* fonts, icons and styles are there then */
  scope_window_open (robot.window, file);
  assert_answers (&robot, "opening");
  ScopeDocument *document = robot_get_document (&robot);

  scope_document_select_value (document, get_middle (document));
  assert_answers (&robot, "selecting");
  scope_document_trace_selection (document, SCOPE_TRACE_BOTH);
  assert_answers (&robot, "tracing");
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, get_middle (document));
  assert_answers (&robot, "cutting");
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "batch,8", &error));
  assert_answers (&robot, "inferring");
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_COLUMN_VIEW, NULL));
  assert_answers (&robot, "clicking");
  robot_do ("key ctrl+a");
  assert_answers (&robot, "selecting all");
  g_assert_cmpuint (scope_document_get_selected_values (document).n, >=, N_LAYERS);
  robot_do ("key Home");
  assert_answers (&robot, "selecting one");
  robot_do ("key z"); /* the name of no layer */
  assert_answers (&robot, "typing");
  assert_table_answers (&robot, (ScopeRowsView){ .sort = 2, .descends = TRUE }, "sorting");
  assert_table_answers (&robot, (ScopeRowsView){ .is_tree = TRUE }, "making a tree");
  assert_table_answers (&robot, (ScopeRowsView){ .sort = 3, .is_tree = TRUE }, "sorting the tree");
  scope_document_open_all (document);
  assert_answers (&robot, "opening all groups");
  assert_table_answers (&robot, (ScopeRowsView){ 0 }, "making it flat");
  scope_viewport_fit (scope_page_get_viewport (scope_window_get_page (robot.window)));
  assert_answers (&robot, "fitting");
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
  g_test_add_func ("/gui/answers/whatever-is-done-with-a-large-graph",
                   test_whatever_is_done_with_a_large_graph);
  return g_test_run ();
}
