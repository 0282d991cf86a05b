/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-infer.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "ops/sym-op.h"
#include "store/sym-store-h5.h"
#include "told-numbers.h"

/* Weights that are written beside a Keras config.  Each case of
 * tests/fixtures/keras-weights/numbers.json is written and read again, makes the numbers that numpy
 * made of the first file, and is written to the same bytes. */

static char *
get_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", name, NULL);
}

static void
clean (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static SymModel *
open_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymModel *
open_fixture (const char *name)
{
  g_autofree char *path = get_path (name);

  return open_path (path);
}

static void
write_model (SymModel *model, const char *path, SymProblems *notes)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;

  sym_io_write (sym_io_find_format ("keras"), model, inference, path, notes, &error);
  g_assert_no_error (error);
}

/* The weights that lie beside the config; its path. */
static char *
find_weights (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  char *found = NULL;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".h5"))
      {
        g_assert_null (found);
        found = g_build_filename (folder, name, NULL);
      }
  return found;
}

static void
compare_files (const char *a, const char *b)
{
  g_autofree char *x = NULL, *y = NULL;
  gsize n_x, n_y;

  g_assert_true (g_file_get_contents (a, &x, &n_x, NULL));
  g_assert_true (g_file_get_contents (b, &y, &n_y, NULL));
  g_assert_cmpmem (x, n_x, y, n_y);
}

static void
run_case (const ToldCase *self, SymModel *model)
{
  SymShape shape =
      told_read_shape (self->json, sym_json_get_member (self->json, self->place, "shape"));
  SymId input = sym_model_get_inputs (model).ids[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  gint64 below = 0;

  sym_json_get_int (self->json, sym_json_get_member (self->json, self->place, "below"), &below);
  datum = told_make_data (sym_model_get_declared_type (model, input).dtype, &shape, below);
  outputs = sym_model_call (model, &datum, 1, NULL, &error);
  g_assert_no_error (error);
  told_compare (self, sym_datum_get_array (outputs->pdata[0]));
}

static void
test_case (gconstpointer data)
{
  const ToldCase *self = data;
  g_autofree char *file = told_dup (self, "file");
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *other = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.keras.json", NULL);
  g_autofree char *again_path = g_build_filename (other, "net.keras.json", NULL);
  g_autofree char *weights = NULL, *again_weights = NULL;
  g_autoptr (SymModel) model = open_fixture (file);
  g_autoptr (SymModel) again = NULL;

  write_model (model, path, NULL);
  again = open_path (path);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (again)), ==, 0);
  run_case (self, again);

  write_model (again, again_path, NULL);
  weights = find_weights (folder);
  again_weights = find_weights (other);
  compare_files (weights, again_weights);
  clean (folder);
  clean (other);
}

static SymTensor *
make_tensor (SymShape shape, const GArray *numbers)
{
  g_autoptr (GBytes) bytes = g_bytes_new (numbers->data, numbers->len * sizeof (float));
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL);
}

/* ---- The layout ---- */

static SymStoreH5 *
open_weights (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymBlob) blob = sym_store_open_file (path, &error);
  SymStoreH5 *file;

  g_assert_no_error (error);
  file = sym_store_open_h5 (blob, G_MAXUINT64, path, NULL, &error);
  g_assert_no_error (error);
  return file;
}

typedef struct {
  const char *fixture, *weights;
  const char *paths[16];
} Layout;

static const Layout layouts[] = {
  { "wrappers.json",
    "net.weights.h5",
    { "layers/bidirectional/forward_layer/cell/vars/0",
      "layers/bidirectional/forward_layer/cell/vars/1",
      "layers/bidirectional/forward_layer/cell/vars/2",
      "layers/bidirectional/backward_layer/cell/vars/0",
      "layers/bidirectional/backward_layer/cell/vars/1",
      "layers/bidirectional/backward_layer/cell/vars/2", "layers/time_distributed/layer/vars/0",
      "layers/time_distributed/layer/vars/1" } },
  { "nested.json",
    "net_weights.h5",
    { "inside/dense/kernel:0", "inside/dense/bias:0", "inside/norm/gamma:0", "inside/norm/beta:0",
      "inside/norm/moving_mean:0", "inside/norm/moving_variance:0", "last/last/kernel:0",
      "last/last/bias:0" } },
  { "extended.keras",
    "net_weights.h5",
    { "coarse/coarse/kernel:0", "coarse/coarse/bias:0", "own/own/0:0", "own/own/1:0",
      "own/own/2:0" } },
  { "archive.keras",
    "net.weights.h5",
    { "layers/embedding/vars/0", "layers/gru/cell/vars/0", "layers/gru/cell/vars/1",
      "layers/gru/cell/vars/2", "layers/dense/vars/0", "layers/dense/vars/1",
      "layers/functional/layers/dense/vars/0", "layers/functional/layers/dense/vars/1",
      "layers/functional/layers/layer_normalization/vars/0",
      "layers/functional/layers/layer_normalization/vars/1", "layers/dense_1/vars/0",
      "layers/dense_1/vars/1" } },
};

