/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas.h"
#include "app/scope-export-dialog.h"
#include "app/scope-inspector.h"
#include "app/scope-numbers.h"
#include "app/scope-run-dialog.h"
#include "app/scope-search.h"
#include "app/scope-summary.h"
#include "app/scope-table.h"
#include "camera.h"
#include "rarities.h"
#include "tour.h"
#include "toy.h"
#include "watchdog.h"

/* Takes a picture of every page, to be looked at by people:
 *
 *   looks FOLDER DATA WIDTH HEIGHT [PAGE|FILE...]
 *
 * with DATA the project's data/, on a screen of at least that size, and FILE the whole path of a
 * graph. ADW_DEBUG_COLOR_SCHEME, ADW_DEBUG_HIGH_CONTRAST and GDK_SCALE choose the rest, LOOKS_RTL
 * that all is right to left, LOOKS_LETTERS how many times as large as usual letters are.  Whenever
 * the window does not answer for longer than LIMIT_MS, that is told on standard error. */
#define LIMIT_MS 100

static void
look_at_welcome (void)
{
  Robot robot;

  camera_start (&robot, NULL);
  camera_shoot ("welcome");
  robot_do ("key Tab");
  robot_do ("key Tab");
  camera_shoot ("welcome-keyboard");
  robot_do ("key F10");
  camera_shoot ("main-menu");
  robot_do ("key Escape");
  camera_act (&robot, "app.preferences", NULL);
  camera_focus_dialog (&robot);
  camera_shoot ("preferences");
  camera_close_windows (&robot);
  camera_act (&robot, "win.show-help-overlay", NULL);
  camera_focus_dialog (&robot);
  camera_shoot ("shortcuts");
  camera_close_windows (&robot);
  camera_act (&robot, "app.about", NULL);
  camera_focus_dialog (&robot);
  camera_shoot ("about");
  camera_close_windows (&robot);
  robot_stop (&robot);
}

static void
look_at_errors (void)
{
  static const struct {
    const char *shot, *name, *text;
  } cases[] = {
    { "error-broken", "broken-symbol.json", "{\"nodes\": [1, 2" },
    { "error-letter", "letter.txt", "Dear reader,\nthis is no graph.\n" },
    { "error-notebook", "notebook.ipynb",
      "{\"cells\": [], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}" },
    { "empty-file", "empty.json", "" },
    { "empty-graph", "nothing-symbol.json",
      "{\"nodes\": [], \"arg_nodes\": [], \"node_row_ptr\": [0], \"heads\": []}" },
    { "one-node", "one-symbol.json",
      "{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}], \"arg_nodes\": [0], "
      "\"heads\": [[0, 0, 0]]}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = toy_write (cases[i].name, cases[i].text);
      Robot robot;

      camera_start (&robot, path);
      camera_shoot (cases[i].shot);
      robot_stop (&robot);
    }
}

static void
look_at_contradiction (void)
{
  g_autoptr (GString) text = g_string_new (TOY ("\"__shape__\":\"(9, 9)\""));
  Robot robot;

  g_string_replace (text, "\"attrs\":{}", "\"attrs\":{\"__shape__\":\"(2, 9)\"}", 1);
  g_autofree char *path = toy_write ("wrong-symbol.json", text->str);

  camera_start (&robot, path);
  camera_shoot ("contradiction");
  robot_stop (&robot);
}

static void
look_at_graph (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  static const char *presets[] = { "symbolic", "keras", "torchinfo", "mxnet" };
  Robot robot;

  camera_start (&robot, path);
  camera_shoot ("graph-data");
  camera_select (&robot, "conv2_output");
  camera_shoot_inspector (&robot, "inspector-node");
  camera_act (&robot, "win.drawing", "layers");
  camera_settle (&robot);
  camera_shoot ("graph-layers");
  camera_act (&robot, "win.direction", "right");
  camera_settle (&robot);
  camera_act (&robot, "win.fit", NULL);
  camera_settle (&robot);
  camera_shoot ("graph-right");
  camera_act (&robot, "win.direction", "down");
  camera_act (&robot, "win.drawing", "data");
  camera_settle (&robot);
  for (guint i = 0; camera_find_summary (&robot) != NULL && i < G_N_ELEMENTS (presets); i++)
    {
      g_autofree char *name = g_strconcat ("summary-", presets[i], NULL);
      GtkWidget *summary = camera_find_summary (&robot);

      if (!gtk_widget_activate_action (summary, "table.preset", "s", presets[i]))
        g_printerr ("no preset\n");
      camera_settle (&robot);
      camera_shoot (name);
    }
  if (camera_find_summary (&robot) != NULL)
    gtk_widget_activate_action (camera_find_summary (&robot), "table.reset", NULL);
  camera_select (&robot, "conv2_output");
  gtk_widget_grab_focus (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_CANVAS, NULL));
  robot_do ("key e");
  camera_settle (&robot);
  camera_shoot_inspector (&robot, "inspector-edge");
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "conv2_weight"));
  camera_settle (&robot);
  camera_shoot_inspector (&robot, "inspector-parameter");
  robot_stop (&robot);
}

