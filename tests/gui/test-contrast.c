/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/scope-canvas-private.h"
#include "draw/sym-theme-private.h"
#include "robot.h"
#include "toy.h"

/* WCAG 2. */
static double
get_luminance (const GdkRGBA *color)
{
  const double parts[] = { color->red, color->green, color->blue };
  static const double weights[] = { 0.2126, 0.7152, 0.0722 };
  double sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    sum += weights[i] *
           (parts[i] <= 0.04045 ? parts[i] / 12.92 : pow ((parts[i] + 0.055) / 1.055, 2.4));
  return sum;
}

static GdkRGBA
to_color (SymRgb rgb)
{
  return (GdkRGBA){ (float) (rgb >> 16 & 0xff) / 255, (float) (rgb >> 8 & 0xff) / 255,
                    (float) (rgb & 0xff) / 255, 1 };
}

static double
get_contrast (const GdkRGBA *first, const GdkRGBA *second)
{
  double a = get_luminance (first), b = get_luminance (second);

  return (MAX (a, b) + 0.05) / (MIN (a, b) + 0.05);
}

/* What the desktop says of colours, told to libadwaita as its own tests do, is what graphs are
 * drawn in. */
static void
test_graphs_follow_the_desktop (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  AdwStyleManager *style = adw_style_manager_get_default ();
  ScopeSettings *settings = scope_application_get_settings (robot.application);
  ScopeDocument *document = robot_get_document (&robot);

  g_assert_true (adw_style_manager_get_high_contrast (style));
  g_assert_cmpint (scope_document_get_view (document)->theme, ==, SYM_THEME_LIGHT_CONTRAST);
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_COLORS, 2, NULL));
  robot_settle (&robot);
  g_assert_true (adw_style_manager_get_dark (style));
  g_assert_cmpint (scope_document_get_view (document)->theme, ==, SYM_THEME_DARK_CONTRAST);
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_COLORS, 0, NULL));
  robot_settle (&robot);
  g_assert_cmpint (scope_document_get_view (document)->theme, ==, SYM_THEME_LIGHT_CONTRAST);
  robot_stop (&robot);
}

/* Lines of what is selected stand out of all others: on the ground they have more contrast. */
static void
check_lines (Robot *robot, int colors)
{
  ScopeSettings *settings = scope_application_get_settings (robot->application);

  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_COLORS, colors, NULL));
  robot_settle (robot);
  GtkWidget *canvas = robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_CANVAS, NULL);
  SymTheme theme = scope_document_get_view (robot_get_document (robot))->theme;
  const SymPalette *palette = sym_theme_get_palette (theme);
  GdkRGBA near, ground = to_color (palette->background);
  GdkRGBA line = to_color (palette->lines[SYM_LINE_DATA]);

  g_assert_true (
      gtk_style_context_lookup_color (gtk_widget_get_style_context (canvas), "near_color", &near));
  g_assert_cmpfloat (get_contrast (&near, &ground), >, 1.4 * get_contrast (&line, &ground));
}

static void
test_lines_stand_out (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  g_assert_cmpint (adw_style_manager_get_high_contrast (adw_style_manager_get_default ()), ==,
                   !g_test_subprocess ());
  check_lines (&robot, 1);
  check_lines (&robot, 2);
  robot_stop (&robot);
}

/* ---- What is written on what stands out ---- */

#define ZOOM 4 /* letters have inner pixels of their own colour */

static GdkRGBA
get_pixel (const guint8 *pixels, int stride, int x, int y)
{
  const guint8 *pixel = pixels + y * stride + 4 * x;

  return (GdkRGBA){ pixel[2] / 255.0f, pixel[1] / 255.0f, pixel[0] / 255.0f, 1 };
}

