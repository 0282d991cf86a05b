/* SPDX-License-Identifier: MIT */
/* A function of the program as a layer: its arguments are dicts and lists that hold nodes somewhere,
 * its result a tuple that is taken apart. */
#include <symscope.h>

#define DICT(keys, ...) sym_value_new_dict (keys, (SymValue *[]){ __VA_ARGS__ }, G_N_ELEMENTS (keys))
#define LIST(...) \
  sym_value_new_list ((SymValue *[]){ __VA_ARGS__ }, sizeof ((SymValue *[]){ __VA_ARGS__ }) / sizeof (SymValue *))

int
main (void)
{
  static const char *const tensor_keys[] = { "constant", "symbolic", "parameters" };
  static const char *const metadata_keys[] = { "date", "name" };
  static const char *const keys[] = { "tensors", "metadata" };
  const SymType square = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (10, 10));
  const SymType pair[] = { square, square };
  const SymFunction execute_noisy = {
    .name = "execute_noisy",
    .result = { .kind = SYM_KIND_TUPLE, .elements = pair, .n_elements = 2, .shape = { .rank = -1 } },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_graph_add_input (
    graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (10, 20) }, &error);
  SymNode *y = sym_graph_add_input (
    graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (20, 30) }, &error);
  SymNode *z = sym_graph_add_input (
    graph, &(SymInputOptions){ .batch_shape = &SYM_SHAPE (30, 10) }, &error);

  SymArguments *arguments = sym_arguments_new ();
  SymValue *parameters = LIST (sym_arguments_node (arguments, y), sym_arguments_node (arguments, z));
  SymValue *tensors = DICT (tensor_keys, sym_value_new_opaque ("Tensor"),
                            sym_arguments_node (arguments, x), parameters);
  SymValue *metadata = DICT (metadata_keys, sym_value_new_string ("01.01.2001"),
                             sym_value_new_string ("Batman"));
  sym_arguments_add (arguments, DICT (keys, tensors, metadata));
  sym_arguments_set (arguments, "add_noise", sym_value_new_bool (TRUE));

  SymNode *both = sym_graph_call_with (graph, &execute_noisy, arguments, NULL, &error);
  SymNode *parts[2] = { NULL, NULL };
  sym_node_unpack (both, parts, 2, &error);

  g_autoptr (SymModel) model
    = sym_graph_build (graph, SYM_NODES (x, y, z), 3, &parts[0], 1, &error);
  if (model == NULL)
    g_error ("%s", error->message);

  g_autofree char *table = sym_model_summarise (model, SYM_STYLE_SYMBOLIC);
  g_print ("%s", table);
  return 0;
}
