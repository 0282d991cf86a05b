/* SPDX-License-Identifier: MIT */
#include "app/scope-inspector.h"
#include "app/scope-numbers.h"
#include "app/scope-place.h"
#include "app/scope-table.h"
#include "run-panel.h"
#include "toy.h"

/* What the inspector tells of numbers, and its tables of them. */

#define HEADS                                                           \
  "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]>\n" \
  "g (float[1, 2, 4] x) => (float[1, 2, 4] y) {\n"                      \
  "  y = com.microsoft.MultiHeadAttention <num_heads = 2> (x, x, x)\n}\n"

#define WIDE                                     \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n" \
  "wide (float[8, 40] x) => (float[8, 40] y) {\n y = Sin (x)\n}\n"

static gboolean
has_table (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_TABLE) != NULL;
}

static ScopeNode
find_within (ScopeDocument *document, const char *label)
{
  SymPicture *picture = scope_document_get_picture (document);
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (sym_scene_get_item (scene, i)->body > 0 &&
        g_str_has_prefix (sym_scene_get_item (scene, i)->boxes[0].lines[0], label))
      return scope_place_get_node (scene, i);
  g_error ("%s is not drawn", label);
}

/* Opens the layer that makes `y`, and selects what has that label in it. */
static ScopeNode
select_within (Robot *robot, const char *label)
{
  ScopeDocument *document = robot_get_document (robot);

  scope_document_select_value (document, toy_find (document, "y"));
  g_assert_true (scope_document_open_selected_layer (document));
  robot_settle (robot);
  ScopeNode node = find_within (document, label);

  scope_document_select_node (document, &node);
  robot_settle (robot);
  return node;
}

/* A layer that is drawn as what it is made of is one to a run; to run it again would not help. */
static void
test_numbers_within_composite_layers (void)
{
  g_autofree char *path = toy_write ("heads.onnxtxt", HEADS);
  ScopeDocument *document;
  Robot robot;

  robot_start (&robot, path);
  select_within (&robot, "Softmax");
  document = robot_get_document (&robot);
  g_assert_cmpstr (scope_document_get_selected (document)->body, ==, "0a");
  g_assert_true (
      run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers within this layer are not kept by a run"));
  run_panel_run_all (&robot);
  g_assert_cmpstr (scope_document_get_selected (document)->body, ==, "0a");
  g_assert_true (
      run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers within this layer are not kept by a run"));
  robot_stop (&robot);
}

/* Its constants are in no file. */
static void
test_constants_within_composite_layers (void)
{
  g_autofree char *path = toy_write ("heads.onnxtxt", HEADS);
  ScopeDocument *document;
  Robot robot;

  robot_start (&robot, path);
  ScopeNode node = select_within (&robot, "Mul");

  document = robot_get_document (&robot);
  GtkWidget *numbers = robot_find_part (&robot, SCOPE_TYPE_NUMBERS);
  SymModel *model = sym_inference_get_model (scope_document_get_inner_inference (document, &node));
  SymId call = sym_model_get_producer (model, node.inner_value);

  scope_numbers_choose (SCOPE_NUMBERS (numbers), sym_model_get_operands (model, call).ids[1]);
  robot_settle (&robot);
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers Made for the Layer"));
  g_assert_false (run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers in the File"));
  robot_stop (&robot);
}

static void
test_weights_have_numbers_without_a_run (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "sum", "click 1");
  robot_idle (500);
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers in the File"));
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "2×2"));
  GtkWidget *rows =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL, "hidden_bias");

  robot_click (rows);
  robot_idle (500);
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "−0.5"));
  robot_stop (&robot);
}

