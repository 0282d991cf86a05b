/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas.h"
#include "app/scope-cut-bar.h"
#include "app/scope-inspector.h"
#include "app/scope-page.h"
#include "app/scope-summary.h"
#include "app/scope-wrapped.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

#define TELEPHONE 360 /* pixels */
#define MIDDLING 1100
#define SMALL_SCREEN_WIDTH 800
#define SMALL_SCREEN_HEIGHT 600
#define USUAL_DPI (96 * 1024)

#define WEIGHTS                                                                                  \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                                 \
  "image (float[1, 1, 8, 8] x) => (float[1, 1, 7, 7] y) <float[1, 1, 2, 2] w = {1, 2, 3, -4}>\n" \
  "{ y = Conv (x, w) }\n"

#define SHAPES                                                                           \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                         \
  "image (float[1, 3, 1024, 1824] a_picture_with_a_name_that_is_long) => (int64[4] y)\n" \
  "{ y = Shape (a_picture_with_a_name_that_is_long) }\n"

static gboolean
is_narrow (gpointer data)
{
  Robot *robot = data;

  return gtk_widget_get_width (GTK_WIDGET (robot->window)) <= TELEPHONE;
}

static void
make_narrow (Robot *robot)
{
  robot_resize (robot, TELEPHONE, 600);
  robot_wait_until (is_narrow, robot);
  robot_idle (300);
}

static gboolean
is_shown (Robot *robot, GType part)
{
  return robot_find (GTK_WIDGET (robot->window), part, NULL) != NULL;
}

/* Also with a second tab, which is not seen but takes part in how narrow the window can be. */
static void
test_window_becomes_as_narrow_as_a_telephone (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, other);
  robot_open (&robot, path);
  make_narrow (&robot);
  GtkWidget *bar = robot_find_part (&robot, GTK_TYPE_ACTION_BAR);

  g_assert_nonnull (robot_find (bar, GTK_TYPE_TOGGLE_BUTTON, NULL));
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_do ("key ctrl+m");
  robot_idle (700);
  GtkWidget *save =
      robot_find (robot_find_part (&robot, SCOPE_TYPE_CUT_BAR), GTK_TYPE_BUTTON, "Save…");
  double x, y;

  g_assert_true (gtk_widget_translate_coordinates (save, GTK_WIDGET (robot.window),
                                                   gtk_widget_get_width (save), 0, &x, &y));
  g_assert_cmpfloat (x, <=, TELEPHONE);
  robot_stop (&robot);
}

/* What is wrong with a file is told with its name, and that may be long. */
static void
test_messages_are_read_whole (void)
{
  static const char text[] = "/home/somebody/models/of-last-year/overlay.json: line 1, column 401: "
                             "expected ',' or '}', found the end of the file: it is cut off";
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  make_narrow (&robot);
  toasts_hold ();
  g_action_group_activate_action (G_ACTION_GROUP (robot.window), "show-message",
                                  g_variant_new_string (text));
  toasts_wait_for (text);
  robot_idle (800); /* it slides in */
  GtkWidget *label =
      robot_find (gtk_widget_get_last_child (robot_find_part (&robot, ADW_TYPE_TOAST_OVERLAY)),
                  GTK_TYPE_LABEL, NULL);
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  graphene_rect_t bounds;

  g_assert_cmpint (pango_layout_get_line_count (layout), >, 2);
  g_assert_false (pango_layout_is_ellipsized (layout));
  g_assert_true (gtk_widget_compute_bounds (label, GTK_WIDGET (robot.window), &bounds));
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, TELEPHONE);
  g_assert_cmpint (gtk_widget_get_height (gtk_widget_get_parent (label)), >=,
                   gtk_widget_get_height (label));
  toasts_forget ();
  robot_stop (&robot);
}

/* Nobody draws a window smaller than what it takes at least: with all panels, that is less than
 * where the first of them go. */
