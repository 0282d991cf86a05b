/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <unistd.h>

#include "spawn.h"

/* gate.json is (x + [1, 10])^2 for x of float32[n,2]; gate-odd.json ends in a layer that nothing is
 * known of. */

static void
tells_outputs_in_lines (void)
{
  g_autoptr (Ending) ending =
      run_line ("run %s --shape x=2,2 --input x=arange", fixture ("gate.json"));

  assert_status (ending, 0);
  assert_out (ending,
              "out                              [2,2]                float32    min 1, max 169,");
}

static void
compiles_what_it_can (void)
{
  g_autoptr (Ending) profile =
      run_line ("run %s --shape x=2,2 --input x=arange --profile", fixture ("square.json"));
  g_autoptr (Ending) exact = run_line ("run %s --shape x=2,2 --input x=arange --exact --threads 2",
                                       fixture ("square.json"));
  g_autoptr (Ending) none = run_line ("run %s --threads 0", fixture ("square.json"));

  assert_status (profile, 0);
  assert_out (profile, "compiled             2 layers from ");
  assert_out (profile, "to plan, with ");
  assert_status (exact, 0);
  assert_out (exact, "min 0, max 9,");
  assert_status (none, 2);
}

static void
tells_statistics_of_every_value (void)
{
  g_autoptr (Ending) ending =
      run_line ("run %s --shape x=1,2 --input x=zeros --stats", fixture ("gate.json"));
  g_autoptr (cJSON) rows = ending_parse (ending, 0);

  g_assert_cmpint (cJSON_GetArraySize (rows), ==, 3);
  assert_json (member (find_named (rows, "x"), "zeros"), "2");
  assert_json (member (find_named (rows, "x"), "milliseconds"), "null");
  assert_json (member (find_named (rows, "sum/y"), "shape"), "[1,2]");
  assert_json (member (find_named (rows, "out"), "min"), "1");
  assert_json (member (find_named (rows, "out"), "max"), "100");
  assert_json (member (find_named (rows, "out"), "mean"), "50.5");
  assert_json (member (find_named (rows, "out"), "std"), "49.5");
  assert_json (member (find_named (rows, "out"), "nan"), "0");
}

/* A loop of three turns, each of which doubles x. */
static void
tells_statistics_within_bodies (void)
{
  g_autofree char *path = g_strdup (scratch ("loop.onnxtxt"));
  g_autoptr (Ending) ending = NULL;
  g_autoptr (cJSON) rows = NULL;

  g_file_set_contents (path,
                       "<ir_version: 10, opset_import: [\"\" : 18]>\n"
                       "m (float[2] x) => (float[2] s) <int64 n = {3}, bool c = {1}> {"
                       " s = Loop (n, c, x) <body = b (int64 i, bool go, float[2] a)"
                       " => (bool more, float[2] r) { more = Identity (go) r = Add (a, a) }> }",
                       -1, NULL);
  ending = run_line ("run %s --input x=ones --stats", path);
  rows = ending_parse (ending, 0);
  assert_json (member (find_named (rows, "s"), "max"), "8");
  g_assert_null (cJSON_GetObjectItem (find_named (rows, "s"), "body"));
  assert_json (member (find_named (rows, "r"), "max"), "8");
  assert_json (member (find_named (rows, "r"), "body"), "\"0a\"");
  g_assert_cmpfloat (member (find_named (rows, "r"), "milliseconds")->valuedouble, >=, 0);
}

/* Of strings there are no statistics, and what holds tensors gets some. */
static void
what_is_no_number_runs_too (void)
{
  const char *path = scratch ("kinds.onnxtxt");
  g_autoptr (Ending) plain = NULL, told = NULL;
  g_autoptr (cJSON) rows = NULL;

  g_file_set_contents (path,
                       "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                       "m (seq(float[3]) s, string[2] words, bool[2] mask)"
                       " => (float[3] f, string[2] w, bool[2] n) <int64 one = {1}> {"
                       " f = SequenceAt (s, one) w = Identity (words) n = Not (mask) }",
                       -1, NULL);
  plain = run_line ("run %s --input s=ones", path);
  assert_status (plain, 0);
  assert_out (plain, "min 1, max 1, mean 1");
  assert_out (plain, "string");
  g_assert_cmpstr (plain->err, ==, "");
  told = run_line ("run %s --input s=ones --stats", path);
  assert_status (told, 0);
  g_assert_cmpstr (told->err, ==, "");
  rows = ending_parse (told, 0);
  g_assert_true (cJSON_IsNull (member (find_named (rows, "w"), "min")));
  g_assert_true (cJSON_IsNull (member (find_named (rows, "s"), "min")));
}

