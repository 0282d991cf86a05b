/* SPDX-License-Identifier: MIT */
#include "core/sym-summary.h"
#include "ops/sym-layers.h"

#include <string.h>
#include <time.h>

static SymSummary *
summarise (SymModel *model)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  return sym_summary_new (inference);
}

/* "1:Input_1 2*:Tanh_1(1) ..." */
static void
assert_rows (SymModel *model, const char *expected)
{
  g_autoptr (SymSummary) summary = summarise (model);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < sym_summary_get_n_rows (summary); i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i);

      g_string_append_printf (text, "%s%u%s:%s", i == 0 ? "" : " ", row.index,
                              row.is_output ? "*" : "", row.name);
      for (guint k = 0; k < row.parents.n; k++)
        g_string_append_printf (text, "%c%u%s", k == 0 ? '(' : ',',
                                sym_summary_find_row (summary, row.parents.ids[k]),
                                k + 1 == row.parents.n ? ")" : "");
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static guint64
get_total (SymModel *model)
{
  g_autoptr (SymSummary) summary = summarise (model);

  g_assert_true (sym_summary_get_totals (summary).known);
  return sym_summary_get_totals (summary).total;
}

/* T-P6. */
static void
test_shared_layers_are_named_by_use_and_counted_once (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymLayer *linear = sym_nn_linear (graph, 4, 4, &error);
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *y = x;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymSummary) summary = NULL;

  for (guint i = 0; i < 3; i++)
    y = sym_layer_call (linear, y, &error);
  model = sym_node_build_model (x, y, &error);
  g_assert_no_error (error);
  assert_rows (model, "1:Input_1 2:Linear_1(1) 3:Linear_2(2) 4*:Linear_3(3)");
  summary = summarise (model);
  for (guint i = 1; i < 4; i++)
    g_assert_cmpuint (sym_summary_get_row (summary, i).n_parameters, ==, 20);
  g_assert_cmpuint (get_total (model), ==, 20);
}

static void
test_custom_names_count_from_their_second_use (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymLayer *linear = sym_nn_linear (graph, 4, 4, &error);
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *y = sym_graph_call (graph, linear, &x, 1, "X", &error);
  g_autoptr (SymModel) model = NULL;

  y = sym_graph_call (graph, linear, &y, 1, "X", &error);
  y = sym_linear (y, 4, &error, .name = "X");
  model = sym_node_build_model (x, y, &error);
  assert_rows (model, "1:Input_1 2:X(1) 3:X_2(2) 4*:X_3(3)");
  g_assert_cmpuint (get_total (model), ==, 40);
}

/* B6. */
static void
test_no_two_layers_have_one_name (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *y = sym_relu (x, &error, .name = "ReLU_1");
  g_autoptr (SymModel) model = NULL;

  y = sym_relu (y, &error);
  y = sym_relu (y, &error, .name = "Input_1");
  y = sym_relu (y, &error, .name = "ReLU_2");
  model = sym_node_build_model (x, y, &error);
  assert_rows (model, "1:Input_1 2:ReLU_1(1) 3:ReLU_2(2) 4:Input_1_2(3) 5*:ReLU_2_2(4)");
}

/* T-P7. */
static void
test_frozen_parameters_are_not_trainable (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymLayer *linear = sym_nn_linear (graph, 4, 4, &error);
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymSummary) summary = NULL;

  sym_parameter_set_trainable (sym_layer_get_parameter (linear, 1, NULL, NULL), FALSE);
  model = sym_node_build_model (x, sym_layer_call (linear, x, &error), &error);
  summary = summarise (model);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, 20);
  g_assert_cmpuint (sym_summary_get_totals (summary).trainable, ==, 16);
  g_assert_cmpuint (sym_summary_get_totals (summary).non_trainable, ==, 4);
}

