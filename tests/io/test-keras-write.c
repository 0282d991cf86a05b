/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "core/sym-edit.h"
#include "core/sym-summary.h"
#include "core/sym-model-builder.h"
#include "io/sym-io.h"
#include "ops/sym-layers.h"

/* What was read is written, read again, and written to the same text; over the fixtures, and over
 * the corpus where there is one. */

static char *
write_with_notes (SymModel *model, SymProblems *notes, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out.json", NULL);
  g_autofree char *old = g_build_filename (folder, "out_weights.h5", NULL);
  g_autofree char *new = g_build_filename (folder, "out.weights.h5", NULL);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  char *text = NULL;

  if (sym_io_write (sym_io_find_format ("keras"), model, inference, path, notes, error))
    {
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpint (g_unlink (path), ==, 0);
      g_unlink (old);
      g_unlink (new);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return text;
}

static char *
write_model (SymModel *model, GError **error)
{
  return write_with_notes (model, NULL, error);
}

static SymModel *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "again", &error);

  g_assert_no_error (error);
  return model;
}

static char *
describe_as (SymModel *model, SymStyle style)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  return sym_summary_to_string (summary, style, SYM_FORMAT_CSV, TRUE);
}

static char *
describe (SymModel *model)
{
  return describe_as (model, SYM_STYLE_KERAS);
}

static void
assert_same_again (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (SymModel) again = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_assert_no_error (error);
  first = write_model (model, &error);
  g_assert_no_error (error);
  again = read_text (first);
  second = write_model (again, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, second);
  before = describe (model);
  after = describe (again);
  g_assert_cmpstr (before, ==, after);
}

/* Of two layers with one name, the second is written under another; branches that a sequence of
 * Keras 1 joins get inputs of their own: those files differ. */
static guint
walk (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        n += walk (path);
      else if (g_str_has_suffix (name, ".json") && !g_str_has_prefix (name, "bad-") &&
               !g_str_equal (name, "odd-names-twice.json") && !g_str_equal (name, "branches.json"))
        {
          assert_same_again (path);
          n++;
        }
    }
  return n;
}

static void
test_fixtures (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "keras", NULL);

  g_assert_cmpuint (walk (folder), >=, 9);
}

/* Kept in a file of ours, which knows nothing of Keras' versions. */
static SymModel *
keep_model (SymModel *model)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *ours = g_build_filename (folder, "kept.symscope.json", NULL);
  g_autoptr (GError) error = NULL;
  SymModel *kept;

  g_assert_true (sym_io_write (sym_io_find_format ("symscope"), model, NULL, ours, NULL, &error));
  kept = sym_io_read (ours, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (ours), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return kept;
}

static SymModel *
keep (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "keras", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return keep_model (model);
}

/* Written for Keras again: models within, wrappers, and arguments that are named.  Sequences within
 * are graphs then, of as many parameters. */
static void
test_kept_elsewhere (void)
{
  static const char *const names[] = { "siamese.json", "siamese-3.json", "twins.json",
                                       "states.json", "words.json" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (SymModel) kept = keep (names[i]);
      g_autoptr (SymModel) again = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = write_model (kept, &error);
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;

      g_assert_no_error (error);
      again = read_text (text);
      before = describe_as (kept, SYM_STYLE_SYMBOLIC);
      after = describe_as (again, SYM_STYLE_SYMBOLIC);
      g_assert_cmpstr (before, ==, after);
    }
}