static void
test_layout (gconstpointer data)
{
  const Layout *self = data;
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.keras.json", NULL);
  g_autoptr (SymModel) model = open_fixture (self->fixture);
  g_autoptr (SymStoreH5) file = NULL;
  guint n = 0;

  write_model (model, path, NULL);
  file = open_weights (folder, self->weights);
  for (; self->paths[n] != NULL; n++)
    if (sym_store_h5_find (file, self->paths[n]) < 0)
      g_error ("there is no '%s'", self->paths[n]);
  g_assert_cmpuint (sym_store_h5_get_n (file), ==, n);
  clean (folder);
}

/* What attentions consist of; those of a grouped one are its own, and it is exported under another
 * name than that of its class. */
static const char attention[] =
    "{\"module\": \"keras.src.models.functional\", \"class_name\": \"Functional\", "
    "\"registered_name\": \"Functional\", \"config\": {\"name\": \"net\", \"layers\": ["
    "{\"class_name\": \"InputLayer\", \"name\": \"x\", \"inbound_nodes\": [], \"config\": "
    "{\"name\": \"x\", \"batch_shape\": [null, 5, 4], \"dtype\": \"float32\"}}, "
    "{\"class_name\": \"MultiHeadAttention\", \"module\": \"keras.layers\", "
    "\"registered_name\": null, \"name\": \"heads\", \"config\": {\"name\": \"heads\", "
    "\"num_heads\": 2, \"key_dim\": 3, \"use_bias\": false}, \"inbound_nodes\": [{\"args\": ["
    "{\"class_name\": \"__keras_tensor__\", \"config\": {\"shape\": [null, 5, 4], \"dtype\": "
    "\"float32\", \"keras_history\": [\"x\", 0, 0]}}, {\"class_name\": \"__keras_tensor__\", "
    "\"config\": {\"shape\": [null, 5, 4], \"dtype\": \"float32\", \"keras_history\": "
    "[\"x\", 0, 0]}}], \"kwargs\": {}}]}, "
    "{\"class_name\": \"GroupQueryAttention\", \"module\": \"keras.layers\", "
    "\"registered_name\": null, \"name\": \"groups\", \"config\": {\"name\": \"groups\", "
    "\"head_dim\": 3, \"num_query_heads\": 4, \"num_key_value_heads\": 2}, \"inbound_nodes\": "
    "[{\"args\": [{\"class_name\": \"__keras_tensor__\", \"config\": {\"shape\": [null, 5, 4], "
    "\"dtype\": \"float32\", \"keras_history\": [\"heads\", 0, 0]}}, {\"class_name\": "
    "\"__keras_tensor__\", \"config\": {\"shape\": [null, 5, 4], \"dtype\": \"float32\", "
    "\"keras_history\": [\"x\", 0, 0]}}], \"kwargs\": {}}]}], "
    "\"input_layers\": [[\"x\", 0, 0]], \"output_layers\": [[\"groups\", 0, 0]]}}";

/* Numbers that differ for weights without any; how many there are. */
static guint
fill_weights (SymModel *model, const SymInference *inference)
{
  guint n_weights = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymParameter *parameter = sym_model_get_parameter (model, value);
      SymType type = sym_inference_get_type (inference, value);
      g_autoptr (SymTensor) tensor = NULL;
      g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (float));
      guint64 n = 0;

      if (parameter == NULL)
        continue;
      g_assert_true (sym_shape_get_n_elements (&type.shape, &n));
      for (guint64 i = 0; i < n; i++)
        g_array_append_vals (numbers, &(float){ (float) (100 * n_weights + i) }, 1);
      tensor = make_tensor (type.shape, numbers);
      sym_parameter_set_tensor (parameter, tensor);
      n_weights++;
    }
  return n_weights;
}