/* T-P11, T-P12, T-P13. */
static void
test_order_is_that_of_creation (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (32), &error);
  SymNode *other = sym_input (graph, SYM_SHAPE (3), &error);
  SymNode *a = sym_tanh (x, &error);
  SymNode *b = sym_sigmoid (x, &error);
  SymNode *c = sym_relu (a, &error);
  SymNode *d = sym_add (c, b, &error);
  g_autoptr (SymModel) whole = sym_node_build_model (x, d, &error);
  g_autoptr (SymModel) inner = sym_graph_build (graph, SYM_NODES (a, b), 2, &d, 1, &error);
  g_autoptr (SymModel) nothing = sym_graph_build (graph, SYM_NODES (x, other), 2, &x, 1, &error);

  g_assert_no_error (error);
  assert_rows (whole, "1:Input_1 2:Tanh_1(1) 3:Sigmoid_1(1) 4:ReLU_1(2) 5*:AddOpLayer_1(4,3)");
  assert_rows (inner, "1:Input_1 2:Input_2 3:ReLU_1(1) 4*:AddOpLayer_1(3,2)");
  assert_rows (nothing, "1*:Input_1 2:Input_2");
}

/* T-P10, P52. */
static void
test_a_foreign_node_is_named (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x1 = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *x2 = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *sum = sym_add (x1, x2, &error);

  g_assert_null (sym_node_build_model (x1, sum, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_FOREIGN_PARENT);
  g_assert_true (g_str_has_prefix (error->message, "Node <SymbolicTensor at 0x"));
  g_assert_nonnull (strstr (error->message,
                            "; 2 parents; 0 children> depends on the output of a foreign node! "
                            "Perhaps you set the wrong inputs?"));
}

/* B9, B11, P50. */
static void
test_senseless_ends_are_refused (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymGraph) other = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (4), NULL);
  SymNode *lonely = sym_input (graph, SYM_SHAPE (4), NULL);
  SymNode *foreign = sym_input (other, SYM_SHAPE (4), NULL);
  SymNode *y = sym_relu (x, NULL);
  const struct {
    SymNode *inputs[2];
    guint n_inputs;
    SymNode *output;
    guint n_outputs;
    const char *message;
  } cases[] = {
    { { x, x }, 2, y, 1, "is given twice among the inputs" },
    { { x }, 0, y, 1, "needs at least one input" },
    { { x }, 1, y, 0, "needs at least one output" },
    { { lonely }, 1, y, 1, "depends on none of the inputs" },
    { { foreign }, 1, y, 1, "Only SymbolicData allowed in inputs!" },
    { { x }, 1, foreign, 1, "Only SymbolicData allowed in outputs!" },
    { { x, NULL }, 2, y, 1, "Only SymbolicData allowed in inputs! Number 2 of them is NULL" },
    { { x }, 1, NULL, 1, "Only SymbolicData allowed in outputs! Number 1 of them is NULL" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_graph_build (graph, cases[i].inputs, cases[i].n_inputs, &cases[i].output,
                                      cases[i].n_outputs, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* B1, B2. */
static void
test_each_unpacked_sibling_in_use_has_a_row (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x =
      sym_graph_add_input (graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (3, 4) }, &error);
  SymNode *parts[3];
  SymNode *sum;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) turned = NULL;
  g_autoptr (SymModel) last = NULL;

  g_assert_true (sym_node_unpack (x, parts, 3, &error));
  sum = sym_add (parts[1], 1, &error);
  model = sym_graph_build (graph, &x, 1, SYM_NODES (parts[0], sum), 2, &error);
  turned = sym_graph_build (graph, &x, 1, SYM_NODES (parts[2], parts[0]), 2, &error);
  last = sym_node_build_model (x, parts[2], &error);
  g_assert_no_error (error);
  assert_rows (model,
               "1:Input_1 2*:UnpackLayer_1[0](1) 3:UnpackLayer_1[1](1) 4*:LambdaOpLayer_1(3)");
  assert_rows (turned, "1:Input_1 2*:UnpackLayer_1[0](1) 3*:UnpackLayer_1[2](1)");
  assert_rows (last, "1:Input_1 2*:UnpackLayer_1(1)");
  g_assert_cmpuint (sym_graph_get_model_value (graph, last, parts[1]), ==, SYM_NO_ID);
  g_assert_cmpuint (sym_graph_get_model_value (graph, last, parts[2]), !=, SYM_NO_ID);
}

static void
test_nodes_are_found_in_their_models_only (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymGraph) other = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *y = sym_relu (x, &error);
  SymNode *z = sym_relu (y, &error);
  SymNode *foreign = sym_input (other, SYM_SHAPE (4), &error);
  g_autoptr (SymModel) model = NULL;

  sym_node_set_variable (y, "y");
  model = sym_node_build_model (x, y, &error);
  g_assert_cmpstr (sym_model_get_variable (model, sym_graph_get_model_value (graph, model, y)), ==,
                   "y");
  g_assert_cmpuint (sym_graph_get_model_value (graph, model, z), ==, SYM_NO_ID);
  g_assert_cmpuint (sym_graph_get_model_value (other, model, foreign), ==, SYM_NO_ID);
}

