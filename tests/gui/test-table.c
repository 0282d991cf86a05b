/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-summary.h"
#include "robot.h"
#include "toy.h"

static gboolean
has_column (Robot *robot, const char *title)
{
  return robot_find (robot_find_part (robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, title) != NULL;
}

static void
start (Robot *robot)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));

  robot_start (robot, path);
  g_assert_true (scope_document_set_shape_text (robot_get_document (robot),
                                                toy_find (robot_get_document (robot), "data"),
                                                "4,3", NULL));
  robot_settle (robot);
}

/* What the menu of the table does; it must be in there. */
static void
choose (Robot *robot, const char *action)
{
  GtkWidget *summary = robot_find_part (robot, SCOPE_TYPE_SUMMARY);
  GtkWidget *button = robot_find (summary, GTK_TYPE_MENU_BUTTON, NULL);

  g_assert_nonnull (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button)));
  g_assert_true (gtk_widget_activate_action (summary, action, NULL));
  robot_idle (500);
}

static void
test_columns_are_chosen (void)
{
  Robot robot;

  start (&robot);
  g_assert_true (has_column (&robot, "4×8"));
  g_assert_false (has_column (&robot, "256"));
  choose (&robot, "table.macs"); /* 4 rows, 8 * 8 and 3 * 8 */
  g_assert_true (has_column (&robot, "256"));
  g_assert_true (has_column (&robot, "96"));
  choose (&robot, "table.macs");
  g_assert_cmpuint (scope_document_get_view (robot_get_document (&robot))->toggled_columns, ==, 0);
  robot_stop (&robot);
}

static void
test_columns_are_those_of_a_preset (void)
{
  Robot robot;
  GtkWidget *summary;

  start (&robot);
  summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);
  gtk_widget_activate_action (summary, "table.preset", "s", "torchinfo");
  robot_idle (300);
  g_assert_cmpuint (scope_document_get_view (robot_get_document (&robot))->toggled_columns, !=, 0);
  gtk_widget_activate_action (summary, "table.preset", "s", "symbolic");
  robot_idle (300);
  robot_stop (&robot);
}

/* ---- The clipboard ---- */

static void
test_table_is_copied (void)
{
  static const struct { const char *format, *part; } cases[] = {
    { "csv", "fc1,FullyConnected" },
    { "markdown", "| fc1" },
    { "latex", "\\begin{tabular}" },
    { "json", "\"fc1\"" },
    { "text", "fc1" },
  };
  Robot robot;

  start (&robot);
  GtkWidget *summary = robot_find_part (&robot, SCOPE_TYPE_SUMMARY);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gtk_widget_activate_action (summary, "table.copy", "s", cases[i].format);
    robot_idle (500);
    g_autofree char *text = robot_read_clipboard (&robot);

    if (strstr (text, cases[i].part) == NULL)
      g_error ("no “%s” in “%s”", cases[i].part, text);
  }
  robot_stop (&robot);
}

static void
test_totals_tell_what_a_run_takes (void)
{
  Robot robot;

  start (&robot);
  g_assert_true (has_column (&robot, "Multiply-adds"));
  g_assert_true (has_column (&robot, "104"));
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
  g_test_add_func ("/gui/table/columns-are-chosen", test_columns_are_chosen);
  g_test_add_func ("/gui/table/columns-are-those-of-a-preset", test_columns_are_those_of_a_preset);
  g_test_add_func ("/gui/table/table-is-copied", test_table_is_copied);
  g_test_add_func ("/gui/table/totals-tell-what-a-run-takes", test_totals_tell_what_a_run_takes);
  return g_test_run ();
}
