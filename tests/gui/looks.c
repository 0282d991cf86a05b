/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-canvas.h"
#include "app/scope-export-dialog.h"
#include "app/scope-numbers.h"
#include "app/scope-run-dialog.h"
#include "app/scope-search.h"
#include "app/scope-summary.h"
#include "app/scope-table.h"
#include "robot.h"
#include "toy.h"

/* Takes a picture of every page, to be looked at by people:
 *
 *   looks FOLDER DATA WIDTH HEIGHT [PAGES...]
 *
 * with DATA the project's data/, on a screen of at least that size.  ADW_DEBUG_COLOR_SCHEME,
 * ADW_DEBUG_HIGH_CONTRAST and GDK_SCALE choose the rest. */
static const char *folder, *data_folder;
static int width, height;

static char *
get_example (const char *name)
{
  return g_build_filename (data_folder, name, NULL);
}

static gboolean
has_ended (gpointer data)
{
  return *(gboolean *) data;
}

static void
shot_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* A window may stand out of the screen: there it is cut off. */
static void
shoot (const char *name)
{
  const char *scale = g_getenv ("GDK_SCALE");
  int factor = scale != NULL ? atoi (scale) : 1;
  g_autofree char *path = g_strdup_printf ("%s/%s.png", folder, name);
  g_autofree char *size = g_strdup_printf ("%dx%d+0+0", width * factor, height * factor);
  g_autoptr (GError) error = NULL;
  gboolean is_done = FALSE;

  robot_idle (400);
  g_autoptr (GSubprocess) import = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "import", "-window",
                                                     "root", "-crop", size, path, NULL);

  g_assert_no_error (error);
  g_subprocess_wait_check_async (import, NULL, shot_cb, &is_done);
  robot_wait_until (has_ended, &is_done);
}

/* The drawing may be hidden. */
static void
settle (Robot *robot)
{
  if (robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_CANVAS, NULL) != NULL)
    robot_settle (robot);
  else
    robot_idle (1000);
}

static void
act (Robot *robot, const char *action, const char *target)
{
  g_autoptr (GVariant) value = NULL;

  if (target != NULL)
    value = g_variant_ref_sink (g_variant_new_string (target));
  if (!gtk_widget_activate_action_variant (GTK_WIDGET (robot->window), action, value))
    g_printerr ("no %s\n", action);
  robot_idle (300);
}

static void
resize (Robot *robot)
{
  gtk_window_set_default_size (GTK_WINDOW (robot->window), width, height);
  robot_do ("mousemove %d %d", width / 2, height - 2);
  robot_idle (800);
}

static void
start (Robot *robot, const char *path)
{
  robot_start (robot, path);
  resize (robot);
}

static GtkWidget *
find_summary (Robot *robot)
{
  return robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_SUMMARY, NULL);
}

static void
select_value (Robot *robot, const char *name)
{
  ScopeDocument *document = robot_get_document (robot);

  scope_document_select_value (document, toy_find (document, name));
  settle (robot);
}

