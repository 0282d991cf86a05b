/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder.h"
#include "core/sym-summary.h"
#include "ops/sym-layers.h"

#include <string.h>

static char *
format (SymModel *model, SymStyle style, SymFormat form, gboolean expand)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  g_assert_no_error (error);
  return sym_summary_to_string (summary, style, form, expand);
}

static void
assert_fixture (const char *text, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "summary", name, NULL);
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &expected, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

/* T-P1. */
static SymModel *
build_classifier (SymGraph *graph)
{
  SymNode *inputs = sym_input (graph, SYM_SHAPE (784), NULL), *x = inputs;

  for (int i = 0; i < 3; i++)
    x = sym_linear (x, 100, NULL);
  return sym_node_build_model (inputs, sym_linear (x, 10, NULL, .name = "Classifier"), NULL);
}

/* A shared model in two rows, one of them with two parents. */
static SymModel *
build_nested (SymGraph *graph)
{
  SymNode *image = sym_input (graph, SYM_SHAPE (1, 8, 8), NULL);
  SymNode *x = sym_relu (sym_conv2d (image, 4, 3, NULL), NULL);
  g_autoptr (SymModel) inner = sym_node_build_model (image, x, NULL);
  SymLayer *layer = sym_graph_keep_layer (graph, sym_layer_new_model (inner), NULL);
  SymNode *inputs[2], *parts[2], *sum;

  for (guint i = 0; i < 2; i++)
    inputs[i] = sym_input (graph, SYM_SHAPE (1, 16, 16), NULL);
  for (guint i = 0; i < 2; i++)
    parts[i] = sym_layer_call (layer, inputs[i], NULL);
  sum = sym_add (parts[0], parts[1], NULL);
  return sym_graph_build (graph, inputs, 2, &sum, 1, NULL);
}

static void
test_each_style_prints_its_own_table (void)
{
  static const char *const styles[] = { "symbolic", "keras", "mxnet", "torchinfo" };
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) classifier = build_classifier (graph);
  g_autoptr (SymModel) nested = build_nested (graph);

  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      g_autofree char *first = g_strdup_printf ("linear-classifier.%s.txt", styles[i]);
      g_autofree char *second = g_strdup_printf ("nested.%s.txt", styles[i]);
      g_autofree char *text = NULL;
      g_autofree char *expanded = NULL;
      SymStyle style;

      g_assert_true (sym_style_from_string (styles[i], &style));
      text = format (classifier, style, SYM_FORMAT_TEXT, FALSE);
      assert_fixture (text, first);
      expanded = format (nested, style, SYM_FORMAT_TEXT, TRUE);
      assert_fixture (expanded, second);
    }
}

static SymId
add_named (SymModelBuilder *builder, const char *name, const char *axis)
{
  SymDim dim = sym_terms_get_named (sym_model_builder_get_terms (builder), axis);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (dim));

  return sym_model_builder_add_value (builder, name, SYM_ROLE_INPUT, &type);
}

/* The first name of each model has the same number, and is another one. */
static void
test_shapes_of_bodies_have_their_own_names (void)
{
  SymModelBuilder *inner = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymModelBuilder *outer = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  g_autoptr (SymModel) model = NULL, body = NULL;
  g_autofree char *text = NULL;
  SymId x = add_named (outer, "x", "time");
  SymType type = sym_type_tensor (
      SYM_DTYPE_FLOAT32,
      SYM_SHAPE (sym_terms_get_named (sym_model_builder_get_terms (outer), "time")));

  add_named (inner, "y", "length");
  body = sym_model_builder_end (inner);
  sym_layer_add_body (layer, "body", body, FALSE);
  for (guint i = 0; i < 2; i++)
    {
      SymId call = sym_model_builder_add_call (outer, "thing", layer, &x, 1, 1);

      sym_model_builder_set_type (outer, sym_model_builder_get_result (outer, call, 0), &type);
    }
  model = sym_model_builder_end (outer);
  text = format (model, SYM_STYLE_SYMBOLIC, SYM_FORMAT_CSV, TRUE);
  g_assert_cmpstr (text, ==,
                   ",Layer,Output shape,Params,Parent\r\n"
                   "1,x,\"(time,)\",0,\r\n"
                   "2,thing,\"(time,)\",0,1\r\n"
                   "2.1,  y,\"(length,)\",0,\r\n"
                   "3,thing,\"(time,)\",0,1\r\n"
                   "3.1,  y,\"(length,)\",0,\r\n");
}

/* What torchinfo 1.8 prints below its table of this model, with input_size=(1, 1, 16, 16):
 * 40 * 14 * 14 + 7850 = 15690; outputs of 784 and 10 floats, twice. */
