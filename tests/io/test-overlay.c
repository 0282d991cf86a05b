/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-io.h"
#include "io/sym-overlay.h"

/* a -> b -> c, results called after them. */
#define GRAPH                                    \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n" \
  "g (float[2] x) => (float[2] z) {\n"           \
  "  [a] t = Relu (x)\n  [b] u = Tanh (t)\n  [c] z = Abs (u)\n}\n"

static SymModel *
new_model (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (GRAPH, strlen (GRAPH));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "g.onnxtxt", &error);

  g_assert_no_error (error);
  return model;
}

static SymOverlay *
read_text (const char *text, GError **error)
{
  g_autoptr (SymModel) model = new_model ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return sym_overlay_new_from_bytes (model, bytes, "dir/data.json", error);
}

static SymOverlay *
read_well (const char *text)
{
  g_autoptr (GError) error = NULL;
  SymOverlay *overlay = read_text (text, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (sym_overlay_get_title (overlay), ==, "data.json");
  return overlay;
}

static void
assert_numbers (const SymOverlay *overlay, double a, double b, double c)
{
  const double *numbers = sym_overlay_get_numbers (overlay);

  g_assert_nonnull (numbers);
  g_assert_cmpfloat_with_epsilon (numbers[0], a, 1e-12);
  g_assert_cmpfloat_with_epsilon (numbers[1], b, 1e-12);
  g_assert_cmpfloat_with_epsilon (numbers[2], c, 1e-12);
}

static void
assert_told (const SymOverlay *overlay, const char *const *told)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *text = sym_overlay_tell (overlay, i);

      g_assert_cmpstr (text, ==, told[i]);
    }
  g_assert_null (sym_overlay_tell (overlay, SYM_NO_ID));
}

/* Of a node of Model Explorer's own, whose id lies within its namespace; a number is one, too. */
#define ME_NODE(id, label, space) \
  "{\"id\":\"" id "\",\"label\":\"" label "\",\"namespace\":\"" space "\",\"incomingEdges\":[]}"

static void
test_node_data_has_ids (void)
{
  const char *graph = "[{\"id\":\"g\",\"nodes\":[" ME_NODE ("stem", "Conv", "a/b") "," ME_NODE (
      "7", "Relu", "a") "," ME_NODE ("x/y", "Add", "") "," ME_NODE ("y", "Mul", "z") "]}]";
  const char *data = "{\"g\":{\"results\":{\"stem\":{\"value\":1},\"7\":{\"value\":2},"
                     "\"x/y\":{\"value\":3},\"y\":{\"value\":4},\"b/stem\":{\"value\":1}}}}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (graph, strlen (graph));
  g_autoptr (GBytes) text = g_bytes_new_static (data, strlen (data));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "g.json", &error);

  g_assert_no_error (error);
  g_autoptr (SymOverlay) overlay = sym_overlay_new_from_bytes (model, text, "data.json", &error);

  g_assert_no_error (error);
  assert_numbers (overlay, 1, 2, 3);
  g_assert_cmpuint (sym_overlay_get_n_found (overlay), ==, 3);
  g_assert_cmpuint (sym_overlay_get_n_missed (overlay), ==, 1); /* “y” may be of two */
}

static void
test_node_data_has_numbers (void)
{
  g_autoptr (SymOverlay) overlay =
      read_well ("{\"g\": {\"results\": {\"a\": {\"value\": 1.5}, \"u\": {\"value\": 4},"
                 "\"nobody\": {\"value\": 1}}, \"gradient\": []}}");

  assert_numbers (overlay, 1.5, 4, -1);
  assert_told (overlay, (const char *const[]){ "1.5", "4", NULL });
  g_assert_cmpuint (sym_overlay_get_n_found (overlay), ==, 2);
  g_assert_cmpuint (sym_overlay_get_n_missed (overlay), ==, 1);
  g_assert_cmpstr (sym_overlay_get_unit (overlay), ==, "");
}

/* What is told is what the file says, however far numbers are apart. */
static void
test_numbers_may_reach_far (void)
{
  g_autoptr (SymOverlay) overlay = read_well ("{\"results\": {\"a\": {\"value\": -1e308},"
                                              "\"b\": {\"value\": 1e308},"
                                              "\"c\": {\"value\": 0.25}}}");
  const double *numbers = sym_overlay_get_numbers (overlay);

  g_assert_cmpfloat (sym_overlay_get_lowest (overlay), ==, -1e308);
  g_assert_cmpfloat (numbers[0], ==, 0);
  g_assert_cmpfloat (numbers[1], ==, G_MAXDOUBLE);
  assert_told (overlay, (const char *const[]){ "-1e+308", "1e+308", "0.25" });
}

/* "a" and its result "t" are one layer. */
static void
test_means_may_reach_far (void)
{
  g_autoptr (SymOverlay) overlay = read_well ("{\"results\": {\"a\": {\"value\": 1e308},"
                                              "\"t\": {\"value\": 1e308}}}");

  assert_told (overlay, (const char *const[]){ "1e+308", NULL, NULL });
}

static void
test_results_may_be_at_the_top (void)
{
  g_autoptr (SymOverlay) overlay =
      read_well ("{\"results\": {\"a\": {\"value\": -1}, \"c\": {\"value\": 1}}}");

  assert_numbers (overlay, 0, -1, 2);
  assert_told (overlay, (const char *const[]){ "-1", NULL, "1" });
}

