/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "core/sym-infer.h"
#include "io/sym-io.h"
#include "store/sym-store-numpy.h"
#include "told-numbers.h"

/* Each case of tests/fixtures/keras-weights/numbers.json is a file with its weights, and what it
 * makes of data of a fixed formula, computed by numpy in make.py beside it. */

static char *
get_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", name, NULL);
}

static SymModel *
open_model (const char *name)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (model), ==,
                   g_str_has_suffix (name, ".h5") ? "keras-h5" : "keras");
  return model;
}

static void
test_case (gconstpointer data)
{
  const ToldCase *self = data;
  g_autofree char *file = told_dup (self, "file");
  SymShape shape =
      told_read_shape (self->json, sym_json_get_member (self->json, self->place, "shape"));
  g_autoptr (SymModel) model = open_model (file);
  SymId input = sym_model_get_inputs (model).ids[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  gint64 below = 0;

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  sym_json_get_int (self->json, sym_json_get_member (self->json, self->place, "below"), &below);
  datum = told_make_data (sym_model_get_declared_type (model, input).dtype, &shape, below);
  outputs = sym_model_call (model, &datum, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  told_compare (self, sym_datum_get_array (outputs->pdata[0]));
}

/* ---- What does not fit ---- */

/* Those of bodies, too. */
static const SymParameter *
look_for_parameter (SymModel *model, const char *name)
{
  const SymParameter *found = NULL;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_strcmp0 (sym_model_get_value_name (model, value), name) == 0)
      return sym_model_get_parameter (model, value);
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_get_layer (model, call);

      for (guint i = 0; i < sym_layer_get_n_bodies (layer) && found == NULL; i++)
        found = look_for_parameter (sym_layer_get_body (layer, i, NULL), name);
    }
  return found;
}

static const SymParameter *
find_parameter (SymModel *model, const char *name)
{
  const SymParameter *found = look_for_parameter (model, name);

  g_assert_nonnull (found);
  return found;
}

static void
test_wrong (void)
{
  static const char *const messages[] = {
    "“short” has 1 array of weights in 'wrong.h5', where it needs 2",
    "'wrong.h5' has no weights of the layer “bare”",
    "“spare/spare/alpha:0” and 1 more arrays of 'wrong.h5' belong to no layer that is known here",
  };
  g_autoptr (SymModel) model = open_model ("wrong.json");
  const SymProblems *problems = sym_model_get_problems (model);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  g_assert_cmpuint (sym_problems_get_n (problems), ==, G_N_ELEMENTS (messages));
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    g_assert_cmpstr (sym_problems_get (problems, i)->message, ==, messages[i]);
  g_assert_nonnull (sym_parameter_get_tensor (find_parameter (model, "fits/kernel")));
  g_assert_null (sym_parameter_get_tensor (find_parameter (model, "short/kernel")));

  problems = sym_inference_get_problems (inference);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1);
  g_assert_nonnull (strstr (sym_problems_get (problems, 0)->message, "operator other: Shape"));
  g_assert_nonnull (strstr (sym_problems_get (problems, 0)->message, "[5,3]"));
}

/* A class that extends one of Keras has its weights, and one of which nothing is known has what is
 * stored for it.  Neither is run. */
