/* SPDX-License-Identifier: MIT */
#include "net.h"
#include "questions.h"

#include <string.h>

/* Compiled plans of recurrent layers. */

typedef struct {
  const char *type, *attributes;
  gint64 n_gates, n_states;
} Kind;

/* All kinds of cells that are compiled. */
static const Kind kinds[] = {
  { "RNN", "", 1, 1 },  { "RNN", "'activations': ['Relu', 'Relu'], ", 1, 1 },
  { "GRU", "", 3, 1 },  { "GRU", "'linear_before_reset': 1, ", 3, 1 },
  { "LSTM", "", 4, 2 },
};

typedef struct {
  gint64 steps, batch, inputs, features;
  const char *direction;
  gboolean is_batch_first, has_bias, has_states;
} Case;

static gint64
count_directions (const Case *test)
{
  return strcmp (test->direction, "bidirectional") == 0 ? 2 : 1;
}

/* A call with all its results; @lengths may be SYM_NO_ID. */
static SymId
add_recurrent (Net *self, const Kind *kind, const Case *test, SymId x, SymId lengths)
{
  gint64 d = count_directions (test), h = test->features, gates = kind->n_gates * h;
  double most = 1.2 / sqrt ((double) h); /* so that differences do not grow from step to step */
  SymShape state =
      test->is_batch_first ? SYM_SHAPE (test->batch, d, h) : SYM_SHAPE (d, test->batch, h);
  SymId operands[7] = { x, add_numbers (self, SYM_SHAPE (d, gates, test->inputs), -0.5, 0.5),
                        add_numbers (self, SYM_SHAPE (d, gates, h), -most, most) };
  g_autofree char *names =
      g_strdup (d == 1 && strstr (kind->attributes, "Relu") != NULL ? "'activations': ['relu'], "
                                                                    : kind->attributes);
  g_autofree char *text = g_strdup_printf ("{%s'direction': '%s', 'layout': %d, 'hidden_size': %d}",
                                           names, test->direction, test->is_batch_first, (int) h);
  g_autoptr (SymValue) parsed = sym_value_parse (text);
  g_autoptr (SymAttributes) list = sym_attributes_new ();
  g_autoptr (SymLayer) layer = NULL;

  g_assert_nonnull (parsed);
  for (guint i = 0; i < sym_value_get_n_children (parsed); i++)
    sym_attributes_set (list, sym_value_get_key (parsed, i),
                        sym_value_ref ((SymValue *) sym_value_get_child (parsed, i)), NULL);
  operands[3] = test->has_bias ? add_numbers (self, SYM_SHAPE (d, 2 * gates), -1, 1) : SYM_NO_ID;
  operands[4] = lengths;
  for (gint64 i = 5; i < 7; i++)
    operands[i] =
        test->has_states && i - 5 < kind->n_states ? add_numbers (self, state, -1, 1) : SYM_NO_ID;
  layer = sym_layer_new (kind->type, sym_op_find ("", kind->type, 17), list);
  return sym_model_builder_add_call (self->builder, NULL, layer, operands,
                                     5 + (guint) kind->n_states, 1 + (guint) kind->n_states);
}

static SymShape
get_input (const Case *test)
{
  return test->is_batch_first ? SYM_SHAPE (test->batch, test->steps, test->inputs)
                              : SYM_SHAPE (test->steps, test->batch, test->inputs);
}

static const Case cases[] = {
  { 1, 1, 3, 4, "forward", FALSE, FALSE, FALSE },
  { 5, 1, 7, 33, "forward", FALSE, TRUE, FALSE },
  { 5, 1, 7, 33, "reverse", FALSE, TRUE, TRUE },
  { 6, 3, 8, 16, "bidirectional", FALSE, TRUE, TRUE },
  { 6, 3, 8, 17, "bidirectional", TRUE, TRUE, TRUE },
  { 4, 9, 40, 70, "reverse", TRUE, FALSE, TRUE },
  { 3, 200, 2, 5, "bidirectional", FALSE, TRUE, FALSE },
};

/* Every result is wanted, or only some. */
static void
computes_cells (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (cases); j++)
      for (guint wanted = 1; wanted < 1u << (1 + kinds[i].n_states); wanted++)
        {
          g_auto (Net) net = net_new (get_input (&cases[j]));
          SymId call = add_recurrent (&net, &kinds[i], &cases[j], net.input, SYM_NO_ID);
          SymId last = SYM_NO_ID;

          for (guint k = 0; k < 1 + kinds[i].n_states; k++)
            if (wanted & (1u << k))
              {
                if (last != SYM_NO_ID)
                  sym_model_builder_add_output (net.builder, last);
                last = sym_model_builder_get_result (net.builder, call, k);
              }
          finish (&net, last);
          assert_same (&net, 1, 1);
        }
}

