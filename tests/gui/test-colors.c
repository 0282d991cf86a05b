/* SPDX-License-Identifier: MIT */
#include "app/scope-colors.h"
#include "app/scope-overlay-colors.h"
#include "toy.h"

static void
color_by (ScopeDocument *document, ScopeColors colors)
{
  ScopeView view = *scope_document_get_view (document);

  view.colors = colors;
  scope_document_set_view (document, &view);
  toy_wait (document);
}

static SymHeat *
get_heat (ScopeDocument *document)
{
  return sym_picture_get_heat (scope_document_get_picture (document));
}

/* The level of the item that the value is drawn as. */
static guint
get_level (ScopeDocument *document, const char *name)
{
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));
  SymScene *scene = sym_layout_get_scene (layout);
  SymId value = toy_find (document, name);

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (sym_scene_get_item (scene, i)->value == value)
      return sym_heat_get_level (get_heat (document), i);
  g_error ("%s is not drawn", name);
}

static ScopeDocument *
open_toy (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL));
  toy_wait (document);
  return document;
}

static void
test_usual_colours_are_no_heat (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  g_assert_null (get_heat (document));
  color_by (document, SCOPE_COLORS_PARAMETERS);
  g_assert_nonnull (get_heat (document));
  color_by (document, SCOPE_COLORS_CATEGORY);
  g_assert_null (get_heat (document));
}

/* fc1 has 3 * 8 + 8 parameters, fc2 8 * 8 + 8. */
static void
test_costs_are_counted (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  color_by (document, SCOPE_COLORS_PARAMETERS);
  g_assert_cmpuint (get_level (document, "fc2_output"), ==, SYM_N_HEATS - 1);
  g_assert_cmpuint (get_level (document, "fc1_output"), ==, SYM_N_HEATS - 2);
  g_assert_cmpuint (get_level (document, "relu1_output"), ==, 0);
  g_autofree char *edge = sym_heat_format_edge (get_heat (document), SYM_N_HEATS - 1);

  g_assert_cmpstr (edge, ==, "36 parameters");
  color_by (document, SCOPE_COLORS_MULTIPLY_ADDS);
  g_assert_cmpuint (get_level (document, "fc2_output"), ==, SYM_N_HEATS - 1);
  g_assert_cmpuint (get_level (document, "out_output"), <, SYM_N_HEATS - 1);
}

static void
test_dtypes_are_classes (void)
{
  static const char text[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                             "g (float[2] x) => (int64[2] y, float[2] z) {\n"
                             "  y = Cast <to = 7> (x)\n  z = Relu (x)\n}\n";
  g_autofree char *path = toy_write ("cast.onnxtxt", text);
  g_autoptr (ScopeDocument) document = toy_open (path);

  color_by (document, SCOPE_COLORS_DTYPE);
  g_assert_true (sym_heat_has_classes (get_heat (document)));
  g_assert_cmpuint (sym_heat_get_n_levels (get_heat (document)), ==, 2);
  g_assert_cmpuint (get_level (document, "y"), !=, get_level (document, "z"));
  g_autofree char *first = sym_heat_format_level (get_heat (document), get_level (document, "y"));

  g_assert_cmpstr (first, ==, "int64");
  color_by (document, SCOPE_COLORS_BYTES);
  g_assert_cmpuint (get_level (document, "y"), ==, SYM_N_HEATS - 1);
  g_assert_cmpuint (get_level (document, "z"), ==, SYM_N_HEATS - 1);
  g_autofree char *edge = sym_heat_format_edge (get_heat (document), SYM_N_HEATS - 1);

  g_assert_cmpstr (edge, ==, "8 bytes");
}

static void
test_what_is_found_is_coloured (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();
  GArray *found = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymId value = toy_find (document, "fc1_output");

  color_by (document, SCOPE_COLORS_FOUND);
  g_assert_null (get_heat (document));
  g_array_append_val (found, value);
  scope_document_take_found (document, found, NULL);
  toy_wait (document);
  g_assert_cmpuint (get_level (document, "fc1_output"), ==, 0);
  g_assert_cmpuint (get_level (document, "fc2_output"), ==, SYM_NO_HEAT);
}

/* Chips and boxes. */
static guint
count_dimmed (ScopeDocument *document)
{
  g_autofree char *path = toy_write ("toy.svg", "");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_picture_write_svg (scope_document_get_picture (document), path, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) parts = g_strsplit (text, "class=\"dimmed\"", -1);

  return g_strv_length (parts) - 1;
}

static void
test_what_is_not_found_is_dimmed (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();
  ScopeView view = *scope_document_get_view (document);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymId values[] = { toy_find (document, "data"), toy_find (document, "fc1_output") };

  view.dims_others = TRUE;
  scope_document_set_view (document, &view);
  scope_document_take_found (document, g_array_new (FALSE, FALSE, sizeof (SymId)), NULL);
  toy_wait (document);
  g_assert_cmpuint (count_dimmed (document), ==, 0); /* nothing was found */
  g_array_append_vals (found, values, G_N_ELEMENTS (values));
  scope_document_take_found (document, found, NULL);
  toy_wait (document);
  g_assert_cmpuint (count_dimmed (document), ==, 8); /* of four layers */
  scope_document_take_found (document, NULL, NULL);
  toy_wait (document);
  g_assert_cmpuint (count_dimmed (document), ==, 0);
}

static void
test_overlay_is_coloured_until_the_model_goes (void)
{
  static const char text[] = "{\"results\": {\"fc1\": {\"value\": 8}, \"fc2\": {\"value\": 1}}}";
  g_autoptr (ScopeDocument) document = open_toy ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (GError) error = NULL;
  SymOverlay *overlay =
      sym_overlay_new_from_bytes (scope_document_get_model (document), bytes, "times.json", &error);

  g_assert_no_error (error);
  scope_document_take_overlay (document, overlay);
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_view (document)->colors, ==, SCOPE_COLORS_OVERLAY);
  g_assert_cmpuint (get_level (document, "fc1_output"), ==, SYM_N_HEATS - 1);
  g_assert_cmpuint (get_level (document, "fc2_output"), <, SYM_N_HEATS - 1);
  g_assert_cmpuint (get_level (document, "out_output"), ==, SYM_NO_HEAT);
  scope_document_reload (document);
  toy_wait (document);
  g_assert_null (scope_document_get_overlay (document));
  g_assert_null (get_heat (document));
}