/* Keras 3 would not load settings of Keras 1. */
static void
test_kept_elsewhere_of_keras_1 (void)
{
  static const char *const files[][2] = {
    { "first.json", "layer “convolution2d_1” has “nb_filter” of Keras 1" },
    { "branches.json", "layer “merge_1” has “concat_axis” of Keras 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (SymModel) kept = keep (files[i][0]);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = write_model (kept, &error);

      g_assert_null (text);
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
      g_assert_true (g_str_has_prefix (error->message, files[i][1]));
    }
}

/* Keras looks for a model within a model where Keras itself would have written it. */
static void
test_calls_of_models (void)
{
  static const struct {
    const char *file;
    const char *parts[3];
  } cases[] = {
    { "siamese.json", { "[[\"base\", 1, 0, {}], [\"base\", 2, 0, {}]]", "[\"base\", 2, 0]]}" } },
    { "siamese-3.json",
      { "[\"base\", 0, 0]}}", "[\"base\", 1, 0]}}", "[\"base\", 1, 0], [\"after\", 0, 0]]}" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path =
          g_test_build_filename (G_TEST_DIST, "fixtures", "keras", cases[i].file, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
      g_autofree char *text = NULL;

      g_assert_no_error (error);
      text = write_model (model, &error);
      g_assert_no_error (error);
      for (guint k = 0; k < G_N_ELEMENTS (cases[i].parts) && cases[i].parts[k] != NULL; k++)
        g_assert_nonnull (strstr (text, cases[i].parts[k]));
    }
}

/* What is empty is no sequence, and no other text the second time. */
static void
test_nothing_at_all (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = write_model (model, &error);
  g_autofree char *second = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (strstr (first, "\"layers\": [], \"input_layers\": [], \"output_layers\": []"));
  again = read_text (first);
  second = write_model (again, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, second);
}

static guint64
count_trained (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  return sym_summary_get_totals (summary).trainable;
}

/* What models say of their training, the outermost one or one within, is written again. */
static void
test_what_is_frozen_stays (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "frozen.json", NULL);
  static const char last[] = "\"trainable\": true}, \"keras_version\"";
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (SymModel) model = NULL;
      g_autoptr (SymModel) kept = NULL;
      g_autoptr (SymModel) again = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *written = NULL;

      if (i == 1)
        memcpy (strstr (text, last), "\"trainable\":false", strlen ("\"trainable\":false"));
      model = read_text (text);
      kept = keep_model (model);
      written = write_model (kept, &error);
      g_assert_no_error (error);
      g_assert_true ((strstr (written, "{\"name\": \"m\", \"trainable\": false") != NULL) ==
                     (i == 1));
      again = read_text (written);
      g_assert_cmpuint (count_trained (again), ==, i == 1 ? 0 : 16);
    }
}

/* Layers that a file applies to nothing are in no model, wherever they stand. */
static void
test_tells_what_is_left_out (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras", "unapplied.json", NULL);
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autofree char *written = write_with_notes (model, notes, &error);

  g_assert_no_error (error);
  g_assert_null (strstr (written, "lonely"));
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 2);
  g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==,
                   "“within” is left out: it is applied to nothing");
  g_assert_cmpstr (sym_problems_get (notes, 1)->message, ==,
                   "“lonely” is left out: it is applied to nothing");
}

static void
test_corpus (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *folder = g_build_filename (corpus == NULL ? "" : corpus, "keras", NULL);

  if (corpus == NULL || *corpus == '\0' || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_test_skip ("there is no corpus");
  else
    g_assert_cmpuint (walk (folder), >, 40);
}

/* What no operator is known of is refused by name; nothing is left out. */
static void
test_refuses_others (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 8));
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  g_autoptr (SymLayer) layer = sym_layer_new ("Strange", NULL, NULL);
  SymId call = sym_model_builder_add_call (builder, "strange_1", layer, &x, 1, 1);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  text = write_model (model, &error);
  g_assert_null (text);
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==,
                   "layer “strange_1” of type Strange has no counterpart in Keras");
}

/* Layers of other frameworks become Keras' own. */
static void
test_writes_others (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (GError) error = NULL;
  SymNode *x = sym_input (graph, SYM_SHAPE (8), &error);
  SymNode *y = sym_linear (x, 3, &error);
  g_autoptr (SymModel) model = sym_node_build_model (x, y, &error);
  g_autoptr (SymModel) again = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = write_model (model, &error);
  g_assert_no_error (error);
  again = read_text (text);
  g_assert_cmpuint (sym_model_get_n_calls (again), ==, 1);
  g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (again, 0)), ==, "Dense");
  g_assert_cmpstr (sym_model_get_call_name (again, 0), ==, "Linear_1");
}

