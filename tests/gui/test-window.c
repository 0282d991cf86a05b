/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "app/scope-canvas.h"
#include "app/scope-cut-bar.h"
#include "app/scope-fact.h"
#include "app/scope-inspector.h"
#include "app/scope-minimap.h"
#include "app/scope-place.h"
#include "app/scope-shapes.h"
#include "app/scope-summary.h"
#include "robot.h"
#include "toy.h"

static GtkWidget *
find_part (Robot *robot, GType type)
{
  GtkWidget *part = robot_find (GTK_WIDGET (robot->window), type, NULL);

  g_assert_nonnull (part);
  return part;
}

/* Points at the box of a value in the drawing. */
static void
point_at_node (Robot *robot, const char *name, const char *then)
{
  ScopeDocument *document = robot_get_document (robot);
  GtkWidget *canvas = find_part (robot, SCOPE_TYPE_CANVAS);
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));
  SymRect rect;
  double x, y;

  g_assert_true (scope_place_find (layout, toy_find (document, name), SYM_NO_ID, &rect));
  scope_viewport_to_widget (scope_canvas_get_viewport (SCOPE_CANVAS (canvas)),
                            rect.x + rect.width / 2, rect.y + rect.height / 2, &x, &y);
  robot_point (canvas, x, y, then);
}

static void
assert_selected (Robot *robot, const char *name)
{
  ScopeDocument *document = robot_get_document (robot);

  g_assert_cmpuint (scope_document_get_selected_value (document), ==, toy_find (document, name));
}

static void
assert_told (Robot *robot, GType part, const char *text)
{
  g_assert_nonnull (robot_find (find_part (robot, part), GTK_TYPE_LABEL, text));
}

static void
test_click_tells_all_of_a_node (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "toy-symbol.json");
  point_at_node (&robot, "fc2_output", "click 1");
  assert_selected (&robot, "fc2_output");
  assert_told (&robot, SCOPE_TYPE_INSPECTOR, "fc2_output");
  assert_told (&robot, SCOPE_TYPE_INSPECTOR, "FullyConnected");
  assert_told (&robot, SCOPE_TYPE_INSPECTOR, "num_hidden");
  assert_told (&robot, SCOPE_TYPE_INSPECTOR, "relu1_output");
  assert_told (&robot, SCOPE_TYPE_INSPECTOR, "sum_output");
  assert_told (&robot, SCOPE_TYPE_INSPECTOR, "fc2_weight");
  robot_stop (&robot);
}

static void
test_links_rows_and_keys_lead_on (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  point_at_node (&robot, "fc1_output", "click 1");
  robot_click (robot_find (find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL,
                           "relu1_output"));
  assert_selected (&robot, "relu1_output");
  robot_click (robot_find (find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "fc2"));
  assert_selected (&robot, "fc2_output");
  point_at_node (&robot, "fc1_output", "click 1");
  robot_do ("key Down");
  assert_selected (&robot, "relu1_output");
  robot_do ("key Up");
  assert_selected (&robot, "fc1_output");
  robot_do ("key End");
  assert_selected (&robot, "out_output");
  robot_stop (&robot);
}

static void
test_search_goes_to_what_it_finds (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+f");
  robot_do ("type --delay 30 sum");
  robot_idle (400);
  robot_do ("key Return");
  assert_selected (&robot, "sum_output");
  robot_stop (&robot);
}

static void
test_typed_shape_changes_every_shape (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_click (robot_find (find_part (&robot, SCOPE_TYPE_SHAPES), GTK_TYPE_ENTRY, NULL));
  robot_do ("type --delay 30 4,3");
  robot_idle (900);
  assert_told (&robot, SCOPE_TYPE_SUMMARY, "4×8");
  assert_told (&robot, SCOPE_TYPE_SUMMARY, "104");
  robot_do ("type --delay 30 ,,");
  robot_idle (900);
  assert_told (&robot, SCOPE_TYPE_SHAPES, "Dimension 3 is missing");
  assert_told (&robot, SCOPE_TYPE_SUMMARY, "4×8");
  robot_stop (&robot);
}

static GtkWindow *
find_dialog (Robot *robot)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (GTK_IS_FILE_CHOOSER_DIALOG (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
has_dialog (gpointer data)
{
  return find_dialog (data) != NULL;
}

static gboolean
file_exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
is_named (GtkFileChooser *chooser, const char *suffix)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);

  return name != NULL && g_str_has_suffix (name, suffix);
}

