/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-cell.h"
#include "app/scope-inspector.h"
#include "table.h"

#define FUSED                                                                                \
  "{\"nodes\":[" TOY_NODE ("null", "data", "", "") "," TOY_NODE (                            \
      "null", "other", "",                                                                   \
      "") "," TOY_NODE ("Activation", "a/Relu;a/BiasAdd;a/Conv2D", "\"act_type\":\"relu\"",  \
                        "[0,0,0]") "," TOY_NODE ("elemwise_add", "sum", "",                  \
                                                 "[2,0,0],[1,0,0]") "],\"arg_nodes\":[0,1]," \
                                                                    "\"heads\":[[3,0,0]]}"
#define LONG_NAME "stages_of_the_trunk_blocks_of_the_stage_layer"
#define WIDE                                                                               \
  "<ir_version: 8, opset_import: [\"\" : 13]>\ng (float[2,3] x) => (float[2,3] " LONG_NAME \
  "2) {\n  " LONG_NAME "1 = Relu (x)\n  " LONG_NAME "2 = Neg (" LONG_NAME "1)\n}\n"

static gboolean
has_column (Robot *robot, const char *title)
{
  return robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, title) != NULL;
}

static void
test_columns_are_chosen (void)
{
  Robot robot;

  table_start (&robot);
  g_assert_true (has_column (&robot, "4×8"));
  g_assert_false (has_column (&robot, "256"));
  table_choose (&robot, "table.macs"); /* 4 rows, 8 * 8 and 3 * 8 */
  g_assert_true (has_column (&robot, "256"));
  g_assert_true (has_column (&robot, "96"));
  table_choose (&robot, "table.macs");
  g_assert_false (table_shows (&robot, "Mult-Adds"));
  robot_stop (&robot);
}

static gboolean
is_scrolled (Robot *robot)
{
  GtkWidget *table =
      robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_COLUMN_VIEW, NULL);
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (table));

  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment);
}

static void
test_columns_are_those_of_a_preset (void)
{
  Robot robot;
  GtkWidget *summary;

  table_start (&robot);
  summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  gtk_widget_activate_action (summary, "table.preset", "s", "torchinfo");
  robot_idle (300);
  g_assert_true (table_shows (&robot, "Params %"));
  g_assert_false (table_shows (&robot, "Layer"));
  g_assert_cmpfloat (table_find_heading (&robot, "Type"), <,
                     table_find_heading (&robot, "Output Shape"));
  gtk_widget_activate_action (summary, "table.preset", "s", "keras");
  robot_idle (300);
  g_assert_true (table_shows (&robot, "Connected To"));
  g_assert_false (is_scrolled (&robot)); /* the pane has become wider for them */
  gtk_widget_activate_action (summary, "table.reset", NULL);
  robot_idle (300);
  g_assert_false (table_shows (&robot, "Params %"));
  g_assert_true (table_shows (&robot, "Layer"));
  robot_stop (&robot);
}

/* Behind the number, or what stands first where numbers are hidden. */
static void
test_outputs_have_a_star_in_any_preset (void)
{
  static const char *const starred[][2] = {
    { "symbolic", "6★" },
    { "keras", "out ★" },
    { "torchinfo", "Activation ★" },
    { "mxnet", "out ★" },
  };
  Robot robot;

  table_start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  for (guint i = 0; i < G_N_ELEMENTS (starred); i++)
    {
      gtk_widget_activate_action (summary, "table.preset", "s", starred[i][0]);
      robot_await_told (&robot, SCOPE_TYPE_SUMMARY, starred[i][1]);
    }
  gtk_widget_activate_action (summary, "table.reset", NULL);
  robot_stop (&robot);
  robot_clear_home ();
}

static int
get_position (Robot *robot)
{
  return gtk_paned_get_position (GTK_PANED (
      gtk_widget_get_ancestor (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_PANED)));
}

