/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "../count-tensors.h"
#include "io/sym-io.h"
#include "store/sym-store-numpy.h"

/* A Keras model alone, and an .npz that the user chose for its weights. */
typedef struct {
  char *folder, *graph, *weights;
} Alone;

static void
set_up (Alone *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("chosen-XXXXXX", NULL);
  self->graph = g_build_filename (self->folder, "model.json", NULL);
  self->weights = g_build_filename (self->folder, "named.npz", NULL);
}

static void
tear_down (Alone *self, gconstpointer data)
{
  g_assert_cmpint (g_remove (self->graph), ==, 0);
  g_assert_cmpint (g_remove (self->weights), ==, 0);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->graph);
  g_free (self->weights);
}

static SymModel *
read_chosen (const Alone *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  SymModel *model;

  g_assert_true (g_file_set_contents (self->graph, text, -1, NULL));
  model = sym_io_read_with_weights (self->graph, self->weights, NULL, &error);
  g_assert_no_error (error);
  return model;
}

/* Vectors of two: their numbers are their places in the file, from 1. */
static void
write_vectors (const Alone *self, const char *const *names, guint n)
{
  const SymShape shape = { 1, { 2 } };
  g_autoptr (GPtrArray) tensors =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);

  for (guint i = 0; i < n; i++)
    {
      const float numbers[] = { (float) i + 1, (float) i + 1 };
      g_autoptr (GBytes) bytes = g_bytes_new (numbers, sizeof numbers);
      g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

      g_ptr_array_add (tensors, sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL));
    }
  g_assert_true (
      sym_store_write_npz (self->weights, names, (SymTensor *const *) tensors->pdata, n, NULL));
}

static float
get_first (const SymModel *model, const char *name)
{
  SymId value = 0;
  float number = 0;

  while (g_strcmp0 (sym_model_get_value_name (model, value), name) != 0)
    g_assert_cmpuint (++value, <, sym_model_get_n_values (model));
  g_assert_true (
      sym_tensor_read (sym_model_get_tensor (model, value), 0, sizeof number, &number, NULL));
  return number;
}

#define NORMALIZATION                                                                             \
  "{\"class_name\": \"Sequential\", \"keras_version\": \"1.2.2\", \"config\": [{\"class_name\": " \
  "\"BatchNormalization\", \"config\": {\"name\": \"bn\", \"batch_input_shape\": [null, 2]}}]}"

/* Sorted by name, as many tools write them, they are in another order than the layer has them. */
static void
test_names_of_keras_1 (Alone *self, gconstpointer data)
{
  static const char *const names[] = { "bn_beta", "bn_gamma", "bn_running_mean", "bn_running_std" };
  g_autoptr (SymModel) model = NULL;

  write_vectors (self, names, G_N_ELEMENTS (names));
  model = read_chosen (self, NORMALIZATION);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  g_assert_cmpfloat (get_first (model, "bn/beta"), ==, 1);
  g_assert_cmpfloat (get_first (model, "bn/gamma"), ==, 2);
  g_assert_cmpfloat (get_first (model, "bn/moving_mean"), ==, 3);
  g_assert_cmpfloat (get_first (model, "bn/moving_variance"), ==, 4);
}

static void
test_names_that_say_nothing (Alone *self, gconstpointer data)
{
  static const char *const names[] = { "bn/a", "bn/b", "bn/c", "bn/d" };
  g_autoptr (SymModel) model = NULL;

  write_vectors (self, names, G_N_ELEMENTS (names));
  model = read_chosen (self, NORMALIZATION);
  g_assert_cmpuint (count_tensors (model), ==, 0);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 1);
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 0)->message, ==,
                   "no array of “bn” in 'named.npz' is called like its weight “gamma”, so none of "
                   "them is taken");
}

/* Kernels that are told apart by what they are parts of: sorted by name they are in another order
 * than the layer has them. */
static void
test_names_of_parts (Alone *self, gconstpointer data)
{
  static const char *const names[] = {
    "mha/attention_output/bias",
    "mha/attention_output/kernel",
    "mha/key_dense/bias",
    "mha/key_dense/kernel",
    "mha/query/bias",
    "mha/query/kernel",
    "mha/value/bias:0",
    "mha/value/kernel:0",
  };
  static const char *const weights[] = {
    "mha/output_bias", "mha/output_kernel", "mha/key_bias",   "mha/key_kernel",
    "mha/query_bias",  "mha/query_kernel",  "mha/value_bias", "mha/value_kernel",
  };
  static const char text[] =
      "{\"class_name\": \"Functional\", \"config\": {\"name\": \"m\", \"layers\": "
      "[{\"class_name\": "
      "\"InputLayer\", \"name\": \"x\", \"config\": {\"name\": \"x\", \"batch_input_shape\": "
      "[null, 3, "
      "4]}, \"inbound_nodes\": []}, {\"class_name\": \"MultiHeadAttention\", \"name\": \"mha\", "
      "\"config\": {\"name\": \"mha\", \"num_heads\": 2, \"key_dim\": 2}, \"inbound_nodes\": "
      "[[[\"x\", "
      "0, 0, {\"value\": [\"x\", 0, 0]}]]]}], \"input_layers\": [[\"x\", 0, 0]], "
      "\"output_layers\": "
      "[[\"mha\", 0, 0]]}}";
  g_autoptr (SymModel) model = NULL;

  write_vectors (self, names, G_N_ELEMENTS (names));
  model = read_chosen (self, text);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  g_assert_cmpuint (count_tensors (model), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    g_assert_cmpfloat (get_first (model, weights[i]), ==, (float) i + 1);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Alone *, gconstpointer);
  } tests[] = {
    { "/chosen/keras/names-of-keras-1", test_names_of_keras_1 },
    { "/chosen/keras/names-of-parts", test_names_of_parts },
    { "/chosen/keras/names-that-say-nothing", test_names_that_say_nothing },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Alone, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
