/* SPDX-License-Identifier: MIT */
#include "core/sym-graph.h"
#include "ops/sym-layers.h"
#include "core/sym-model-builder.h"
#include "scene/sym-scene.h"

/* The default texts of P82 and P83, as T-P20 has them for the numpy example.  How many elements a
 * value has is only known when it runs, so that "ndarray(100)" is "ndarray" here. */

static const SymSceneItem *
find_item (const SymScene *scene, const char *name)
{
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return sym_scene_get_item (scene, i);
  g_error ("no item is called %s", name);
}

/* The text of the chip, and the second line of the value's box. */
static void
assert_texts (const SymScene *scene, const char *name, const char *layer, const char *value)
{
  const SymSceneItem *item = find_item (scene, name);

  g_assert_cmpuint (item->n_boxes, ==, 2);
  g_assert_cmpint (item->boxes[0].kind, ==, SYM_BOX_CHIP);
  g_assert_cmpstr (item->boxes[0].lines[0], ==, layer);
  g_assert_cmpstr (item->boxes[1].lines[0], ==, name);
  g_assert_cmpstr (item->boxes[1].lines[1], ==, value);
}

static SymScene *
draw (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  return sym_scene_new (inference, &(SymSceneOptions){ .drawing = SYM_DRAWING_DATA });
}

static void
test_values_that_are_no_tensors (void)
{
  const SymType ndarray = sym_type_opaque ("ndarray");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_graph_add_custom_input (graph, &ndarray, &error);
  SymNode *y = sym_graph_add_custom_input (graph, &ndarray, &error);
  SymNode *slice = sym_slice (x, ":, None", &error);
  SymNode *turned =
      sym_node_call (sym_node_get_attribute (y, "reshape", &error), NULL, NULL, &error);
  SymNode *z = sym_add (slice, turned, &error);
  g_autoptr (SymModel) model = sym_graph_build (graph, SYM_NODES (x, y), 2, &z, 1, &error);
  g_autoptr (SymScene) scene = NULL;

  g_assert_no_error (error);
  scene = draw (model);
  g_assert_cmpstr (find_item (scene, "Input_1")->boxes[0].lines[1], ==, "ndarray");
  assert_texts (scene, "SliceLayer_1", "SliceLayer", "ndarray");
  assert_texts (scene, "GetAttr_1", ".reshape", "callable");
  assert_texts (scene, "wrap(reshape)_1", "wrap(reshape)", "ndarray");
  assert_texts (scene, "GetAttr_2", ".__add__", "callable");
  assert_texts (scene, "wrap(__add__)_1", "wrap(__add__)", "ndarray");
}

static void
test_tensors_and_tuples (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (7, 5), &error);
  SymNode *sequence = sym_lstm (sym_add (x, x, &error), 8, &error, .batch_first = TRUE);
  SymNode *parts[2];
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymScene) scene = NULL;

  g_assert_true (sym_node_unpack (sequence, parts, 2, &error));
  model = sym_node_build_model (x, sym_mean (parts[0], &error), &error);
  g_assert_no_error (error);
  scene = draw (model);
  g_assert_cmpstr (find_item (scene, "Input_1")->boxes[0].lines[1], ==, "?×7×5");
  assert_texts (scene, "AddOpLayer_1", "AddOpLayer", "?×7×5");
  assert_texts (scene, "LSTM_1", "LSTM 8", "tuple(2)");
  assert_texts (scene, "AggregateLayer_1", "AggregateLayer", "scalar");
}

/* One unknown size, and not even their number known, are told apart. */
static void
test_what_is_unknown (void)
{
  static const struct {
    SymShape shape;
    const char *text;
  } cases[] = {
    { { .rank = -1 }, "rank ?" },
    { { .rank = 1, .dims = { SYM_DIM_UNKNOWN } }, "?" },
    { { .rank = 2, .dims = { SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN } }, "?×?" },
    { { .rank = 0 }, "scalar" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymGraph) graph = sym_graph_new ();
      const SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, cases[i].shape);
      SymNode *x = sym_graph_add_custom_input (graph, &type, &error);
      g_autoptr (SymModel) model = sym_node_build_model (x, x, &error);
      g_autoptr (SymScene) scene = draw (model);

      g_assert_no_error (error);
      g_assert_cmpstr (find_item (scene, "Input_1")->boxes[0].lines[1], ==, cases[i].text);
    }
}

/* Whether nothing is known, or only that it is a tensor, makes no difference to who looks. */
static void
test_unknown_types_read_as_unknown_shapes (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType tensor = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Strange", NULL, NULL);
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &tensor);
  SymId call = sym_model_builder_add_call (builder, "y", layer, &x, 1, 1);
  SymId y = sym_model_builder_get_result (builder, call, 0);

  sym_model_builder_set_value_name (builder, y, "y");
  sym_model_builder_add_input (builder, x);
  sym_model_builder_add_output (builder, y);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autoptr (SymScene) scene = draw (model);

  g_assert_cmpstr (find_item (scene, "x")->boxes[0].lines[1], ==, "rank ?");
  g_assert_cmpstr (find_item (scene, "y")->boxes[1].lines[1], ==, "rank ?");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/symbolic/values-that-are-no-tensors", test_values_that_are_no_tensors);
  g_test_add_func ("/scene/symbolic/tensors-and-tuples", test_tensors_and_tuples);
  g_test_add_func ("/scene/symbolic/what-is-unknown", test_what_is_unknown);
  g_test_add_func ("/scene/symbolic/unknown-types-read-as-unknown-shapes",
                   test_unknown_types_read_as_unknown_shapes);
  return g_test_run ();
}