static void
look_at_cut (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  camera_select (&robot, "relu2_output");
  robot_do ("key o");
  camera_settle (&robot);
  camera_shoot ("cut-possible");
  camera_select (&robot, "conv2_output");
  robot_do ("key i");
  camera_settle (&robot);
  camera_shoot ("cut-inputs");
  camera_act (&robot, "win.clear-marks", NULL);
  camera_select (&robot, "relu2_output");
  robot_do ("key a");
  camera_settle (&robot);
  camera_shoot ("trace");
  robot_do ("key n");
  camera_settle (&robot);
  camera_shoot ("neighbourhood");
  robot_do ("key Escape");
  robot_do ("key Escape");
  camera_settle (&robot);
  camera_select (&robot, "relu2_output");
  robot_do ("key Menu");
  camera_shoot ("menu-node");
  robot_do ("key Escape");
  robot_do ("key Escape");
  robot_do ("key Menu");
  camera_shoot ("menu-canvas");
  robot_do ("key Escape");
  robot_do ("key ctrl+f");
  robot_do ("type --delay 20 'type:conv kernel:3'");
  robot_idle (800);
  camera_shoot ("search");
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 'nothing_like_it'");
  robot_idle (800);
  camera_shoot ("search-none");
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 'params>'");
  robot_idle (800);
  camera_shoot ("search-wrong");
  robot_stop (&robot);
}

static gboolean
has_record (gpointer data)
{
  return scope_document_get_record (robot_get_document (data)) != NULL;
}

static GtkWidget *
find_in_dialog (GType dialog, GType type, const char *text)
{
  return robot_wait_for (GTK_WIDGET (robot_find_window (dialog)), type, text);
}

static void
run (Robot *robot, const char *shot)
{
  robot_do ("key F5");
  camera_focus_dialog (robot);
  camera_shoot (shot);
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_BUTTON, "Run"));
  robot_wait_until (has_record, robot);
  robot_focus (GTK_WINDOW (robot->window));
  camera_settle (robot);
}

/* Pointed at where it surely is on the screen: in a low window its numbers are below. */
static void
scroll_inspector (Robot *robot)
{
  GtkWidget *inspector = robot_find_part (robot, SCOPE_TYPE_INSPECTOR);

  robot_point (inspector, gtk_widget_get_width (inspector) / 2.0,
               gtk_widget_get_height (inspector) / 2.0, "click 5");
}

static void
look_at_run (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  run (&robot, "run-dialog");
  camera_shoot ("run-done");
  camera_select (&robot, "conv2_output");
  camera_act (&robot, "win.show-inspector", NULL);
  camera_act (&robot, "win.show-inspector", NULL);
  if (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_NUMBERS, NULL) == NULL)
    camera_act (&robot, "win.show-inspector", NULL);
  robot_idle (800);
  camera_shoot ("inspector-values");
  GtkWidget *numbers = robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_NUMBERS, NULL);

  for (guint i = 0; numbers != NULL && i < 12; i++)
    scroll_inspector (&robot);
  camera_shoot ("inspector-values-below");
  GtkWidget *table = numbers != NULL ? robot_find (numbers, GTK_TYPE_BUTTON, "Table…") : NULL;

  if (table != NULL)
    {
      g_signal_emit_by_name (table, "clicked");
      camera_focus_dialog (&robot);
      robot_idle (800);
      camera_shoot ("values-table");
      camera_close_windows (&robot);
    }
  camera_act (&robot, "win.color-by", "time");
  camera_settle (&robot);
  camera_shoot ("color-time");
  robot_do ("key F5");
  camera_focus_dialog (&robot);
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_SWITCH, NULL));
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_BUTTON, "Run"));
  robot_idle (1000);
  robot_focus (GTK_WINDOW (robot.window));
  camera_settle (&robot);
  camera_shoot ("run-failed");
  robot_stop (&robot);
}