static void
close_windows (Robot *robot)
{
  for (;;) {
    GListModel *windows = gtk_window_get_toplevels ();
    GtkWindow *other = NULL;

    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (window != GTK_WINDOW (robot->window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        other = window;
    }
    if (other == NULL)
      break;
    gtk_window_destroy (other);
    robot_idle (200);
  }
  robot_focus (GTK_WINDOW (robot->window));
}

static void
focus_dialog (Robot *robot)
{
  GListModel *windows = gtk_window_get_toplevels ();

  robot_idle (500);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

    if (window != GTK_WINDOW (robot->window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
      robot_focus (window);
  }
  robot_idle (300);
}

/* ---- Pages ---- */

static void
look_at_welcome (void)
{
  Robot robot;

  start (&robot, NULL);
  shoot ("welcome");
  robot_do ("key Tab");
  robot_do ("key Tab");
  shoot ("welcome-keyboard");
  robot_do ("key F10");
  shoot ("main-menu");
  robot_do ("key Escape");
  act (&robot, "app.preferences", NULL);
  focus_dialog (&robot);
  shoot ("preferences");
  close_windows (&robot);
  act (&robot, "win.show-help-overlay", NULL);
  focus_dialog (&robot);
  shoot ("shortcuts");
  close_windows (&robot);
  act (&robot, "app.about", NULL);
  focus_dialog (&robot);
  shoot ("about");
  close_windows (&robot);
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
    { "contradiction", "wrong-symbol.json", TOY ("\"__shape__\":\"(9, 9)\"") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = toy_write (cases[i].name, cases[i].text);
    Robot robot;

    start (&robot, path);
    shoot (cases[i].shot);
    robot_stop (&robot);
  }
}

static void
look_at_graph (void)
{
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  static const char *presets[] = { "symbolic", "keras", "torchinfo", "mxnet" };
  Robot robot;

  start (&robot, path);
  shoot ("graph-data");
  select_value (&robot, "conv2_output");
  shoot ("inspector-node");
  act (&robot, "win.drawing", "layers");
  settle (&robot);
  shoot ("graph-layers");
  act (&robot, "win.direction", "right");
  settle (&robot);
  act (&robot, "win.fit", NULL);
  settle (&robot);
  shoot ("graph-right");
  act (&robot, "win.direction", "down");
  act (&robot, "win.drawing", "data");
  settle (&robot);
  for (guint i = 0; find_summary (&robot) != NULL && i < G_N_ELEMENTS (presets); i++) {
    g_autofree char *name = g_strconcat ("summary-", presets[i], NULL);
    GtkWidget *summary = find_summary (&robot);

    if (!gtk_widget_activate_action (summary, "table.preset", "s", presets[i]))
      g_printerr ("no preset\n");
    settle (&robot);
    shoot (name);
  }
  if (find_summary (&robot) != NULL)
    gtk_widget_activate_action (find_summary (&robot), "table.reset", NULL);
  select_value (&robot, "conv2_output");
  gtk_widget_grab_focus (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_CANVAS, NULL));
  robot_do ("key e");
  settle (&robot);
  shoot ("inspector-edge");
  scope_document_select_value (robot_get_document (&robot),
                               toy_find (robot_get_document (&robot), "conv2_weight"));
  settle (&robot);
  shoot ("inspector-parameter");
  robot_stop (&robot);
}

static void
look_at_cut (void)
{
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  Robot robot;

  start (&robot, path);
  select_value (&robot, "relu2_output");
  robot_do ("key o");
  settle (&robot);
  shoot ("cut-possible");
  select_value (&robot, "conv2_output");
  robot_do ("key i");
  settle (&robot);
  shoot ("cut-inputs");
  act (&robot, "win.clear-marks", NULL);
  select_value (&robot, "fc1_output");
  robot_do ("key o");
  select_value (&robot, "conv2_output");
  robot_do ("key i");
  select_value (&robot, "relu2_output");
  robot_do ("key i");
  settle (&robot);
  shoot ("cut-impossible");
  act (&robot, "win.clear-marks", NULL);
  select_value (&robot, "relu2_output");
  robot_do ("key a");
  settle (&robot);
  shoot ("trace");
  robot_do ("key n");
  settle (&robot);
  shoot ("neighbourhood");
  robot_do ("key Escape");
  robot_do ("key Escape");
  settle (&robot);
  select_value (&robot, "relu2_output");
  robot_do ("key Menu");
  shoot ("menu-node");
  robot_do ("key Escape");
  robot_do ("key Escape");
  robot_do ("key Menu");
  shoot ("menu-canvas");
  robot_do ("key Escape");
  robot_do ("key ctrl+f");
  robot_do ("type --delay 20 'type:conv kernel:3'");
  robot_idle (800);
  shoot ("search");
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 'nothing_like_it'");
  robot_idle (800);
  shoot ("search-none");
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 'params>'");
  robot_idle (800);
  shoot ("search-wrong");
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
  focus_dialog (robot);
  shoot (shot);
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_BUTTON, "Run"));
  robot_wait_until (has_record, robot);
  robot_focus (GTK_WINDOW (robot->window));
  settle (robot);
}

