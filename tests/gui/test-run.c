/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-input-row.h"
#include "app/scope-inspector.h"
#include "app/scope-numbers.h"
#include "app/scope-place.h"
#include "app/scope-run-bar.h"
#include "app/scope-run-dialog.h"
#include "app/scope-summary.h"
#include "app/scope-table.h"
#include "complaints.h"
#include "core/sym-datum.h"
#include "run-panel.h"
#include "store/sym-store-numpy.h"
#include "toy.h"

#define BAD                                                     \
  "<ir_version: 8, opset_import: [\"\" : 13, \"other\" : 1]>\n" \
  "bad (float[2] x) => (float[2] y, float[2] z) {\n"            \
  "  zero = Sub (x, x)\n y = Log (zero)\n z = other.Strange (zero)\n}\n"

#define STRANGE                                                 \
  "<ir_version: 8, opset_import: [\"\" : 13, \"other\" : 1]>\n" \
  "strange (float[2] x) => (float[2] y) { y = other.Strange (x) }\n"

#define IMAGE                                    \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n" \
  "image (float[1, 3, 8, 8] x) => (float[1, 3, 8, 8] y) { y = Relu (x) }\n"

#define LEAST_INSPECTOR 340 /* pixels, which it may take at least */

/* ---- Windows and waiting ---- */

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static guint
count_rows (GtkWidget *widget)
{
  guint n = SCOPE_IS_INPUT_ROW (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_rows (child);
  return n;
}

static gboolean
has_all_rows (gpointer panel)
{
  return count_rows (panel) == 64;
}

static SymDatum *
read_npy (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = sym_store_open_npy (path, &error);

  g_assert_no_error (error);
  return sym_datum_new_read (tensor, NULL);
}

/* ---- Tests ---- */

static void
choose_kind (GtkWidget *panel, ScopeFeedKind kind)
{
  GtkWidget *row = robot_find (panel, SCOPE_TYPE_INPUT_ROW, NULL);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (robot_find (row, GTK_TYPE_DROP_DOWN, NULL)), kind);
}

static void
test_numbers_are_seen_and_saved (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  g_autofree char *saved = g_strconcat (path, ".npy", NULL);
  Robot robot;

  robot_start (&robot, path);
  robot_point_at_node (&robot, "sum", "click 1");
  GtkWidget *panel = run_panel_open (&robot);

  choose_kind (panel, SCOPE_FEED_ONES);
  robot_click (robot_find (panel, GTK_TYPE_ENTRY, NULL));
  robot_do ("type --delay 30 3,2");
  robot_do ("key Return");
  robot_wait_until (run_has_record, &robot);
  robot_focus (GTK_WINDOW (robot.window));
  robot_settle (&robot);
  /* 1 + 1, and 1 + 1 - 1. */
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers of the Last Run"));
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "1.5"));
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "3×2"));
  g_assert_true (run_says (&robot, SCOPE_TYPE_SUMMARY, "Time"));

  robot_click (
      robot_find (robot_find_part (&robot, SCOPE_TYPE_NUMBERS), GTK_TYPE_BUTTON, "Save as .npy…"));
  robot_choose_file (saved);
  robot_wait_until (exists, saved);
  robot_idle (300);
  g_autoptr (SymDatum) datum = read_npy (saved);
  const SymArray *array = sym_datum_get_array (datum);

  g_assert_true (sym_shape_equal (&array->shape, &SYM_SHAPE (3, 2)));
  g_assert_cmpfloat (((const float *) array->data)[0], ==, 2);
  g_assert_cmpfloat (((const float *) array->data)[5], ==, 1);
  robot_stop (&robot);
}

