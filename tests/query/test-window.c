/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder.h"
#include "ops/sym-op.h"
#include "query/sym-query.h"
#include "query/sym-window.h"

/* One layer of each dialect, with what tells its window. */
static const struct {
  const char *domain, *type, *attributes; /* a Python dict's items */
  SymShape weights;                       /* rank -1: it has none */
  const char *window;                     /* NULL for none */
} cases[] = {
  { "", "Conv", "kernel_shape=[5, 3]", { -1, { 0 } }, "5x3" },
  { "", "Conv", "", { 4, { 8, 2, 5, 3 } }, "5x3" },
  { "", "Conv", "", { 4, { 8, 2, 5, SYM_DIM_UNKNOWN } }, NULL },
  { "", "Conv", "", { -1, { 0 } }, NULL },
  { "", "Relu", "", { 4, { 8, 2, 5, 3 } }, NULL },
  { "", "Gemm", "", { 2, { 8, 2 } }, NULL },
  { "mxnet", "Convolution", "kernel=(5, 3)", { -1, { 0 } }, "5x3" },
  { "keras", "Conv2D", "kernel_size=[5, 3]", { -1, { 0 } }, "5x3" },
  { "keras", "Convolution2D", "nb_row=5; nb_col=3", { -1, { 0 } }, "5x3" },
  { "keras",
    "Convolution3D",
    "kernel_dim1=5; kernel_dim2=3; kernel_dim3=4",
    { -1, { 0 } },
    "5x3x4" },
  { "keras", "Convolution1D", "filter_length=5", { -1, { 0 } }, "5" },
  { "keras", "MaxPooling2D", "pool_size=[2, 4]", { -1, { 0 } }, "2x4" },
  { "torch.export", "aten.convolution", "groups=1", { 4, { 8, 2, 5, 3 } }, "5x3" },
  { "tf", "Conv2D", "strides=[1, 1, 1, 1]", { 4, { 5, 3, 2, 8 } }, "5x3" },
  { "paddle", "conv2d", "groups=1", { 4, { 8, 2, 5, 3 } }, "5x3" },
  { "openvino", "Convolution", "strides=[1, 1]", { 4, { 8, 2, 5, 3 } }, "5x3" },
  { "openvino", "GroupConvolution", "strides=[1, 1]", { 5, { 8, 1, 1, 5, 3 } }, "5x3" },
  { "openvino", "MaxPool", "kernel=[5, 3]", { -1, { 0 } }, "5x3" },
  { "qnn", "Conv2d", "stride=[1, 1]", { 4, { 5, 3, 2, 8 } }, "5x3" },
  { "qnn", "PoolMax2d", "filter_size=[5, 3]", { -1, { 0 } }, "5x3" },
  { "tosa", "CONV2D", "stride=[1, 1]", { 4, { 8, 5, 3, 2 } }, "5x3" },
  { "tosa", "DEPTHWISE_CONV2D", "stride=[1, 1]", { 4, { 5, 3, 8, 1 } }, "5x3" },
  { "tf", "MaxPool", "ksize=[1, 5, 3, 1]", { -1, { 0 } }, "5x3" },
  { "tf", "MaxPool", "ksize=[1, 1, 5, 3]", { -1, { 0 } }, "5x3" },
  { "", "Conv", "kernel_shape=[1, 1, 5, 3]", { -1, { 0 } }, "1x1x5x3" }, /* of six axes */
  { "", "MaxPool", "kernel_shape=[1, 5, 3, 1]", { -1, { 0 } }, "1x5x3x1" },
};

static SymAttributes *
read_attributes (const char *text)
{
  SymAttributes *attributes = sym_attributes_new ();
  g_auto (GStrv) pairs = g_strsplit (text, "; ", -1);

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      sym_attributes_set (attributes, pair[0], sym_value_parse (pair[1]), NULL);
    }
  return attributes;
}

static SymId
add_weights (SymModelBuilder *builder, const SymShape *shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, *shape);

  return sym_model_builder_add_value (builder, NULL, SYM_ROLE_PARAMETER, &type);
}

/* All of them, on one image; each call has a bias, too, which tells nothing. */
static SymModel *
new_net (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId data = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, NULL);
  SymShape bias = SYM_SHAPE (8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymId operands[3] = { data, add_weights (builder, &bias) };
      g_autofree char *name = g_strdup_printf ("layer%u", i);
      guint n = 2;

      if (cases[i].weights.rank >= 0)
        operands[n++] = add_weights (builder, &cases[i].weights);
      g_autoptr (SymAttributes) attributes = read_attributes (cases[i].attributes);
      g_autoptr (SymLayer) layer = sym_layer_new (
          cases[i].type, sym_op_find (cases[i].domain, cases[i].type, 0), attributes);
      SymId call = sym_model_builder_add_call (builder, name, layer, operands, n, 1);
      SymId result = sym_model_builder_get_result (builder, call, 0);

      sym_model_builder_set_value_name (builder, result, name);
      sym_model_builder_add_output (builder, result);
    }
  return sym_model_builder_end (builder);
}