static void
test_suggested_name_follows_the_format (void)
{
  static const char *const suffixes[] = { ".svg", ".png", ".pdf", ".dot" };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+shift+e");
  robot_wait_until (has_dialog, &robot);
  robot_idle (500);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (find_dialog (&robot));
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (chooser);

  g_assert_cmpuint (g_list_model_get_n_items (filters), ==, G_N_ELEMENTS (suffixes));
  g_assert_true (is_named (chooser, "toy.svg"));
  for (guint i = G_N_ELEMENTS (suffixes); i-- > 0;) {
    g_autoptr (GtkFileFilter) filter = g_list_model_get_item (filters, i);
    g_autofree char *name = g_strconcat ("toy", suffixes[i], NULL);

    gtk_file_chooser_set_filter (chooser, filter);
    robot_idle (100);
    g_assert_true (is_named (chooser, name));
  }
  robot_focus (find_dialog (&robot));
  robot_do ("key Escape");
  robot_idle (300);
  robot_stop (&robot);
}

static void
save_as (Robot *robot, const char *keys, const char *path)
{
  robot_do ("key %s", keys);
  robot_wait_until (has_dialog, robot);
  robot_idle (700);
  robot_focus (find_dialog (robot));
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 %s", path);
  robot_idle (500);
  robot_do ("key Return");
  robot_wait_until (file_exists, (gpointer) path);
  robot_idle (300);
}

static void
test_marked_part_is_saved (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *part = g_strconcat (path, "-part.json", NULL);
  g_autofree char *bytes = NULL;
  Robot robot;

  robot_start (&robot, path);
  point_at_node (&robot, "relu1_output", "keydown shift click 1 keyup shift");
  robot_idle (700);
  assert_told (&robot, SCOPE_TYPE_CUT_BAR, "Sub-model");
  save_as (&robot, "ctrl+e", part);
  g_assert_true (g_file_get_contents (part, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes, "relu1"));
  g_assert_null (strstr (bytes, "fc2"));
  robot_open (&robot, part);
  g_assert_cmpuint (
      sym_summary_get_n_rows (scope_document_get_summary (robot_get_document (&robot))), ==, 3);
  robot_stop (&robot);
}

static void
test_picture_is_exported (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *picture = g_strconcat (path, ".svg", NULL);
  g_autofree char *bytes = NULL;
  Robot robot;

  robot_start (&robot, path);
  save_as (&robot, "ctrl+shift+e", picture);
  g_assert_true (g_file_get_contents (picture, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes, "fc2"));
  robot_stop (&robot);
}

static void
test_impossible_cut_can_be_mended (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  point_at_node (&robot, "fc2_output", "click 1");
  robot_do ("key i");
  robot_idle (700);
  assert_told (&robot, SCOPE_TYPE_CUT_BAR, "Impossible cut");
  robot_click (robot_find (find_part (&robot, SCOPE_TYPE_CUT_BAR), GTK_TYPE_BUTTON,
                           "Add “relu1_output” as Input"));
  robot_idle (700);
  assert_told (&robot, SCOPE_TYPE_CUT_BAR, "Sub-model");
  robot_do ("key ctrl+z");
  robot_idle (500);
  assert_told (&robot, SCOPE_TYPE_CUT_BAR, "Impossible cut");
  robot_do ("key ctrl+t");
  robot_do ("key ctrl+shift+z");
  robot_idle (500);
  robot_do ("key ctrl+t");
  robot_idle (700);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==,
                   "Part of toy-symbol.json");
  robot_stop (&robot);
}

/* xdotool cannot drag between programs: the drop is told to the window as GTK would. */
static void
drop (Robot *robot, const char *path)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (robot->window));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_auto (GValue) value = G_VALUE_INIT;
  GSList list = { file, NULL };
  gboolean is_taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, &list);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_DROP_TARGET (controller))
      g_signal_emit_by_name (controller, "drop", &value, 10.0, 10.0, &is_taken);
  }
  g_assert_true (is_taken);
  robot_idle (700);
}

static void
test_dropped_file_is_opened (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, NULL);
  g_assert_null (robot_get_document (&robot));
  drop (&robot, path);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "toy-symbol.json");
  g_assert_nonnull (scope_document_get_picture (robot_get_document (&robot)));
  robot_stop (&robot);
}