/* The second panel is as the first one was left, and two keys are enough to run again. */
static void
test_what_was_chosen_is_remembered (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  SymStatistics statistics;
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *panel = run_panel_open (&robot);

  choose_kind (panel, SCOPE_FEED_ONES);
  robot_click (robot_find (panel, GTK_TYPE_ENTRY, NULL));
  robot_do ("type --delay 30 3,2");
  robot_do ("key Return");
  robot_wait_until (run_has_record, &robot);
  robot_focus (GTK_WINDOW (robot.window));
  robot_settle (&robot);
  SymRecord *first = sym_record_ref (scope_document_get_record (robot_get_document (&robot)));

  panel = run_panel_open (&robot);
  g_assert_nonnull (robot_find (panel, GTK_TYPE_ENTRY, "3,2"));
  robot_do ("key F5");
  robot_wait_until (run_panel_is_gone, NULL);
  while (scope_document_get_record (robot_get_document (&robot)) == first)
    robot_idle (20);
  SymRecord *second = scope_document_get_record (robot_get_document (&robot));

  g_assert_cmpint (sym_record_get_planning (second).reason, ==, SYM_RECORD_PLAN_KEPT);
  g_assert_true (
      sym_record_get_statistics (second, toy_find (robot_get_document (&robot), "x"), &statistics));
  g_assert_cmpuint (statistics.n_elements, ==, 6);
  g_assert_cmpfloat (statistics.min, ==, 1);
  sym_record_unref (first);
  robot_stop (&robot);
}

static void
test_many_values_are_saved_at_once (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  g_autofree char *folder = g_strconcat (path, "-all", NULL);
  g_autofree char *hidden = g_build_filename (folder, "hidden.npy", NULL);
  g_autofree char *manifest = g_build_filename (folder, "manifest.json", NULL);
  Robot robot;

  robot_start (&robot, path);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (robot.window), "save-values"));
  run_panel_run_all (&robot);
  g_action_group_activate_action (G_ACTION_GROUP (robot.window), "save-values",
                                  g_variant_new_string ("all"));
  robot_choose_file (folder);
  robot_wait_until (exists, manifest);
  g_assert_true (exists (hidden));
  robot_idle (300);
  robot_stop (&robot);
}

static void
test_wrong_files_are_told_at_their_row (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *panel = run_panel_open (&robot);

  choose_kind (panel, SCOPE_FEED_NUMPY);
  robot_click (robot_find (panel, GTK_TYPE_BUTTON, "Run"));
  robot_idle (500);
  g_assert_true (run_panel_is_there (NULL));
  g_assert_nonnull (
      robot_find (robot_find (panel, SCOPE_TYPE_INPUT_ROW, NULL), GTK_TYPE_LABEL, "Choose a file"));
  robot_do ("key Escape");
  robot_wait_until (run_panel_is_gone, NULL);
  g_assert_null (scope_document_get_record (robot_get_document (&robot)));
  robot_stop (&robot);
}

static gboolean
takes_numpy (gpointer panel)
{
  GtkWidget *row = robot_find (panel, SCOPE_TYPE_INPUT_ROW, NULL);

  return gtk_drop_down_get_selected (GTK_DROP_DOWN (robot_find (row, GTK_TYPE_DROP_DOWN, NULL))) ==
         SCOPE_FEED_NUMPY;
}

/* Whatever the only array is called, it is for the only input. */
static void
test_inputs_are_chosen_from_a_file (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  g_autofree char *archive = toy_write ("inputs.npz", "");
  float numbers[] = { 0, 1, 1, 1 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 2), numbers };
  g_autoptr (SymTensor) tensor = sym_tensor_new_copy (&array, NULL);
  SymStatistics statistics;
  Robot robot;

  g_assert_true (sym_store_write_npz (archive, (const char *const[]){ "arr_0" },
                                      (SymTensor *const[]){ tensor }, 1, NULL));
  robot_start (&robot, path);
  GtkWidget *panel = run_panel_open (&robot);

  robot_click (robot_find (panel, GTK_TYPE_LABEL, "Inputs From a File"));
  robot_choose_file (archive);
  robot_wait_until (takes_numpy, panel);
  g_assert_nonnull (robot_find (panel, GTK_TYPE_LABEL, "inputs.npz"));
  robot_focus (GTK_WINDOW (panel));
  robot_do ("key F5");
  robot_wait_until (run_has_record, &robot);
  robot_focus (GTK_WINDOW (robot.window));
  robot_settle (&robot);
  g_assert_true (sym_record_get_statistics (scope_document_get_record (robot_get_document (&robot)),
                                            toy_find (robot_get_document (&robot), "y"),
                                            &statistics));
  g_assert_cmpfloat (statistics.max, ==, 1); /* of 0 and 1 */
  g_assert_cmpfloat (statistics.min, ==, 0); /* of 1 and 1 */
  robot_stop (&robot);
}

