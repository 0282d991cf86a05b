/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>

/* Models for any number of samples stay so in ONNX, as far as their layers allow it. */

#define SEQUENTIAL(layers) \
  "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\", \"layers\": [" layers "]}}"
#define LAYER(class, config) "{\"class_name\": \"" class "\", \"config\": {" config "}}"

static char *
save (const char *name, const char *text)
{
  char *path = g_strdup (scratch (name));
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

/* Converts @path, and asserts that what comes of it has @input, and the same numbers for @shape. */
static void
assert_open (const char *path, const char *input, const char *shape)
{
  g_autofree char *out = g_strdup (scratch ("open.onnx"));
  g_autoptr (Ending) converted = run_line ("convert %s -o %s", path, out);
  g_autoptr (Ending) inferred = NULL, compared = NULL;

  assert_status (converted, 0);
  g_assert_null (strstr (converted->err, "one size"));
  inferred = run_line ("infer %s --partial", out);
  assert_status (inferred, 0);
  assert_out (inferred, input);
  compared = run_line ("compare %s %s --shape %s", path, out, shape);
  assert_status (compared, 0);
}

/* Some of what becomes of these has sizes: those of a reshape are left open, and images grow by a
 * factor. */
static void
samples_stay_open (void)
{
  static const char text[] = SEQUENTIAL (LAYER (
      "UpSampling2D",
      "\"name\": \"up\", "
      "\"batch_input_shape\": [null, 4, "
      "4, 2]") ", " LAYER ("AveragePooling2D",
                           "\"name\": \"pool\", \"pool_size\": [3, 3], \"strides\": [2, 2], "
                           "\"padding\": \"same\"") ", " LAYER ("Reshape",
                                                                "\"name\": \"shape\", "
                                                                "\"target_shape\": [8, "
                                                                "4]") ", " LAYER ("Permute",
                                                                                  "\"name\": "
                                                                                  "\"turn\", "
                                                                                  "\"dims\": [2, "
                                                                                  "1]") ","
                                                                                        " " LAYER (
                                                                                            "Flatte"
                                                                                            "n",
                                                                                            "\"name"
                                                                                            "\": "
                                                                                            "\"flat"
                                                                                            "\"") ", " LAYER ("Softmax",
                                                                                                              "\"name\": \"soft\""));
  g_autofree char *path = save ("open.json", text);
  g_autofree char *weights =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", "cnn.h5", NULL);

  assert_open (path, "[?,4,4,2]", "up_input=3,4,4,2");
  assert_open (weights, "[?,6,5,2]", "conv_input=3,6,5,2");
}

static void
names_of_sizes_stay (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "torch-export", "images",
                                                 "models", "model.json", NULL);
  g_autofree char *out = g_strdup (scratch ("named.onnx"));
  g_autoptr (Ending) converted = run_line ("convert %s -o %s", path, out);
  g_autoptr (Ending) inferred = run_line ("infer %s --partial", out);

  assert_status (converted, 0);
  assert_out (inferred, "[s0,2,8,8]");
}

/* Layers that are written step by step for as many samples as there are. */
static void
one_size_is_told (void)
{
  static const char text[] = SEQUENTIAL (
      LAYER ("Masking", "\"name\": \"mask\", \"batch_input_shape\": [null, 3, 2]") ", " LAYER (
          "LSTM", "\"name\": \"lstm\", \"units\": 2"));
  g_autofree char *path = save ("masked.json", text);
  g_autofree char *out = g_strdup (scratch ("masked.onnx"));
  g_autoptr (Ending) converted = run_line ("convert %s -o %s", path, out);
  g_autoptr (Ending) inferred = run_line ("infer %s --partial", out);

  assert_status (converted, 0);
  assert_err (converted, "the layers are written for one size; those that nobody told are 1: "
                         "axis 0 of “mask_input”");
  assert_out (inferred, "[1,3,2]");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/open/samples-stay-open", samples_stay_open);
  g_test_add_func ("/cli/open/names-of-sizes-stay", names_of_sizes_stay);
  g_test_add_func ("/cli/open/one-size-is-told", one_size_is_told);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
