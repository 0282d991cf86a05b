/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Compiled plans of what lies behind a number of examples that only the run knows. */

/* The steps that choose examples, of which one is compiled. */
#define N_CHOOSING 5

static SymId
add_choice (Net *self, SymId x, double least)
{
  const gint64 axis = 0;
  SymId mean = add (self, "ReduceMean", "{'axes': [1, 2, 3], 'keepdims': 0}", &x, 1);
  SymId above = add_binary (self, "Greater", mean, add_numbers (self, SYM_SHAPE (), least, least));
  SymId places = add_binary (self, "Squeeze", add_unary (self, "NonZero", above),
                             add_integers (self, &axis, 1));

  return add_binary (self, "Gather", x, places);
}

static SymId
add_convolution (Net *self, SymId x, SymShape weights, const char *attributes)
{
  SymId operands[] = { x, add_numbers (self, weights, -1, 1),
                       add_numbers (self, SYM_SHAPE (weights.dims[0]), -1, 1) };

  return add (self, "Conv", attributes, operands, 3);
}

/* Behind about half of the examples, none of which is compiled with the others. */
static void
assert_goes_through (const Net *self, guint n_together, guint n_others)
{
  assert_same (self, N_CHOOSING + 1 + n_others, 1 + n_together);
}

/* Of many pixels, one at a time, and of few, several. */
static void
convolves_images_of_any_size (void)
{
  const gint64 sides[] = { 20, 9, 6, 3, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (41, 16, sides[i], sides[i]));
      SymId x = add_choice (&net, net.input, 0), y;

      y = add_convolution (&net, x, SYM_SHAPE (32, 16, 3, 3), "{'pads': [1, 1, 1, 1]}");
      y = add_unary (&net, "Relu", y);
      y = add_convolution (&net, y, SYM_SHAPE (32, 32, 3, 3), "{'pads': [1, 1, 1, 1]}");
      y = add_unary (&net, "Sigmoid", y);
      finish (&net, add_convolution (&net, y, SYM_SHAPE (7, 32, 1, 1), "{}"));
      assert_goes_through (&net, 5, 0);
    }
}

static void
takes_norms_sums_and_sizes (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (19, 8, 7, 7));
  SymId x = add_choice (&net, net.input, 0), y, norm[5];

  y = add_convolution (&net, x, SYM_SHAPE (8, 8, 3, 3), "{'pads': [1, 1, 1, 1]}");
  norm[0] = add_binary (&net, "Add", y, x);
  for (int i = 1; i < 5; i++)
    norm[i] = add_numbers (&net, SYM_SHAPE (8), 0.5, 1.5);
  y = add (&net, "BatchNormalization", "{}", norm, 5);
  y = add_binary (&net, "Mul", y, add_numbers (&net, SYM_SHAPE (8, 1, 1), 0.5, 2));
  y = add (&net, "ConvTranspose", "{'strides': [2, 2]}",
           (SymId[]){ y, add_numbers (&net, SYM_SHAPE (8, 5, 2, 2), -1, 1) }, 2);
  y = add (&net, "MaxPool", "{'kernel_shape': [2, 2], 'strides': [2, 2]}", &y, 1);
  y = add (&net, "Transpose", "{'perm': [0, 2, 3, 1]}", &y, 1);
  y = add (&net, "Softmax", "{'axis': -1}", &y, 1);
  finish (&net, add (&net, "Flatten", "{'axis': 1}", &y, 1));
  assert_goes_through (&net, 9, 0);
}

