/* SPDX-License-Identifier: MIT */
#include "spawn.h"

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

  assert_refused (nothing, 1, "no value was computed in both graphs");
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
  g_test_add_func ("/cli/compare/errors", test_errors);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
