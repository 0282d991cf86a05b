/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>

/* summary, show, list, infer and check, on data -> conv0 -> bn0 -> relu0 -> split0 -> sum,0 ->
 * pool0 -> flatten0 -> fc0 -> softmax. */
#define SMALL fixture ("small-symbol.json")
#define SHAPE "--shape data=2,3,8,8 --dtype data=float32"

/* 8 filters of 3x3x3 and a bias; gamma, beta, mean, var of 8; 10 times 4 and a bias. */
#define N_CONV (8 * 27 + 8)
#define N_FC (10 * 4 + 10)

static void
test_summary_json (void)
{
  g_autoptr (Ending) ending = run_line ("summary %s --format json %s", SMALL, SHAPE);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *rows = member (json, "rows");
  const cJSON *conv = find_named (rows, "conv0_output");
  const cJSON *sum = find_named (rows, "sum,0_output");

  g_assert_cmpint (cJSON_GetArraySize (rows), ==, 12);
  assert_json (member (conv, "index"), "3");
  assert_json (member (conv, "type"), "\"Convolution\"");
  assert_json (member (conv, "output_shape"), "[2,8,8,8]");
  assert_json (member (conv, "dtype"), "\"float32\"");
  g_assert_cmpint (member (conv, "params")->valueint, ==, N_CONV);
  assert_json (member (conv, "parents"), "[\"data\"]");
  assert_json (member (conv, "is_output"), "false");
  assert_json (member (sum, "parents"), "[\"split0_output0\",\"split0_output1\"]");
  assert_json (member (find_named (rows, "softmax_output"), "is_output"), "true");
  g_assert_cmpint (member (json, "total_params")->valueint, ==, N_CONV + 32 + N_FC);
  g_assert_cmpint (member (json, "trainable_params")->valueint, ==, N_CONV + 16 + N_FC);
  g_assert_cmpint (member (json, "non_trainable_params")->valueint, ==, 16);
  assert_json (member (json, "params_known"), "true");
}

static void
test_summary_unknown (void)
{
  g_autoptr (Ending) ending = run_line ("summary %s --format=json", SMALL);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *rows = member (json, "rows");

  assert_json (member (find_named (rows, "data"), "output_shape"), "[null,null,null,null]");
  assert_json (member (find_named (rows, "fc0_output"), "output_shape"), "[null,10]");
  assert_json (member (find_named (rows, "conv0_output"), "params"), "null");
  assert_json (member (json, "params_known"), "false");
}

static void
test_summary_named (void)
{
  g_autoptr (Ending) ending = run_line ("summary %s --format json --shape data=batch,3,8,8", SMALL);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *rows = member (json, "rows");

  assert_json (member (find_named (rows, "conv0_output"), "output_shape"), "[\"batch\",8,8,8]");
  assert_json (member (find_named (rows, "softmax_output"), "output_shape"), "[\"batch\",10]");
  assert_json (member (json, "params_known"), "true");
}

static void
test_summary_texts (void)
{
  static const struct {
    const char *style, *row;
  } styles[] = {
    { "symbolic", "conv0" },
    { "keras", "conv0 (Convolution)" },
    { "mxnet", "conv0(Convolution)" },
    { "torchinfo", "Convolution: 1-1" },
  };
  static const char *const formats[] = { "text", "markdown", "csv" };

  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    for (guint j = 0; j < G_N_ELEMENTS (formats); j++)
      {
        g_autoptr (Ending) ending = run_line ("summary %s --style %s --format %s %s", SMALL,
                                              styles[i].style, formats[j], SHAPE);

        assert_status (ending, 0);
        assert_out (ending, styles[i].row);
        g_assert_true (g_str_has_suffix (ending->out, "\n"));
      }
}

/* As MXNet prints it: the data has a row, the label has none and is before no layer. */
static void
test_summary_mxnet (void)
{
  g_autoptr (Ending) ending = run_line ("summary %s --style mxnet %s", SMALL, SHAPE);
  g_autofree char *expected = NULL;

  g_assert_true (g_file_get_contents (fixture ("small.mxnet.txt"), &expected, NULL, NULL));
  assert_status (ending, 0);
  g_assert_cmpstr (ending->out, ==, expected);
}

