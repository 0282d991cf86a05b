/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "random.h"

#include "run/sym-bytes-private.h"

/* Products of bytes beside a loop of integers, by each kind of loops that this processor can run.
 */

typedef struct {
  gsize rows, inner, outer;
  gboolean is_turned, has_zeros, has_terms, has_bias, has_addend;
  guint8 flip;
  double low, high;
} Case;

static guint8 *
new_bytes (GRand *random, gsize n)
{
  guint8 *bytes = g_new (guint8, n + 1);

  /* The largest there are, too, of which a product of 16 bits would be too large. */
  for (gsize i = 0; i < n; i++)
    bytes[i] = i % 3 == 0 ? (i % 2 == 0 ? 255 : 128) : (guint8) g_rand_int_range (random, 0, 256);
  return bytes;
}

typedef struct {
  guint8 *x, *weights;
  float *scales, *bias, *addend;
  gint32 *zeros, *terms, *column_sums, *row_sums;
  gsize stride, n_padded;
} Numbers;

static gint32
get_weight (const Case *self, const Numbers *numbers, gsize k, gsize j)
{
  guint8 bits = numbers->weights[self->is_turned ? j * self->inner + k : k * self->outer + j];

  return (gint8) (guint8) (bits + self->flip);
}

static Numbers
new_case (const Case *self)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  Numbers numbers = { .stride = sym_bytes_get_stride (self->inner),
                      .n_padded =
                          (self->outer + SYM_BYTES_PANEL - 1) / SYM_BYTES_PANEL * SYM_BYTES_PANEL };

  numbers.x = new_bytes (random, self->rows * numbers.stride);
  numbers.weights = new_bytes (random, self->inner * self->outer);
  numbers.scales = new_numbers (random, numbers.n_padded);
  numbers.bias = new_numbers (random, numbers.n_padded);
  numbers.addend = new_numbers (random, self->rows * (self->outer + 3));
  numbers.zeros = g_new0 (gint32, numbers.n_padded);
  numbers.terms = g_new0 (gint32, numbers.n_padded);
  numbers.column_sums = g_new0 (gint32, numbers.n_padded);
  numbers.row_sums = g_new0 (gint32, self->rows);
  for (gsize j = 0; j < self->outer; j++)
    {
      numbers.zeros[j] = self->has_zeros ? g_rand_int_range (random, -128, 128) : 0;
      numbers.terms[j] = g_rand_int_range (random, -100000, 100000);
    }
  for (gsize i = 0; i < self->rows; i++)
    for (gsize k = 0; k < self->inner; k++)
      numbers.row_sums[i] += numbers.x[i * numbers.stride + k];
  return numbers;
}

static void
clear (Numbers *numbers)
{
  g_free (numbers->x);
  g_free (numbers->weights);
  g_free (numbers->scales);
  g_free (numbers->bias);
  g_free (numbers->addend);
  g_free (numbers->zeros);
  g_free (numbers->terms);
  g_free (numbers->column_sums);
  g_free (numbers->row_sums);
}

#define ZERO 77
#define SCALE 0.25f

static double
multiply_slowly (const Case *self, const Numbers *numbers, gsize i, gsize j)
{
  gint64 sum = self->has_terms ? numbers->terms[j] : 0;
  double y;

  for (gsize k = 0; k < self->inner; k++)
    sum += (numbers->x[i * numbers->stride + k] - ZERO) *
           (get_weight (self, numbers, k, j) - numbers->zeros[j]);
  y = (double) sum * (double) (numbers->scales[j] * SCALE);
  y += self->has_bias ? (double) numbers->bias[j] : 0;
  y += self->has_addend ? (double) numbers->addend[i * (self->outer + 3) + j] : 0;
  return CLAMP (y, self->low, self->high);
}

