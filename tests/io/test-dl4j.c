/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-infer.h"
#include "io/sym-io.h"

/* The shapes of the rows of @text, as a table has them, in lines. */
static char *
list_shapes (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net.json", &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  SymIds rows;

  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (model), ==, "dl4j");
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  rows = sym_model_get_rows (model);
  for (guint i = 0; i < rows.n; i++)
    {
      SymType type = sym_inference_get_type (inference, rows.ids[i]);
      g_autofree char *shape = sym_inference_format_shape (inference, &type.shape, ",");

      g_string_append_printf (lines, "%s %s\n", sym_model_get_value_name (model, rows.ids[i]),
                              shape);
    }
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

#define CNN "org.deeplearning4j.nn.conf.layers."
#define BEFORE "org.deeplearning4j.nn.conf.preprocessor."

/* What lays an image flat says how large it is, up to where the layers before keep that. */
static void
test_sizes_are_told_by_what_prepares_an_input (void)
{
  g_autofree char *shapes = list_shapes (
      "{\"inputPreProcessors\": {\"2\": {\"@class\": \"" BEFORE "CnnToFeedForwardPreProcessor\", "
      "\"inputHeight\": 5, \"inputWidth\": 7, \"numChannels\": 2}}, \"confs\": ["
      "{\"layer\": {\"@class\": \"" CNN "ConvolutionLayer\", \"nin\": 3, \"nout\": 4, "
      "\"kernelSize\": [3, 3], \"stride\": [2, 2], \"convolutionMode\": \"Same\"}},"
      "{\"layer\": {\"@class\": \"" CNN "ConvolutionLayer\", \"nin\": 4, \"nout\": 2, "
      "\"kernelSize\": [3, 3], \"stride\": [1, 1], \"convolutionMode\": \"Same\"}},"
      "{\"layer\": {\"@class\": \"" CNN "DenseLayer\", \"nout\": 6}}]}");
  g_autofree char *volume = list_shapes (
      "{\"inputPreProcessors\": {\"1\": {\"@class\": \"" BEFORE "Cnn3DToFeedForwardPreProcessor\", "
      "\"inputDepth\": 2, \"inputHeight\": 3, \"inputWidth\": 4, \"numChannels\": 5, "
      "\"ncdhw\": true}}, \"confs\": ["
      "{\"layer\": {\"@class\": \"" CNN "Subsampling3DLayer\", \"kernelSize\": [2, 2, 2], "
      "\"stride\": [2, 2, 2]}}, {\"layer\": {\"@class\": \"" CNN "OutputLayer\", \"nin\": 120, "
      "\"nout\": 6}}]}");

  g_assert_cmpstr (shapes, ==,
                   "input ?,3,?,?\n"
                   "ConvolutionLayer ?,4,5,7\n"
                   "ConvolutionLayer ?,2,5,7\n"
                   "DenseLayer ?,6\n");
  g_assert_cmpstr (volume, ==,
                   "input ?,5,?,?,?\n"
                   "Subsampling3DLayer ?,5,2,3,4\n"
                   "OutputLayer ?,6\n");
}