/* Each model applies the next one twice: 2^21 rows from three kilobytes. */
static void
test_summary_doubling (void)
{
  g_autoptr (GString) text =
      g_string_new ("{\"format\": \"symscope\", \"version\": 1, \"layers\": {");
  g_autoptr (Ending) closed = NULL;
  g_autoptr (Ending) opened = NULL;

  for (guint i = 0; i < 20; i++)
    g_string_append_printf (
        text, "\"l%u\": {\"type\": \"N\", \"bodies\": [{\"name\": \"b\", \"model\": \"m%u\"}]}, ",
        i, i + 1);
  g_string_append (text, "\"r\": {\"type\": \"Relu\"}}, \"models\": {");
  for (guint i = 0; i <= 20; i++)
    {
      g_autofree char *name = i == 0 ? g_strdup ("main") : g_strdup_printf ("m%u", i);
      g_autofree char *layer = i == 20 ? g_strdup ("r") : g_strdup_printf ("l%u", i);

      g_string_append_printf (
          text,
          "%s\"%s\": {\"nodes\": [{\"value\": \"x\", \"role\": \"input\"}, "
          "{\"call\": \"a\", \"layer\": \"%s\", \"operands\": [\"x\"], \"results\": [\"y\"]}, "
          "{\"call\": \"b\", \"layer\": \"%s\", \"operands\": [\"y\"], \"results\": [\"z\"]}], "
          "\"inputs\": [\"x\"], \"outputs\": [\"z\"]}",
          i == 0 ? "" : ", ", name, layer, layer);
    }
  g_string_append (text, "}}");
  g_assert_true (g_file_set_contents (scratch ("doubling.json"), text->str, -1, NULL));
  closed = run_line ("summary %s", scratch ("doubling.json"));
  opened = run_line ("summary %s --expand --format csv", scratch ("doubling.json"));
  assert_status (closed, 0);
  g_assert_cmpstr (closed->err, ==, "");
  assert_status (opened, 0);
  assert_err (opened, "doubling.json: note: some nested models are left closed");
  g_assert_cmpuint (opened->n_out, <, 200 << 20);
}

static void
test_stdin (void)
{
  g_autofree char *bytes = NULL;
  g_autoptr (Ending) from_file = run_line ("summary %s --format csv", SMALL);
  g_autoptr (Ending) from_stdin = NULL;
  g_autoptr (Ending) empty = run_in (NULL, "", "summary -");

  g_assert_true (g_file_get_contents (SMALL, &bytes, NULL, NULL));
  from_stdin = run_in (NULL, bytes, "summary - --format csv");
  assert_status (from_stdin, 0);
  g_assert_cmpstr (from_stdin->out, ==, from_file->out);
  assert_refused (empty, 1, "symscope: -: ");
}

/* A file called like a command. */
static void
test_file_names (void)
{
  g_autofree char *bytes = NULL;
  g_autofree char *folder = g_path_get_dirname (scratch ("x"));
  gsize n;

  g_assert_true (g_file_get_contents (SMALL, &bytes, &n, NULL));
  g_assert_true (g_file_set_contents (scratch ("summary"), bytes, (gssize) n, NULL));
  g_assert_true (g_file_set_contents (scratch ("--format"), bytes, (gssize) n, NULL));
  for (guint i = 0; i < 3; i++)
    {
      static const char *const lines[] = { "list summary outputs", "list ./summary outputs",
                                           "list -- --format outputs" };
      g_autoptr (Ending) ending = run_in (folder, NULL, lines[i]);

      assert_status (ending, 0);
      g_assert_cmpstr (ending->out, ==, "softmax_output\n");
    }
}

static void
test_show_json (void)
{
  g_autoptr (Ending) ending = run_line ("show %s bn0 --format json %s", SMALL, SHAPE);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *attributes = member (json, "attributes");
  const cJSON *parameters = member (json, "parameters");

  assert_json (member (json, "name"), "\"bn0_output\"");
  assert_json (member (json, "variable"), "null");
  assert_json (member (json, "output_shape"), "[2,8,8,8]");
  assert_json (member (json, "parents"), "[\"conv0_output\"]");
  assert_json (member (json, "children"), "[\"relu0_output\"]");
  assert_json (member (attributes, "eps"), "2e-05");
  assert_json (member (attributes, "fix_gamma"), "false");
  g_assert_cmpint (cJSON_GetArraySize (parameters), ==, 4);
  assert_json (cJSON_GetArrayItem (parameters, 2),
               "{\"name\":\"bn0_moving_mean\",\"shape\":[8],\"dtype\":\"float32\"}");
}

