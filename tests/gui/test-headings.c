/* SPDX-License-Identifier: MIT */
#include "table.h"

/* The headings of the table: what their clicks, keys and menus do, and what tells that there
 * are more of them. */

/* The layer that stands in the n-th row from above. */
static char *
get_layer (Robot *robot, guint n)
{
  GListModel *rows = G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (
      robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_COLUMN_VIEW, NULL))));
  static const char *const layers[] = { "data", "fc1", "relu1", "fc2", "sum", "out" };
  double least = -1;

  g_assert_cmpuint (g_list_model_get_n_items (rows), >, n);
  for (guint k = 0; k <= n; k++)
    {
      const char *found = NULL;
      double next = G_MAXDOUBLE;

      for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
        {
          GtkWidget *summary = robot_find_part (robot, SCOPE_TYPE_SUMMARY);
          GtkWidget *label = robot_find (summary, GTK_TYPE_LABEL, layers[i]);
          double x, y;

          if (label == NULL || !gtk_widget_translate_coordinates (label, summary, 0, 0, &x, &y) ||
              y <= least || y >= next)
            continue;
          next = y;
          found = layers[i];
        }
      least = next;
      if (k == n)
        return g_strdup (found);
    }
  return NULL;
}

typedef struct {
  Robot *robot;
  guint n;
  const char *name;
} Row;

static gboolean
is_at_row (gpointer data)
{
  const Row *row = data;
  g_autofree char *layer = get_layer (row->robot, row->n);

  return g_strcmp0 (layer, row->name) == 0;
}

static void
await_layer (Robot *robot, guint n, const char *name)
{
  robot_wait_until (is_at_row, &(Row){ robot, n, name });
}

static void
test_click_on_a_heading_sorts (void)
{
  Robot robot;
  GtkWidget *heading;

  table_start (&robot);
  heading = robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "Params");
  robot_click (heading);
  robot_idle (400);
  await_layer (&robot, 5, "fc2"); /* 72 parameters */
  await_layer (&robot, 4, "fc1"); /* 32 */
  robot_click (heading);
  robot_idle (400);
  await_layer (&robot, 0, "fc2");
  robot_click (heading);
  robot_idle (400);
  await_layer (&robot, 0, "data");
  await_layer (&robot, 5, "out");
  robot_stop (&robot);
}

static guint
count_arrows (GtkWidget *widget)
{
  guint n = g_str_equal (gtk_widget_get_css_name (widget), "sort-indicator") &&
            (gtk_widget_has_css_class (widget, "ascending") ||
             gtk_widget_has_css_class (widget, "descending"));

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_arrows (child);
  return n;
}

/* GTK 4.8 would keep that of the column before. */
static void
test_one_heading_has_an_arrow (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  g_assert_cmpuint (count_arrows (summary), ==, 0);
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "fc1"));
  robot_do ("key shift+Tab Return");
  robot_idle (400);
  g_assert_cmpuint (count_arrows (summary), ==, 1);
  robot_do ("key Right Return");
  robot_idle (400);
  g_assert_cmpuint (count_arrows (summary), ==, 1);
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "Params"));
  robot_idle (400);
  await_layer (&robot, 5, "fc2");
  g_assert_cmpuint (count_arrows (summary), ==, 1);
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "fc1"));
  robot_do ("key shift+Tab Home Right Return");
  robot_idle (400);
  g_assert_cmpuint (count_arrows (summary), ==, 1);
  robot_stop (&robot);
}

/* Headings are one stop of Tab before the rows. */
static void
test_headings_have_keys (void)
{
  Robot robot;

  table_start (&robot);
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "fc1"));
  robot_do ("key shift+Tab Right Return");
  robot_idle (400);
  await_layer (&robot, 0, "data");
  await_layer (&robot, 1, "fc1");
  robot_do ("key Return");
  robot_idle (400);
  await_layer (&robot, 0, "sum");
  robot_do ("key ctrl+Left");
  robot_idle (300);
  g_assert_cmpfloat (table_find_heading (&robot, "Layer"), <, table_find_heading (&robot, "#"));
  robot_do ("key Return");
  robot_idle (400);
  await_layer (&robot, 0, "data");
  robot_stop (&robot);
  robot_clear_home ();
}

static void
test_heading_has_a_menu (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  robot_point (robot_find (summary, GTK_TYPE_LABEL, "Params"), 5, 5, "click 3");
  robot_idle (400);
  robot_do ("key h"); /* the mnemonic of hiding */
  robot_idle (400);
  g_assert_false (table_shows (&robot, "Params"));
  robot_stop (&robot);
  robot_clear_home ();
}

