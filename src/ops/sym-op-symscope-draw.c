/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-random.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* Draw: random numbers of a distribution whose parameters are two tensors that broadcast to the
 * result.  An operator of our own, onto which those of other dialects are lowered.  It draws from
 * the same distributions as they do, not the same numbers. */

static const SymAttributeSpec attributes[] = {
  { "distribution", SYM_ATTRIBUTE_STRING, NULL, "which one; a and b are its parameters" },
  { "shape", SYM_ATTRIBUTE_INTS, NULL, "shape of the result" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "a" }, { "b" }, { NULL } };

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape shape;
  int n = sym_rule_get_ints (rule, "shape", shape.dims, SYM_MAX_RANK);

  if (n < 0 || n > SYM_MAX_RANK)
    return sym_rule_fail (error, "shape has %d axes; at most %d are held", n, SYM_MAX_RANK);
  shape.rank = n;
  return sym_op_set_output (rule, 0, shape, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32),
                            error);
}

/* ---- Distributions ---- */

/* What is below 1 and above 0. */
static double
draw_open (SymOpRandom *random)
{
  double u;

  do
    u = sym_op_random_uniform (random);
  while (u == 0);
  return u;
}

static double
draw_uniform (SymOpRandom *random, double low, double high)
{
  return low + sym_op_random_uniform (random) * (high - low);
}

static double
draw_normal (SymOpRandom *random, double mean, double deviation)
{
  return mean + deviation * sym_op_random_normal (random);
}

static double
draw_integer (SymOpRandom *random, double low, double high)
{
  return low + floor (sym_op_random_uniform (random) * (high - low));
}

/* Of mean @scale. */
static double
draw_exponential (SymOpRandom *random, double scale, double unused)
{
  return -scale * log (draw_open (random));
}

static double
draw_rate (SymOpRandom *random, double rate, double unused)
{
  return -log (draw_open (random)) / rate;
}

/* Marsaglia and Tsang (2000), with one more factor for shapes below 1. */
static double
draw_gamma (SymOpRandom *random, double shape, double scale)
{
  double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt (9 * d);
  double boost = shape < 1 ? pow (draw_open (random), 1 / shape) : 1;

  if (!(shape > 0))
    return shape == 0 ? 0 : (double) NAN;
  for (;;)
    {
      double x = sym_op_random_normal (random), v = 1 + c * x;

      v = v * v * v;
      if (v > 0 && log (draw_open (random)) < x * x / 2 + d - d * v + d * log (v))
        return boost * d * v * scale;
    }
}

/* By products of even numbers for small rates, by Hoermann's PTRS (1993) for large ones. */
static double
draw_poisson (SymOpRandom *random, double rate, double unused)
{
  double b = 0.931 + 2.53 * sqrt (rate), a = -0.059 + 0.02483 * b;
  double alpha = 1.1239 + 1.1328 / (b - 3.4), edge = 0.9277 - 3.6224 / (b - 2);

  if (!(rate > 0) || !isfinite (rate))
    return rate == 0 ? 0 : (double) NAN;
  if (rate < 10)
    {
      double product = draw_open (random), least = exp (-rate), n = 0;

      for (; product > least; n++)
        product *= draw_open (random);
      return n;
    }
  for (;;)
    {
      double u = sym_op_random_uniform (random) - 0.5, v = draw_open (random);
      double us = 0.5 - fabs (u), k = floor ((2 * a / us + b) * u + rate + 0.43);

      if (us >= 0.07 && v <= edge)
        return k;
      if (k < 0 || (us < 0.013 && v > us))
        continue;
      if (log (v) + log (alpha) - log (a / (us * us) + b) <= k * log (rate) - rate - lgamma (k + 1))
        return k;
    }
}

/* By the waiting times between successes, of the rarer outcome. */
static double
draw_binomial (SymOpRandom *random, double n, double p)
{
  double rare = MIN (p, 1 - p), sum = 0, count = 0;

  if (!(n >= 0 && n <= 1e9 && p >= 0 && p <= 1))
    return (double) NAN;
  while (rare > 0)
    {
      sum += floor (log (draw_open (random)) / log1p (-rare)) + 1;
      if (sum > n)
        break;
      count++;
    }
  return p > 0.5 ? n - count : count;
}

/* How many successes of probability 1 - p come before k failures. */
static double
draw_negative_binomial (SymOpRandom *random, double k, double p)
{
  return draw_poisson (random, draw_gamma (random, k, (1 - p) / p), 0);
}

static double
draw_spread_poisson (SymOpRandom *random, double mean, double dispersion)
{
  if (dispersion == 0)
    return draw_poisson (random, mean, 0);
  return draw_poisson (random, draw_gamma (random, 1 / dispersion, mean * dispersion), 0);
}

static double
draw_gumbel (SymOpRandom *random, double location, double scale)
{
  return location - scale * log (-log (draw_open (random)));
}

static double
draw_logistic (SymOpRandom *random, double location, double scale)
{
  double u = draw_open (random);

  return location + scale * log (u / (1 - u));
}

