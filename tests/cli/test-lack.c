/* SPDX-License-Identifier: MIT */
#include "spawn.h"

/* Weights that have no numbers for different reasons: a run that lacks one tells that one's. */

static void
save (const char *name, const char *text)
{
  g_assert_true (g_file_set_contents (scratch (name), text, -1, NULL));
}

static void
assert_lack (const char *name, const char *message)
{
  g_autoptr (Ending) ending = run_line ("run %s", scratch (name));
  g_autofree char *expected = g_strconcat ("the file has no numbers for ", message, NULL);

  assert_status (ending, 1);
  assert_err (ending, expected);
}

/* ---- TensorFlow.js ---- */

#define MANIFEST                                                  \
  "\"weightsManifest\": ["                                        \
  "{\"paths\": [\"one.bin\"], \"weights\": ["                     \
  "{\"name\": \"words\", \"shape\": [0], \"dtype\": \"string\"}," \
  "{\"name\": \"a\", \"shape\": [2], \"dtype\": \"float32\"}]},"  \
  "{\"paths\": [\"two.bin\"], \"weights\": ["                     \
  "{\"name\": \"b\", \"shape\": [2], \"dtype\": \"float32\"},"    \
  "{\"name\": \"axes\", \"shape\": [1], \"dtype\": \"int32\"}]}," \
  "{\"paths\": [\"three.bin\"], \"weights\": ["                   \
  "{\"name\": \"c\", \"shape\": [2], \"dtype\": \"float32\"},"    \
  "{\"name\": \"d\", \"shape\": [1], \"dtype\": \"qint99\"},"     \
  "{\"name\": \"e\", \"shape\": [2], \"dtype\": \"float32\"}]}]"

static char *
write_tfjs_graph (const char *output)
{
  return g_strdup_printf (
      "{\"format\": \"graph-model\","
      "\"signature\": {\"outputs\": {\"r\": {\"name\": \"%s:0\"}}},"
      "\"modelTopology\": {\"node\": ["
      "{\"name\": \"x\", \"op\": \"Placeholder\", \"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"},"
      "\"shape\": {\"shape\": {\"dim\": [{\"size\": \"2\"}]}}}},"
      "{\"name\": \"a\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"}}},"
      "{\"name\": \"b\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"}}},"
      "{\"name\": \"axes\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_INT32\"}}},"
      "{\"name\": \"c\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"}}},"
      "{\"name\": \"e\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_FLOAT\"}}},"
      "{\"name\": \"words\", \"op\": \"Const\", \"attr\": {\"dtype\": {\"type\": \"DT_STRING\"}}},"
      "{\"name\": \"first\", \"op\": \"Mul\", \"input\": [\"x\", \"a\"]},"
      "{\"name\": \"second\", \"op\": \"Mul\", \"input\": [\"x\", \"b\"]},"
      "{\"name\": \"third\", \"op\": \"Sum\", \"input\": [\"x\", \"axes\"]},"
      "{\"name\": \"fourth\", \"op\": \"Mul\", \"input\": [\"x\", \"c\"]},"
      "{\"name\": \"fifth\", \"op\": \"Mul\", \"input\": [\"x\", \"e\"]},"
      "{\"name\": \"sixth\", \"op\": \"Identity\", \"input\": [\"words\"]}"
      "]}," MANIFEST "}",
      output);
}

/* The file of the second group is cut off, in that of the third nobody knows where to go on. */
static void
of_tensorflow_js_by_its_shard (void)
{
  static const struct {
    const char *output, *message;
  } cases[] = {
    { "first", "“a”: weights in 'one.bin' are missing: " },
    { "second", "“b”: the files of these weights have 4 bytes and need 12: 'two.bin' " },
    { "third", "“axes”: the files of these weights have 4 bytes and need 12: 'two.bin' " },
    { "fourth", "“c”: weights in 'three.bin' are missing: " },
    { "sixth", "“words”: strings of TensorFlow.js are not read" },
    { "fifth", "“e”: the numbers of 'd' and of what follows cannot be read: " },
  };

  save ("two.bin", "1234");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = write_tfjs_graph (cases[i].output);

      save ("model.json", text);
      assert_lack ("model.json", cases[i].message);
    }
}

