/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "net.h"

/* Activations in compiled plans beside the reference kernels. */

typedef struct {
  const char *type, *attributes;
  int version;
} Case;

static const Case cases[] = {
  { "Celu", "{'alpha': 0.7}", 17 },
  { "Elu", "{'alpha': 1.5}", 17 },
  { "Gelu", "{}", 20 },
  { "Gelu", "{'approximate': 'tanh'}", 20 },
  { "HardSigmoid", "{}", 17 },
  { "HardSigmoid", "{'alpha': 0.1, 'beta': 0.6}", 17 },
  { "HardSwish", "{}", 17 },
  { "LeakyRelu", "{'alpha': 0.3}", 17 },
  { "Mish", "{}", 18 },
  { "Selu", "{}", 17 },
  { "Selu", "{'alpha': 2.0, 'gamma': 0.5}", 17 },
  { "Softplus", "{}", 17 },
  { "Softsign", "{}", 17 },
  { "Swish", "{'alpha': 1.7}", 24 },
  { "ThresholdedRelu", "{'alpha': 0.4}", 17 },
};

/* Near 0, around it, and far away. */
static void
computes_each_near_and_far (void)
{
  const double reach[] = { 1e-3, 3, 40 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint j = 0; j < G_N_ELEMENTS (reach); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (7, 37));
        SymId x = add_binary (&net, "Mul", net.input,
                              add_numbers (&net, SYM_SHAPE (), reach[j], reach[j] * 1.1));

        if (strcmp (cases[i].type, "ThresholdedRelu") == 0 && reach[j] < 1)
          x = add_binary (&net, "Add", x, add_numbers (&net, SYM_SHAPE (), 0.4, 0.4));
        x = add_of_version (&net, cases[i].type, cases[i].version, cases[i].attributes, &x, 1);
        finish (&net, add_unary (&net, "Identity", x));
        {
          g_autoptr (SymPlan) plan = new_plan (net.model, 1);

          g_assert_cmpuint (sym_plan_get_n_steps (plan), ==, 1);
          assert_same (&net, 1, sym_plan_get_calls (plan, 0).n);
        }
      }
}

static void
keeps_what_is_no_number (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 8));
      SymId x = add_of_version (&net, cases[i].type, cases[i].version, cases[i].attributes,
                                &net.input, 1);

      finish (&net, add_unary (&net, "Identity", x));
      {
        g_autoptr (SymPlan) plan = new_plan (net.model, 1);
        g_autoptr (SymRun) run = sym_run_new (plan);
        g_autoptr (SymDatum) datum = new_input (&net);
        const float *y;

        ((float *) sym_datum_get_array (datum)->data)[3] = NAN;
        execute (run, net.input, datum);
        y = sym_datum_get_array (sym_run_get (run, sym_model_get_outputs (net.model).ids[0]))->data;
        for (guint j = 0; j < 16; j++)
          g_assert_cmpint (isnan (y[j]) != 0, ==, j == 3);
      }
    }
}

/* A slope for all, one for each channel, and one for each pixel, of an image and of a
 * convolution. */
static void
computes_slopes (void)
{
  const SymShape shapes[] = { SYM_SHAPE (1), SYM_SHAPE (5, 1, 1), SYM_SHAPE (6, 7),
                              SYM_SHAPE (5, 6, 7) };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (1, 5, 6, 7));
      SymId a = add_binary (&net, "PRelu", net.input, add_numbers (&net, shapes[i], -1, 1));
      SymId operands[] = { a, add_numbers (&net, SYM_SHAPE (5, 5, 1, 1), -1, 1) };
      SymId b = add (&net, "Conv", "{}", operands, 2);

      finish (&net, add_binary (&net, "PRelu", b, add_numbers (&net, shapes[i], -1, 1)));
      assert_same (&net, 1, 3);
    }
}

/* ---- Written out ---- */

static SymId
number (Net *self, double value)
{
  return add_numbers (self, SYM_SHAPE (), value, value);
}

static SymId
multiply_by_gate (Net *self, SymId x, const char *type)
{
  return add_binary (self, "Mul", x, add_unary (self, type, x));
}