static void
look_at_colors (void)
{
  static const char *kinds[] = { "parameters", "bytes", "multiply-adds", "dtype", "found" };
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat ("color-", kinds[i], NULL);

      camera_act (&robot, "win.color-by", kinds[i]);
      camera_settle (&robot);
      camera_shoot (name);
    }
  robot_stop (&robot);
}

static void
look_at_dialogs (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  camera_act (&robot, "win.export", NULL);
  camera_focus_dialog (&robot);
  robot_idle (600);
  GtkWidget *label = find_in_dialog (SCOPE_TYPE_EXPORT_DIALOG, GTK_TYPE_LABEL, "Format");
  GtkWidget *kinds = gtk_widget_get_ancestor (label, ADW_TYPE_COMBO_ROW);

  for (guint i = 0; i < 9; i++)
    {
      g_autofree char *name = g_strdup_printf ("export-%u", i);

      adw_combo_row_set_selected (ADW_COMBO_ROW (kinds), i);
      robot_idle (600);
      camera_shoot (name);
    }
  camera_close_windows (&robot);
  robot_stop (&robot);
}

static void
shoot_menu_of (Robot *robot, GType part, GType type, const char *text, const char *shot)
{
  GtkWidget *root = robot_find (GTK_WIDGET (robot->window), part, NULL);
  GtkWidget *button = root != NULL ? robot_find (root, type, text) : NULL;

  if (button == NULL)
    return;
  robot_click (button);
  robot_idle (300);
  camera_shoot (shot);
  robot_do ("key Escape");
  robot_idle (300);
}

static void
look_at_menus (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  Robot robot;

  camera_start (&robot, path);
  robot_do ("key F10");
  robot_idle (300);
  camera_shoot ("menu-main-graph");
  robot_do ("key Escape");
  robot_idle (300);
  robot_do ("key F9");
  camera_settle (&robot);
  camera_shoot ("panel-f9");
  robot_do ("key F9");
  camera_settle (&robot);
  camera_shoot ("panel-f9-again");
  robot_do ("key ctrl+F9");
  camera_settle (&robot);
  camera_shoot ("panel-ctrl-f9");
  shoot_menu_of (&robot, ADW_TYPE_HEADER_BAR, GTK_TYPE_MENU_BUTTON, NULL, "menu-view");
  if (camera_find_summary (&robot) == NULL)
    camera_act (&robot, "win.show-summary", NULL);
  shoot_menu_of (&robot, SCOPE_TYPE_SUMMARY, GTK_TYPE_MENU_BUTTON, NULL, "menu-table");
  shoot_menu_of (&robot, SCOPE_TYPE_SEARCH, GTK_TYPE_BUTTON, "?", "search-help");
  robot_do ("key ctrl+f");
  robot_do ("type ty");
  robot_idle (800);
  camera_shoot ("search-suggestions");
  robot_do ("key Escape");
  robot_do ("key Escape");
  robot_focus (GTK_WINDOW (robot.window));
  scope_document_select_frame (robot_get_document (&robot), 0);
  camera_settle (&robot);
  camera_shoot_inspector (&robot, "inspector-frame");
  camera_act (&robot, "win.fold-all", NULL);
  camera_settle (&robot);
  camera_shoot ("folded");
  robot_do ("key ctrl+t");
  robot_idle (600);
  camera_shoot ("tabs");
  robot_stop (&robot);
}

static void
look_at_weights (void)
{
  g_autofree char *path = camera_get_data ("../tests/fixtures/keras-weights/gates.json");
  g_autofree char *text = NULL;
  Robot robot;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *copy = toy_write ("gates.json", text);

  camera_start (&robot, copy);
  camera_select (&robot, "dense_1/kernel");
  camera_shoot_inspector (&robot, "weights-missing");
  robot_do ("key F5");
  camera_focus_dialog (&robot);
  camera_shoot ("weights-run-dialog");
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_SWITCH, NULL));
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_BUTTON, "Run"));
  robot_idle (1000);
  camera_shoot ("weights-run-failed");
  camera_close_windows (&robot);
  robot_stop (&robot);
}