static void
test_extended (void)
{
  static const char *const files[] = { "extended.json", "extended.keras" };
  static const char *const own[][5] = {
    { "own/kernel", "own/moving_mean", "own/scale", "own/own/left/part", "own/own/right/part" },
    { "own/0", "own/1", "own/2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (SymModel) model = open_model (files[i]);
      SymLayer *layer = sym_model_get_layer (model, 0);

      g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
      g_assert_nonnull (sym_parameter_get_tensor (find_parameter (model, "coarse/kernel")));
      g_assert_nonnull (sym_parameter_get_tensor (find_parameter (model, "coarse/bias")));
      for (guint k = 0; k < G_N_ELEMENTS (own[i]) && own[i][k] != NULL; k++)
        g_assert_nonnull (sym_parameter_get_tensor (find_parameter (model, own[i][k])));
      g_assert_cmpuint (sym_model_get_operands (model, 1).n, ==, i == 0 ? 6 : 4);
      g_assert_cmpstr (sym_layer_get_type (layer), ==, "QDense");
      g_assert_null (sym_layer_get_operator (layer)->run);
      g_assert_null (sym_layer_get_operator (layer)->lower);
    }
  {
    g_autoptr (SymModel) model = open_model ("extended.json");

    g_assert_false (sym_parameter_get_trainable (find_parameter (model, "own/moving_mean")));
    g_assert_true (sym_parameter_get_trainable (find_parameter (model, "own/scale")));
  }
}

/* Weights of a layer of which nothing is known are not taken for those of the one that is known. */
static void
test_custom (void)
{
  static const char *const names[] = { "d/kernel", "d/bias", "c/v", "c/u" };
  g_autoptr (SymModel) model = open_model ("custom.json");

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_nonnull (sym_parameter_get_tensor (find_parameter (model, names[i])));
}

/* ---- A folder of its own ---- */

static void
copy (const char *folder, const char *from, const char *to, gssize size)
{
  g_autofree char *source = get_path (from);
  g_autofree char *target = g_build_filename (folder, to, NULL);
  g_autofree char *bytes = NULL;
  gsize length = 0;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (source, &bytes, &length, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (target, bytes, size < 0 ? (gssize) length : size, NULL));
}

static void
check_problem (const char *folder, const char *name, const char *message)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  const SymProblems *problems;

  g_assert_no_error (error);
  problems = sym_model_get_problems (model);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1);
  if (strstr (sym_problems_get (problems, 0)->message, message) == NULL)
    g_error ("'%s' is told, not '%s'", sym_problems_get (problems, 0)->message, message);
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

/* The model opens in any case. */
static void
test_damaged (void)
{
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);

  copy (folder, "mlp.json", "mlp.json", -1);
  copy (folder, "mlp.h5", "mlp.h5", 2000);
  check_problem (folder, "mlp.json",
                 "the weights in 'mlp.h5' cannot be read: it cannot be opened: ");
  copy (folder, "mlp.json", "mlp.h5", -1);
  check_problem (folder, "mlp.json", "the weights in 'mlp.h5' cannot be read: it is no HDF5 file");
  copy (folder, "mlp.h5", "mlp.h5", 0);
  check_problem (folder, "mlp.json", "the weights in 'mlp.h5' cannot be read: it is no HDF5 file");
  clean (folder);
}

static void
test_pickled (void)
{
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);

  copy (folder, "mlp.json", "mlp.json", -1);
  copy (folder, "mlp.json", "config.json", -1);
  copy (folder, "mlp.h5", "mlp.weights.npz", 10);
  copy (folder, "mlp.h5", "model.weights.npz", 10);
  check_problem (folder, "mlp.json",
                 "the weights in 'mlp.weights.npz' cannot be read: they are pickled objects of "
                 "Python, not arrays; Keras with h5py saves 'mlp.weights.h5'");
  check_problem (folder, "config.json", "the weights in 'model.weights.npz' cannot be read");
  clean (folder);
}

static void
test_without_reader (void)
{
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);

  copy (folder, "mlp.json", "mlp.json", -1);
  copy (folder, "mlp.h5", "mlp.h5", -1);
  g_setenv ("SYMSCOPE_HDF5", "/nowhere/at-all", TRUE);
  check_problem (folder, "mlp.json", "the weights in 'mlp.h5' cannot be read: ");
  g_setenv ("SYMSCOPE_HDF5", "/bin/true", TRUE);
  check_problem (folder, "mlp.json", "the reader of HDF5 files has died");
  g_unsetenv ("SYMSCOPE_HDF5");
  clean (folder);
}

/* The manifest still tells the shapes. */
static void
test_missing_shard (void)
{
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "tfjs.json", NULL);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;

  copy (folder, "tfjs.json", "tfjs.json", -1);
  copy (folder, "tfjs-shard1of2.bin", "tfjs-shard1of2.bin", -1);
  check_problem (folder, "tfjs.json", "weights in 'tfjs-shard2of2.bin' are missing: ");
  model = sym_io_read (path, NULL, NULL);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_assert_false (sym_problems_has_errors (sym_inference_get_problems (inference)));
  g_assert_null (sym_parameter_get_tensor (find_parameter (model, "last/kernel")));
  clean (folder);
}

/* What lies before the place where a shard is cut off is read, what follows is not: it would be
 * other numbers. */
