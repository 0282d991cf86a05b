/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/scope-canvas.h"
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

/* A process has one of the two for good. */
static void
test_usual_lines_stand_out (void)
{
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "0", TRUE);
  g_test_trap_subprocess ("/gui/contrast/lines-stand-out", 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  g_test_trap_assert_passed ();
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
  return g_test_run ();
}