static SymId
write_gelu (Net *self, SymId x)
{
  SymId erf = add_unary (self, "Erf", add_binary (self, "Div", x, number (self, G_SQRT2)));
  SymId gate = add_binary (self, "Add", erf, number (self, 1));

  return add_binary (self, "Mul", add_binary (self, "Mul", x, gate), number (self, 0.5));
}

static SymId
write_bent_gelu (Net *self, SymId x)
{
  SymId cube = add_binary (self, "Mul", add_binary (self, "Pow", x, number (self, 3)),
                           number (self, 0.044715));
  SymId inner =
      add_binary (self, "Mul", add_binary (self, "Add", x, cube), number (self, sqrt (2 / G_PI)));
  SymId gate = add_binary (self, "Add", add_unary (self, "Tanh", inner), number (self, 1));

  return add_binary (self, "Mul", add_binary (self, "Mul", number (self, 0.5), x), gate);
}

static SymId
write_hard_swish (Net *self, SymId x)
{
  SymId clip[] = { add_binary (self, "Add", x, number (self, 3)), number (self, 0),
                   number (self, 6) };
  SymId gate = add (self, "Clip", "{}", clip, 3);

  return add_binary (self, "Div", add_binary (self, "Mul", x, gate), number (self, 6));
}

static SymId
write_mish (Net *self, SymId x)
{
  return add_binary (self, "Mul", x, add_unary (self, "Tanh", add_unary (self, "Softplus", x)));
}

static SymId
write_swish (Net *self, SymId x)
{
  SymId inner = add_binary (self, "Mul", x, number (self, 1.702));

  return add_binary (self, "Mul", add_unary (self, "Sigmoid", inner), x);
}

static SymId
write_silu (Net *self, SymId x)
{
  return multiply_by_gate (self, x, "Sigmoid");
}

/* Not what it seems: 0.2 is not 1 / 6. */
static SymId
write_gate (Net *self, SymId x)
{
  return multiply_by_gate (self, x, "HardSigmoid");
}

static SymId (*const written[]) (Net *self, SymId x) = {
  write_gelu, write_bent_gelu, write_hard_swish, write_mish, write_swish, write_silu, write_gate,
};

/* After convolutions of each kind: 1x1, of groups, of each channel, and larger. */
static void
finds_what_is_written_out (void)
{
  const gint64 sizes[] = { 1, 3, 3, 3, 5 }, groups[] = { 1, 2, 20, 1, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (written); i++)
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, 20, 9, 7));
        SymId operands[] = {
          net.input, add_numbers (&net, SYM_SHAPE (20, 20 / groups[j], sizes[j], sizes[j]), -1, 1)
        };
        g_autofree char *attributes = g_strdup_printf ("{'group': %d}", (int) groups[j]);

        finish (&net, written[i](&net, add (&net, "Conv", attributes, operands, 2)));
        {
          g_autoptr (SymPlan) plan = new_plan (net.model, 1);

          assert_same (&net, 1, sym_plan_get_calls (plan, 0).n);
        }
      }
}

/* Others need the parts of it, too. */
static void
leaves_parts_to_others (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 21));
  SymId gate = add_unary (&net, "Sigmoid", net.input);
  SymId a = add_binary (&net, "Mul", net.input, gate);

  sym_model_builder_add_output (net.builder, gate);
  sym_model_builder_add_output (net.builder, a);
  finish (&net, add_binary (&net, "Mul", a, gate));
  assert_same (&net, 1, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-activations/computes-each-near-and-far",
                   computes_each_near_and_far);
  g_test_add_func ("/run/compile-activations/keeps-what-is-no-number", keeps_what_is_no_number);
  g_test_add_func ("/run/compile-activations/computes-slopes", computes_slopes);
  g_test_add_func ("/run/compile-activations/finds-what-is-written-out", finds_what_is_written_out);
  g_test_add_func ("/run/compile-activations/leaves-parts-to-others", leaves_parts_to_others);
  return g_test_run ();
}
