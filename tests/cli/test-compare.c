/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEAD "<ir_version: 8, opset_import: [\"\" : 13]>\n"

static char *
save (const char *name, const char *text)
{
  char *path = g_strdup (scratch (name));
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

/* a = x + w, b = relu (a), y = b * b, where x is 1 everywhere. */
static char *
save_net (const char *name, const char *numbers)
{
  g_autofree char *text =
      g_strdup_printf (HEAD "net (float[4] x) => (float[4] y) <float[4] w = {%s}> {\n"
                            "  a = Add (x, w)\n  b = Relu (a)\n  y = Mul (b, b)\n}\n",
                       numbers);

  return save (name, text);
}

static void
test_equal_numbers (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", "1, 2, 3, 4");
  g_autoptr (Ending) ending = run_line ("compare %s %s", one, one);

  assert_status (ending, 0);
  assert_out (ending, "3 of 3 values compared, 0 beyond the tolerance\n");
  g_assert_null (strstr (ending->out, "first:"));
}

/* 5 - 5.5 of 5.5 at most, cos = 56.5 / sqrt (54 * 59.25); behind it 25 - 30.25 of 30.25. */
static void
test_other_numbers (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", "1, 2, 3, 4");
  g_autofree char *two = save_net ("two.onnxtxt", "1, 2, 3, 4.5");
  g_autoptr (Ending) ending = run_line ("compare %s %s --input x=ones", two, one);
  g_autoptr (Ending) lax = run_line ("compare %s %s --input x=ones --rtol 0.2", two, one);

  assert_status (ending, 1);
  assert_out (ending, "!        0.5     0.0909      0.125   0.998866  a (Add)\n");
  assert_out (ending, "!       5.25      0.174       1.31");
  assert_out (ending, "3 of 3 values compared, 3 beyond the tolerance\nfirst: a (Add)\n");
  assert_status (lax, 0);
}

/* The layer in between is only in one of both; what comes after has its partner all the same. */
static void
test_other_structure (void)
{
  g_autofree char *one = save (
      "one.onnxtxt", HEAD "net (float[4] x) => (float[4] y) {\n  a = Abs (x)\n  y = Neg (a)\n}\n");
  g_autofree char *two =
      save ("two.onnxtxt", HEAD "net (float[4] z) => (float[4] n) {\n  k = Abs (z)\n"
                                "  m = Floor (k)\n  n = Neg (m)\n}\n");
  g_autoptr (Ending) ending = run_line ("compare %s %s --input x=arange", one, two);
  g_autoptr (Ending) json = run_line ("compare %s %s --input x=arange --format json", one, two);

  assert_status (ending, 0);
  assert_out (ending, "k (Abs)\n");
  assert_out (ending, "n (Neg)\n2 of 2 values compared, 0 beyond the tolerance\n");
  assert_out (json, "\"before\": \"y\", \"after\": \"n\", \"type\": \"Neg\", "
                    "\"compared\": true, \"max\": 0,");
  assert_out (json, "\"first\": null");
}

/* A layer of the same name that became another one is compared with what it was. */
static void
test_names_tell_the_rest (void)
{
  g_autofree char *one = save (
      "one.onnxtxt", HEAD "net (float[4] x) => (float[4] y) {\n  a = Abs (x)\n  y = Relu (a)\n}\n");
  g_autofree char *two =
      save ("two.onnxtxt",
            HEAD "net (float[4] x) => (float[4] y) {\n  a = Abs (x)\n  y = Max (a, a)\n}\n");
  g_autoptr (Ending) ending = run_line ("compare %s %s", one, two);

  assert_status (ending, 0);
  assert_out (ending, "y (Max)\n2 of 2 values compared");
}

/* The logarithm of 0 on one side alone. */
static void
test_odd_numbers (void)
{
  g_autofree char *one =
      save ("one.onnxtxt", HEAD "net (float[2] x) => (float[2] y) <float[2] w = {0, 1}> {\n"
                                "  a = Mul (x, w)\n  y = Log (a)\n}\n");
  g_autofree char *two =
      save ("two.onnxtxt", HEAD "net (float[2] x) => (float[2] y) <float[2] w = {1, 1}> {\n"
                                "  a = Mul (x, w)\n  y = Log (a)\n}\n");
  g_autoptr (Ending) ending = run_line ("compare %s %s --input x=ones --atol 9", one, two);

  assert_status (ending, 1);
  assert_out (ending, "y (Log), 1 NaN or infinite on one side\n");
  assert_out (ending, "first: y (Log)\n");
}

/* Else the scratch folder cannot go. */
static void
remove_folder (const char *path)
{
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_assert_cmpint (g_remove (file), ==, 0);
    }
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* What one run has written is what another one is held against; it feeds what it has of the inputs.
 */
static void
test_numbers_of_a_run (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", "1, 2, 3, 4");
  g_autofree char *two = save_net ("two.onnxtxt", "1, 2, 3, 4.5");
  g_autofree char *folder = g_strdup (scratch ("numbers"));
  g_autofree char *manifest = g_build_filename (folder, "manifest.json", NULL);
  g_autofree char *array = g_build_filename (folder, "y.npy", NULL);
  g_autoptr (Ending) made = run_line ("run %s --input x=ones -o %s", two, folder);

  assert_status (made, 0);
  g_autoptr (Ending) same = run_line ("compare %s %s --input x=ones", folder, two);
  g_autoptr (Ending) other = run_line ("compare %s %s --input x=ones", one, manifest);
  g_autoptr (Ending) lax = run_line ("compare %s %s --input x=ones --rtol 0.2", one, array);

  assert_status (same, 0);
  assert_out (same, "y (Mul)\n1 of 1 values compared, 0 beyond the tolerance\n");
  assert_status (other, 1);
  assert_out (other, "!       5.25      0.174       1.31");
  assert_out (other, "first: y (Mul)\n");
  assert_status (lax, 0);
  remove_folder (folder);
}

/* One array is called like a layer, one like nothing, two have other shapes, one has no numbers. */
static void
test_numbers_of_node_data (void)
{
  g_autofree char *net = save (
      "net.onnxtxt", HEAD
      "net (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {\n  [sum] a = Add (x, w)\n"
      "  b = Relu (a)\n  y = Mul (b, b)\n}\n");
  g_autofree char *data =
      save ("data.json", "{\"g\": {\"results\": {\"sum\": {\"value\": [2, 3, 4, 5]}, \"q\": "
                         "{\"value\": 1}, \"b\": {\"value\": [[2, 3], [4, 5]]}, \"y\": {\"value\": "
                         "[[1], 2]}, \"a\": {\"value\": [2, 3, 4, 6]}}}}");
  g_autoptr (Ending) text = run_line ("compare %s %s --input x=ones", net, data);
  g_autoptr (Ending) json = run_line ("compare %s %s --input x=ones --format json", net, data);

  assert_status (text, 1);
  assert_out (text, "!          1      0.167       0.25   0.995860");
  assert_out (text, "a (Add), as “sum” once more, which does not count\n");
  assert_out (text,
              "!          -          -          -          -  b (Relu), is [4] and was [2,2]\n");
  assert_out (text, "no value or layer is called q\n");
  assert_out (text, "1 of 3 values compared, 2 beyond the tolerance\nfirst: a (Add)\n");
  g_assert_nonnull (strstr (text->err, "“y” has no numbers"));
  assert_out (json, "\"missing\": [\"q\"]");
  assert_out (json, "\"compared\": false, \"beyond\": true, \"note\": \"is [4] and was [2,2]\"");
}

/* The input is in the folder: it is fed, and is what it was. */
static void
test_numbers_feed_inputs (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", "0, 0, 0, 0");
  g_autofree char *folder = g_strdup (scratch ("fed"));
  g_autofree char *y = g_build_filename (folder, "y.npy", NULL);
  g_autofree char *x = g_build_filename (folder, "x.npy", NULL);
  g_autofree char *manifest = g_build_filename (folder, "manifest.json", NULL);
  g_autoptr (Ending) made = run_line ("run %s --input x=arange -o %s", one, folder);

  assert_status (made, 0);
  g_assert_cmpint (g_rename (y, x), ==, 0);
  g_assert_cmpint (g_unlink (manifest), ==, 0);
  g_autoptr (Ending) fed = run_line ("compare %s %s", folder, one);

  assert_status (fed, 0);
  assert_out (fed, "x (input)\n1 of 1 values compared, 0 beyond");
  g_autoptr (Ending) other = run_line ("compare %s %s --input x=ones", folder, one);

  assert_status (other, 1);
  assert_out (other, "first: x (input)\n");
  remove_folder (folder);
}

static void
test_errors (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", "1, 2, 3, 4");
  g_autofree char *foreign =
      save ("foreign.onnxtxt", HEAD "net (float[4] x) => (float[4] q) {\n  q = Tan (x)\n}\n");
  g_autoptr (Ending) nothing = run_line ("compare %s %s", one, foreign);
  g_autoptr (Ending) missing = run_line ("compare %s %s", one, scratch ("none.onnx"));
  g_autoptr (Ending) tolerance = run_line ("compare %s %s --rtol -1", one, one);
  g_autoptr (Ending) alone = run_line ("compare %s", one);

  assert_refused (nothing, 1, "no value was computed on both sides");
  assert_refused (missing, 1, "none.onnx");
  assert_refused (tolerance, 2, "--rtol");
  assert_refused (alone, 2, "AFTER");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/compare/equal-numbers", test_equal_numbers);
  g_test_add_func ("/cli/compare/other-numbers", test_other_numbers);
  g_test_add_func ("/cli/compare/other-structure", test_other_structure);
  g_test_add_func ("/cli/compare/names-tell-the-rest", test_names_tell_the_rest);
  g_test_add_func ("/cli/compare/odd-numbers", test_odd_numbers);
  g_test_add_func ("/cli/compare/numbers-of-a-run", test_numbers_of_a_run);
  g_test_add_func ("/cli/compare/numbers-of-node-data", test_numbers_of_node_data);
  g_test_add_func ("/cli/compare/numbers-feed-inputs", test_numbers_feed_inputs);
  g_test_add_func ("/cli/compare/errors", test_errors);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
