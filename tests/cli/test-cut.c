/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>
#include <sys/stat.h>

/* extract and convert. */
#define SMALL fixture ("small-symbol.json")
#define SHAPE "--shape data=2,3,8,8"

static void
assert_names (const char *path, const char *what, const char *names)
{
  g_autoptr (Ending) ending = run_line ("list %s %s", path, what);

  assert_status (ending, 0);
  g_strdelimit (g_strchomp (ending->out), "\n", ' ');
  g_assert_cmpstr (ending->out, ==, names);
}

static void
test_extract (void)
{
  const char *part = scratch ("part-symbol.json");
  g_autoptr (Ending) cut = run_line ("extract %s --outputs pool0,relu0 -o %s", SMALL, part);
  g_autoptr (Ending) infer = NULL;
  g_autoptr (cJSON) json = NULL;

  assert_status (cut, 0);
  g_assert_cmpstr (cut->out, ==, "");
  assert_names (part, "inputs", "data");
  assert_names (part, "outputs", "pool0_output relu0_output");
  assert_names (part, "layers", "conv0 bn0 relu0 split0 sum,0 pool0");
  infer = run_line ("infer %s %s --format json", part, SHAPE);
  json = ending_parse (infer, 0);
  assert_json (member (find_named (member (json, "nodes"), "pool0_output"), "shape"), "[2,4,1,1]");
}

static void
test_extract_between (void)
{
  const char *part = scratch ("between-symbol.json");
  g_autoptr (Ending) cut =
      run_line ("extract %s --inputs relu0 --outputs 'sum\\,0' -o %s", SMALL, part);

  assert_status (cut, 0);
  assert_names (part, "inputs", "relu0_output");
  assert_names (part, "layers", "split0 sum,0");
  assert_names (part, "parameters", "");
}

static void
test_extract_to_stdout (void)
{
  g_autoptr (Ending) cut = run_line ("extract %s --outputs fc0 -o -", SMALL);
  g_autoptr (Ending) list = NULL;

  assert_status (cut, 0);
  list = run_in (NULL, cut->out, "list - outputs");
  assert_status (list, 0);
  g_assert_cmpstr (list->out, ==, "fc0_output\n");
}

static void
test_extract_refusals (void)
{
  const char *part = scratch ("none.json");
  g_autoptr (Ending) foreign =
      run_line ("extract %s --inputs split0_output0 --outputs fc0 -o %s", SMALL, part);
  g_autoptr (Ending) unknown = run_line ("extract %s --outputs fc9 -o %s", SMALL, part);
  g_autoptr (Ending) empty = run_line ("extract %s --outputs fc0, -o %s", SMALL, part);
  g_autoptr (Ending) nowhere = run_line ("extract %s --outputs fc0 -o /nowhere/at-all.json", SMALL);

  assert_refused (foreign, 1, "split0_output1");
  assert_refused (unknown, 1, "fc9");
  assert_status (empty, 1);
  assert_refused (nowhere, 1, "symscope: /nowhere/at-all.json");
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
}

/* What could not be read cannot be written either: that is told, and a pipe of the weights' name,
 * which nothing writes to, is not waited for. */
static void
test_extract_without_weights (void)
{
  const char *graph = scratch ("lost-symbol.json");
  const char *part = scratch ("lost-part-symbol.json");
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (SMALL, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (graph, text, -1, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Ending) ending = NULL;

      if (i == 0)
        g_assert_true (g_file_set_contents (scratch ("lost-0001.params"), "short", -1, NULL));
      else
        g_assert_cmpint (mkfifo (scratch ("lost-0002.params"), 0600), ==, 0);
      ending =
          run_line (i == 0 ? "extract %s --outputs fc0 -o %s" : "convert %s -o %s", graph, part);
      assert_status (ending, 0);
      assert_err (ending, "lost-symbol.json: warning: it has errors");
      assert_err (ending, i == 0 ? "ends too early" : "is not a regular file");
      assert_names (part, "outputs", i == 0 ? "fc0_output" : "softmax_output");
    }
}