static void
test_torchinfo_tells_sizes (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  const SymInputOptions options = { .batch_shape = &SYM_SHAPE (1, 1, 16, 16) };
  SymNode *image = sym_graph_add_input (graph, &options, NULL);
  SymNode *x = sym_relu (sym_conv2d (image, 4, 3, NULL), NULL);
  g_autoptr (SymModel) model =
      sym_node_build_model (image, sym_linear (sym_flatten (x, NULL), 10, NULL), NULL);
  g_autofree char *text = format (model, SYM_STYLE_TORCHINFO, SYM_FORMAT_TEXT, FALSE);

  g_assert_nonnull (strstr (text, "\nTotal params: 7,890\n"
                                  "Trainable params: 7,890\n"
                                  "Non-trainable params: 0\n"
                                  "Total mult-adds (K): 15.69\n"
                                  "====="));
  g_assert_nonnull (strstr (text, "=\nInput size (MB): 0.00\n"
                                  "Forward/backward pass size (MB): 0.01\n"
                                  "Params size (MB): 0.03\n"
                                  "Estimated Total Size (MB): 0.04\n"
                                  "====="));
}

/* One long name must not make every row as long. */
static void
test_long_cells_stand_out (void)
{
  g_autofree char *name = g_strnfill (5000, 'x');

  for (int style = SYM_STYLE_SYMBOLIC; style <= SYM_STYLE_TORCHINFO; style++)
    {
      g_autoptr (SymGraph) graph = sym_graph_new ();
      SymNode *inputs = sym_input (graph, SYM_SHAPE (4), NULL), *x = inputs;
      g_autoptr (SymModel) model = NULL;
      g_autofree char *text = NULL;
      g_auto (GStrv) lines = NULL;
      guint n_long = 0;

      x = sym_linear (x, 3, NULL, .name = name);
      for (int i = 0; i < 20; i++)
        x = sym_relu (x, NULL);
      model = sym_node_build_model (inputs, x, NULL);
      text = format (model, (SymStyle) style, SYM_FORMAT_TEXT, FALSE);
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        n_long += strlen (lines[i]) > 1000;
      g_assert_cmpuint (n_long, <=, 1);
    }
}

static void
test_unknown_styles_are_told (void)
{
  SymStyle style = SYM_STYLE_KERAS;

  g_assert_false (sym_style_from_string ("pytorch", &style));
  g_assert_cmpint (style, ==, SYM_STYLE_KERAS);
}

static SymModel *
build_with_odd_names (SymGraph *graph)
{
  SymNode *x = sym_input (graph, SYM_SHAPE (2), NULL);
  SymNode *y = sym_relu (x, NULL, .name = "a,\"b\"");

  return sym_node_build_model (x, sym_relu (y, NULL, .name = "c|d_e"), NULL);
}

static void
test_csv_quotes_what_needs_it (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) model = build_with_odd_names (graph);
  g_autofree char *text = format (model, SYM_STYLE_SYMBOLIC, SYM_FORMAT_CSV, FALSE);

  g_assert_cmpstr (text, ==,
                   ",Layer,Output shape,Params,Parent\r\n"
                   "1,Input_1,\"(None, 2)\",0,\r\n"
                   "2,\"a,\"\"b\"\"\",\"(None, 2)\",0,1\r\n"
                   "3*,c|d_e,\"(None, 2)\",0,2\r\n");
}

static void
test_markdown_escapes_what_it_would_read (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) model = build_with_odd_names (graph);
  g_autofree char *text = format (model, SYM_STYLE_SYMBOLIC, SYM_FORMAT_MARKDOWN, FALSE);

  g_assert_nonnull (strstr (text, "| 3\\* | c\\|d\\_e | (None, 2) | 0 | 2 |\n"));
  g_assert_nonnull (strstr (text, "\n\nTotal params: 0\n"));
}

/* A weight of unknown size makes totals lower bounds. */
static void
test_undecided_parameters_are_lower_bounds (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Mystery", NULL, NULL);
  SymType known = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (3, 4));
  SymType unknown = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE_UNKNOWN);
  SymId operands[3];
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymSummary) summary = NULL;
  g_autofree char *text = NULL;
  SymId call;

  operands[0] = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &unknown);
  operands[1] = sym_model_builder_add_value (builder, "w", SYM_ROLE_PARAMETER, &known);
  operands[2] = sym_model_builder_add_value (builder, "v", SYM_ROLE_PARAMETER, &unknown);
  sym_model_builder_add_input (builder, operands[0]);
  call = sym_model_builder_add_call (builder, "m", layer, operands, 3, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  summary = sym_summary_new (inference);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, 12);
  g_assert_false (sym_summary_get_totals (summary).known);
  g_assert_false (sym_summary_get_row (summary, 1).parameters_known);
  text = sym_summary_to_string (summary, SYM_STYLE_SYMBOLIC, SYM_FORMAT_TEXT, FALSE);
  g_assert_nonnull (strstr (text, "\nTotal params: >=12\n"));
  g_assert_nonnull (strstr (text, "2*   m       ?              >=12     1"));
}

