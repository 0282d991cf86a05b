/* SPDX-License-Identifier: MIT */
#include "core/sym-summary.h"
#include "ops/sym-layers.h"

#include <string.h>

static void
assert_shape (SymNode *node, const char *expected)
{
  g_autofree char *shape = NULL;

  g_assert_nonnull (node);
  shape = sym_node_format_shape (node);
  g_assert_cmpstr (shape, ==, expected);
}

/* T-P9. */
static void
test_knows_its_sizes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3, 28, 29), &error);
  SymShape sizes;

  g_assert_cmpint (sym_node_get_features (x), ==, 29);
  g_assert_cmpint (sym_node_get_channels (x, &error), ==, 3);
  g_assert_cmpint (sym_node_get_height (x, &error), ==, 28);
  g_assert_cmpint (sym_node_get_width (x, &error), ==, 29);
  g_assert_cmpint (sym_node_get_batch_size (x), ==, 1);
  g_assert_cmpint (sym_node_get_numel (x), ==, 2436);
  g_assert_true (sym_node_get_image_shape (x, "HWC", &sizes, &error));
  g_assert_true (sym_shape_equal (&sizes, &SYM_SHAPE (28, 29, 3)));
  g_assert_no_error (error);
  assert_shape (x, "(None, 3, 28, 29)");
}

static void
test_image_sizes_need_four_dimensions (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (784), &error);

  g_assert_cmpint (sym_node_get_channels (x, &error), ==, -1);
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_true (g_str_has_prefix (error->message, "The data is not of [C,H,W] form!"));
}

/* P1. */
static void
test_a_batch_size_is_only_for_tracing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *seven = sym_graph_add_input (
      graph, &(SymInputOptions){ .shape = SYM_SHAPE (4), .batch_size = 7 }, &error);
  SymNode *known = sym_graph_add_input (
      graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (2, 3), .batch_size = 7 }, &error);
  SymNode *empty = sym_graph_add_input (graph, &(SymInputOptions){ 0 }, &error);

  g_assert_no_error (error);
  assert_shape (seven, "(None, 4)");
  g_assert_cmpint (sym_node_get_batch_size (seven), ==, 7);
  g_assert_false (sym_node_get_batch_size_known (seven));
  assert_shape (known, "(2, 3)");
  g_assert_true (sym_node_get_batch_size_known (known));
  assert_shape (empty, "(None,)");
  g_assert_cmpint (sym_node_get_numel (empty), ==, 1);
}

static void
test_refuses_impossible_inputs (void)
{
  const SymInputOptions cases[] = {
    { .batch_shape = &SYM_SHAPE () },
    { .shape = SYM_SHAPE (-5) },
    { .shape = SYM_SHAPE (-1, 3) },
    { .shape = SYM_SHAPE (3), .batch_size = -1 },
    { .shape = SYM_SHAPE (3), .min_value = 2, .max_value = 1 },
    { .shape = SYM_SHAPE (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) },
  };
  g_autoptr (SymGraph) graph = sym_graph_new ();

  g_assert_nonnull (sym_input (graph, SYM_SHAPE (3), NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_graph_add_input (graph, &cases[i], &error));
      g_assert_nonnull (error);
    }
}

/* Sizes that are names serve another input as they are. */
static void
test_image_sizes_may_be_names (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymDim side = sym_graph_get_dim (graph, "side");
  SymNode *x = sym_input (graph, SYM_SHAPE (3, side, 28), &error);
  SymShape sizes;

  g_assert_true (sym_node_get_image_shape (x, "HWC", &sizes, &error));
  g_assert_no_error (error);
  g_assert_cmpint (sym_node_get_height (x, &error), ==, -1);
  g_assert_no_error (error);
  assert_shape (sym_input (graph, sizes, &error), "(None, side, 28, 3)");
}

/* What a failed call gives can be asked all the same. */
static void
test_no_node_has_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *shape = sym_node_format_shape (NULL);
  g_autofree char *text = sym_node_to_string (NULL);

  g_assert_cmpstr (shape, ==, "?");
  g_assert_cmpstr (text, ==, "<no node>");
  g_assert_cmpuint (sym_node_get_n_parents (NULL), ==, 0);
  g_assert_cmpuint (sym_node_get_n_children (NULL), ==, 0);
  g_assert_cmpuint (sym_node_get_n_results (NULL), ==, 0);
  g_assert_cmpuint (sym_node_get_depth (NULL), ==, 0);
  g_assert_null (sym_node_get_layer (NULL));
  g_assert_null (sym_node_get_variable (NULL));
  g_assert_false (sym_node_get_batch_size_known (NULL));
  g_assert_cmpint (sym_node_get_features (NULL), ==, -1);
  g_assert_cmpint (sym_node_get_channels (NULL, &error), ==, -1);
  g_assert_no_error (error);
}