/* The drawing gets its room back, but for what somebody has given to the table. */
static void
test_pane_is_as_wide_as_its_columns (void)
{
  Robot robot;
  GtkWidget *summary;

  table_start (&robot);
  summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  int before = get_position (&robot);

  gtk_widget_activate_action (summary, "table.preset", "s", "mxnet");
  robot_idle (300);
  int wide = get_position (&robot);

  g_assert_cmpint (wide, >, before + 20);
  gtk_widget_activate_action (summary, "table.reset", NULL);
  robot_idle (300);
  g_assert_cmpint (get_position (&robot), ==, before);
  g_assert_true (scope_settings_set_pane (scope_application_get_settings (robot.application),
                                          SCOPE_PANE_SUMMARY, 470, NULL));
  gtk_widget_activate_action (summary, "table.preset", "s", "mxnet");
  gtk_widget_activate_action (summary, "table.reset", NULL);
  robot_idle (300);
  g_assert_cmpint (get_position (&robot), ==, 470);
  robot_stop (&robot);
  robot_clear_home ();
}

/* The next window has the columns as they were left in the one before. */
static void
test_columns_stay_as_they_were_made (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_auto (GStrv) words = NULL;
  Robot robot;
  GtkWidget *summary;

  table_start (&robot);
  summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  gtk_widget_activate_action (summary, "table.hide", "s", "type");
  gtk_widget_activate_action (summary, "table.move-left", "s", "params");
  robot_click (robot_find (summary, GTK_TYPE_LABEL, "fc1"));
  robot_do ("key shift+Tab shift+Right shift+Right"); /* wider: the heading of the number */
  robot_idle (800);
  words = g_strdupv (
      (char **) scope_settings_get_columns (scope_application_get_settings (robot.application)));
  robot_stop (&robot);
  g_assert_nonnull (words);
  g_assert_true (g_str_has_prefix (words[0], "number:"));
  g_assert_true (g_strv_contains ((const char *const *) words, "-type"));

  robot_start (&robot, path);
  g_assert_false (table_shows (&robot, "Type"));
  g_assert_cmpfloat (table_find_heading (&robot, "Params"), <,
                     table_find_heading (&robot, "Output Shape"));
  robot_stop (&robot);
  robot_clear_home ();
}

/* Also without the column that has the room for itself. */
static void
test_rows_end_where_the_pane_does (void)
{
  Robot robot;

  table_start (&robot);
  table_choose (&robot, "table.layer");
  GtkWidget *view =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_COLUMN_VIEW, NULL);
  float right = 0;

  for (GtkWidget *heading = gtk_widget_get_first_child (gtk_widget_get_first_child (view));
       heading != NULL; heading = gtk_widget_get_next_sibling (heading))
    {
      graphene_rect_t bounds;

      if (gtk_widget_get_mapped (heading) && gtk_widget_compute_bounds (heading, view, &bounds))
        right = MAX (right, bounds.origin.x + bounds.size.width);
    }
  g_assert_false (table_shows (&robot, "Layer"));
  g_assert_cmpfloat (right, >=, (float) gtk_widget_get_width (view) - 2);
  table_choose (&robot, "table.layer");
  robot_stop (&robot);
}

static void
test_last_column_cannot_be_hidden (void)
{
  static const char *const names[] = { "number", "layer", "type", "shape", "params", "parents" };
  Robot robot;

  table_start (&robot);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_activate_action (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), "table.hide", "s",
                                names[i]);
  robot_idle (300);
  g_assert_false (table_shows (&robot, "Params"));
  g_assert_true (table_shows (&robot, "Parents"));
  robot_stop (&robot);
  robot_clear_home ();
}

/* ---- Order ---- */

static void
test_totals_tell_what_a_run_takes (void)
{
  Robot robot;

  table_start (&robot);
  g_assert_true (has_column (&robot, "Multiply-adds"));
  g_assert_true (has_column (&robot, "104"));
  robot_stop (&robot);
}

/* Of how many nothing is known that is not said as "at least none". */
static void
test_totals_tell_what_is_not_known (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  g_assert_true (has_column (&robot, "Not known"));
  g_assert_false (has_column (&robot, "≥ 0"));
  robot_stop (&robot);
}