static void
test_broken_file_says_why_and_the_window_lives_on (void)
{
  g_autofree char *broken = toy_write ("broken.json", "{\"nodes\": [");
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, broken);
  GtkWidget *window = GTK_WIDGET (robot.window);

  g_assert_nonnull (robot_find (window, GTK_TYPE_LABEL, "“broken.json” Cannot Be Shown"));
  robot_open (&robot, path);
  g_assert_true (GTK_WIDGET (robot.window) == window);
  point_at_node (&robot, "fc1_output", "click 1");
  assert_selected (&robot, "fc1_output");
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_nonnull (robot_find (window, GTK_TYPE_LABEL, "“broken.json” Cannot Be Shown"));
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_nonnull (robot_find (window, GTK_TYPE_LABEL, "Open a Saved Graph"));
  robot_click (robot_find (window, GTK_TYPE_BUTTON, "Show an Example"));
  robot_idle (1500);
  g_assert_nonnull (scope_document_get_picture (robot_get_document (&robot)));
  robot_stop (&robot);
}

static gboolean
rests (gpointer viewport)
{
  return !scope_viewport_is_moving (viewport);
}

static void
test_wheel_zooms_to_the_pointer_and_drag_pans (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  double x, y, x2, y2;

  robot_start (&robot, path);
  GtkWidget *canvas = find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  double scale = scope_viewport_get_scale (viewport);

  robot_point (canvas, 200, 300, "mousemove_relative 1 1");
  robot_point (canvas, 200, 300, "sleep 0.1");
  scope_viewport_to_content (viewport, 200, 300, &x, &y);
  robot_do ("click 4");
  robot_do ("click 4");
  robot_wait_until (rests, viewport);
  scope_viewport_to_content (viewport, 200, 300, &x2, &y2);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >, scale * 1.3);
  g_assert_cmpfloat_with_epsilon (x, x2, 1.5);
  g_assert_cmpfloat_with_epsilon (y, y2, 1.5);

  robot_do ("mousedown 1");
  robot_do ("mousemove_relative 30 20");
  robot_do ("mousemove_relative 30 20");
  robot_idle (300);
  robot_do ("mouseup 1");
  scope_viewport_to_content (viewport, 260, 340, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (x, x2, 1.5);
  g_assert_cmpfloat_with_epsilon (y, y2, 1.5);
  g_assert_cmpuint (scope_document_get_selected_value (robot_get_document (&robot)), ==, SYM_NO_ID);
  robot_do ("key ctrl+0");
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), scale, 1e-6);
  robot_stop (&robot);
}

/* A drag that ends in motion goes on, and comes to rest by itself. */
static void
test_thrown_drawing_goes_on (void)
{
  g_autofree char *text = toy_format_chain (300);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  double before = scope_viewport_get_visible (viewport).y;

  robot_point (canvas, gtk_widget_get_width (canvas) / 2 + 100, 500, "sleep 0.2");
  robot_do ("mousedown 1 mousemove_relative -- 0 -30 sleep 0.02 mousemove_relative -- 0 -30 "
            "sleep 0.02 mousemove_relative -- 0 -30 sleep 0.02 mousemove_relative -- 0 -30 "
            "sleep 0.02 mousemove_relative -- 0 -30 mouseup 1");
  robot_wait_until (rests, viewport);
  double moved = (scope_viewport_get_visible (viewport).y - before) *
                 scope_viewport_get_scale (viewport);

  g_assert_cmpfloat (moved, >, 170);
  robot_stop (&robot);
}

/* Who has asked for less motion gets none: the next frame shows the end. */
static void
test_reduced_motion_is_respected (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  GtkSettings *settings = gtk_settings_get_default ();
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  double scale = scope_viewport_get_scale (viewport);

  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  scope_viewport_zoom (viewport, 2);
  g_assert_true (scope_viewport_is_moving (viewport));
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), 2 * scale, 1e-6);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  scope_viewport_zoom (viewport, 0.5);
  g_assert_false (scope_viewport_is_moving (viewport));
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), scale, 1e-6);
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  robot_stop (&robot);
}

/* From where it is a spot, a double click goes to a node at a size that can be read. */
static void
test_double_click_goes_near (void)
{
  g_autofree char *text = toy_format_chain (300);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  SymRect rect;
  double x, y;

  robot_do ("key ctrl+0");
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), <, 0.1);
  robot_idle (300);
  g_assert_true (scope_place_find (
      sym_picture_get_layout (scope_document_get_picture (robot_get_document (&robot))),
      toy_find (robot_get_document (&robot), "relu150_output"), SYM_NO_ID, &rect));
  scope_viewport_to_widget (viewport, rect.x + rect.width / 2, rect.y + rect.height / 2, &x, &y);
  robot_point (canvas, x, y, "click --repeat 2 1");
  robot_idle (200);
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >, 0.5);
  scope_viewport_to_widget (viewport, rect.x, rect.y, &x, &y);
  g_assert_cmpfloat (x, >, 0);
  g_assert_cmpfloat (y, >, 0);
  g_assert_cmpfloat (y, <, gtk_widget_get_height (canvas));
  robot_stop (&robot);
}