/* The most contrast that a place of an image has with the colour of its first pixel. */
static double
find_most_contrast (cairo_surface_t *surface, const SymRect *place)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  GdkRGBA ground = get_pixel (pixels, stride, (int) place->x, (int) place->y);
  double most = 1;

  for (int y = (int) place->y; y < (int) (place->y + place->height); y++)
    for (int x = (int) place->x; x < (int) (place->x + place->width); x++)
      {
        GdkRGBA color = get_pixel (pixels, stride, x, y);

        most = MAX (most, get_contrast (&color, &ground));
      }
  return most;
}

/* Where the shape of a value is written below its layer, in pixels of an image that is ZOOM times
 * as large. */
static SymRect
find_shape (Robot *robot, ScopeCanvas *canvas, const char *name)
{
  ScopeDocument *document = robot_get_document (robot);
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));
  const SymScene *scene = sym_layout_get_scene (layout);
  guint item = sym_scene_find_value (scene, toy_find (document, name));
  const SymSceneItem *box = sym_scene_get_item (scene, item);
  SymPoint corner = sym_layout_get_position (layout, item);
  double left, top, right, bottom;

  scope_viewport_to_widget (scope_canvas_get_viewport (canvas), corner.x + box->width / 4,
                            corner.y + box->height * 0.79, &left, &top);
  scope_viewport_to_widget (scope_canvas_get_viewport (canvas), corner.x + box->width * 3 / 4,
                            corner.y + box->height * 0.88, &right, &bottom);
  return (SymRect){ left * ZOOM, top * ZOOM, (right - left) * ZOOM, (bottom - top) * ZOOM };
}

static double
measure_shape (Robot *robot, const char *name)
{
  GtkWidget *canvas = robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_CANVAS, NULL);
  int width = gtk_widget_get_width (canvas) * ZOOM, height = gtk_widget_get_height (canvas) * ZOOM;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  SymRect place = find_shape (robot, SCOPE_CANVAS (canvas), name);

  cairo_scale (cr, ZOOM, ZOOM);
  scope_canvas_paint (SCOPE_CANVAS (canvas), cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  double contrast = find_most_contrast (surface, &place);

  cairo_surface_destroy (surface);
  return contrast;
}

static void
check_shape (Robot *robot, int colors)
{
  ScopeSettings *settings = scope_application_get_settings (robot->application);

  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_COLORS, colors, NULL));
  robot_settle (robot);
  double plain = measure_shape (robot, "relu1_output");

  g_assert_cmpfloat (plain, >=, 4.5);
  robot_do ("key ctrl+f");
  robot_do ("type --delay 30 relu1");
  robot_idle (500);
  robot_settle (robot);
  double found = measure_shape (robot, "relu1_output");

  g_assert_cmpfloat (found, !=, plain);
  g_assert_cmpfloat (found, >=, 4.5);
  robot_do ("key Escape");
  robot_idle (500);
}

static void
test_what_is_found_can_be_read (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  check_shape (&robot, 1);
  check_shape (&robot, 2);
  robot_stop (&robot);
}

/* ---- Both contrasts ---- */

/* A process has one of the two for good. */
static void
run_with_usual_contrast (const char *test)
{
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "0", TRUE);
  g_test_trap_subprocess (test, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  g_test_trap_assert_passed ();
}

static void
test_usual_lines_stand_out (void)
{
  run_with_usual_contrast ("/gui/contrast/lines-stand-out");
}

static void
test_what_is_found_can_usually_be_read (void)
{
  run_with_usual_contrast ("/gui/contrast/what-is-found-can-be-read");
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  robot_clear_home ();
  if (g_getenv ("ADW_DEBUG_HIGH_CONTRAST") == NULL)
    g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/contrast/graphs-follow-the-desktop", test_graphs_follow_the_desktop);
  g_test_add_func ("/gui/contrast/lines-stand-out", test_lines_stand_out);
  g_test_add_func ("/gui/contrast/usual-lines-stand-out", test_usual_lines_stand_out);
  g_test_add_func ("/gui/contrast/what-is-found-can-be-read", test_what_is_found_can_be_read);
  g_test_add_func ("/gui/contrast/what-is-found-can-usually-be-read",
                   test_what_is_found_can_usually_be_read);
  return g_test_run ();
}
