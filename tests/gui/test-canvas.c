/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"
#include "app/scope-minimap.h"
#include "app/scope-place.h"
#include "robot.h"
#include "toy.h"

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
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
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

#define DRAGGED 150 /* pixels */
#define MAX_THROWS 20

/* Upwards; how far the drawing went. */
static double throw (GtkWidget * canvas)
{
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  double before = scope_viewport_get_visible (viewport).y;

  robot_point (canvas, gtk_widget_get_width (canvas) / 2 + 100, 500, "mousemove_relative 0 0");
  robot_do ("mousedown 1 mousemove_relative -- 0 -30 sleep 0.02 mousemove_relative -- 0 -30 "
            "sleep 0.02 mousemove_relative -- 0 -30 sleep 0.02 mousemove_relative -- 0 -30 "
            "sleep 0.02 mousemove_relative -- 0 -30 mouseup 1");
  robot_wait_until (rests, viewport);
  return (scope_viewport_get_visible (viewport).y - before) * scope_viewport_get_scale (viewport);
}

/* A drag that ends in motion goes on, and comes to rest by itself.  On a busy machine the hand may
 * have been still before it let go: then again. */
static void
test_thrown_drawing_goes_on (void)
{
  g_autofree char *text = toy_format_chain (300);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  double moved = 0;

  for (guint i = 0; i < MAX_THROWS && moved <= DRAGGED + 20; i++)
    moved = throw (canvas);
  g_assert_cmpfloat (moved, >, DRAGGED + 20);
  robot_stop (&robot);
}

/* The first controller of that type that a widget has. */
static gpointer
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (g_type_is_a (G_OBJECT_TYPE (controller), type))
        return controller; /* the widget keeps it */
    }
  g_assert_not_reached ();
}

/* Xvfb has no touch: what GTK tells of two fingers is told here.  What is between them stays there,
 * and the drawing follows them at once. */
static void
test_pinch_zooms (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  double x, y, x2, y2;

  robot_start (&robot, path);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  double scale = scope_viewport_get_scale (viewport);
  GtkGesture *pinch = find_controller (canvas, GTK_TYPE_GESTURE_ZOOM);

  robot_point (canvas, 220, 280, "mousemove_relative 1 1");
  robot_point (canvas, 220, 280, "sleep 0.1");
  scope_viewport_to_content (viewport, 220, 280, &x, &y);
  g_signal_emit_by_name (pinch, "begin", NULL);
  for (guint i = 1; i <= 4; i++)
    {
      g_signal_emit_by_name (pinch, "scale-changed", 1 + 0.25 * i);
      g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), scale * (1 + 0.25 * i),
                                      1e-6);
      g_assert_false (scope_viewport_is_moving (viewport));
    }
  g_signal_emit_by_name (pinch, "end", NULL);
  scope_viewport_to_content (viewport, 220, 280, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (x, x2, 1.5);
  g_assert_cmpfloat_with_epsilon (y, y2, 1.5);
  robot_stop (&robot);
}

/* Nor has it a touchpad: when two fingers leave it in motion, GTK tells how fast they were. */
static void
test_scrolling_is_kinetic (void)
{
  g_autofree char *text = toy_format_chain (300);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  double before = scope_viewport_get_visible (viewport).y;
  GtkEventController *scroll = find_controller (canvas, GTK_TYPE_EVENT_CONTROLLER_SCROLL);

  g_assert_true ((gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (scroll)) &
                  GTK_EVENT_CONTROLLER_SCROLL_KINETIC) != 0);
  g_signal_emit_by_name (scroll, "decelerate", 0.0, 1200.0);
  g_assert_true (scope_viewport_is_moving (viewport));
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat (scope_viewport_get_visible (viewport).y, >, before + 100);
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
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
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
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
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
  robot_double_click (canvas, x, y);
  robot_idle (200);
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >, 0.5);
  scope_viewport_to_widget (viewport, rect.x, rect.y, &x, &y);
  g_assert_cmpfloat (x, >, 0);
  g_assert_cmpfloat (y, >, 0);
  g_assert_cmpfloat (y, <, gtk_widget_get_height (canvas));
  robot_stop (&robot);
}