/* What it says is no matter of its size. */
static void
test_cell_is_as_high_as_a_label (void)
{
  g_autoptr (GtkWidget) cell = g_object_ref_sink (scope_cell_new (0, PANGO_ELLIPSIZE_END));
  g_autoptr (GtkWidget) label = g_object_ref_sink (gtk_label_new ("conv1"));
  static const char *const texts[] = { "", "conv1", "a name that is much longer than a column" };
  int width, height, label_height;

  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, -1, &label_height, NULL, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      scope_cell_set_text (SCOPE_CELL (cell), texts[i]);
      g_assert_cmpstr (scope_cell_get_text (SCOPE_CELL (cell)), ==, texts[i]);
      gtk_widget_measure (cell, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
      gtk_widget_measure (cell, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      g_assert_cmpint (height, ==, label_height);
      g_assert_cmpint (width, ==, 0);
    }
}

static void
make_table (Robot *robot, int width)
{
  GtkWidget *panes =
      gtk_widget_get_ancestor (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_PANED);

  gtk_paned_set_position (GTK_PANED (panes), width);
  robot_idle (300);
}

/* The bar that comes over the end of rows covers none of their digits. */
static void
test_last_column_has_room_for_the_bar (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  make_table (&robot, 600);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);
  GtkWidget *cell = robot_find (list, SCOPE_TYPE_CELL, "4, 3"); /* parents of the sum */
  graphene_rect_t bounds;

  g_assert_nonnull (cell);
  g_assert_true (gtk_widget_compute_bounds (cell, list, &bounds));
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (list) - 12);
  robot_stop (&robot);
}

/* Numbers have the room of their digits, and names what is left; the name of a layer keeps some
 * even where that is nothing. */
static void
test_columns_are_as_wide_as_what_they_hold (void)
{
  g_autofree char *path = toy_write ("wide.onnxtxt", WIDE);
  Robot robot;
  graphene_rect_t layer, type, parents;
  int least;

  robot_clear_home ();
  robot_start (&robot, path);
  make_table (&robot, 600); /* all of them */
  GtkWidget *table = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  GtkWidget *list = robot_find (table, GTK_TYPE_LIST_VIEW, NULL);

  g_assert_true (gtk_widget_compute_bounds (robot_wait_for (list, SCOPE_TYPE_CELL, LONG_NAME "1"),
                                            list, &layer));
  g_assert_true (
      gtk_widget_compute_bounds (robot_find (list, SCOPE_TYPE_CELL, "Relu"), list, &type));
  g_assert_true (
      gtk_widget_compute_bounds (robot_find (list, SCOPE_TYPE_CELL, "2"), list, &parents));
  g_assert_cmpfloat (layer.size.width, >, type.size.width);
  g_assert_cmpfloat (layer.size.width, >, 2 * parents.size.width);
  gtk_widget_measure (robot_find (list, SCOPE_TYPE_CELL, LONG_NAME "1"), GTK_ORIENTATION_HORIZONTAL,
                      -1, &least, NULL, NULL, NULL);
  g_assert_cmpfloat ((float) least, >, type.size.width);
  robot_stop (&robot);
}

/* clang-format off */
#define LINEAR(name, inputs) \
  TOY_NODE ("FullyConnected", name, "\"num_hidden\":\"900\",\"no_bias\":\"True\"", inputs)
/* clang-format on */

/* Cells that are on the screen. */
static guint
count_elided (GtkWidget *widget)
{
  guint n = SCOPE_IS_CELL (widget) && gtk_widget_get_mapped (widget) &&
            scope_cell_is_elided (SCOPE_CELL (widget));

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_elided (child);
  return n;
}

/* A short block, then one of @n layers, which hardly any of the rows are the head of. */
static char *
make_blocks (guint n)
{
  GString *json =
      g_string_new ("{\"nodes\":[" TOY_NODE ("null", "data", "\"__shape__\":\"(1,900)\"", ""));
  g_autoptr (GString) weights = g_string_new ("0");

  for (guint i = 0; i < n + 2; i++)
    {
      const char *block = i < 2 ? "a" : "b";

      g_string_append_printf (json, "," TOY_NODE ("null", "%s/l%u_weight", "", ""), block, i);
      g_string_append_printf (json, "," LINEAR ("%s/l%u", "[%u,0,0],[%u,0,0]"), block, i, 2 * i,
                              2 * i + 1);
      g_string_append_printf (weights, ",%u", 2 * i + 1);
    }
  g_string_append_printf (json, "],\"arg_nodes\":[%s],\"heads\":[[%u,0,0]]}", weights->str,
                          2 * n + 4);
  return g_string_free (json, FALSE);
}