/* P8, P9, P10. */
static void
test_parents_and_children_count_every_use (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (5), &error);
  SymNode *y = sym_add (x, x, &error);
  g_autofree char *text = sym_node_to_string (x);

  g_assert_cmpuint (sym_node_get_n_parents (y), ==, 2);
  g_assert_true (sym_node_get_parent (y, 1) == x);
  g_assert_cmpuint (sym_node_get_n_children (x), ==, 2);
  g_assert_true (sym_node_get_child (x, 0) == y);
  g_assert_true (sym_node_get_child (x, 1) == y);
  g_assert_cmpuint (sym_node_get_depth (x), ==, 0);
  g_assert_cmpuint (sym_node_get_depth (y), ==, 1);
  g_assert_null (sym_node_get_layer (x));
  g_assert_cmpstr (sym_layer_get_type (sym_node_get_layer (y)), ==, "AddOpLayer");
  g_assert_true (g_str_has_prefix (text, "<SymbolicTensor at 0x"));
  g_assert_true (g_str_has_suffix (text, "; 0 parents; 2 children>"));
}

static void
test_a_wrong_shape_leaves_the_graph_as_it_was (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (32), &error);
  SymLayer *linear = sym_nn_linear (graph, 3, 3, &error);

  g_assert_null (sym_layer_call (linear, x, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  g_assert_nonnull (
      strstr (error->message, "mat1 and mat2 shapes cannot be multiplied (1x32 and 3x3)"));
  g_assert_nonnull (strstr (error->message, "Linear"));
  g_assert_cmpuint (sym_node_get_n_children (x), ==, 0);
  g_clear_error (&error);

  /* The next node takes the place that the failed one did not. */
  g_assert_cmpuint (sym_node_get_index (sym_relu (x, &error)), ==, 1);
  assert_shape (x, "(None, 32)");
}

static void
test_a_failed_rule_ties_no_sizes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *a = sym_input (graph, SYM_SHAPE (3, 4), &error);
  SymNode *b = sym_graph_add_input (
      graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (9, 3, 5) }, &error);

  g_assert_null (sym_concat (1, &error, a, b));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  assert_shape (a, "(None, 3, 4)");
}

/* The first error stands, whatever is nested in it. */
static void
test_nested_calls_keep_the_first_error (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3, 8, 8), &error);

  x = sym_relu (sym_conv2d (x, 0, 3, &error), &error);
  x = sym_add (sym_linear (sym_flatten (x, &error), 10, &error), 1, &error);
  x = sym_slice (sym_mean (x, &error), "][", &error);
  g_assert_null (x);
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "out_channels"));
}

static void
test_nodes_of_two_graphs_do_not_mix (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymGraph) other = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), &error);
  SymNode *y = sym_input (other, SYM_SHAPE (3), &error);

  g_assert_null (sym_add (x, y, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_cmpuint (sym_node_get_n_children (y), ==, 0);
}

static void
test_layers_take_as_many_inputs_as_they_have (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), &error);

  g_assert_null (sym_call (sym_nn_relu (graph), &error, x, x));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "ReLU takes 1, not 2"));
}

/* The whole shape of one input, its unknown batch included, may be that of another. */
static void
test_inputs_may_share_a_batch (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), &error);
  SymShape shape = sym_node_get_type (x).shape;
  SymNode *y = sym_graph_add_input (graph, &(SymInputOptions){ .batch_shape = &shape }, &error);
  SymShape same = sym_node_get_type (y).shape;

  g_assert_no_error (error);
  assert_shape (y, "(None, 3)");
  g_assert_true (sym_shape_equal (&shape, &same));
}

/* T-P11. */
static void
test_depth_is_the_longest_way (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (4), &error);
  SymNode *a = sym_tanh (x, &error);
  SymNode *b = sym_sigmoid (x, &error);
  SymNode *c = sym_relu (a, &error);
  SymNode *d = sym_add (c, b, &error);

  g_assert_cmpuint (sym_node_get_depth (a), ==, 1);
  g_assert_cmpuint (sym_node_get_depth (b), ==, 1);
  g_assert_cmpuint (sym_node_get_depth (c), ==, 2);
  g_assert_cmpuint (sym_node_get_depth (d), ==, 3);
}

/* D6. */
static void
test_the_batch_is_known_when_it_is_of_all_parents (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *a =
      sym_graph_add_input (graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (1, 3) }, &error);
  SymNode *b = sym_input (graph, SYM_SHAPE (3), &error);

  assert_shape (sym_add (a, b, &error), "(None, 3)");
  assert_shape (sym_add (b, a, &error), "(None, 3)");
  g_assert_false (sym_node_get_batch_size_known (sym_add (a, b, &error)));
  g_assert_true (sym_node_get_batch_size_known (sym_add (a, a, &error)));
}