/* What looks at other examples is a step of its own, as is what needs it. */
static void
leaves_what_mixes_examples (void)
{
  const char *const mixing[][2] = {
    { "Softmax", "{'axis': 0}" },
    { "Transpose", "{'perm': [1, 0, 2, 3]}" },
    { "ReduceMax", "{'axes': [0], 'keepdims': 1}" },
    { "CumSum", "{}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (mixing); i++)
    {
      const gint64 axis = 0;
      g_auto (Net) net = net_new (SYM_SHAPE (15, 4, 5, 5));
      SymId x = add_choice (&net, net.input, 0), operands[2];

      operands[0] = add_convolution (&net, x, SYM_SHAPE (4, 4, 3, 3), "{}");
      operands[1] = add_integers (&net, &axis, 1);
      finish (&net, add (&net, mixing[i][0], mixing[i][1], operands, i == 3 ? 2 : 1));
      assert_goes_through (&net, 1, 1);
    }
}

/* Steps between need not be done first, and values that others need are there. */
static void
gives_what_others_need (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (23, 6, 8, 8));
  SymId x = add_choice (&net, net.input, 0), a, b, c, whole;

  a = add_convolution (&net, x, SYM_SHAPE (6, 6, 3, 3), "{'pads': [1, 1, 1, 1]}");
  whole = add (&net, "ReduceSum", "{'keepdims': 1}", &a, 1);
  b = add_unary (&net, "Tanh", a);
  c = add_convolution (&net, b, SYM_SHAPE (6, 6, 3, 3), "{'pads': [1, 1, 1, 1]}");
  sym_model_builder_add_output (net.builder, b);
  sym_model_builder_add_output (net.builder, add_binary (&net, "Mul", b, whole));
  finish (&net, c);
  assert_goes_through (&net, 3, 2);
}

/* As many in each run as the numbers fed to it choose, down to none; and again. */
static void
takes_as_many_as_there_are (void)
{
  const int counts[] = { 7, 0, 1, 12, 3 };
  g_auto (Net) net = net_new (SYM_SHAPE (12, 2, 6, 6));
  SymId x = add_choice (&net, net.input, 0);
  g_autoptr (SymPlan) plan = NULL, reference = NULL;
  g_autoptr (SymRun) run = NULL, oracle = NULL;

  finish (&net, add_convolution (&net, x, SYM_SHAPE (3, 2, 3, 3), "{}"));
  plan = new_plan (net.model, 2);
  reference = new_plan (net.model, 0);
  run = sym_run_new (plan);
  oracle = sym_run_new (reference);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (SymDatum) datum = new_input (&net);
      float *numbers = sym_datum_get_array (datum)->data;
      SymId output = sym_model_get_outputs (net.model).ids[0];
      const SymArray *y;

      for (int k = 0; k < 12 * 72; k++)
        numbers[k] = fabsf (numbers[k]) * (k / 72 < counts[i] ? 1 : -1);
      execute (run, net.input, datum);
      execute (oracle, net.input, datum);
      y = sym_datum_get_array (sym_run_get (run, output));
      g_assert_true (sym_shape_equal (&y->shape, &SYM_SHAPE (counts[i], 3, 4, 4)));
      if (counts[i] > 0)
        assert_near (sym_run_get (run, output), sym_run_get (oracle, output), 1e-4);
    }
}

/* Times are told of compiled steps that are watched, too. */
static void
tells_times (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (9, 3, 6, 6));
  SymId x = add_choice (&net, net.input, -2), y;
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymDatum) datum = NULL;
  Seen seen = { NULL };
  SymId call;

  y = add_convolution (&net, x, SYM_SHAPE (4, 3, 3, 3), "{}");
  finish (&net, y);
  call = sym_model_get_producer (net.model, y);
  plan = new_plan (net.model, 2);
  datum = new_input (&net);
  seen = (Seen){ sym_run_new (plan), g_new0 (SymDatum *, sym_model_get_n_values (net.model)),
                 sym_model_get_n_values (net.model) };
  sym_run_set_watch (seen.run, see, &seen);
  execute (seen.run, net.input, datum);
  g_assert_nonnull (seen.data[y]);
  g_assert_cmpfloat (sym_run_get_call_milliseconds (seen.run, call), >, 0);
  seen_clear (&seen);
}

static void
ends_when_cancelled (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (9, 3, 6, 6));
  SymId x = add_choice (&net, net.input, -2);
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  g_autoptr (SymDatum) datum = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  finish (&net, add_convolution (&net, x, SYM_SHAPE (4, 3, 3, 3), "{}"));
  plan = new_plan (net.model, 1);
  run = sym_run_new (plan);
  datum = new_input (&net);
  execute (run, net.input, datum);
  g_cancellable_cancel (cancellable);
  g_assert_false (sym_run_execute (run, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-open/convolves-images-of-any-size", convolves_images_of_any_size);
  g_test_add_func ("/run/compile-open/takes-norms-sums-and-sizes", takes_norms_sums_and_sizes);
  g_test_add_func ("/run/compile-open/leaves-what-mixes-examples", leaves_what_mixes_examples);
  g_test_add_func ("/run/compile-open/gives-what-others-need", gives_what_others_need);
  g_test_add_func ("/run/compile-open/takes-as-many-as-there-are", takes_as_many_as_there_are);
  g_test_add_func ("/run/compile-open/tells-times", tells_times);
  g_test_add_func ("/run/compile-open/ends-when-cancelled", ends_when_cancelled);
  return g_test_run ();
}
