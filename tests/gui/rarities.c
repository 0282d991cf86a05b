/* SPDX-License-Identifier: MIT */
#include "rarities.h"

#include "app/scope-bookmarks-dialog.h"
#include "app/scope-canvas.h"
#include "app/scope-compare-bar.h"
#include "app/scope-compare-dialog.h"
#include "app/scope-export-dialog.h"
#include "app/scope-run-dialog.h"
#include "camera.h"
#include "toy.h"

static void
click_in (GtkWidget *root, const char *label)
{
  robot_click (robot_wait_for (root, GTK_TYPE_BUTTON, label));
}

/* ---- Cuts ---- */

void
rarities_look_at_foreign_parents (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  camera_select (&robot, "block2_output"); /* the sum of relu4 and pool1 */
  robot_do ("key o");
  camera_select (&robot, "conv4_output"); /* on the way to relu4 alone */
  robot_do ("key i");
  camera_settle (&robot);
  camera_shoot ("foreign-parent");
  camera_act (&robot, "win.fit", NULL);
  camera_settle (&robot);
  camera_shoot ("foreign-parent-fit");
  GtkWidget *add =
      robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Add “pool1_output” as Input");

  if (add == NULL)
    g_printerr ("no offer to add a parent\n");
  else
    robot_click (add);
  camera_settle (&robot);
  camera_shoot ("foreign-parent-added");
  robot_stop (&robot);
}

/* ---- Long reads ---- */

static gboolean
is_reading (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document != NULL && scope_document_get_progress (document) != NULL;
}

void
rarities_look_at_long_reads (void)
{
  g_autofree char *text = toy_format_unequal_chain (600000);
  g_autofree char *path = toy_write ("chain-600000-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Robot robot;

  camera_start (&robot, NULL);
  g_application_open (G_APPLICATION (robot.application), &file, 1, "");
  robot_wait_until (is_reading, &robot);
  camera_shoot ("reading");
  GtkWidget *cancel = robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Cancel");

  if (cancel != NULL && gtk_widget_get_mapped (cancel))
    robot_click (cancel);
  else
    g_printerr ("it was read before anybody could cancel\n");
  robot_idle (800);
  camera_shoot ("reading-cancelled");
  robot_stop (&robot);
}

/* ---- Runs ---- */

static gboolean
has_record (gpointer data)
{
  return scope_document_get_record (robot_get_document (data)) != NULL;
}

void
rarities_look_at_unknown_operators (void)
{
  g_autofree char *path =
      toy_write ("unknown.onnxtxt", "<ir_version: 8, opset_import: [\"\" : 13, \"acme\" : 1]>\n"
                                    "thing (float[2, 3] x) => (float[2, 3] y)\n"
                                    "{\n"
                                    "   a = Relu (x)\n"
                                    "   b = acme.Frobnicate (a)\n"
                                    "   c = Abs (a)\n"
                                    "   y = Add (b, c)\n"
                                    "}\n");
  Robot robot;

  camera_start (&robot, path);
  robot_do ("key F5");
  camera_focus_dialog (&robot);
  camera_shoot ("unknown-operator-dialog");
  click_in (GTK_WIDGET (robot_find_window (SCOPE_TYPE_RUN_DIALOG)), "Run");
  robot_wait_until (has_record, &robot);
  robot_focus (GTK_WINDOW (robot.window));
  camera_settle (&robot);
  camera_shoot ("unknown-operator");
  camera_select (&robot, "b");
  camera_shoot_inspector (&robot, "unknown-operator-inspector");
  robot_stop (&robot);
}

/* ---- Dialogs that are the desktop's ---- */

void
rarities_look_at_choosers (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  camera_act (&robot, "win.choose-weights", NULL);
  camera_focus_dialog (&robot);
  robot_idle (800);
  camera_shoot ("choose-weights");
  robot_do ("key Escape");
  robot_idle (600);
  robot_focus (GTK_WINDOW (robot.window));
  camera_act (&robot, "win.export", NULL);
  camera_focus_dialog (&robot);
  robot_idle (600);
  click_in (GTK_WIDGET (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG)), "Copy");
  robot_idle (1200);
  camera_shoot ("picture-copied");
  click_in (GTK_WIDGET (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG)), "Print…");
  robot_idle (1500);
  camera_shoot ("print");
  camera_close_windows (&robot);
  robot_stop (&robot);
}

/* ---- Many nodes ---- */