/* A sequence of which a value in the middle is an output, too, is one no longer. */
static void
test_branches (void)
{
  static const char text[] =
      "{\"class_name\": \"Sequential\", \"keras_version\": \"2.1.0\", \"config\": {\"name\": "
      "\"s\", "
      "\"layers\": [{\"class_name\": \"Dense\", \"config\": {\"name\": \"a\", \"units\": 2, "
      "\"batch_input_shape\": [null, 3]}}, {\"class_name\": \"Dense\", \"config\": {\"name\": "
      "\"b\", "
      "\"units\": 4}}]}}";
  g_autoptr (SymModel) model = read_text (text);
  g_autoptr (SymEdit) edit = sym_edit_new (model);
  g_autoptr (SymModel) changed = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;
  SymId outputs[2];

  outputs[0] = sym_model_get_results (model, 0).ids[0];
  outputs[1] = sym_model_get_results (model, 1).ids[0];
  g_assert_true (sym_edit_set_outputs (edit, outputs, 2, &error));
  g_assert_no_error (error);
  changed = sym_edit_end (g_steal_pointer (&edit));
  written = write_model (changed, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (written, "\"class_name\": \"Model\""));
  again = read_text (written);
  g_assert_cmpuint (sym_model_get_outputs (again).n, ==, 2);
  g_assert_cmpuint (sym_model_get_inputs (again).n, ==, 1);
}

/* A model of ONNX whose bias goes into a layer, whose pads become one, and whose factors are
 * numbers of an operation. */
static void
test_fixture_of_onnx (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-raise", "small.onnxtxt", NULL);
  g_autofree char *target =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-raise", "small.keras.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autofree char *expected = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (target, &expected, NULL, NULL));
  text = write_model (model, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

/* Keras has no way to say how TensorFlow.js puts samples between. */
static void
test_other_samples (void)
{
  static const char text[] =
      "{\"modelTopology\": {\"class_name\": \"Sequential\", \"config\": {\"layers\": ["
      "{\"class_name\": \"UpSampling2D\", \"config\": {\"name\": \"up\", \"size\": [2, 2],"
      " \"interpolation\": \"bilinear\", \"batch_input_shape\": [null, 2, 2, 2]}}]}}}";
  g_autoptr (SymModel) model = read_text (text);
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *written = write_with_notes (model, notes, &error);

  g_assert_no_error (error);
  g_assert_null (strstr (written, "half_pixel_centers"));
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 1);
  g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==,
                   "Keras takes samples elsewhere than TensorFlow.js, so that its numbers are "
                   "others: “up”");
}

/* Who asked for Keras is told why ONNX is spoken of. */
static void
test_way_is_told (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "tfjs-graph", "loop.json", NULL);
  g_autoptr (SymModel) model = sym_io_read (path, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (write_model (model, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_true (g_str_has_prefix (
      error->message, "to Keras by way of ONNX: the layer “frame” of type Enter has "));
}

/* What is beside the graph in the JSON of others cannot be written, and is not lost. */
static void
test_keepers_are_not_written_over (void)
{
  static const char *const beside[] = {
    "\"format\": \"layers-model\", \"weightsManifest\": []",
    "\"trainable_params\": {}",
  };
  static const char graph[] = "{\"class_name\": \"Sequential\", \"config\": []}";
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.json", NULL);
  g_autoptr (SymModel) model = read_text (graph);

  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      g_autofree char *text = g_strdup_printf ("\n {%s, \"other\": %s}", beside[i], graph);
      g_autofree char *left = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      g_assert_false (sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "choose another name"));
      g_assert_true (g_file_get_contents (path, &left, NULL, NULL));
      g_assert_cmpstr (left, ==, text);
    }
  /* The word alone is nothing. */
  g_assert_true (g_file_set_contents (path, "{\"name\": \"weightsManifest\"}", -1, NULL));
  g_assert_true (sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, NULL));
  g_unlink (path);
  g_rmdir (folder);
}