static void
test_short_shard (void)
{
  static const struct {
    gssize first, second; /* bytes left of each, -1 for all */
    const char *message;
    gboolean has_bias; /* of the first layer, which is the last that begins in the first file */
  } cases[] = {
    { -1, 58,
      "the files of these weights have 119 bytes and need 160: 'tfjs-shard2of2.bin' seems to be "
      "cut off",
      TRUE },
    { 40, -1,
      "the files of these weights have 139 bytes and need 160: 'tfjs-shard1of2.bin' seems to be "
      "cut off",
      FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, "tfjs.json", NULL);
      g_autoptr (SymModel) model = NULL;

      copy (folder, "tfjs.json", "tfjs.json", -1);
      copy (folder, "tfjs-shard1of2.bin", "tfjs-shard1of2.bin", cases[i].first);
      copy (folder, "tfjs-shard2of2.bin", "tfjs-shard2of2.bin", cases[i].second);
      check_problem (folder, "tfjs.json", cases[i].message);
      model = sym_io_read (path, NULL, NULL);
      g_assert_cmpint (sym_parameter_get_tensor (find_parameter (model, "forward_lstm/bias")) !=
                           NULL,
                       ==, cases[i].has_bias);
      g_assert_nonnull (sym_parameter_get_tensor (find_parameter (model, "forward_lstm/kernel")));
      g_assert_null (sym_parameter_get_tensor (find_parameter (model, "last/bias")));
      clean (folder);
    }
}

/* Texts stand behind their lengths: two of them before all else, of 2 and of 0 bytes. */
static void
test_texts (void)
{
  static const char texts[] = "\2\0\0\0hi\0\0\0";
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "tfjs.json", NULL);
  g_autofree char *shard = g_build_filename (folder, "tfjs-shard1of2.bin", NULL);
  g_autoptr (SymModel) usual = open_model ("tfjs.json");
  g_autoptr (SymModel) model = NULL;
  g_autofree char *text = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GString) more = g_string_new_len (texts, sizeof texts);
  g_autoptr (GString) json = NULL;
  gsize size;

  copy (folder, "tfjs.json", "tfjs.json", -1);
  copy (folder, "tfjs-shard1of2.bin", "tfjs-shard1of2.bin", -1);
  copy (folder, "tfjs-shard2of2.bin", "tfjs-shard2of2.bin", -1);
  g_file_get_contents (path, &text, NULL, NULL);
  json = g_string_new (text);
  g_assert_cmpuint (g_string_replace (json, "\"weights\": [",
                                      "\"weights\": [{\"name\": \"words\", \"shape\": [2], "
                                      "\"dtype\": \"string\"}, ",
                                      0),
                    ==, 1);
  g_file_get_contents (shard, &bytes, &size, NULL);
  g_string_append_len (more, bytes, (gssize) size);
  g_assert_true (g_file_set_contents (path, json->str, -1, NULL));
  g_assert_true (g_file_set_contents (shard, more->str, (gssize) more->len, NULL));
  check_problem (folder, "tfjs.json", "“words” of the weightsManifest belongs to no layer");
  model = sym_io_read (path, NULL, NULL);
  g_assert_true (sym_tensor_equal (sym_parameter_get_tensor (find_parameter (usual, "last/bias")),
                                   sym_parameter_get_tensor (find_parameter (model, "last/bias"))));
  clean (folder);
}