static void
test_first_infinity_and_failure_are_led_to (void)
{
  g_autofree char *path = toy_write ("bad.onnxtxt", BAD);
  Robot robot;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  GtkWidget *bar = robot_find_part (&robot, SCOPE_TYPE_RUN_BAR);

  g_assert_nonnull (
      robot_find (bar, GTK_TYPE_LABEL, "“y” (Log) is the first with infinite numbers"));
  GtkWidget *show = robot_find (bar, GTK_TYPE_BUTTON, "Show Value");
  graphene_rect_t place;

  g_assert_true (gtk_widget_compute_bounds (show, bar, &place));
  g_assert_cmpfloat (place.origin.x + place.size.width, >=, gtk_widget_get_width (bar) - 12);
  robot_click (show);
  robot_wait_selected (&robot, "y");
  robot_click (robot_find (bar, GTK_TYPE_BUTTON, "Show Layer"));
  robot_wait_selected (&robot, "z");
  g_assert_false (run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers of the Last Run"));
  robot_stop (&robot);
}

/* Above the layer that did not run there is one sentence. */
static void
test_nothing_is_told_of_what_did_not_run (void)
{
  g_autofree char *path = toy_write ("strange.onnxtxt", STRANGE);
  Robot robot;
  guint n = 0;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  GtkWidget *bar = robot_find_part (&robot, SCOPE_TYPE_RUN_BAR);
  GtkWidget *told = robot_find (bar, GTK_TYPE_LABEL, "No layer ran, seed 0");

  g_assert_false (run_says (&robot, SCOPE_TYPE_SUMMARY, "Time")); /* none was taken */
  g_assert_nonnull (told);
  for (GtkWidget *child = gtk_widget_get_first_child (gtk_widget_get_parent (told)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += GTK_IS_LABEL (child) && gtk_widget_get_mapped (child);
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (robot_find (bar, GTK_TYPE_MENU_BUTTON, NULL));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (robot.window), "save-values"));
  robot_stop (&robot);
}

static void
test_pictures_of_values_leave_windows_small (void)
{
  g_autofree char *path = toy_write ("image.onnxtxt", IMAGE);
  Robot robot;
  int least;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  robot_point_at_node (&robot, "y", "click 1");
  robot_idle (700);
  GtkWidget *inspector = robot_find_part (&robot, SCOPE_TYPE_INSPECTOR);

  g_assert_nonnull (robot_find (inspector, GTK_TYPE_TOGGLE_BUTTON, "Channels Last"));
  gtk_widget_measure (inspector, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, LEAST_INSPECTOR);
  robot_stop (&robot);
}

static void
test_another_shape_drops_the_numbers (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  Robot robot;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  robot_point_at_node (&robot, "hidden", "click 1");
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "Numbers of the Last Run"));
  g_assert_true (scope_document_set_shape_text (
      robot_get_document (&robot), toy_find (robot_get_document (&robot), "x"), "4,2", NULL));
  robot_settle (&robot);
  g_assert_true (run_says (&robot, SCOPE_TYPE_NUMBERS, "Run the graph (F5) to see its numbers"));
  g_assert_true (
      run_says (&robot, SCOPE_TYPE_RUN_BAR,
                "The graph or its shapes have changed since the last run: its results are "
                "gone"));
  g_assert_false (run_says (&robot, SCOPE_TYPE_SUMMARY, "Time"));
  robot_stop (&robot);
}

