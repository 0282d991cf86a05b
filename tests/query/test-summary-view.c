/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers.h"
#include "ops/sym-op.h"
#include "query-graphs.h"
#include "query/sym-summary-view.h"

#include <math.h>
#include <string.h>

/* image [2,1,6,6] -> Conv2d 3x3, 4 features -> ReLU -> Flatten -> Linear frozen -> two uses. */
static SymModel *
new_net (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  const SymInputOptions options = { .batch_shape = &SYM_SHAPE (2, 1, 6, 6) };
  SymNode *image = sym_graph_add_input (graph, &options, NULL);
  SymNode *x = sym_relu (sym_conv2d (image, 4, 3, NULL), NULL);
  SymNode *y = sym_linear (sym_flatten (x, NULL), 10, NULL, .name = "head_1");

  return sym_node_build_model (image, sym_add (y, y, NULL), NULL);
}

static SymSummary *
summarise (SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);

  return sym_summary_new (inference);
}

typedef struct {
  const char *columns, *sort, *filter; /* the latter two may be NULL; "-macs": descending */
  gboolean tree;
} Wish;

static SymSummaryView *
view_model (SymModel *model, const Wish *wish, const double *milliseconds)
{
  g_autoptr (SymSummary) summary = summarise (model);
  g_autoptr (SymGroups) tree = wish->tree ? sym_groups_new (model) : NULL;
  g_autoptr (GArray) columns = sym_columns_parse (wish->columns, NULL);
  g_autoptr (SymQueryResult) filter = NULL;
  SymSummaryViewOptions options = { .sort = -1, .tree = tree, .milliseconds = milliseconds };
  SymSummaryView *view;
  guint sort;

  g_assert_nonnull (columns);
  options.columns = (const guint *) (gconstpointer) columns->data;
  options.n_columns = columns->len;
  if (wish->sort != NULL)
    {
      options.descends = wish->sort[0] == '-';
      g_assert_true (sym_column_find (wish->sort + options.descends, &sort));
      options.sort = (int) sort;
    }
  if (wish->filter != NULL)
    {
      g_autoptr (SymQueryIndex) index = sym_query_index_new (summary, tree);
      g_autoptr (SymQuery) query = sym_query_parse (wish->filter, NULL, NULL);

      filter = sym_query_run (query, index, NULL, NULL);
    }
  options.filter = filter;
  view = sym_summary_view_new (summary, &options, NULL, NULL);
  g_assert_nonnull (view);
  return view;
}

/* The rows as CSV, without the heading: "1,a|2,b". */
static char *
print_rows (SymModel *model, const Wish *wish, const double *milliseconds)
{
  g_autoptr (SymSummaryView) view = view_model (model, wish, milliseconds);
  g_autofree char *csv = sym_summary_view_write (view, SYM_TABLE_CSV);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  lines[g_strv_length (lines) - 1][0] = '\0';
  return g_strjoinv ("|", lines + 1);
}

static void
test_columns (void)
{
  static const struct {
    const char *column, *cells; /* of all rows */
  } cases[] = {
    { "number", "1|2|3|4|5|6*" },
    { "layer", "Input_1|Conv2d_1|ReLU_1|Flatten_1|head_1|AddOpLayer_1" },
    { "type", "Input|Conv2d|ReLU|Flatten|Linear|AddOpLayer" },
    { "shape", "2x1x6x6|2x4x4x4|2x4x4x4|2x64|2x10|2x10" },
    { "in", "|2x1x6x6|2x4x4x4|2x4x4x4|2x64|\"2x10, 2x10\"" },
    { "dtype", "float32|float32|float32|float32|float32|float32" },
    { "kernel", "|3x3||||" },
    { "params", "0|40|0|0|650|0" },
    { "percent", "|5.797|||94.203|" },
    { "trainable", "|yes|||yes|" },
    { "macs", "0|1152|0|0|1280|0" }, /* 2*4*4*4*9, 2*10*64 */
    { "bytes", "288|512|512|512|80|80" },
    { "parents", "|1|2|3|4|\"5, 5\"" },
    { "connected", "|Input_1|Conv2d_1|ReLU_1|Flatten_1|\"head_1, head_1\"" },
    { "uses", "1|1|1|1|2|0" },
    { "depth", "0|1|2|3|4|5" },
    { "time", "|1.5||0.25|0|" },
    { "share", "|85.714||14.286|0|" },
    { "number,shape,macs", "1,2x1x6x6,0|2,2x4x4x4,1152|3,2x4x4x4,0|4,2x64,0|5,2x10,1280|"
                           "6*,2x10,0" },
  };
  static const double times[] = { 1.5, -1, 0.25, 0, -1 };
  g_autoptr (SymModel) model = new_net ();

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, G_N_ELEMENTS (times));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *rows = print_rows (model, &(Wish){ cases[i].column }, times);
      g_autofree char *expected = g_strconcat (cases[i].cells, "|", NULL);

      g_assert_cmpstr (rows, ==, expected);
    }
}