static void
what_it_writes_it_reads (void)
{
  g_autofree char *folder = g_strdup (scratch ("outputs"));
  g_autoptr (Ending) first =
      run_line ("run %s --shape x=2,2 --input x=ones -o %s", fixture ("gate.json"), folder);
  g_autoptr (Ending) second = NULL, whole = NULL, wrong = NULL;
  g_autofree char *manifest = g_build_filename (folder, "manifest.json", NULL);
  g_autofree char *text = NULL;

  assert_status (first, 0);
  g_assert_cmpstr (first->out, ==, "");
  g_assert_true (g_file_get_contents (manifest, &text, NULL, NULL));
  g_assert_cmpstr (g_strstrip (text), ==, "{\"out\": \"out.npy\"}");
  second = run_line ("run %s --input x=%s/out.npy", fixture ("gate.json"), folder);
  assert_status (second, 0);
  assert_out (second, "min 25, max 17161,");
  whole = run_line ("run %s --input %s", fixture ("gate.json"), folder);
  assert_status (whole, 0);
  g_assert_cmpstr (whole->out, ==, second->out);
  wrong = run_line ("run %s --input %s", fixture ("gate.json"), fixture ("gate.json"));
  assert_status (wrong, 1);
  assert_err (wrong, "--input takes NAME=SOURCE or a file of arrays: ");
}

/* Numbers of another dtype than the file declares, which --dtype lets in. */
static void
other_dtypes_are_taken_where_told (void)
{
  g_autofree char *folder = g_strdup (scratch ("integers"));
  g_autofree char *path = g_strdup (scratch ("integers.onnxtxt"));
  g_autoptr (Ending) first = NULL, refused = NULL, taken = NULL;

  g_file_set_contents (path,
                       "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                       "m (float[2] x) => (int64[2] y) { y = Cast <to = 7> (x) }",
                       -1, NULL);
  first = run_line ("run %s --input x=ones -o %s", path, folder);
  assert_status (first, 0);
  refused = run_line ("run %s --input x=%s/y.npy", path, folder);
  assert_refused (refused, 1,
                  "“x” should be float32[2], and is int64[2]; --dtype x=int64 takes it as it is");
  taken = run_line ("run %s --input x=%s/y.npy --dtype x=int64", path, folder);
  assert_status (taken, 0);
  assert_out (taken, "min 1, max 1, mean 1");
}

/* The sum is with numbers near 0. */
static void
missing_weights_of_bodies_are_made_up_too (void)
{
  g_autoptr (Ending) bare = run_line ("run %s --shape inner_input=1,2 --input inner_input=ones",
                                      fixture ("nested-bare.json"));
  g_autoptr (Ending) filled =
      run_line ("run %s --shape inner_input=1,2 --input inner_input=ones --fill-weights --stats",
                fixture ("nested-bare.json"));
  g_autoptr (cJSON) rows = NULL;

  assert_status (bare, 1);
  assert_err (bare, "the file has no numbers for");
  assert_err (filled, "nested-bare.json: note: made up 4 weights\n");
  rows = ending_parse (filled, 0);
  g_assert_cmpfloat (fabs (cJSON_GetNumberValue (member (find_named (rows, "inner"), "max"))), >,
                     0);
  g_assert_cmpfloat (fabs (cJSON_GetNumberValue (member (find_named (rows, "last"), "max"))), <,
                     10);
}

