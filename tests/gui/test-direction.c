/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas.h"
#include "app/scope-cell.h"
#include "app/scope-fact.h"
#include "app/scope-legend.h"
#include "app/scope-minimap.h"
#include "robot.h"
#include "toy.h"

static void
start (Robot *robot)
{
  g_autoptr (GString) text = g_string_new (TOY (""));

  g_string_replace (text, "\"attrs\":{}", "\"attrs\":{\"__shape__\":\"(4, 3)\"}", 1);
  g_autofree char *path = toy_write ("toy-symbol.json", text->str);

  robot_start (robot, path);
  scope_document_select_value (robot_get_document (robot),
                               toy_find (robot_get_document (robot), "fc2_output"));
  robot_settle (robot);
}

/* As long as nobody has translated it, GTK's own translations turn nothing around. */
static void
test_follows_the_translation (void)
{
  Robot robot;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  start (&robot);
  g_assert_cmpint (gtk_widget_get_default_direction (), ==, GTK_TEXT_DIR_LTR);
  g_assert_cmpint (gtk_widget_get_direction (GTK_WIDGET (robot.window)), ==, GTK_TEXT_DIR_LTR);
  robot_stop (&robot);
}

/* The widgets of a type below one, hidden ones too. */
static void
collect (GtkWidget *widget, GType type, GPtrArray *found)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

/* Where nothing in it says which way it is written. */
static void
check_label (GtkWidget *label)
{
  PangoContext *context = pango_layout_get_context (gtk_label_get_layout (GTK_LABEL (label)));

  g_assert_cmpint (pango_context_get_base_dir (context), ==, PANGO_DIRECTION_LTR);
}

static void
check_numbers (Robot *robot)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new (), cells = g_ptr_array_new ();
  guint n_shapes = 0, n_entries = 0;

  collect (GTK_WIDGET (robot->window), GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++)
    if (g_regex_match_simple ("^4×[38]$", gtk_label_get_text (labels->pdata[i]), 0, 0))
      {
        check_label (labels->pdata[i]);
        n_shapes++;
        n_entries += GTK_IS_TEXT (gtk_widget_get_parent (labels->pdata[i]));
      }
  g_assert_cmpuint (n_shapes, >, 1); /* the node's and its parent's */
  collect (GTK_WIDGET (robot->window), SCOPE_TYPE_CELL, cells);
  g_assert_cmpuint (cells->len, >, 10);
  for (guint i = 0; i < cells->len; i++)
    if (*scope_cell_get_text (cells->pdata[i]) != '\0' && gtk_widget_get_mapped (cells->pdata[i]))
      g_assert_cmpint (pango_context_get_base_dir (gtk_widget_get_pango_context (cells->pdata[i])),
                       ==, PANGO_DIRECTION_LTR);
  g_assert_cmpuint (n_entries, ==, 1);
}

/* Figures of a column stand below each other, and their heading above them. */
static void
check_columns (Robot *robot)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  guint n_figures = 0;

  collect (GTK_WIDGET (robot->window), SCOPE_TYPE_CELL, cells);
  for (guint i = 0; i < cells->len; i++)
    if (g_regex_match_simple ("^(32|72)$", scope_cell_get_text (cells->pdata[i]), 0, 0))
      {
        g_assert_cmpint (gtk_widget_get_direction (cells->pdata[i]), ==, GTK_TEXT_DIR_LTR);
        n_figures++;
      }
  g_assert_cmpuint (n_figures, ==, 2);
}

static double
get_left (Robot *robot, GType type)
{
  GtkWidget *canvas = robot_find_part (robot, SCOPE_TYPE_CANVAS);
  double x, y;

  g_assert_true (
      gtk_widget_translate_coordinates (robot_find_part (robot, type), canvas, 0, 0, &x, &y));
  return x;
}

/* Everything else is mirrored, with a translation that says so. */
static void
test_shapes_are_not_turned_around (void)
{
  Robot robot;

  start (&robot);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  robot_settle (&robot);
  robot_idle (500);
  check_numbers (&robot);
  check_columns (&robot);
  g_assert_cmpfloat (get_left (&robot, SCOPE_TYPE_LEGEND), <, 50); /* the drawing keeps beside it */
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
  robot_clear_home ();
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/direction/follows-the-translation", test_follows_the_translation);
  g_test_add_func ("/gui/direction/shapes-are-not-turned-around",
                   test_shapes_are_not_turned_around);
  return g_test_run ();
}