/* A spot of a pixel or two cannot be hit exactly. */
static void
test_click_beside_a_spot_selects_it (void)
{
  g_autofree char *text = toy_format_chain (300);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;
  SymRect rect;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));

  robot_press (&robot, "ctrl+0");
  double scale = scope_viewport_get_scale (viewport);

  g_assert_cmpfloat (scale, <, 0.1);
  g_assert_true (scope_place_find (sym_picture_get_layout (scope_document_get_picture (document)),
                                   toy_find (document, "relu150_output"), SYM_NO_ID, &rect));
  robot_point_in_drawing (&robot, rect.x + rect.width + 3 / scale, rect.y, "click 1");
  robot_settle (&robot);
  g_assert_cmpuint (scope_document_get_selected_value (document), !=, SYM_NO_ID);
  robot_point_in_drawing (&robot, rect.x + rect.width + 12 / scale, rect.y, "click 1");
  robot_settle (&robot);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, SYM_NO_ID);
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
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  GtkWidget *minimap = robot_find_part (&robot, SCOPE_TYPE_MINIMAP);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));

  g_assert_false (is_at_the_end (viewport));
  double before = scope_viewport_get_visible (viewport).y;

  robot_point (minimap, 20, gtk_widget_get_height (minimap) - 6, "click 1");
  g_assert_cmpfloat (scope_viewport_get_visible (viewport).y, >, before);
  g_assert_false (is_at_the_end (viewport)); /* a piece was shown, not all */
  robot_point (minimap, 20, 2, "mousedown 1");
  robot_do ("mousemove_relative -- 0 100");
  robot_do ("mousemove_relative -- 0 200");
  robot_do ("mouseup 1");
  robot_wait_until (is_at_the_end, viewport);
  robot_point (minimap, 20, gtk_widget_get_height (minimap) - 6, "mousedown 1");
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
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  GtkWidget *page = GTK_WIDGET (scope_window_get_page (robot.window));
  double x, y;

  g_assert_true (gtk_widget_translate_coordinates (canvas, page, gtk_widget_get_width (canvas) / 2,
                                                   gtk_widget_get_height (canvas) - 30, &x, &y));
  g_assert_true (gtk_widget_pick (page, x, y, GTK_PICK_DEFAULT) == canvas);
  robot_stop (&robot);
}

/* ---- What stands out ---- */

/* How many pixels of what the canvas paints have a colour of the style sheet. */
static guint
count_pixels (GtkWidget *canvas, const char *name)
{
  int width = gtk_widget_get_width (canvas), height = gtk_widget_get_height (canvas);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  GdkRGBA color;
  guint n = 0;

  g_assert_true (
      gtk_style_context_lookup_color (gtk_widget_get_style_context (canvas), name, &color));
  scope_canvas_paint (SCOPE_CANVAS (canvas), cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  const int wanted[] = { (int) (color.blue * 255 + 0.5f), (int) (color.green * 255 + 0.5f),
                         (int) (color.red * 255 + 0.5f) };

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const guint8 *pixel = pixels + y * stride + 4 * x;

        n += ABS (pixel[0] - wanted[0]) <= 1 && ABS (pixel[1] - wanted[1]) <= 1 &&
             ABS (pixel[2] - wanted[2]) <= 1;
      }
  cairo_surface_destroy (surface);
  return n;
}

/* The outline of the selection goes around that of a mark: neither covers the other. */
static void
test_selected_and_marked_are_both_seen (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);

  g_assert_cmpuint (count_pixels (canvas, "success_color"), ==, 0);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  guint marked = count_pixels (canvas, "success_color");
  guint before = count_pixels (canvas, "accent_bg_color");

  g_assert_cmpuint (marked, >, 100);
  scope_document_select_value (document, toy_find (document, "fc2_output"));
  robot_wait_until (rests, scope_canvas_get_viewport (SCOPE_CANVAS (canvas)));
  g_assert_cmpuint (count_pixels (canvas, "success_color"), >, marked * 9 / 10);
  g_assert_cmpuint (count_pixels (canvas, "accent_bg_color"), >, before + 200);
  robot_stop (&robot);
}

static void
test_hits_and_foreign_parents_stand_out (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);

  robot_do ("key ctrl+f");
  robot_do ("type --delay 30 fc");
  robot_idle (500);
  guint two = count_pixels (canvas, "yellow_4");

  robot_do ("key 2");
  robot_idle (500);
  g_assert_cmpuint (two, >, 200);
  g_assert_cmpuint (count_pixels (canvas, "yellow_4"), <, two);
  g_assert_cmpuint (count_pixels (canvas, "yellow_4"), >, 100);
  robot_do ("key Escape");
  robot_idle (500);
  g_assert_cmpuint (count_pixels (canvas, "yellow_4"), ==, 0);

  g_assert_cmpuint (count_pixels (canvas, "error_color"), ==, 0);
  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  g_assert_cmpuint (count_pixels (canvas, "error_color"), >, 100);
  scope_document_mark_foreign (document);
  toy_wait (document);
  g_assert_cmpuint (count_pixels (canvas, "error_color"), ==, 0);
  robot_stop (&robot);
}

/* By more than a colour, and from afar, where its box is a spot. */
static void
test_contradiction_has_a_badge (void)
{
  g_autoptr (GString) text = g_string_new (TOY ("\"__shape__\":\"(9, 9)\""));
  Robot robot;
  SymRect rect;

  g_string_replace (text, "\"attrs\":{}", "\"attrs\":{\"__shape__\":\"(2, 9)\"}", 1);
  g_autofree char *path = toy_write ("wrong-symbol.json", text->str);

  robot_start (&robot, path);
  ScopeDocument *document = robot_get_document (&robot);
  GtkWidget *canvas = robot_find_part (&robot, SCOPE_TYPE_CANVAS);
  ScopeViewport *viewport = scope_canvas_get_viewport (SCOPE_CANVAS (canvas));
  SymId call = sym_model_get_producer (scope_document_get_model (document),
                                       toy_find (document, "fc1_output"));
  ScopeNode node = scope_node_get (SYM_NO_ID, call);

  g_assert_nonnull (scope_document_get_call_problem (document, call));
  g_assert_true (scope_place_find_node (
      sym_picture_get_layout (scope_document_get_picture (document)), &node, &rect));
  scope_viewport_set_scale (viewport, 0.2);
  robot_wait_until (rests, viewport);
  g_assert_cmpfloat (count_pixels (canvas, "error_color"), >, rect.width * 0.2 * 5 + 40);
  robot_stop (&robot);
}