static void
look_at_run (void)
{
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  Robot robot;

  start (&robot, path);
  run (&robot, "run-dialog");
  shoot ("run-done");
  select_value (&robot, "conv2_output");
  act (&robot, "win.show-inspector", NULL);
  act (&robot, "win.show-inspector", NULL);
  if (robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_NUMBERS, NULL) == NULL)
    act (&robot, "win.show-inspector", NULL);
  robot_idle (800);
  shoot ("inspector-values");
  GtkWidget *numbers = robot_find (GTK_WIDGET (robot.window), SCOPE_TYPE_NUMBERS, NULL);

  for (guint i = 0; numbers != NULL && i < 12; i++)
    robot_point (numbers, 100, 60, "click 5");
  shoot ("inspector-values-below");
  GtkWidget *table = numbers != NULL ? robot_find (numbers, GTK_TYPE_BUTTON, "Table") : NULL;

  if (table != NULL) {
    g_signal_emit_by_name (table, "clicked");
    focus_dialog (&robot);
    robot_idle (800);
    shoot ("values-table");
    close_windows (&robot);
  }
  act (&robot, "win.color-by", "time");
  settle (&robot);
  shoot ("color-time");
  robot_do ("key F5");
  focus_dialog (&robot);
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_SWITCH, NULL));
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_BUTTON, "Run"));
  robot_idle (1000);
  robot_focus (GTK_WINDOW (robot.window));
  settle (&robot);
  shoot ("run-failed");
  robot_stop (&robot);
}

static void
look_at_colors (void)
{
  static const char *kinds[] = { "parameters", "bytes", "multiply-adds", "dtype", "found" };
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  Robot robot;

  start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *name = g_strconcat ("color-", kinds[i], NULL);

    act (&robot, "win.color-by", kinds[i]);
    settle (&robot);
    shoot (name);
  }
  robot_stop (&robot);
}

static void
look_at_dialogs (void)
{
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  Robot robot;

  start (&robot, path);
  act (&robot, "win.export", NULL);
  focus_dialog (&robot);
  robot_idle (600);
  GtkWidget *label = find_in_dialog (SCOPE_TYPE_EXPORT_DIALOG, GTK_TYPE_LABEL, "Format");
  GtkWidget *kinds = gtk_widget_get_ancestor (label, ADW_TYPE_COMBO_ROW);

  for (guint i = 0; i < 9; i++) {
    g_autofree char *name = g_strdup_printf ("export-%u", i);

    adw_combo_row_set_selected (ADW_COMBO_ROW (kinds), i);
    robot_idle (600);
    shoot (name);
  }
  close_windows (&robot);
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
  shoot (shot);
  robot_do ("key Escape");
  robot_idle (300);
}

static void
look_at_menus (void)
{
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  Robot robot;

  start (&robot, path);
  robot_do ("key F10");
  robot_idle (300);
  shoot ("menu-main-graph");
  robot_do ("key Escape");
  robot_idle (300);
  robot_do ("key F9");
  settle (&robot);
  shoot ("panel-f9");
  robot_do ("key F9");
  settle (&robot);
  shoot ("panel-f9-again");
  robot_do ("key ctrl+F9");
  settle (&robot);
  shoot ("panel-ctrl-f9");
  shoot_menu_of (&robot, ADW_TYPE_HEADER_BAR, GTK_TYPE_MENU_BUTTON, NULL, "menu-view");
  if (find_summary (&robot) == NULL)
    act (&robot, "win.show-summary", NULL);
  shoot_menu_of (&robot, SCOPE_TYPE_SUMMARY, GTK_TYPE_MENU_BUTTON, NULL, "menu-table");
  shoot_menu_of (&robot, SCOPE_TYPE_SEARCH, GTK_TYPE_BUTTON, "?", "search-help");
  robot_do ("key ctrl+f");
  robot_do ("type ty");
  robot_idle (800);
  shoot ("search-suggestions");
  robot_do ("key Escape");
  robot_do ("key Escape");
  robot_focus (GTK_WINDOW (robot.window));
  scope_document_select_frame (robot_get_document (&robot), 0);
  settle (&robot);
  shoot ("inspector-frame");
  act (&robot, "win.fold-all", NULL);
  settle (&robot);
  shoot ("folded");
  robot_do ("key ctrl+t");
  robot_idle (600);
  shoot ("tabs");
  robot_stop (&robot);
}