static void
test_unpacks_tensors_and_tuples (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x =
      sym_graph_add_input (graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (3, 4) }, &error);
  SymNode *rows[3], *parts[2], *states[2], *none[2];
  SymNode *sequence = sym_input (graph, SYM_SHAPE (7, 5), &error);

  g_assert_true (sym_node_unpack (x, rows, 3, &error));
  assert_shape (rows[2], "(4,)");
  g_assert_true (sym_node_get_layer (rows[0]) == sym_node_get_layer (rows[2]));
  g_assert_cmpuint (sym_node_get_depth (rows[2]), ==, 1);
  g_assert_cmpuint (sym_node_get_n_children (x), ==, 3);

  g_assert_true (
      sym_node_unpack (sym_lstm (sequence, 8, &error, .batch_first = TRUE, .bidirectional = TRUE),
                       parts, 2, &error));
  assert_shape (parts[0], "(None, 7, 16)");
  assert_shape (parts[1], "tuple");
  g_assert_true (sym_node_unpack (parts[1], states, 2, &error));
  assert_shape (states[1], "(2, None, 8)");

  g_assert_false (sym_node_unpack (x, none, 2, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
}

/* P40-P43. */
static void
test_arguments_are_found_depth_first (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), &error);
  SymNode *y = sym_input (graph, SYM_SHAPE (3), &error);
  const SymFunction function = { .name = "<lambda>", .infer = sym_infer_same };
  SymArguments *arguments = sym_arguments_new ();
  SymValue *pair[2];
  SymNode *z;

  sym_arguments_set (arguments, "last", sym_arguments_node (arguments, x));
  pair[1] = sym_arguments_node (arguments, x);
  pair[0] = sym_arguments_node (arguments, y);
  sym_arguments_add (arguments, sym_value_new_list (pair, 2));
  z = sym_graph_call_with (graph, &function, arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_node_get_n_parents (z), ==, 3);
  g_assert_true (sym_node_get_parent (z, 0) == y);
  g_assert_true (sym_node_get_parent (z, 1) == x);
  g_assert_true (sym_node_get_parent (z, 2) == x);
  g_assert_cmpstr (sym_layer_get_type (sym_node_get_layer (z)), ==, "wrap(<lambda>)");
}

static void
test_a_function_needs_a_node (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymArguments *arguments = sym_arguments_new ();

  sym_arguments_add (arguments, sym_value_new_int (1));
  g_assert_null (sym_graph_call_with (graph, &sym_function_sum, arguments, NULL, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_true (g_str_has_prefix (error->message, "No Symbolic Data detected in the input!"));
}

static void
test_names_are_checked_where_they_are_given (void)
{
  static const char *const names[] = { "", "a.b" };
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_relu (x, &error, .name = names[i]));
      g_assert_error (error, SYM_ERROR, SYM_ERROR_NAME);
    }
}

static void
test_named_sizes_stay_themselves (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymDim seq = sym_graph_get_dim (graph, "seq");
  SymNode *x = sym_input (graph, SYM_SHAPE (seq, 16), &error);
  SymNode *y = sym_concat (1, &error, x, x);

  assert_shape (sym_linear (x, 8, &error), "(None, seq, 8)");
  assert_shape (y, "(None, 2*seq, 16)");
  g_assert_cmpint (sym_node_get_numel (x), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/node/knows-its-sizes", test_knows_its_sizes);
  g_test_add_func ("/graph/node/image-sizes-need-four-dimensions",
                   test_image_sizes_need_four_dimensions);
  g_test_add_func ("/graph/node/image-sizes-may-be-names", test_image_sizes_may_be_names);
  g_test_add_func ("/graph/node/no-node-has-nothing", test_no_node_has_nothing);
  g_test_add_func ("/graph/input/a-batch-size-is-only-for-tracing",
                   test_a_batch_size_is_only_for_tracing);
  g_test_add_func ("/graph/input/may-share-a-batch", test_inputs_may_share_a_batch);
  g_test_add_func ("/graph/input/refuses-impossible-ones", test_refuses_impossible_inputs);
  g_test_add_func ("/graph/node/parents-and-children-count-every-use",
                   test_parents_and_children_count_every_use);
  g_test_add_func ("/graph/call/a-wrong-shape-leaves-the-graph-as-it-was",
                   test_a_wrong_shape_leaves_the_graph_as_it_was);
  g_test_add_func ("/graph/call/a-failed-rule-ties-no-sizes", test_a_failed_rule_ties_no_sizes);
  g_test_add_func ("/graph/call/nested-calls-keep-the-first-error",
                   test_nested_calls_keep_the_first_error);
  g_test_add_func ("/graph/call/nodes-of-two-graphs-do-not-mix",
                   test_nodes_of_two_graphs_do_not_mix);
  g_test_add_func ("/graph/call/layers-take-as-many-inputs-as-they-have",
                   test_layers_take_as_many_inputs_as_they_have);
  g_test_add_func ("/graph/node/depth-is-the-longest-way", test_depth_is_the_longest_way);
  g_test_add_func ("/graph/node/the-batch-is-known-when-it-is-of-all-parents",
                   test_the_batch_is_known_when_it_is_of_all_parents);
  g_test_add_func ("/graph/unpack/takes-tensors-and-tuples-apart", test_unpacks_tensors_and_tuples);
  g_test_add_func ("/graph/function/arguments-are-found-depth-first",
                   test_arguments_are_found_depth_first);
  g_test_add_func ("/graph/function/needs-a-node", test_a_function_needs_a_node);
  g_test_add_func ("/graph/call/names-are-checked-where-they-are-given",
                   test_names_are_checked_where_they_are_given);
  g_test_add_func ("/graph/input/named-sizes-stay-themselves", test_named_sizes_stay_themselves);
  return g_test_run ();
}