/* What is the same has an empty cell; a graph that is compared with none has only such. */
static void
test_changes (void)
{
  static const guint8 kinds[] = { SYM_COMPARE_ADDED, SYM_COMPARE_SAME, SYM_COMPARE_RESHAPED,
                                  SYM_COMPARE_CHANGED, SYM_COMPARE_SAME };
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymSummary) summary = summarise (model);
  g_autoptr (GArray) columns = sym_columns_parse ("change", NULL);
  SymSummaryViewOptions options = { .columns = (const guint *) (gconstpointer) columns->data,
                                    .n_columns = 1,
                                    .sort = -1 };
  g_autoptr (SymSummaryView) alone = sym_summary_view_new (summary, &options, NULL, NULL);

  g_assert_cmpuint (sym_model_get_n_calls (model), ==, G_N_ELEMENTS (kinds));
  options.changes = kinds;
  g_autoptr (SymSummaryView) compared = sym_summary_view_new (summary, &options, NULL, NULL);
  g_autofree char *nothing = sym_summary_view_write (alone, SYM_TABLE_CSV);
  g_autofree char *changes = sym_summary_view_write (compared, SYM_TABLE_CSV);

  g_assert_cmpstr (nothing, ==, "Change\r\n\r\n\r\n\r\n\r\n\r\n\r\n");
  g_assert_cmpstr (changes, ==, "Change\r\n\r\nadded\r\n\r\nreshaped\r\nchanged\r\n\r\n");
}

/* By value; what was not measured has an empty cell. */
static void
test_differences (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymSummary) summary = summarise (model);
  g_autoptr (GArray) columns = sym_columns_parse ("difference", NULL);
  guint n = sym_model_get_n_values (model);
  g_autofree double *differences = g_new (double, n);
  SymSummaryViewOptions options = { .columns = (const guint *) (gconstpointer) columns->data,
                                    .n_columns = 1,
                                    .sort = -1,
                                    .differences = differences };

  for (guint i = 0; i < n; i++)
    differences[i] = -1;
  differences[sym_summary_get_row (summary, 1).value] = 0.25;
  differences[sym_summary_get_row (summary, 2).value] = INFINITY;
  g_autoptr (SymSummaryView) compared = sym_summary_view_new (summary, &options, NULL, NULL);
  g_autofree char *text = sym_summary_view_write (compared, SYM_TABLE_CSV);
  g_autofree char *json = sym_summary_view_write (compared, SYM_TABLE_JSON);

  g_assert_cmpstr (text, ==, "Difference %\r\n\r\n25\r\ninf\r\n\r\n\r\n\r\n");
  g_assert_null (strstr (json, "inf"));
  options.differences = NULL;
  g_autoptr (SymSummaryView) alone = sym_summary_view_new (summary, &options, NULL, NULL);
  SymCell cell = sym_summary_view_get_cell (alone, 1, 0);

  g_assert_cmpint (cell.kind, ==, SYM_CELL_EMPTY);
}

static void
test_orders (void)
{
  static const struct {
    const char *sort, *numbers;
  } cases[] = {
    { NULL, "1|2|3|4|5|6*|" },       { "number", "1|2|3|4|5|6*|" },  { "-number", "6*|5|4|3|2|1|" },
    { "params", "1|3|4|6*|2|5|" },   { "-params", "5|2|1|3|4|6*|" }, { "-macs", "5|2|1|3|4|6*|" },
    { "percent", "2|5|1|3|4|6*|" }, /* what has none comes last, either way round */
    { "-percent", "5|2|1|3|4|6*|" }, { "-bytes", "2|3|4|1|5|6*|" },
  };
  g_autoptr (SymModel) model = new_net ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *rows = print_rows (model, &(Wish){ "number", cases[i].sort }, NULL);

      g_assert_cmpstr (rows, ==, cases[i].numbers);
    }
}

