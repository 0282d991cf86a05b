/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <unistd.h>

#include "app/scope-canvas.h"
#include "app/scope-cut-bar.h"
#include "app/scope-inspector.h"
#include "app/scope-legend.h"
#include "app/scope-problems.h"
#include "app/scope-summary.h"
#include "app/scope-window.h"
#include "complaints.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

static void
test_click_tells_all_of_a_node (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "toy-symbol.json");
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_wait_selected (&robot, "fc2_output");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "fc2_output");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "FullyConnected");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "num_hidden");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "relu1_output");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "sum_output");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "fc2_weight");
  robot_stop (&robot);
}

static void
test_links_rows_and_keys_lead_on (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_INSPECTOR), GTK_TYPE_LABEL, "relu1_output"));
  robot_wait_selected (&robot, "relu1_output");
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, "fc2"));
  robot_wait_selected (&robot, "fc2_output");
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_do ("key Down");
  robot_wait_selected (&robot, "relu1_output");
  robot_do ("key Up");
  robot_wait_selected (&robot, "fc1_output");
  robot_do ("key End");
  robot_wait_selected (&robot, "out_output");
  robot_stop (&robot);
}

/* Keys walk the graph at once, without a click. */
static void
test_keyboard_begins_at_the_drawing (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *other = toy_write ("other-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key Home");
  robot_wait_selected (&robot, "data");
  robot_do ("key ctrl+f");
  robot_open (&robot, other);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (robot.window)) ==
                 robot_find_part (&robot, SCOPE_TYPE_CANVAS));
  robot_do ("key End");
  robot_wait_selected (&robot, "out_output");
  robot_stop (&robot);
}

/* The star behind it is as wide as two figures. */
static void
test_number_of_an_output_is_whole (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *number = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  GtkWidget *label;
  int width;
  Robot robot;

  robot_start (&robot, path);
  number = g_strdup_printf (
      "%u★", sym_summary_get_n_rows (scope_document_get_summary (robot_get_document (&robot))));
  label = robot_find (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), GTK_TYPE_LABEL, number);
  g_assert_nonnull (label);
  layout = gtk_widget_create_pango_layout (label, number);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_assert_cmpint (width, <=, gtk_widget_get_width (label));
  robot_stop (&robot);
}

/* Of the results of all layers but one it is noted that they lead nowhere. */
static void
test_problems_tell_that_there_are_more (void)
{
  g_autoptr (GString) text =
      g_string_new ("{\"nodes\":[" TOY_NODE ("null", "data", "\"__shape__\":\"(2,3)\"", ""));
  g_autofree char *path = NULL;
  GtkWidget *problems;
  Robot robot;

  for (guint i = 1; i <= 1300; i++)
    g_string_append_printf (text, "," TOY_NODE ("Reshape", "r%u", "\"shape\":\"(7,)\"", "[0,0,0]"),
                            i);
  g_string_append (text, "],\"arg_nodes\":[0],\"heads\":[[1,0,0]]}");
  path = toy_write ("many-symbol.json", text->str);
  robot_start (&robot, path);
  problems = robot_find_part (&robot, SCOPE_TYPE_PROBLEMS);
  robot_click (problems);
  robot_idle (300);
  g_assert_nonnull (robot_find (problems, GTK_TYPE_LABEL, "1,300 problems"));
  g_assert_nonnull (robot_find (problems, GTK_TYPE_LABEL,
                                "These are the first 200 of 2,599. “symscope check” lists more."));
  robot_do ("key Escape");
  robot_stop (&robot);
}

static void
test_search_goes_to_what_it_finds (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+f");
  robot_do ("type --delay 30 sum");
  robot_idle (400);
  robot_do ("key Return");
  robot_wait_selected (&robot, "sum_output");
  robot_stop (&robot);
}

static GtkWindow *
find_dialog (Robot *robot)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *l = all; l != NULL; l = l->next)
    if (GTK_IS_FILE_CHOOSER_DIALOG (l->data) && gtk_widget_get_mapped (l->data))
      return l->data;
  return NULL;
}

static gboolean
has_dialog (gpointer data)
{
  return find_dialog (data) != NULL;
}

static gboolean
file_exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
is_named (GtkFileChooser *chooser, const char *suffix)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);

  return name != NULL && g_str_has_suffix (name, suffix);
}

