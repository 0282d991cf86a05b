/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Moves between convolutions, whose tensors lie with the channels last, beside the reference
 * kernels. */

#define INTEGERS(net, ...)                            \
  add_integers (net, (const gint64[]){ __VA_ARGS__ }, \
                (gint64) (sizeof ((const gint64[]){ __VA_ARGS__ }) / sizeof (gint64)))

static SymId
convolve (Net *self, SymId x, gint64 n_in, gint64 n_out)
{
  SymId operands[] = { x, add_numbers (self, SYM_SHAPE (n_out, n_in, 1, 1), -1, 1),
                       add_numbers (self, SYM_SHAPE (n_out), -1, 1) };

  return add (self, "Conv", "{}", operands, 3);
}

static SymId
reshape (Net *self, SymId x, SymId shape)
{
  return add_binary (self, "Reshape", x, shape);
}

static SymId
slice (Net *self, SymId x, gint64 axis, gint64 begin, gint64 end, gint64 step)
{
  SymId operands[] = { x, INTEGERS (self, begin), INTEGERS (self, end), INTEGERS (self, axis),
                       INTEGERS (self, step) };

  return add (self, "Slice", "{}", operands, 5);
}

/* Along each axis, of convolutions, of an image as it came in, and of the same twice. */
static void
joins_along_each_axis (void)
{
  for (gint64 axis = 0; axis < 4; axis++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 5, 6));
      SymId a = convolve (&net, net.input, 3, 3), b = add_unary (&net, "Relu", a);
      g_autofree char *attributes = g_strdup_printf ("{'axis': %d}", (int) axis);
      SymId joined = add (&net, "Concat", attributes, (SymId[]){ a, net.input, b, b }, 4);

      sym_model_builder_add_output (net.builder, joined);
      finish (&net, convolve (&net, joined, axis == 1 ? 12 : 3, 7));
      assert_same (&net, 1, 4);
    }
}

static void
cuts_along_each_axis (void)
{
  for (gint64 axis = 0; axis < 4; axis++)
    for (gint64 step = 1; step < 3; step++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (4, 3, 8, 9));
        SymId a = convolve (&net, net.input, 3, 20);
        SymId b = slice (&net, a, axis, 1, 4, step), c = slice (&net, a, axis, -2, 100, step);
        gint64 n_b = axis == 1 ? (step == 1 ? 3 : 2) : 20, n_c = axis == 1 ? 3 - step : 20;

        sym_model_builder_add_output (net.builder, c);
        sym_model_builder_add_output (net.builder, convolve (&net, c, n_c, 4));
        finish (&net, convolve (&net, b, n_b, 5));
        assert_same (&net, 1, 5);
      }
}

/* As ShuffleNet does. */
static void
shuffles_channels (void)
{
  for (gint64 groups = 2; groups <= 6; groups++)
    {
      const gint64 n = 6 * groups;
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 5, 7));
      SymId x = convolve (&net, net.input, 3, n);

      x = reshape (&net, x, INTEGERS (&net, 2, groups, 6, 5, 7));
      x = add (&net, "Transpose", "{'perm': [0, 2, 1, 3, 4]}", &x, 1);
      x = reshape (&net, x, INTEGERS (&net, 2, n, 5, 7));
      sym_model_builder_add_output (net.builder, slice (&net, x, 1, 0, n / 2, 1));
      finish (&net, convolve (&net, x, n, 8));
      assert_same (&net, 1, 6);
    }
}

/* As heads of detectors do, and as depth becomes space. */
static void
brings_channels_elsewhere (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 5, 7));
  SymId x = convolve (&net, net.input, 3, 12), boxes, space;

  boxes = add (&net, "Transpose", "{'perm': [0, 2, 3, 1]}", &x, 1);
  sym_model_builder_add_output (net.builder, boxes);
  sym_model_builder_add_output (net.builder, reshape (&net, boxes, INTEGERS (&net, 1, -1, 4)));
  space = reshape (&net, x, INTEGERS (&net, 1, 3, 2, 2, 5, 7));
  space = add (&net, "Transpose", "{'perm': [0, 1, 4, 2, 5, 3]}", &space, 1);
  space = reshape (&net, space, INTEGERS (&net, 1, 3, 10, 14));
  sym_model_builder_add_output (net.builder, space);
  finish (&net, convolve (&net, space, 3, 4));
  assert_same (&net, 1, 7);
}