/* Steps that take so long that threads share them, and features that are no multiple of a vector.
 */
static void
shares_steps_among_threads (void)
{
  const Case large[] = { { 9, 1, 8, 544, "forward", FALSE, TRUE, TRUE },
                         { 4, 3, 8, 512, "reverse", TRUE, TRUE, FALSE },
                         { 3, 2, 8, 520, "forward", FALSE, FALSE, TRUE },
                         { 3, 1, 8, 512, "bidirectional", FALSE, TRUE, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (large); j++)
      {
        g_auto (Net) net = net_new (get_input (&large[j]));
        SymId call = add_recurrent (&net, &kinds[i], &large[j], net.input, SYM_NO_ID);

        for (guint k = 0; k < kinds[i].n_states; k++)
          sym_model_builder_add_output (net.builder,
                                        sym_model_builder_get_result (net.builder, call, k + 1));
        finish (&net, sym_model_builder_get_result (net.builder, call, 0));
        for (guint n_threads = 1; n_threads <= 4; n_threads++)
          assert_same_in_threads (&net, n_threads, 1, 1);
      }
}

/* As frameworks have it: the directions of a step side by side, for the next layer. */
static void
computes_layers_of_layers (void)
{
  const Case test = { 7, 3, 12, 10, "bidirectional", FALSE, TRUE, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (3, 7, 12));
      SymId x = add (&net, "Transpose", "{'perm': [1, 0, 2]}", &net.input, 1);

      for (guint j = 0; j < 2; j++)
        {
          Case inner = test;
          SymId call;

          inner.inputs = j == 0 ? 12 : 20;
          call = add_recurrent (&net, &kinds[i], &inner, x, SYM_NO_ID);
          x = sym_model_builder_get_result (net.builder, call, 0);
          x = add (&net, "Transpose", "{'perm': [0, 2, 1, 3]}", &x, 1);
          x = add_binary (&net, "Reshape", x, add_integers (&net, (gint64[]){ 7, 3, -1 }, 3));
        }
      finish (&net, add (&net, "Transpose", "{'perm': [1, 0, 2]}", &x, 1));
      assert_same (&net, 1, 8);
    }
}

/* Sequences that are all whole are as if nothing were told; others are the kernel's. */
static void
leaves_lengths_to_kernels (void)
{
  const Case test = { 5, 2, 4, 6, "forward", FALSE, TRUE, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (gint64 shorter = 0; shorter < 2; shorter++)
      {
        g_auto (Net) net = net_new (get_input (&test));
        SymId lengths = add_integers (&net, (gint64[]){ 5, 5 - shorter }, 2);
        SymId call = add_recurrent (&net, &kinds[i], &test, net.input, lengths);

        finish (&net, sym_model_builder_get_result (net.builder, call, 0));
        assert_same (&net, 1, shorter == 0 ? 1 : 0);
      }
}

/* ---- Stopping ---- */

/* Though it has one slice. */
static void
stops_between_steps (void)
{
  const Case test = { 20000, 1, 8, 160, "forward", FALSE, TRUE, FALSE };
  g_auto (Net) net = net_new (get_input (&test));
  SymId call = add_recurrent (&net, &kinds[4], &test, net.input, SYM_NO_ID);

  finish (&net, sym_model_builder_get_result (net.builder, call, 1));
  {
    g_autoptr (SymPlan) plan = new_plan (net.model, 1);
    g_autoptr (SymRun) run = sym_run_new (plan);
    g_autoptr (SymDatum) datum = new_input (&net);
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (GError) error = NULL;

    sym_run_feed (run, net.input, datum, NULL);
    questions_start (G_MAXINT);
    g_assert_true (sym_run_execute (run, cancellable, NULL));
    g_assert_cmpuint (questions_end (), >, 20000 / 256);
    questions_start (20);
    g_assert_false (sym_run_execute (run, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_cmpuint (questions_end (), ==, 21);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-recurrent/computes-cells", computes_cells);
  g_test_add_func ("/run/compile-recurrent/shares-steps-among-threads", shares_steps_among_threads);
  g_test_add_func ("/run/compile-recurrent/computes-layers-of-layers", computes_layers_of_layers);
  g_test_add_func ("/run/compile-recurrent/leaves-lengths-to-kernels", leaves_lengths_to_kernels);
  g_test_add_func ("/run/compile-recurrent/stops-between-steps", stops_between_steps);
  return g_test_run ();
}