/* conv2 before conv10. */
static void
test_names_sort_by_their_numbers (void)
{
  static const char *const names[] = { "conv10", "conv2", "conv1", NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autofree char *rows = print_rows (model, &(Wish){ "layer", "layer", "conv" }, NULL);

  g_assert_cmpstr (rows, ==, "conv1|conv2|conv10|");
}

static void
test_filter (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autofree char *rows = print_rows (model, &(Wish){ "number,layer", NULL, "params>0" }, NULL);
  g_autofree char *none = print_rows (model, &(Wish){ "number", NULL, "nowhere" }, NULL);

  g_assert_cmpstr (rows, ==, "2,Conv2d_1|5,head_1|");
  g_assert_cmpstr (none, ==, "");
}

/* ---- Trees ---- */

static const char *const scopes[] = { "enc/l0/a", "enc/l0/b", "enc/l1/a", "enc/l1/b", "end", NULL };

static void
test_tree (void)
{
  static const struct {
    Wish wish;
    const char *rows; /* the level comes first */
  } cases[] = {
    { { "number,layer", NULL, NULL, TRUE },
      "0,1,x|0,,enc|1,,l0|2,2,enc/l0/a|2,3,enc/l0/b|1,,l1|2,4,enc/l1/a|2,5,enc/l1/b|0,6*,end|" },
    { { "number,layer", "-number", NULL, TRUE },
      "0,6*,end|0,1,x|0,,enc|1,,l0|2,3,enc/l0/b|2,2,enc/l0/a|1,,l1|2,5,enc/l1/b|2,4,enc/l1/a|" },
    { { "layer,type", NULL, "name:/b$/", TRUE },
      "0,enc,group|1,l0,group|2,enc/l0/b,Thing|1,l1,group|2,enc/l1/b,Thing|" },
  };
  g_autoptr (SymModel) model = new_chain (scopes);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *rows = print_rows (model, &cases[i].wish, NULL);

      g_assert_cmpstr (rows, ==, cases[i].rows);
    }
}

static void
test_tree_knows_what_is_within (void)
{
  g_autoptr (SymModel) model = new_chain (scopes);
  g_autoptr (SymSummaryView) view = view_model (model, &(Wish){ "layer", NULL, NULL, TRUE }, NULL);
  static const guint within[] = { 0, 6, 2, 0, 0, 2, 0, 0, 0 };

  g_assert_cmpuint (sym_summary_view_get_n_rows (view), ==, G_N_ELEMENTS (within));
  for (guint i = 0; i < G_N_ELEMENTS (within); i++)
    g_assert_cmpuint (sym_summary_view_get_row (view, i).n_within, ==, within[i]);
}

/* Two scopes of a convolution each that share its weight: a group counts it once. */
static void
test_groups_sum_up (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType image = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 2, 4, 4));
  SymType kernel = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 2, 1, 1));
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &image);
  SymId weight = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, &kernel);
  static const char *const names[] = { "net/a/conv", "net/a/relu", "net/b/conv", "net/b/relu",
                                       "end" };
  static const double times[] = { 1, 2, -1, 4, -1 };
  g_autoptr (SymModel) model = NULL;
  g_autofree char *rows = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gboolean is_conv = i % 2 == 0 && i < 4;
      const char *type = is_conv ? "Conv" : "Relu";
      g_autoptr (SymLayer) layer = sym_layer_new (type, sym_op_find ("", type, 0), NULL);
      SymId operands[] = { x, weight };

      x = sym_model_builder_get_result (
          builder,
          sym_model_builder_add_call (builder, names[i], layer, operands, is_conv ? 2 : 1, 1), 0);
    }
  sym_model_builder_add_output (builder, x);
  model = sym_model_builder_end (builder);
  rows = print_rows (
      model, &(Wish){ "layer,shape,params,trainable,macs,bytes,time", NULL, NULL, TRUE }, times);
  g_assert_cmpstr (rows, ==,
                   "0,x,1x2x4x4,0,,0,128,|"
                   "0,net,1x2x4x4,4,yes,128,512,7|"
                   "1,a,1x2x4x4,4,yes,64,256,3|"
                   "2,net/a/conv,1x2x4x4,4,yes,64,128,1|2,net/a/relu,1x2x4x4,0,,0,128,2|"
                   "1,b,1x2x4x4,4,yes,64,256,4|"
                   "2,net/b/conv,1x2x4x4,4,yes,64,128,|2,net/b/relu,1x2x4x4,0,,0,128,4|"
                   "0,end,1x2x4x4,0,,0,128,|");
}