static void
test_panels_go_before_they_stop_the_window (void)
{
  static const int widths[] = { 1300, 1100, 1020 };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;
  int least = 0;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_do ("key ctrl+m");
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      robot_resize (&robot, widths[i], 700);
      robot_idle (500);
      gtk_widget_measure (GTK_WIDGET (robot.window), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL,
                          NULL, NULL);
      g_assert_true (is_shown (&robot, SCOPE_TYPE_SUMMARY));
      g_assert_true (is_shown (&robot, SCOPE_TYPE_INSPECTOR));
      g_assert_cmpint (least, <, 1005);
    }
  robot_resize (&robot, 1005, 700);
  robot_idle (500);
  g_assert_false (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  robot_stop (&robot);
}

static void
test_one_panel_takes_the_place_of_another (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  g_assert_true (is_shown (&robot, SCOPE_TYPE_INSPECTOR));
  make_narrow (&robot);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_CANVAS));
  robot_do ("key F9");
  robot_idle (200);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  g_assert_false (is_shown (&robot, SCOPE_TYPE_CANVAS));
  robot_do ("key ctrl+F9");
  robot_idle (200);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_INSPECTOR));
  g_assert_false (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  g_assert_false (is_shown (&robot, SCOPE_TYPE_CANVAS));
  robot_do ("key ctrl+F9");
  robot_idle (200);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_CANVAS));
  robot_resize (&robot, 1400, 900);
  robot_idle (600);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  g_assert_true (is_shown (&robot, SCOPE_TYPE_INSPECTOR));
  robot_stop (&robot);
}

static void
test_larger_text_needs_more_room (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (robot.window));

  robot_resize (&robot, 1200, 800);
  robot_idle (500);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  g_object_set (settings, "gtk-xft-dpi", 2 * USUAL_DPI, NULL);
  robot_idle (500);
  g_assert_false (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  g_assert_true (is_shown (&robot, GTK_TYPE_ACTION_BAR));
  g_object_set (settings, "gtk-xft-dpi", USUAL_DPI, NULL);
  robot_idle (500);
  g_assert_true (is_shown (&robot, SCOPE_TYPE_SUMMARY));
  robot_stop (&robot);
}

static void
test_tools_come_with_a_graph (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, NULL);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Export"));
  robot_open (&robot, path);
  g_assert_nonnull (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Export"));
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Export"));
  robot_stop (&robot);
}

static gboolean
has_shortcuts (gpointer data)
{
  GtkWindow *overlay = GTK_WINDOW (gtk_application_window_get_help_overlay (data));

  return overlay != NULL && gtk_widget_get_mapped (GTK_WIDGET (overlay));
}

static gboolean
has_no_shortcuts (gpointer data)
{
  return !has_shortcuts (data);
}

/* Every warning ends a test. */
/* Names of converted graphs are long, and have no place to be parted at. */
static void
test_long_names_take_no_room (void)
{
  g_autofree char *name = g_strnfill (300, 'n');
  g_autofree char *node = g_strconcat (name, "_output", NULL);
  g_autofree char *text = g_strdup_printf (
      "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []},"
      " {\"op\": \"null\", \"name\": \"%s_weight\", \"inputs\": []},"
      " {\"op\": \"FullyConnected\", \"name\": \"%s\", \"inputs\": [[0, 0, 0], [1, 0, 0]],"
      " \"attrs\": {\"num_hidden\": \"10\", \"no_bias\": \"True\"}}],"
      " \"arg_nodes\": [0, 1], \"heads\": [[2, 0, 0]]}",
      name, name);
  g_autofree char *path = toy_write ("long-symbol.json", text);
  int before, after, least;
  Robot robot;

  robot_start (&robot, path);
  before = gtk_widget_get_width (GTK_WIDGET (robot.window));
  robot_point_at_node (&robot, node, "click 1");
  robot_idle (700);
  after = gtk_widget_get_width (GTK_WIDGET (robot.window));
  gtk_widget_measure (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_ORIENTATION_HORIZONTAL,
                      -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (after, ==, before);
  g_assert_cmpint (least, <=, TELEPHONE);
  robot_stop (&robot);
}

/* What an impossible cut needs may have any name. */
static void
test_long_parents_take_no_room (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *name = g_strnfill (200, 'n');
  ScopeDocument *document;
  Robot robot;
  int least;

  robot_start (&robot, path);
  document = robot_get_document (&robot);
  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "relu1_output"), name, NULL));
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "sum_output"));
  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "fc2_output"));
  robot_settle (&robot);
  robot_idle (500);
  gtk_widget_measure (robot_find_part (&robot, SCOPE_TYPE_CUT_BAR), GTK_ORIENTATION_HORIZONTAL, -1,
                      &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, TELEPHONE);
  robot_stop (&robot);
}