static void
test_convert (void)
{
  const char *own = scratch ("small.symscope.json");
  const char *back = scratch ("back-symbol.json");
  g_autoptr (Ending) there = run_line ("convert %s -o %s --to symscope", SMALL, own);
  g_autoptr (Ending) again = run_line ("convert %s -o %s", own, back);
  g_autoptr (Ending) first = run_line ("infer %s %s", SMALL, SHAPE);
  g_autoptr (Ending) second = run_line ("infer %s %s", own, SHAPE);
  g_autoptr (Ending) third = run_line ("infer %s %s", back, SHAPE);

  assert_status (there, 0);
  assert_status (again, 0);
  assert_status (first, 0);
  g_assert_cmpstr (second->out, ==, first->out);
  g_assert_cmpstr (third->out, ==, first->out);
}

/* What `--shape` says is in the file that is written. */
static void
test_convert_declares_shapes (void)
{
  const char *own = scratch ("shaped.symscope.json");
  const char *part = scratch ("shaped-part.json");
  g_autoptr (Ending) all = run_line ("convert %s %s -o %s --to symscope", SMALL, SHAPE, own);
  g_autoptr (Ending) cut = run_line ("extract %s %s --outputs fc0 -o %s", SMALL, SHAPE, part);
  g_autoptr (Ending) given = run_line ("infer %s %s", SMALL, SHAPE);
  g_autoptr (Ending) first = run_line ("infer %s", own);
  g_autoptr (Ending) second = run_line ("infer %s", part);

  assert_status (all, 0);
  assert_status (cut, 0);
  g_assert_cmpstr (first->out, ==, given->out);
  g_assert_nonnull (strstr (second->out, "[2,3,8,8]"));
  g_assert_nonnull (strstr (second->out, "[2,10]"));
}

static void
test_convert_leaves_the_old (void)
{
  g_autofree char *kept = NULL;
  g_autoptr (Ending) ending = NULL;

  g_assert_true (g_file_set_contents (scratch ("old.json"), "precious", -1, NULL));
  ending = run_line ("convert %s -o %s", scratch ("old.json"), scratch ("old.json"));
  assert_refused (ending, 1, "old.json");
  g_assert_true (g_file_get_contents (scratch ("old.json"), &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "precious");
}

static void
test_code (void)
{
  g_autofree char *file = g_strdup (scratch ("forward.py"));
  g_autoptr (Ending) listed = run_line ("code %s", SMALL);
  g_autoptr (Ending) named = run_line ("code %s --style fx -o %s", SMALL, file);
  g_autoptr (Ending) looped = run_line ("code %s --loop 2", SMALL);
  g_autofree char *text = NULL;

  assert_status (listed, 0);
  g_assert_true (g_str_has_prefix (listed->out, "def forward(self,i0, i1):\n"
                                                "    l = self._execution_order_layers\n"));
  assert_out (listed, "    return o0\n");
  assert_status (named, 0);
  g_assert_cmpstr (named->out, ==, "");
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "def forward(self, "));
  g_assert_nonnull (strstr (text, "self.fc0("));
  assert_status (looped, 0);
  assert_out (looped, "    for layer in l[");
}

static void
test_code_refuses (void)
{
  static const struct {
    const char *words, *part;
    int status;
  } cases[] = {
    { "--loop 1", "--loop takes a number from 2 on, not “1”", 2 },
    { "--style c", "--style cannot be “c”; it is one of symbolic|fx", 2 },
    { "-o /nowhere/x.py", "/nowhere", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending = run_line ("code %s %s", SMALL, cases[i].words);

      assert_refused (ending, cases[i].status, cases[i].part);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/extract/cuts-at-inner-nodes", test_extract);
  g_test_add_func ("/cli/extract/cuts-between-nodes", test_extract_between);
  g_test_add_func ("/cli/extract/writes-to-standard-output", test_extract_to_stdout);
  g_test_add_func ("/cli/extract/refuses-and-writes-nothing", test_extract_refusals);
  g_test_add_func ("/cli/extract/warns-of-weights-that-are-lost", test_extract_without_weights);
  g_test_add_func ("/cli/convert/comes-back-with-the-same-shapes", test_convert);
  g_test_add_func ("/cli/convert/declares-shapes-that-are-given", test_convert_declares_shapes);
  g_test_add_func ("/cli/code/writes-python", test_code);
  g_test_add_func ("/cli/code/refuses-what-makes-no-sense", test_code_refuses);
  g_test_add_func ("/cli/convert/leaves-an-old-file-when-it-fails", test_convert_leaves_the_old);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
