/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "ops/sym-layers.h"
#include "ops/sym-op.h"

#include <glib/gstdio.h>
#include <string.h>

/* What was built in C goes to files and comes back. */

typedef struct {
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "x.json", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_remove (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static char *
write_model (Fixture *self, SymModel *model, const char *format, SymProblems *notes)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  sym_io_write (sym_io_find_format (format), model, NULL, self->path, notes, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (self->path, &text, NULL, NULL));
  return text;
}

static SymModel *
read_back (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (self->path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymId
find_value (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_str_equal (sym_model_get_value_name (model, value), name))
      return value;
  g_error ("no value is called %s", name);
}

static void
assert_shape (const SymInference *inference, const char *name, const char *expected)
{
  SymId value = find_value (sym_inference_get_model (inference), name);
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *text = sym_inference_format_shape (inference, &type.shape, ",");

  g_assert_cmpstr (text, ==, expected);
}

/* ---- T-M20: the Inception block in3a of MXNet's tutorial ---- */

static SymLayer *
make_layer (const char *type, const char *const *names, const char *const *literals, guint n)
{
  const SymOperator *op = sym_op_find ("mxnet", type, 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymOpLiterals) known = sym_op_literals_new ();

  for (guint i = 0; i < n; i++)
    sym_op_literals_set (known, op, names[i], strlen (names[i]), literals[i], strlen (literals[i]),
                         attributes, NULL, 0, SYM_NO_ID);
  return sym_layer_new (type, op, attributes);
}

/* As MXNet does, the operands that are not given become variables "conv_weight". */
static SymId
add_node (SymModelBuilder *builder, SymLayer *take_layer, const char *name, SymId data)
{
  g_autoptr (SymLayer) layer = take_layer;
  const SymOperator *op = sym_layer_get_operator (layer);
  int n = sym_op_get_n_operands (op, sym_layer_get_attributes (layer));
  g_autofree char *result_name = g_strconcat (name, "_output", NULL);
  SymId operands[8] = { data }, result;

  g_assert_cmpint (n, <=, (int) G_N_ELEMENTS (operands));
  for (int i = 1; i < n; i++)
    {
      const SymSlotSpec *slot = sym_op_get_slot (op, (guint) i);
      g_autofree char *variable = g_strdup_printf ("%s_%s", name, slot->name);

      operands[i] = sym_model_builder_add_value (
          builder, variable,
          slot->kind == SYM_SLOT_AUXILIARY ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER, NULL);
    }
  result = sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, name, layer, operands, (guint) n, 1), 0);
  sym_model_builder_set_value_name (builder, result, result_name);
  return result;
}

static SymId
add_unit (SymModelBuilder *builder, SymId data, const char *n_filters, int kernel, const char *name)
{
  static const char *const names[] = { "kernel", "num_filter", "pad" };
  static const char *const act_names[] = { "act_type" };
  g_autofree char *conv = g_strconcat ("conv_in3a_", name, NULL);
  g_autofree char *bn = g_strconcat ("bn_in3a_", name, NULL);
  g_autofree char *relu = g_strconcat ("relu_in3a_", name, NULL);
  const char *literals[] = { kernel == 1 ? "(1, 1)" : "(3, 3)", n_filters,
                             kernel == 1 ? "(0, 0)" : "(1, 1)" };

  data = add_node (builder, make_layer ("Convolution", names, literals, 3), conv, data);
  data = add_node (builder, make_layer ("BatchNorm", NULL, NULL, 0), bn, data);
  return add_node (builder, make_layer ("Activation", act_names, (const char *[]){ "relu" }, 1),
                   relu, data);
}