/* ---- Formats ---- */

static char *
write_net (const Wish *wish, SymTableFormat format)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymSummaryView) view = view_model (model, wish, NULL);

  return sym_summary_view_write (view, format);
}

static void
test_text (void)
{
  g_autofree char *text =
      write_net (&(Wish){ "number,layer,shape,params,macs", NULL, "params>0" }, SYM_TABLE_TEXT);

  g_assert_cmpstr (text, ==,
                   "#  Layer     Output Shape  Params  Mult-Adds\n"
                   "============================================\n"
                   "2  Conv2d_1  2x4x4x4           40     1.15 k\n"
                   "5  head_1    2x10             650     1.28 k\n"
                   "============================================\n"
                   "Total params: 690\n"
                   "Trainable params: 690\n"
                   "Non-trainable params: 0\n"
                   "Params size: 2.7 KiB (2760)\n"
                   "Total mult-adds: 2432 (2.43 k)\n"
                   "Activations size: 1.94 KiB (1984)\n"
                   "Peak activations size: 1 KiB (1024)\n");
}

/* Numbers stand below each other, with a star or not. */
static void
test_stars (void)
{
  g_autofree char *text =
      write_net (&(Wish){ "number,layer", NULL, "params>100 OR output:yes" }, SYM_TABLE_TEXT);

  g_assert_true (g_str_has_prefix (text, " #  Layer\n"
                                         "================\n"
                                         "5   head_1\n"
                                         "6*  AddOpLayer_1\n"
                                         "================\n"));
}

static void
test_text_of_trees (void)
{
  g_autoptr (SymModel) model = new_chain (scopes);
  g_autoptr (SymSummaryView) view =
      view_model (model, &(Wish){ "number,layer,type", NULL, "l0", TRUE }, NULL);
  g_autofree char *text = sym_summary_view_write (view, SYM_TABLE_TEXT);

  g_assert_true (g_str_has_prefix (text, "#  Layer         Type\n"
                                         "======================\n"
                                         "   enc           group\n"
                                         "     l0          group\n"
                                         "2      enc/l0/a  Thing\n"
                                         "3      enc/l0/b  Thing\n"
                                         "======================\n"));
}

static void
test_markdown (void)
{
  g_autofree char *text = write_net (
      &(Wish){ "number,layer,params", NULL, "params>0 OR output:yes" }, SYM_TABLE_MARKDOWN);

  g_assert_cmpstr (text, ==,
                   "| \\# | Layer | Params |\n"
                   "| ---: | --- | ---: |\n"
                   "| 2 | Conv2d\\_1 | 40 |\n"
                   "| 5 | head\\_1 | 650 |\n"
                   "| 6\\* | AddOpLayer\\_1 | 0 |\n"
                   "\n"
                   "Total params: 690\n"
                   "Trainable params: 690\n"
                   "Non-trainable params: 0\n"
                   "Params size: 2.7 KiB (2760)\n");
}

static void
test_latex (void)
{
  g_autofree char *text = write_net (
      &(Wish){ "number,layer,percent", NULL, "params>0 OR output:yes" }, SYM_TABLE_LATEX);

  g_assert_cmpstr (text, ==,
                   "\\begin{tabular}{rlr}\n"
                   "\\hline\n"
                   "\\# & Layer & Params \\% \\\\\n"
                   "\\hline\n"
                   "2 & Conv2d\\_1 & 5.797 \\\\\n"
                   "5 & head\\_1 & 94.203 \\\\\n"
                   "6{*} & AddOpLayer\\_1 &  \\\\\n"
                   "\\hline\n"
                   "\\end{tabular}\n"
                   "\n"
                   "Total params: 690\\\\\n"
                   "Trainable params: 690\\\\\n"
                   "Non{-}trainable params: 0\\\\\n"
                   "Params size: 2.7 KiB (2760)\n");
}

