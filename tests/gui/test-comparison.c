/* SPDX-License-Identifier: MIT */
#include "app/scope-announce.h"
#include "app/scope-comparison.h"
#include "app/scope-export.h"

#include <math.h>
#include <string.h>

#include "toy.h"

#define PROLOGUE \
  "<ir_version: 8, opset_import: [\"\" : 13]>\ng (float[2,3] x) => (float[2,3] y) {\n"
#define BEGINNING PROLOGUE "  a = Relu (x)\n"
#define OLD                                                                    \
  BEGINNING "  b = Sigmoid (a)\n  k = Tanh (b)\n  c = Elu <alpha = 1.5> (k)\n" \
            "  m = Floor (c)\n  y = Neg (m)\n}\n"
#define NEW                                                 \
  BEGINNING "  k = Tanh (a)\n  c = Elu <alpha = 2.5> (k)\n" \
            "  m = Floor (c)\n  d = Abs (m)\n  y = Neg (d)\n}\n"

static gboolean
is_compared (ScopeDocument *document)
{
  return !scope_document_is_comparing (document) && scope_document_get_progress (document) == NULL;
}

static void
wait_for_comparison (ScopeDocument *document)
{
  while (!is_compared (document))
    g_main_context_iteration (NULL, TRUE);
}

/* Keeps what it was written for: the folder stays until the end. */
static ScopeDocument *
open_text (const char *name, const char *text)
{
  g_autofree char *path = toy_write (name, text);

  return toy_open (path);
}

static SymCompareKind
get_kind (ScopeDocument *document, const char *name)
{
  g_autofree guint8 *changes = scope_document_list_changes (document);
  SymId value = toy_find (document, name);

  g_assert_nonnull (changes);
  return (
      SymCompareKind) changes[sym_model_get_producer (scope_document_get_model (document), value)];
}

static void
assert_selected (ScopeDocument *document, const char *name)
{
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, toy_find (document, name));
}

static void
test_layers_are_told_apart (void)
{
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);

  scope_document_compare (new, old);
  g_assert_true (scope_document_is_comparing (new));
  wait_for_comparison (new);
  ScopeComparison *comparison = scope_document_get_comparison (new);
  g_autofree char *summary = scope_comparison_summarise (comparison);

  g_assert_cmpstr (summary, ==, "1 added, 1 removed, 1 changed");
  g_assert_cmpint (get_kind (new, "a"), ==, SYM_COMPARE_SAME);
  g_assert_cmpint (get_kind (new, "c"), ==, SYM_COMPARE_CHANGED);
  g_assert_cmpint (get_kind (new, "d"), ==, SYM_COMPARE_ADDED);
  SymId call = sym_model_get_producer (scope_document_get_model (new), toy_find (new, "c"));
  SymCompareEntry entry;

  g_assert_true (scope_comparison_find (comparison, call, &entry));
  g_autofree char *difference = scope_comparison_tell (comparison, &entry);

  g_assert_nonnull (strstr (difference, "alpha: 1.5 → 2.5"));
}

static void
assert_described (ScopeDocument *document, const char *name, const char *expected)
{
  SymId call =
      sym_model_get_producer (scope_document_get_model (document), toy_find (document, name));
  g_autofree char *text = scope_document_describe_change (document, call);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_changes_are_spoken (void)
{
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);

  assert_described (new, "c", NULL);
  scope_document_compare (new, old);
  wait_for_comparison (new);
  assert_described (new, "a", "Sigmoid “b” removed after it");
  assert_described (new, "c", "changed (alpha: 1.5 → 2.5)");
  assert_described (new, "d", "added");
  assert_described (new, "k", NULL);
  scope_document_select_value (new, toy_find (new, "d"));
  g_autofree char *spoken = scope_announce_selected (new);

  g_assert_cmpstr (spoken, ==, "d, Abs, 2x3, 1 parent, 1 child, added");
}

