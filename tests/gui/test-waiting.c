/* SPDX-License-Identifier: MIT */
#include "app/scope-progress.h"
#include "app/scope-section.h"
#include "robot.h"
#include "toy.h"

/* What is seen while a large file opens. */
#define N_LAYERS 100000
#define PATIENCE (60 * G_USEC_PER_SEC)

typedef struct {
  guint n_looks; /* with the bar on the screen */
  guint n_steps; /* in which it grew */
  guint n_shrunk;
  double fraction;
  gboolean named; /* the stage, each time */
} Seen;

/* The bar of the page, which is there until there is a picture. */
static void
look (Robot *robot, Seen *seen)
{
  GtkWidget *root = GTK_WIDGET (robot->window);
  GtkWidget *part = robot_find (root, SCOPE_TYPE_PROGRESS, NULL);

  if (part == NULL || scope_document_get_inference (robot_get_document (robot)) != NULL)
    return;
  GtkWidget *bar = robot_find (part, GTK_TYPE_PROGRESS_BAR, NULL);
  GtkWidget *text = robot_find (part, GTK_TYPE_LABEL, NULL);
  double fraction = gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (bar));

  seen->n_looks++;
  seen->n_steps += fraction > seen->fraction;
  seen->n_shrunk += fraction < seen->fraction;
  seen->fraction = fraction;
  seen->named = seen->named && *gtk_label_get_text (GTK_LABEL (text)) != '\0';
}

static void
test_a_bar_grows_while_a_large_file_opens (void)
{
  g_autofree char *text = toy_format_unequal_chain (N_LAYERS);
  g_autofree char *path = toy_write ("large-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Seen seen = { .named = TRUE };
  Robot robot;

  robot_start (&robot, NULL);
  scope_window_open (robot.window, file);
  for (gint64 end = g_get_monotonic_time () + PATIENCE;
       !robot_has_drawing (&robot) && g_get_monotonic_time () < end;)
    {
      g_main_context_iteration (NULL, FALSE);
      look (&robot, &seen);
    }
  g_assert_true (robot_has_drawing (&robot));
  g_test_message ("%u steps, up to %.2f", seen.n_steps, seen.fraction);
  g_assert_cmpuint (seen.n_looks, >, 0);
  g_assert_cmpuint (seen.n_steps, >=, 2);
  g_assert_cmpuint (seen.n_shrunk, ==, 0);
  g_assert_true (seen.named);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_PROGRESS, NULL));
  robot_stop (&robot);
}

/* Who cancels is told so, not that the file is wrong; and can try again. */
static void
test_cancelled_read_is_no_failure (void)
{
  g_autofree char *text = toy_format_unequal_chain (N_LAYERS);
  g_autofree char *path = toy_write ("large-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Robot robot;

  robot_start (&robot, NULL);
  scope_window_open (robot.window, file);
  GtkWidget *cancel = robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Cancel");

  g_signal_emit_by_name (cancel, "clicked"); /* before it is read: a pointer takes its time */
  robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "“large-symbol.json” Was Not Opened");
  g_assert_nonnull (
      robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "Reading was cancelled"));
  robot_click (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Try Again"));
  for (gint64 end = g_get_monotonic_time () + PATIENCE;
       !robot_has_drawing (&robot) && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (robot_has_drawing (&robot));
  robot_stop (&robot);
}

#define N_LINKS 60

static guint
count_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  return g_strv_length (lines) - 1;
}