static void
test_latex_escapes (void)
{
  static const char *const names[] = { "a&b%c$d#e_f{g}h~i^j\\k<l>m|n\"o--p[q]", NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymSummaryView) view =
      view_model (model, &(Wish){ "layer", NULL, "type:Thing" }, NULL);
  g_autofree char *text = sym_summary_view_write (view, SYM_TABLE_LATEX);

  g_assert_nonnull (strstr (
      text,
      "\na\\&b\\%c\\$d\\#e\\_f\\{g\\}h\\textasciitilde{}i\\textasciicircum{}j\\textbackslash{}k"
      "\\textless{}l\\textgreater{}m\\textbar{}n\\textquotedbl{}o{-}{-}p{[}q] \\\\\n"));
}

static void
test_csv (void)
{
  static const char *const names[] = { "a,\"b\"", NULL };
  g_autoptr (SymModel) model = new_chain (names);
  g_autoptr (SymSummaryView) view = view_model (model, &(Wish){ "number,layer,macs,params" }, NULL);
  g_autofree char *text = sym_summary_view_write (view, SYM_TABLE_CSV);

  g_assert_cmpstr (text, ==,
                   "#,Layer,Mult-Adds,Params\r\n"
                   "1,x,0,0\r\n"
                   "2*,\"a,\"\"b\"\"\",?,0\r\n");
}

static void
test_json (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), NULL);
  g_autoptr (SymModel) model =
      sym_node_build_model (x, sym_linear (x, 4, NULL, .name = "q\"\\"), NULL);
  g_autoptr (SymSummaryView) view = view_model (
      model, &(Wish){ "number,layer,shape,params,macs,parents,connected,percent" }, NULL);
  g_autofree char *text = sym_summary_view_write (view, SYM_TABLE_JSON);

  g_assert_cmpstr (
      text, ==,
      "{\"name\": null,\n"
      "\"rows\": [\n"
      "{\"number\": 1, \"layer\": \"Input_1\", \"shape\": [null, 3], \"params\": 0, \"macs\": 0, "
      "\"parents\": [], \"connected\": [], \"percent\": null, \"is_output\": false},\n"
      "{\"number\": 2, \"layer\": \"q\\\"\\\\\", \"shape\": [null, 4], \"params\": 16, "
      "\"macs\": 12, \"parents\": [1], \"connected\": [\"Input_1\"], \"percent\": 100, "
      "\"is_output\": true}],\n"
      "\"total_params\": 16,\n"
      "\"trainable_params\": 16,\n"
      "\"non_trainable_params\": 0,\n"
      "\"params_bytes\": 64,\n"
      "\"total_macs\": 12,\n"
      "\"activation_bytes\": 28,\n"
      "\"peak_activation_bytes\": 28,\n"
      "\"counted_with_1_for\": \"axis 0 of “Input_1”\"}\n");
}

/* 300 results of 300 operands: the first lists them, the others a few and how many there are. */
static void
test_wide (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Custom", NULL, NULL);
  SymId operands[300], call;
  g_autoptr (SymModel) model = NULL;
  g_autofree char *rows = NULL, *json = NULL;
  g_autoptr (SymSummaryView) view = NULL;

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("i%u", i);

      operands[i] = sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, NULL);
      sym_model_builder_add_input (builder, operands[i]);
    }
  call = sym_model_builder_add_call (builder, "a", layer, operands, 300, 300);
  for (guint i = 0; i < 300; i++)
    sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, i));
  model = sym_model_builder_end (builder);
  view = view_model (model, &(Wish){ "parents,connected" }, NULL);
  rows = sym_summary_view_write (view, SYM_TABLE_CSV);
  json = sym_summary_view_write (view, SYM_TABLE_JSON);
  g_assert_nonnull (strstr (rows, "299, 300\","));
  g_assert_nonnull (strstr (rows, "\"1, 2, 3, 4, 5, 6, 7, 8, and 292 more\",\"i0, "));
  g_assert_nonnull (strstr (json, "299, 300], "));
  g_assert_nonnull (strstr (json, "\"parents\": [1, 2, 3, 4, 5, 6, 7, 8, \"and 292 more\"]"));
}

/* ---- Choosing ---- */

static void
test_presets (void)
{
  static const char *const names[] = { "symbolic", "keras", "mxnet", "torchinfo", "all" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) columns = sym_columns_parse (sym_columns_get_preset (names[i]), &error);

      g_assert_no_error (error);
      g_assert_cmpuint (columns->len, >=, 5);
    }
  g_assert_null (sym_columns_get_preset ("none"));
}