static const struct {
  const char *start, *encoding;
  gsize n_spaces;
} disguises[] = {
  { "\xef\xbb\xbf", NULL, 0 },
  { "", NULL, 600 },
  { "", NULL, 100000 },
  { "\xef\xbb\xbf", NULL, 600 },
  { "// made by hand\n", NULL, 0 },
  { "", "UTF-16LE", 0 },
  { "\xef\xbb\xbf", "UTF-16BE", 0 },
};

/* However it begins, where its reader finds the graph. */
static void
test_keepers_are_seen_behind_marks (void)
{
  static const char graph[] = "{\"class_name\": \"Sequential\", \"config\": []}";
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.json", NULL);
  g_autoptr (SymModel) model = read_text (graph);

  for (gsize i = 0; i < G_N_ELEMENTS (disguises); i++)
    {
      g_autofree char *spaces = g_strnfill (disguises[i].n_spaces, ' ');
      g_autofree char *text =
          g_strdup_printf ("%s%s{\"modelTopology\": %s, \"weightsManifest\": []}",
                           disguises[i].start, spaces, graph);
      gsize size = strlen (text), size_left;
      g_autofree char *left = NULL;
      g_autoptr (GError) error = NULL;

      if (disguises[i].encoding != NULL)
        {
          char *wide = g_convert (text, -1, disguises[i].encoding, "UTF-8", NULL, &size, NULL);

          g_free (text);
          text = wide;
        }
      g_assert_true (g_file_set_contents (path, text, (gssize) size, NULL));
      g_assert_false (sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "a TensorFlow.js model"));
      g_assert_true (g_file_get_contents (path, &left, &size_left, NULL));
      g_assert_cmpmem (left, size_left, text, size);
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* What cannot be looked into may have weights.  The large file has holes, and takes no disk. */
static void
test_unseen_json_is_not_written_over (void)
{
  static const struct {
    const char *text;
    off_t size;
    const char *told;
  } cases[] = {
    { "{", (off_t) 513 << 20, "JSON of more than 512 MiB" },
    { "{\"weightsManifest\": [", 21, "JSON that cannot be read" },
  };
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.json", NULL);
  g_autoptr (SymModel) model = read_text ("{\"class_name\": \"Sequential\", \"config\": []}");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      g_assert_cmpint (truncate (path, cases[i].size), ==, 0);
      g_assert_false (sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, cases[i].told));
    }
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/keras-write/fixtures-stay-the-same", test_fixtures);
  g_test_add_func ("/io/keras-write/corpus-stays-the-same", test_corpus);
  g_test_add_func ("/io/keras-write/what-was-kept-elsewhere-stays-the-same", test_kept_elsewhere);
  g_test_add_func ("/io/keras-write/keras-1-that-was-kept-elsewhere-is-refused",
                   test_kept_elsewhere_of_keras_1);
  g_test_add_func ("/io/keras-write/what-is-empty-stays-so", test_nothing_at_all);
  g_test_add_func ("/io/keras-write/what-is-frozen-stays-so", test_what_is_frozen_stays);
  g_test_add_func ("/io/keras-write/counts-calls-of-models-as-keras-does", test_calls_of_models);
  g_test_add_func ("/io/keras-write/tells-what-the-reader-has-left-out",
                   test_tells_what_is_left_out);
  g_test_add_func ("/io/keras-write/refuses-layers-that-nobody-knows", test_refuses_others);
  g_test_add_func ("/io/keras-write/writes-layers-of-others", test_writes_others);
  g_test_add_func ("/io/keras-write/writes-a-model-of-onnx", test_fixture_of_onnx);
  g_test_add_func ("/io/keras-write/tells-branches", test_branches);
  g_test_add_func ("/io/keras-write/tells-the-way", test_way_is_told);
  g_test_add_func ("/io/keras-write/tells-that-samples-are-others", test_other_samples);
  g_test_add_func ("/io/keras-write/keepers-are-not-written-over",
                   test_keepers_are_not_written_over);
  g_test_add_func ("/io/keras-write/keepers-are-seen-behind-marks",
                   test_keepers_are_seen_behind_marks);
  g_test_add_func ("/io/keras-write/unseen-json-is-not-written-over",
                   test_unseen_json_is_not_written_over);
  return g_test_run ();
}
