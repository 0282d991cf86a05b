/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "../quick-folder.h"
#include "io/sym-io.h"

/* Weights that lie beside a graph, or around it: found, joined, scaled, and named when they are
 * missing. */

static SymModel *
read_fixture (const char *format, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", format, name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymTensor *
find_tensor (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return sym_model_get_tensor (model, value);

  g_error ("there is no value '%s'", name);
}

static void
assert_floats (SymTensor *tensor, const float *expected, guint n)
{
  g_autofree float *numbers = g_new (float, n);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (tensor);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, n * sizeof (float));
  sym_tensor_read (tensor, 0, n * sizeof (float), numbers, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (numbers[i], ==, expected[i]);
}

/* The first shard ends within a number; what is quantized by 0.5 from -1 on is 0 and 6. */
static void
test_tfjs_shards (void)
{
  g_autoptr (SymModel) model = read_fixture ("tfjs-graph", "two-shards.json");
  const float weights[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, bias[] = { -1, 2 };
  guint8 part[2];

  assert_floats (find_tensor (model, "head/w"), weights, 8);
  assert_floats (find_tensor (model, "head/b"), bias, 2);

  /* 2.0f is 00 00 00 40: its last two bytes */
  g_assert_true (sym_tensor_read (find_tensor (model, "head/b"), 6, 2, part, NULL));
  g_assert_cmpuint (part[0], ==, 0x00);
  g_assert_cmpuint (part[1], ==, 0x40);
}

static void
test_tfjs_numbers_in_the_graph (void)
{
  g_autoptr (SymModel) model = read_fixture ("tfjs-graph", "two-shards.json");
  gint64 ones[3];
  gint32 axis;

  g_assert_true (sym_tensor_read (find_tensor (model, "ones"), 0, sizeof ones, ones, NULL));
  g_assert_cmpint (ones[0], ==, 1);
  g_assert_cmpint (ones[2], ==, 1);
  g_assert_true (sym_tensor_read (find_tensor (model, "axis"), 0, sizeof axis, &axis, NULL));
  g_assert_cmpint (axis, ==, -1);
}

/* What would lead out of the folder is not opened, though it is there. */
static void
test_tfjs_missing (void)
{
  g_autoptr (SymModel) model = read_fixture ("tfjs-graph", "loop.json");
  const SymProblems *problems = sym_model_get_problems (model);
  gboolean is_told = FALSE;

  g_assert_null (find_tensor (model, "w"));
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    is_told = is_told ||
              strstr (sym_problems_get (problems, i)->message, "'../two-shards-1.bin'") != NULL;
  g_assert_true (is_told);
}

static void
test_torch_export (void)
{
  g_autoptr (SymModel) model = read_fixture ("torch-export", "archive/models/model.json");
  const SymProblems *problems = sym_model_get_problems (model);
  const float weights[] = { 1, 2, 3, 4, 5, 6 };

  assert_floats (find_tensor (model, "block.fc.weight"), weights, 6);
  g_assert_null (find_tensor (model, "block.fc.bias"));
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 3);
  g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==,
                   "the numbers of 'block.fc.bias' cannot be read: they are a pickle");
  g_assert_nonnull (strstr (sym_problems_get (problems, 1)->message, "weight_2"));
  g_assert_cmpstr (sym_problems_get (problems, 2)->message, ==,
                   "2 more files of numbers are missing, too");
}

/* Several views of one storage; one that is too large for it, and one that is not listed. */
static void
test_torch_views (void)
{
  g_autoptr (SymModel) model = read_fixture ("torch-export", "views/models/model.json");
  const SymProblems *problems = sym_model_get_problems (model);
  const float turned[] = { 1, 4, 2, 5, 3, 6 }, key[] = { 3, 4, 5, 6 };
  const float same[] = { 2, 3, 4, 2, 3, 4 };

  assert_floats (find_tensor (model, "turned"), turned, 6);
  assert_floats (find_tensor (model, "key"), key, 4);
  assert_floats (find_tensor (model, "same"), same, 6);
  g_assert_null (find_tensor (model, "outside"));
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 2);
  g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==,
                   "the numbers of 'outside' cannot be read: the tensor takes 24 bytes from byte 4 "
                   "on, but there are 24 bytes in all");
  g_assert_cmpstr (sym_problems_get (problems, 1)->message, ==,
                   "the numbers of 'gone' are not in 'model_weights_config.json'");
}

/* deploy_graph.json has its parameters in deploy_param.params. */
static void
test_tvm (void)
{
  g_autoptr (SymModel) model = read_fixture ("tvm-params", "deploy_graph.json");
  const float bias[] = { 0.5f, -0.5f, 0, 1 };

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  assert_floats (find_tensor (model, "p1"), bias, 4);
  g_assert_nonnull (find_tensor (model, "p2"));
}

/* The graph called @name, read from within its own folder, as programs are told of it there. */
static SymModel *
read_from_within (const char *folder, const char *name)
{
  g_autofree char *old = g_get_current_dir ();
  g_autoptr (GError) error = NULL;
  SymModel *model;

  g_assert_cmpint (g_chdir (folder), ==, 0);
  model = sym_io_read (name, NULL, &error);
  g_assert_cmpint (g_chdir (old), ==, 0);
  g_assert_no_error (error);
  return model;
}