/* P61: a model with several results. */
static void
test_a_nested_model_has_all_its_outputs (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (8), &error);
  SymNode *a = sym_linear (x, 4, &error), *b = sym_linear (x, 2, &error);
  g_autoptr (SymModel) inner = sym_graph_build (graph, &x, 1, SYM_NODES (a, b), 2, &error);
  SymLayer *layer = sym_graph_keep_layer (graph, sym_layer_new_model (inner), NULL);
  SymNode *y = sym_input (graph, SYM_SHAPE (8), &error);
  SymNode *parts[2];
  g_autoptr (SymModel) model = NULL;

  g_assert_true (sym_node_unpack (sym_layer_call (layer, y, &error), parts, 2, &error));
  model = sym_graph_build (graph, &y, 1, parts, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sym_node_get_features (parts[1]), ==, 2);
  assert_rows (model, "1:Input_1 2*:SymbolicModel_1[0](1) 3*:SymbolicModel_1[1](1)");
  g_assert_cmpuint (get_total (model), ==, 54);

  g_assert_null (sym_call (layer, &error, y, y));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
}

/* T-P21: parents are in the order of the named arguments, whatever the order of the inputs. */
static void
test_parents_follow_named_arguments (void)
{
  static const char *const names[] = { "input", "weight", "bias" };
  const SymFunction conv2d = { .name = "conv2d", .infer = sym_infer_same };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *nodes[3], *output;
  SymArguments *arguments = sym_arguments_new ();
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 3; i++)
    {
      nodes[i] = sym_input (graph, SYM_SHAPE (4, 4, 4), &error);
      sym_arguments_set (arguments, names[i], sym_arguments_node (arguments, nodes[i]));
    }
  output = sym_graph_call_with (graph, &conv2d, arguments, NULL, &error);
  model = sym_graph_build (graph, SYM_NODES (nodes[1], nodes[2], nodes[0]), 3, &output, 1, &error);
  g_assert_no_error (error);
  assert_rows (model, "1:Input_1 2:Input_2 3:Input_3 4*:wrap(conv2d)_1(3,1,2)");
}

/* Weights tied by one SymParameter in two layers are one value. */
static void
test_tied_weights_are_one_value (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymLayer *first = sym_nn_linear (graph, 4, 4, &error, .no_bias = TRUE);
  const SymType *type;
  SymParameter *weight = sym_layer_get_parameter (first, 0, NULL, &type);
  SymLayer *second = sym_layer_new ("Linear", sym_layer_get_operator (first),
                                    (SymAttributes *) sym_layer_get_attributes (first));
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  g_autoptr (SymModel) model = NULL;
  guint n_parameters = 0;

  sym_layer_add_parameter (second, "weight", type, weight);
  sym_graph_keep_layer (graph, second, NULL);
  model = sym_node_build_model (
      x, sym_layer_call (second, sym_layer_call (first, x, &error), &error), &error);
  g_assert_no_error (error);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    n_parameters += sym_model_get_role (model, value) == SYM_ROLE_PARAMETER;
  g_assert_cmpuint (n_parameters, ==, 1);
  g_assert_cmpuint (get_total (model), ==, 16);
}