static void
check_sums (guint n, const char *sum)
{
  g_autofree char *json = make_blocks (n);
  g_autofree char *path = toy_write ("blocks-symbol.json", json);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  make_table (&robot, 900);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);

  robot_wait_for (list, SCOPE_TYPE_CELL, "810,000");
  table_choose (&robot, "table.macs");
  g_assert_cmpuint (count_elided (list), ==, 0);
  table_choose (&robot, "table.tree");
  robot_wait_for (list, SCOPE_TYPE_CELL, sum);
  robot_idle (300);
  g_assert_cmpuint (count_elided (list), ==, 0);
  robot_stop (&robot);
}

/* A sum is longer than the numbers of its layers. */
static void
test_sums_of_groups_have_room (void)
{
  check_sums (1, "1,620,000");
}

static void
test_sums_of_long_groups_have_room (void)
{
  check_sums (1998, "1,618,380,000");
}

#define SHAPE "128×256×512×1024×128×256"
#define SHAPES                                                                         \
  "<ir_version: 8, opset_import: [\"\" : 13]>\ng (float[128,256,512,1024,128,256] x) " \
  "=> (float[128,256,512,1024,128,256] y) {\n  y = Relu (x)\n}\n"

static int
measure_text (GtkWidget *cell)
{
  g_autoptr (PangoLayout) layout =
      gtk_widget_create_pango_layout (cell, scope_cell_get_text (SCOPE_CELL (cell)));
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* What is too long for a column has what other columns leave, and no more. */
static void
test_room_goes_to_what_is_cut (void)
{
  g_autofree char *path = toy_write ("shapes.onnxtxt", SHAPES);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);

  make_table (&robot, 640);
  GtkWidget *cell = robot_wait_for (list, SCOPE_TYPE_CELL, SHAPE);

  g_assert_cmpint (gtk_widget_get_width (cell), >=, measure_text (cell));
  g_assert_false (is_scrolled (&robot));
  make_table (&robot, 430);
  g_assert_false (is_scrolled (&robot));
  cell = robot_wait_for (list, SCOPE_TYPE_CELL, "y");
  g_assert_cmpint (gtk_widget_get_width (cell), >=, measure_text (cell));
  robot_stop (&robot);
}

#define TYPES                                                                  \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                               \
  "g (float[1, 64, 112, 112] x) => (float[1, 64, 112, 112] z) {\n"             \
  "  unit1_relu = LeakyRelu (x)\n  z = InstanceNormalization (unit1_relu, x, " \
  "x)\n}\n"

/* What the drawing tells as well gives way, before anything is cut: parents, or types where they
 * are long; whoever asks for it gets it. */
static void
test_columns_that_have_no_room_give_way (void)
{
  g_autofree char *path = toy_write ("types.onnxtxt", TYPES);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_settle (&robot);
  g_assert_false (table_shows (&robot, "Type"));
  g_assert_true (table_shows (&robot, "Parents"));
  g_assert_false (is_scrolled (&robot));
  make_table (&robot, 300);
  g_assert_false (table_shows (&robot, "Type"));
  g_assert_false (table_shows (&robot, "Parents"));
  g_assert_true (table_shows (&robot, "Params"));
  make_table (&robot, 600);
  g_assert_true (table_shows (&robot, "Type"));
  g_assert_true (table_shows (&robot, "Parents"));
  g_assert_false (is_scrolled (&robot));
  make_table (&robot, 440);
  g_assert_true (table_shows (&robot, "Type"));
  g_assert_false (table_shows (&robot, "Parents"));
  g_assert_false (is_scrolled (&robot));
  table_choose (&robot, "table.parents");
  g_assert_true (table_shows (&robot, "Parents"));
  robot_stop (&robot);
  robot_clear_home ();
}

/* In the pane as it is at first; a table that is wide has both. */
static void
test_parents_give_way_to_shapes (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "..", "data", "samples", "gru-tagger.onnxtxt", NULL);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_settle (&robot);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);
  GtkWidget *cell = robot_wait_for (list, SCOPE_TYPE_CELL, "words×2×sentences×8");

  g_assert_cmpint (gtk_widget_get_width (cell), >=, measure_text (cell));
  g_assert_false (table_shows (&robot, "Parents"));
  make_table (&robot, 640);
  g_assert_true (table_shows (&robot, "Parents"));
  robot_stop (&robot);
}