/* ---- Keras ---- */

static void
copy_as (const char *folder, const char *name, const char *own)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", folder, name, NULL);
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (scratch (own), bytes, (gssize) n, NULL));
}

static void
copy (const char *folder, const char *name)
{
  copy_as (folder, name, name);
}

/* The first layer has its arrays, the second is in a file of which another is the first. */
static void
of_keras_by_its_shard (void)
{
  copy ("keras-weights", "shards.json");
  save ("shards.weights.json",
        "{\"weight_map\": {\"/layers/conv/vars\": \"one.weights.h5\","
        "\"/layers/dense/vars\": \"shards_00000.weights.h5\","
        "\"/layers/dense_1/vars\": [\"shards_00000.weights.h5\", \"two.weights.h5\"]}}");
  copy ("keras-weights", "shards_00000.weights.h5");
  assert_lack ("shards.json", "“second/kernel”: the weights in 'two.weights.h5' cannot be read: "
                              "there is no such file");
}

static void
of_keras_where_no_shard_is_there (void)
{
  static const char *const keys[] = { "dense", "dense_1" };

  copy ("keras-weights", "shards.json");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *text =
          g_strdup_printf ("{\"weight_map\": {\"/layers/%s/vars\": \"one.weights.h5\","
                           "\"/layers/%s/vars\": \"two.weights.h5\"}}",
                           keys[i], keys[1 - i]);

      save ("shards.weights.json", text);
      assert_lack ("shards.json", i == 0 ? "“first/kernel”: the weights in 'one.weights.h5' "
                                         : "“first/kernel”: the weights in 'two.weights.h5' ");
    }
}

static void
of_keras_where_weights_are_pickled (void)
{
  copy_as ("keras-weights", "shards.json", "pickled.json");
  save ("pickled.weights.npz", "a pickle");
  assert_lack ("pickled.json",
               "“first/kernel”: the weights in 'pickled.weights.npz' cannot be read: "
               "they are pickled objects of Python");
}

/* ---- Symscope ---- */

static void
of_symscope_by_its_name (void)
{
  g_autoptr (Ending) ending = NULL;

  copy ("symscope", "missing-weights.json");
  copy_as ("safetensors", "two.safetensors", "gone.safetensors");
  ending = run_line ("run %s --shape x=2 --dtype x=float32", scratch ("missing-weights.json"));
  assert_status (ending, 1);
  assert_err (ending, "the file has no numbers for “w”: the weights have none of that name");
}

/* ---- ONNX ---- */

static void
of_onnx_by_its_external_data (void)
{
  static const char *const names[] = { "a", "b" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("<ir_version: 10, opset_import: [\"\": 17]>\n"
                                               "net (float[2] x) => (float[2] y)\n"
                                               "<float[2] a = [\"location\": \"one.data\"],\n"
                                               "float[2] b = [\"location\": \"two.data\"]>\n"
                                               "{ y = Mul (x, %s) }\n",
                                               names[i]);
      g_autofree char *message =
          g_strdup_printf ("“%s”: its external data: %s: cannot be opened: ", names[i],
                           scratch (i == 0 ? "one.data" : "two.data"));

      save ("external.onnxtxt", text);
      assert_lack ("external.onnxtxt", message);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/lack/of-tensorflow-js-by-its-shard", of_tensorflow_js_by_its_shard);
  g_test_add_func ("/cli/lack/of-keras-by-its-shard", of_keras_by_its_shard);
  g_test_add_func ("/cli/lack/of-keras-where-no-shard-is-there", of_keras_where_no_shard_is_there);
  g_test_add_func ("/cli/lack/of-keras-where-weights-are-pickled",
                   of_keras_where_weights_are_pickled);
  g_test_add_func ("/cli/lack/of-symscope-by-its-name", of_symscope_by_its_name);
  g_test_add_func ("/cli/lack/of-onnx-by-its-external-data", of_onnx_by_its_external_data);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
