/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Random numbers: their mean and variance are those of the distribution, and the seed of the run
 * tells which they are. */

#define N 40000
#define SHAPE "shape=(40000,)"
#define SIZE "size=(40000,)"

typedef struct {
  LowerCase layer;
  double mean, variance;
  double least, greatest;
} RandomCase;

/* The numbers of result 0, as doubles.  Free them. */
static double *
draw (const LowerCase *layer_case, guint64 seed, gsize *n)
{
  g_autoptr (SymLayer) layer = lower_case_new_layer (layer_case);
  LowerModel model = lower_case_build (layer_case, layer);
  g_autoptr (SymPlan) plan = sym_plan_new (model.model, NULL, NULL, NULL);
  g_autoptr (SymRun) run = sym_run_new (plan);
  g_autoptr (GError) error = NULL;
  const SymArray *array;
  double *numbers;

  for (guint i = 0; i < model.ids->len; i++)
    {
      g_assert_true (
          sym_run_feed (run, g_array_index (model.ids, SymId, i), model.inputs->pdata[i], NULL));
      sym_datum_unref (model.inputs->pdata[i]);
    }
  sym_run_set_seed (run, seed);
  sym_run_execute (run, NULL, &error);
  g_assert_no_error (error);
  array = sym_datum_get_array (sym_run_get (run, sym_model_get_outputs (model.model).ids[0]));
  *n = sym_array_get_n_elements (array);
  numbers = g_new (double, *n + 1);
  for (gsize i = 0; i < *n; i++)
    numbers[i] = sym_element_get_double (array->dtype, array->data, i);
  g_ptr_array_unref (model.inputs);
  g_array_unref (model.ids);
  sym_model_unref (model.model);
  return numbers;
}

/* The mean of n numbers strays by sqrt (variance / n); the variance is told to a tenth. */
static void
check (gconstpointer data)
{
  const RandomCase *self = data;
  double sum = 0, squares = 0, mean, variance;
  gsize n;
  g_autofree double *numbers = draw (&self->layer, 1, &n);

  g_assert_cmpuint (n, ==, N);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpfloat (numbers[i], >=, self->least);
      g_assert_cmpfloat (numbers[i], <=, self->greatest);
      sum += numbers[i];
    }
  mean = sum / (double) n;
  for (gsize i = 0; i < n; i++)
    squares += (numbers[i] - mean) * (numbers[i] - mean);
  variance = squares / (double) n;
  if (fabs (mean - self->mean) > 5 * sqrt (self->variance / (double) n))
    g_error ("%s: the mean is %g, not %g", self->layer.op, mean, self->mean);
  if (fabs (variance - self->variance) > self->variance / 10)
    g_error ("%s: the variance is %g, not %g", self->layer.op, variance, self->variance);
}

static const RandomCase cases[] = {
  { { "_random_uniform", "low=1.0; high=3.0; " SHAPE, "" }, 2, 1.0 / 3, 1, 3 },
  { { "_random_normal", "loc=1.0; scale=2.0; " SHAPE, "" }, 1, 4, -99, 99 },
  { { "_random_gamma", "alpha=3.0; beta=2.0; " SHAPE, "" }, 6, 12, 0, 999 },
  { { "_random_gamma", "alpha=0.5; beta=1.0; " SHAPE, "" }, 0.5, 0.5, 0, 99 },
  { { "_random_exponential", "lam=2.0; " SHAPE, "" }, 0.5, 0.25, 0, 99 },
  { { "_random_poisson", "lam=3.0; " SHAPE, "" }, 3, 3, 0, 99 },
  { { "_random_poisson", "lam=50.0; " SHAPE, "" }, 50, 50, 0, 999 },
  { { "_random_binomial", "n=10; p=0.75; " SHAPE, "" }, 7.5, 1.875, 0, 10 },
  { { "_random_negative_binomial", "k=3; p=0.5; " SHAPE, "" }, 3, 6, 0, 999 },
  { { "_random_generalized_negative_binomial", "mu=2.0; alpha=0.5; " SHAPE, "" }, 2, 4, 0, 999 },
  { { "_random_randint", "low=-1; high=2; " SHAPE, "" }, 0, 2.0 / 3, -1, 1 },
  /* Variances of Gumbel's, of the logistic and of Laplace's distribution. */
  { { "_npi_gumbel", "loc=0.0; scale=1.0; " SIZE, "" }, 0.5772157, 1.6449341, -99, 99 },
  { { "_npi_logistic", "loc=1.0; scale=1.0; " SIZE, "" }, 1, 3.2898681, -99, 99 },
  { { "_npi_laplace", "loc=1.0; scale=2.0; " SIZE, "" }, 1, 8, -999, 999 },
  { { "_npi_exponential", "scale=2.0; " SIZE, "" }, 2, 4, 0, 999 },
  { { "_npi_rayleigh", "scale=1.0; " SIZE, "" }, 1.2533141, 0.42920367, 0, 99 },
  { { "_npi_pareto", "a=5.0; " SIZE, "" }, 0.25, 0.10416667, 0, 999 },
  { { "_npi_weibull", "a=2.0; " SIZE, "" }, 0.88622693, 0.21460184, 0, 99 },
  { { "_npi_powerd", "a=2.0; " SIZE, "" }, 2.0 / 3, 1.0 / 18, 0, 1 },
  { { "_npi_bernoulli", "prob=0.25; " SIZE, "" }, 0.25, 0.1875, 0, 1 },
  { { "_npi_bernoulli", "logit=1.0; is_logit=True; " SIZE, "" }, 0.73105858, 0.19661193, 0, 1 },
  { { "_npi_gamma", "shape=2.0; scale=3.0; " SIZE, "" }, 6, 18, 0, 999 },
  /* Parameters that are tensors. */
  { { "_sample_normal", SHAPE, "float32 1: 5; float32 1: 3" }, 5, 9, -99, 99 },
  { { "_npi_uniform", "low=None; high=2.0; " SIZE, "float32 1: 1" }, 1.5, 1.0 / 12, 1, 2 },
  { { "_sample_multinomial", SHAPE, "float32 1,3: 0.5 0 0.5" }, 1, 1, 0, 2 },
  { { "_npi_choice", "a=3; " SIZE, "" }, 1, 2.0 / 3, 0, 2 },
  { { "_npi_choice", "weighted=True; " SIZE, "float32 2: 3 7; float32 2: 0.75 0.25" }, 4, 3, 3, 7 },
};