/* What takes no step has no time of its own, which is no time of 0 s. */
static void
test_what_has_nothing_to_do_has_no_time (void)
{
  static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                             "g (float[2] x) => (float[2] y) {\n"
                             "  r = Relu (x)\n i = Identity (r)\n y = Abs (i)\n}\n";
  g_autofree char *path = toy_write ("idle.onnxtxt", text);
  Robot robot;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  g_autofree double *times = scope_document_list_times (robot_get_document (&robot));

  g_assert_cmpfloat (times[0], >, 0);
  g_assert_cmpfloat (times[1], <, 0);
  g_assert_cmpfloat (times[2], >, 0);
  g_assert_false (run_says (&robot, SCOPE_TYPE_SUMMARY, "0 s"));
  robot_point_at_node (&robot, "i", "click 1");
  robot_idle (500);
  g_assert_true (
      run_says (&robot, SCOPE_TYPE_NUMBERS, "nothing to compute: “r” in memory, as it is"));
  robot_point_at_node (&robot, "r", "click 1");
  robot_idle (500);
  g_assert_false (run_says (&robot, SCOPE_TYPE_NUMBERS, "none"));
  robot_stop (&robot);
}

static char *
write_convolution (void)
{
  g_autoptr (GString) text =
      g_string_new ("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                    "conv (float[1, 32, 16, 16] x) => (float[1, 32, 16, 16] y)\n"
                    "<float[32, 32, 3, 3] w = {0");

  for (guint i = 1; i < 32 * 32 * 9; i++)
    g_string_append_printf (text, ", %u", i % 7);
  g_string_append (text, "}> {\n y = Conv <pads = [1, 1, 1, 1]> (x, w)\n}\n");
  return toy_write ("conv.onnxtxt", text->str);
}

/* Labels below @root, with what they say in one text. */
static void
collect_labels (GtkWidget *root, GString *text)
{
  if (GTK_IS_LABEL (root))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (root)));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_labels (child, text);
}

/* Weights prepared for the way to multiply take more than the file has of them: both are told. */
static void
test_memory_of_weights_is_told_beside_their_size (void)
{
  g_autofree char *path = write_convolution ();
  g_autoptr (GString) text = g_string_new (NULL);
  Robot robot;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  collect_labels (robot_find_part (&robot, SCOPE_TYPE_RUN_BAR), text);
  g_assert_nonnull (strstr (text->str, "weights of 36\302\240KiB take "));
  g_assert_null (strstr (text->str, "take 36\302\240KiB"));
  robot_stop (&robot);
}

static void
test_layers_are_coloured_by_time (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  Robot robot;

  robot_start (&robot, path);
  run_panel_run_all (&robot);
  g_assert_null (sym_picture_get_heat (scope_document_get_picture (robot_get_document (&robot))));
  g_action_group_activate_action (G_ACTION_GROUP (robot.window), "color-by",
                                  g_variant_new_string ("time"));
  robot_settle (&robot);
  SymHeat *heat = sym_picture_get_heat (scope_document_get_picture (robot_get_document (&robot)));

  g_assert_nonnull (heat);
  g_assert_cmpstr (sym_heat_get_unit (heat), ==, "ms");
  robot_stop (&robot);
}

/* What is prepared refers to it until it is done with, longer than its parent may be there. */
static void
test_panel_tells_what_it_does_and_knows_no_parent_that_went (void)
{
  g_autofree char *path = toy_write ("xor.onnxtxt", RUN_XOR);
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key F5");
  robot_wait_until (run_panel_is_there, NULL);
  g_autoptr (GtkWindow) panel = g_object_ref (robot_find_window (SCOPE_TYPE_RUN_DIALOG));

  g_assert_null (robot_find (GTK_WIDGET (panel), GTK_TYPE_LABEL, "Making inputs…"));
  scope_run_dialog_run (SCOPE_RUN_DIALOG (panel));
  g_assert_nonnull (robot_find (GTK_WIDGET (panel), GTK_TYPE_LABEL, "Making inputs…"));
  g_assert_nonnull (gtk_window_get_transient_for (panel));
  gtk_window_destroy (panel);
  g_assert_null (gtk_window_get_transient_for (panel));
  robot_stop (&robot);
}