static void
test_an_empty_model_has_no_rows (void)
{
  g_autoptr (SymModel) model = sym_model_builder_end (sym_model_builder_new (SYM_DIALECT_PLAIN));
  g_autofree char *text = format (model, SYM_STYLE_SYMBOLIC, SYM_FORMAT_TEXT, TRUE);
  g_autofree char *tree = format (model, SYM_STYLE_TORCHINFO, SYM_FORMAT_TEXT, TRUE);

  g_assert_nonnull (strstr (text, "Total params: 0\n"));
  g_assert_nonnull (strstr (tree, "Total params: 0\n"));
}

/* B5: nothing is left of the batch. */
static void
test_a_scalar_has_a_row (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (4), NULL);
  g_autoptr (SymModel) model = sym_node_build_model (x, sym_sum (x, NULL), NULL);
  g_autofree char *text = format (model, SYM_STYLE_SYMBOLIC, SYM_FORMAT_TEXT, FALSE);

  g_assert_nonnull (strstr (text, "\n2*   AggregateLayer_1   ()             0        1"));
}

static void
test_rows_are_found_by_their_values (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) model = build_classifier (graph);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  for (guint i = 0; i < sym_summary_get_n_rows (summary); i++)
    g_assert_cmpuint (sym_summary_find_row (summary, sym_summary_get_row (summary, i).value), ==,
                      i + 1);
  g_assert_cmpuint (sym_summary_find_row (summary, SYM_NO_ID), ==, 0);
}

/* So long that each style makes several pieces of it. */
static SymModel *
build_long (SymGraph *graph)
{
  SymNode *inputs = sym_input (graph, SYM_SHAPE (4), NULL), *x = inputs;

  for (int i = 0; i < 2500; i++)
    x = sym_linear (x, 4, NULL);
  return sym_node_build_model (inputs, x, NULL);
}

typedef struct {
  GString *text;
  guint n;
} Pieces;

static void
take_piece (const char *text, gsize length, gpointer user_data)
{
  Pieces *pieces = user_data;

  g_assert_cmpuint (length, >, 0);
  g_string_append_len (pieces->text, text, (gssize) length);
  pieces->n++;
}

static void
test_pieces_are_the_whole (void)
{
  g_autoptr (SymGraph) graph = sym_graph_new ();
  g_autoptr (SymModel) model = build_long (graph);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  for (SymStyle style = SYM_STYLE_SYMBOLIC; style <= SYM_STYLE_TORCHINFO; style++)
    for (SymFormat form = SYM_FORMAT_TEXT; form <= SYM_FORMAT_CSV; form++)
      {
        g_autofree char *whole = sym_summary_to_string (summary, style, form, FALSE);
        g_autoptr (GString) text = g_string_new (NULL);
        Pieces pieces = { text, 0 };

        g_assert_true (sym_summary_print (summary, style, form, FALSE, take_piece, &pieces));
        g_assert_cmpstr (text->str, ==, whole);
        g_assert_cmpuint (pieces.n, >, 1);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/summary/each-style-prints-its-own-table",
                   test_each_style_prints_its_own_table);
  g_test_add_func ("/core/summary/shapes-of-bodies-have-their-own-names",
                   test_shapes_of_bodies_have_their_own_names);
  g_test_add_func ("/core/summary/torchinfo-tells-sizes", test_torchinfo_tells_sizes);
  g_test_add_func ("/core/summary/long-cells-stand-out", test_long_cells_stand_out);
  g_test_add_func ("/core/summary/unknown-styles-are-told", test_unknown_styles_are_told);
  g_test_add_func ("/core/summary/csv-quotes-what-needs-it", test_csv_quotes_what_needs_it);
  g_test_add_func ("/core/summary/markdown-escapes-what-it-would-read",
                   test_markdown_escapes_what_it_would_read);
  g_test_add_func ("/core/summary/undecided-parameters-are-lower-bounds",
                   test_undecided_parameters_are_lower_bounds);
  g_test_add_func ("/core/summary/an-empty-model-has-no-rows", test_an_empty_model_has_no_rows);
  g_test_add_func ("/core/summary/a-scalar-has-a-row", test_a_scalar_has_a_row);
  g_test_add_func ("/core/summary/rows-are-found-by-their-values",
                   test_rows_are_found_by_their_values);
  g_test_add_func ("/core/summary/pieces-are-the-whole", test_pieces_are_the_whole);
  return g_test_run ();
}