/* ---- A file's own colours ---- */

static void
lay_over (ScopeDocument *document, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymOverlay *overlay =
      sym_overlay_new_from_bytes (scope_document_get_model (document), bytes, "own.json", &error);

  g_assert_no_error (error);
  scope_document_take_overlay (document, overlay);
  toy_wait (document);
}

/* The fill of a layer, G_MAXUINT32 for none of its own; and the row of the legend that has it. */
static guint32
get_fill (ScopeDocument *document, const char *name)
{
  guint level = get_level (document, name);
  const SymHeatColor *colors = sym_heat_get_colors (get_heat (document));

  g_assert_nonnull (colors);
  return level == SYM_NO_HEAT ? G_MAXUINT32 : colors[level].fill;
}

static void
assert_row (ScopeDocument *document, const char *name, const char *text)
{
  g_autofree char *row = sym_heat_format_level (get_heat (document), get_level (document, name));

  g_assert_cmpstr (row, ==, text);
}

/* Numbers from 2 to 10: half way is half of both colours. */
static void
test_gradient_is_the_files (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  lay_over (document, "{\"g\": {\"results\": {\"fc1\": {\"value\": 2}, \"fc2\": {\"value\": 6},"
                      "\"relu1\": {\"value\": 10}}, \"gradient\": ["
                      "{\"stop\": 0, \"bgColor\": \"#ffffff\"}, {\"stop\": 1, \"bgColor\": \"red\","
                      "\"textColor\": \"white\"}]}}");
  g_assert_cmphex (get_fill (document, "fc1_output"), ==, 0xffffff);
  g_assert_cmphex (get_fill (document, "fc2_output"), ==, 0xff8080);
  g_assert_cmphex (get_fill (document, "relu1_output"), ==, 0xff0000);
  g_assert_cmphex (get_fill (document, "out_output"), ==, G_MAXUINT32);
  g_assert_cmpuint (get_level (document, "relu1_output"), ==, 0); /* the legend begins with it */
  assert_row (document, "fc2_output", "6");
  assert_row (document, "relu1_output", "10");
}

static void
test_gradient_may_reach_far (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  lay_over (document,
            "{\"results\": {\"fc1\": {\"value\": -1e308}, \"fc2\": {\"value\": 0},"
            "\"relu1\": {\"value\": 1e308}}, \"gradient\": ["
            "{\"stop\": 0, \"bgColor\": \"#ffffff\"}, {\"stop\": 1, \"bgColor\": \"red\"}]}");
  g_assert_cmphex (get_fill (document, "fc1_output"), ==, 0xffffff);
  g_assert_cmphex (get_fill (document, "fc2_output"), ==, 0xff8080);
  g_assert_cmphex (get_fill (document, "relu1_output"), ==, 0xff0000);
}

static void
test_thresholds_are_the_files (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  lay_over (document, "{\"results\": {\"fc1\": {\"value\": -1}, \"fc2\": {\"value\": 10},"
                      "\"relu1\": {\"value\": 11}, \"out\": {\"value\": 51}}, \"thresholds\": ["
                      "{\"value\": 50, \"bgColor\": \"rgb(0, 0, 100%)\"},"
                      "{\"value\": 10, \"bgColor\": \"rgba(255, 0, 0, 0.5)\"}]}");
  g_assert_cmphex (get_fill (document, "fc1_output"), ==, 0xff8080);
  g_assert_cmphex (get_fill (document, "fc2_output"), ==, 0xff8080);
  g_assert_cmphex (get_fill (document, "relu1_output"), ==, 0x0000ff);
  g_assert_cmphex (get_fill (document, "out_output"), ==, G_MAXUINT32);
  assert_row (document, "fc1_output", "Up to 10");
  assert_row (document, "relu1_output", "10 to 50");
}