/* x0 to x69, added up. */
static char *
write_many_inputs (void)
{
  g_autoptr (GString) text =
      g_string_new ("<ir_version: 8, opset_import: [\"\" : 13]>\ng (float[2] x0");

  for (guint i = 1; i < 70; i++)
    g_string_append_printf (text, ", float[2] x%u", i);
  g_string_append (text, ") => (float[2] y) {\n  y = Sum (x0");
  for (guint i = 1; i < 70; i++)
    g_string_append_printf (text, ", x%u", i);
  g_string_append (text, ")\n}\n");
  return toy_write ("many.onnxtxt", text->str);
}

/* A row takes milliseconds to make, and to let go: those that are not seen at once come bit by bit,
 * and who runs before has all inputs all the same. */
static void
test_many_inputs_come_bit_by_bit (void)
{
  g_autofree char *path = write_many_inputs ();
  Robot robot;

  robot_start (&robot, path);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.run", NULL);
  GtkWidget *panel = GTK_WIDGET (robot_find_window (SCOPE_TYPE_RUN_DIALOG));

  g_assert_cmpuint (count_rows (panel), <=, 8);
  g_assert_nonnull (robot_find (panel, GTK_TYPE_LABEL, "6 more inputs are random"));
  robot_wait_until (has_all_rows, panel);
  gtk_window_close (GTK_WINDOW (panel));
  g_assert_cmpuint (count_rows (panel), ==, 64);
  robot_wait_until (run_panel_is_gone, NULL);
  gtk_widget_activate_action (GTK_WIDGET (robot.window), "win.run", NULL);
  panel = GTK_WIDGET (robot_find_window (SCOPE_TYPE_RUN_DIALOG));
  scope_run_dialog_run (SCOPE_RUN_DIALOG (panel));
  g_assert_cmpuint (count_rows (panel), <=, 8);
  robot_wait_until (run_panel_is_gone, NULL);
  robot_wait_until (run_has_record, &robot);
  robot_focus (GTK_WINDOW (robot.window));
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
  g_test_add_func ("/gui/run/numbers-are-seen-and-saved", test_numbers_are_seen_and_saved);
  g_test_add_func ("/gui/run/what-was-chosen-is-remembered", test_what_was_chosen_is_remembered);
  g_test_add_func ("/gui/run/many-values-are-saved-at-once", test_many_values_are_saved_at_once);
  g_test_add_func ("/gui/run/wrong-files-are-told-at-their-row",
                   test_wrong_files_are_told_at_their_row);
  g_test_add_func ("/gui/run/inputs-are-chosen-from-a-file", test_inputs_are_chosen_from_a_file);
  g_test_add_func ("/gui/run/first-infinity-and-failure-are-led-to",
                   test_first_infinity_and_failure_are_led_to);
  g_test_add_func ("/gui/run/nothing-is-told-of-what-did-not-run",
                   test_nothing_is_told_of_what_did_not_run);
  g_test_add_func ("/gui/run/pictures-of-values-leave-windows-small",
                   test_pictures_of_values_leave_windows_small);
  g_test_add_func ("/gui/run/another-shape-drops-the-numbers",
                   test_another_shape_drops_the_numbers);
  g_test_add_func ("/gui/run/what-has-nothing-to-do-has-no-time",
                   test_what_has_nothing_to_do_has_no_time);
  g_test_add_func ("/gui/run/memory-of-weights-is-told-beside-their-size",
                   test_memory_of_weights_is_told_beside_their_size);
  g_test_add_func ("/gui/run/layers-are-coloured-by-time", test_layers_are_coloured_by_time);
  g_test_add_func ("/gui/run/panel-tells-what-it-does-and-knows-no-parent-that-went",
                   test_panel_tells_what_it_does_and_knows_no_parent_that_went);
  g_test_add_func ("/gui/run/many-inputs-come-bit-by-bit", test_many_inputs_come_bit_by_bit);
  return g_test_run ();
}
