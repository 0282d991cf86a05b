/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>

/* The summary with columns, order, filter and tree of one's own. */
#define SMALL fixture ("small-symbol.json")
#define SHAPE "--shape data=2,3,8,8 --dtype data=float32"

static void
test_columns (void)
{
  g_autoptr (Ending) ending =
      run_line ("summary %s --columns number,layer,macs,params --filter macs\\>0 --sort -number %s",
                SMALL, SHAPE);

  assert_status (ending, 0);
  g_assert_true (g_str_has_prefix (ending->out, " #  Layer  Mult-Adds  Params\n"
                                                "============================\n"
                                                "11  fc0           80      50\n"
                                                " 3  conv0    27.65 k     224\n"
                                                "============================\n"
                                                "Total params: "));
  assert_out (ending, "\nTotal mult-adds: 27728 (27.73 k)\n");
}

/* Without a column that asks for them there are no figures at the foot. */
static void
test_foot (void)
{
  g_autoptr (Ending) plain = run_line ("summary %s --columns layer", SMALL);
  g_autoptr (Ending) all = run_line ("summary %s --preset all %s", SMALL, SHAPE);

  assert_out (plain, "\nTotal params: ");
  g_assert_null (strstr (plain->out, "mult-adds"));
  assert_out (all, "\nPeak activations size: ");
}

static void
test_json (void)
{
  g_autoptr (Ending) ending = run_line (
      "summary %s --columns layer,shape,macs,parents --tree --format json %s", SMALL, SHAPE);
  g_autoptr (cJSON) json = ending_parse (ending, 0);
  const cJSON *first = member (json, "rows")->child;

  assert_json (first, "{\"layer\":\"data\",\"shape\":[2,3,8,8],\"macs\":0,\"parents\":[],"
                      "\"level\":0,\"is_group\":false,\"is_output\":false}");
  assert_json (member (json, "total_macs"), "27728");
}

/* What no option of the view is given keeps the form that programs read. */
static void
test_old_json (void)
{
  g_autoptr (Ending) ending = run_line ("summary %s --preset keras --format json %s", SMALL, SHAPE);
  g_autoptr (cJSON) json = ending_parse (ending, 0);

  assert_json (member (member (json, "rows")->child, "output_shape"), "[2,3,8,8]");
}

static void
test_latex (void)
{
  g_autoptr (Ending) ending = run_line ("summary %s --format latex", SMALL);

  assert_status (ending, 0);
  g_assert_true (
      g_str_has_prefix (ending->out, "\\begin{tabular}{rllrl}\n\\hline\n\\# & Layer & "));
}

static void
test_presets_are_styles (void)
{
  static const char *const presets[] = { "symbolic", "keras", "mxnet", "torchinfo" };

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    {
      g_autoptr (Ending) preset = run_line ("summary %s --preset %s", SMALL, presets[i]);
      g_autoptr (Ending) style = run_line ("summary %s --style %s", SMALL, presets[i]);

      assert_status (preset, 0);
      g_assert_cmpstr (preset->out, ==, style->out);
    }
}

static void
test_errors (void)
{
  static const struct {
    const char *options, *message;
    int status;
  } cases[] = {
    { "--columns flops", "--columns: there is no column “flops”; there are number, layer,", 2 },
    { "--columns layer,", "--columns: there is no column “”", 2 },
    { "--sort size", "--sort: there is no column “size”", 2 },
    { "--sort layer,type", "--sort: a table is sorted by one column, not by “layer,type”", 2 },
    { "--columns time", "--columns: the column “time” is of a run", 2 },
    { "--columns change", "--columns: the column “change” is of two graphs", 2 },
    { "--filter type:", "query “type:”: column 6: expected a text after “type:”", 2 },
    { "--filter shpe:3", "column 1: there is no field “shpe”", 1 },
    { "--tree --expand", "--expand goes with the tables of the presets", 2 },
    { "--preset tensorflow", "tensorflow", 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ending) ending = run_line ("summary %s %s", SMALL, cases[i].options);

      assert_refused (ending, cases[i].status, cases[i].message);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/view/columns", test_columns);
  g_test_add_func ("/cli/view/foot", test_foot);
  g_test_add_func ("/cli/view/json", test_json);
  g_test_add_func ("/cli/view/old-json", test_old_json);
  g_test_add_func ("/cli/view/latex", test_latex);
  g_test_add_func ("/cli/view/presets-are-styles", test_presets_are_styles);
  g_test_add_func ("/cli/view/errors", test_errors);
  return g_test_run ();
}