/* ---- Whole networks ---- */

/* T-P8: the sequential one of the quick start. */
static void
test_sequential_model (void)
{
  static const int channels[] = { 16, 32, 64, 64 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *inputs = sym_input (graph, SYM_SHAPE (3, 128, 128), &error);
  SymNode *x = inputs;
  g_autoptr (SymModel) model = NULL;
  g_autofree char *shape = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    x = sym_relu (sym_max_pool2d (sym_conv2d (x, channels[i], 3, &error), 2, &error), &error);
  x = sym_linear (sym_flatten (x, &error), 10, &error);
  model = sym_node_build_model (inputs, x, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_total (model), ==, 83562);
  shape = sym_node_format_shape (x);
  g_assert_cmpstr (shape, ==, "(None, 10)");
}

static SymNode *
make_head (SymNode *input, GError **error)
{
  SymNode *x = sym_max_pool2d (sym_conv2d (input, 16, 3, error), 3, error);

  return sym_linear (sym_flatten (sym_relu (x, error), error), 200, error);
}

/* T-P8: the two inputs of the quick start. */
static void
test_two_inputs (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *first = sym_input (graph, SYM_SHAPE (1, 28, 28), &error);
  SymNode *second = sym_input (graph, SYM_SHAPE (3, 32, 32), &error);
  SymNode *heads[2], *outputs[2], *x;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymSummary) summary = NULL;

  heads[0] = make_head (first, &error);
  heads[1] = make_head (second, &error);
  x = sym_add (heads[0], heads[1], &error);
  x = sym_relu (sym_linear (x, 400, &error), &error);
  outputs[0] = sym_linear (x, 10, &error);
  outputs[1] = sym_linear (x, 10, &error);
  model = sym_graph_build (graph, SYM_NODES (first, second), 2, outputs, 2, &error);
  summary = summarise (model);
  g_assert_cmpuint (sym_summary_get_n_rows (summary), ==, 17);
  g_assert_cmpuint (get_total (model), ==, 614228);
  g_assert_cmpstr (sym_summary_get_row (summary, 11).name, ==, "Linear_2");
  g_assert_cmpuint (sym_summary_get_row (summary, 11).n_parameters, ==, 320200);
}

static SymNode *
make_wide_block (SymNode *x, gint64 channels, gint64 stride, GError **error)
{
  gboolean changes = sym_node_get_channels (x, error) != channels;
  SymNode *y = sym_relu (sym_batch_norm2d (x, error), error);
  SymNode *shortcut =
      changes ? sym_conv2d (y, channels, 1, error, .stride = stride, .no_bias = TRUE) : x;

  y = sym_conv2d (y, channels, 3, error, .stride = stride, .padding = 1);
  y = sym_relu (sym_batch_norm2d (y, error), error);
  return sym_add (sym_conv2d (y, channels, 3, error, .padding = 1), shortcut, error);
}

/* T-P17. */
static void
test_wide_resnet_16_4 (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *inputs = sym_input (graph, SYM_SHAPE (3, 32, 32), &error);
  SymNode *x = sym_conv2d (inputs, 16, 3, &error, .padding = 1);
  g_autoptr (SymModel) model = NULL;

  for (int i = 0; i < 6; i++)
    x = make_wide_block (x, 64 << (i / 2), i == 2 || i == 4 ? 2 : 1, &error);
  x = sym_relu (sym_batch_norm2d (x, &error), &error);
  x = sym_flatten (sym_avg_pool2d (x, sym_node_get_height (x, &error), &error), &error);
  model = sym_node_build_model (inputs, sym_linear (x, 10, &error), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_total (model), ==, 2750698);
}