static SymModel *
build_inception (void)
{
  static const char *const pool_names[] = { "kernel", "pad", "pool_type", "stride" };
  static const char *const pool_literals[] = { "(3, 3)", "(1, 1)", "avg", "(1, 1)" };
  static const char *const concat_names[] = { "dim", "num_args" };
  static const char *const concat_literals[] = { "1", "4" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  g_autoptr (SymLayer) concat = make_layer ("Concat", concat_names, concat_literals, 2);
  SymId prev = sym_model_builder_add_value (builder, "Previous Output", SYM_ROLE_INPUT, NULL);
  SymId parts[4], output;

  sym_model_builder_add_input (builder, prev);
  parts[0] = add_unit (builder, prev, "64", 1, "1x1");
  parts[1] = add_unit (builder, prev, "64", 1, "3x3_reduce");
  parts[1] = add_unit (builder, parts[1], "64", 3, "3x3");
  parts[2] = add_unit (builder, prev, "64", 1, "double_3x3_reduce");
  parts[2] = add_unit (builder, parts[2], "96", 3, "double_3x3_0");
  parts[2] = add_unit (builder, parts[2], "96", 3, "double_3x3_1");
  parts[3] = add_node (builder, make_layer ("Pooling", pool_names, pool_literals, 4),
                       "avg_pool_in3a_pool", prev);
  parts[3] = add_unit (builder, parts[3], "32", 1, "proj");
  output = sym_model_builder_get_result (
      builder, sym_model_builder_add_call (builder, "ch_concat_in3a_chconcat", concat, parts, 4, 1),
      0);
  sym_model_builder_set_value_name (builder, output, "ch_concat_in3a_chconcat_output");
  sym_model_builder_add_output (builder, output);
  return sym_model_builder_end (builder);
}

static void
assert_inception (SymModel *model)
{
  const SymOverride shape = { .value = find_value (model, "Previous Output"),
                              .has_shape = TRUE,
                              .shape = SYM_SHAPE (128, 3, 28, 28) };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = sym_infer (model, &shape, 1, NULL, &error);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  guint n_arguments = 0, n_auxiliary = 0;

  g_assert_no_error (error);
  g_assert_false (sym_problems_has_errors (sym_model_get_problems (model)));
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymRole role = sym_model_get_role (model, value);

      n_arguments += role == SYM_ROLE_INPUT || role == SYM_ROLE_PARAMETER;
      n_auxiliary += role == SYM_ROLE_AUXILIARY;
    }
  g_assert_cmpuint (n_arguments, ==, 29);
  g_assert_cmpuint (n_auxiliary, ==, 14);
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 1);
  assert_shape (inference, "ch_concat_in3a_chconcat_output", "128,256,28,28");
  assert_shape (inference, "conv_in3a_double_3x3_1_weight", "96,96,3,3");
  assert_shape (inference, "bn_in3a_proj_moving_var", "32");
  g_assert_true (sym_summary_get_totals (summary).known);
  g_assert_cmpuint (sym_summary_get_totals (summary).trainable, ==, 177216);
}

/* The same through either format, and the same bytes whichever way MXNet's file comes about. */
static void
test_a_block_goes_both_ways (Fixture *self, gconstpointer data)
{
  g_autoptr (SymModel) model = build_inception ();
  g_autofree char *mxnet = write_model (self, model, "mxnet", NULL);
  g_autoptr (SymModel) from_mxnet = read_back (self);
  g_autofree char *again = write_model (self, from_mxnet, "mxnet", NULL);
  g_autofree char *symscope = write_model (self, model, "symscope", NULL);
  g_autoptr (SymModel) from_symscope = read_back (self);
  g_autofree char *third = write_model (self, from_symscope, "mxnet", NULL);

  assert_inception (model);
  assert_inception (from_mxnet);
  assert_inception (from_symscope);
  g_assert_cmpstr (again, ==, mxnet);
  g_assert_cmpstr (third, ==, mxnet);
  g_assert_nonnull (strstr (symscope, "\"dialect\": \"mxnet\""));
}

/* Layout, order of members, literals and versions of changed variables are MXNet's. */
static void
test_new_files_are_laid_out_as_mxnet_does (Fixture *self, gconstpointer data)
{
  static const char expected[] = "{\n"
                                 "  \"nodes\": [\n"
                                 "    {\n"
                                 "      \"op\": \"null\", \n"
                                 "      \"name\": \"x\", \n"
                                 "      \"attrs\": {\"__shape__\": \"(0, 3)\"}, \n"
                                 "      \"inputs\": []\n"
                                 "    }, \n"
                                 "    {\n"
                                 "      \"op\": \"Activation\", \n"
                                 "      \"name\": \"act\", \n"
                                 "      \"attrs\": {\"act_type\": \"relu\"}, \n"
                                 "      \"inputs\": [[0, 0, 0]]\n"
                                 "    }\n"
                                 "  ], \n"
                                 "  \"arg_nodes\": [0], \n"
                                 "  \"node_row_ptr\": [0, 1, 2], \n"
                                 "  \"heads\": [[1, 0, 0]], \n"
                                 "  \"attrs\": {\"mxnet_version\": [\"int\", 10901]}\n"
                                 "}";
  static const char *const names[] = { "act_type" };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  const SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE (SYM_DIM_UNKNOWN, 3));
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  g_autoptr (SymModel) model = NULL;
  g_autofree char *text = NULL;

  sym_model_builder_add_output (
      builder, add_node (builder, make_layer ("Activation", names, (const char *[]){ "relu" }, 1),
                         "act", x));
  model = sym_model_builder_end (builder);
  text = write_model (self, model, "mxnet", NULL);
  g_assert_cmpstr (text, ==, expected);
}