/* What is looked at is not to move away: the inspector is as wide with the longest texts. */
static void
test_selection_moves_nothing (void)
{
  g_autofree char *path =
      toy_write ("wide-symbol.json",
                 "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []},"
                 " {\"op\": \"Activation\", \"name\": \"relu\", \"inputs\": [[0, 0, 0]], \"attrs\":"
                 " {\"act_type\": \"relu\", \"name_that_takes_all_room_there_is\": "
                 "\"text_of_the_same_kind\"}}],"
                 " \"arg_nodes\": [0], \"heads\": [[1, 0, 0]]}");
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);
  int before = gtk_widget_get_width (inspector);

  robot_point_at_node (&robot, "relu_output", "click 1");
  robot_idle (700);
  g_assert_nonnull (robot_find (inspector, GTK_TYPE_LABEL, "text_of_the_same_kind"));
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, before);
  robot_stop (&robot);
}

static gboolean
is_middling (gpointer data)
{
  return gtk_widget_get_width (GTK_WIDGET (((Robot *) data)->window)) <= MIDDLING;
}

/* Where the inspector is no wider than it has to be. */
static GtkWidget *
make_middling (Robot *robot)
{
  robot_resize (robot, MIDDLING, 700);
  robot_wait_until (is_middling, robot);
  robot_idle (500);
  return robot_find_part (robot, SCOPE_TYPE_INSPECTOR);
}

/* Nor do the numbers of weights, and their pictures. */
static void
test_weights_move_nothing (void)
{
  g_autofree char *path = toy_write ("weights.onnxtxt", WEIGHTS);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *inspector = make_middling (&robot);
  int before = gtk_widget_get_width (inspector);

  robot_point_at_node (&robot, "y", "click 1");
  robot_wait_for (inspector, GTK_TYPE_TOGGLE_BUTTON, "Channels Last");
  robot_idle (300);
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, before);
  robot_stop (&robot);
}

/* A long name is elided rather than a shape broken within a number. */
static void
test_shapes_of_parents_are_of_one_line (void)
{
  g_autofree char *path = toy_write ("shapes.onnxtxt", SHAPES);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *inspector = make_middling (&robot);
  int before = gtk_widget_get_width (inspector);

  robot_point_at_node (&robot, "y", "click 1");
  GtkWidget *label = robot_wait_for (inspector, GTK_TYPE_LABEL, "1×3×1024×1824");

  robot_idle (300);
  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (label))), ==, 1);
  g_assert_cmpint (gtk_widget_get_width (inspector), ==, before);
  robot_stop (&robot);
}

/* And have room on a small screen. */
static void
test_shortcuts_are_told_without_warnings (void)
{
  GtkShortcutsWindow *shortcuts;
  Robot robot;

  robot_start (&robot, NULL);
  robot_do ("key ctrl+question");
  robot_wait_until (has_shortcuts, robot.window);
  robot_idle (500);
  shortcuts = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (robot.window));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (shortcuts)), <=, SMALL_SCREEN_WIDTH);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (shortcuts)), <=, SMALL_SCREEN_HEIGHT);
  robot_focus (GTK_WINDOW (shortcuts));
  robot_do ("key Escape");
  robot_wait_until (has_no_shortcuts, robot.window);
  robot_stop (&robot);
}

static gboolean
is_open (gpointer button)
{
  GtkPopover *menu = gtk_menu_button_get_popover (button);

  return menu != NULL && gtk_widget_get_mapped (GTK_WIDGET (menu)) &&
         gtk_widget_get_height (GTK_WIDGET (menu)) > 0;
}

/* On a screen of 600 pixels it has no room below the tools of a narrow window, where GTK would
 * leave it less than nothing. */