/* The name that is suggested has the suffix of the format that is chosen, whichever. */
static void
test_suggested_name_follows_the_format (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+e");
  robot_wait_until (has_dialog, &robot);
  robot_idle (500);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (find_dialog (&robot));
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (chooser);
  guint n = g_list_model_get_n_items (filters);

  g_assert_cmpuint (n, >=, 3);
  g_assert_true (is_named (chooser, "toy-copy-symbol.json"));
  for (guint i = n; i-- > 0;)
    {
      g_autoptr (GtkFileFilter) filter = g_list_model_get_item (filters, i);
      g_autofree char *name =
          g_strconcat ("toy-copy", (char *) g_object_get_data (G_OBJECT (filter), "suffix"), NULL);

      gtk_file_chooser_set_filter (chooser, filter);
      robot_idle (100);
      g_assert_true (is_named (chooser, name));
    }
  robot_focus (find_dialog (&robot));
  robot_do ("key Escape");
  robot_idle (300);
  robot_stop (&robot);
}

static void
open_dialog (Robot *robot, const char *keys)
{
  robot_do ("key %s", keys);
  robot_wait_until (has_dialog, robot);
  robot_idle (700);
}

static void
save (Robot *robot, const char *path)
{
  robot_focus (find_dialog (robot));
  robot_do ("key ctrl+a");
  robot_do ("type --delay 20 %s", path);
  robot_idle (500);
  robot_do ("key Return");
  robot_wait_until (file_exists, (gpointer) path);
  robot_idle (300);
}

static void
save_as (Robot *robot, const char *keys, const char *path)
{
  open_dialog (robot, keys);
  save (robot, path);
}

static gboolean
has_three_rows (gpointer robot)
{
  SymSummary *summary = scope_document_get_summary (robot_get_document (robot));

  return summary != NULL && sym_summary_get_n_rows (summary) == 3;
}

/* All of it can be read, with table and inspector beside the drawing. */
static void
assert_told (Robot *robot, const char *title, const char *part)
{
  GtkWidget *bar = robot_find_part (robot, SCOPE_TYPE_CUT_BAR);
  GtkLabel *label =
      GTK_LABEL (gtk_widget_get_next_sibling (robot_find (bar, GTK_TYPE_LABEL, title)));

  g_assert_nonnull (strstr (gtk_label_get_text (label), part));
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (label)));
}

/* And what was saved is offered to be looked at. */
static void
test_marked_part_is_saved (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *part = g_strconcat (path, "-part.json", NULL);
  g_autofree char *bytes = NULL;
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "relu1_output", "keydown shift click 1 keyup shift");
  robot_idle (700);
  robot_await_told (&robot, SCOPE_TYPE_CUT_BAR, "Sub-model");
  assert_told (&robot, "Sub-model",
               "1 output\u00a0· 1 input\u00a0· 3 nodes\u00a0· 2 layers\u00a0· ");
  toasts_hold ();
  save_as (&robot, "ctrl+e", part);
  g_assert_true (g_file_get_contents (part, &bytes, NULL, NULL));
  g_assert_nonnull (strstr (bytes, "relu1"));
  g_assert_null (strstr (bytes, "fc2"));
  robot_click (robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Show"));
  robot_wait_until (has_three_rows, &robot);
  robot_settle (&robot);
  robot_stop (&robot);
}

static void
test_impossible_cut_can_be_mended (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "fc2_output", "click 1");
  robot_do ("key i");
  robot_idle (700);
  robot_await_told (&robot, SCOPE_TYPE_CUT_BAR, "Impossible Cut");
  assert_told (&robot, "Impossible Cut", "It needs");
  robot_click (robot_find (robot_find_part (&robot, SCOPE_TYPE_CUT_BAR), GTK_TYPE_BUTTON,
                           "Add “relu1_output” as Input"));
  robot_idle (700);
  robot_await_told (&robot, SCOPE_TYPE_CUT_BAR, "Sub-model");
  robot_do ("key ctrl+z");
  robot_idle (500);
  robot_await_told (&robot, SCOPE_TYPE_CUT_BAR, "Impossible Cut");
  robot_do ("key ctrl+shift+o");
  robot_do ("key ctrl+shift+z");
  robot_idle (500);
  robot_do ("key ctrl+shift+o");
  robot_idle (700);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==,
                   "• Part of toy-symbol.json");
  robot_stop (&robot);
}

static gboolean
has_picture (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document != NULL && scope_document_get_picture (document) != NULL;
}

