/* SPDX-License-Identifier: MIT */
#include "robot.h"
#include "toy.h"

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

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  robot_clear_home ();
  g_setenv ("ADW_DEBUG_HIGH_CONTRAST", "1", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/contrast/graphs-follow-the-desktop", test_graphs_follow_the_desktop);
  return g_test_run ();
}