static void
missing_weights_are_made_up_when_asked (void)
{
  g_autoptr (Ending) bare =
      run_line ("run %s --shape x=1,2 --input x=zeros", fixture ("gate-bare.json"));
  g_autoptr (Ending) filled = run_line (
      "run %s --shape x=1,2 --input x=zeros --fill-weights --stats", fixture ("gate-bare.json"));
  g_autoptr (Ending) whole =
      run_line ("run %s --shape x=1,2 --input x=zeros --fill-weights", fixture ("gate.json"));
  g_autoptr (cJSON) rows = NULL;

  assert_status (bare, 1);
  assert_err (bare, "the file has no numbers for “w”");
  assert_err (filled, "gate-bare.json: note: made up 1 weight\n");
  rows = ending_parse (filled, 0);
  g_assert_cmpfloat (fabs (cJSON_GetNumberValue (member (find_named (rows, "sum/y"), "max"))), <,
                     0.1);
  assert_status (whole, 0);
  assert_out (whole, "min 1, max 100,");
  g_assert_cmpstr (whole->err, ==, "");
}

static void
copy_to_scratch (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);
  g_autofree char *last = g_path_get_basename (name);
  g_autofree char *text = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  g_assert_true (g_file_set_contents (scratch (last), text, (gssize) n, NULL));
}

/* The second of two shards is not there. */
static void
why_numbers_are_missing_is_told (void)
{
  g_autoptr (Ending) ending = NULL;

  copy_to_scratch ("tfjs-graph/two-shards.json");
  copy_to_scratch ("tfjs-graph/two-shards-1.bin");
  ending = run_line ("run %s", scratch ("two-shards.json"));
  assert_status (ending, 1);
  assert_err (ending, "the file has no numbers for “head/w”: weights in 'two-shards-2.bin' are "
                      "missing: ");
}

static void
why_numbers_are_missing_is_told_of_bodies (void)
{
  g_autoptr (Ending) ending = NULL;

  copy_to_scratch ("keras-weights/nested.json");
  g_assert_true (g_file_set_contents (scratch ("nested.h5"), "nothing", -1, NULL));
  ending = run_line ("run %s", scratch ("nested.json"));
  assert_status (ending, 1);
  assert_err (ending, "“inside” (Sequential): “dense” (Dense): the file has no numbers for "
                      "“dense/kernel”: the weights in 'nested.h5' cannot be read: it is no HDF5 "
                      "file");
}