/* By name, layer, row; each the same node. */
static void
test_show_resolves (void)
{
  g_autoptr (Ending) by_name = run_line ("show %s 'sum,0_output'", SMALL);
  g_autoptr (Ending) by_layer = run_line ("show %s 'sum,0'", SMALL);
  g_autoptr (Ending) escaped = run_line ("show %s 'sum\\,0'", SMALL);
  g_autoptr (Ending) by_row = run_line ("show %s '#8'", SMALL);
  g_autoptr (Ending) parameter = run_line ("show %s fc0_weight %s --format json", SMALL, SHAPE);
  g_autoptr (cJSON) json = ending_parse (parameter, 0);
  g_autoptr (Ending) missing = run_line ("show %s fc0_weigt", SMALL);
  g_autoptr (Ending) several = run_line ("show %s split0", SMALL);

  assert_status (by_name, 0);
  assert_out (by_name, "elemwise_add");
  g_assert_cmpstr (by_layer->out, ==, by_name->out);
  g_assert_cmpstr (escaped->out, ==, by_name->out);
  g_assert_cmpstr (by_row->out, ==, by_name->out);
  assert_json (member (json, "output_shape"), "[10,4]");
  assert_json (member (json, "index"), "null");
  assert_json (member (json, "params"), "40");
  assert_json (member (json, "children"), "[\"fc0_output\"]");
  assert_refused (missing, 1, "fc0_weigt");
  assert_err (missing, "fc0_weight");
  assert_refused (several, 1, "split0");
}