static void
test_attention (void)
{
  static const char *const paths[] = {
    "layers/multi_head_attention/query_dense/vars/0",
    "layers/multi_head_attention/key_dense/vars/0",
    "layers/multi_head_attention/value_dense/vars/0",
    "layers/multi_head_attention/output_dense/vars/0",
    "layers/grouped_query_attention/_query_dense/vars/0",
    "layers/grouped_query_attention/_query_dense/vars/1",
    "layers/grouped_query_attention/_key_dense/vars/0",
    "layers/grouped_query_attention/_key_dense/vars/1",
    "layers/grouped_query_attention/_value_dense/vars/0",
    "layers/grouped_query_attention/_value_dense/vars/1",
    "layers/grouped_query_attention/_output_dense/vars/0",
    "layers/grouped_query_attention/_output_dense/vars/1",
  };
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.keras.json", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static (attention, strlen (attention));
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net", NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymModel) again = NULL;
  g_autoptr (SymStoreH5) file = NULL;
  guint n = fill_weights (model, inference);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (paths));
  write_model (model, path, NULL);
  file = open_weights (folder, "net.weights.h5");
  g_assert_cmpuint (sym_store_h5_get_n (file), ==, n);
  for (guint i = 0; i < n; i++)
    if (sym_store_h5_find (file, paths[i]) < 0)
      g_error ("there is no '%s'", paths[i]);
  again = open_path (path);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (again)), ==, 0);
  for (SymId value = 0; value < sym_model_get_n_values (again); value++)
    if (sym_model_get_parameter (again, value) != NULL)
      g_assert_true (sym_tensor_equal (sym_model_get_tensor (again, value),
                                       sym_model_get_tensor (model, value)));
  clean (folder);
}

/* ---- Archives ---- */

static void
pack_model (SymModel *model, const char *path)
{
  g_autoptr (GError) error = NULL;

  sym_io_write (sym_io_find_format ("keras-archive"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
}

static SymTensor *
find_tensor (SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return sym_model_get_tensor (model, value);
  return NULL;
}

/* An archive may be written over by another, which has all that it had, and the same bytes. */
static void
test_archive (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.keras", NULL);
  g_autofree char *other = g_build_filename (folder, "other.keras", NULL);
  g_autoptr (SymModel) model = open_fixture ("archive.keras");
  g_autoptr (SymModel) again = NULL;
  guint n = 0;

  pack_model (model, path);
  pack_model (model, path);
  again = open_path (path);
  g_assert_cmpstr (sym_model_get_format (again), ==, "keras");
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (again)), ==, 0);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_get_parameter (model, value) != NULL)
      {
        const char *name = sym_model_get_value_name (model, value);

        g_assert_true (
            sym_tensor_equal (sym_model_get_tensor (model, value), find_tensor (again, name)));
        n++;
      }
  g_assert_cmpuint (n, ==, 8);
  pack_model (again, other);
  compare_files (path, other);
  clean (folder);
}

static void
test_old_archive (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.keras", NULL);
  g_autoptr (SymModel) model = open_fixture ("mlp.json");
  g_autoptr (GError) error = NULL;

  g_assert_false (
      sym_io_write (sym_io_find_format ("keras-archive"), model, NULL, path, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==,
                   "the model is one of Keras 2, and only Keras 3 has such archives: write it as "
                   "JSON");
  clean (folder);
}

/* ---- What is told ---- */

static gboolean
is_told (const SymProblems *notes, const char *text)
{
  for (guint i = 0; i < sym_problems_get_n (notes); i++)
    if (strstr (sym_problems_get (notes, i)->message, text) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_lost (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autoptr (SymModel) model = open_fixture ("wrong.json");
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (SymStoreH5) file = NULL;

  write_model (model, path, notes);
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 1);
  g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==,
                   "layers whose weights have no numbers are not among those written: “short”, "
                   "“bare”");
  file = open_weights (folder, "net_weights.h5");
  g_assert_cmpuint (sym_store_h5_get_n (file), ==, 4);
  clean (folder);
}

/* Weights that would be taken for those of the config. */
static void
test_others (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autofree char *other = g_build_filename (folder, "net.h5", NULL);
  g_autofree char *late = g_build_filename (folder, "net.hdf5", NULL); /* behind the other one */
  g_autoptr (SymModel) model = open_fixture ("mlp.json");
  g_autoptr (SymProblems) notes = sym_problems_new ();

  g_assert_true (g_file_set_contents (other, "anything", -1, NULL));
  g_assert_true (g_file_set_contents (late, "anything", -1, NULL));
  write_model (model, path, notes);
  g_assert_false (is_told (notes, "net.hdf5 lies beside it"));
  g_assert_true (is_told (notes, "net.h5 lies beside it and will be taken for its weights"));
  clean (folder);
}

static void
test_standard_output (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (SymModel) model = open_fixture ("mlp.json");
      g_autoptr (SymProblems) notes = sym_problems_new ();

      write_model (model, "-", notes);
      g_assert_true (is_told (notes, "4 tensors are left out: standard output has no place for "
                                     "weights"));
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*\"class_name\": \"Sequential\"*");
}

/* Where weights cannot be written, nothing is. */
static void
test_without_writer (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (SymModel) model = open_fixture ("mlp.json");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "as it was", -1, NULL));
  g_setenv ("SYMSCOPE_HDF5", "/bin/true", TRUE);
  g_assert_false (sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, &error));
  g_unsetenv ("SYMSCOPE_HDF5");
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "the weights cannot be written: "));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  clean (folder);
}

/* ---- The order ---- */