/* Channels of a volume are last where the file says so; all its axes are features before. */
static void
test_volumes_have_their_order (void)
{
  static const struct {
    const char *how, *input;
  } cases[] = {
    { "Cnn3DToFeedForwardPreProcessor", "input ?,2,3,4,5\nOutputLayer ?,6\n" },
    { "FeedForwardToCnn3DPreProcessor", "input ?,120\nOutputLayer ?,2,3,4,6\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "{\"inputPreProcessors\": {\"0\": {\"@class\": \"" BEFORE "%s\", \"inputDepth\": 2, "
          "\"inputHeight\": 3, \"inputWidth\": 4, \"numChannels\": 5, \"isNCDHW\": false}}, "
          "\"confs\": [{\"layer\": {\"@class\": \"" CNN "OutputLayer\", \"nin\": %s, "
          "\"nout\": 6}}]}",
          cases[i].how, i == 0 ? "120" : "5");
      g_autofree char *shapes = list_shapes (text);

      g_assert_cmpstr (shapes, ==, cases[i].input);
    }
}

/* The features of a layer are those behind what prepares its input. */
static void
test_an_input_is_what_is_prepared (void)
{
  static const struct {
    const char *how, *input;
  } cases[] = {
    { "RnnToFeedForwardPreProcessor", "input ?,9,?\nDenseLayer ?,6\n" },
    { "CnnToFeedForwardPreProcessor", "input ?,?,?,?\nDenseLayer ?,6\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "{\"inputPreProcessors\": {\"0\": {\"@class\": \"" BEFORE "%s\"}}, \"confs\": ["
          "{\"layer\": {\"@class\": \"" CNN "DenseLayer\", \"nin\": 9, \"nout\": 6}}]}",
          cases[i].how);
      g_autofree char *shapes = list_shapes (text);

      g_assert_cmpstr (shapes, ==, cases[i].input);
    }
}

/* Rows are those of all steps of all examples, whose numbers are not in the file; features are. */
static void
test_steps_are_not_told_by_rows (void)
{
  static const struct {
    const char *how, *shapes;
  } cases[] = {
    { "RnnToFeedForwardPreProcessor", "input ?,3,?\nDenseLayer ?,4\nLSTM ?,2,?\n"
                                      "RnnOutputLayer ?,5,?\n" },
    { "TensorFlowCnnToFeedForwardPreProcessor\", \"inputHeight\": 1, \"inputWidth\": 1, "
      "\"numChannels\": \"3",
      "input ?,3,1,1\nDenseLayer ?,4\nLSTM ?,2,?\nRnnOutputLayer ?,5,?\n" },
  };
  g_autofree char *images = list_shapes (
      "{\"inputPreProcessors\": {\"0\": {\"@class\": \"" BEFORE "RnnToCnnPreProcessor\", "
      "\"inputHeight\": 4, \"inputWidth\": 4, \"numChannels\": 1},"
      "\"1\": {\"@class\": \"" BEFORE "CnnToRnnPreProcessor\", \"inputHeight\": 2, "
      "\"inputWidth\": 2, \"numChannels\": 3, \"rnnDataFormat\": \"NCW\"}}, \"confs\": ["
      "{\"layer\": {\"@class\": \"" CNN "ConvolutionLayer\", \"nin\": 1, \"nout\": 3, "
      "\"kernelSize\": [3, 3], \"stride\": [1, 1]}},"
      "{\"layer\": {\"@class\": \"" CNN "SimpleRnn\", \"nin\": 12, \"nout\": 2}}]}");

  g_assert_cmpstr (images, ==, "input ?,16,?\nConvolutionLayer ?,3,2,2\nSimpleRnn ?,2,?\n");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "{\"inputPreProcessors\": {\"0\": {\"@class\": \"" BEFORE "%s\"},"
          "\"1\": {\"@class\": \"" BEFORE "FeedForwardToRnnPreProcessor\"}}, \"confs\": ["
          "{\"layer\": {\"@class\": \"" CNN "DenseLayer\", \"nin\": 3, \"nout\": 4}},"
          "{\"layer\": {\"@class\": \"" CNN "LSTM\", \"nin\": 4, \"nout\": 2}},"
          "{\"layer\": {\"@class\": \"" CNN "RnnOutputLayer\", \"nin\": 2, \"nout\": 5}}]}",
          cases[i].how);
      g_autofree char *shapes = list_shapes (text);

      g_assert_cmpstr (shapes, ==, cases[i].shapes);
    }
}

/* Before 0.4 layers are empty, and the net tells what is hidden. */
static void
test_sizes_of_layers_are_those_of_the_net (void)
{
  g_autofree char *shapes = list_shapes (
      "{\"hiddenLayerSizes\": [3, 2], \"confs\": ["
      "{\"layer\": {\"RBM\": {}}, \"nIn\": 7, \"nOut\": 0, \"hiddenUnit\": \"RECTIFIED\"},"
      "{\"layer\": {\"RBM\": {}}, \"nIn\": 0, \"nOut\": 0},"
      "{\"layer\": {\"RBM\": {}}, \"nIn\": 0, \"nOut\": 5}]}");

  g_assert_cmpstr (shapes, ==, "input ?,7\nRBM ?,3\nRBM ?,2\nRBM ?,5\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dl4j/sizes-are-told-by-what-prepares-an-input",
                   test_sizes_are_told_by_what_prepares_an_input);
  g_test_add_func ("/dl4j/volumes-have-their-order", test_volumes_have_their_order);
  g_test_add_func ("/dl4j/an-input-is-what-is-prepared", test_an_input_is_what_is_prepared);
  g_test_add_func ("/dl4j/sizes-of-layers-are-those-of-the-net",
                   test_sizes_of_layers_are_those_of_the_net);
  g_test_add_func ("/dl4j/steps-are-not-told-by-rows", test_steps_are_not_told_by_rows);
  return g_test_run ();
}