static void
test_list (void)
{
  static const struct {
    const char *what, *names;
  } cases[] = {
    { "inputs", "data softmax_label" },
    { "outputs", "softmax_output" },
    { "parameters", "conv0_weight conv0_bias bn0_gamma bn0_beta fc0_weight fc0_bias" },
    { "auxiliary", "bn0_moving_mean bn0_moving_var" },
    { "layers", "conv0 bn0 relu0 split0 sum,0 pool0 flatten0 fc0 softmax" },
    { "nodes", "data softmax_label conv0_output bn0_output relu0_output split0_output0 "
               "split0_output1 sum,0_output pool0_output flatten0_output fc0_output "
               "softmax_output" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending = run_line ("list %s %s", SMALL, cases[i].what);

      assert_status (ending, 0);
      g_strdelimit (g_strchomp (ending->out), "\n", ' ');
      g_assert_cmpstr (ending->out, ==, cases[i].names);
    }
}

static void
test_infer (void)
{
  g_autoptr (Ending) ending =
      run_line ("infer %s --format json --shape data=2,3,8,8 --dtype data=float16", SMALL);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *nodes = member (json, "nodes");
  const cJSON *parameters = member (json, "parameters");

  g_assert_cmpint (cJSON_GetArraySize (nodes), ==, 12);
  g_assert_cmpint (cJSON_GetArraySize (parameters), ==, 8);
  assert_json (find_named (nodes, "pool0_output"),
               "{\"name\":\"pool0_output\",\"shape\":[2,4,1,1],\"dtype\":\"float16\"}");
  assert_json (member (find_named (parameters, "fc0_weight"), "shape"), "[10,4]");
  assert_json (member (find_named (nodes, "softmax_label"), "shape"), "[2]");
}

/* What is given for a label or a weight flows back to the data. */
static void
test_infer_backwards (void)
{
  g_autoptr (Ending) ending = run_line (
      "infer %s --format json --shape softmax_label=7 --shape conv0_weight=8,3,3,3 --partial",
      SMALL);
  g_autoptr (cJSON) json = ending_parse (ending, 0);

  assert_json (member (find_named (member (json, "nodes"), "data"), "shape"), "[7,3,null,null]");
}

static void
test_infer_undecided (void)
{
  g_autoptr (Ending) strict = run_line ("infer %s", SMALL);
  g_autoptr (Ending) partial = run_line ("infer %s --partial", SMALL);
  g_autoptr (Ending) json = run_line ("infer %s --format json", SMALL);
  g_autoptr (cJSON) parsed = ending_parse (json, 1);

  assert_refused (strict, 1, "undecided shapes: data, ");
  assert_status (partial, 0);
  g_assert_cmpstr (strict->out, ==, partial->out);
  assert_json (member (find_named (member (parsed, "nodes"), "data"), "shape"),
               "[null,null,null,null]");
}

/* Where no shape of an input would help, it is said what stands in the way. */
static void
test_layers_that_nobody_knows (void)
{
  static const char text[] = "<ir_version: 10, opset_import: [\"\" : 21, \"mine\" : 1]>\n"
                             "g (float[2] x) => (float[] y) {\n"
                             "  z = mine.Twirl (x)\n"
                             "  y = Neg (z)\n"
                             "}\n";
  g_autofree char *path = g_strdup (scratch ("twirl.onnxtxt"));

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (Ending) infer = run_line ("infer %s", path);
  g_autoptr (Ending) check = run_line ("check %s", path);

  assert_refused (infer, 1, "layers of which nothing is known, which `symscope check` lists");
  assert_status (check, 0);
  assert_out (check, "twirl.onnxtxt:3: note: nothing is known of the layer type mine.Twirl");
}

static void
test_infer_contradiction (void)
{
  g_autoptr (Ending) infer = run_line ("infer %s --shape data=2,3,8 --partial", SMALL);
  g_autoptr (Ending) check = run_line ("check %s --shape data=2,3,8", SMALL);

  assert_refused (infer, 1, "conv0");
  g_assert_cmpstr (infer->out, ==, "");
  assert_status (check, 1);
  assert_out (check, "small-symbol.json:");
  assert_out (check, ": error: ");
  assert_out (check, "conv0");
  g_assert_cmpstr (check->err, ==, "");
}

static void
test_shape_refusals (void)
{
  g_autoptr (Ending) unknown = run_line ("infer %s --shape dta=1", SMALL);
  g_autoptr (Ending) strange = run_line ("infer %s --shape picture=1", SMALL);
  g_autoptr (Ending) inner = run_line ("infer %s --shape relu0=1", SMALL);

  assert_refused (unknown, 1, "--shape dta: There is no node called “dta”; did you mean “data”?");
  assert_refused (strange, 1, "“picture”; the inputs are data, softmax_label");
  assert_refused (inner, 1, "“relu0_output” is computed by the graph");
}

static void
test_check (void)
{
  g_autoptr (Ending) good = run_line ("check %s", SMALL);
  g_autoptr (Ending) bad = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GString) text = NULL;

  /* No weights lie beside it, which is worth knowing, but nothing wrong. */
  assert_status (good, 0);
  assert_out (good, "small-symbol.json: note: no weights");
  g_assert_null (strstr (good->out, ": error: "));

  g_assert_true (g_file_get_contents (SMALL, &bytes, NULL, NULL));
  text = g_string_new (bytes);
  g_string_replace (text, "[[13, 0, 0]", "[[99, 0, 0]", 1);
  g_string_replace (text, "\"inputs\": [[12, 0, 0]]", "\"inputs\": [[99, 0, 0]]", 1);
  g_assert_true (g_file_set_contents (scratch ("bad.json"), text->str, -1, NULL));
  bad = run_line ("check %s", scratch ("bad.json"));
  assert_status (bad, 1);
  assert_out (bad, "bad.json:");
  assert_out (bad, ": error: ");
  assert_out (bad, "99");
}

/* A thousand of each kind are listed, so that notes hide no error; the rest is told. */
static void
test_check_many (void)
{
  g_autoptr (GString) text = g_string_new ("{\"nodes\":[{\"op\":\"null\",\"name\":\"data\",");
  g_autoptr (Ending) ending = NULL;
  g_auto (GStrv) lines = NULL;

  g_string_append (text, "\"attrs\":{\"__shape__\":\"(2,3)\"},\"inputs\":[]}");
  for (guint i = 1; i <= 1300; i++)
    g_string_append_printf (text,
                            ",{\"op\":\"Reshape\",\"name\":\"r%u\",\"attrs\":{\"shape\":\"(7,)\"},"
                            "\"inputs\":[[0,0,0]]}",
                            i);
  g_string_append (text, "],\"arg_nodes\":[0],\"heads\":[[1,0,0]]}");
  g_assert_true (g_file_set_contents (scratch ("many.json"), text->str, -1, NULL));
  ending = run_line ("check %s", scratch ("many.json"));
  assert_status (ending, 1);
  assert_out (ending, "many.json: error: 300 more errors are not listed\n");
  lines = g_strsplit (ending->out, ": error: ", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 1000 + 1);
}