static SymTensor *
make_number (float number)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof number);

  g_array_append_val (numbers, number);
  return make_tensor (SYM_SHAPE (1, 1), numbers);
}

/* A Dense of one number, "d2" for 2. */
static SymId
add_dense (SymModelBuilder *builder, SymId x, guint number)
{
  g_autofree char *name = g_strdup_printf ("d%u", number);
  g_autofree char *weight = g_strconcat (name, "/kernel", NULL);
  SymAttributes *attributes = sym_attributes_new ();
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 1));
  SymId operands[2] = { x };
  g_autoptr (SymTensor) tensor = make_number ((float) number);
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  sym_attributes_set (attributes, "units", sym_value_new_int (1), NULL);
  sym_attributes_set (attributes, "use_bias", sym_value_new_bool (FALSE), NULL);
  layer = sym_layer_new ("Dense", sym_op_find ("keras", "Dense", 0), attributes);
  sym_attributes_unref (attributes);
  sym_layer_set_name (layer, name);
  operands[1] = sym_model_builder_add_value (builder, weight, SYM_ROLE_PARAMETER, &type);
  sym_model_builder_set_parameter (builder, operands[1], sym_parameter_new (TRUE, tensor));
  call = sym_model_builder_add_call (builder, name, layer, operands, 2, 1);
  return sym_model_builder_get_result (builder, call, 0);
}

static SymId
add_sum (SymModelBuilder *builder, SymId a, SymId b)
{
  SymId operands[] = { a, b };
  g_autoptr (SymLayer) layer = sym_layer_new ("Add", sym_op_find ("keras", "Add", 0), NULL);
  SymId call;

  sym_layer_set_name (layer, "sum");
  call = sym_model_builder_add_call (builder, "sum", layer, operands, 2, 1);
  return sym_model_builder_get_result (builder, call, 0);
}

static float
read_number (SymStoreH5 *file, const char *path)
{
  int place = sym_store_h5_find (file, path);
  g_autoptr (SymTensor) tensor = NULL;
  float number = 0;

  g_assert_cmpint (place, >=, 0);
  tensor = sym_store_h5_open_tensor (file, (guint) place, NULL);
  g_assert_true (sym_tensor_read (tensor, 0, sizeof number, &number, NULL));
  return number;
}

/* Keras has the layers of this model as d2, d3, d1, d4: the longer branch, although made last, is
 * further from the output, and of one distance the first operand of the sum is come to first.  Its
 * weights go by that order. */
static void
test_order (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (SYM_DIM_UNKNOWN, 1));
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  SymId one, two, sum;
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.keras.json", NULL);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (SymStoreH5) file = NULL;

  sym_model_builder_add_input (builder, x);
  one = add_dense (builder, x, 1);
  two = add_dense (builder, add_dense (builder, x, 2), 3);
  sum = add_sum (builder, two, one);
  sym_model_builder_add_output (builder, add_dense (builder, sum, 4));
  model = sym_model_builder_end (builder);
  write_model (model, path, NULL);

  file = open_weights (folder, "net.weights.h5");
  g_assert_cmpfloat (read_number (file, "layers/dense/vars/0"), ==, 2);
  g_assert_cmpfloat (read_number (file, "layers/dense_1/vars/0"), ==, 3);
  g_assert_cmpfloat (read_number (file, "layers/dense_2/vars/0"), ==, 1);
  g_assert_cmpfloat (read_number (file, "layers/dense_3/vars/0"), ==, 4);
  g_assert_cmpstr (sym_store_h5_get_attribute (file, "layers/dense_2/vars", "name")[0], ==, "d1");

  again = open_path (path);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (again)), ==, 0);
  clean (folder);
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;

  g_test_init (&argc, &argv, NULL);
  path = get_path ("numbers.json");
  if (!g_test_subprocess ()) /* which runs one test alone: cases that do not run are not freed */
    told_add_cases (path, "/run/keras-written/runs-", test_case);
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autofree char *name =
          g_strconcat ("/run/keras-written/lays-out-", layouts[i].fixture, NULL);

      g_test_add_data_func (name, &layouts[i], test_layout);
    }
  g_test_add_func ("/run/keras-written/lays-out-attentions", test_attention);
  g_test_add_func ("/run/keras-written/packs-archives", test_archive);
  g_test_add_func ("/run/keras-written/packs-none-of-keras-2", test_old_archive);
  g_test_add_func ("/run/keras-written/tells-what-is-lost", test_lost);
  g_test_add_func ("/run/keras-written/tells-what-lies-beside", test_others);
  g_test_add_func ("/run/keras-written/leaves-weights-out-of-standard-output",
                   test_standard_output);
  g_test_add_func ("/run/keras-written/writes-nothing-without-its-process", test_without_writer);
  g_test_add_func ("/run/keras-written/goes-by-the-order-of-keras", test_order);
  return g_test_run ();
}