static void
test_words_are_classes (void)
{
  g_autoptr (SymOverlay) overlay =
      read_well ("{\"results\": {\"a\": {\"value\": \"cpu\"}, \"b\": {\"value\": \"gpu\"},"
                 "\"c\": {\"value\": \"cpu\"}}}");
  const guint8 *classes = sym_overlay_get_classes (overlay);

  g_assert_null (sym_overlay_get_numbers (overlay));
  g_assert_cmpuint (classes[0], ==, 0);
  g_assert_cmpuint (classes[1], ==, 1);
  g_assert_cmpuint (classes[2], ==, 0);
  g_assert_cmpstr (sym_overlay_get_class_names (overlay)[1], ==, "gpu");
  g_assert_null (sym_overlay_get_class_names (overlay)[2]);
  assert_told (overlay, (const char *const[]){ "cpu", "gpu", "cpu" });
}

/* What a node has itself, and the scale of its graph: a gradient comes before thresholds. */
static void
test_node_data_may_bring_colours (void)
{
  g_autoptr (SymOverlay) overlay = read_well (
      "{\"g\": {\"results\": {\"a\": {\"value\": 2, \"bgColor\": \"red\", \"textColor\": \"#fff\"},"
      "\"b\": {\"value\": 6}}, \"thresholds\": [{\"value\": 9, \"bgColor\": \"blue\"}],"
      "\"gradient\": [{\"stop\": 1, \"bgColor\": \"green\"}, {\"stop\": 0, \"textColor\": \"x\"}]},"
      "\"h\": {\"results\": {\"c\": {\"value\": -1}}, \"thresholds\": [{\"value\": 9}]}}");
  const SymOverlayColors *colors = sym_overlay_get_colors (overlay);
  SymOverlayScale scale;
  double number;

  g_assert_nonnull (colors);
  g_assert_cmpstr (sym_overlay_colors_get_fill (colors, 0), ==, "red");
  g_assert_cmpstr (sym_overlay_colors_get_text (colors, 0), ==, "#fff");
  g_assert_null (sym_overlay_colors_get_fill (colors, 1));
  g_assert_true (sym_overlay_colors_get_scale (colors, 1, &scale));
  g_assert_true (scale.is_gradient);
  g_assert_cmpuint (scale.n_stops, ==, 2);
  g_assert_cmpstr (scale.stops[0].text, ==, "x");
  g_assert_null (scale.stops[0].fill);
  g_assert_cmpstr (scale.stops[1].fill, ==, "green");
  g_assert_cmpfloat (scale.lowest, ==, 2);
  g_assert_cmpfloat (scale.highest, ==, 6);
  g_assert_true (sym_overlay_colors_get_scale (colors, 2, &scale));
  g_assert_false (scale.is_gradient);
  g_assert_cmpfloat (scale.stops[0].number, ==, 9);
  g_assert_true (sym_overlay_get_number (overlay, 2, &number));
  g_assert_cmpfloat (number, ==, -1);
  g_assert_false (sym_overlay_get_number (overlay, SYM_NO_ID, &number));
}

static void
test_most_bring_none (void)
{
  g_autoptr (SymOverlay) overlay =
      read_well ("{\"results\": {\"a\": {\"value\": 2}}, \"gradient\": [], \"thresholds\": 3}");

  g_assert_null (sym_overlay_get_colors (overlay));
}

/* The mean of several runs; what is no node's time does not count. */
static void
test_profile_has_times (void)
{
  g_autoptr (SymOverlay) overlay =
      read_well ("[{\"cat\": \"Session\", \"name\": \"model_run\", \"dur\": 99},"
                 "{\"cat\": \"Node\", \"name\": \"a_kernel_time\", \"dur\": 1000},"
                 "{\"cat\": \"Node\", \"name\": \"a_kernel_time\", \"dur\": 3000},"
                 "{\"cat\": \"Node\", \"name\": \"a_fence_before\", \"dur\": 7},"
                 "{\"cat\": \"Node\", \"name\": \"c_kernel_time\", \"dur\": 500}]");

  assert_numbers (overlay, 2, -1, 0.5);
  assert_told (overlay, (const char *const[]){ "2 ms", NULL, "0.5 ms" });
  g_assert_cmpstr (sym_overlay_get_unit (overlay), ==, "ms");
}

static void
test_others_are_refused (void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "{\"results\": ", "dir/data.json: line 1" },
    { "{}", "neither Model Explorer's node data" },
    { "[]", "nor a profile" },
    { "[1, {\"cat\": 2}]", "nor a profile" },
    { "{\"results\": {}}", "no values" },
    { "{\"results\": {\"a\": 1, \"b\": {\"value\": null}}}", "no values" },
    { "{\"results\": {\"k\": {\"value\": 1}}}", "such as “k”" },
    { "{\"results\": {\"a\": {\"value\": NaN}}}", "no values" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (cases[i].text, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("“%s” does not say “%s”", error->message, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/overlay/node-data-has-ids", test_node_data_has_ids);
  g_test_add_func ("/io/overlay/node-data-has-numbers", test_node_data_has_numbers);
  g_test_add_func ("/io/overlay/numbers-may-reach-far", test_numbers_may_reach_far);
  g_test_add_func ("/io/overlay/means-may-reach-far", test_means_may_reach_far);
  g_test_add_func ("/io/overlay/results-may-be-at-the-top", test_results_may_be_at_the_top);
  g_test_add_func ("/io/overlay/words-are-classes", test_words_are_classes);
  g_test_add_func ("/io/overlay/node-data-may-bring-colours", test_node_data_may_bring_colours);
  g_test_add_func ("/io/overlay/most-bring-none", test_most_bring_none);
  g_test_add_func ("/io/overlay/profile-has-times", test_profile_has_times);
  g_test_add_func ("/io/overlay/others-are-refused", test_others_are_refused);
  return g_test_run ();
}
