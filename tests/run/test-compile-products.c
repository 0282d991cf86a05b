/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Compiled plans of products of matrices in all their forms. */

/* A computed matrix of that shape. */
static SymId
add_computed (Net *self, SymShape shape)
{
  SymId total = add (self, "ReduceMax", "{'keepdims': 0}", &self->input, 1);

  return add_binary (self, "Mul", add_numbers (self, shape, -1, 1), total);
}

static void
computes_gemm (void)
{
  const struct {
    const char *attributes;
    SymShape x, other, c;
    gboolean is_constant, is_c_constant;
    guint n_calls;
  } cases[] = {
    { "{}", SYM_SHAPE (3, 5), SYM_SHAPE (5, 7), SYM_SHAPE (7), TRUE, TRUE, 1 },
    { "{}", SYM_SHAPE (3, 5), SYM_SHAPE (5, 7), SYM_SHAPE (), TRUE, TRUE, 1 },
    { "{}", SYM_SHAPE (3, 5), SYM_SHAPE (5, 7), SYM_SHAPE (3, 1), TRUE, TRUE, 1 },
    { "{}", SYM_SHAPE (3, 5), SYM_SHAPE (5, 7), SYM_SHAPE (1, 7), TRUE, FALSE, 3 },
    { "{'beta': 0.5}", SYM_SHAPE (3, 5), SYM_SHAPE (5, 7), SYM_SHAPE (3, 7), TRUE, TRUE, 1 },
    { "{'alpha': 2.0, 'transA': 1, 'transB': 1, 'beta': -2.0}", SYM_SHAPE (5, 3), SYM_SHAPE (7, 5),
      SYM_SHAPE (7), TRUE, TRUE, 1 },
    { "{'alpha': 2.0, 'transA': 1, 'transB': 1, 'beta': -2.0}", SYM_SHAPE (5, 3), SYM_SHAPE (7, 5),
      SYM_SHAPE (7), FALSE, TRUE, 3 },
    { "{'transB': 1}", SYM_SHAPE (4, 40), SYM_SHAPE (70, 40), SYM_SHAPE (4, 70), FALSE, FALSE, 5 },
    { "{'transA': 1}", SYM_SHAPE (40, 40), SYM_SHAPE (40, 7), SYM_SHAPE (1), FALSE, TRUE, 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (cases[i].x);
      SymId other = cases[i].is_constant ? add_numbers (&net, cases[i].other, -1, 1)
                                         : add_computed (&net, cases[i].other);
      SymId c = cases[i].is_c_constant ? add_numbers (&net, cases[i].c, -1, 1)
                                       : add_computed (&net, cases[i].c);

      finish (&net, add (&net, "Gemm", cases[i].attributes, (SymId[]){ net.input, other, c }, 3));
      assert_same (&net, 1, cases[i].n_calls);
    }
}

static void
computes_sums_of_products (void)
{
  const struct {
    const char *equation;
    SymShape x, other;
  } cases[] = {
    { "ij,jk->ik", SYM_SHAPE (3, 5), SYM_SHAPE (5, 7) },
    { "bij , bkj -> bik", SYM_SHAPE (2, 3, 5), SYM_SHAPE (2, 7, 5) },
    { "bihd,bjhd->bhij", SYM_SHAPE (2, 9, 3, 5), SYM_SHAPE (2, 8, 3, 5) },
    { "bhij,bjhd->bihd", SYM_SHAPE (2, 3, 9, 8), SYM_SHAPE (2, 8, 3, 5) },
    { "bihd,hde->bie", SYM_SHAPE (2, 9, 3, 5), SYM_SHAPE (3, 5, 11) },
    { "bihd,hed->ebi", SYM_SHAPE (2, 9, 3, 5), SYM_SHAPE (3, 11, 5) },
    { "i,j->ji", SYM_SHAPE (6), SYM_SHAPE (9) },
    { "bi,bi->b", SYM_SHAPE (9, 6), SYM_SHAPE (9, 6) },
    { "bchw,dc->bdhw", SYM_SHAPE (2, 6, 4, 3), SYM_SHAPE (7, 6) },
    { "nctv,vw->nctw", SYM_SHAPE (2, 6, 4, 5), SYM_SHAPE (5, 5) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint how = 0; how < 3; how++)
      {
        g_auto (Net) net = net_new (how == 2 ? cases[i].other : cases[i].x);
        g_autofree char *attributes = g_strdup_printf ("{'equation': '%s'}", cases[i].equation);
        SymId other = how == 0   ? add_numbers (&net, cases[i].other, -1, 1)
                      : how == 1 ? add_computed (&net, cases[i].other)
                                 : add_numbers (&net, cases[i].x, -1, 1);
        SymId operands[] = { how == 2 ? other : net.input, how == 2 ? net.input : other };

        finish (&net, add (&net, "Einsum", attributes, operands, 2));
        assert_same (&net, 1, how == 1 ? 3 : 1);
      }
}

/* Letters twice in a term, sums of one operand alone, dots, and one operand or three. */
static void
leaves_other_sums_to_kernels (void)
{
  const struct {
    const char *equation;
    guint n;
  } cases[] = { { "ii,ij->ij", 2 }, { "ik,ij->j", 2 },     { "...j,jk->...k", 2 },
                { "ij->ji", 1 },    { "ij,jk,kl->il", 3 }, { "ij,jk", 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (4, 4));
      g_autofree char *attributes = g_strdup_printf ("{'equation': '%s'}", cases[i].equation);
      SymId other = add_numbers (&net, SYM_SHAPE (4, 4), -1, 1);

      finish (&net,
              add (&net, "Einsum", attributes, (SymId[]){ net.input, other, other }, cases[i].n));
      assert_same (&net, 1, 0);
    }
}

/* A matrix that many products have is packed once, and held once. */
static void
packs_weights_once (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 64));
  SymId weights = add_numbers (&net, SYM_SHAPE (64, 64), -0.2, 0.2), x = net.input;
  g_autoptr (SymPlan) plan = NULL;

  for (guint i = 0; i < 10; i++)
    x = add_binary (&net, "MatMul", x, weights);
  finish (&net, x);
  assert_same (&net, 1, 10);
  plan = new_plan (net.model, 1);
  g_assert_cmpuint (sym_plan_get_n_weight_bytes (plan), <, 2 * 64 * 64 * sizeof (float));
}