static void
test_menu_of_narrow_window_opens_upwards (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  make_narrow (&robot);
  GtkWidget *bar = robot_find_part (&robot, GTK_TYPE_ACTION_BAR);
  GtkWidget *button = robot_find (bar, GTK_TYPE_MENU_BUTTON, NULL);

  robot_click (button);
  robot_wait_until (is_open, button);
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)));
  int y = gdk_popup_get_position_y (GDK_POPUP (gtk_native_get_surface (GTK_NATIVE (menu))));

  g_assert_cmpint (y, <, 300);
  g_assert_cmpint (gtk_widget_get_height (menu), >, 200);
  robot_do ("key Escape"); /* or it keeps the pointer beyond its window */
  robot_idle (300);
  robot_stop (&robot);
}

static gboolean
has_tooltip (GtkWidget *widget)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean is_shown = FALSE;

  if (gtk_widget_get_has_tooltip (widget))
    g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &is_shown);
  return is_shown;
}

/* What is seen is not told again. */
static void
test_title_is_told_where_it_has_no_room (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *title = robot_find_part (&robot, ADW_TYPE_WINDOW_TITLE);
  const char *text = adw_window_title_get_subtitle (ADW_WINDOW_TITLE (title));
  GtkWidget *subtitle = robot_wait_for (title, GTK_TYPE_LABEL, text);

  g_assert_false (has_tooltip (title));
  g_assert_false (has_tooltip (subtitle));
  make_narrow (&robot);
  g_assert_true (has_tooltip (subtitle));
  robot_stop (&robot);
}

static int
get_width (Robot *robot, GType part)
{
  return gtk_widget_get_width (robot_find_part (robot, part));
}

/* Takes hold of the border at the right of a part, or at its left, and moves it. */
static void
drag_border (Robot *robot, GType part, gboolean is_right, int by)
{
  GtkWidget *widget = robot_find_part (robot, part);
  double y = gtk_widget_get_height (widget) / 2.0;

  robot_point (widget, is_right ? gtk_widget_get_width (widget) + 2 : -2, y,
               "mousemove_relative -- 0 1 sleep 0.1 mousedown 1");
  robot_idle (100);
  for (int i = 1; i <= 4; i++)
    {
      robot_do ("mousemove_relative -- %d 0", by / 4);
      robot_idle (50);
    }
  robot_do ("mouseup 1");
  robot_idle (300);
}

static void
test_graph_has_nearly_half_of_the_window (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_settle (&robot);
  g_assert_cmpint (20 * get_width (&robot, SCOPE_TYPE_CANVAS), >=,
                   9 * gtk_widget_get_width (GTK_WIDGET (robot.window)));
  robot_stop (&robot);
}

/* Of other tabs, and of the next window, too. */
static void
test_panes_are_as_wide_as_they_were_made (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-toy-symbol.json", TOY (""));
  Robot robot;
  int summary, inspector;

  robot_clear_home ();
  robot_start (&robot, path);
  robot_settle (&robot);
  summary = get_width (&robot, SCOPE_TYPE_SUMMARY);
  inspector = get_width (&robot, SCOPE_TYPE_INSPECTOR);
  drag_border (&robot, SCOPE_TYPE_SUMMARY, TRUE, 80);
  g_assert_cmpint (ABS (get_width (&robot, SCOPE_TYPE_SUMMARY) - summary - 80), <, 12);
  drag_border (&robot, SCOPE_TYPE_INSPECTOR, FALSE, -60);
  g_assert_cmpint (ABS (get_width (&robot, SCOPE_TYPE_INSPECTOR) - inspector - 60), <, 12);
  summary = get_width (&robot, SCOPE_TYPE_SUMMARY);
  inspector = get_width (&robot, SCOPE_TYPE_INSPECTOR);
  robot_open (&robot, other);
  robot_settle (&robot);
  g_assert_cmpint (get_width (&robot, SCOPE_TYPE_SUMMARY), ==, summary);
  g_assert_cmpint (get_width (&robot, SCOPE_TYPE_INSPECTOR), ==, inspector);
  robot_stop (&robot);
  robot_start (&robot, path);
  robot_idle (300);
  g_assert_cmpint (get_width (&robot, SCOPE_TYPE_SUMMARY), ==, summary);
  g_assert_cmpint (get_width (&robot, SCOPE_TYPE_INSPECTOR), ==, inspector);
  drag_border (&robot, SCOPE_TYPE_INSPECTOR, FALSE, 40); /* it can be narrower again */
  g_assert_cmpint (get_width (&robot, SCOPE_TYPE_INSPECTOR), <, inspector - 20);

  /* Who drags a tab keeps its page longer than what is in it. */
  GtkWidget *shown = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);
  g_autoptr (GtkWidget) page = g_object_ref (gtk_widget_get_ancestor (shown, SCOPE_TYPE_PAGE));

  g_assert_nonnull (page);
  gtk_widget_set_visible (shown, FALSE);
  gtk_widget_set_visible (shown, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.close-tab", NULL);
  robot_idle (400);
  robot_stop (&robot);
  robot_clear_home ();
}