/* M41: 0 is an unknown size, and a rank alone is told by zeros; where a size is 0, or there is
 * none, the file says that its shapes are numpy's. */
static void
test_shapes_come_back (Fixture *self, gconstpointer data)
{
  static const struct {
    SymShape shape;
    const char *text; /* NULL: none */
    const char *read;
    gboolean is_numpy;
  } cases[] = {
    { { .rank = -1 }, NULL, "rank ?", FALSE },
    { { .rank = 1, .dims = { SYM_DIM_UNKNOWN } }, "\"(0,)\"", "?", FALSE },
    { { .rank = 2, .dims = { SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN } }, "\"(0, 0)\"", "?,?", FALSE },
    { { .rank = 2, .dims = { SYM_DIM_UNKNOWN, 3 } }, "\"(0, 3)\"", "?,3", FALSE },
    { { .rank = 2, .dims = { 0, SYM_DIM_UNKNOWN } }, "\"(0, -1)\"", "0,?", TRUE },
    { { .rank = 0 }, "\"()\"", "", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
      const SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, cases[i].shape);
      SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
      g_autoptr (SymModel) model = NULL;
      g_autoptr (SymModel) again = NULL;
      g_autoptr (SymInference) inference = NULL;
      g_autofree char *text = NULL;

      sym_model_builder_add_output (builder,
                                    add_node (builder, make_layer ("relu", NULL, NULL, 0), "r", x));
      model = sym_model_builder_end (builder);
      text = write_model (self, model, "mxnet", NULL);
      again = read_back (self);
      inference = sym_infer (again, NULL, 0, NULL, NULL);
      assert_shape (inference, "x", cases[i].read);
      g_assert_cmpint (strstr (text, "is_np_shape") != NULL, ==, cases[i].is_numpy);
      g_assert_cmpint (strstr (text, "__shape__") != NULL, ==, cases[i].text != NULL);
      g_assert_nonnull (strstr (text, cases[i].text != NULL ? cases[i].text : ""));
    }
}

static SymId
add_dense (SymModelBuilder *builder, SymId data, const char *n_hidden, const char *name)
{
  static const char *const names[] = { "num_hidden" };

  return add_node (builder, make_layer ("FullyConnected", names, &n_hidden, 1), name, data);
}

/* T-M22: print_summary of the tutorial's perceptron; B15: also where a weight is the first node. */
static void
test_a_perceptron_is_counted (Fixture *self, gconstpointer data)
{
  static const char *const act_names[] = { "act_type" };

  for (guint first = 0; first < 2; first++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
      const SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE (100, 200));
      g_autoptr (SymLayer) dense = make_layer ("FullyConnected", (const char *[]){ "num_hidden" },
                                               (const char *[]){ "128" }, 1);
      SymId operands[3], x;
      g_autoptr (SymModel) model = NULL;
      g_autofree char *table = NULL;

      if (first == 1)
        operands[1] = sym_model_builder_add_value (builder, "fc1_weight", SYM_ROLE_PARAMETER, NULL);
      operands[0] = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, &type);
      if (first == 0)
        operands[1] = sym_model_builder_add_value (builder, "fc1_weight", SYM_ROLE_PARAMETER, NULL);
      operands[2] = sym_model_builder_add_value (builder, "fc1_bias", SYM_ROLE_PARAMETER, NULL);
      x = sym_model_builder_get_result (
          builder, sym_model_builder_add_call (builder, "fc1", dense, operands, 3, 1), 0);
      x = add_node (builder, make_layer ("Activation", act_names, (const char *[]){ "relu" }, 1),
                    "relu1", x);
      x = add_dense (builder, x, "10", "fc2");
      sym_model_builder_add_output (builder, x);
      model = sym_model_builder_end (builder);
      table = sym_model_summarise (model, SYM_STYLE_MXNET);
      g_test_message ("%s", table);
      g_assert_nonnull (strstr (table, "25728"));
      g_assert_nonnull (strstr (table, "1290"));
      g_assert_nonnull (strstr (table, "Total params: 27018\n"));
    }
}

