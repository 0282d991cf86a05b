/* SPDX-License-Identifier: MIT */
#include "app/scope-colors.h"
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
  g_test_add_func ("/app/colors/names-come-back", test_names_come_back);
  return g_test_run ();
}
