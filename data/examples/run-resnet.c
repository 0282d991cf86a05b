/* SPDX-License-Identifier: MIT */
/* From a graph in C to numbers: builds a small ResNet, begins with weights at random as PyTorch does, runs
 * two images through it, and looks at a value in the middle. */
#include <symscope.h>

static SymNode *
add_block (SymNode *x, GError **error)
{
  SymNode *y = sym_relu (sym_conv2d (x, 16, 3, error, .padding = 1), error);
  return sym_add (sym_relu (sym_conv2d (y, 16, 3, error, .padding = 1), error), x, error);
}

static gboolean
watch (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  SymModel *model = user_data;
  const SymArray *array = sym_datum_get_array (datum);

  if (g_str_equal (sym_model_get_value_name (model, value), "AddOpLayer_2"))
    g_print ("AddOpLayer_2 is of shape (%d, %d, %d, %d)\n", (int) array->shape.dims[0],
             (int) array->shape.dims[1], (int) array->shape.dims[2], (int) array->shape.dims[3]);
  return TRUE;
}

static gboolean
run (SymGraph *graph, GError **error)
{
  SymNode *input = sym_input (graph, SYM_SHAPE (3, 32, 32), error);
  SymNode *x = sym_max_pool2d (sym_relu (sym_conv2d (input, 16, 3, error), error), 3, error);
  x = add_block (add_block (x, error), error);
  x = sym_flatten (sym_avg_pool2d (x, sym_node_get_height (x, error), error), error);
  SymNode *output = sym_softmax (sym_linear (x, 10, error), 1, error);

  g_autoptr (SymModel) model = sym_node_build_model (input, output, error);
  if (model == NULL || !sym_model_initialise (model, 42, error))
    return FALSE;

  g_autoptr (SymPlan) plan = sym_plan_new (model, NULL, NULL, error);
  g_autoptr (SymRun) forward = plan == NULL ? NULL : sym_run_new (plan);
  g_autoptr (SymDatum) images = sym_run_fill (SYM_RUN_FILL_RANDOM, SYM_DTYPE_FLOAT32,
                                              &SYM_SHAPE (2, 3, 32, 32), 1, error);
  if (forward == NULL || images == NULL)
    return FALSE;
  sym_run_set_watch (forward, watch, model);
  if (!sym_run_feed (forward, sym_model_get_inputs (model).ids[0], images, error) ||
      !sym_run_execute (forward, NULL, error))
    return FALSE;

  SymDatum *result = sym_run_get (forward, sym_model_get_outputs (model).ids[0]);
  const float *probabilities = sym_datum_get_array (result)->data;
  for (int i = 0; i < 2; i++)
    {
      double sum = 0;
      for (int k = 0; k < 10; k++)
        sum += probabilities[10 * i + k];
      g_print ("image %d: ten probabilities that add up to %.3f\n", i + 1, sum);
    }
  return TRUE;
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();

  if (!run (graph, &error))
    {
      g_printerr ("run-resnet: %s\n", error->message);
      return 1;
    }
  return 0;
}