static void
why_cut_files_have_no_numbers_is_told (void)
{
  static const struct {
    const char *graph, *weights, *message;
  } cases[] = {
    { "paddle-pir/net.json", "net.pdiparams",
      "“a_conv.w”: the numbers of 'a_conv.w' and of what follows are not in 'net.pdiparams': " },
    { "tvm-params/deploy_graph.json", "deploy_param.params",
      "“p0”: the parameters beside the graph cannot be read: deploy_param.params: " },
    { "dl4j-weights/list/configuration.json", "coefficients.bin",
      "“conv_W”: the parameters beside the graph cannot be read: coefficients.bin: " },
    { "openvino/net.xml", "net.bin",
      "“conv.weight”: the numbers of 'conv.weight' are not there: " },
    { "paddlejs/net.json", "chunk_1.dat",
      "“conv2d_0.w_0”: weights are missing: 'chunk_2.dat' is not beside the graph" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_path_get_basename (cases[i].graph);
      g_autofree char *folder = g_path_get_dirname (cases[i].graph);
      g_autofree char *weights = g_build_filename (folder, cases[i].weights, NULL);
      g_autoptr (Ending) ending = NULL;

      copy_to_scratch (cases[i].graph);
      copy_to_scratch (weights);
      g_assert_cmpint (truncate (scratch (cases[i].weights), 20), ==, 0);
      ending = run_line ("run %s", scratch (name));
      assert_status (ending, 1);
      assert_err (ending, "the file has no numbers for ");
      assert_err (ending, cases[i].message);
    }
}

/* Sizes that nobody knows, of what leads to no output. */
static void
weights_that_cannot_be_made_up_stop_their_layers_alone (void)
{
  g_autoptr (Ending) ending =
      run_line ("run %s --input x=ones --fill-weights --stats", fixture ("dead-sizes.json"));
  g_autoptr (cJSON) rows = NULL;

  assert_status (ending, 0);
  assert_err (ending, "dead-sizes.json: note: no statistics of what “reshape” makes: ");
  assert_err (ending, "the file has no numbers for “s”");
  rows = ending_parse (ending, 0);
  assert_json (member (find_named (rows, "y"), "max"), "1");
  g_assert_cmpint (cJSON_GetArraySize (rows), ==, 2); /* x and y */
}

/* They are needed within the body, which is needed only where its call is. */
static void
weights_within_dead_calls_need_not_be_made_up (void)
{
  g_autofree char *path = g_strdup (scratch ("body.json"));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *dead = NULL;
  g_autoptr (Ending) without = NULL, with = NULL;

  without = run_line ("run %s --input x=ones --fill-weights", fixture ("dead-body.json"));
  assert_status (without, 0);
  assert_err (without, "note: made up 1 weight\n");
  g_assert_true (g_file_get_contents (fixture ("dead-body.json"), &dead, NULL, NULL));
  g_string_assign (text, dead);
  g_assert_cmpuint (g_string_replace (text, "[\"y\"]\n", "[\"z\"]\n", 0), ==, 1);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  with = run_line ("run %s --input x=ones --fill-weights", path);
  assert_status (with, 1);
  assert_err (with, "“s” cannot be made up: its numbers decide the shape of ");
}

static void
the_same_seed_gives_the_same_numbers (void)
{
  g_autoptr (Ending) first = run_line ("run %s --shape x=9,2", fixture ("gate.json"));
  g_autoptr (Ending) again = run_line ("run %s --shape x=9,2 --seed 0", fixture ("gate.json"));
  g_autoptr (Ending) other = run_line ("run %s --shape x=9,2 --seed 1", fixture ("gate.json"));

  assert_status (first, 0);
  g_assert_cmpstr (first->out, ==, again->out);
  g_assert_cmpstr (first->out, !=, other->out);
}

/* The network that the README runs. */
static void
the_example_tells_exclusive_or (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "data", "examples", "xor.onnxtxt", NULL);
  static const char *const cases[][2] = { { "ones", "0" }, { "zeros", "0" }, { "arange", "1" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending =
          run_line ("run %s --shape x=1,2 --input x=%s --stats", path, cases[i][0]);
      g_autoptr (cJSON) rows = ending_parse (ending, 0);

      assert_json (member (find_named (rows, "y"), "max"), cases[i][1]);
    }
}

static void
a_layer_that_cannot_run_is_named (void)
{
  g_autoptr (Ending) ending = run_line ("run %s --shape x=1,2 --stats", fixture ("gate-odd.json"));

  assert_status (ending, 1);
  assert_out (ending, "\"sum/y\"");
  assert_err (ending, "“gate” (Odd): nothing is known of layers of type Odd");
}

static void
a_bench_tells_times_and_memory (void)
{
  g_autoptr (Ending) ending =
      run_line ("bench %s --shape x=4,2 --seconds 0 --format json", fixture ("gate.json"));
  g_autoptr (cJSON) told = ending_parse (ending, 0);

  assert_json (member (told, "runs"), "1");
  assert_json (member (told, "threads"), "1");
  assert_json (member (told, "weights_bytes"), "8");
  g_assert_cmpfloat (member (told, "plan_ms")->valuedouble, >, 0);
  g_assert_cmpfloat (member (told, "plan_ms")->valuedouble, <=,
                     member (told, "build_ms")->valuedouble);
  g_assert_cmpfloat (member (told, "median_ms")->valuedouble, ==,
                     member (told, "min_ms")->valuedouble);
  g_assert_cmpfloat (member (told, "arena_bytes")->valuedouble, >=, 64);
}

static void
a_bench_takes_a_number_of_threads (void)
{
  g_autoptr (Ending) ending =
      run_line ("bench %s --shape x=4,2 --seconds 0 --threads 3 --exact --format json",
                fixture ("gate.json"));
  g_autoptr (Ending) wrong = run_line ("bench %s --threads 0", fixture ("gate.json"));
  g_autoptr (cJSON) told = ending_parse (ending, 0);

  assert_json (member (told, "threads"), "3");
  assert_status (wrong, 2);
  assert_err (wrong, "--threads takes a number from 1 to 256, not “0”");
}

static void
untold_sizes_are_one_and_told (void)
{
  g_autoptr (Ending) ending = run_line ("run %s --input x=ones", fixture ("gate.json"));

  assert_status (ending, 0);
  assert_out (ending, "[1,2]");
  assert_err (ending, "note: sizes taken as 1: n; --shape gives others");
}

static void
bad_requests_are_refused (void)
{
  static const struct {
    const char *words, *part;
    int status;
  } cases[] = {
    { "--input x=ones --shape x=2,3", "shapes [2,3] and [2] do not broadcast", 1 },
    { "--input y=ones", "There is no node called “y”", 1 },
    { "--input x=nowhere.npy", "nowhere.npy", 1 },
    { "--input x", "--input takes NAME=VALUE", 2 },
    { "--shape x=1,2 --seed -1", "--seed takes a number from 0 on", 2 },
    { "--threads 0", "--threads takes a number from 1 to 256", 2 },
    { "--rtol 1", "which is not given", 2 },
    { "--data /nowhere", "there is no folder /nowhere", 1 },
    { "--data / --rtol near", "--rtol takes a number from 0 on", 2 },
    { "--data /", "/ holds no output_0.pb or output_0.npy", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending = run_line ("run %s %s", fixture ("gate.json"), cases[i].words);

      assert_refused (ending, cases[i].status, cases[i].part);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/run/tells-outputs-in-lines", tells_outputs_in_lines);
  g_test_add_func ("/cli/run/compiles-what-it-can", compiles_what_it_can);
  g_test_add_func ("/cli/run/tells-statistics-of-every-value", tells_statistics_of_every_value);
  g_test_add_func ("/cli/run/tells-statistics-within-bodies", tells_statistics_within_bodies);
  g_test_add_func ("/cli/run/what-is-no-number-runs-too", what_is_no_number_runs_too);
  g_test_add_func ("/cli/run/other-dtypes-are-taken-where-told", other_dtypes_are_taken_where_told);
  g_test_add_func ("/cli/run/what-it-writes-it-reads", what_it_writes_it_reads);
  g_test_add_func ("/cli/run/missing-weights-of-bodies-are-made-up-too",
                   missing_weights_of_bodies_are_made_up_too);
  g_test_add_func ("/cli/run/missing-weights-are-made-up-when-asked",
                   missing_weights_are_made_up_when_asked);
  g_test_add_func ("/cli/run/why-numbers-are-missing-is-told", why_numbers_are_missing_is_told);
  g_test_add_func ("/cli/run/why-numbers-are-missing-is-told-of-bodies",
                   why_numbers_are_missing_is_told_of_bodies);
  g_test_add_func ("/cli/run/why-cut-files-have-no-numbers-is-told",
                   why_cut_files_have_no_numbers_is_told);
  g_test_add_func ("/cli/run/weights-that-cannot-be-made-up-stop-their-layers-alone",
                   weights_that_cannot_be_made_up_stop_their_layers_alone);
  g_test_add_func ("/cli/run/weights-within-dead-calls-need-not-be-made-up",
                   weights_within_dead_calls_need_not_be_made_up);
  g_test_add_func ("/cli/run/the-same-seed-gives-the-same-numbers",
                   the_same_seed_gives_the_same_numbers);
  g_test_add_func ("/cli/run/the-example-tells-exclusive-or", the_example_tells_exclusive_or);
  g_test_add_func ("/cli/run/a-layer-that-cannot-run-is-named", a_layer_that_cannot_run_is_named);
  g_test_add_func ("/cli/run/a-bench-tells-times-and-memory", a_bench_tells_times_and_memory);
  g_test_add_func ("/cli/run/a-bench-takes-a-number-of-threads", a_bench_takes_a_number_of_threads);
  g_test_add_func ("/cli/run/untold-sizes-are-one-and-told", untold_sizes_are_one_and_told);
  g_test_add_func ("/cli/run/bad-requests-are-refused", bad_requests_are_refused);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
