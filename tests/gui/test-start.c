/* SPDX-License-Identifier: MIT */
#include "app/scope-start.h"

#include "app/scope-place.h"
#include "core/sym-model-builder.h"

#define N_LAYERS 30

typedef struct {
  SymLayout *layout;
  SymSummary *summary;
  SymId x, first; /* the input of a chain, and what its first layer makes; SYM_NO_ID for no chain */
} Drawing;

static SymId
add_input (SymModelBuilder *builder, const char *name)
{
  SymType type = SYM_TYPE_UNKNOWN;
  SymId value = sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);

  sym_model_builder_add_input (builder, value);
  return value;
}

/* Layers that follow a value, or none. */
static SymId
add_layers (SymModelBuilder *builder, SymId last, const char *beginning, guint n)
{
  SymId first = SYM_NO_ID;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SymLayer) layer = sym_layer_new ("Layer", NULL, NULL);
      g_autofree char *name = g_strdup_printf ("%s%u", beginning, i);
      SymId call =
          sym_model_builder_add_call (builder, name, layer, &last, last != SYM_NO_ID ? 1 : 0, 1);

      last = sym_model_builder_get_result (builder, call, 0);
      sym_model_builder_set_value_name (builder, last, name);
      first = i == 0 ? last : first;
    }
  sym_model_builder_add_output (builder, last);
  return first;
}

static void
add_chain (SymModelBuilder *builder, Drawing *self)
{
  self->x = add_input (builder, "x");
  self->first = add_layers (builder, self->x, "layer", N_LAYERS);
}

/* One layer that uses so many inputs. */
static void
add_sum (SymModelBuilder *builder, guint n)
{
  g_autofree SymId *inputs = g_new (SymId, n);
  g_autoptr (SymLayer) layer = sym_layer_new ("Sum", NULL, NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("input%u", i);

      inputs[i] = add_input (builder, name);
    }
  if (n > 0)
    sym_model_builder_add_call (builder, "sum", layer, inputs, n, 1);
}

static void
draw (Drawing *self, SymModelBuilder *builder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymScene) scene = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  SymSceneOptions scene_options = { .drawing = SYM_DRAWING_DATA };
  SymLayoutOptions layout_options = { .direction = SYM_DIRECTION_DOWN };

  model = sym_model_builder_end (builder);
  inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  scene = sym_scene_new (inference, &scene_options);
  self->summary = sym_summary_new (inference);
  self->layout = sym_layout_new (scene, &layout_options, NULL, &error);
  g_assert_no_error (error);
}

static void
set_up (Drawing *self, guint n_summed, gboolean has_chain)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);

  add_sum (builder, n_summed);
  if (has_chain)
    add_chain (builder, self);
  draw (self, builder);
}

static void
tear_down (Drawing *self)
{
  sym_summary_unref (self->summary);
  sym_layout_unref (self->layout);
}

static void
test_chain_starts_at_its_input (void)
{
  Drawing drawing;
  SymRect start, input;

  set_up (&drawing, 0, TRUE);
  g_assert_true (scope_start_find (drawing.layout, drawing.summary, &start));
  g_assert_true (scope_place_find (drawing.layout, drawing.x, SYM_NO_ID, &input));
  g_assert_cmpfloat (start.x, ==, input.x);
  g_assert_cmpfloat (start.y, ==, input.y);
  tear_down (&drawing);
}

/* Fewer layers than enough are no reason to begin elsewhere, where there are a few more. */
static void
test_input_with_a_few_layers_is_not_passed_over (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  Drawing drawing = { 0 };
  SymRect start, input;

  drawing.x = add_input (builder, "x");
  add_layers (builder, drawing.x, "layer_with_a_long_name_of_its_own_", 3);
  add_layers (builder, SYM_NO_ID, "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", N_LAYERS); /* wide */
  draw (&drawing, builder);
  g_assert_true (scope_start_find (drawing.layout, drawing.summary, &start));
  g_assert_true (scope_place_find (drawing.layout, drawing.x, SYM_NO_ID, &input));
  g_assert_cmpfloat (start.x, ==, input.x);
  g_assert_cmpfloat (start.y, ==, input.y);
  tear_down (&drawing);
}

/* Inputs that nothing is near are passed over for the layer that comes first and has others after
 * it. */
static void
test_many_inputs_are_passed_over (void)
{
  Drawing drawing;
  SymRect start, first;

  set_up (&drawing, 4000, TRUE);
  g_assert_true (scope_start_find (drawing.layout, drawing.summary, &start));
  g_assert_true (scope_place_find (drawing.layout, drawing.first, SYM_NO_ID, &first));
  g_assert_cmpfloat (ABS (start.y - first.y), <, 400);
  tear_down (&drawing);
}

static void
test_only_layer_is_preferred_to_its_inputs (void)
{
  Drawing drawing;
  SymRect start, sum;

  set_up (&drawing, 4000, FALSE);
  g_assert_true (scope_start_find (drawing.layout, drawing.summary, &start));
  g_assert_true (scope_place_find (
      drawing.layout, sym_summary_get_row (drawing.summary, 4000).value, SYM_NO_ID, &sum));
  g_assert_cmpfloat (start.y, <=, sum.y);
  g_assert_cmpfloat (start.y + start.height, >=, sum.y + sum.height);
  tear_down (&drawing);
}

static void
test_empty_drawing_has_no_start (void)
{
  Drawing drawing;
  SymRect start = { 1, 2, 3, 4 };

  set_up (&drawing, 0, FALSE);
  g_assert_false (scope_start_find (drawing.layout, drawing.summary, &start));
  g_assert_cmpfloat (start.width, ==, 3);
  tear_down (&drawing);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/start/chain-starts-at-its-input", test_chain_starts_at_its_input);
  g_test_add_func ("/app/start/input-with-a-few-layers-is-not-passed-over",
                   test_input_with_a_few_layers_is_not_passed_over);
  g_test_add_func ("/app/start/many-inputs-are-passed-over", test_many_inputs_are_passed_over);
  g_test_add_func ("/app/start/only-layer-is-preferred-to-its-inputs",
                   test_only_layer_is_preferred_to_its_inputs);
  g_test_add_func ("/app/start/empty-drawing-has-no-start", test_empty_drawing_has_no_start);
  return g_test_run ();
}