static double
draw_laplace (SymOpRandom *random, double location, double scale)
{
  double u = draw_open (random) - 0.5;

  return location - scale * copysign (log1p (-2 * fabs (u)), u);
}

static double
draw_rayleigh (SymOpRandom *random, double scale, double unused)
{
  return scale * sqrt (-2 * log (draw_open (random)));
}

/* Numpy's: that of Lomax, from 0 on. */
static double
draw_pareto (SymOpRandom *random, double shape, double unused)
{
  return expm1 (-log (draw_open (random)) / shape);
}

static double
draw_weibull (SymOpRandom *random, double shape, double unused)
{
  return pow (-log (draw_open (random)), 1 / shape);
}

static double
draw_power (SymOpRandom *random, double shape, double unused)
{
  return pow (draw_open (random), 1 / shape);
}

static double
draw_bernoulli (SymOpRandom *random, double p, double unused)
{
  return sym_op_random_uniform (random) < p ? 1 : 0;
}

static double
draw_logit (SymOpRandom *random, double logit, double unused)
{
  return draw_bernoulli (random, 1 / (1 + exp (-logit)), 0);
}

static const struct {
  const char *name;
  double (*draw) (SymOpRandom *random, double a, double b);
} distributions[] = {
  { "bernoulli", draw_bernoulli },
  { "binomial", draw_binomial },
  { "exponential", draw_exponential },
  { "gamma", draw_gamma },
  { "generalized_negative_binomial", draw_spread_poisson },
  { "gumbel", draw_gumbel },
  { "laplace", draw_laplace },
  { "logistic", draw_logistic },
  { "logit", draw_logit },
  { "negative_binomial", draw_negative_binomial },
  { "normal", draw_normal },
  { "pareto", draw_pareto },
  { "poisson", draw_poisson },
  { "powerd", draw_power },
  { "randint", draw_integer },
  { "rate", draw_rate },
  { "rayleigh", draw_rayleigh },
  { "uniform", draw_uniform },
  { "weibull", draw_weibull },
};

/* ---- Running ---- */

static gboolean
check_parameter (const SymArray *x, const SymShape *shape, GError **error)
{
  SymShape both = *shape;

  if (!sym_dtype_is_numeric (x->dtype) || !sym_op_broadcast (&both, &x->shape, error))
    return FALSE;
  if (!sym_shape_equal (&both, shape))
    return sym_kernel_fail (error, "a parameter of %d axes is larger than the result",
                            x->shape.rank);
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const char *name = sym_kernel_get_string (kernel, "distribution", "");
  SymDType dtype = sym_kernel_get_dtype (kernel, "dtype", SYM_DTYPE_FLOAT32);
  const SymArray *parameters[2];
  gint64 strides[2][SYM_MAX_RANK];
  SymOpRandom random = sym_op_random_new (kernel);
  gsize asked = 0, which = 0;
  SymShape shape;
  SymArray *y;

  shape.rank = sym_kernel_get_ints (kernel, "shape", shape.dims, SYM_MAX_RANK);
  while (which < G_N_ELEMENTS (distributions) && strcmp (distributions[which].name, name) != 0)
    which++;
  if (which == G_N_ELEMENTS (distributions) || shape.rank < 0 || shape.rank > SYM_MAX_RANK ||
      !sym_dtype_is_numeric (dtype))
    return sym_kernel_fail (error, "a distribution %s of %s is not known", name,
                            sym_dtype_to_string (dtype));
  for (guint i = 0; i < 2; i++)
    {
      parameters[i] = sym_kernel_need_input (kernel, i, error);
      if (parameters[i] == NULL || !check_parameter (parameters[i], &shape, error))
        return FALSE;
      sym_op_get_broadcast_strides (&parameters[i]->shape, shape.rank, strides[i]);
    }
  y = sym_kernel_new_output (kernel, 0, dtype, &shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (y); i++)
    {
      gsize left = i, at[2] = { 0, 0 };
      double numbers[2];

      for (int k = shape.rank - 1; k >= 0; k--)
        {
          for (int j = 0; j < 2; j++)
            at[j] += left % (gsize) shape.dims[k] * (gsize) strides[j][k];
          left /= (gsize) shape.dims[k];
        }
      for (int j = 0; j < 2; j++)
        numbers[j] = sym_element_get_double (parameters[j]->dtype, parameters[j]->data, at[j]);
      sym_element_set_double (dtype, y->data, i,
                              distributions[which].draw (&random, numbers[0], numbers[1]));
      if (!sym_op_go_on (kernel, &asked, 16, error))
        return FALSE;
    }
  return y != NULL;
}

const SymOperator sym_op_symscope_draw[] = {
  {
      .domain = "symscope",
      .name = "Draw",
      .since_version = 1,
      .summary = "random numbers of a distribution",
      .reference = "Symscope Draw",
      .category = SYM_CATEGORY_OTHER,
      .attributes = attributes,
      .slots = slots,
      .infer = infer,
      .run = run,
  },
  { NULL },
};