static void
check (const Case *self, const SymBytesLoops *loops)
{
  Numbers numbers = new_case (self);
  gint8 *panels = g_aligned_alloc (sym_bytes_get_n (self->inner, self->outer) + 1, 1, 64);
  gsize y_stride = self->outer + 3;
  g_autofree float *y = g_new0 (float, self->rows *y_stride);
  SymBytesMatrix matrix = { .from = numbers.weights,
                            .row_stride = self->is_turned ? 1 : (gssize) self->outer,
                            .column_stride = self->is_turned ? (gssize) self->inner : 1,
                            .flip = self->flip,
                            .inner = self->inner,
                            .outer = self->outer };
  SymBytesProduct product = { .x = numbers.x,
                              .x_stride = numbers.stride,
                              .rows = self->rows,
                              .inner = self->inner,
                              .outer = self->outer,
                              .panels = panels,
                              .zero = ZERO,
                              .column_sums = numbers.column_sums,
                              .weights_zeros = self->has_zeros ? numbers.zeros : NULL,
                              .row_sums = self->has_zeros ? numbers.row_sums : NULL,
                              .terms = self->has_terms ? numbers.terms : NULL,
                              .scale = SCALE,
                              .scales = numbers.scales,
                              .bias = self->has_bias ? numbers.bias : NULL,
                              .addend = self->has_addend ? numbers.addend : NULL,
                              .y = y,
                              .y_stride = y_stride,
                              .low = (float) self->low,
                              .high = (float) self->high };

  sym_bytes_pack (&matrix, panels, numbers.column_sums);
  for (gsize j = 0; j < self->outer; j++)
    numbers.column_sums[j] -= (gint32) self->inner * numbers.zeros[j];
  loops->multiply (&product);
  for (gsize i = 0; i < self->rows; i++)
    {
      for (gsize j = 0; j < self->outer; j++)
        {
          double right = multiply_slowly (self, &numbers, i, j);

          g_assert_cmpfloat_with_epsilon (y[i * y_stride + j], right, 1e-6 * MAX (fabs (right), 1));
        }
      /* Nothing is written between the rows. */
      for (gsize j = self->outer; j < y_stride; j++)
        g_assert_true (y[i * y_stride + j] == 0);
    }
  g_aligned_free (panels);
  clear (&numbers);
}

static void
multiplies_matrices_of_any_size (void)
{
  static const Case cases[] = {
    { 1, 1, 1, FALSE, FALSE, FALSE, FALSE, FALSE, 0, -INFINITY, INFINITY },
    { 1, 64, 64, FALSE, FALSE, FALSE, TRUE, FALSE, 0, 0, INFINITY },
    { 1, 67, 100, TRUE, TRUE, TRUE, TRUE, TRUE, 128, -100, 200 },
    { 2, 5, 31, FALSE, TRUE, FALSE, FALSE, TRUE, 0, -INFINITY, INFINITY },
    { 3, 256, 32, TRUE, FALSE, TRUE, FALSE, FALSE, 128, -INFINITY, INFINITY },
    { 7, 30, 33, FALSE, TRUE, TRUE, TRUE, TRUE, 128, 0, 6 },
    { 11, 3, 32, TRUE, FALSE, FALSE, FALSE, TRUE, 0, -INFINITY, INFINITY },
    { 12, 16, 96, FALSE, FALSE, TRUE, TRUE, FALSE, 0, -INFINITY, 0 },
    { 13, 40, 65, TRUE, TRUE, FALSE, TRUE, FALSE, 128, 0, INFINITY },
    { 200, 1600, 70, FALSE, TRUE, TRUE, TRUE, TRUE, 0, -3000, 3000 },
    { 4, 0, 40, FALSE, FALSE, TRUE, TRUE, FALSE, 0, -INFINITY, INFINITY },
    { 16, 64, 16, FALSE, FALSE, FALSE, FALSE, FALSE, 0, -INFINITY, INFINITY },
    { 32, 128, 64, TRUE, TRUE, FALSE, FALSE, TRUE, 128, -INFINITY, INFINITY },
    { 50, 101, 41, FALSE, TRUE, TRUE, TRUE, TRUE, 128, -200, 300 },
    { 95, 318, 33, TRUE, TRUE, FALSE, TRUE, TRUE, 0, 0, INFINITY },
    { 17, 66, 100, FALSE, FALSE, TRUE, FALSE, FALSE, 0, -INFINITY, 0 },
  };

  for (guint i = 0; sym_bytes_get_loops (i) != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (cases); j++)
      check (&cases[j], sym_bytes_get_loops (i));
}

/* To the even one, within bounds; what is not a number is the least. */
static void
rounds_codes (void)
{
  const float x[] = { 0, 1,   -1, 3,  5,    -3,  1000, -1000, INFINITY, -INFINITY, NAN, 0.99f,
                      7, 9.5, 11, 13, -255, 255, 2,    4,     6,        8,         10,  12 };
  const guint8 codes[] = { 100, 100, 100, 102, 102, 98,  255, 0,   255, 0,   0,   100,
                           104, 105, 106, 106, 0,   228, 101, 102, 103, 104, 105, 106 };

  for (guint i = 0; sym_bytes_get_loops (i) != NULL; i++)
    for (gsize n = 0; n <= G_N_ELEMENTS (x); n++)
      {
        guint8 found[G_N_ELEMENTS (x) + 1] = { 0 };
        SymBytesCodes part = { x, found, n, 2, 100, 0, 255 };

        found[n] = 17;
        sym_bytes_get_loops (i)->quantize (&part);
        for (gsize j = 0; j < n; j++)
          g_assert_cmpuint (found[j], ==, codes[j]);
        g_assert_cmpuint (found[n], ==, 17);
      }
}