/* Numbers that nobody told are not made up. */
static void
test_damaged_manifest (void)
{
  static const struct {
    const char *from, *to, *message;
  } damages[] = {
    { "\"scale\": ", "\"scales\": ", "its quantization needs 'scale' and 'min', both numbers" },
    { "\"shape\": [", "\"shape\": [-1, ", "its shape is no list of sizes" },
    { "\"paths\": [", "\"path\": [", "a group of weights has no list of its files, 'paths'" },
  };
  g_autofree char *text = NULL, *usual = get_path ("tfjs.json");

  g_file_get_contents (usual, &text, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autofree char *folder = g_dir_make_tmp ("manifest-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, "tfjs.json", NULL);
      g_autoptr (GString) json = g_string_new (text);

      copy (folder, "tfjs-shard1of2.bin", "tfjs-shard1of2.bin", -1);
      copy (folder, "tfjs-shard2of2.bin", "tfjs-shard2of2.bin", -1);
      g_assert_cmpuint (g_string_replace (json, damages[i].from, damages[i].to, 1), ==, 1);
      g_assert_true (g_file_set_contents (path, json->str, -1, NULL));
      check_problem (folder, "tfjs.json", damages[i].message);
      clean (folder);
    }
}

/* The same layers under other names, with weights of their own. */
static void
test_chosen (void)
{
  g_autofree char *path = get_path ("mlp.json");
  g_autofree char *weights = get_path ("renamed_weights.h5");
  g_autoptr (SymModel) usual = open_model ("mlp.json");
  g_autoptr (SymModel) other = open_model ("renamed.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_with_weights (path, weights, NULL, &error);
  SymTensor *kernel;

  g_assert_no_error (error);
  kernel = sym_parameter_get_tensor (find_parameter (model, "first/kernel"));
  g_assert_true (sym_tensor_equal (
      kernel, sym_parameter_get_tensor (find_parameter (other, "dense_7/kernel"))));
  g_assert_false (
      sym_tensor_equal (kernel, sym_parameter_get_tensor (find_parameter (usual, "first/kernel"))));
}

static const char dense[] =
    "{\"class_name\": \"Sequential\", \"keras_version\": \"2.9\", \"config\": {\"layers\": ["
    "{\"class_name\": \"Dense\", \"config\": {\"name\": \"d\", \"units\": 2,"
    " \"batch_input_shape\": [null, 1]}}]}}";

/* numpy.savez (file, **{w.name: w.numpy () for w in model.weights}) and safetensors of the same */
static void
test_chosen_by_name (gconstpointer file)
{
  static const char *const names[] = { "d/bias:0", "d/kernel:0" };
  static const float numbers[] = { 1, 2 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymShape bias = { .rank = 1, .dims = { 2 } }, kernel = { .rank = 2, .dims = { 1, 2 } };
  g_autoptr (SymTensor) first = sym_tensor_new (SYM_DTYPE_FLOAT32, &bias, blob, 0, NULL);
  g_autoptr (SymTensor) second = sym_tensor_new (SYM_DTYPE_FLOAT32, &kernel, blob, 0, NULL);
  SymTensor *tensors[] = { first, second };
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autofree char *weights = g_build_filename (folder, file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  g_assert_true (g_file_set_contents (path, dense, -1, NULL));
  g_assert_true (g_str_has_suffix (file, ".npz")
                     ? sym_store_write_npz (weights, names, tensors, 2, NULL)
                     : sym_store_write_safetensors (weights, names, tensors, 2, NULL));
  model = sym_io_read_with_weights (path, weights, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  g_assert_true (
      sym_tensor_equal (sym_parameter_get_tensor (find_parameter (model, "d/kernel")), second));
  g_assert_true (
      sym_tensor_equal (sym_parameter_get_tensor (find_parameter (model, "d/bias")), first));
  clean (folder);
}

/* Of the shape and name of a kernel, and yet none. */
static void
test_chosen_npz_with_strings (void)
{
  static const char *const names[] = { "d/kernel", "d/bias" };
  static const char *const words[] = { "one", "two" };
  static const float numbers[] = { 1, 2 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymShape bias = { .rank = 1, .dims = { 2 } }, kernel = { .rank = 2, .dims = { 1, 2 } };
  g_autoptr (SymTensor) strings = sym_tensor_new_strings (&kernel, words, NULL, NULL);
  g_autoptr (SymTensor) floats = sym_tensor_new (SYM_DTYPE_FLOAT32, &bias, blob, 0, NULL);
  SymTensor *tensors[] = { strings, floats };
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autofree char *weights = g_build_filename (folder, "other.npz", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  g_assert_true (g_file_set_contents (path, dense, -1, NULL));
  g_assert_true (sym_store_write_npz (weights, names, tensors, 2, NULL));
  model = sym_io_read_with_weights (path, weights, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (sym_parameter_get_tensor (find_parameter (model, "d/kernel")));
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 0)->message, ==,
                   "arrays of strings in 'other.npz' are no weights, and left out: “d/kernel”");
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 1)->message, ==,
                   "“d” has 1 array of weights in 'other.npz', where it needs 2");
  clean (folder);
}

static void
test_chosen_archive (void)
{
  g_autofree char *chosen = get_path ("archive.keras");
  g_autofree char *folder = g_dir_make_tmp ("keras-weights-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "net.json", NULL);
  g_autofree char *beside = g_build_filename (folder, "net.weights.h5", NULL);
  guint n_compared = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) whole = sym_io_read (chosen, NULL, &error);
  g_autoptr (SymModel) model = NULL;

  g_assert_no_error (error);
  sym_io_write (sym_io_find_format ("keras"), whole, NULL, path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (beside), ==, 0);
  model = sym_io_read_with_weights (path, chosen, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  g_assert_cmpuint (sym_model_get_n_values (model), ==, sym_model_get_n_values (whole));
  for (SymId i = 0; i < sym_model_get_n_values (model); i++)
    if (sym_model_get_parameter (model, i) != NULL)
      {
        n_compared++;
        g_assert_true (
            sym_tensor_equal (sym_parameter_get_tensor (sym_model_get_parameter (model, i)),
                              sym_parameter_get_tensor (sym_model_get_parameter (whole, i))));
      }
  g_assert_cmpuint (n_compared, >, 0);
  clean (folder);
}

static void
check_choice (const char *name, const char *weights, SymIoError code, const char *message)
{
  g_autofree char *path = get_path (name);
  g_autofree char *chosen = get_path (weights);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_io_read_with_weights (path, chosen, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, (int) code);
  if (strstr (error->message, message) == NULL)
    g_error ("'%s' is told, not '%s'", error->message, message);
}

static void
test_wrong_choice (void)
{
  check_choice ("mlp.json", "mlp.json", SYM_IO_ERROR_FILE,
                "it is no HDF5 file, no .keras, no .npz and no safetensors");
  check_choice ("mlp.json", "nowhere.h5", SYM_IO_ERROR_FILE, "there is no such file");
  check_choice ("cnn.h5", "mlp.h5", SYM_IO_ERROR_UNSUPPORTED, "weights cannot be chosen");
}

static void
check_refused (const char *name, const char *message)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_null (model);
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_weights_alone (void)
{
  check_refused ("mlp.h5", "it looks like the weights of a Keras model; open the JSON");
  check_refused ("wrappers.weights.h5",
                 "it looks like the weights of a Keras model; open the JSON");
  check_refused ("own-class.keras", "it looks like a Keras model of a class of its own");
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;

  g_test_init (&argc, &argv, NULL);
  path = get_path ("numbers.json");
  told_add_cases (path, "/run/keras-weights/runs-", test_case);
  g_test_add_func ("/run/keras-weights/tells-what-does-not-fit", test_wrong);
  g_test_add_func ("/run/keras-weights/counts-those-of-other-classes", test_extended);
  g_test_add_func ("/run/keras-weights/keeps-weights-of-unknown-layers-apart", test_custom);
  g_test_add_func ("/run/keras-weights/opens-without-damaged-weights", test_damaged);
  g_test_add_func ("/run/keras-weights/names-pickled-ones", test_pickled);
  g_test_add_func ("/run/keras-weights/opens-without-a-reader", test_without_reader);
  g_test_add_func ("/run/keras-weights/damaged-manifest", test_damaged_manifest);
  g_test_add_func ("/run/keras-weights/takes-what-the-user-chose", test_chosen);
  g_test_add_data_func ("/run/keras-weights/chosen-npz", "other.npz", test_chosen_by_name);
  g_test_add_data_func ("/run/keras-weights/chosen-safetensors", "other.safetensors",
                        test_chosen_by_name);
  g_test_add_func ("/run/keras-weights/takes-an-archive-for-its-weights", test_chosen_archive);
  g_test_add_func ("/run/keras-weights/chosen-npz-with-strings", test_chosen_npz_with_strings);
  g_test_add_func ("/run/keras-weights/refuses-a-wrong-choice", test_wrong_choice);
  g_test_add_func ("/run/keras-weights/names-a-missing-shard", test_missing_shard);
  g_test_add_func ("/run/keras-weights/names-a-shard-that-is-cut-off", test_short_shard);
  g_test_add_func ("/run/keras-weights/reads-what-follows-texts", test_texts);
  g_test_add_func ("/run/keras-weights/says-what-weights-alone-are", test_weights_alone);
  return g_test_run ();
}