/* Where a shortcut starts, at the block's input or behind its first activation, changes no count.
 */
static void
test_toy_resnet (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *inputs = sym_input (graph, SYM_SHAPE (3, 32, 32), &error);
  SymNode *x = sym_conv2d (inputs, 16, 3, &error, .padding = 1);
  g_autoptr (SymModel) model = NULL;

  for (int i = 0; i < 6; i++)
    x = make_wide_block (x, 16 << (i / 2), i == 2 || i == 4 ? 2 : 1, &error);
  x = sym_relu (sym_batch_norm2d (x, &error), &error);
  x = sym_flatten (sym_avg_pool2d (x, sym_node_get_height (x, &error), &error), &error);
  model = sym_node_build_model (inputs, sym_linear (x, 10, &error), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_total (model), ==, 175530);
}

static void
test_vgg_13 (void)
{
  static const int channels[] = { 64, 64, 0, 128, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *inputs = sym_input (graph, SYM_SHAPE (3, 32, 32), &error);
  SymNode *x = inputs;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    {
      if (channels[i] == 0)
        x = sym_max_pool2d (x, 2, &error);
      else
        x = sym_relu (
            sym_batch_norm2d (sym_conv2d (x, channels[i], 3, &error, .padding = 1, .no_bias = TRUE),
                              &error),
            &error);
    }
  model = sym_node_build_model (inputs, sym_linear (sym_flatten (x, &error), 10, &error), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_total (model), ==, 9413066);
}

static void
test_encoder_and_decoder (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *image = sym_input (graph, SYM_SHAPE (3, 28, 28), &error), *x = image, *code, *y;
  g_autoptr (SymModel) encoder = NULL, decoder = NULL, both = NULL;

  x = sym_relu (sym_conv2d (x, 16, 3, &error), &error);
  x = sym_relu (sym_conv2d (x, 32, 3, &error), &error);
  x = sym_max_pool2d (x, 3, &error);
  x = sym_relu (sym_conv2d (x, 32, 3, &error), &error);
  x = sym_relu (sym_conv2d (x, 16, 3, &error), &error);
  x = sym_flatten (sym_max_pool2d (x, sym_node_get_height (x, &error), &error), &error);
  encoder = sym_node_build_model (image, x, &error);

  code = sym_input (graph, SYM_SHAPE (16), &error);
  y = sym_layer_call (sym_nn_reshape (graph, SYM_SHAPE (1, 4, 4)), code, &error);
  y = sym_relu (sym_conv_transpose2d (y, 16, 3, &error), &error);
  y = sym_relu (sym_conv_transpose2d (y, 32, 3, &error), &error);
  y = sym_upsample (y, 3, NULL, &error);
  y = sym_relu (sym_conv_transpose2d (y, 16, 3, &error), &error);
  y = sym_relu (sym_conv_transpose2d (y, 1, 3, &error), &error);
  decoder = sym_node_build_model (code, y, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sym_node_get_width (y, &error), ==, 28);

  x = sym_input (graph, SYM_SHAPE (3, 28, 28), &error);
  y = sym_layer_call (sym_graph_keep_layer (graph, sym_layer_new_model (encoder), NULL), x, &error);
  y = sym_layer_call (sym_graph_keep_layer (graph, sym_layer_new_model (decoder), NULL), y, &error);
  both = sym_node_build_model (x, y, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_total (encoder), ==, 18960);
  g_assert_cmpuint (get_total (decoder), ==, 9569);
  g_assert_cmpuint (get_total (both), ==, 28529);
}

/* ---- Many nodes ---- */

static double
time_chain (guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autofree char *text = NULL;
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error), *y = x;
  clock_t start = clock ();

  for (guint i = 0; i < n; i++)
    y = i % 10 == 0 ? sym_linear (y, 4, &error) : sym_relu (y, &error);
  model = sym_node_build_model (x, y, &error);
  g_assert_no_error (error);
  summary = summarise (model);
  text = sym_summary_to_string (summary, SYM_STYLE_SYMBOLIC, SYM_FORMAT_TEXT, FALSE);
  g_assert_cmpuint (sym_summary_get_n_rows (summary), ==, n + 1);
  g_assert_cmpuint (sym_node_get_depth (y), ==, n);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, (guint64) n / 10 * 20);
  return (double) (clock () - start) / CLOCKS_PER_SEC;
}

