/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Compiled plans of convolutions, pools and norms over one, two and three axes. */

/* x [2, n_in, sizes...] and weights [n_out, n_in / group, kernel...]. */
typedef struct {
  int n;
  gint64 n_in, n_out, group, sizes[3], kernel[3];
  const char *attributes;
} Case;

static SymShape
get_shape (int n, gint64 first, gint64 second, const gint64 *sizes)
{
  SymShape shape = { .rank = n + 2, .dims = { first, second } };

  for (int i = 0; i < n; i++)
    shape.dims[2 + i] = sizes[i];
  return shape;
}

static SymId
add_batch_norm (Net *self, SymId x, gint64 n)
{
  SymId operands[] = { x, add_numbers (self, SYM_SHAPE (n), 0.8, 1.2),
                       add_numbers (self, SYM_SHAPE (n), -1, 1),
                       add_numbers (self, SYM_SHAPE (n), -1, 1),
                       add_numbers (self, SYM_SHAPE (n), 0.5, 1.5) };

  return add (self, "BatchNormalization", "{'epsilon': 0.001}", operands, 5);
}

/* The numbers and what comes of the input: computed ones. */
static SymId
add_computed (Net *self, SymId numbers)
{
  SymId mean = add (self, "ReduceMean", "{'keepdims': 0}", &self->input, 1);

  return add_binary (self, "Add", numbers, mean);
}

/* Weights and terms that are computed, the image with them or a constant. */
static void
assert_convolves_computed (const Case *of, const char *type, const SymShape *weights)
{
  SymShape shape = get_shape (of->n, 2, of->n_in, of->sizes);
  g_auto (Net) net = net_new (shape);
  SymId kernels = add_computed (&net, add_numbers (&net, *weights, -1, 1));
  SymId terms = add_computed (&net, add_numbers (&net, SYM_SHAPE (of->n_out), -1, 1));
  SymId still = add_numbers (&net, shape, -1, 1);
  SymId a = add (&net, type, of->attributes, (SymId[]){ net.input, kernels, terms }, 3);
  SymId b = add (&net, type, of->attributes, (SymId[]){ still, kernels }, 2);

  b = add_unary (&net, "Relu", add_batch_norm (&net, b, of->n_out));
  sym_model_builder_add_output (net.builder, add_unary (&net, "Tanh", b));
  finish (&net, add_binary (&net, "Add", add_batch_norm (&net, a, of->n_out), b));
  assert_same (&net, 1, 11);
}

/* With a norm, a shortcut of the same shape and an activation behind it. */
static void
assert_convolves (const Case *of, const char *type, const SymShape *weights)
{
  g_auto (Net) net = net_new (get_shape (of->n, 2, of->n_in, of->sizes));
  SymId operands[] = { net.input, add_numbers (&net, *weights, -1, 1),
                       add_numbers (&net, SYM_SHAPE (of->n_out), -1, 1) };
  SymId a = add (&net, type, of->attributes, operands, 3);
  SymId b = add_unary (&net, "Relu", add_batch_norm (&net, a, of->n_out));
  SymId c = add (&net, type, of->attributes, operands, 2);

  sym_model_builder_add_output (net.builder, add_unary (&net, "Sigmoid", b));
  finish (&net, add_binary (&net, "Add", c, b));
  assert_same (&net, 1, 6);
}

static void
convolves_over_one_axis (void)
{
  const Case cases[] = {
    { 1, 1, 32, 1, { 100 }, { 9 }, "{'strides': [2], 'pads': [4, 4]}" },
    { 1, 20, 33, 1, { 41 }, { 3 }, "{'dilations': [4], 'pads': [8, 0]}" },
    { 1, 24, 24, 24, { 50 }, { 5 }, "{'group': 24, 'pads': [2, 2]}" },
    { 1, 24, 24, 24, { 50 }, { 5 }, "{'group': 24, 'pads': [7, 4], 'dilations': [3]}" },
    { 1, 17, 17, 17, { 23 }, { 3 }, "{'group': 17, 'dilations': [5]}" },
    { 1, 16, 16, 16, { 3 }, { 3 }, "{'group': 16, 'pads': [9, 8], 'dilations': [7]}" },
    { 1, 12, 8, 4, { 17 }, { 3 }, "{'group': 4}" },
    { 1, 40, 70, 1, { 30 }, { 1 }, "{}" },
    { 1, 7, 5, 1, { 31 }, { 4 }, "{'auto_pad': 'SAME_UPPER', 'strides': [3]}" },
    { 1, 7, 5, 1, { 31 }, { 4 }, "{'auto_pad': 'SAME_LOWER'}" },
    { 1, 7, 5, 1, { 31 }, { 4 }, "{'auto_pad': 'VALID'}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymShape weights =
          get_shape (1, cases[i].n_out, cases[i].n_in / cases[i].group, cases[i].kernel);

      assert_convolves (&cases[i], "Conv", &weights);
      assert_convolves_computed (&cases[i], "Conv", &weights);
    }
}

/* Windows of all three axes but one, or of one alone. */
/* Weights that are computed while planning are shown as they are, too. */
static void
shows_folded_weights (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 9, 8));
  SymId half = add_numbers (&net, SYM_SHAPE (20, 3, 3, 3), -1, 1);
  SymId operands[] = { net.input, add_binary (&net, "Add", half, half) };

  finish (&net, add_unary (&net, "Relu", add (&net, "Conv", "{}", operands, 2)));
  assert_same (&net, 1, 2);
}

