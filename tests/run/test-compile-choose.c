/* SPDX-License-Identifier: MIT */
#include "net.h"

/* Compiled plans of what chooses between numbers. */

/* Booleans as a constant: those of a lower triangle, and of the first column. */
static SymId
add_condition (Net *self, SymShape shape)
{
  SymType type = sym_type_tensor (SYM_DTYPE_BOOL, shape);
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  gint64 columns = shape.rank == 0 ? 1 : shape.dims[shape.rank - 1];
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;
  guint64 n;
  guint8 *flags;

  g_assert_true (sym_shape_get_n_elements (&shape, &n));
  flags = g_new (guint8, n);
  for (guint64 i = 0; i < n; i++)
    flags[i] = (gint64) i % columns <= (gint64) i / columns;
  bytes = g_bytes_new_take (flags, n);
  blob = sym_blob_new_bytes (bytes);
  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_BOOL, &shape, blob, 0, NULL));
  return value;
}

/* The condition is constant, or computed by a kernel before. */
static void
chooses_by_conditions (void)
{
  const struct {
    SymShape condition, x, other;
  } cases[] = {
    { SYM_SHAPE (4, 6), SYM_SHAPE (3, 4, 6), SYM_SHAPE () },
    { SYM_SHAPE (3, 4, 6), SYM_SHAPE (1, 6), SYM_SHAPE (3, 4, 1) },
    { SYM_SHAPE (3, 1, 6), SYM_SHAPE (3, 4, 6), SYM_SHAPE (4, 6) },
    { SYM_SHAPE (1), SYM_SHAPE (3, 4, 6), SYM_SHAPE (1) },
    { SYM_SHAPE (3, 4, 1), SYM_SHAPE (6), SYM_SHAPE (1, 4, 6) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint how = 0; how < 4; how++)
      {
        gboolean is_computed = how >= 2, is_right = how % 2 == 1;
        g_auto (Net) net = net_new (is_computed ? cases[i].condition : cases[i].x);
        SymId zero = add_numbers (&net, SYM_SHAPE (), 0, 0);
        SymId condition = is_computed ? add_binary (&net, "Greater", net.input, zero)
                                      : add_condition (&net, cases[i].condition);
        SymId x = is_computed ? add_numbers (&net, cases[i].x, -1, 1) : net.input;
        SymId other = add_numbers (&net, cases[i].other, 3, 4);

        finish (&net, add (&net, "Where", "{}",
                           (SymId[]){ condition, is_right ? other : x, is_right ? x : other }, 3));
        assert_same (&net, is_computed ? 2 : 1, 1);
      }
}

/* softmax (x . x^T with numbers in place of some) . x, the condition constant or computed, for what
 * stays or for what does not, the numbers far below the others or not. */
static void
masks_attention (void)
{
  const double fills[] = { -1e9, -3.4e38, -1, -20000 };

  for (guint i = 0; i < G_N_ELEMENTS (fills); i++)
    for (guint how = 0; how < 8; how++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, 9, 9));
        SymId turned = add (&net, "Transpose", "{'perm': [0, 2, 1]}", &net.input, 1);
        SymId scores = add_binary (&net, "MatMul", net.input, turned);
        SymId fill = add_numbers (&net, SYM_SHAPE (), fills[i], fills[i]);
        SymId zero = add_numbers (&net, SYM_SHAPE (), 0, 0);
        SymId condition = how % 4 == 0   ? add_condition (&net, SYM_SHAPE (1, 9, 9))
                          : how % 4 == 1 ? add_condition (&net, SYM_SHAPE (9))
                          : how % 4 == 2 ? add_condition (&net, SYM_SHAPE (9, 1))
                                         : add_binary (&net, "Greater", net.input, zero);
        SymId left = how < 4 ? scores : fill, right = how < 4 ? fill : scores;

        scores = add (&net, "Where", "{}", (SymId[]){ condition, left, right }, 3);
        finish (&net,
                add_binary (&net, "MatMul", add (&net, "Softmax", "{}", &scores, 1), net.input));
        assert_same (&net, how % 4 == 3 ? 2 : 1, 5);
      }
}