/* Ten times as long on a machine of its own; a hundred times if each node looked at all others. */
static void
test_a_long_chain_takes_linear_time (void)
{
  double small = time_chain (10000), large = time_chain (100000);

  g_test_message ("10,000 nodes: %.3f s, 100,000 nodes: %.3f s", small, large);
  g_assert_cmpfloat (large, <, 50 * MAX (small, 0.02));
}

/* T-P22. */
static void
test_random_trees (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  g_autofree SymNode **nodes = g_new (SymNode *, 2500);

  nodes[0] = x;
  for (guint i = 1; i < 2500; i++)
    nodes[i] = sym_linear (nodes[g_rand_int_range (rand, 0, (int) i)], 4, &error);
  for (guint i = 0; i < 20; i++)
    {
      SymNode *end = nodes[g_rand_int_range (rand, 1, 2500)];
      g_autoptr (SymModel) model = sym_node_build_model (x, end, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (get_total (model), ==, 20 * (guint64) sym_node_get_depth (end));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/model/shared-layers-are-named-by-use-and-counted-once",
                   test_shared_layers_are_named_by_use_and_counted_once);
  g_test_add_func ("/graph/model/custom-names-count-from-their-second-use",
                   test_custom_names_count_from_their_second_use);
  g_test_add_func ("/graph/model/no-two-layers-have-one-name", test_no_two_layers_have_one_name);
  g_test_add_func ("/graph/model/frozen-parameters-are-not-trainable",
                   test_frozen_parameters_are_not_trainable);
  g_test_add_func ("/graph/model/order-is-that-of-creation", test_order_is_that_of_creation);
  g_test_add_func ("/graph/model/a-foreign-node-is-named", test_a_foreign_node_is_named);
  g_test_add_func ("/graph/model/senseless-ends-are-refused", test_senseless_ends_are_refused);
  g_test_add_func ("/graph/model/each-unpacked-sibling-in-use-has-a-row",
                   test_each_unpacked_sibling_in_use_has_a_row);
  g_test_add_func ("/graph/model/nodes-are-found-in-their-models-only",
                   test_nodes_are_found_in_their_models_only);
  g_test_add_func ("/graph/model/a-nested-one-has-all-its-outputs",
                   test_a_nested_model_has_all_its_outputs);
  g_test_add_func ("/graph/model/parents-follow-named-arguments",
                   test_parents_follow_named_arguments);
  g_test_add_func ("/graph/model/tied-weights-are-one-value", test_tied_weights_are_one_value);
  g_test_add_func ("/graph/network/sequential-of-the-quick-start", test_sequential_model);
  g_test_add_func ("/graph/network/two-inputs-of-the-quick-start", test_two_inputs);
  g_test_add_func ("/graph/network/wide-resnet-16-4", test_wide_resnet_16_4);
  g_test_add_func ("/graph/network/toy-resnet", test_toy_resnet);
  g_test_add_func ("/graph/network/vgg-13", test_vgg_13);
  g_test_add_func ("/graph/network/encoder-and-decoder", test_encoder_and_decoder);
  g_test_add_func ("/graph/many/a-long-chain-takes-linear-time",
                   test_a_long_chain_takes_linear_time);
  g_test_add_func ("/graph/many/random-trees", test_random_trees);
  return g_test_run ();
}