static gboolean
is_at_the_end (gpointer data)
{
  ScopeViewport *viewport = data;
  SymRect visible = scope_viewport_get_visible (viewport);
  SymRect extent = scope_viewport_get_extent (viewport);

  return visible.y + visible.height > extent.y + extent.height * 0.9;
}

static void
test_overview_leads_to_where_it_is_clicked (void)
{
  g_autofree char *text = toy_format_chain (200);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = find_part (&robot, SCOPE_TYPE_CANVAS);
  GtkWidget *minimap = find_part (&robot, SCOPE_TYPE_MINIMAP);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));

  g_assert_false (is_at_the_end (viewport));
  robot_point (minimap, 20, gtk_widget_get_height (minimap) - 6, "click 1");
  robot_wait_until (is_at_the_end, viewport);
  robot_do ("mousedown 1");
  robot_do ("mousemove_relative -- 0 -100");
  robot_do ("mousemove_relative -- 0 -20");
  robot_do ("mouseup 1");
  g_assert_false (is_at_the_end (viewport));
  gtk_widget_grab_focus (canvas);
  robot_do ("key F8");
  robot_idle (200);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_MINIMAP, NULL));
  robot_do ("key F8");
  robot_idle (200);
  g_assert_nonnull (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_MINIMAP, NULL));
  robot_stop (&robot);
}

/* What floats over the drawing takes no more of it than it covers. */
static void
test_drawing_is_reached_beside_what_floats (void)
{
  g_autofree char *text = toy_format_chain (200);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = find_part (&robot, SCOPE_TYPE_CANVAS);
  GtkWidget *page = GTK_WIDGET (scope_window_get_page (robot.window));
  double x, y;

  g_assert_true (gtk_widget_translate_coordinates (canvas, page, gtk_widget_get_width (canvas) / 2,
                                                   gtk_widget_get_height (canvas) - 30, &x, &y));
  g_assert_true (gtk_widget_pick (page, x, y, GTK_PICK_DEFAULT) == canvas);
  robot_stop (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ()) {
    g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
    return 77;
  }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/window/click-tells-all-of-a-node", test_click_tells_all_of_a_node);
  g_test_add_func ("/gui/window/links-rows-and-keys-lead-on", test_links_rows_and_keys_lead_on);
  g_test_add_func ("/gui/window/search-goes-to-what-it-finds", test_search_goes_to_what_it_finds);
  g_test_add_func ("/gui/window/typed-shape-changes-every-shape",
                   test_typed_shape_changes_every_shape);
  g_test_add_func ("/gui/window/marked-part-is-saved", test_marked_part_is_saved);
  g_test_add_func ("/gui/window/picture-is-exported", test_picture_is_exported);
  g_test_add_func ("/gui/window/impossible-cut-can-be-mended", test_impossible_cut_can_be_mended);
  g_test_add_func ("/gui/window/dropped-file-is-opened", test_dropped_file_is_opened);
  g_test_add_func ("/gui/window/broken-file-says-why-and-the-window-lives-on",
                   test_broken_file_says_why_and_the_window_lives_on);
  g_test_add_func ("/gui/window/wheel-zooms-to-the-pointer-and-drag-pans",
                   test_wheel_zooms_to_the_pointer_and_drag_pans);
  g_test_add_func ("/gui/window/suggested-name-follows-the-format",
                   test_suggested_name_follows_the_format);
  g_test_add_func ("/gui/window/thrown-drawing-goes-on", test_thrown_drawing_goes_on);
  g_test_add_func ("/gui/window/reduced-motion-is-respected", test_reduced_motion_is_respected);
  g_test_add_func ("/gui/window/double-click-goes-near", test_double_click_goes_near);
  g_test_add_func ("/gui/window/overview-leads-to-where-it-is-clicked",
                   test_overview_leads_to_where_it_is_clicked);
  g_test_add_func ("/gui/window/drawing-is-reached-beside-what-floats",
                   test_drawing_is_reached_beside_what_floats);
  return g_test_run ();
}
