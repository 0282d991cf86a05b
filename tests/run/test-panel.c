/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "random.h"

#include "run/sym-panel-part-private.h"

/* Products by panels beside a loop of doubles, by each function that this processor can run. */

typedef struct {
  gsize rows, inner, outer;
  gboolean is_turned; /* both matrices lie with rows and columns exchanged */
  gboolean has_bias, has_addend, is_in_place;
  double low, high;
} Case;

static double
multiply_slowly (const Case *self, const float *x, const float *w, gsize i, gsize j)
{
  double sum = 0;

  for (gsize k = 0; k < self->inner; k++)
    sum += (double) x[self->is_turned ? k * self->rows + i : i * self->inner + k] *
           (double) w[self->is_turned ? j * self->inner + k : k * self->outer + j];
  return sum;
}

/* By @multiply, or as narrow ones are multiplied where it is NULL. */
static void
check (const Case *self, SymPanelMultiply multiply)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  gsize stride = self->outer + 3, n = self->rows * stride;
  g_autofree float *x = new_numbers (random, self->rows * self->inner);
  g_autofree float *w = new_numbers (random, self->inner * self->outer);
  g_autofree float *bias = new_numbers (random, self->outer);
  g_autofree float *addend = new_numbers (random, n), *y = g_new0 (float, n + 1);
  float *panels =
      g_aligned_alloc (sym_panel_get_n (self->inner, self->outer) + 1, sizeof *panels, 64);
  gssize inner = (gssize) self->inner, outer = (gssize) self->outer;
  SymPanelProduct product = { .y = y,
                              .y_stride = (gssize) stride,
                              .x = x,
                              .x_stride = self->is_turned ? 1 : inner,
                              .x_step = self->is_turned ? (gssize) self->rows : 1,
                              .panels = panels,
                              .bias = self->has_bias ? bias : NULL,
                              .rows = self->rows,
                              .inner = self->inner,
                              .outer = self->outer,
                              .low = (float) self->low,
                              .high = (float) self->high };

  if (self->has_addend)
    product.addend = self->is_in_place ? y : addend;
  if (self->is_in_place)
    memcpy (y, addend, n * sizeof *y);
  sym_panel_pack (panels, w, self->is_turned ? 1 : outer, self->is_turned ? inner : 1, self->inner,
                  self->outer);
  if (multiply == NULL)
    sym_panel_multiply_narrow (&product);
  else
    sym_panel_multiply_by (&product, multiply);
  for (gsize i = 0; i < self->rows; i++)
    for (gsize j = 0; j < self->outer; j++)
      {
        double sum = multiply_slowly (self, x, w, i, j);

        sum += self->has_bias ? (double) bias[j] : 0;
        sum += self->has_addend ? (double) addend[i * stride + j] : 0;
        sum = CLAMP (sum, self->low, self->high);
        g_assert_cmpfloat_with_epsilon (y[i * stride + j], sum, 1e-4);
      }
  /* Nothing is written between the rows. */
  for (gsize i = 0; i < self->rows; i++)
    for (gsize j = self->outer; j < stride && !self->is_in_place; j++)
      g_assert_true (y[i * stride + j] == 0);
  g_aligned_free (panels);
}

static void
multiplies_matrices_of_any_size (void)
{
  const Case cases[] = {
    { 1, 1, 1, FALSE, FALSE, FALSE, FALSE, -INFINITY, INFINITY },
    { 1, 64, 64, FALSE, TRUE, FALSE, FALSE, 0, INFINITY },
    { 1, 67, 100, FALSE, TRUE, TRUE, FALSE, -1, 2 },
    { 2, 5, 31, TRUE, FALSE, TRUE, TRUE, -INFINITY, INFINITY },
    { 7, 30, 33, FALSE, TRUE, TRUE, TRUE, 0, 6 },
    { 11, 3, 32, TRUE, TRUE, FALSE, FALSE, -INFINITY, INFINITY },
    { 12, 16, 96, FALSE, FALSE, FALSE, FALSE, -INFINITY, 0 },
    { 13, 40, 65, TRUE, TRUE, TRUE, FALSE, 0, INFINITY },
    { 200, 800, 70, FALSE, TRUE, TRUE, TRUE, -3, 3 },
    { 390, 1600, 33, TRUE, FALSE, FALSE, FALSE, -INFINITY, INFINITY },
    { 4, 0, 40, FALSE, TRUE, FALSE, FALSE, -INFINITY, INFINITY },
  };

  for (guint i = 0; sym_panel_get_function (i) != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (cases); j++)
      check (&cases[j], sym_panel_get_function (i));
}