/* Rows of 1 and 100: each has its own samples. */
static void
rows_have_their_own_samples (void)
{
  const LowerCase layer = { "_sample_uniform", "shape=(3,)", "float32 2: 1 100; float32 2: 2 101" };
  gsize n;
  g_autofree double *numbers = draw (&layer, 1, &n);

  g_assert_cmpuint (n, ==, 6);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (fabs (numbers[i] - (i < 3 ? 1.5 : 100.5)), <=, 0.5);
}

static void
seeds_tell_the_numbers (void)
{
  const LowerCase layer = { "_random_normal", "shape=(8,)", "" };
  gsize n;
  g_autofree double *first = draw (&layer, 1, &n), *again = draw (&layer, 1, &n);
  g_autofree double *other = draw (&layer, 2, &n);

  g_assert_cmpmem (first, n * sizeof *first, again, n * sizeof *again);
  g_assert_true (memcmp (first, other, n * sizeof *first) != 0);
}

/* Each of 0 to 9 once, in another order. */
static void
different_ones_are_all_there (void)
{
  static const LowerCase layers[] = {
    { "_shuffle", "", "int64 10: 0 1 2 3 4 5 6 7 8 9" },
    { "_npi_choice", "a=10; size=(10,); replace=False", "" },
    { "_sample_unique_zipfian", "range_max=10; shape=(1, 10)", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      gboolean seen[10] = { FALSE }, moved = FALSE;
      gsize n;
      g_autofree double *numbers = draw (&layers[i], 1, &n);

      g_assert_cmpuint (n, ==, 10);
      for (gsize k = 0; k < n; k++)
        {
          g_assert_cmpfloat (numbers[k], >=, 0);
          g_assert_cmpfloat (numbers[k], <=, 9);
          g_assert_false (seen[(int) numbers[k]]);
          seen[(int) numbers[k]] = TRUE;
          moved = moved || numbers[k] != (double) k;
        }
      g_assert_true (moved);
    }
}

/* 1000 draws of the first class or the third. */
static void
counts_add_up (void)
{
  const LowerCase layer = { "_sample_multinomial", "",
                            "float32 1: 1000; float32 1,3: 0.25 0 0.75" };
  gsize n;
  g_autofree double *numbers = draw (&layer, 1, &n);

  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (numbers[0] + numbers[2], ==, 1000);
  g_assert_cmpfloat (numbers[1], ==, 0);
  g_assert_cmpfloat (fabs (numbers[0] - 250), <, 70);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/run/mxnet-random/%02u-%s", i, cases[i].layer.op);

      g_test_add_data_func (path, &cases[i], check);
    }
  g_test_add_func ("/run/mxnet-random/rows-have-their-own-samples", rows_have_their_own_samples);
  g_test_add_func ("/run/mxnet-random/seeds-tell-the-numbers", seeds_tell_the_numbers);
  g_test_add_func ("/run/mxnet-random/different-ones-are-all-there", different_ones_are_all_there);
  g_test_add_func ("/run/mxnet-random/counts-add-up", counts_add_up);
  return g_test_run ();
}