static void
test_numbers_are_in_a_table (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "y", "click 1");
  robot_idle (500);
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_NUMBERS), GTK_TYPE_BUTTON, "Table…"));
  robot_wait_until (has_table, NULL);
  robot_idle (700);
  GtkWidget *table = GTK_WIDGET (robot_find_window (SCOPE_TYPE_TABLE));

  g_assert_nonnull (robot_find (table, GTK_TYPE_LABEL, "-2"));
  g_assert_nonnull (robot_find (table, GTK_TYPE_LABEL, "float32 · 2×1"));
  gtk_window_close (GTK_WINDOW (table));
  robot_stop (&robot);
}

static GtkWidget *
get_header (GtkWidget *table)
{
  return gtk_widget_get_first_child (robot_find (table, GTK_TYPE_COLUMN_VIEW, NULL));
}

/* Of a table with more columns than there is room for, none is cut off where the room ends. */
static void
test_columns_of_numbers_are_whole (void)
{
  g_autofree char *path = toy_write ("wide.onnxtxt", WIDE);
  Robot robot;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  robot_point_at_node (&robot, "y", "click 1");
  robot_idle (500);
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_NUMBERS), GTK_TYPE_BUTTON, "Table…"));
  robot_wait_until (has_table, NULL);
  robot_idle (700);
  GtkWidget *table = GTK_WIDGET (robot_find_window (SCOPE_TYPE_TABLE));
  GtkWidget *header = get_header (table);
  int room = gtk_widget_get_width (gtk_widget_get_parent (header)), n_left = 0;
  guint n_cut = 0;

  for (GtkWidget *heading = gtk_widget_get_first_child (header); heading != NULL;
       heading = gtk_widget_get_next_sibling (heading))
    {
      graphene_rect_t bounds;

      g_assert_true (gtk_widget_compute_bounds (heading, table, &bounds));
      float left = bounds.origin.x, right = left + bounds.size.width;

      n_left += left < (float) room;
      n_cut += left < (float) room - 6 && right > (float) room + 6;
    }
  g_assert_cmpint (n_left, >, 3);
  g_assert_cmpuint (n_cut, ==, 0);
  gtk_window_close (GTK_WINDOW (table));
  robot_stop (&robot);
}

/* The table runs from left to right in any language, and so do its headings, which stand above the
 * ends of the numbers. */
static void
test_headings_of_numbers_are_not_turned_around (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  guint n_labels = 0;
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "y", "click 1");
  robot_idle (500);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  robot_settle (&robot);
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_NUMBERS), GTK_TYPE_BUTTON, "Table…"));
  robot_wait_until (has_table, NULL);
  robot_idle (700);
  GtkWidget *table = GTK_WIDGET (robot_find_window (SCOPE_TYPE_TABLE));

  for (GtkWidget *heading = gtk_widget_get_first_child (get_header (table)); heading != NULL;
       heading = gtk_widget_get_next_sibling (heading))
    {
      GtkWidget *box = gtk_widget_get_first_child (heading);

      n_labels += box != NULL;
      g_assert_true (box == NULL || gtk_widget_get_direction (box) == GTK_TEXT_DIR_LTR);
    }
  g_assert_cmpuint (n_labels, >, 1);
  gtk_window_close (GTK_WINDOW (table));
  robot_stop (&robot);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
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
  g_test_add_func ("/gui/numbers/numbers-within-composite-layers-are-not-kept",
                   test_numbers_within_composite_layers);
  g_test_add_func ("/gui/numbers/constants-within-composite-layers-are-in-no-file",
                   test_constants_within_composite_layers);
  g_test_add_func ("/gui/numbers/weights-have-numbers-without-a-run",
                   test_weights_have_numbers_without_a_run);
  g_test_add_func ("/gui/numbers/numbers-are-in-a-table", test_numbers_are_in_a_table);
  g_test_add_func ("/gui/numbers/columns-of-numbers-are-whole", test_columns_of_numbers_are_whole);
  g_test_add_func ("/gui/numbers/headings-of-numbers-are-not-turned-around",
                   test_headings_of_numbers_are_not_turned_around);
  return g_test_run ();
}