static void
multiplies_narrow_matrices (void)
{
  const Case cases[] = {
    { 16, 1, 1, FALSE, FALSE, FALSE, FALSE, -INFINITY, INFINITY },
    { 63, 20, 2, FALSE, TRUE, FALSE, FALSE, 0, INFINITY },
    { 64, 64, 3, FALSE, TRUE, TRUE, TRUE, -1, 2 },
    { 200, 7, 4, FALSE, FALSE, TRUE, FALSE, -INFINITY, 0 },
    { 65, 0, 4, FALSE, TRUE, FALSE, FALSE, -INFINITY, INFINITY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (&cases[i], NULL);
}

static void
keeps_what_is_not_a_number (void)
{
  for (guint i = 0; sym_panel_get_function (i) != NULL; i++)
    {
      float x[] = { NAN, 1 }, y[] = { 0, 0 }, w = 1;
      float *panels = g_aligned_alloc (sym_panel_get_n (1, 1), sizeof *panels, 64);
      SymPanelProduct product = { .y = y,
                                  .y_stride = 1,
                                  .x = x,
                                  .x_stride = 1,
                                  .x_step = 1,
                                  .panels = panels,
                                  .rows = 2,
                                  .inner = 1,
                                  .outer = 1,
                                  .low = 0,
                                  .high = INFINITY };

      sym_panel_pack (panels, &w, 1, 1, 1, 1);
      sym_panel_multiply_by (&product, sym_panel_get_function (i));
      g_assert_true (isnan (y[0]) && y[1] == 1);
      g_aligned_free (panels);
    }
}

/* What the last part said is next, and how many parts had something else. */
typedef struct {
  const float *ahead;
  guint n_parts, n_surprises;
} Notes;

static Notes notes;

static void
note_part (const SymPanelPart *part, gsize row, gsize end)
{
  if (notes.n_parts++ > 0 && part->panel != notes.ahead)
    notes.n_surprises++;
  g_assert_cmpuint (part->n_ahead, >=, part->n_inner * SYM_PANEL);
  notes.ahead = part->ahead;
}

/* Panels, parts of the inside and of the rows: each is known while the one before is multiplied. */
static void
tells_what_is_next (void)
{
  const gsize rows[] = { 1, 128, 500 }, inner[] = { 40, 3000 }, outer[] = { 20, 96 };
  const float other = 0, *const nexts[] = { NULL, &other };
  g_autofree float *panels = g_new0 (float, sym_panel_get_n (3000, 96));

  for (guint i = 0; i < 24; i++)
    {
      SymPanelProduct product = { .panels = panels,
                                  .rows = rows[i % 3],
                                  .inner = inner[i / 3 % 2],
                                  .outer = outer[i / 6 % 2],
                                  .next = nexts[i / 12] };
      const float *behind = panels + sym_panel_get_n (product.inner, product.outer);

      notes = (Notes){ NULL };
      sym_panel_multiply_by (&product, note_part);
      g_assert_cmpuint (notes.n_parts, >, 0);
      g_assert_cmpuint (notes.n_surprises, ==, 0);
      g_assert_true (notes.ahead == (product.next == NULL ? behind : product.next));
    }
  g_assert_true (sym_panel_has_parts (128, 3072));
  g_assert_false (sym_panel_has_parts (128, 768));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/panel/multiplies-matrices-of-any-size", multiplies_matrices_of_any_size);
  g_test_add_func ("/run/panel/multiplies-narrow-matrices", multiplies_narrow_matrices);
  g_test_add_func ("/run/panel/keeps-what-is-not-a-number", keeps_what_is_not_a_number);
  g_test_add_func ("/run/panel/tells-what-is-next", tells_what_is_next);
  return g_test_run ();
}