static void
test_words_may_have_colours (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();

  lay_over (document, "{\"results\": {\"fc1\": {\"value\": \"cpu\", \"bgColor\": \"#0a0\"},"
                      "\"fc2\": {\"value\": \"cpu\", \"bgColor\": \"#0a0\"},"
                      "\"relu1\": {\"bgColor\": \"purple\"}, \"out\": {\"value\": \"gpu\"}}}");
  g_assert_cmphex (get_fill (document, "fc1_output"), ==, 0x00aa00);
  g_assert_cmphex (get_fill (document, "relu1_output"), ==, 0x800080);
  g_assert_cmphex (get_fill (document, "out_output"), ==, G_MAXUINT32);
  assert_row (document, "fc2_output", "cpu");
  assert_row (document, "relu1_output", "purple");
  g_assert_null (scope_overlay_colors_find_unreadable (scope_document_get_overlay (document)));
  lay_over (document, "{\"results\": {\"fc1\": {\"value\": 1, \"bgColor\": \"blurple\"}}}");
  g_assert_cmpstr (scope_overlay_colors_find_unreadable (scope_document_get_overlay (document)), ==,
                   "blurple");
  g_assert_null (sym_heat_get_colors (get_heat (document))); /* ours then */
}

/* What is painted, and written. */
static void
test_own_colours_are_written (void)
{
  g_autoptr (ScopeDocument) document = open_toy ();
  g_autofree char *path = toy_write ("toy.svg", "");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  lay_over (document, "{\"results\": {\"fc1\": {\"value\": 1, \"bgColor\": \"#123456\","
                      "\"textColor\": \"#fedcba\"}}}");
  g_assert_true (sym_picture_write_svg (scope_document_get_picture (document), path, NULL, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, ".own0>rect{fill:#123456;"));
  g_assert_nonnull (strstr (text, ".own0>text{fill:#fedcba}"));
  g_assert_nonnull (strstr (text, "class=\"own0\""));
  g_assert_null (strstr (text, ".own1>"));
}

/* More colours than a picture has: each layer has one near to its own. */
static void
test_many_colours_are_joined (void)
{
  enum { N = 60 };
  g_autofree char *chain = toy_format_chain (N);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GString) text = g_string_new ("{\"results\": {\"nobody\": {}");
  SymModel *model = scope_document_get_model (document);
  guint n_rows = 0;

  for (SymId call = 0; call < N; call++)
    g_string_append_printf (text, ", \"%s\": {\"value\": %u, \"bgColor\": \"#%02x0000\"}",
                            sym_model_get_call_name (model, call), call, 4 * call);
  g_string_append (text, "}}");
  lay_over (document, text->str);
  for (SymId call = 0; call < N; call++)
    {
      const char *name = sym_model_get_value_name (model, sym_model_get_first_result (model, call));
      int distance = (int) (get_fill (document, name) >> 16) - (int) (4 * call);

      g_assert_cmpint (ABS (distance), <=, 4 * (N - SYM_N_OWN_COLORS));
    }
  g_assert_cmpuint (sym_heat_get_n_levels (get_heat (document)), ==, SYM_N_OWN_COLORS);
  for (guint i = 0; i < SYM_N_OWN_COLORS; i++)
    {
      g_autofree char *row = sym_heat_format_level (get_heat (document), i);

      n_rows += *row != '\0';
    }
  g_assert_cmpuint (n_rows, ==, 8);
}

static void
test_names_come_back (void)
{
  ScopeColors colors = SCOPE_COLORS_CATEGORY;

  for (int i = 0; i < SCOPE_N_COLORS; i++)
    {
      g_assert_true (scope_colors_from_string (scope_colors_to_string ((ScopeColors) i), &colors));
      g_assert_cmpint (colors, ==, i);
    }
  g_assert_false (scope_colors_from_string ("taste", &colors));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/colors/usual-colours-are-no-heat", test_usual_colours_are_no_heat);
  g_test_add_func ("/app/colors/costs-are-counted", test_costs_are_counted);
  g_test_add_func ("/app/colors/dtypes-are-classes", test_dtypes_are_classes);
  g_test_add_func ("/app/colors/what-is-found-is-coloured", test_what_is_found_is_coloured);
  g_test_add_func ("/app/colors/what-is-not-found-is-dimmed", test_what_is_not_found_is_dimmed);
  g_test_add_func ("/app/colors/overlay-is-coloured-until-the-model-goes",
                   test_overlay_is_coloured_until_the_model_goes);
  g_test_add_func ("/app/colors/gradient-is-the-files", test_gradient_is_the_files);
  g_test_add_func ("/app/colors/gradient-may-reach-far", test_gradient_may_reach_far);
  g_test_add_func ("/app/colors/thresholds-are-the-files", test_thresholds_are_the_files);
  g_test_add_func ("/app/colors/words-may-have-colours", test_words_may_have_colours);
  g_test_add_func ("/app/colors/own-colours-are-written", test_own_colours_are_written);
  g_test_add_func ("/app/colors/many-colours-are-joined", test_many_colours_are_joined);
  g_test_add_func ("/app/colors/names-come-back", test_names_come_back);
  return g_test_run ();
}