static void
look_at_question (void)
{
  g_autofree char *path = camera_get_data ("examples/toy-resnet-symbol.json");
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *copy = toy_write ("edited-symbol.json", text);
  Robot robot;

  camera_start (&robot, copy);
  camera_select (&robot, "relu2_output");
  g_assert_true (scope_document_rename_value (
      robot_get_document (&robot), toy_find (robot_get_document (&robot), "relu2_output"),
      "renamed", NULL));
  camera_settle (&robot);
  camera_shoot ("edited");
  camera_act (&robot, "win.close-tab", NULL);
  camera_focus_dialog (&robot);
  camera_shoot ("question");
  camera_close_windows (&robot);
  robot_stop (&robot);
}

static void
look_at_large (void)
{
  g_autofree char *text = toy_format_unequal_chain (20000);
  g_autofree char *path = toy_write ("chain-20000-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Robot robot;

  camera_start (&robot, NULL);
  g_application_open (G_APPLICATION (robot.application), &file, 1, "");
  robot_idle (20);
  camera_shoot ("loading");
  camera_settle (&robot);
  camera_shoot ("large");
  camera_act (&robot, "win.fit", NULL);
  camera_settle (&robot);
  camera_shoot ("large-fit");
  robot_stop (&robot);
}

static void
look_at_samples (void)
{
  static const char *names[] = { "early-exit.onnxtxt", "gru-tagger.onnxtxt",
                                 "transformer-block.onnxtxt", "two-towers.symscope.json",
                                 "u-net-symbol.json" };
  g_autofree char *samples = camera_get_data ("samples");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *sample = g_build_filename (samples, names[i], NULL);
      g_autofree char *shot = g_strconcat ("sample-", names[i], NULL);
      Robot robot;

      camera_start (&robot, sample);
      camera_act (&robot, "win.fit", NULL);
      camera_settle (&robot);
      camera_shoot (shot);
      robot_stop (&robot);
    }
}

static const struct {
  const char *name;
  void (*look) (void);
} pages[] = {
  { "welcome", look_at_welcome },
  { "errors", look_at_errors },
  { "contradiction", look_at_contradiction },
  { "graph", look_at_graph },
  { "cut", look_at_cut },
  { "run", look_at_run },
  { "colors", look_at_colors },
  { "dialogs", look_at_dialogs },
  { "question", look_at_question },
  { "large", look_at_large },
  { "menus", look_at_menus },
  { "weights", look_at_weights },
  { "samples", look_at_samples },
  { "foreign", rarities_look_at_foreign_parents },
  { "reading", rarities_look_at_long_reads },
  { "unknown", rarities_look_at_unknown_operators },
  { "choosers", rarities_look_at_choosers },
  { "many", rarities_look_at_many_nodes },
  { "compared", rarities_look_at_comparisons },
  { "bookmarks", rarities_look_at_bookmarks },
};

static void
tell_gaps (void)
{
  g_autoptr (GPtrArray) gaps = watchdog_stop ();

  for (guint i = 0; i < gaps->len; i++)
    {
      WatchdogGap *gap = gaps->pdata[i];

      g_printerr ("%.0f ms (%.0f computed) %s\n%s", gap->own_ms, gap->cpu_ms, gap->what,
                  gap->stacks);
    }
}

int
main (int argc, char **argv)
{
  if (argc < 5 || !robot_is_possible ())
    {
      g_printerr ("looks FOLDER DATA WIDTH HEIGHT [PAGE|FILE...]\n");
      return 2;
    }
  camera_set_up (argv[1], argv[2], atoi (argv[3]), atoi (argv[4]));
  gtk_init ();
  watchdog_start (LIMIT_MS);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (argc == 5 || g_strv_contains ((const char *const *) argv + 5, pages[i].name))
      pages[i].look ();
  for (int i = 5; i < argc; i++)
    if (g_path_is_absolute (argv[i]))
      tour (argv[i]);
  tell_gaps ();
  return 0;
}
