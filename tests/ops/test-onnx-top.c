/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-kernel.h"
#include "ops/sym-op.h"

/* TopK of rows of any length, which are sorted in several ways, beside a search for one element
 * after the other. */

typedef struct {
  int size, n_inner, k;
  gboolean largest;
} Case;

/* Few different numbers, so that many are equal, and what is hard to compare. */
static float
get_number (GRand *random)
{
  static const float hard[] = { NAN, -NAN, INFINITY, -INFINITY, 0, -0.f, 1e-42f, -1e-42f };
  int i = g_rand_int_range (random, 0, 60);

  return i < (int) G_N_ELEMENTS (hard) ? hard[i] : (float) (i - 30) / 4;
}

/* NaN is above all. */
static gboolean
is_before (float a, float b, gboolean largest)
{
  if (isnan (a) || isnan (b))
    return largest ? isnan (a) && !isnan (b) : !isnan (a) && isnan (b);
  return largest ? a > b : a < b;
}

static void
assert_top (const Case *self, const float *x, const float *values, const gint64 *indices)
{
  g_autofree gboolean *used = g_new (gboolean, (gsize) self->size);

  for (int column = 0; column < self->n_inner; column++)
    {
      memset (used, 0, (gsize) self->size * sizeof *used);
      for (int i = 0; i < self->k; i++)
        {
          int at = i * self->n_inner + column, best = -1;

          for (int j = 0; j < self->size; j++)
            if (!used[j] &&
                (best < 0 || is_before (x[j * self->n_inner + column],
                                        x[best * self->n_inner + column], self->largest)))
              best = j;
          used[best] = TRUE;
          g_assert_cmpint (indices[at], ==, best);
          g_assert_cmpmem (&values[at], sizeof (float), &x[best * self->n_inner + column],
                           sizeof (float));
        }
    }
}

static void
run_case (const Case *self, GRand *random)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymDatum) x =
      sym_datum_new (SYM_DTYPE_FLOAT32, &SYM_SHAPE (self->size, self->n_inner), NULL);
  g_autoptr (SymDatum) k = sym_datum_new (SYM_DTYPE_INT64, &SYM_SHAPE (1), NULL);
  float *numbers = sym_datum_get_array (x)->data;
  g_autoptr (SymLayer) layer = NULL;
  g_autoptr (SymKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;
  SymDatum *outputs[2] = { NULL };

  for (int i = 0; i < self->size * self->n_inner; i++)
    numbers[i] = get_number (random);
  *(gint64 *) sym_datum_get_array (k)->data = self->k;
  sym_attributes_set (attributes, "axis", sym_value_new_int (0), NULL);
  sym_attributes_set (attributes, "largest", sym_value_new_int (self->largest), NULL);
  layer = sym_layer_new ("TopK", sym_op_find ("", "TopK", 11), attributes);
  kernel = sym_kernel_new (layer, NULL);
  sym_kernel_run (kernel, (SymDatum *[]){ x, k }, 2, outputs, 2, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (sym_shape_equal (&sym_datum_get_array (outputs[0])->shape,
                                  &SYM_SHAPE (self->k, self->n_inner)));
  assert_top (self, numbers, sym_datum_get_array (outputs[0])->data,
              sym_datum_get_array (outputs[1])->data);
  sym_datum_unref (outputs[0]);
  sym_datum_unref (outputs[1]);
}

static void
sorts_rows_of_any_length (void)
{
  const int sizes[] = { 1, 2, 7, 48, 49, 100, 700, 1500 };
  const int parts[] = { 1, 2, 7, 9, 40 };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint j = 0; j < G_N_ELEMENTS (parts); j++)
      for (int way = 0; way < 4; way++)
        {
          Case one = { sizes[i], way / 2 + 1, MAX (sizes[i] / parts[j], 1), way % 2 };

          run_case (&one, random);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/onnx-top/sorts-rows-of-any-length", sorts_rows_of_any_length);
  return g_test_run ();
}
