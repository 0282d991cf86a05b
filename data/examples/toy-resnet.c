/* SPDX-License-Identifier: MIT */
/* A toy ResNet, in both notations: the layer's function takes the node, or the node takes the layer. */
#include <symscope.h>

static SymModel *
build (SymGraph *graph, GError **error)
{
  SymNode *inputs = sym_input (graph, SYM_SHAPE (3, 32, 32), error);
  SymNode *x = sym_relu (sym_conv2d (inputs, 32, 3, error), error);
  x = sym_relu (sym_conv2d (x, 64, 3, error), error);
  SymNode *block_1_output = sym_max_pool2d (x, 3, error);

  x = sym_relu (sym_conv2d (block_1_output, 64, 3, error, .padding = 1), error);
  x = sym_relu (sym_conv2d (x, 64, 3, error, .padding = 1), error);
  SymNode *block_2_output = sym_add (x, block_1_output, error);

  x = sym_relu (sym_conv2d (block_2_output, 64, 3, error, .padding = 1), error);
  x = sym_relu (sym_conv2d (x, 64, 3, error, .padding = 1), error);
  SymNode *block_3_output = sym_add (x, block_2_output, error);

  x = sym_relu (sym_conv2d (block_3_output, 64, 3, error), error);
  x = sym_flatten (sym_avg_pool2d (x, sym_node_get_height (x, error), error), error);
  x = sym_relu (sym_linear (x, 256, error), error);
  x = sym_dropout (x, 0.5, error);
  return sym_node_build_model (inputs, sym_linear (x, 10, error), error);
}

static SymNode *
apply_relu (SymNode *x, SymLayer *layer, GError **error)
{
  return sym_node_apply (sym_node_apply (x, layer, error), sym_nn_relu (sym_node_get_graph (x)),
                         error);
}

static SymModel *
build_by_layers (SymGraph *g, GError **error)
{
  SymNode *inputs = sym_input (g, SYM_SHAPE (3, 32, 32), error);
  SymNode *x = apply_relu (inputs, sym_nn_conv2d (g, 3, 32, 3, error), error);
  x = apply_relu (x, sym_nn_conv2d (g, 32, 64, 3, error), error);
  SymNode *block_1_output = sym_node_apply (x, sym_nn_max_pool2d (g, 3, error), error);

  x = apply_relu (block_1_output, sym_nn_conv2d (g, 64, 64, 3, error, .padding = 1), error);
  x = apply_relu (x, sym_nn_conv2d (g, 64, 64, 3, error, .padding = 1), error);
  SymNode *block_2_output = sym_add (x, block_1_output, error);

  x = apply_relu (block_2_output, sym_nn_conv2d (g, 64, 64, 3, error, .padding = 1), error);
  x = apply_relu (x, sym_nn_conv2d (g, 64, 64, 3, error, .padding = 1), error);
  SymNode *block_3_output = sym_add (x, block_2_output, error);

  x = apply_relu (block_3_output, sym_nn_conv2d (g, 64, 64, 3, error), error);
  x = sym_node_apply (x, sym_nn_avg_pool2d (g, sym_node_get_height (x, error), error), error);
  x = sym_node_apply (x, sym_nn_flatten (g), error);
  x = apply_relu (x, sym_nn_linear (g, sym_node_get_features (x), 256, error), error);
  x = sym_node_apply (x, sym_nn_dropout (g, 0.5, error), error);
  x = sym_node_apply (x, sym_nn_linear (g, 256, 10, error), error);
  return sym_node_build_model (inputs, x, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) model = argc > 1 && g_str_equal (argv[1], "--by-layers")
                                 ? build_by_layers (graph, &error)
                                 : build (graph, &error);

  if (model == NULL)
    {
      g_printerr ("toy-resnet: %s\n", error->message);
      return 1;
    }

  g_autofree char *table = sym_model_summarise (model, SYM_STYLE_SYMBOLIC);
  g_print ("%s", table);
  return 0;
}