/* One score for each pair, of which there may be any number. */
static void
test_infer_sample (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "samples",
                                                 "two-towers.symscope.json", NULL);
  g_autoptr (Ending) infer = run_line ("infer '%s'", path);

  assert_status (infer, 0);
  assert_out (infer, "[pairs,1]");
}

/* A symbol of torch.export may be any size, so that nothing follows from twice as much. */
static void
symbols_are_not_solved_away (void)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "fixtures", "torch-export", "mlp",
                                                 "models", "model.json", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GString) text = NULL;
  g_autoptr (Ending) ending = NULL;
  const char *last;

  g_assert_true (g_file_get_contents (from, &bytes, NULL, NULL));
  last = g_strrstr_len (bytes, strstr (bytes, "range_constraints") - bytes, "\"s0\"");
  text = g_string_new (bytes);
  g_string_insert (text, last + 1 - bytes, "2*");
  g_assert_true (g_file_set_contents (scratch ("symbols.json"), text->str, -1, NULL));
  ending = run_line ("check %s", scratch ("symbols.json"));
  assert_status (ending, 1);
  assert_out (ending, "Provided = [2*s0,3], inferred shape=[s0,3]");
}

/* A name is no command to a terminal. */
static void
control_characters_do_not_reach_a_terminal (void)
{
  static const char *const words[] = { "layers", "nodes" };
  const char *path = scratch ("control-symbol.json");

  g_file_set_contents (path,
                       "{\"nodes\": [{\"op\": \"null\", \"name\": \"x\", \"inputs\": []}, "
                       "{\"op\": \"relu\", \"name\": \"re\\u001b[31md\\u0007\", "
                       "\"inputs\": [[0, 0, 0]]}], \"arg_nodes\": [0], \"heads\": [[1, 0, 0]]}",
                       -1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (Ending) ending = run_line ("list %s %s", path, words[i]);

      assert_status (ending, 0);
      assert_out (ending, "re [31md ");
      g_assert_null (strchr (ending->out, '\033'));
      g_assert_null (strchr (ending->out, '\a'));
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/summary/writes-json", test_summary_json);
  g_test_add_func ("/cli/summary/says-what-is-unknown", test_summary_unknown);
  g_test_add_func ("/cli/summary/keeps-names-of-dimensions", test_summary_named);
  g_test_add_func ("/cli/summary/has-every-style-in-every-format", test_summary_texts);
  g_test_add_func ("/cli/summary/prints-mxnets-rows", test_summary_mxnet);
  g_test_add_func ("/cli/summary/bounds-what-it-expands", test_summary_doubling);
  g_test_add_func ("/cli/summary/reads-standard-input", test_stdin);
  g_test_add_func ("/cli/list/takes-files-called-like-commands", test_file_names);
  g_test_add_func ("/cli/show/writes-json", test_show_json);
  g_test_add_func ("/cli/show/resolves-names-layers-and-rows", test_show_resolves);
  g_test_add_func ("/cli/list/lists-each-kind", test_list);
  g_test_add_func ("/cli/infer/writes-json", test_infer);
  g_test_add_func ("/cli/infer/keeps-the-names-of-a-sample", test_infer_sample);
  g_test_add_func ("/cli/infer/goes-backwards", test_infer_backwards);
  g_test_add_func ("/cli/infer/lists-what-is-undecided", test_infer_undecided);
  g_test_add_func ("/cli/infer/layers-that-nobody-knows", test_layers_that_nobody_knows);
  g_test_add_func ("/cli/infer/refuses-a-contradiction", test_infer_contradiction);
  g_test_add_func ("/cli/infer/refuses-shapes-of-what-is-computed", test_shape_refusals);
  g_test_add_func ("/cli/check/tells-good-from-bad", test_check);
  g_test_add_func ("/cli/check/tells-how-many-it-leaves-out", test_check_many);
  g_test_add_func ("/cli/check/symbols-are-not-solved-away", symbols_are_not_solved_away);
  g_test_add_func ("/cli/list/control-characters-do-not-reach-a-terminal",
                   control_characters_do_not_reach_a_terminal);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
