/* SPDX-License-Identifier: MIT */
#include "net.h"
#include "random.h"

#include "run/sym-halves-private.h"
#include "run/sym-tiles-private.h"

/* Products by tiles of halves beside sums of doubles, where the processor has such tiles. */

typedef struct {
  gsize rows, inner, outer;
  gboolean is_turned, has_scales, has_bias, has_addend;
  double low, high;
} Case;

#define GAP 3 /* numbers between the rows of x and those of y */

typedef struct {
  float *x, *weights, *scales, *bias, *addend;
} Numbers;

/* And how large its terms are together. */
static double
multiply_slowly (const Case *self, const Numbers *numbers, gsize i, gsize j, double *size)
{
  double sum = 0;

  *size = 1;
  for (gsize k = 0; k < self->inner; k++)
    {
      gsize place = self->is_turned ? j * self->inner + k : k * self->outer + j;
      double scale = self->has_scales ? (double) numbers->scales[j] : 1;
      double term = (double) numbers->x[i * (self->inner + GAP) + k] *
                    (double) numbers->weights[place] * scale;

      sum += term;
      *size += fabs (term);
    }
  sum += self->has_bias ? (double) numbers->bias[j] : 0;
  sum += self->has_addend ? (double) numbers->addend[i * (self->outer + GAP) + j] : 0;
  return CLAMP (sum, self->low, self->high);
}

static void
check (const Case *self)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  Numbers numbers = { new_numbers (random, self->rows * (self->inner + GAP)),
                      new_numbers (random, self->inner * self->outer),
                      new_numbers (random, self->outer), new_numbers (random, self->outer),
                      new_numbers (random, self->rows * (self->outer + GAP)) };
  gsize stride = self->outer + GAP;
  g_autofree float *y = g_new0 (float, self->rows *stride);
  void *x = g_aligned_alloc (sym_halves_get_row_bytes (self->rows, self->inner), 1, 64);
  void *panels = g_aligned_alloc (sym_halves_get_panel_bytes (self->inner, self->outer), 1, 64);
  SymHalvesMatrix matrix = { .from = numbers.weights,
                             .row_stride = self->is_turned ? 1 : (gssize) self->outer,
                             .column_stride = self->is_turned ? (gssize) self->inner : 1,
                             .scales = self->has_scales ? numbers.scales : NULL,
                             .inner = self->inner,
                             .outer = self->outer };
  SymHalvesProduct product = { .x = x,
                               .panels = panels,
                               .n_rows = self->rows,
                               .inner = self->inner,
                               .outer = self->outer,
                               .bias = self->has_bias ? numbers.bias : NULL,
                               .addend = self->has_addend ? numbers.addend : NULL,
                               .y = y,
                               .y_stride = stride,
                               .low = (float) self->low,
                               .high = (float) self->high };

  sym_halves_split (numbers.x, self->inner + GAP, self->rows, self->inner, x);
  sym_halves_pack (&matrix, panels);
  sym_halves_multiply (&product);
  for (gsize i = 0; i < self->rows; i++)
    {
      for (gsize j = 0; j < self->outer; j++)
        {
          double size, right = multiply_slowly (self, &numbers, i, j, &size);

          g_assert_cmpfloat_with_epsilon (y[i * stride + j], right, size * 0x1p-16);
        }
      /* Nothing is written between the rows. */
      for (gsize j = self->outer; j < stride; j++)
        g_assert_true (y[i * stride + j] == 0);
    }
  g_aligned_free (x);
  g_aligned_free (panels);
  g_free (numbers.x);
  g_free (numbers.weights);
  g_free (numbers.scales);
  g_free (numbers.bias);
  g_free (numbers.addend);
}

static gboolean
has_tiles (void)
{
  if (!sym_tiles_have_halves ())
    g_test_skip ("the processor has no tiles of halves");
  return sym_tiles_have_halves ();
}

static void
multiplies_matrices_of_any_size (void)
{
  static const Case cases[] = {
    { 1, 1, 1, FALSE, FALSE, FALSE, FALSE, -INFINITY, INFINITY },
    { 16, 32, 32, FALSE, FALSE, FALSE, FALSE, -INFINITY, INFINITY },
    { 32, 64, 32, TRUE, FALSE, FALSE, FALSE, -INFINITY, INFINITY },
    { 17, 33, 31, TRUE, TRUE, TRUE, TRUE, -INFINITY, INFINITY },
    { 49, 100, 65, FALSE, TRUE, TRUE, TRUE, 0, INFINITY },
    { 70, 5, 130, TRUE, FALSE, TRUE, FALSE, -0.5, 0.75 },
    { 5, 300, 16, FALSE, FALSE, FALSE, TRUE, -INFINITY, 0 },
    { 33, 31, 48, TRUE, TRUE, FALSE, FALSE, -INFINITY, INFINITY },
    { 64, 1024, 96, FALSE, FALSE, TRUE, TRUE, -INFINITY, INFINITY },
  };

  for (guint i = 0; has_tiles () && i < G_N_ELEMENTS (cases); i++)
    check (&cases[i]);
}