static void
finds_ranges (void)
{
  float x[50];

  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    x[i] = (float) i + 1;
  for (guint i = 0; sym_bytes_get_loops (i) != NULL; i++)
    for (guint place = 0; place < G_N_ELEMENTS (x); place++)
      {
        float kept = x[place], least, greatest;

        x[place] = -5;
        sym_bytes_get_loops (i)->find_range (x, G_N_ELEMENTS (x), &least, &greatest);
        g_assert_true (least == -5 && greatest == (place == 49 ? 49 : 50));
        x[place] = NAN;
        sym_bytes_get_loops (i)->find_range (x, place + 1, &least, &greatest);
        g_assert_true (least == 0 && greatest == (float) place);
        x[place] = kept;
      }
}

/* Codes as floats, and the codes of a sum. */
static void
counts_with_codes (void)
{
  guint8 a[43], b[43], found[43];
  float floats[43];

  for (guint i = 0; i < 43; i++)
    {
      a[i] = (guint8) (i * 6);
      b[i] = (guint8) (255 - i * 5);
    }
  for (guint i = 0; sym_bytes_get_loops (i) != NULL; i++)
    for (gsize n = 0; n < 43; n++)
      {
        SymBytesSum sum = { a, b, found, n, { 0.75, 0.5 }, -20.25, 30, 20, 190 };

        found[n] = 17;
        floats[n] = 17;
        sym_bytes_get_loops (i)->add (&sum);
        sym_bytes_get_loops (i)->expand (a, floats, n, 128);
        for (gsize j = 0; j < n; j++)
          {
            double right = nearbyint (0.75 * a[j] + 0.5 * b[j] - 20.25) + 30;

            g_assert_cmpuint (found[j], ==, (guint) CLAMP (right, 20, 190));
            g_assert_true (floats[j] == (float) (a[j] - 128));
          }
        g_assert_true (found[n] == 17 && floats[n] == 17);
      }
}

/* Products as codes, within their bounds and within their columns. */
static void
makes_codes_of_sums (void)
{
  const gsize rows = 46, inner = 72, outer = 51, stride = 52;
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autofree guint8 *x = new_bytes (random, rows * inner), *w = new_bytes (random, inner * outer);
  g_autofree guint8 *codes = g_malloc (rows * stride);
  g_autofree float *scales = new_numbers (random, 64);
  g_autofree gint32 *sums = g_new0 (gint32, 64);
  gint8 *panels = g_aligned_alloc (sym_bytes_get_n (inner, outer), 1, 64);
  SymBytesMatrix matrix = { w, (gssize) outer, 1, 0, inner, outer };
  SymBytesProduct product = { .x = x,
                              .x_stride = inner,
                              .rows = rows,
                              .inner = inner,
                              .outer = outer,
                              .panels = panels,
                              .zero = 3,
                              .column_sums = sums,
                              .scale = 0.01f,
                              .scales = scales,
                              .codes = codes,
                              .y_stride = stride,
                              .low = -70,
                              .high = 90,
                              .to_zero = 100 };

  sym_bytes_pack (&matrix, panels, sums);
  for (guint i = 0; sym_bytes_get_loops (i) != NULL; i++)
    {
      memset (codes, 7, rows * stride);
      sym_bytes_get_loops (i)->multiply (&product);
      for (gsize row = 0; row < rows; row++)
        for (gsize j = 0; j < outer; j++)
          {
            gint32 sum = 0;
            double right;

            for (gsize k = 0; k < inner; k++)
              sum += (x[row * inner + k] - 3) * (gint8) w[k * outer + j];
            right = CLAMP ((double) sum * (double) (scales[j] * 0.01f), -70, 90) + 100;
            g_assert_cmpfloat (fabs (codes[row * stride + j] - right), <=, 0.5001);
          }
      for (gsize row = 0; row < rows; row++)
        g_assert_cmpuint (codes[row * stride + outer], ==, 7);
    }
  g_aligned_free (panels);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/bytes/multiplies-matrices-of-any-size", multiplies_matrices_of_any_size);
  g_test_add_func ("/run/bytes/rounds-codes", rounds_codes);
  g_test_add_func ("/run/bytes/finds-ranges", finds_ranges);
  g_test_add_func ("/run/bytes/counts-with-codes", counts_with_codes);
  g_test_add_func ("/run/bytes/makes-codes-of-sums", makes_codes_of_sums);
  return g_test_run ();
}