/* The file, and all folders between it and @folder. */
static void
remove_with_folders (const char *folder, const char *file)
{
  g_autofree char *path = g_build_filename (folder, file, NULL);

  while (strcmp (path, folder) != 0)
    {
      char *around = g_path_get_dirname (path);

      g_assert_cmpint (g_remove (path), ==, 0);
      g_free (path);
      path = around;
    }
}

static void
test_torch_export_from_within (void)
{
  g_autofree char *folder =
      g_test_build_filename (G_TEST_DIST, "fixtures", "torch-export", "mlp", "models", NULL);
  g_autoptr (SymModel) model = read_from_within (folder, "model.json");

  g_assert_nonnull (find_tensor (model, "fc1.weight"));
  g_assert_nonnull (find_tensor (model, "fc2.bias"));
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
}

/* In an archive of a whole model that was unpacked, the parameters have a folder of their own. */
static void
test_tvm_from_within (void)
{
  static const char *const files[][2] = {
    { "deploy_graph.json", "executor-config/graph/default.graph" },
    { "deploy_param.params", "parameters/default.params" },
  };
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *own = g_build_filename (folder, "executor-config", "graph", NULL);
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *from =
          g_test_build_filename (G_TEST_DIST, "fixtures", "tvm-params", files[i][0], NULL);
      g_autofree char *to = g_build_filename (folder, files[i][1], NULL);
      g_autofree char *around = g_path_get_dirname (to), *text = NULL;
      gsize size;

      g_assert_true (g_file_get_contents (from, &text, &size, NULL));
      g_assert_cmpint (g_mkdir_with_parents (around, 0700), ==, 0);
      g_assert_true (g_file_set_contents (to, text, (gssize) size, NULL));
    }
  model = read_from_within (own, "default.graph");
  g_assert_nonnull (find_tensor (model, "p1"));
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    remove_with_folders (folder, files[i][1]);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* fc.json is of NNVM, and has TVM's parameters in fc.params. */
static void
test_nnvm (void)
{
  g_autoptr (SymModel) model = read_fixture ("nnvm-weights", "fc.json");
  const float weight[] = { 1, 2, 3, 4, 5, 6 }, bias[] = { 0.5f, -0.5f };

  g_assert_cmpstr (sym_model_get_format (model), ==, "nnvm");
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  assert_floats (find_tensor (model, "fc_weight"), weight, 6);
  assert_floats (find_tensor (model, "fc_bias"), bias, 2);
}

/* Matrices are in Fortran order; of a convolution the bias comes first. */
static void
test_dl4j_list (void)
{
  g_autoptr (SymModel) model = read_fixture ("dl4j-weights", "list/configuration.json");
  const float bias[] = { 0.5f, -1 }, window[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  const float matrix[] = { 1, 2, 3, 4, 5, 6 }, last[] = { 10, 20, 30 };

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  assert_floats (find_tensor (model, "conv_b"), bias, 2);
  assert_floats (find_tensor (model, "conv_W"), window, 8);
  assert_floats (find_tensor (model, "out_W"), matrix, 6);
  assert_floats (find_tensor (model, "out_b"), last, 3);
}

/* In the order of computation, which is not that of the file: a, b1, b2, out. */
static void
test_dl4j_archive (void)
{
  g_autoptr (SymModel) model = read_fixture ("dl4j-weights", "graph.zip");
  const double expected[] = { 3, 5, 4, 6 };
  SymTensor *tensor = find_tensor (model, "b1_W");
  double numbers[4], last;

  g_assert_nonnull (tensor);
  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_FLOAT64);
  g_assert_true (sym_tensor_read (tensor, 0, sizeof numbers, numbers, NULL));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (numbers[i], ==, expected[i]);
  g_assert_true (sym_tensor_read (find_tensor (model, "b2_b"), 0, sizeof last, &last, NULL));
  g_assert_cmpfloat (last, ==, 11);
}

static void
test_dl4j_of_another_network (void)
{
  g_autofree char *graph = g_test_build_filename (G_TEST_DIST, "fixtures", "dl4j-weights", "list",
                                                  "configuration.json", NULL);
  g_autofree char *weights =
      g_test_build_filename (G_TEST_DIST, "fixtures", "nd4j", "float.bin", NULL);
  g_autofree char *cut = g_test_build_filename (G_TEST_DIST, "fixtures", "nd4j", "cut.bin", NULL);
  g_autoptr (GError) error = NULL, cause = NULL;
  g_autoptr (SymModel) model = sym_io_read_with_weights (graph, weights, NULL, &error);
  g_autoptr (SymModel) none = NULL;

  g_assert_no_error (error);
  g_assert_null (find_tensor (model, "conv_W"));
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 0)->message, ==,
                   "the weights are not used: there are 6 numbers, and the layers have 19");
  none = sym_io_read_with_weights (graph, cut, NULL, &cause);
  g_assert_null (none);
  g_assert_error (cause, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
}