/* ---- Graphs of PyTorch's layers ---- */

static char *
summarise (SymModel *model)
{
  return sym_model_summarise (model, SYM_STYLE_SYMBOLIC);
}

/* What was said of results is not said of those of a wider input. */
static void
assert_forgotten_when_wider (SymModel *model)
{
  SymId input = sym_model_get_inputs (model).ids[0];
  SymOverride wider = { .value = input,
                        .has_shape = TRUE,
                        .shape = SYM_SHAPE (SYM_DIM_UNKNOWN, 5, 7) };
  g_autoptr (SymInference) inference = sym_infer (model, &wider, 1, NULL, NULL);
  SymId own = sym_model_get_rows (model).ids[1];

  g_assert_cmpint (sym_inference_get_type (inference, own).kind, ==, SYM_KIND_UNKNOWN);
  wider.shape.dims[2] = 6;
  sym_inference_unref (inference);
  inference = sym_infer (model, &wider, 1, NULL, NULL);
  g_assert_cmpint (sym_inference_get_type (inference, own).shape.dims[2], ==, 6);
}

/* Functions go by name, with what they said of their results; the table is the same. */
static void
test_functions_are_saved_by_name_and_types (Fixture *self, gconstpointer data)
{
  const SymFunction own = { .name = "own", .infer = sym_infer_same };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (sym_graph_get_dim (graph, "seq"), 6), &error);
  SymArguments *first = sym_arguments_new (), *second = sym_arguments_new ();
  SymNode *y, *z;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autofree char *table = NULL, *table_again = NULL, *text = NULL, *text_again = NULL;

  sym_arguments_add (first, sym_arguments_node (first, x));
  y = sym_graph_call_with (graph, &own, first, NULL, &error);
  sym_arguments_add (second, sym_arguments_node (second, y));
  sym_arguments_set (second, "dim", sym_value_new_int (2));
  z = sym_graph_call_with (graph, &sym_function_sum, second, NULL, &error);
  model = sym_node_build_model (x, sym_relu (z, &error), &error);
  g_assert_no_error (error);
  text = write_model (self, model, "symscope", notes);
  again = read_back (self);
  table = summarise (model);
  table_again = summarise (again);
  g_assert_cmpstr (table_again, ==, table);
  g_assert_nonnull (strstr (table, "wrap(own)_1   (None, seq, 6)"));
  assert_forgotten_when_wider (again);
  text_again = write_model (self, again, "symscope", NULL);
  g_assert_cmpstr (text_again, ==, text);
  g_assert_cmpuint (sym_problems_get_n (notes), ==, 2);
  g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==,
                   "the function 'own' is saved by its name and with the types that its results "
                   "have now: how it finds them is not saved");
}

static void
test_layers_of_pytorch_become_those_of_mxnet (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymGraph) graph = sym_graph_new ();
  SymNode *x = sym_input (graph, SYM_SHAPE (3), &error);
  g_autoptr (SymModel) model = sym_node_build_model (x, sym_linear (x, 2, &error), &error);
  g_autofree char *text = write_model (self, model, "mxnet", NULL);
  g_autoptr (SymModel) again = read_back (self);
  g_autoptr (SymInference) inference = sym_infer (again, NULL, 0, NULL, &error);
  SymId output = sym_model_get_outputs (again).ids[0];

  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "\"op\": \"FullyConnected\""));
  assert_shape (inference, sym_model_get_value_name (again, output), "?,2");
}

#define ADD(path, function) \
  g_test_add ("/io/built/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("a-block-goes-both-ways", test_a_block_goes_both_ways);
  ADD ("new-files-are-laid-out-as-mxnet-does", test_new_files_are_laid_out_as_mxnet_does);
  ADD ("shapes-come-back", test_shapes_come_back);
  ADD ("a-perceptron-is-counted", test_a_perceptron_is_counted);
  ADD ("functions-are-saved-by-name-and-types", test_functions_are_saved_by_name_and_types);
  ADD ("layers-of-pytorch-become-those-of-mxnet", test_layers_of_pytorch_become_those_of_mxnet);
  return g_test_run ();
}