static void
test_is_told_by_attributes_or_weights (void)
{
  g_autoptr (SymModel) model = new_net ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *window = sym_window_format (model, i, "x");

      g_test_message ("%s %s %s", cases[i].domain, cases[i].type, cases[i].attributes);
      g_assert_cmpstr (window, ==, cases[i].window);
    }
}

/* Of data with four axes no window has four. */
static void
test_has_fewer_axes_than_the_data (void)
{
  static const int ranks[] = { 4, 5, 6 };
  static const char *const windows[] = { "5x3", "1x5x3x1", "1x5x3x1" };

  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    {
      SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
      SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, sym_shape_new_unknown (ranks[i]));
      SymId data = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, &type);
      g_autoptr (SymAttributes) attributes = read_attributes ("kernel=[1, 5, 3, 1]");
      g_autoptr (SymLayer) layer = sym_layer_new ("Pool", NULL, attributes);

      sym_model_builder_add_call (builder, "pool", layer, &data, 1, 1);
      g_autoptr (SymModel) model = sym_model_builder_end (builder);
      g_autofree char *window = sym_window_format (model, 0, "x");
      gint64 strides[] = { 1, 2, 2, 1 };

      g_assert_cmpstr (window, ==, windows[i]);
      g_assert_cmpint (sym_window_drop_ones (model, 0, strides, 4), ==, ranks[i] == 4 ? 2 : 4);
    }
}

/* Weights that a layer makes of smaller ones, as OpenVINO's of float16, are operand 1. */
static void
test_is_told_by_weights_that_a_layer_makes (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId data = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, NULL);
  SymShape shape = SYM_SHAPE (8, 2, 5, 3);
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  SymId small = add_weights (builder, &shape);
  g_autoptr (SymLayer) convert =
      sym_layer_new ("Convert", sym_op_find ("openvino", "Convert", 0), NULL);
  g_autoptr (SymLayer) layer =
      sym_layer_new ("Convolution", sym_op_find ("openvino", "Convolution", 0), NULL);
  SymId call = sym_model_builder_add_call (builder, "convert", convert, &small, 1, 1);
  SymId operands[2] = { data, sym_model_builder_get_result (builder, call, 0) };

  sym_model_builder_set_type (builder, operands[1], &type);
  call = sym_model_builder_add_call (builder, "conv", layer, operands, 2, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autofree char *window = sym_window_format (model, call, "x");

  g_assert_cmpstr (window, ==, "5x3");
}

static SymQueryResult *
ask (SymModel *model, const char *text, GError **error)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);
  g_autoptr (SymQueryIndex) index = sym_query_index_new (summary, NULL);
  g_autoptr (SymQuery) query = sym_query_parse (text, NULL, error);

  return sym_query_run (query, index, NULL, error);
}

static void
test_is_found_in_every_dialect (void)
{
  g_autoptr (SymModel) model = new_net ();
  g_autoptr (SymQueryResult) exact = ask (model, "kernel:5x3", NULL);
  g_autoptr (SymQueryResult) least = ask (model, "kernel>=3", NULL);
  guint n = 0, n_least = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      n += g_strcmp0 (cases[i].window, "5x3") == 0;
      n_least += cases[i].window != NULL && g_str_has_prefix (cases[i].window, "5");
    }
  g_assert_cmpuint (n, ==, 17);
  g_assert_cmpuint (sym_query_result_get_n (exact), ==, n);
  g_assert_cmpuint (sym_query_result_get_n (least), ==, n_least);
}

static void
test_without_one_its_name_is_an_error (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymId data = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, NULL);
  g_autoptr (GError) error = NULL;

  sym_model_builder_add_output (builder, data);
  g_autoptr (SymModel) model = sym_model_builder_end (builder);
  g_autoptr (SymQueryResult) result = ask (model, "kernel:3", &error);

  g_assert_null (result);
  g_assert_error (error, SYM_QUERY_ERROR, SYM_QUERY_ERROR_NAME);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/window/is-told-by-attributes-or-weights",
                   test_is_told_by_attributes_or_weights);
  g_test_add_func ("/query/window/has-fewer-axes-than-the-data", test_has_fewer_axes_than_the_data);
  g_test_add_func ("/query/window/is-told-by-weights-that-a-layer-makes",
                   test_is_told_by_weights_that_a_layer_makes);
  g_test_add_func ("/query/window/is-found-in-every-dialect", test_is_found_in_every_dialect);
  g_test_add_func ("/query/window/without-one-its-name-is-an-error",
                   test_without_one_its_name_is_an_error);
  return g_test_run ();
}