static void
test_broken_file_says_why_and_the_window_lives_on (void)
{
  g_autofree char *broken = toy_write ("broken.json", "{\"nodes\": [");
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, broken);
  GtkWidget *window = GTK_WIDGET (robot.window);

  g_assert_nonnull (robot_find (window, GTK_TYPE_LABEL, "“broken.json” Cannot Be Shown"));
  GtkWidget *view = gtk_widget_get_ancestor (robot_find (window, GTK_TYPE_LABEL, "Data Nodes"),
                                             GTK_TYPE_MENU_BUTTON);

  g_assert_false (gtk_widget_get_sensitive (view));
  robot_open (&robot, path);
  g_assert_true (gtk_widget_get_sensitive (view));
  g_assert_true (GTK_WIDGET (robot.window) == window);
  robot_point_at_node (&robot, "fc1_output", "click 1");
  robot_wait_selected (&robot, "fc1_output");
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_nonnull (robot_find (window, GTK_TYPE_LABEL, "“broken.json” Cannot Be Shown"));
  robot_do ("key ctrl+w");
  robot_idle (300);
  g_assert_nonnull (robot_find (window, GTK_TYPE_LABEL, "Open a Saved Graph"));
  gtk_widget_grab_focus (gtk_widget_get_ancestor (robot_find (window, GTK_TYPE_LABEL, "Toy ResNet"),
                                                  ADW_TYPE_ACTION_ROW));
  robot_do ("key Return");
  robot_wait_until (has_picture, &robot);
  robot_stop (&robot);
}

/* Of the part of the window that the widget takes. */
static graphene_rect_t
get_bounds (Robot *robot, GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (robot->window), &bounds));
  return bounds;
}

static void
test_messages_leave_the_cut_to_be_read (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  scope_document_toggle_mark (robot_get_document (&robot), SCOPE_MARK_OUTPUT,
                              toy_find (robot_get_document (&robot), "relu1_output"));
  robot_settle (&robot);
  toasts_hold ();
  g_action_group_activate_action (G_ACTION_GROUP (robot.window), "show-message",
                                  g_variant_new_string ("Well"));
  GtkWidget *text = robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "Well");

  robot_idle (800); /* it slides in */
  graphene_rect_t message = get_bounds (&robot, gtk_widget_get_parent (text));
  graphene_rect_t bar = get_bounds (&robot, robot_find_part (&robot, SCOPE_TYPE_CUT_BAR));

  g_assert_cmpfloat (message.origin.y + message.size.height, <=, bar.origin.y);
  robot_stop (&robot);
}

static gboolean
is_at_its_place (gpointer data)
{
  GtkWidget *legend = data;
  GtkWidget *drawing = gtk_widget_get_ancestor (legend, GTK_TYPE_OVERLAY);
  graphene_rect_t bounds;

  return gtk_widget_compute_bounds (legend, drawing, &bounds) &&
         bounds.origin.y + bounds.size.height == gtk_widget_get_height (drawing) - 12;
}

static void
show_message (Robot *robot, const char *text)
{
  g_action_group_activate_action (G_ACTION_GROUP (robot->window), "show-message",
                                  g_variant_new_string (text));
  robot_wait_for (GTK_WIDGET (robot->window), GTK_TYPE_LABEL, text);
  robot_idle (800); /* it slides in */
}

/* Only one that would cover it lifts it, and not for longer than it is there; the graph stays. */
static void
test_messages_leave_the_legend_to_be_read (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  static const char text[] = "A message that is as long as several words in a row make it, or more";
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *legend = robot_find_part (&robot, SCOPE_TYPE_LEGEND);
  ScopeViewport *viewport =
      scope_canvas_get_viewport (SCOPE_CANVAS (robot_find_part (&robot, SCOPE_TYPE_CANVAS)));
  SymRect before = scope_viewport_get_visible (viewport);

  show_message (&robot, "Well");
  g_assert_true (is_at_its_place (legend));
  toasts_hold ();
  show_message (&robot, text);
  GtkWidget *label = robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, text);
  graphene_rect_t message = get_bounds (&robot, gtk_widget_get_parent (label));
  graphene_rect_t place = get_bounds (&robot, legend);

  g_assert_cmpfloat (message.origin.x, <, place.origin.x + place.size.width);
  g_assert_cmpfloat (place.origin.y + place.size.height, <=, message.origin.y);
  SymRect after = scope_viewport_get_visible (viewport);

  g_assert_cmpmem (&after, sizeof after, &before, sizeof before);
  GtkWidget *toasts = gtk_widget_get_ancestor (label, ADW_TYPE_TOAST_OVERLAY);

  robot_click (robot_find (gtk_widget_get_last_child (toasts), GTK_TYPE_BUTTON, NULL));
  robot_wait_until (is_at_its_place, legend);
  robot_stop (&robot);
}

