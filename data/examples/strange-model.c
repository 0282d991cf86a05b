/* SPDX-License-Identifier: MIT */
/* A model as a layer of another, used twice: its weights are shared, and counted once. */
#include <symscope.h>

static SymModel *
build_feature_extractor (SymGraph *graph, GError **error)
{
  SymNode *inputs = sym_input (graph, SYM_SHAPE (1, 28, 28), error);
  SymNode *x = inputs;

  for (int i = 0; i < 3; i++)
    x = sym_relu (sym_conv2d (x, 8, 3, error, .padding = 1), error);
  return sym_node_build_model (inputs, x, error);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) feature_extractor = build_feature_extractor (graph, &error);
  SymLayer *extract = sym_graph_keep_layer (graph, sym_layer_new_model (feature_extractor), NULL);

  SymNode *inputs1 = sym_input (graph, SYM_SHAPE (1, 32, 32), &error);
  SymNode *inputs2 = sym_input (graph, SYM_SHAPE (1, 64, 64), &error);
  SymNode *noise = sym_input (graph, SYM_SHAPE (1, 64, 64), &error);

  SymNode *features1 = sym_layer_call (extract, inputs1, &error);
  SymNode *features2 = sym_layer_call (extract, sym_add (inputs2, noise, &error), &error);
  features2 = sym_max_pool2d (features2, 2, &error);

  SymNode *diffs = sym_pow (sym_sub (features1, features2, &error), 2, &error);

  SymArguments *arguments = sym_arguments_new ();
  sym_arguments_add (arguments, sym_arguments_node (arguments, diffs));
  sym_arguments_set (arguments, "dim", sym_value_parse ("(1, 2, 3)"));
  SymNode *outputs = sym_graph_call_with (graph, &sym_function_sum, arguments, NULL, &error);

  g_autoptr (SymModel) strange_model
    = sym_graph_build (graph, SYM_NODES (inputs1, inputs2, noise), 3, &outputs, 1, &error);
  if (strange_model == NULL)
    g_error ("%s", error->message);

  g_autofree char *table = sym_model_summarise (strange_model, SYM_STYLE_SYMBOLIC);
  g_print ("%s", table);
  return 0;
}