/* Factors of each channel, of each pixel and of each image. */
static void
multiplies_by_gates (void)
{
  for (gint64 batch = 1; batch <= 3; batch++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (batch, 3, 6, 4));
      SymId x = convolve (&net, net.input, 3, 21);
      SymId channels = add_unary (
          &net, "Sigmoid", convolve (&net, add_unary (&net, "GlobalAveragePool", x), 21, 21));
      SymId pixels = add_unary (&net, "Sigmoid", convolve (&net, x, 21, 1));
      SymId images = add_numbers (&net, SYM_SHAPE (batch, 1, 1, 1), 0.5, 1.5);
      SymId a = add_binary (&net, "Mul", x, channels), b = add_binary (&net, "Div", a, images);

      finish (&net, convolve (&net, add_binary (&net, "Mul", pixels, b), 21, 5));
      assert_same (&net, 1, 10);
    }
}

/* Over the last axes, which is done as the image lies, and over others, which is not; then an image
 * goes on from it. */
static void
finds_the_largest_along_axes (void)
{
  static const char *const cases[] = {
    "{'axes': [3]}",
    "{'axes': [2, 3]}",
    "{'axes': [2]}",
    "{'axes': [1]}",
    "{'axes': [0]}",
    "{'axes': [1, 2]}",
    "{'axes': [1, 2, 3]}",
    "{'axes': [2, 3], 'keepdims': 0}",
    "{}",
    "{'axes': [-1], 'keepdims': 0}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gint64 channels = 1; channels <= 21; channels += 20)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 6, 4));
        SymId x = convolve (&net, net.input, 3, channels);
        SymId y = add (&net, "ReduceMax", cases[i], &x, 1);

        sym_model_builder_add_output (net.builder, y);
        finish (&net, add_unary (&net, "Tanh", y));
        assert_same (&net, 1, 3);
      }
  {
    g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 6, 4));
    SymId x = convolve (&net, net.input, 3, 21);

    x = add (&net, "ReduceMax", "{'axes': [3]}", &x, 1);
    finish (&net, convolve (&net, x, 21, 5));
    assert_same (&net, 1, 3);
  }
}

/* So large that threads have parts of each: of a picture's pixels that are copied, of the channels
 * of one that is pooled, of the rows of a matrix that is turned. */
static void
shares_large_moves (void)
{
  {
    g_auto (Net) net = net_new (SYM_SHAPE (1, 3, 41, 43));
    SymId a = convolve (&net, net.input, 3, 200), b = convolve (&net, net.input, 3, 70), joined;

    joined = add (&net, "Concat", "{'axis': 1}", (SymId[]){ a, b }, 2);
    sym_model_builder_add_output (net.builder, joined);
    finish (&net, add_binary (&net, "Add", add_unary (&net, "GlobalAveragePool", joined),
                              add_unary (&net, "GlobalMaxPool", joined)));
    assert_same (&net, 1, 6);
  }
  {
    g_auto (Net) net = net_new (SYM_SHAPE (1503, 37));

    finish (&net, add_unary (&net, "Transpose", add_unary (&net, "Tanh", net.input)));
    assert_same (&net, 1, 2);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-channels/joins-along-each-axis", joins_along_each_axis);
  g_test_add_func ("/run/compile-channels/cuts-along-each-axis", cuts_along_each_axis);
  g_test_add_func ("/run/compile-channels/shuffles-channels", shuffles_channels);
  g_test_add_func ("/run/compile-channels/brings-channels-elsewhere", brings_channels_elsewhere);
  g_test_add_func ("/run/compile-channels/multiplies-by-gates", multiplies_by_gates);
  g_test_add_func ("/run/compile-channels/finds-the-largest-along-axes",
                   finds_the_largest_along_axes);
  g_test_add_func ("/run/compile-channels/shares-large-moves", shares_large_moves);
  return g_test_run ();
}
