/* SPDX-License-Identifier: MIT */
#include "live-fixture.h"

/* Layers that make tuples or take them apart, as graphs of them compute; numbers are torch 1.13's.
 */

/* Parameter i, counted from 1, is ((7 j + 3 i) mod 9) / 8 - 1/2 at element j; the input is the same
 * with i = 0. */
static SymDatum *
new_pattern (const SymShape *shape, guint i)
{
  SymDatum *datum = sym_datum_new (SYM_DTYPE_FLOAT32, shape, NULL);
  const SymArray *array = sym_datum_get_array (datum);

  for (gsize j = 0; j < sym_array_get_n_elements (array); j++)
    ((float *) array->data)[j] = (float) ((7 * j + 3 * i) % 9) / 8 - 0.5f;
  return datum;
}

static void
set_patterns (SymLayer *layer)
{
  for (guint i = 0; i < sym_layer_get_n_parameters (layer); i++)
    {
      const SymType *type;
      SymParameter *parameter = sym_layer_get_parameter (layer, i, NULL, &type);
      g_autoptr (SymDatum) datum = new_pattern (&type->shape, i + 1);
      g_autoptr (SymTensor) tensor = sym_tensor_new_copy (sym_datum_get_array (datum), NULL);

      sym_parameter_set_tensor (parameter, tensor);
    }
}

static SymNode *
call_on_pattern (Fixture *self, SymLayer *layer)
{
  g_autoptr (SymDatum) datum = new_pattern (&SYM_SHAPE (3, 2, 2), 0);

  set_patterns (layer);
  return sym_layer_call (layer, sym_graph_add_value (self->graph, datum, &self->error),
                         &self->error);
}

static void
assert_value (Fixture *self, SymNode *node, const char *expected)
{
  SymDatum *value = sym_node_get_value (node, &self->error);

  g_assert_no_error (self->error);
  {
    g_autoptr (SymDatum) other = kernel_case_read (expected);
    const KernelCase one = { .op = expected, .tolerance = 2e-5 };

    kernel_case_compare (&one, sym_datum_get_array (value), sym_datum_get_array (other));
  }
}

static void
lstms_make_outputs_and_states (Fixture *self, gconstpointer data)
{
  SymNode *both = call_on_pattern (self, sym_nn_lstm (self->graph, 2, 2, &self->error));
  SymNode *parts[2], *states[2];

  g_assert_true (sym_node_unpack (both, parts, 2, &self->error));
  g_assert_true (sym_node_unpack (parts[1], states, 2, &self->error));
  assert_value (self, parts[0],
                "float32 3,2,2: -0.0602148 0.1445184 -0.05219707 0.04250847 -0.09939364 0.2130783 "
                "-0.08837969 0.06398778 -0.1266501 0.1431453 -0.11167 0.07672159");
  assert_value (self, states[0], "float32 1,2,2: -0.1266501 0.1431453 -0.11167 0.07672159");
  assert_value (self, states[1], "float32 1,2,2: -0.2862915 0.2215452 -0.2380153 0.1404712");
}

static void
lstms_are_stacked_and_run_both_ways (Fixture *self, gconstpointer data)
{
  SymNode *both =
      call_on_pattern (self, sym_nn_lstm (self->graph, 2, 1, &self->error, .n_layers = 2,
                                          .bidirectional = TRUE, .batch_first = TRUE));
  SymNode *parts[2], *states[2];

  g_assert_true (sym_node_unpack (both, parts, 2, &self->error));
  g_assert_true (sym_node_unpack (parts[1], states, 2, &self->error));
  assert_value (self, parts[0],
                "float32 3,2,2: -0.02092187 0.1389684 -0.03558758 0.09483276 -0.01940416 0.1386979 "
                "-0.03326538 0.094699 -0.02043875 0.1370066 -0.03417555 0.09377018");
  assert_value (self, states[0],
                "float32 4,3,1: 0.1358523 0.1264083 0.1447921 0.04827296 0.06272888 0.07662981 "
                "-0.03558758 -0.03326538 -0.03417555 0.1389684 0.1386979 0.1370066");
  assert_value (self, states[1],
                "float32 4,3,1: 0.2838377 0.2646916 0.3112787 0.1163653 0.1576249 0.157858 "
                "-0.1005281 -0.09404913 -0.09636669 0.278729 0.2767156 0.2750084");
}