/* There is nothing to run, to draw or to save. */
static void
test_empty_graph_offers_nothing (void)
{
  static const char *const actions[] = { "run", "export", "save-values", "list-save-values" };
  g_autofree char *path =
      toy_write ("empty-symbol.json", "{\"nodes\":[],\"arg_nodes\":[],\"heads\":[]}");
  Robot robot;

  robot_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (robot.window), actions[i]));
  robot_do ("key F5");
  robot_settle (&robot);
  g_assert_null (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_LABEL, "Run Graph"));
  robot_stop (&robot);
}

/* Over the bus, states are set though the actions are disabled. */
static void
test_states_are_set_without_a_graph (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  GActionGroup *group = G_ACTION_GROUP (robot.window);
  g_auto (GStrv) names = g_action_group_list_actions (group);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GVariant) state = g_action_group_get_action_state (group, names[i]);

      if (state != NULL)
        g_action_group_change_action_state (group, names[i], state);
    }
  robot_idle (100);
  g_assert_null (robot_get_document (&robot));
  robot_stop (&robot);
}

/* Where the inspector has nothing else to say. */
static void
test_model_is_told_while_nothing_is_selected (void)
{
  g_autofree char *path = toy_write (
      "told.onnxtxt", "<ir_version: 8, opset_import: [\"\" : 17], producer_name: \"pen\">\n"
                      "g (float[1] x) => (float[1] y) { y = Relu (x) }");
  Robot robot;

  robot_start (&robot, path);
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "producer_name");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "pen");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "ai.onnx 17");
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  robot_click (robot_find (inspector, GTK_TYPE_LABEL, "y"));
  robot_wait_selected (&robot, "y");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "Relu");
  g_assert_null (robot_find (inspector, GTK_TYPE_LABEL, "producer_name"));
  robot_point_at_node (&robot, "y", "click 1");
  robot_do ("key Escape");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "producer_name");
  robot_stop (&robot);
}

static void
test_much_that_a_file_tells_is_cut_short (void)
{
  g_autoptr (GString) text = g_string_new ("<ir_version: 8, opset_import: [\"\" : 17],"
                                           " metadata_props: [\"long\": \"");
  g_autofree char *path = NULL;
  g_autofree char *head = g_strnfill (600, 'w');
  g_autofree char *shown = g_strconcat (head, "…", NULL);
  Robot robot;

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (text, 'w');
  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "\", \"key%u\": \"", i);
  g_string_append (text, "\"]>\ng (float[1] x) => (float[1] y) { y = Relu (x) }");
  path = toy_write ("much.onnxtxt", text->str);
  robot_start (&robot, path);
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, "and 4904 more");
  robot_await_told (&robot, SCOPE_TYPE_INSPECTOR, shown);
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
  complaints_begin (); /* some are GTK's own */
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/window/states-are-set-without-a-graph",
                   test_states_are_set_without_a_graph);
  g_test_add_func ("/gui/window/click-tells-all-of-a-node", test_click_tells_all_of_a_node);
  g_test_add_func ("/gui/window/links-rows-and-keys-lead-on", test_links_rows_and_keys_lead_on);
  g_test_add_func ("/gui/window/keyboard-begins-at-the-drawing",
                   test_keyboard_begins_at_the_drawing);
  g_test_add_func ("/gui/window/number-of-an-output-is-whole", test_number_of_an_output_is_whole);
  g_test_add_func ("/gui/window/problems-tell-that-there-are-more",
                   test_problems_tell_that_there_are_more);
  g_test_add_func ("/gui/window/model-is-told-while-nothing-is-selected",
                   test_model_is_told_while_nothing_is_selected);
  g_test_add_func ("/gui/window/much-that-a-file-tells-is-cut-short",
                   test_much_that_a_file_tells_is_cut_short);
  g_test_add_func ("/gui/window/search-goes-to-what-it-finds", test_search_goes_to_what_it_finds);
  g_test_add_func ("/gui/window/marked-part-is-saved", test_marked_part_is_saved);
  g_test_add_func ("/gui/window/impossible-cut-can-be-mended", test_impossible_cut_can_be_mended);
  g_test_add_func ("/gui/window/broken-file-says-why-and-the-window-lives-on",
                   test_broken_file_says_why_and_the_window_lives_on);
  g_test_add_func ("/gui/window/suggested-name-follows-the-format",
                   test_suggested_name_follows_the_format);
  g_test_add_func ("/gui/window/empty-graph-offers-nothing", test_empty_graph_offers_nothing);
  g_test_add_func ("/gui/window/messages-leave-the-cut-to-be-read",
                   test_messages_leave_the_cut_to_be_read);
  g_test_add_func ("/gui/window/messages-leave-the-legend-to-be-read",
                   test_messages_leave_the_legend_to_be_read);
  return g_test_run ();
}