/* Weights that are cut off are told, and the graph opens without them. */
static void
check_cut (const char *format, const char *graph, const char *weights)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "fixtures", format, graph, NULL);
  g_autofree char *folder = quick_folder_new (), *name = g_path_get_basename (graph);
  g_autofree char *to = g_build_filename (folder, name, NULL);
  g_autofree char *cut = g_build_filename (folder, weights, NULL), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (from, &text, &size, NULL));
  g_assert_true (g_file_set_contents (to, text, (gssize) size, NULL));
  g_assert_true (g_file_set_contents (cut, "\0\4", 2, NULL));
  model = sym_io_read (to, NULL, &error);
  g_remove (to);
  g_remove (cut);
  g_rmdir (folder);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 1);
  g_assert_true (g_str_has_prefix (sym_problems_get (sym_model_get_problems (model), 0)->message,
                                   "the parameters beside the graph cannot be read: "));
}

static void
test_cut (void)
{
  check_cut ("dl4j-weights", "list/configuration.json", "coefficients.bin");
  check_cut ("tvm-params", "deploy_graph.json", "deploy_param.params");
}

/* A graph alone in a folder, whose shards are beside one that the user chose. */
static void
test_chosen_shards (void)
{
  g_autofree char *graph =
      g_test_build_filename (G_TEST_DIST, "fixtures", "tfjs-graph", "two-shards.json", NULL);
  g_autofree char *beside =
      g_test_build_filename (G_TEST_DIST, "fixtures", "tfjs-graph", "two-shards-2.bin", NULL);
  g_autofree char *folder = g_dir_make_tmp ("beside-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "two-shards.json", NULL);
  g_autofree char *shards = g_path_get_dirname (beside);
  const char *const choices[] = { beside, shards };
  g_autofree char *text = NULL;
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymModel) none = NULL;

  g_assert_true (g_file_get_contents (graph, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read_with_weights (path, choices[i], NULL, &error);
      g_autoptr (SymModel) usual = read_fixture ("tfjs-graph", "two-shards.json");

      g_assert_no_error (error);
      for (SymId value = 0; value < sym_model_get_n_values (usual); value++)
        g_assert_true ((sym_model_get_tensor (usual, value) == NULL) ==
                       (sym_model_get_tensor (model, value) == NULL));
      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==,
                        sym_problems_get_n (sym_model_get_problems (usual)));
    }
  none = sym_io_read_with_weights (path, "/nowhere/at-all.bin", NULL, &cause);
  g_assert_null (none);
  g_assert_error (cause, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A graph alone in a folder, with weights from elsewhere. */
static void
assert_takes_weights (const char *format, const char *name, const char *weights, const char *tensor)
{
  g_autofree char *graph = g_test_build_filename (G_TEST_DIST, "fixtures", format, name, NULL);
  g_autofree char *chosen = g_test_build_filename (G_TEST_DIST, "fixtures", format, weights, NULL);
  g_autofree char *folder = g_dir_make_tmp ("beside-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (SymModel) model = NULL, none = NULL;
  g_autoptr (GError) error = NULL, cause = NULL;

  g_assert_true (g_file_get_contents (graph, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  model = sym_io_read (path, NULL, NULL);
  g_assert_null (find_tensor (model, tensor));
  g_clear_pointer (&model, sym_model_unref);

  model = sym_io_read_with_weights (path, chosen, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (find_tensor (model, tensor));
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);

  none = sym_io_read_with_weights (path, folder, NULL, &cause);
  g_assert_null (none);
  g_assert_error (cause, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_chosen (void)
{
  assert_takes_weights ("openvino", "choose.xml", "choose.bin", "y");
  assert_takes_weights ("paddle-pir", "net.json", "net.pdiparams", "a_conv.w");
  assert_takes_weights ("espresso", "weighted.espresso.net", "weighted.espresso.weights",
                        "conv.weights");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beside/chosen", test_chosen);
  g_test_add_func ("/beside/chosen-shards", test_chosen_shards);
  g_test_add_func ("/beside/cut", test_cut);
  g_test_add_func ("/beside/dl4j-list", test_dl4j_list);
  g_test_add_func ("/beside/dl4j-archive", test_dl4j_archive);
  g_test_add_func ("/beside/dl4j-of-another-network", test_dl4j_of_another_network);
  g_test_add_func ("/beside/tfjs-shards", test_tfjs_shards);
  g_test_add_func ("/beside/tfjs-numbers-in-the-graph", test_tfjs_numbers_in_the_graph);
  g_test_add_func ("/beside/tfjs-missing", test_tfjs_missing);
  g_test_add_func ("/beside/torch-export", test_torch_export);
  g_test_add_func ("/beside/torch-export-views", test_torch_views);
  g_test_add_func ("/beside/torch-export-from-within", test_torch_export_from_within);
  g_test_add_func ("/beside/tvm", test_tvm);
  g_test_add_func ("/beside/tvm-from-within", test_tvm_from_within);
  g_test_add_func ("/beside/nnvm", test_nnvm);
  return g_test_run ();
}