void
rarities_look_at_many_nodes (void)
{
  g_autofree char *text = toy_format_unequal_chain (20000);
  g_autofree char *path = toy_write ("chain-20000-symbol.json", text);
  Robot robot;

  camera_start (&robot, path);
  camera_select (&robot, "clip10000_output");
  camera_shoot_inspector (&robot, "many-selected");
  robot_do ("key o");
  camera_settle (&robot);
  camera_shoot ("many-cut");
  camera_act (&robot, "win.clear-marks", NULL);
  robot_do ("key ctrl+f");
  robot_do ("type --delay 20 'a_max>19000'");
  robot_idle (1200);
  camera_shoot ("many-found");
  robot_do ("key Escape");
  robot_do ("key Escape");
  camera_act (&robot, "win.unfold-all", NULL);
  camera_settle (&robot);
  camera_shoot ("many-unfolded");
  camera_act (&robot, "win.fit", NULL);
  camera_settle (&robot);
  camera_shoot ("many-unfolded-fit");
  camera_act (&robot, "win.drawing", "layers");
  camera_settle (&robot);
  camera_act (&robot, "win.zoom-one", NULL);
  camera_settle (&robot);
  camera_shoot ("many-layers");
  robot_stop (&robot);
}

/* ---- Comparisons ---- */

static gboolean
is_compared (gpointer data)
{
  return scope_document_get_comparison (robot_get_document (data)) != NULL;
}

static char *
write_graph (const char *name, const char *layers)
{
  g_autofree char *text =
      g_strdup_printf ("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                       "g (float[1, 8, 32, 32] image) => (float[1, 8, 32, 32] y) {\n%s}\n",
                       layers);

  return toy_write (name, text);
}

static void
start_compared (Robot *robot)
{
  g_autofree char *old = write_graph (
      "before.onnxtxt", "  a = Relu (image)\n  b = Sigmoid (a)\n  k = Tanh (b)\n"
                        "  c = Elu <alpha = 1.5> (k)\n  m = Floor (c)\n  y = Neg (m)\n");
  g_autofree char *new = write_graph (
      "after.onnxtxt", "  a = Relu (image)\n  k = Tanh (a)\n  c = Elu <alpha = 2.5> (k)\n"
                       "  m = Floor (c)\n  d = Abs (m)\n  y = Neg (d)\n");

  camera_start (robot, old);
  robot_open (robot, new);
  robot_focus (GTK_WINDOW (robot->window));
  camera_act (robot, "win.compare", NULL);
  camera_focus_dialog (robot);
  robot_wait_for (GTK_WIDGET (robot_find_window (SCOPE_TYPE_COMPARE_DIALOG)), GTK_TYPE_LABEL,
                  "Another File…");
  camera_shoot ("compare-dialog");
  robot_do ("key Return");
  robot_wait_until (is_compared, robot);
  robot_focus (GTK_WINDOW (robot->window));
  camera_settle (robot);
}

void
rarities_look_at_comparisons (void)
{
  Robot robot;

  start_compared (&robot);
  camera_shoot ("compared");
  robot_do ("key F7");
  camera_settle (&robot);
  camera_shoot_inspector (&robot, "compared-removed");
  robot_do ("key F7");
  camera_settle (&robot);
  camera_shoot_inspector (&robot, "compared-changed");
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_COMPARE_BAR), GTK_TYPE_MENU_BUTTON, NULL));
  robot_idle (600);
  camera_shoot ("compared-list");
  robot_stop (&robot);
}

/* ---- Bookmarks ---- */

void
rarities_look_at_bookmarks (void)
{
  static const char *const values[] = { "conv2_output", "block2_output", "relu4_output" };
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  camera_act (&robot, "win.bookmarks", NULL);
  camera_focus_dialog (&robot);
  camera_shoot ("bookmarks-none");
  camera_close_windows (&robot);
  robot_focus (GTK_WINDOW (robot.window));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      camera_select (&robot, values[i]);
      camera_act (&robot, "win.add-bookmark", NULL);
    }
  robot_idle (600);
  camera_shoot ("bookmark-added");
  camera_act (&robot, "win.bookmarks", NULL);
  camera_focus_dialog (&robot);
  camera_shoot ("bookmarks");
  robot_do ("key F2");
  robot_idle (600);
  camera_shoot ("bookmarks-rename");
  camera_close_windows (&robot);
  robot_stop (&robot);
}
