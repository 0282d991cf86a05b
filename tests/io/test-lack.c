/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/sym-problem-lack.h"
#include "io/sym-io.h"

/* Files of weights that are missing, cut off or wrong: each weight tells why it has no numbers, and
 * what has some tells nothing. */

#define MAX_FILES 4
#define MAX_LACKS 4

typedef struct {
  const char *folder;           /* of tests/fixtures */
  const char *files[MAX_FILES]; /* copied from there: the graph, and what is beside it */
  gssize size;                  /* what is left of the last of them; -1 for all */
  struct {
    const char *value, *lack; /* how that begins; NULL for none */
  } lacks[MAX_LACKS];
} Case;

static void
copy (const char *from, const char *to, const char *name)
{
  g_autofree char *fixture = g_test_build_filename (G_TEST_DIST, "fixtures", from, name, NULL);
  g_autofree char *path = g_build_filename (to, name, NULL);
  g_autofree char *place = g_path_get_dirname (path);
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_cmpint (g_mkdir_with_parents (place, 0700), ==, 0);
  g_assert_true (g_file_get_contents (fixture, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
}

/* And folders between that are empty then. */
static void delete (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *place = g_path_get_dirname (path);

  g_assert_cmpint (g_remove (path), ==, 0);
  while (strcmp (place, folder) != 0 && g_rmdir (place) == 0)
    {
      char *above = g_path_get_dirname (place);

      g_free (place);
      place = above;
    }
}

static SymId
find (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) &&
        strcmp (sym_model_get_value_name (model, value), name) == 0)
      return value;
  g_error ("there is no value “%s”", name);
}

static void
assert_lack (const SymModel *model, const char *name, const char *expected)
{
  const char *lack = sym_model_get_lack (model, find (model, name));

  if (expected == NULL)
    g_assert_cmpstr (lack, ==, NULL);
  else if (lack == NULL || !g_str_has_prefix (lack, expected))
    g_error ("“%s” lacks numbers since “%s”, not “%s”", name, lack, expected);
}

static void
assert_case (const Case *one)
{
  g_autofree char *folder = g_dir_make_tmp ("lack-XXXXXX", NULL);
  g_autofree char *graph = g_build_filename (folder, one->files[0], NULL);
  g_autofree char *path = NULL;
  const char *last = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < MAX_FILES && one->files[i] != NULL; i++)
    {
      copy (one->folder, folder, one->files[i]);
      last = one->files[i];
    }
  path = g_build_filename (folder, last, NULL);
  if (one->size >= 0)
    g_assert_cmpint (truncate (path, one->size), ==, 0);
  model = sym_io_read (graph, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < MAX_LACKS && one->lacks[i].value != NULL; i++)
    assert_lack (model, one->lacks[i].value, one->lacks[i].lack);
  for (guint i = 0; i < MAX_FILES && one->files[i] != NULL; i++)
    delete (folder, one->files[i]);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
each_weight_tells_its_own (void)
{
  static const Case cases[] = {
    { "openvino",
      { "net.xml", "net.bin" },
      220,
      { { "conv.weight", NULL },
        { "conv.bias", "the numbers of 'conv.bias' are not there: " },
        { "fc.weight", "the numbers of 'fc.weight' are not there: " } } },
    { "espresso",
      { "partly.espresso.net", "partly.espresso.weights" },
      -1,
      { { "conv.biases", NULL },
        { "conv.weights", "the numbers of 'conv.weights' are missing: blob 1 has 8 bytes" },
        { "norm.params", "the numbers of 'norm.params' are missing: there is no blob 5" },
        { "quantised.weights", NULL } } },
    { "torch-export/mlp",
      { "models/model.json", "data/weights/model_weights_config.json", "data/weights/weight_1",
        "data/weights/weight_2" },
      8,
      { { "fc1.weight", "the numbers of 'fc1.weight' cannot be read: its external data: " },
        { "fc1.bias", NULL },
        { "fc2.weight", "the numbers of 'fc2.weight' cannot be read: the tensor takes 72 bytes " },
        { "fc2.bias", "the numbers of 'fc2.bias' cannot be read: its external data: " } } },
    { "paddle-pir",
      { "net.json", "net.pdiparams" },
      70,
      { { "a_conv.w", NULL },
        { "b_linear.w", "the numbers of 'b_linear.w' and of what follows are not in " } } },
    { "paddlejs",
      { "net.json", "chunk_1.dat" },
      -1,
      { { "bn.b_0", NULL },
        { "fc.w_0", "weights are missing: 'chunk_2.dat' is not beside the graph" } } },
    { "keras-weights",
      { "wrong.json", "wrong.h5" },
      -1,
      { { "short/kernel", "“short” has 1 array of weights in 'wrong.h5', where it needs 2" },
        { "bare/kernel", "'wrong.h5' has no weights of the layer “bare”" },
        { "fits/kernel", NULL } } },
    { "onnx",
      { "external.onnx", "external.bin" },
      8,
      { { "first", NULL },
        { "second", "its external data “external.bin”: the tensor takes 8 bytes " },
        { "missing", "its external data: " },
        { "escaping", "its external data “../x.bin” lies outside " } } },
    { "onnx", { "constant-outside.onnxtxt" }, -1, { { "c", "its external data: " } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_case (&cases[i]);
}

static void
of_a_file_that_is_not_there (void)
{
  static const char *const cases[][2] = {
    { "openvino/head.xml", "there are no weights: 'head.bin' is not beside the graph" },
    { "espresso/axes.espresso.net", "there are no weights: " },
    { "symscope/missing-weights.json", "the weights cannot be read: " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", cases[i][0], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
      const char *lack;

      g_assert_no_error (error);
      lack = sym_problems_get_lack (sym_model_get_problems (model));
      g_test_message ("%s: %s", cases[i][0], lack);
      g_assert_true (lack != NULL && g_str_has_prefix (lack, cases[i][1]));
    }
}

static SymModel *
read_with (const char *graph, const char *weights)
{
  g_autofree char *graph_path = g_test_build_filename (G_TEST_DIST, "fixtures", graph, NULL);
  g_autofree char *weights_path = g_test_build_filename (G_TEST_DIST, "fixtures", weights, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_with_weights (graph_path, weights_path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static void
of_chosen_files_that_are_of_another_graph (void)
{
  g_autoptr (SymModel) mxnet = read_with ("mxnet/legacy.json", "params/version-3.params");
  g_autoptr (SymModel) tvm = read_with ("tvm-params/deploy_graph.json", "tvm-params/empty.params");
  g_autoptr (SymModel) torch = read_with ("torch-export/mlp/models/model.json", "npz/stored.npz");
  g_autoptr (SymModel) dl4j = read_with ("dl4j-weights/list/configuration.json", "nd4j/float.bin");

  assert_lack (mxnet, "fc1_weight", "the weights file has none of that name");
  assert_lack (mxnet, "fc1_bias", "the weights file has none of that name");
  assert_lack (tvm, "p0", "there is none of that name among the parameters");
  assert_lack (torch, "fc1.bias", "there is none of that name in 'stored.npz'");
  g_assert_true (g_str_has_prefix (sym_problems_get_lack (sym_model_get_problems (dl4j)),
                                   "the weights are not used: there are "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/lack/each-weight-tells-its-own", each_weight_tells_its_own);
  g_test_add_func ("/io/lack/of-a-file-that-is-not-there", of_a_file_that_is_not_there);
  g_test_add_func ("/io/lack/of-chosen-files-that-are-of-another-graph",
                   of_chosen_files_that_are_of_another_graph);
  return g_test_run ();
}
