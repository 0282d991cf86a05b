/* SPDX-License-Identifier: MIT */
/* Several inputs, several outputs, and a layer of one's own that takes any number of operands. */
#include <symscope.h>

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymLayer *add_n = sym_nn_custom (graph, "AddN", sym_infer_broadcast, NULL);
  SymNode *inputs[5], *outputs[4];

  for (int i = 0; i < 5; i++)
    inputs[i] = sym_input (graph, SYM_SHAPE (5), &error);
  SymNode *intermediate = sym_layer_call_all (add_n, NULL, inputs, 5, &error);
  for (int i = 0; i < 4; i++)
    outputs[i] = sym_div (intermediate, i + 1, &error);

  g_autoptr (SymModel) model = sym_graph_build (graph, inputs, 5, outputs, 4, &error);
  if (model == NULL)
    g_error ("%s", error->message);

  g_autofree char *table = sym_model_summarise (model, SYM_STYLE_SYMBOLIC);
  g_print ("%s", table);
  return 0;
}