/* One row times one column. */
static float
multiply_one (float left, float right)
{
  char x[4096] __attribute__ ((aligned (64))), panels[4096] __attribute__ ((aligned (64)));
  SymHalvesMatrix matrix = { &right, 1, 1, NULL, 1, 1 };
  float y;
  SymHalvesProduct product = { .x = x,
                               .panels = panels,
                               .n_rows = 1,
                               .inner = 1,
                               .outer = 1,
                               .y = &y,
                               .y_stride = 1,
                               .low = -INFINITY,
                               .high = INFINITY };

  g_assert_cmpuint (sym_halves_get_row_bytes (1, 1), <=, sizeof x);
  g_assert_cmpuint (sym_halves_get_panel_bytes (1, 1), <=, sizeof panels);
  sym_halves_split (&left, 1, 1, 1, x);
  sym_halves_pack (&matrix, panels);
  sym_halves_multiply (&product);
  return y;
}

static void
keeps_odd_numbers (void)
{
  if (!has_tiles ())
    return;
  g_assert_true (isnan (multiply_one (NAN, 1)));
  g_assert_true (isnan (multiply_one (INFINITY, 0)));
  g_assert_true (multiply_one (INFINITY, -2) == -INFINITY);
  g_assert_true (multiply_one (3, -INFINITY) == -INFINITY);
  g_assert_true (multiply_one (3.4028235e38f, 0) == 0);
  g_assert_cmpfloat_with_epsilon (multiply_one (3.4028235e38f, 0.5f), 1.70141173e38, 1e33);
  g_assert_true (multiply_one (255, 255) == 65025);
  g_assert_true (multiply_one (-1.5f, 0.25f) == -0.375f);
}

/* ---- Plans ---- */

/* Products with near and with far weights, as they lie and turned, of rows that are no whole tiles.
 */
static void
compiles_products (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (3, 27, 150));
  SymId x = add_binary (&net, "MatMul", net.input, add_numbers (&net, SYM_SHAPE (150, 700), -1, 1));

  x = add_binary (&net, "Add", x, add_numbers (&net, SYM_SHAPE (700), -1, 1));
  x = add_unary (&net, "Relu", x);
  x = add_binary (&net, "MatMul", x, add_numbers (&net, SYM_SHAPE (700, 610), -1, 1));
  x = add_binary (&net, "Reshape", x, add_integers (&net, (const gint64[]){ 81, 610 }, 2));
  x = add (&net, "Gemm", "{'transB': 1, 'alpha': 0.5}",
           (SymId[]){ x, add_numbers (&net, SYM_SHAPE (90, 610), -1, 1),
                      add_numbers (&net, SYM_SHAPE (90), -1, 1) },
           3);
  finish (&net, x);
  assert_same (&net, 1, 6);
}

/* Pixels, and what becomes of them: more channels, fewer with a sum, and functions. */
static void
compiles_pixels (void)
{
  g_auto (Net) net = net_new (SYM_SHAPE (2, 40, 9, 11));
  SymId wide = add (&net, "Conv", "{}",
                    (SymId[]){ net.input, add_numbers (&net, SYM_SHAPE (200, 40, 1, 1), -1, 1),
                               add_numbers (&net, SYM_SHAPE (200), -1, 1) },
                    3);
  SymId x = add_unary (&net, "HardSwish", wide);

  x = add_binary (&net, "Conv", x, add_numbers (&net, SYM_SHAPE (40, 200, 1, 1), -1, 1));
  x = add_unary (&net, "Relu", add_binary (&net, "Add", x, net.input));
  x = add_binary (&net, "Conv", x, add_numbers (&net, SYM_SHAPE (900, 40, 1, 1), -1, 1));
  x = add_binary (&net, "Conv", x, add_numbers (&net, SYM_SHAPE (410, 900, 1, 1), -1, 1));
  finish (&net, x);
  assert_same (&net, 1, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/run/halves/multiplies-matrices-of-any-size", multiplies_matrices_of_any_size);
  g_test_add_func ("/run/halves/keeps-odd-numbers", keeps_odd_numbers);
  g_test_add_func ("/run/halves/compiles-products", compiles_products);
  g_test_add_func ("/run/halves/compiles-pixels", compiles_pixels);

  return g_test_run ();
}