static void
test_wrong_columns (void)
{
  static const char *const lists[] = { "", "layer,", "flops", "layer,,type" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_columns_parse (lists[i], &error));
      g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_NAME);
      g_assert_nonnull (strstr (error->message, "there are number, layer, name,"));
    }
}

/* No column asks for them: they are not made. */
static void
test_figures_are_made_when_asked_for (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymSummaryView) plain = view_model (model, &(Wish){ "layer,params" }, NULL);
  g_autoptr (SymSummaryView) sorted = view_model (model, &(Wish){ "layer", "macs" }, NULL);

  g_assert_false (sym_summary_view_get_totals (plain).has_figures);
  g_assert_true (sym_summary_view_get_totals (sorted).has_figures);
  g_assert_cmpuint (sym_summary_view_get_totals (sorted).figures.multiply_adds.n, ==, 2432);
}

static void
test_empty_model (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  static const Wish wishes[] = { { "number,macs" }, { "number,macs", "macs", NULL, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr (SymSummaryView) view = view_model (model, &wishes[i], NULL);
      g_autofree char *text = sym_summary_view_write (view, SYM_TABLE_TEXT);

      g_assert_cmpuint (sym_summary_view_get_n_rows (view), ==, 0);
      g_assert_nonnull (strstr (text, "Total mult-adds: 0 (0)\n"));
    }
}

static void
test_numbers (void)
{
  static const struct {
    double number;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { 1.5, "1.5" },
    { 12345.6789, "12345.679" },
    { 0.084, "0.084" },
    { -0.25, "-0.25" },
    { 0.0042, "0.0042" },
    { 0.00011, "0.00011" },
    { 0.0000692, "0.000069" },
    { 1e-30, "0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymCell cell = { .kind = SYM_CELL_NUMBER, .number = cases[i].number };
      g_autofree char *text = sym_cell_to_string (&cell);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* The foot has them even where no column does. */
static void
test_figures_that_are_there_are_told (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autoptr (SymFigures) figures = sym_figures_new (inference, NULL, NULL);
  guint columns[] = { 0 };
  SymSummaryViewOptions options = {
    .columns = columns, .n_columns = 1, .sort = -1, .figures = figures
  };
  g_autoptr (SymSummaryView) view = sym_summary_view_new (summary, &options, NULL, NULL);
  g_autofree char *text = sym_summary_view_write (view, SYM_TABLE_TEXT);

  g_assert_nonnull (strstr (text, "Total mult-adds: 2432 (2.43 k)\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/summary-view/columns", test_columns);
  g_test_add_func ("/query/summary-view/changes", test_changes);
  g_test_add_func ("/query/summary-view/differences", test_differences);
  g_test_add_func ("/query/summary-view/orders", test_orders);
  g_test_add_func ("/query/summary-view/names-sort-by-their-numbers",
                   test_names_sort_by_their_numbers);
  g_test_add_func ("/query/summary-view/filter", test_filter);
  g_test_add_func ("/query/summary-view/tree", test_tree);
  g_test_add_func ("/query/summary-view/tree-knows-what-is-within", test_tree_knows_what_is_within);
  g_test_add_func ("/query/summary-view/groups-sum-up", test_groups_sum_up);
  g_test_add_func ("/query/summary-view/text", test_text);
  g_test_add_func ("/query/summary-view/stars", test_stars);
  g_test_add_func ("/query/summary-view/text-of-trees", test_text_of_trees);
  g_test_add_func ("/query/summary-view/markdown", test_markdown);
  g_test_add_func ("/query/summary-view/latex", test_latex);
  g_test_add_func ("/query/summary-view/latex-escapes", test_latex_escapes);
  g_test_add_func ("/query/summary-view/csv", test_csv);
  g_test_add_func ("/query/summary-view/json", test_json);
  g_test_add_func ("/query/summary-view/few-parents-of-many-results", test_wide);
  g_test_add_func ("/query/summary-view/small-numbers-keep-two-digits", test_numbers);
  g_test_add_func ("/query/summary-view/presets", test_presets);
  g_test_add_func ("/query/summary-view/wrong-columns", test_wrong_columns);
  g_test_add_func ("/query/summary-view/figures-are-made-when-asked-for",
                   test_figures_are_made_when_asked_for);
  g_test_add_func ("/query/summary-view/figures-that-are-there-are-told",
                   test_figures_that_are_there_are_told);
  g_test_add_func ("/query/summary-view/empty-model", test_empty_model);
  return g_test_run ();
}
