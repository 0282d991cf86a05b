/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"

static char *
save (const char *name, const char *text)
{
  char *path = g_strdup (scratch (name));
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static char *
save_net (const char *name, const char *layers, const char *numbers)
{
  g_autofree char *text = g_strdup_printf (
      HEAD "net (float[2,4] x) => (float[2,4] y) <float[4] w = {%s}, int64[2] s = {2, 4}> {%s}",
      numbers, layers);

  return save (name, text);
}

#define LAYERS "a = Mul (x, w) b = Relu (a) y = Reshape (b, s)"

static void
test_same (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", LAYERS, "1, 2, 3, 4");
  g_autofree char *two = save_net ("two.onnxtxt", LAYERS, "1, 2, 3, 5");
  g_autoptr (Ending) ending = run_line ("diff %s %s", one, two);
  g_autoptr (Ending) numbers = run_line ("diff %s %s --numbers", one, two);

  assert_status (ending, 0);
  g_assert_cmpstr (ending->out, ==,
                   "layers: 3 the same, 0 of other shapes, 0 changed, 0 removed, 0 added\n"
                   "parameters: 4 -> 4\n");
  assert_status (numbers, 1);
  assert_out (numbers, "~ a (Mul)\n    B: tensor(float32, [4], [1, 2, 3, 4]) -> "
                       "tensor(float32, [4], [1, 2, 3, 5])\n");
}

static void
test_layers (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", LAYERS, "1, 2, 3, 4");
  g_autofree char *two =
      save_net ("two.onnxtxt",
                "a = Mul (x, w) b = LeakyRelu <alpha = 0.5> (a) y = Reshape <allowzero = 0> (b, s)",
                "1, 2, 3, 4");
  g_autoptr (Ending) ending = run_line ("diff %s %s", one, two);
  g_autoptr (Ending) json = run_line ("diff %s %s --format json", one, two);
  g_autoptr (cJSON) parsed = ending_parse (json, 1);

  assert_status (ending, 1);
  g_assert_cmpstr (ending->out, ==,
                   "- b (Relu)\n+ b (LeakyRelu)\n"
                   "layers: 2 the same, 0 of other shapes, 0 changed, 1 removed, 1 added\n"
                   "parameters: 4 -> 4\n");
  assert_json (member (parsed, "layers"),
               "{\"same\":2,\"reshaped\":0,\"changed\":0,\"removed\":1,\"added\":1}");
  assert_json (member (parsed, "entries"),
               "[{\"kind\":\"removed\",\"before\":\"b\",\"after\":null,\"type\":\"Relu\","
               "\"differences\":[]},"
               "{\"kind\":\"added\",\"before\":null,\"after\":\"b\",\"type\":\"LeakyRelu\","
               "\"differences\":[]}]");
}

/* Shapes of what comes after a change are counted, and listed on demand. */
static void
test_shapes (void)
{
  g_autofree char *one = save ("one.onnxtxt", HEAD "net (float[2,4] x) => (float[m,n] y) {"
                                                   " a = Relu (x) y = Exp (a) }");
  g_autofree char *two = save ("two.onnxtxt", HEAD "net (float[3,4] x) => (float[m,n] y) {"
                                                   " a = Relu (x) z = Exp (a) }");
  g_autoptr (Ending) ending = run_line ("diff %s %s", one, two);
  g_autoptr (Ending) shapes = run_line ("diff %s %s --shapes", one, two);
  g_autoptr (Ending) told = run_line ("diff %s %s --shape x=5,4", one, one);

  assert_status (ending, 1);
  assert_out (ending, "~ the graph\n    input 1: x float32 [2,4] -> x float32 [3,4]\n");
  assert_out (ending, "layers: 0 the same, 2 of other shapes, 0 changed, 0 removed, 0 added\n");
  g_assert_null (strstr (ending->out, "~ a"));
  assert_out (shapes, "~ a (Relu)\n    output: float32 [2,4] -> float32 [3,4]\n");
  assert_status (told, 0);
}

static void
test_errors (void)
{
  g_autofree char *one = save_net ("one.onnxtxt", LAYERS, "1, 2, 3, 4");
  g_autoptr (Ending) missing = run_line ("diff %s %s", one, scratch ("none.onnx"));
  g_autoptr (Ending) alone = run_line ("diff %s", one);

  assert_refused (missing, 1, "none.onnx");
  g_assert_null (strstr (missing->err, "one.onnxtxt"));
  assert_refused (alone, 2, "AFTER");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/diff/same", test_same);
  g_test_add_func ("/cli/diff/layers", test_layers);
  g_test_add_func ("/cli/diff/shapes", test_shapes);
  g_test_add_func ("/cli/diff/errors", test_errors);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
