/* SPDX-License-Identifier: MIT */
/* Values that are no tensors: the graph knows their type by name only, and their operators are methods. */
#include <symscope.h>

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  const SymType ndarray = sym_type_opaque ("ndarray");
  SymNode *x = sym_graph_add_custom_input (graph, &ndarray, &error);
  SymNode *y = sym_graph_add_custom_input (graph, &ndarray, &error);

  SymNode *slice = sym_slice (x, ":, :, None", &error);
  SymNode *reshape = sym_node_get_attribute (y, "reshape", &error);
  SymArguments *arguments = sym_arguments_new ();
  sym_arguments_add (arguments, sym_value_new_int (1));
  sym_arguments_add (arguments, sym_value_new_int (1));
  sym_arguments_add (arguments, sym_value_new_int (-1));
  SymNode *z = sym_add (slice, sym_node_call (reshape, arguments, NULL, &error), &error);

  g_autoptr (SymModel) model = sym_graph_build (graph, SYM_NODES (x, y), 2, &z, 1, &error);
  if (model == NULL)
    g_error ("%s", error->message);

  g_autofree char *table = sym_model_summarise (model, SYM_STYLE_SYMBOLIC);
  g_print ("%s", table);
  return 0;
}