/* What was removed is seen where it was: behind what was before it. */
static void
test_steps_go_round (void)
{
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);

  scope_document_compare (new, old);
  wait_for_comparison (new);
  ScopeComparison *comparison = scope_document_get_comparison (new);

  g_assert_cmpuint (scope_comparison_get_n_steps (comparison), ==, 3);
  g_assert_cmpuint (scope_document_get_difference (new), ==, G_MAXUINT);
  scope_document_step_difference (new, TRUE);
  SymCompareEntry entry =
      scope_comparison_get_step (comparison, scope_document_get_difference (new));

  g_assert_cmpint (entry.kind, ==, SYM_COMPARE_REMOVED);
  g_assert_cmpstr (scope_comparison_get_name (comparison, &entry), ==, "b");
  g_assert_cmpstr (scope_comparison_get_type (comparison, &entry), ==, "Sigmoid");
  assert_selected (new, "a");
  g_assert_true (scope_comparison_is_gap (comparison, scope_document_get_selected_call (new)));
  scope_document_step_difference (new, TRUE);
  assert_selected (new, "c");
  scope_document_step_difference (new, TRUE);
  assert_selected (new, "d");
  scope_document_step_difference (new, TRUE);
  assert_selected (new, "a");
  scope_document_step_difference (new, FALSE);
  assert_selected (new, "d");
  scope_document_select_value (new, toy_find (new, "y"));
  g_assert_cmpuint (scope_document_get_difference (new), ==, G_MAXUINT);
  scope_document_step_difference (new, FALSE);
  assert_selected (new, "d");
}

static void
test_colours_come_and_go (void)
{
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);
  ScopeView view = *scope_document_get_view (new);

  view.colors = SCOPE_COLORS_BYTES;
  scope_document_set_view (new, &view);
  scope_document_compare (new, old);
  wait_for_comparison (new);
  SymPicture *picture = scope_document_get_picture (new);
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  guint added = sym_scene_find_value (scene, toy_find (new, "d"));
  g_autofree char *name = sym_heat_format_level (
      sym_picture_get_heat (picture), sym_heat_get_level (sym_picture_get_heat (picture), added));

  g_assert_cmpstr (name, ==, "Added");
  g_assert_cmpuint (sym_heat_get_level (sym_picture_get_heat (picture),
                                        sym_scene_find_value (scene, toy_find (new, "y"))),
                    ==, SYM_NO_HEAT);
  scope_document_end_comparison (new);
  toy_wait (new);
  g_assert_null (scope_document_get_comparison (new));
  g_assert_null (scope_document_get_compared_title (new));
  g_assert_cmpint (scope_document_get_view (new)->colors, ==, SCOPE_COLORS_BYTES);
}

static void
test_edits_are_compared_anew (void)
{
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);
  g_autoptr (GError) error = NULL;
  SymId call = sym_model_get_producer (scope_document_get_model (new), toy_find (new, "c"));

  scope_document_compare (new, old);
  wait_for_comparison (new);
  g_assert_true (scope_document_set_attribute (new, call, "alpha", "1.5", &error));
  g_assert_no_error (error);
  toy_wait (new);
  wait_for_comparison (new);
  g_assert_cmpint (get_kind (new, "c"), ==, SYM_COMPARE_SAME);
  call = sym_model_get_producer (scope_document_get_model (old), toy_find (old, "c"));
  g_assert_true (scope_document_set_attribute (old, call, "alpha", "3", &error));
  toy_wait (old);
  wait_for_comparison (new);
  g_assert_cmpint (get_kind (new, "c"), ==, SYM_COMPARE_CHANGED);
}

/* A tab that is closed was what it was. */
static void
test_tabs_may_go (void)
{
  ScopeDocument *old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);

  scope_document_compare (new, old);
  wait_for_comparison (new);
  toy_finalize (old);
  g_assert_null (scope_document_get_compared (new));
  g_assert_nonnull (scope_document_get_comparison (new));
  g_assert_true (scope_document_set_shape_text (new, toy_find (new, "x"), "4,3", NULL));
  toy_wait (new);
  wait_for_comparison (new);
  g_assert_cmpint (get_kind (new, "a"), ==, SYM_COMPARE_RESHAPED);
}

static void
test_files_are_read (void)
{
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);
  g_autofree char *path = toy_write ("old.onnxtxt", OLD);
  g_autofree char *broken = toy_write ("broken.onnxtxt", "<ir_version: ");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) broken_file = g_file_new_for_path (broken);

  scope_document_compare_file (new, broken_file);
  wait_for_comparison (new);
  g_assert_nonnull (scope_document_get_comparison_error (new));
  g_assert_null (scope_document_get_comparison (new));
  g_assert_cmpint (scope_document_get_view (new)->colors, ==, SCOPE_COLORS_CATEGORY);
  scope_document_compare_file (new, file);
  wait_for_comparison (new);
  g_assert_no_error (scope_document_get_comparison_error (new));
  g_assert_cmpstr (scope_document_get_compared_title (new), ==, "old.onnxtxt");
  g_assert_cmpint (get_kind (new, "d"), ==, SYM_COMPARE_ADDED);
}