static guint
count_links (ScopeSection *section)
{
  guint n = 0;

  for (GtkWidget *row = GTK_WIDGET (scope_section_get_first (section)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}

/* A tenth of a second would go by while all are made; but who copies them has them all. */
static void
test_many_links_come_in_turns (void)
{
  g_autofree char *chain = toy_format_chain (N_LINKS);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  SymId ids[N_LINKS];
  Robot robot;

  robot_start (&robot, path);
  ScopeSection *section = g_object_ref_sink (g_object_new (SCOPE_TYPE_SECTION, NULL));
  SymInference *inference = scope_document_get_inference (robot_get_document (&robot));

  for (guint i = 0; i < N_LINKS; i++)
    ids[i] = i;
  scope_section_add_links (section, inference, (SymIds){ ids, N_LINKS });
  g_assert_cmpuint (count_links (section), >, 0);
  g_assert_cmpuint (count_links (section), <, N_LINKS / 2);
  while (count_links (section) < N_LINKS)
    g_main_context_iteration (NULL, TRUE);
  scope_section_clear (section);
  scope_section_add_links (section, inference, (SymIds){ ids, N_LINKS });
  g_autofree char *text = scope_section_to_string (section);

  g_assert_cmpuint (count_lines (text), ==, N_LINKS);
  g_assert_cmpuint (count_links (section), ==, N_LINKS);
  scope_section_add_links (section, inference, (SymIds){ ids, N_LINKS });
  scope_section_clear (section); /* those that are on their way, too */
  robot_idle (50);
  g_assert_cmpuint (count_links (section), ==, 0);
  g_assert_finalize_object (section);
  robot_stop (&robot);
}

#define N_WINDOWS 3
#define SLOW_LAYOUT 60000 /* microseconds */

typedef struct {
  GHashTable *clocks; /* of windows that have been drawn */
  guint n_now;        /* in one turn of the main loop */
} Drawn;

/* What is drawn once more, as what moves, takes no time: only the first of all is all of a window.
 */
static void
drawn_cb (GdkFrameClock *clock, Drawn *drawn)
{
  drawn->n_now += g_hash_table_add (drawn->clocks, clock);
}

static void
choose_colors (Robot *robot, const char *name)
{
  g_action_group_activate_action (G_ACTION_GROUP (robot->application), "colors",
                                  g_variant_new_string (name));
}

static void
test_windows_change_their_colors_in_turns (void)
{
  ScopeWindow *windows[N_WINDOWS];
  g_autoptr (GHashTable) clocks = g_hash_table_new (NULL, NULL);
  Drawn drawn = { clocks, 0 };
  gboolean is_dark;
  Robot robot;

  robot_start (&robot, NULL);
  windows[0] = robot.window;
  for (guint i = 1; i < N_WINDOWS; i++)
    {
      windows[i] = scope_window_new (GTK_APPLICATION (robot.application));
      gtk_window_present (GTK_WINDOW (windows[i]));
    }
  robot_settle (&robot);
  robot_idle (500);
  for (guint i = 0; i < N_WINDOWS; i++)
    g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (windows[i])), "layout",
                      G_CALLBACK (drawn_cb), &drawn);
  g_hash_table_remove_all (clocks);
  is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  choose_colors (&robot, is_dark ? "light" : "dark");
  for (gint64 end = g_get_monotonic_time () + PATIENCE;
       g_hash_table_size (clocks) < N_WINDOWS && g_get_monotonic_time () < end;)
    {
      drawn.n_now = 0;
      g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (drawn.n_now, <=, 1);
    }
  g_assert_cmpuint (g_hash_table_size (clocks), ==, N_WINDOWS);
  for (guint i = 0; i < N_WINDOWS; i++)
    g_signal_handlers_disconnect_by_func (gtk_widget_get_frame_clock (GTK_WIDGET (windows[i])),
                                          drawn_cb, &drawn);
  for (guint i = 1; i < N_WINDOWS; i++)
    gtk_window_destroy (GTK_WINDOW (windows[i]));
  choose_colors (&robot, "default");
  robot_stop (&robot);
}

typedef struct {
  guint n_updated, n_painted;
} Phases;

static gboolean
update_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  Phases *phases = user_data;

  g_usleep (SLOW_LAYOUT);
  gtk_widget_queue_draw (widget);
  phases->n_updated++;
  return G_SOURCE_REMOVE;
}

static void
paint_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  Phases *phases = user_data;

  phases->n_painted++;
}

static void
take_turns (const guint *counter)
{
  for (gint64 end = g_get_monotonic_time () + PATIENCE;
       *counter == 0 && g_get_monotonic_time () < end;)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_cmpuint (*counter, ==, 1);
}

static void
test_slow_layout_and_painting_have_turns_of_their_own (void)
{
  Phases phases = { 0 };
  Robot robot;

  robot_start (&robot, NULL);
  GtkWidget *window = gtk_window_new ();
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), paint_cb, &phases, NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 200, 100);
  gtk_window_set_child (GTK_WINDOW (window), area);
  gtk_window_present (GTK_WINDOW (window));
  robot_idle (500);
  g_assert_cmpuint (phases.n_painted, >, 0);
  for (guint i = 0; i < 2; i++)
    {
      phases = (Phases){ 0 };
      gtk_widget_add_tick_callback (area, update_cb, &phases, NULL);
      take_turns (&phases.n_updated);
      g_assert_cmpuint (phases.n_painted, ==, 0);
      take_turns (&phases.n_painted);
      robot_idle (100);
      g_assert_cmpuint (phases.n_updated, ==, 1);
      g_assert_cmpuint (phases.n_painted, ==, 1);
    }
  gtk_window_destroy (GTK_WINDOW (window));
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
  g_test_add_func ("/gui/waiting/a-bar-grows-while-a-large-file-opens",
                   test_a_bar_grows_while_a_large_file_opens);
  g_test_add_func ("/gui/waiting/many-links-come-in-turns", test_many_links_come_in_turns);
  g_test_add_func ("/gui/waiting/windows-change-their-colors-in-turns",
                   test_windows_change_their_colors_in_turns);
  g_test_add_func ("/gui/waiting/slow-layout-and-painting-have-turns-of-their-own",
                   test_slow_layout_and_painting_have_turns_of_their_own);
  g_test_add_func ("/gui/waiting/cancelled-read-is-no-failure", test_cancelled_read_is_no_failure);
  return g_test_run ();
}