static gboolean
is_focused (Robot *robot, const char *title)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (robot->window));

  return focus != NULL && g_str_equal (G_OBJECT_TYPE_NAME (focus), "GtkColumnViewTitle") &&
         robot_find (focus, GTK_TYPE_LABEL, title) != NULL;
}

/* The heading goes that had it; by the next one, another column can be hidden. */
static void
test_hiding_a_column_keeps_the_keyboard (void)
{
  Robot robot;

  table_start (&robot);
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "fc1"));
  robot_do ("key shift+Tab Right");
  robot_idle (200);
  g_assert_true (is_focused (&robot, "Layer"));
  robot_do ("key Menu");
  robot_idle (400);
  robot_do ("key h");
  robot_idle (400);
  g_assert_false (table_shows (&robot, "Layer"));
  g_assert_true (is_focused (&robot, "Type"));
  robot_do ("key shift+F10");
  robot_idle (400);
  robot_do ("key h");
  robot_idle (400);
  g_assert_false (table_shows (&robot, "Type"));
  g_assert_true (is_focused (&robot, "Output Shape"));
  robot_stop (&robot);
  robot_clear_home ();
}

/* While one types what nothing matches. */
static void
test_headings_stay_without_rows (void)
{
  static const char *const titles[] = { "#", "Layer", "Type", "Output Shape", "Params" };
  double before[G_N_ELEMENTS (titles)];
  Robot robot;

  table_start (&robot);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    before[i] = table_find_heading (&robot, titles[i]);
  robot_do ("key ctrl+f");
  robot_do ("type nothing_like_it");
  robot_settle (&robot);
  robot_idle (300);
  g_assert_false (table_shows (&robot, "fc1"));
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    g_assert_cmpfloat_with_epsilon (table_find_heading (&robot, titles[i]), before[i], 1.5);
  robot_stop (&robot);
}

/* How dark the emptiest row of the table is, as a sum of bytes, so many pixels from one side. */
static guint
measure_shade (GtkWidget *table, int x)
{
  int width = gtk_widget_get_width (table), height = gtk_widget_get_height (table);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (gtk_widget_get_parent (table));
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node;
  guint most = 0;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = height / 4; y < height * 3 / 4; y++)
    {
      const guint8 *pixel = cairo_image_surface_get_data (surface) +
                            y * cairo_image_surface_get_stride (surface) + 4 * x;

      most = MAX (most, (guint) pixel[0] + pixel[1] + pixel[2]);
    }
  cairo_surface_destroy (surface);
  return 3 * 255 - most;
}

/* A shade on each side where there are more columns. */
static void
test_sides_tell_that_there_are_more_columns (void)
{
  Robot robot;

  table_start (&robot);
  GtkWidget *table =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_COLUMN_VIEW, NULL);
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table));

  g_assert_cmpuint (measure_shade (table, gtk_widget_get_width (table) - 2), <, 60);
  table_choose (&robot, "table.preset::torchinfo");
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), >,
                     gtk_adjustment_get_page_size (adjustment));
  g_assert_cmpuint (measure_shade (table, gtk_widget_get_width (table) - 2), >, 120);
  g_assert_cmpuint (measure_shade (table, 2), <, 60);
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  robot_idle (300);
  g_assert_cmpuint (measure_shade (table, gtk_widget_get_width (table) - 2), <, 60);
  g_assert_cmpuint (measure_shade (table, 2), >, 120);
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
  g_test_add_func ("/gui/headings/click-on-a-heading-sorts", test_click_on_a_heading_sorts);
  g_test_add_func ("/gui/headings/headings-have-keys", test_headings_have_keys);
  g_test_add_func ("/gui/headings/one-heading-has-an-arrow", test_one_heading_has_an_arrow);
  g_test_add_func ("/gui/headings/heading-has-a-menu", test_heading_has_a_menu);
  g_test_add_func ("/gui/headings/hiding-a-column-keeps-the-keyboard",
                   test_hiding_a_column_keeps_the_keyboard);
  g_test_add_func ("/gui/headings/headings-stay-without-rows", test_headings_stay_without_rows);
  g_test_add_func ("/gui/headings/sides-tell-that-there-are-more-columns",
                   test_sides_tell_that_there_are_more_columns);
  return g_test_run ();
}
