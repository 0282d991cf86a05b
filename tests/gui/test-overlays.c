/* SPDX-License-Identifier: MIT */
#include <adwaita.h>

#include "app/scope-back-forward.h"
#include "app/scope-canvas.h"
#include "app/scope-cut-bar.h"
#include "app/scope-empty.h"
#include "app/scope-legend.h"
#include "app/scope-minimap.h"
#include "app/scope-problems.h"
#include "app/scope-summary.h"
#include "app/scope-zoom.h"
#include "robot.h"
#include "toy.h"

/* What lies over the drawing shares its room, whatever the size of the window. */

static void
resize (Robot *robot, int width, int height)
{
  robot_resize (robot, width, height);
  robot_idle (500);
  robot_settle (robot);
}

static GtkWidget *
find_mapped (Robot *robot, GType type)
{
  GtkWidget *widget = robot_find (GTK_WIDGET (robot->window), type, NULL);

  return widget != NULL && gtk_widget_get_mapped (widget) ? widget : NULL;
}

static graphene_rect_t
get_bounds (Robot *robot, GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (robot->window), &bounds));
  return bounds;
}

/* None lies over another one, and none beyond the drawing. */
static void
assert_apart (Robot *robot)
{
  GType types[] = { SCOPE_TYPE_BACK_FORWARD, SCOPE_TYPE_ZOOM,    SCOPE_TYPE_PROBLEMS,
                    SCOPE_TYPE_LEGEND,       SCOPE_TYPE_MINIMAP, SCOPE_TYPE_CUT_BAR };
  graphene_rect_t drawing = get_bounds (robot, robot_find_part (robot, SCOPE_TYPE_CANVAS));

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint k = 0; k <= i; k++)
      {
        GtkWidget *a = find_mapped (robot, types[i]), *b = find_mapped (robot, types[k]);

        if (a == NULL || b == NULL)
          continue;
        graphene_rect_t first = get_bounds (robot, a), second = get_bounds (robot, b), both;

        if (k == i)
          g_assert_true (graphene_rect_contains_rect (&drawing, &first));
        else if (graphene_rect_intersection (&first, &second, &both))
          g_error ("%s lies over %s", g_type_name (types[i]), g_type_name (types[k]));
      }
}

static void
test_small_windows (gconstpointer marks)
{
  static const struct {
    int width, height;
    gboolean has_legend, has_overview[2]; /* without the bar at the bottom, and with it */
  } cases[] = {
    { 900, 700, TRUE, { TRUE, TRUE } },   { 700, 450, TRUE, { TRUE, TRUE } },
    { 700, 330, FALSE, { TRUE, FALSE } }, { 400, 600, FALSE, { FALSE, FALSE } },
    { 900, 700, TRUE, { TRUE, TRUE } },
  };
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "..", "data", "examples", "toy-resnet-symbol.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "relu2_output"));
  if (marks != NULL)
    gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.mark-output", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      resize (&robot, cases[i].width, cases[i].height);
      g_assert_cmpint (find_mapped (&robot, SCOPE_TYPE_LEGEND) != NULL, ==, cases[i].has_legend);
      g_assert_cmpint (find_mapped (&robot, SCOPE_TYPE_MINIMAP) != NULL, ==,
                       cases[i].has_overview[marks != NULL]);
      assert_apart (&robot);
    }
  robot_stop (&robot);
}

static gboolean
is_in_sight (GtkWidget *around, GtkWidget *widget)
{
  graphene_rect_t inner, outer;

  g_assert_true (gtk_widget_compute_bounds (widget, around, &inner));
  g_assert_true (gtk_widget_compute_bounds (around, around, &outer));
  return gtk_widget_get_mapped (widget) && graphene_rect_contains_rect (&outer, &inner);
}

/* Where there is no room for a picture as well, words tell that nothing was found. */
static void
test_words_come_before_an_icon (void)
{
  static const struct {
    int height;
    gboolean has_icon;
  } cases[] = { { 700, TRUE }, { 450, FALSE }, { 700, TRUE } };
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "..", "data", "examples", "toy-resnet-symbol.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  resize (&robot, 700, 700);
  robot_press (&robot, "ctrl+f");
  robot_do ("type --delay 20 nothing_like_it");
  robot_wait_for (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_BUTTON, "Clear Search");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      resize (&robot, 700, cases[i].height);
      GtkWidget *empty = robot_find_part (&robot, SCOPE_TYPE_EMPTY);
      GtkWidget *title = robot_find (empty, GTK_TYPE_LABEL, "No Layer Matches");
      const char *icon =
          adw_status_page_get_icon_name (ADW_STATUS_PAGE (gtk_widget_get_first_child (empty)));

      g_assert_true (is_in_sight (empty, title));
      g_assert_true (is_in_sight (empty, robot_find (empty, GTK_TYPE_BUTTON, "Clear Search")));
      g_assert_cmpint (icon != NULL && *icon != '\0', ==, cases[i].has_icon);
    }
  robot_stop (&robot);
}

/* The bar of a cut tells so much that its text wraps, of lines that come and go with the width; and
 * it may be there before anything else, from an earlier session. */
static void
test_bar_is_as_high_as_its_text (void)
{
  static const int widths[] = { 1400, 800, 1400, 1300, 1100, 1000, 1200, 1400 };
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "..", "data", "examples", "toy-resnet-symbol.json", NULL);
  Robot robot;

  robot_clear_home ();
  robot_start_session (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);

  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "relu2_output"));
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc1_output"));
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "relu5_output"));
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      resize (&robot, widths[i], 900);
      assert_apart (&robot);
    }
  robot_quit (&robot);
  robot_start_session (&robot, NULL);
  robot_wait_until (robot_has_drawing, &robot);
  robot_settle (&robot);
  robot_idle (1000);
  g_assert_nonnull (find_mapped (&robot, SCOPE_TYPE_CUT_BAR));
  assert_apart (&robot);
  robot_quit (&robot);
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
  g_test_add_data_func ("/gui/overlays/share-the-room", NULL, test_small_windows);
  g_test_add_data_func ("/gui/overlays/share-the-room-with-a-bar", "marks", test_small_windows);
  g_test_add_func ("/gui/overlays/words-come-before-an-icon", test_words_come_before_an_icon);
  g_test_add_func ("/gui/overlays/bar-is-as-high-as-its-text", test_bar_is_as_high_as_its_text);
  return g_test_run ();
}