static void
look_at_weights (void)
{
  g_autofree char *path = g_build_filename (data_folder, "..", "tests", "fixtures", "keras-weights",
                                            "gates.json", NULL);
  g_autofree char *text = NULL;
  Robot robot;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *copy = toy_write ("gates.json", text);

  start (&robot, copy);
  select_value (&robot, "dense_1/kernel");
  shoot ("weights-missing");
  robot_do ("key F5");
  focus_dialog (&robot);
  shoot ("weights-run-dialog");
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_SWITCH, NULL));
  robot_click (find_in_dialog (SCOPE_TYPE_RUN_DIALOG, GTK_TYPE_BUTTON, "Run"));
  robot_idle (1000);
  shoot ("weights-run-failed");
  close_windows (&robot);
  robot_stop (&robot);
}

static void
look_at_question (void)
{
  g_autofree char *path = get_example ("examples/toy-resnet-symbol.json");
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *copy = toy_write ("edited-symbol.json", text);
  Robot robot;

  start (&robot, copy);
  select_value (&robot, "relu2_output");
  g_assert_true (scope_document_rename_value (robot_get_document (&robot),
                                              toy_find (robot_get_document (&robot), "relu2_output"),
                                              "renamed", NULL));
  settle (&robot);
  shoot ("edited");
  act (&robot, "win.close-tab", NULL);
  focus_dialog (&robot);
  shoot ("question");
  close_windows (&robot);
  robot_stop (&robot);
}

static void
look_at_large (void)
{
  g_autofree char *text = toy_format_unequal_chain (20000);
  g_autofree char *path = toy_write ("chain-20000-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Robot robot;

  start (&robot, NULL);
  g_application_open (G_APPLICATION (robot.application), &file, 1, "");
  robot_idle (20);
  shoot ("loading");
  settle (&robot);
  shoot ("large");
  act (&robot, "win.fit", NULL);
  settle (&robot);
  shoot ("large-fit");
  robot_stop (&robot);
}

static void
look_at_samples (void)
{
  static const char *names[] = { "early-exit.onnxtxt", "gru-tagger.onnxtxt", "transformer-block.onnxtxt",
                                 "two-towers.symscope.json", "u-net-symbol.json" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *sample = g_build_filename (data_folder, "samples", names[i], NULL);
    g_autofree char *shot = g_strconcat ("sample-", names[i], NULL);
    Robot robot;

    start (&robot, sample);
    act (&robot, "win.fit", NULL);
    settle (&robot);
    shoot (shot);
    robot_stop (&robot);
  }
}

static const struct {
  const char *name;
  void (*look) (void);
} pages[] = {
  { "welcome", look_at_welcome },   { "errors", look_at_errors },   { "graph", look_at_graph },
  { "cut", look_at_cut },           { "run", look_at_run },         { "colors", look_at_colors },
  { "dialogs", look_at_dialogs },   { "question", look_at_question }, { "large", look_at_large },
  { "menus", look_at_menus },       { "weights", look_at_weights },
  { "samples", look_at_samples },
};

int
main (int argc, char **argv)
{
  if (argc < 5 || !robot_is_possible ()) {
    g_printerr ("looks FOLDER DATA WIDTH HEIGHT [PAGES...]\n");
    return 2;
  }
  folder = argv[1];
  data_folder = argv[2];
  width = atoi (argv[3]);
  height = atoi (argv[4]);
  gtk_init ();
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (argc == 5 || g_strv_contains ((const char *const *) argv + 5, pages[i].name))
      pages[i].look ();
  return 0;
}