/* At any width at which the longest word has room; below, words are broken as ever. */
static void
test_numbers_stay_with_what_they_count (void)
{
  static const char text[] = "conv2, Convolution, 1×64×28×28, 1 parent, 12 children (872.0 KiB)";
  g_autoptr (GtkWidget) label = g_object_ref_sink (gtk_label_new (NULL));

  scope_wrapped_set_text (label, text);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (label, text);
  int widest;

  pango_layout_set_attributes (layout, gtk_label_get_attributes (GTK_LABEL (label)));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_get_pixel_size (layout, &widest, NULL);
  for (int width = 100; width < widest; width++)
    {
      pango_layout_set_width (layout, width * PANGO_SCALE);
      g_assert_cmpint (pango_layout_get_line_count (layout), >, 1);
      for (int i = 1; i < pango_layout_get_line_count (layout); i++)
        {
          PangoLayoutLine *line = pango_layout_get_line_readonly (layout, i);
          g_autofree char *rest = g_strndup (text + line->start_index, (gsize) line->length);

          g_assert_false (g_str_has_prefix (rest, "parent"));
          g_assert_false (g_str_has_prefix (rest, "children"));
          g_assert_false (g_str_has_prefix (rest, "KiB"));
        }
    }
  pango_layout_set_width (layout, 40 * PANGO_SCALE);
  g_assert_cmpint (pango_layout_get_line_count (layout), >, 8);
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
  g_test_add_func ("/gui/room/messages-are-read-whole", test_messages_are_read_whole);
  g_test_add_func ("/gui/room/window-becomes-as-narrow-as-a-telephone",
                   test_window_becomes_as_narrow_as_a_telephone);
  g_test_add_func ("/gui/room/panels-go-before-they-stop-the-window",
                   test_panels_go_before_they_stop_the_window);
  g_test_add_func ("/gui/room/one-panel-takes-the-place-of-another",
                   test_one_panel_takes_the_place_of_another);
  g_test_add_func ("/gui/room/larger-text-needs-more-room", test_larger_text_needs_more_room);
  g_test_add_func ("/gui/room/tools-come-with-a-graph", test_tools_come_with_a_graph);
  g_test_add_func ("/gui/room/long-names-take-no-room", test_long_names_take_no_room);
  g_test_add_func ("/gui/room/long-parents-take-no-room", test_long_parents_take_no_room);
  g_test_add_func ("/gui/room/numbers-stay-with-what-they-count",
                   test_numbers_stay_with_what_they_count);
  g_test_add_func ("/gui/room/selection-moves-nothing", test_selection_moves_nothing);
  g_test_add_func ("/gui/room/weights-move-nothing", test_weights_move_nothing);
  g_test_add_func ("/gui/room/shapes-of-parents-are-of-one-line",
                   test_shapes_of_parents_are_of_one_line);
  g_test_add_func ("/gui/room/shortcuts-are-told-without-warnings",
                   test_shortcuts_are_told_without_warnings);
  g_test_add_func ("/gui/room/menu-of-narrow-window-opens-upwards",
                   test_menu_of_narrow_window_opens_upwards);
  g_test_add_func ("/gui/room/graph-has-nearly-half-of-the-window",
                   test_graph_has_nearly_half_of_the_window);
  g_test_add_func ("/gui/room/panes-are-as-wide-as-they-were-made",
                   test_panes_are_as_wide_as_they_were_made);
  g_test_add_func ("/gui/room/title-is-told-where-it-has-no-room",
                   test_title_is_told_where_it_has_no_room);
  return g_test_run ();
}