static gboolean
has_found_one (gpointer robot)
{
  return scope_document_get_found (robot_get_document (robot)).n == 1;
}

/* A layer that was made of several has the first of their names; any of them finds it. */
static void
test_lists_of_names_are_short (void)
{
  g_autofree char *path = toy_write ("fused-symbol.json", FUSED);
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);

  robot_wait_for (list, SCOPE_TYPE_CELL, "a/Relu +2");
  robot_do ("key ctrl+f");
  robot_do ("type BiasAdd");
  robot_wait_until (has_found_one, &robot);
  g_assert_nonnull (robot_find (list, SCOPE_TYPE_CELL, "a/Relu +2"));
  robot_stop (&robot);
}

/* Of 300 operands that each of 300 results has, all but the first row tell a few. */
static void
test_parents_of_many_results_are_few (void)
{
  GString *text = g_string_new ("{\"version\": \"3\", \"engine_kind\": \"cpu\", \"graph\": "
                                "[{\"id\": 1, \"name\": \"a\", \"kind\": \"Custom\", "
                                "\"inputs\": [");
  g_autofree char *path = NULL;
  Robot robot;

  for (guint i = 0; i < 600; i++)
    g_string_append_printf (text, "%s{\"id\": %u, \"dtype\": \"f32\", \"shape\": [1]}",
                            i == 0     ? ""
                            : i == 300 ? "], \"outputs\": ["
                                       : ",",
                            i);
  g_string_append (text, "]}]}");
  path = toy_write ("parents.json", text->str);
  g_string_free (text, TRUE);
  robot_clear_home ();
  robot_start (&robot, path);
  make_table (&robot, 600);
  GtkWidget *list =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LIST_VIEW, NULL);

  robot_wait_for (list, SCOPE_TYPE_CELL, "1");
  robot_do ("key End");
  robot_wait_for (list, SCOPE_TYPE_CELL, "1, 2, 3, 4, 5, 6, 7, 8 +292");
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
  g_test_add_func ("/gui/table/columns-are-chosen", test_columns_are_chosen);
  g_test_add_func ("/gui/table/columns-are-those-of-a-preset", test_columns_are_those_of_a_preset);
  g_test_add_func ("/gui/table/outputs-have-a-star-in-any-preset",
                   test_outputs_have_a_star_in_any_preset);
  g_test_add_func ("/gui/table/pane-is-as-wide-as-its-columns",
                   test_pane_is_as_wide_as_its_columns);
  g_test_add_func ("/gui/table/room-goes-to-what-is-cut", test_room_goes_to_what_is_cut);
  g_test_add_func ("/gui/table/columns-stay-as-they-were-made",
                   test_columns_stay_as_they_were_made);
  g_test_add_func ("/gui/table/rows-end-where-the-pane-does", test_rows_end_where_the_pane_does);
  g_test_add_func ("/gui/table/last-column-cannot-be-hidden", test_last_column_cannot_be_hidden);
  g_test_add_func ("/gui/table/totals-tell-what-a-run-takes", test_totals_tell_what_a_run_takes);
  g_test_add_func ("/gui/table/totals-tell-what-is-not-known", test_totals_tell_what_is_not_known);
  g_test_add_func ("/gui/table/cell-is-as-high-as-a-label", test_cell_is_as_high_as_a_label);
  g_test_add_func ("/gui/table/last-column-has-room-for-the-bar",
                   test_last_column_has_room_for_the_bar);
  g_test_add_func ("/gui/table/columns-that-have-no-room-give-way",
                   test_columns_that_have_no_room_give_way);
  g_test_add_func ("/gui/table/parents-give-way-to-shapes", test_parents_give_way_to_shapes);
  g_test_add_func ("/gui/table/columns-are-as-wide-as-what-they-hold",
                   test_columns_are_as_wide_as_what_they_hold);
  g_test_add_func ("/gui/table/sums-of-groups-have-room", test_sums_of_groups_have_room);
  g_test_add_func ("/gui/table/sums-of-long-groups-have-room", test_sums_of_long_groups_have_room);
  g_test_add_func ("/gui/table/lists-of-names-are-short", test_lists_of_names_are_short);
  g_test_add_func ("/gui/table/parents-of-many-results-are-few",
                   test_parents_of_many_results_are_few);
  return g_test_run ();
}
