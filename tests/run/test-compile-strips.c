/* SPDX-License-Identifier: MIT */
#include "net.h"
#include "run/sym-step-private.h"

/* Convolutions that are run together by a few rows at a time, beside the reference kernels, and
 * which ones are. */

typedef struct {
  gint64 batch, n_in, height, width, n_inside, n_out, size;
  const char *attributes; /* of the convolution of each channel */
  gboolean is_residual;
} Case;

static SymId
convolve (Net *self, SymId x, gint64 n_in, gint64 n_out)
{
  SymId operands[] = { x, add_numbers (self, SYM_SHAPE (n_out, n_in, 1, 1), -1, 1),
                       add_numbers (self, SYM_SHAPE (n_out), -1, 1) };

  return add (self, "Conv", "{}", operands, 3);
}

static SymId
convolve_each (Net *self, SymId x, const Case *of)
{
  SymId operands[] = { x,
                       add_numbers (self, SYM_SHAPE (of->n_inside, 1, of->size, of->size), -1, 1),
                       add_numbers (self, SYM_SHAPE (of->n_inside), -1, 1) };
  g_autofree char *attributes =
      g_strdup_printf ("{'group': %d, %s}", (int) of->n_inside, of->attributes);

  return add (self, "Conv", attributes, operands, 3);
}

/* As blocks of MobileNet are: wider, each channel by itself, narrower. */
static void
computes_inverted_residuals (void)
{
  const Case cases[] = {
    { 1, 7, 41, 43, 37, 7, 3, "'pads': [1, 1, 1, 1]", TRUE },
    { 2, 8, 40, 30, 40, 8, 5, "'pads': [2, 2, 2, 2]", TRUE },
    { 1, 5, 60, 37, 33, 9, 3, "'pads': [1, 1, 1, 1], 'strides': [2, 2]", FALSE },
    { 1, 5, 50, 37, 35, 9, 3, "'pads': [0, 2, 3, 1], 'strides': [3, 1]", FALSE },
    { 1, 4, 61, 33, 34, 4, 3, "'pads': [2, 2, 2, 2], 'dilations': [2, 2]", TRUE },
    { 3, 4, 90, 11, 65, 4, 3, "'pads': [4, 0, 4, 2]", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *of = &cases[i];
      g_auto (Net) net = net_new (SYM_SHAPE (of->batch, of->n_in, of->height, of->width));
      SymId x = add_unary (&net, "Relu", convolve (&net, net.input, of->n_in, of->n_in));
      SymId y = add_unary (&net, "HardSwish", convolve (&net, x, of->n_in, of->n_inside));

      y = add_unary (&net, "Relu", convolve_each (&net, y, of));
      y = convolve (&net, y, of->n_inside, of->n_out);
      if (of->is_residual)
        y = add_binary (&net, "Add", x, y);
      finish (&net, add_unary (&net, "Abs", y));
      assert_same (&net, 1, of->is_residual ? 9 : 8);
    }
}

/* Several in a row, without a sum between them. */
static void
computes_long_strips (void)
{
  const Case of = { 1, 6, 44, 41, 36, 6, 3, "'pads': [1, 1, 1, 1]", FALSE };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 6, 44, 41));
  SymId x = net.input;

  for (guint i = 0; i < 3; i++)
    {
      x = convolve (&net, x, i == 0 ? 6 : 36, 36);
      x = convolve_each (&net, convolve_each (&net, x, &of), &of);
    }
  finish (&net, x);
  assert_same (&net, 1, 9);
}

static SymPlanOp
make_op (SymPlanGraph *graph, guint x, gint64 n_in, gint64 n_out, gint64 side, gint64 groups)
{
  SymPlanTensor tensor = { .value = SYM_NO_ID,
                           .shape = SYM_SHAPE (1, n_out, side, side),
                           .n = (gsize) (n_out * side * side) };
  gint64 size = groups == 1 ? 1 : 3;

  g_array_append_val (graph->tensors, tensor);
  return (SymPlanOp){ .kind = SYM_PLAN_CONVOLUTION,
                      .x = x,
                      .y = graph->tensors->len - 1,
                      .addend = SYM_PLAN_NONE,
                      .inner = (gsize) n_in,
                      .outer = (gsize) n_out,
                      .groups = groups,
                      .kernel = { size, size },
                      .strides = { 1, 1 },
                      .dilations = { 1, 1 },
                      .pads = { size / 2, size / 2, size / 2, size / 2 },
                      .from = { 1, (gsize) n_in, (gsize) side, (gsize) side },
                      .to = { 1, (gsize) n_out, (gsize) side, (gsize) side } };
}

/* What is large between them and light otherwise. */
static void
joins_what_is_worth_it (void)
{
  g_autoptr (SymPlanGraph) graph = sym_plan_graph_new (NULL, NULL);
  SymPlanOp input = make_op (graph, 0, 1, 24, 56, 1);
  SymPlanOp wide = make_op (graph, input.y, 24, 144, 56, 1);
  SymPlanOp each = make_op (graph, wide.y, 144, 144, 56, 144);
  SymPlanOp small = make_op (graph, 0, 144, 144, 14, 144);
  SymPlanOp after_small = make_op (graph, small.y, 144, 24, 14, 1);
  SymPlanOp heavy = make_op (graph, 0, 512, 512, 56, 1);
  SymPlanOp after_heavy = make_op (graph, heavy.y, 512, 512, 56, 512);

  g_assert_true (sym_strip_joins (graph, &wide, &each));
  g_assert_false (sym_strip_joins (graph, &each, &wide));
  g_assert_false (sym_strip_joins (graph, &small, &after_small));
  g_assert_false (sym_strip_joins (graph, &heavy, &after_heavy));
  each.addend = wide.y;
  g_assert_false (sym_strip_joins (graph, &wide, &each));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-strips/computes-inverted-residuals", computes_inverted_residuals);
  g_test_add_func ("/run/compile-strips/computes-long-strips", computes_long_strips);
  g_test_add_func ("/run/compile-strips/joins-what-is-worth-it", joins_what_is_worth_it);
  return g_test_run ();
}
