/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Compiled plans of pictures that are read at places of their own. */

static SymShape
get_shape (gint64 first, gint64 second, int n, const gint64 *sizes, gboolean is_grid)
{
  SymShape shape = { .rank = n + 2, .dims = { first, second } };

  for (int i = 0; i < n; i++)
    shape.dims[(is_grid ? 1 : 2) + i] = sizes[i];
  if (is_grid)
    shape.dims[n + 1] = second;
  return shape;
}

static SymId
add_sample (Net *self, SymId x, SymId grid, const char *attributes)
{
  return add_of_version (self, "GridSample", 20, attributes, (SymId[]){ x, grid }, 2);
}

static const char *const modes[] = { "linear", "nearest", "cubic" };
static const char *const paddings[] = { "zeros", "border", "reflection" };

/* Reads @x at places within and beyond it, in one way. */
static void
assert_samples (gint64 channels, int n, const gint64 *sizes, const gint64 *places, guint way)
{
  g_auto (Net) net = net_new (get_shape (2, channels, n, sizes, FALSE));
  SymId x = add_unary (&net, "Tanh", net.input);
  SymId grid = add_numbers (&net, get_shape (2, n, n, places, TRUE), -1.7, 1.7);
  g_autofree char *attributes =
      g_strdup_printf ("{'mode': '%s', 'padding_mode': '%s', 'align_corners': %u}", modes[way % 3],
                       paddings[way / 3 % 3], way / 9);

  finish (&net, add_sample (&net, x, grid, attributes));
  assert_same (&net, 1, 2);
}

static void
samples_in_all_ways (void)
{
  const gint64 sizes[] = { 5, 9, 7 }, places[] = { 4, 6, 5 };

  for (guint way = 0; way < 18; way++)
    for (int n = 1; n <= 3; n++)
      {
        assert_samples (3, n, sizes, places, way);
        assert_samples (17, n, sizes, places, way);
      }
}

/* Of one element there is nothing in between. */
static void
samples_single_elements (void)
{
  for (guint way = 0; way < 18; way++)
    assert_samples (4, 2, (const gint64[]){ 1, 1 }, (const gint64[]){ 3, 3 }, way);
}

/* A grid that is computed, of a constant picture. */
static void
samples_a_constant (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 11, 13, 2));
  SymId x = add_numbers (&net, SYM_SHAPE (2, 19, 6, 8), -1, 1);

  finish (&net, add_sample (&net, x, add_unary (&net, "Sin", net.input), "{}"));
  assert_same (&net, 1, 2);
}

/* What is no number is read next to the picture, in both. */
static void
samples_at_no_number (void)
{
  const float grid[] = { NAN, 0, 0, INFINITY, -INFINITY, -INFINITY, 1e30f, -1e30f };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 2, 2, 2));
  SymId x = add_numbers (&net, SYM_SHAPE (1, 5, 3, 4), 1, 2);
  g_autoptr (SymPlan) reference = NULL, plan = NULL;
  g_autoptr (SymRun) run = NULL, oracle = NULL;
  g_autoptr (SymDatum) datum = NULL;
  SymIds outputs;

  finish (&net, add_sample (&net, x, add_unary (&net, "Identity", net.input),
                            "{'padding_mode': 'border'}"));
  reference = new_plan (net.model, 0);
  plan = new_plan (net.model, 1);
  run = sym_run_new (plan);
  oracle = sym_run_new (reference);
  outputs = sym_model_get_outputs (net.model);
  datum = new_input (&net);
  memcpy (sym_datum_get_array (datum)->data, grid, sizeof grid);
  execute (run, net.input, datum);
  execute (oracle, net.input, datum);
  assert_near (sym_run_get (run, outputs.ids[0]), sym_run_get (oracle, outputs.ids[0]), 1e-6);
}

static void
makes_grids (void)
{
  const gint64 sizes[][5] = { { 2, 3, 5, 7 }, { 2, 3, 1, 4 }, { 2, 1, 3, 4, 5 } };
  const gint64 ranks[] = { 4, 4, 5 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      guint of = i / 2;
      g_auto (Net) net = net_new (SYM_SHAPE (2, ranks[of] - 2, ranks[of] - 1));
      SymId theta = add_unary (&net, "Tanh", net.input);
      SymId operands[] = { theta, add_integers (&net, sizes[of], ranks[of]) };

      finish (&net, add_of_version (&net, "AffineGrid", 20,
                                    i % 2 == 0 ? "{'align_corners': 1}" : "{}", operands, 2));
      assert_same (&net, 1, 2);
    }
}

/* Sums that reach beyond the first and last channels, and all of them. */
static void
norms_locally (void)
{
  const char *const attributes[] = {
    "{'size': 5}",
    "{'size': 2, 'alpha': 0.9, 'beta': 0.5, 'bias': 2.0}",
    "{'size': 3, 'alpha': 1.5, 'beta': 1.0, 'bias': 1.5}",
    "{'size': 40, 'alpha': 2.0, 'beta': 0.3}",
  };
  const gint64 channels[] = { 1, 16, 21 };

  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (channels); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, channels[j], 9, 7));
        SymId x = add_unary (&net, "Neg", net.input);

        finish (&net, add (&net, "LRN", attributes[i], &x, 1));
        assert_same (&net, 1, 2);
      }
}

/* Exponents of their own, and one for all. */
static void
raises_to_powers (void)
{
  const double exponents[] = { 0.75, -1.3, 2.5, 31, 0, -0.5 };

  for (guint i = 0; i < G_N_ELEMENTS (exponents); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (3, 37));
      SymId x = add_binary (&net, "Add", net.input, add_numbers (&net, SYM_SHAPE (), 1.5, 1.5));
      SymId all = add_numbers (&net, SYM_SHAPE (), exponents[i], exponents[i]);

      sym_model_builder_add_output (net.builder, add_binary (&net, "Pow", x, all));
      finish (&net, add_binary (&net, "Pow", x, net.input));
      assert_same (&net, 1, 3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-samples/samples-in-all-ways", samples_in_all_ways);
  g_test_add_func ("/run/compile-samples/samples-single-elements", samples_single_elements);
  g_test_add_func ("/run/compile-samples/samples-a-constant", samples_a_constant);
  g_test_add_func ("/run/compile-samples/samples-at-no-number", samples_at_no_number);
  g_test_add_func ("/run/compile-samples/makes-grids", makes_grids);
  g_test_add_func ("/run/compile-samples/norms-locally", norms_locally);
  g_test_add_func ("/run/compile-samples/raises-to-powers", raises_to_powers);
  return g_test_run ();
}