static void
convolves_over_parts_of_three_axes (void)
{
  const Case cases[] = {
    { 3, 5, 9, 1, { 4, 9, 8 }, { 1, 3, 3 }, "{'pads': [0, 1, 1, 0, 1, 1]}" },
    { 3, 16, 32, 1, { 3, 9, 8 }, { 1, 3, 2 }, "{'strides': [1, 2, 1]}" },
    { 3, 5, 9, 1, { 7, 5, 6 }, { 3, 1, 1 }, "{'pads': [1, 0, 0, 1, 0, 0], 'strides': [2, 1, 1]}" },
    { 3, 18, 18, 18, { 7, 5, 6 }, { 3, 1, 1 }, "{'pads': [1, 0, 0, 1, 0, 0], 'group': 18}" },
    { 3, 30, 20, 1, { 3, 4, 5 }, { 1, 1, 1 }, "{}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymShape weights =
          get_shape (3, cases[i].n_out, cases[i].n_in / cases[i].group, cases[i].kernel);

      assert_convolves (&cases[i], "Conv", &weights);
      assert_convolves_computed (&cases[i], "Conv", &weights);
    }
}

static void
convolves_over_three_axes (void)
{
  const Case cases[] = {
    { 3, 3, 16, 1, { 5, 9, 8 }, { 3, 3, 3 }, "{'pads': [1, 1, 1, 1, 1, 1]}" },
    { 3, 5, 70, 1, { 4, 7, 6 }, { 2, 3, 2 }, "{'strides': [1, 2, 3], 'pads': [0, 1, 2, 1, 0, 1]}" },
    { 3,
      18,
      4,
      1,
      { 6, 9, 8 },
      { 3, 2, 3 },
      "{'dilations': [2, 1, 3], 'pads': [2, 0, 3, 2, 1, 3]}" },
    { 3, 12, 8, 4, { 3, 4, 5 }, { 2, 2, 2 }, "{'group': 4}" },
    { 3, 6, 6, 6, { 3, 4, 5 }, { 3, 3, 3 }, "{'group': 6, 'auto_pad': 'SAME_UPPER'}" },
    { 3, 7, 9, 1, { 4, 6, 8 }, { 1, 1, 1 }, "{'strides': [2, 2, 2]}" },
    { 3, 2, 3, 1, { 1, 2, 1 }, { 3, 3, 3 }, "{'pads': [2, 2, 2, 2, 2, 2]}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymShape weights =
          get_shape (3, cases[i].n_out, cases[i].n_in / cases[i].group, cases[i].kernel);

      assert_convolves (&cases[i], "Conv", &weights);
      assert_convolves_computed (&cases[i], "Conv", &weights);
    }
}

static void
convolves_transposed (void)
{
  const Case cases[] = {
    { 1, 20, 33, 1, { 17 }, { 16 }, "{'strides': [8], 'pads': [4, 4]}" },
    { 1, 5, 3, 1, { 9 }, { 3 }, "{'strides': [4], 'pads': [1, 0], 'output_padding': [2]}" },
    { 1, 5, 3, 1, { 9 }, { 4 }, "{'strides': [6], 'dilations': [4], 'pads': [3, 5]}" },
    { 2, 16, 40, 1, { 7, 5 }, { 2, 2 }, "{'strides': [2, 2]}" },
    { 2, 10, 3, 1, { 8, 8 }, { 4, 4 }, "{'strides': [2, 2], 'pads': [1, 1, 1, 1]}" },
    { 2, 30, 70, 1, { 1, 1 }, { 4, 4 }, "{}" },
    { 2, 9, 17, 1, { 6, 7 }, { 3, 3 }, "{'pads': [1, 1, 1, 1]}" },
    { 2,
      9,
      17,
      1,
      { 6, 7 },
      { 3, 2 },
      "{'strides': [2, 3], 'dilations': [3, 2], 'pads': [2, 1, 0, 3], 'output_padding': [1, 2]}" },
    { 2, 12, 8, 4, { 3, 5 }, { 3, 3 }, "{'group': 4, 'strides': [2, 1]}" },
    { 2, 6, 6, 6, { 5, 4 }, { 4, 4 }, "{'group': 6, 'strides': [2, 2], 'pads': [1, 1, 1, 1]}" },
    { 2, 3, 5, 1, { 5, 4 }, { 3, 3 }, "{'strides': [2, 2], 'auto_pad': 'SAME_UPPER'}" },
    { 2, 3, 5, 1, { 5, 4 }, { 3, 3 }, "{'strides': [2, 2], 'auto_pad': 'SAME_LOWER'}" },
    { 2, 3, 5, 1, { 5, 4 }, { 3, 3 }, "{'strides': [2, 2], 'output_shape': [10, 8]}" },
    { 2,
      3,
      5,
      1,
      { 5, 4 },
      { 3, 3 },
      "{'strides': [2, 2], 'output_shape': [10, 8], 'auto_pad': 'SAME_UPPER'}" },
    { 2, 3, 5, 1, { 5, 4 }, { 3, 3 }, "{'strides': [2, 2], 'auto_pad': 'VALID'}" },
    { 3, 8, 20, 1, { 3, 4, 5 }, { 2, 2, 2 }, "{'strides': [2, 2, 2]}" },
    { 3,
      8,
      3,
      1,
      { 3, 4, 5 },
      { 3, 4, 3 },
      "{'strides': [1, 2, 3], 'pads': [1, 1, 0, 1, 1, 2], 'output_padding': [0, 1, 2]}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymShape weights =
          get_shape (cases[i].n, cases[i].n_in, cases[i].n_out / cases[i].group, cases[i].kernel);

      assert_convolves (&cases[i], "ConvTranspose", &weights);
      assert_convolves_computed (&cases[i], "ConvTranspose", &weights);
    }
}

static void
pools_over_any_axes (void)
{
  const struct {
    int n;
    gint64 channels, sizes[3];
    const char *type, *attributes;
  } cases[] = {
    { 1, 20, { 40 }, "MaxPool", "{'kernel_shape': [4], 'strides': [4]}" },
    { 1, 3, { 41 }, "AveragePool", "{'kernel_shape': [3], 'pads': [1, 1]}" },
    { 1,
      3,
      { 41 },
      "AveragePool",
      "{'kernel_shape': [3], 'pads': [1, 1], 'count_include_pad': 1}" },
    { 1, 70, { 41 }, "GlobalAveragePool", "{}" },
    { 1, 70, { 41 }, "GlobalMaxPool", "{}" },
    { 2, 18, { 9, 8 }, "GlobalMaxPool", "{}" },
    { 2,
      18,
      { 9, 8 },
      "AveragePool",
      "{'kernel_shape': [3, 2], 'pads': [1, 0, 2, 1], 'strides': [2, 1], 'count_include_pad': 1}" },
    { 2, 5, { 9, 8 }, "MaxPool", "{'kernel_shape': [3, 3], 'auto_pad': 'SAME_UPPER'}" },
    { 3, 18, { 6, 9, 8 }, "MaxPool", "{'kernel_shape': [2, 2, 2], 'strides': [2, 2, 2]}" },
    { 3, 18, { 6, 9, 8 }, "MaxPool", "{'kernel_shape': [1, 3, 3], 'strides': [1, 2, 2]}" },
    { 3,
      5,
      { 6, 4, 3 },
      "AveragePool",
      "{'kernel_shape': [3, 3, 2], 'pads': [1, 1, 0, 1, 1, 1], 'strides': [2, 1, 1]}" },
    { 3,
      5,
      { 6, 4, 3 },
      "AveragePool",
      "{'kernel_shape': [3, 3, 2], 'pads': [1, 1, 0, 1, 1, 1], 'count_include_pad': 1}" },
    { 3,
      5,
      { 6, 4, 3 },
      "MaxPool",
      "{'kernel_shape': [4, 1, 1], 'strides': [3, 1, 1], 'ceil_mode': 1}" },
    { 3, 1, { 9, 4, 3 }, "AveragePool", "{'kernel_shape': [5, 1, 1]}" },
    { 3, 2, { 9, 4, 3 }, "MaxPool", "{'kernel_shape': [3, 2, 1], 'pads': [1, 0, 0, 1, 1, 0]}" },
    { 3, 33, { 6, 4, 3 }, "GlobalAveragePool", "{}" },
    { 3, 33, { 6, 4, 3 }, "GlobalMaxPool", "{}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (get_shape (cases[i].n, 2, cases[i].channels, cases[i].sizes));
      SymId x = add_unary (&net, "Tanh", net.input);

      finish (&net, add (&net, cases[i].type, cases[i].attributes, &x, 1));
      assert_same (&net, 1, 2);
    }
}

static void
norms_rows_as_their_product (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 20));
  SymId a = add_binary (&net, "MatMul", net.input, add_numbers (&net, SYM_SHAPE (20, 35), -1, 1));

  sym_model_builder_add_output (net.builder, add_batch_norm (&net, net.input, 20));
  finish (&net, add_unary (&net, "Relu", add_batch_norm (&net, a, 35)));
  assert_same (&net, 1, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-windows/convolves-over-one-axis", convolves_over_one_axis);
  g_test_add_func ("/run/compile-windows/shows-folded-weights", shows_folded_weights);
  g_test_add_func ("/run/compile-windows/convolves-over-parts-of-three-axes",
                   convolves_over_parts_of_three_axes);
  g_test_add_func ("/run/compile-windows/convolves-over-three-axes", convolves_over_three_axes);
  g_test_add_func ("/run/compile-windows/convolves-transposed", convolves_transposed);
  g_test_add_func ("/run/compile-windows/pools-over-any-axes", pools_over_any_axes);
  g_test_add_func ("/run/compile-windows/norms-rows-as-their-product", norms_rows_as_their_product);
  return g_test_run ();
}
