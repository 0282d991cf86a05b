/* SPDX-License-Identifier: MIT */
#include "core/sym-edit.h"
#include "core/sym-summary.h"
#include "ops/sym-layers.h"

#include <string.h>

/* Models between any nodes of a graph: P51-P62. */

/* conv, relu -> features; flatten, linear -> output.  T-P3 with one convolution. */
typedef struct {
  SymGraph *graph;
  SymNode *input, *features, *output;
  SymModel *model;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->graph = sym_graph_new ();
  self->input = sym_input (self->graph, SYM_SHAPE (1, 28, 28), &error);
  self->features = sym_relu (sym_conv2d (self->input, 8, 3, &error, .padding = 1), &error);
  self->output = sym_linear (sym_flatten (self->features, &error), 10, &error);
  self->model = sym_node_build_model (self->input, self->output, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  sym_model_unref (self->model);
  sym_graph_unref (self->graph);
}

/* "1:Input_1 2*:Tanh_1 ..." */
static char *
list_rows (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_summary_get_n_rows (summary); i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i);

      g_string_append_printf (text, "%s%u%s:%s", i == 0 ? "" : " ", row.index,
                              row.is_output ? "*" : "", row.name);
    }
  return g_string_free (text, FALSE);
}

static void
assert_rows (SymModel *model, const char *expected)
{
  g_autofree char *rows = list_rows (model);

  g_assert_cmpstr (rows, ==, expected);
}

static SymParameter *
find_parameter (SymModel *model, guint place)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_get_role (model, value) == SYM_ROLE_PARAMETER && place-- == 0)
      return sym_model_get_parameter (model, value);

  return NULL;
}

/* P62. */
static void
test_models_over_the_same_nodes_share_weights (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) extractor = sym_node_build_model (self->input, self->features, &error);

  g_assert_no_error (error);
  assert_rows (extractor, "1:Input_1 2:Conv2d_1 3*:ReLU_1");
  g_assert_nonnull (find_parameter (extractor, 0));
  g_assert_true (find_parameter (extractor, 0) == find_parameter (self->model, 0));
  g_assert_true (find_parameter (extractor, 1) == find_parameter (self->model, 1));
  g_assert_null (find_parameter (extractor, 2));
}

/* P53: the numbers of the layers start anew in each model. */
static void
test_a_model_may_start_in_the_middle (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) classifier = sym_node_build_model (self->features, self->output, &error);

  g_assert_no_error (error);
  assert_rows (classifier, "1:Input_1 2:Flatten_1 3*:Linear_1");
}

/* P57, P58: outputs may occur twice, and keep their order. */
static void
test_outputs_may_occur_twice (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model =
      sym_graph_build (self->graph, &self->input, 1,
                       SYM_NODES (self->output, self->features, self->output), 3, &error);
  SymIds outputs;
  SymType type;

  g_assert_no_error (error);
  outputs = sym_model_get_outputs (model);
  g_assert_cmpuint (outputs.n, ==, 3);
  g_assert_cmpuint (outputs.ids[0], ==, outputs.ids[2]);
  g_assert_cmpuint (outputs.ids[1], ==,
                    sym_graph_get_model_value (self->graph, model, self->features));
  assert_rows (model, "1:Input_1 2:Conv2d_1 3*:ReLU_1 4:Flatten_1 5*:Linear_1");
  {
    g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);

    type = sym_inference_get_type (inference, outputs.ids[1]);
    g_assert_cmpint (type.shape.rank, ==, 4);
    g_assert_cmpint (type.shape.dims[1], ==, 8);
  }
}

/* P59, T-P3, T-P10. */
static void
test_outputs_can_be_added (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymNode *later = sym_relu (self->output, &error);
  g_autoptr (SymEdit) edit = sym_edit_new (self->model);
  g_autoptr (SymModel) added = NULL;

  g_assert_false (sym_edit_add_output (
      edit, sym_graph_get_model_value (self->graph, self->model, self->input), &error));
  g_assert_cmpstr (error->message, ==, "Node is an input of this SymbolicModel!");
  g_clear_error (&error);
  g_assert_false (sym_edit_add_output (
      edit, sym_graph_get_model_value (self->graph, self->model, later), &error));
  g_assert_cmpstr (error->message, ==, "Node is out of reach for this SymbolicModel!");
  g_clear_error (&error);
  g_assert_true (sym_edit_add_output (
      edit, sym_graph_get_model_value (self->graph, self->model, self->features), &error));
  added = sym_edit_end (g_steal_pointer (&edit));
  assert_rows (added, "1:Input_1 2:Conv2d_1 3*:ReLU_1 4:Flatten_1 5*:Linear_1");
  assert_rows (self->model, "1:Input_1 2:Conv2d_1 3:ReLU_1 4:Flatten_1 5*:Linear_1");
}

/* P1: what the values of an input are drawn from goes with the model, unless it is the usual [0,
 * 1). */
static void
test_ranges_of_inputs_are_kept (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymNode *x = sym_graph_add_input (
      self->graph, &(SymInputOptions){ .shape = SYM_SHAPE (4), .min_value = -1, .max_value = 2 },
      &error);
  g_autoptr (SymModel) model = sym_node_build_model (x, sym_relu (x, &error), &error);
  const SymAttributes *attributes = sym_model_get_value_attributes (model, 0);
  double least = 0, most = 0;

  g_assert_no_error (error);
  g_assert_true (sym_value_get_float (sym_attributes_find (attributes, "min_value"), &least));
  g_assert_true (sym_value_get_float (sym_attributes_find (attributes, "max_value"), &most));
  g_assert_cmpfloat (least, ==, -1);
  g_assert_cmpfloat (most, ==, 2);
  g_assert_null (sym_model_get_value_attributes (self->model, 0));
}

/* P55, P56: calls beside the way from inputs to outputs are left out. */
static void
test_what_is_not_used_is_left_out (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SymNode *unused = sym_input (self->graph, SYM_SHAPE (3), &error);
  SymNode *aside = sym_tanh (self->features, &error);
  g_autoptr (SymModel) model =
      sym_graph_build (self->graph, SYM_NODES (unused, self->input), 2, &self->output, 1, &error);

  g_assert_no_error (error);
  g_assert_nonnull (aside);
  assert_rows (model, "1:Input_1 2:Input_2 3:Conv2d_1 4:ReLU_1 5:Flatten_1 6*:Linear_1");
  g_assert_cmpuint (sym_graph_get_model_value (self->graph, model, aside), ==, SYM_NO_ID);
}

#define ADD(path, function) \
  g_test_add ("/graph/submodel/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("models-over-the-same-nodes-share-weights", test_models_over_the_same_nodes_share_weights);
  ADD ("may-start-in-the-middle", test_a_model_may_start_in_the_middle);
  ADD ("outputs-may-occur-twice", test_outputs_may_occur_twice);
  ADD ("outputs-can-be-added", test_outputs_can_be_added);
  ADD ("ranges-of-inputs-are-kept", test_ranges_of_inputs_are_kept);
  ADD ("what-is-not-used-is-left-out", test_what_is_not_used_is_left_out);
  return g_test_run ();
}