static gboolean
has_tip (gpointer canvas)
{
  graphene_rect_t rect;

  return scope_canvas_get_tip (canvas, &rect);
}

static gboolean
has_no_tip (gpointer canvas)
{
  return !has_tip (canvas);
}

static void
assert_hides_nothing (Robot *robot, ScopeCanvas *canvas)
{
  static const char *const names[] = { "data",       "fc1_output", "relu1_output",
                                       "fc2_output", "sum_output", "out_output" };
  SymLayout *layout = scope_canvas_get_layout (canvas);
  graphene_rect_t tip, all, box;

  g_assert_true (scope_canvas_get_tip (canvas, &tip));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (canvas), GTK_WIDGET (canvas), &all));
  g_assert_true (graphene_rect_contains_rect (&all, &tip));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SymId value = toy_find (robot_get_document (robot), names[i]);
      double left, top, right, bottom;
      SymRect rect;

      g_assert_true (scope_place_find (layout, value, SYM_NO_ID, &rect));
      scope_viewport_to_widget (canvas->viewport, rect.x, rect.y, &left, &top);
      scope_viewport_to_widget (canvas->viewport, rect.x + rect.width, rect.y + rect.height, &right,
                                &bottom);
      graphene_rect_init (&box, (float) left, (float) top, (float) (right - left),
                          (float) (bottom - top));
      g_assert_false (graphene_rect_intersection (&box, &tip, NULL));
    }
}

/* Neither what is pointed at nor what comes after it. */
static void
test_tip_hides_no_node (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  ScopeCanvas *canvas = SCOPE_CANVAS (robot_find_part (&robot, SCOPE_TYPE_CANVAS));

  g_assert_false (has_tip (canvas));
  robot_point_at_node (&robot, "fc1_output", "sleep 0.1");
  robot_wait_until (has_tip, canvas);
  assert_hides_nothing (&robot, canvas);
  g_assert_nonnull (strstr (pango_layout_get_text (canvas->tip), "fc1_output"));
  robot_point_at_node (&robot, "relu1_output", "sleep 0.1");
  robot_wait_until (has_tip, canvas);
  assert_hides_nothing (&robot, canvas);
  g_assert_nonnull (strstr (pango_layout_get_text (canvas->tip), "relu1_output"));
  robot_point_at_node (&robot, "relu1_output", "click 1");
  robot_wait_until (has_no_tip, canvas);
  robot_point_at_node (&robot, "fc2_output", "sleep 0.1");
  robot_wait_until (has_tip, canvas);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "fc2_output"), "scores", NULL));
  robot_wait_until (has_no_tip, canvas);
  robot_point (GTK_WIDGET (canvas), 5, 300, "sleep 0.1");
  robot_idle (800);
  g_assert_false (has_tip (canvas));
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
  g_test_add_func ("/gui/canvas/wheel-zooms-to-the-pointer-and-drag-pans",
                   test_wheel_zooms_to_the_pointer_and_drag_pans);
  g_test_add_func ("/gui/canvas/tip-hides-no-node", test_tip_hides_no_node);
  g_test_add_func ("/gui/canvas/thrown-drawing-goes-on", test_thrown_drawing_goes_on);
  g_test_add_func ("/gui/canvas/pinch-zooms-between-the-fingers", test_pinch_zooms);
  g_test_add_func ("/gui/canvas/scrolling-is-kinetic", test_scrolling_is_kinetic);
  g_test_add_func ("/gui/canvas/reduced-motion-is-respected", test_reduced_motion_is_respected);
  g_test_add_func ("/gui/canvas/click-beside-a-spot-selects-it",
                   test_click_beside_a_spot_selects_it);
  g_test_add_func ("/gui/canvas/double-click-goes-near", test_double_click_goes_near);
  g_test_add_func ("/gui/canvas/overview-leads-to-where-it-is-clicked",
                   test_overview_leads_to_where_it_is_clicked);
  g_test_add_func ("/gui/canvas/drawing-is-reached-beside-what-floats",
                   test_drawing_is_reached_beside_what_floats);
  g_test_add_func ("/gui/canvas/selected-and-marked-are-both-seen",
                   test_selected_and_marked_are_both_seen);
  g_test_add_func ("/gui/canvas/contradiction-has-a-badge", test_contradiction_has_a_badge);
  g_test_add_func ("/gui/canvas/hits-and-foreign-parents-stand-out",
                   test_hits_and_foreign_parents_stand_out);
  return g_test_run ();
}