static void
test_reading_again_compares_again (void)
{
  g_autofree char *path = toy_write ("new.onnxtxt", NEW);
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = toy_open (path);

  scope_document_compare (new, old);
  wait_for_comparison (new);
  g_assert_true (g_file_set_contents (path, OLD, -1, NULL));
  scope_document_reload (new);
  toy_wait (new);
  wait_for_comparison (new);
  g_autofree char *summary = scope_comparison_summarise (scope_document_get_comparison (new));

  g_assert_cmpstr (summary, ==, "no difference but perhaps in numbers");
}

static void
run_with (ScopeDocument *document, ScopeFeedKind kind)
{
  g_autoptr (ScopeRunWish) wish = scope_run_wish_new (scope_document_get_state (document));
  ScopeInputWish input = { toy_find (document, "x"), kind, NULL, NULL, SYM_PICTURE_UNIT };
  g_autoptr (GError) error = NULL;
  guint which;

  scope_run_wish_add (wish, &input);
  ScopeRunSetup *setup = scope_run_wish_prepare (wish, &which, NULL, &error);

  g_assert_no_error (error);
  scope_document_run (document, setup);
  while (scope_document_is_running (document))
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_distances (ScopeDocument *document)
{
  while (scope_document_is_measuring (document))
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (scope_document_get_measure_error (document));
}

/* The level of the colour that the value is drawn in. */
static char *
get_colour (ScopeDocument *document, const char *name)
{
  SymPicture *picture = scope_document_get_picture (document);
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  SymHeat *heat = sym_picture_get_heat (picture);
  guint item = sym_scene_find_value (scene, toy_find (document, name));

  g_assert_nonnull (heat);
  guint level = sym_heat_get_level (heat, item);

  return level != SYM_NO_HEAT ? sym_heat_format_level (heat, level) : NULL;
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(SymPicture **) user_data = scope_export_prepare_finish (result, NULL, &error);
  g_assert_no_error (error);
}

/* As the window has it. */
static void
assert_exports_tell_distances (ScopeDocument *document)
{
  ScopeExportOptions options = { .part = SCOPE_EXPORT_DRAWING };
  g_autoptr (SymPicture) picture = NULL;

  scope_export_prepare_async (document, &options, 0, 1, NULL, prepared_cb, &picture);
  while (picture == NULL)
    g_main_context_iteration (NULL, TRUE);
  SymScene *scene = sym_layout_get_scene (sym_picture_get_layout (picture));
  SymHeat *heat = sym_picture_get_heat (picture);

  g_assert_nonnull (heat);
  g_autofree char *far = sym_heat_format_level (
      heat, sym_heat_get_level (heat, sym_scene_find_value (scene, toy_find (document, "k"))));

  g_assert_cmpstr (far, ==, "Farther apart");
}

static void
assert_colours_tell_distances (ScopeDocument *document)
{
  ScopeView view = *scope_document_get_view (document);

  view.colors = SCOPE_COLORS_DISTANCE;
  scope_document_set_view (document, &view);
  toy_wait (document);
  g_autofree char *same = get_colour (document, "a");
  g_autofree char *other = get_colour (document, "k");
  g_autofree char *unknown = get_colour (document, "d");

  g_assert_cmpstr (same, ==, "Below 1e-6");
  g_assert_cmpstr (other, ==, "Farther apart");
  g_assert_null (unknown);
  assert_exports_tell_distances (document);
}

/* Both start with ones, and what was Sigmoid in between is gone: Tanh and Elu have other numbers,
 * Floor has the same ones again. */
static void
test_runs_are_compared (void)
{
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", OLD);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);

  scope_document_compare (new, old);
  wait_for_comparison (new);
  run_with (new, SCOPE_FEED_ONES);
  g_assert_false (scope_document_is_measuring (new));
  g_assert_null (scope_document_get_distances (new));
  run_with (old, SCOPE_FEED_ONES);
  g_assert_true (scope_document_is_measuring (new));
  wait_for_distances (new);
  const ScopeDistances *distances = scope_document_get_distances (new);

  g_assert_nonnull (distances);
  g_assert_cmpuint (scope_distances_get_n (distances), ==, 5);
  g_assert_cmpuint (scope_distances_get_first (distances), ==, toy_find (new, "k"));
  g_assert_cmpfloat (scope_distances_get (distances, toy_find (new, "a"))->max, ==, 0);
  g_assert_cmpfloat_with_epsilon (scope_distances_get (distances, toy_find (new, "k"))->max,
                                  tanh (1) - tanh (1 / (1 + exp (-1))), 1e-5);
  g_assert_cmpfloat (scope_distances_get (distances, toy_find (new, "m"))->max, ==, 0);
  g_assert_null (scope_distances_get (distances, toy_find (new, "d")));
  g_assert_null (scope_distances_get (distances, toy_find (new, "x")));
  g_autofree double *differences = scope_document_list_differences (new);

  g_assert_cmpfloat (differences[toy_find (new, "a")], ==, 0);
  g_assert_cmpfloat (differences[toy_find (new, "k")], >, 0.1);
  g_assert_cmpfloat (differences[toy_find (new, "d")], <, 0);
  assert_colours_tell_distances (new);
  run_with (old, SCOPE_FEED_ZEROS);
  wait_for_distances (new);
  distances = scope_document_get_distances (new);
  g_assert_cmpuint (scope_distances_get_first (distances), ==, toy_find (new, "a"));
  scope_document_end_comparison (new);
  g_assert_null (scope_document_get_distances (new));
  g_assert_cmpint (scope_document_get_view (new)->colors, ==, SCOPE_COLORS_CATEGORY);
}

/* As many that nobody reads them unasked. */
static char *
format_weights (int last)
{
  g_autoptr (GString) text = g_string_new ("<ir_version: 8, opset_import: [\"\" : 13]>\n"
                                           "g (float[100] x) => (float[100] y) {\n"
                                           "  w = Constant <value = float[100] {");

  for (int i = 0; i < 99; i++)
    g_string_append_printf (text, "%d, ", i);
  g_string_append_printf (text, "%d}> ()\n  y = Add (x, w)\n}\n", last);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_numbers_on_demand (void)
{
  g_autofree char *first = format_weights (6), *second = format_weights (7);
  g_autoptr (ScopeDocument) old = open_text ("old.onnxtxt", first);
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", second);

  scope_document_compare (new, old);
  wait_for_comparison (new);
  g_assert_cmpuint (scope_comparison_get_n_steps (scope_document_get_comparison (new)), ==, 0);
  scope_document_set_compares_numbers (new, TRUE);
  g_assert_true (scope_document_is_comparing (new));
  wait_for_comparison (new);
  g_assert_true (scope_comparison_has_numbers (scope_document_get_comparison (new)));
  g_assert_cmpuint (scope_comparison_get_n_steps (scope_document_get_comparison (new)), ==, 1);
}

/* Nothing of one graph is in the other, and neither has an input. */
static void
test_nothing_in_common (void)
{
  g_autoptr (ScopeDocument) old =
      open_text ("old-symbol.json", "{\"nodes\":[],\"arg_nodes\":[],\"heads\":[]}");
  g_autoptr (ScopeDocument) new = open_text ("new.onnxtxt", NEW);

  scope_document_compare (new, old);
  wait_for_comparison (new);
  g_assert_cmpuint (scope_comparison_get_n_steps (scope_document_get_comparison (new)), ==, 6);
  scope_document_compare (old, new);
  wait_for_comparison (old);
  g_assert_cmpuint (scope_comparison_get_n_steps (scope_document_get_comparison (old)), ==, 6);
  for (guint i = 0; i < 7; i++)
    {
      scope_document_step_difference (old, TRUE);
      g_assert_cmpuint (scope_document_get_difference (old), ==, i % 6);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/comparison/layers-are-told-apart", test_layers_are_told_apart);
  g_test_add_func ("/app/comparison/changes-are-spoken", test_changes_are_spoken);
  g_test_add_func ("/app/comparison/steps-go-round", test_steps_go_round);
  g_test_add_func ("/app/comparison/colours-come-and-go", test_colours_come_and_go);
  g_test_add_func ("/app/comparison/edits-are-compared-anew", test_edits_are_compared_anew);
  g_test_add_func ("/app/comparison/tabs-may-go", test_tabs_may_go);
  g_test_add_func ("/app/comparison/files-are-read", test_files_are_read);
  g_test_add_func ("/app/comparison/reading-again-compares-again",
                   test_reading_again_compares_again);
  g_test_add_func ("/app/comparison/runs-are-compared", test_runs_are_compared);
  g_test_add_func ("/app/comparison/numbers-on-demand", test_numbers_on_demand);
  g_test_add_func ("/app/comparison/nothing-in-common", test_nothing_in_common);
  return g_test_run ();
}