/* min (softmax (...) * 1e38, 1) tells 0 from what is next to it. */
static void
leaves_nothing_of_masked_scores (void)
{
  const SymShape shapes[] = { SYM_SHAPE (5, 7), SYM_SHAPE (3, 200) };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_auto (Net) net = net_new (shapes[i]);
      SymId condition = add_condition (&net, SYM_SHAPE (shapes[i].dims[1]));
      SymId fill = add_numbers (&net, SYM_SHAPE (), -1e4, -1e4);
      SymId scores = add (&net, "Where", "{}", (SymId[]){ condition, net.input, fill }, 3);
      SymId large = add_numbers (&net, SYM_SHAPE (), 1e38, 1e38);
      SymId one = add_numbers (&net, SYM_SHAPE (), 1, 1);
      SymId raised = add_binary (&net, "Mul", add (&net, "Softmax", "{}", &scores, 1), large);

      finish (&net, add (&net, "Min", "{}", (SymId[]){ raised, one }, 2));
      assert_same (&net, 1, 4);
    }
}

static void
takes_triangles (void)
{
  const char *const sides[] = { "{}", "{'upper': 0}" };
  const gint64 diagonals[] = { 0, 2, -1, -100, G_MAXINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    for (guint j = 0; j < G_N_ELEMENTS (diagonals); j++)
      {
        g_auto (Net) net = net_new (SYM_SHAPE (2, 5, 7));
        SymId diagonal = add_integers (&net, &diagonals[j], 1);
        SymId part =
            add (&net, "Trilu", sides[i], (SymId[]){ net.input, j == 0 ? SYM_NO_ID : diagonal }, 2);

        finish (&net, add_binary (&net, "Add", part, net.input));
        assert_same (&net, 1, 2);
      }
}

static void
takes_the_largest_and_the_smallest (void)
{
  const char *const types[] = { "Max", "Min", "Sum" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (3, 5, 7));
      SymId a = add_numbers (&net, SYM_SHAPE (5, 1), -1, 1);
      SymId b = add_numbers (&net, SYM_SHAPE (), -0.5, 0.5), c = add_unary (&net, "Neg", net.input);

      sym_model_builder_add_output (net.builder,
                                    add (&net, types[i], "{}", (SymId[]){ b, net.input }, 2));
      finish (&net, add (&net, types[i], "{}", (SymId[]){ net.input, a, b, c }, 4));
      assert_same (&net, 1, 3);
    }
}

static void
rounds_and_turns (void)
{
  const char *const types[] = { "Floor", "Ceil", "Round", "Sign", "Sin", "Cos" };
  const double sizes[] = { 10, 1000, 1e6 };

  for (guint i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (3, 57));
      double size = sizes[i % G_N_ELEMENTS (sizes)];
      SymId factor = add_numbers (&net, SYM_SHAPE (57), -size, size);
      SymId large = add_binary (&net, "Mul", net.input, factor);

      finish (&net, add_unary (&net, types[i / G_N_ELEMENTS (sizes)], large));
      assert_same (&net, 1, 2);
    }
}

/* From integers and booleans that kernels make. */
static void
makes_numbers_of_integers (void)
{
  const int dtypes[] = { 6, 7, 9 };

  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    {
      g_auto (Net) net = net_new (SYM_SHAPE (2, 3, 5, 7));
      g_autofree char *to = g_strdup_printf ("{'to': %d}", dtypes[i]);
      SymId large = add_binary (&net, "Mul", net.input, add_numbers (&net, SYM_SHAPE (), 9, 10));
      SymId whole = add (&net, "Cast", to, &large, 1);

      finish (&net, add_unary (&net, "Neg", add (&net, "Cast", "{'to': 1}", &whole, 1)));
      assert_same (&net, 3, 3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/compile-choose/chooses-by-conditions", chooses_by_conditions);
  g_test_add_func ("/run/compile-choose/masks-attention", masks_attention);
  g_test_add_func ("/run/compile-choose/leaves-nothing-of-masked-scores",
                   leaves_nothing_of_masked_scores);
  g_test_add_func ("/run/compile-choose/takes-triangles", takes_triangles);
  g_test_add_func ("/run/compile-choose/takes-the-largest-and-the-smallest",
                   takes_the_largest_and_the_smallest);
  g_test_add_func ("/run/compile-choose/rounds-and-turns", rounds_and_turns);
  g_test_add_func ("/run/compile-choose/makes-numbers-of-integers", makes_numbers_of_integers);
  return g_test_run ();
}