static void
grus_and_rnns_have_one_state (Fixture *self, gconstpointer data)
{
  SymNode *gru =
      call_on_pattern (self, sym_nn_gru (self->graph, 2, 2, &self->error, .no_bias = TRUE));
  SymNode *ways =
      call_on_pattern (self, sym_nn_gru (self->graph, 2, 1, &self->error, .bidirectional = TRUE));
  SymNode *rnn = call_on_pattern (
      self, sym_nn_recurrent_with (self->graph, "RNN", 2, 2,
                                   &(SymRecurrentOptions){ .n_layers = 2 }, &self->error));

  assert_value (self, sym_slice (gru, "0", &self->error),
                "float32 3,2,2: -0.0570219 0.1446212 0.01537587 -0.05744635 -0.08278972 0.2336257 "
                "0.02166819 -0.07238022 -0.02490179 0.01317801 0.0247695 -0.06998372");
  assert_value (self, sym_slice (gru, "-1", &self->error),
                "float32 1,2,2: -0.02490179 0.01317801 0.0247695 -0.06998372");
  assert_value (self, sym_slice (ways, "0", &self->error),
                "float32 3,2,2: 0.1047285 0.2392673 0.1585995 0.3982843 0.1290602 0.2249812 "
                "0.2149473 0.387317 0.2893443 0.1091048 0.2263329 0.2996912");
  assert_value (self, sym_slice (ways, "1", &self->error),
                "float32 2,2,1: 0.2893443 0.2263329 0.2392673 0.3982843");
  assert_value (self, sym_slice (rnn, "1", &self->error),
                "float32 2,2,2: -0.5280187 -0.1502393 -0.7080521 0.2583376 -0.05442995 -0.1469411 "
                "-0.0960028 -0.2977152");
}

/* The index is numpy's and torch's. */
static void
tensors_are_sliced (Fixture *self, gconstpointer data)
{
  static const struct {
    const char *index, *expected;
  } cases[] = {
    { "0", "int64 3,4: 0 1 2 3 4 5 6 7 8 9 10 11" },
    { "-1, 1", "int64 4: 16 17 18 19" },
    { "1, 2, -4", "int64 : 20" },
    { ":, 1:, ::3", "int64 2,2,2: 4 7 8 11 16 19 20 23" },
    { "..., 0", "int64 2,3: 0 4 8 12 16 20" },
    { "1, None, ..., -2:", "int64 1,3,2: 14 15 18 19 22 23" },
    { "None, :, 2, 1:-1", "int64 1,2,2: 9 10 21 22" },
    { ":, 5:", "int64 2,0,4:" },
    { "0, -9:2, 3", "int64 2: 3 7" },
  };
  SymNode *x = add_value (
      self, kernel_case_read ("int64 2,3,4: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 "
                              "19 20 21 22 23"));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_value (self, sym_slice (x, cases[i].index, &self->error), cases[i].expected);
}

/* torch.median along a dimension: of even numbers the lower of the middle, with its place. */
static void
medians_come_with_their_places (Fixture *self, gconstpointer data)
{
  SymNode *x = add_value (self, kernel_case_read ("float32 2,4: 3 1 2 9 4 4.5 -1 0"));
  SymNode *pair = sym_median (x, &self->error, .dim = SYM_SHAPE (1)), *parts[2];

  g_assert_true (sym_node_unpack (pair, parts, 2, &self->error));
  assert_value (self, parts[0], "float32 2: 2 0");
  assert_value (self, parts[1], "int64 2: 2 3");
}

#define ADD(path, function) \
  g_test_add ("/run/live-layers/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("lstms-make-outputs-and-states", lstms_make_outputs_and_states);
  ADD ("lstms-are-stacked-and-run-both-ways", lstms_are_stacked_and_run_both_ways);
  ADD ("grus-and-rnns-have-one-state", grus_and_rnns_have_one_state);
  ADD ("tensors-are-sliced", tensors_are_sliced);
  ADD ("medians-come-with-their-places", medians_come_with_their_places);
  return g_test_run ();
}
