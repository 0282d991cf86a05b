/* SPDX-License-Identifier: MIT */
/* An image classifier, the feature extractor that shares its weights, and the classifier once more with
 * the features as a second output. */
#include <symscope.h>

static void
show (SymModel *model)
{
  g_autofree char *table = sym_model_summarise (model, SYM_STYLE_SYMBOLIC);

  g_print ("%s", table);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *inputs = sym_input (graph, SYM_SHAPE (1, 28, 28), &error);
  SymNode *x = inputs;

  for (int i = 0; i < 3; i++)
    x = sym_relu (sym_conv2d (x, 8, 3, &error, .padding = 1), &error);

  SymNode *features = x;
  SymNode *outputs = sym_linear (sym_flatten (x, &error), 10, &error);

  g_autoptr (SymModel) classifier = sym_node_build_model (inputs, outputs, &error);
  g_autoptr (SymModel) feature_extractor = sym_node_build_model (inputs, features, &error);
  if (error != NULL)
    g_error ("%s", error->message);

  show (classifier);
  show (feature_extractor);

  SymEdit *edit = sym_edit_new (classifier);
  sym_edit_add_output (edit, sym_graph_get_model_value (graph, classifier, features), &error);
  g_autoptr (SymModel) with_features = sym_edit_end (edit);
  if (error != NULL)
    g_error ("%s", error->message);

  show (with_features);
  return 0;
}
