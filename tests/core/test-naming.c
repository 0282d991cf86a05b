/* SPDX-License-Identifier: MIT */
#include "core/sym-naming.h"

typedef struct {
  const char *base;
  const char *custom;
  const char *name;
} Case;

static void
check_cases (const SymNamingStrategy *strategy, const char *prefix, const Case *cases, gsize n)
{
  g_autoptr (SymNaming) naming = sym_naming_new (strategy);

  sym_naming_set_prefix (naming, prefix);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpstr (sym_naming_take (naming, cases[i].base, cases[i].custom), ==, cases[i].name);
}

static void
test_symbolic_counts_from_one (void)
{
  static const Case cases[] = {
    { "Linear", NULL, "Linear_1" }, { "ReLU", NULL, "ReLU_1" }, { "Linear", NULL, "Linear_2" },
    { "Linear", "X", "X" },         { "ReLU", "X", "X_2" },     { "Linear", NULL, "Linear_3" },
    { "Linear", "ReLU", "ReLU_2" }, { "ReLU", NULL, "ReLU_3" },
  };

  check_cases (&sym_naming_symbolic, NULL, cases, G_N_ELEMENTS (cases));
}

/* B6. */
static void
test_symbolic_skips_what_is_taken (void)
{
  static const Case cases[] = {
    { "ReLU", "ReLU_1", "ReLU_1" },
    { "ReLU", NULL, "ReLU_2" },
    { "ReLU", "ReLU_2", "ReLU_2_2" },
    { "ReLU", "ReLU_2_2", "ReLU_2_2_2" },
  };

  check_cases (&sym_naming_symbolic, NULL, cases, G_N_ELEMENTS (cases));
}

/* M3: a counter per hint from 0, not used up by names that are given. */
static void
test_mxnet_counts_from_zero (void)
{
  static const Case cases[] = {
    { "convolution", NULL, "convolution0" }, { "convolution", "conv", "conv" },
    { "convolution", NULL, "convolution1" }, { "activation", NULL, "activation0" },
    { "convolution", "conv", "conv" },
  };

  check_cases (&sym_naming_mxnet, NULL, cases, G_N_ELEMENTS (cases));
}

/* M4. */
static void
test_a_prefix_goes_before_both_kinds (void)
{
  static const Case cases[] = {
    { "convolution", NULL, "p_convolution0" },
    { "convolution", "conv", "p_conv" },
  };

  check_cases (&sym_naming_mxnet, "p_", cases, G_N_ELEMENTS (cases));
}

static void
test_lists_are_shortened (void)
{
  static const struct {
    const char *name, *expected;
  } cases[] = {
    { "conv1", "conv1" },
    { "", "" },
    { "a/Relu;a/BiasAdd;a/Conv2D", "a/Relu +2" },
    { ";a/Relu;;a/BiasAdd;", "a/Relu +1" },
    { "a;", "a;" },
    { ";", ";" },
    { "&lt;entity&gt;x", "&lt;entity&gt;x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = sym_naming_shorten (cases[i].name);

      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/naming/symbolic-counts-from-one", test_symbolic_counts_from_one);
  g_test_add_func ("/core/naming/symbolic-skips-what-is-taken", test_symbolic_skips_what_is_taken);
  g_test_add_func ("/core/naming/mxnet-counts-from-zero", test_mxnet_counts_from_zero);
  g_test_add_func ("/core/naming/a-prefix-goes-before-both-kinds",
                   test_a_prefix_goes_before_both_kinds);
  g_test_add_func ("/core/naming/lists-are-shortened", test_lists_are_shortened);
  return g_test_run ();
}