/* Though it is used before and after calls that run as they are. */
static void
packs_weights_once_for_all_steps (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 64));
  SymId weights = add_numbers (&net, SYM_SHAPE (64, 64), -0.2, 0.2), x = net.input;
  g_autoptr (SymPlan) plan = NULL;

  for (guint i = 0; i < 4; i++)
    x = add_unary (&net, "Hardmax", add_binary (&net, "MatMul", x, weights));
  finish (&net, x);
  assert_same (&net, 8, 4);
  plan = new_plan (net.model, 1);
  g_assert_cmpuint (sym_plan_get_n_weight_bytes (plan), <, 2 * 64 * 64 * sizeof (float));
}

/* As tables of positions are multiplied by the weights of each layer. */
static void
multiplies_constants_once (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (200, 256));
  SymId table = add_numbers (&net, SYM_SHAPE (200, 256), -1, 1);
  SymId weights = add_numbers (&net, SYM_SHAPE (256, 256), -0.1, 0.1);

  finish (&net, add_binary (&net, "Add", net.input, add_binary (&net, "MatMul", table, weights)));
  assert_same (&net, 1, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-products/computes-gemm", computes_gemm);
  g_test_add_func ("/run/compile-products/computes-sums-of-products", computes_sums_of_products);
  g_test_add_func ("/run/compile-products/leaves-other-sums-to-kernels",
                   leaves_other_sums_to_kernels);
  g_test_add_func ("/run/compile-products/multiplies-constants-once", multiplies_constants_once);
  g_test_add_func ("/run/compile-products/packs-weights-once", packs_weights_once);
  g_test_add_func ("/run/compile-products/packs-weights-once-for-all-steps",
                   packs_weights_once_for_all_steps);
  return g_test_run ();
}
