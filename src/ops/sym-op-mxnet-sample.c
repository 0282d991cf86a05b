/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-densities.h"
#include "ops/sym-op-mxnet-random.h"
#include "ops/sym-op-mxnet.h"

/* Random numbers whose distributions are tensors: one sample, or a shape of them, for each element.
 */

static const SymAttributeSpec sample_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "shape of the samples of each element" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static const SymSlotSpec low_high_slots[] = { { "low" }, { "high" }, { NULL } };
static const SymSlotSpec mu_sigma_slots[] = { { "mu" }, { "sigma" }, { NULL } };
static const SymSlotSpec alpha_beta_slots[] = { { "alpha" }, { "beta" }, { NULL } };
static const SymSlotSpec mu_alpha_slots[] = { { "mu" }, { "alpha" }, { NULL } };
static const SymSlotSpec k_p_slots[] = { { "k" }, { "p" }, { NULL } };
static const SymSlotSpec lam_slots[] = { { "lam" }, { NULL } };
static const SymSlotSpec n_p_slots[] = { { "n" }, { "p" }, { NULL } };

/* The shape of samples; a scalar where none is given. */
static gboolean
get_samples (SymRule *rule, SymShape *samples, GError **error)
{
  int n = sym_rule_get_ints (rule, "shape", samples->dims, SYM_MAX_RANK);

  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "shape has %d axes; at most %d are held", n, SYM_MAX_RANK);
  samples->rank = MAX (n, 0);
  for (int i = 0; i < samples->rank; i++)
    if (samples->dims[i] < 1)
      return sym_rule_fail (error, "shape parameter must be non-zero within each dimension");
  return TRUE;
}

static gboolean
set_samples (SymRule *rule, SymShape rows, const SymShape *samples, guint output, GError **error)
{
  if (rows.rank + samples->rank > SYM_MAX_RANK)
    return sym_rule_fail (error, "the samples have more than %d axes", SYM_MAX_RANK);
  for (int i = 0; i < samples->rank; i++)
    rows.dims[rows.rank++] = samples->dims[i];
  return sym_rule_set_output (rule, output, &rows, error);
}

/* All operands have one shape, which is also that of the first axes of the result. */
static gboolean
tie_operands (SymRule *rule, int n_sampled, SymShape *rows, GError **error)
{
  SymShape out = sym_rule_get_output (rule, 0);

  *rows = SYM_SHAPE_UNKNOWN;
  if (out.rank > n_sampled)
    *rows = sym_shape_new (out.dims, out.rank - n_sampled);
  for (int pass = 0; pass < 2; pass++)
    {
      for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
        {
          if (!sym_rule_set_input (rule, i, rows, error))
            return FALSE;
          if (sym_rule_get_input (rule, i).rank >= 0)
            *rows = sym_rule_get_input (rule, i);
        }
    }
  return TRUE;
}

/* All operands have one dtype; whatever it is, samples are float32 unless dtype says otherwise. */
static gboolean
infer_sample (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32);
  SymShape samples, rows;

  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_rule_set_input_dtype (rule, i, sym_rule_get_input_dtype (rule, 0), error) ||
        !sym_rule_set_input_dtype (rule, 0, sym_rule_get_input_dtype (rule, i), error))
      return FALSE;
  return sym_rule_set_output_dtype (rule, 0, dtype, error) && get_samples (rule, &samples, error) &&
         tie_operands (rule, samples.rank, &rows, error) &&
         (rows.rank < 0 || set_samples (rule, rows, &samples, 0, error));
}

/* ---- _sample_categorical, _sample_multinomial ---- */

static const SymAttributeSpec multinomial_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "shape of the samples of each distribution" },
  { "ctx", SYM_ATTRIBUTE_STRING, "", "device" },
  { "get_prob", SYM_ATTRIBUTE_BOOL, "False", "whether logarithms of probabilities are given too" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "int32", "dtype of the result" },
  { NULL },
};

static const SymSlotSpec multinomial_slots[] = { { "data" },
                                                 { "p", SYM_SLOT_DATA, TRUE },
                                                 { NULL } };

static int
get_any_number (const SymAttributes *attributes)
{
  return -1;
}

static int
get_n_multinomial (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = sym_op_get_bool (attributes, "get_prob", FALSE) ? 2 : 1;
  return *n_visible;
}

/* How often each class came: n [rows...] and p [rows..., classes] -> [rows..., shape..., classes].
 */
static gboolean
infer_counts (SymRule *rule, GError **error)
{
  SymShape p = sym_rule_get_input (rule, 1), n, samples;

  if (!sym_rule_set_output_dtype (rule, 0, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_INT32),
                                  error) ||
      !get_samples (rule, &samples, error))
    return FALSE;
  if (p.rank < 1)
    return TRUE;
  n = sym_shape_new (p.dims, p.rank - 1);
  if (!sym_rule_set_input (rule, 0, &n, error))
    return FALSE;
  if (samples.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "the samples have more than %d axes", SYM_MAX_RANK);
  samples.dims[samples.rank++] = p.dims[p.rank - 1];
  return set_samples (rule, n, &samples, 0, error);
}

/* MXNet 2.0 gave the name to another operator, of two operands, and called this one categorical.
 * The last axis holds the probabilities of one distribution. */
static gboolean
infer_multinomial (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), samples;

  if (sym_rule_get_n_inputs (rule) == 2)
    return infer_counts (rule, error);
  if (!sym_rule_set_output_dtype (rule, 0, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_INT32),
                                  error) ||
      !sym_rule_set_output_dtype (rule, 1, sym_rule_get_input_dtype (rule, 0), error) ||
      !get_samples (rule, &samples, error))
    return FALSE;
  if (data.rank < 1)
    return TRUE;
  data.rank--;
  if (data.rank + samples.rank == 0)
    samples = sym_op_mxnet_finish_shape (rule, samples);
  return set_samples (rule, data, &samples, 0, error) &&
         set_samples (rule, data, &samples, 1, error);
}

/* ---- _sample_unique_zipfian ---- */

static const SymAttributeSpec zipfian_attributes[] = {
  { "range_max", SYM_ATTRIBUTE_INT, NULL, "number after the greatest" },
  { "shape", SYM_ATTRIBUTE_INTS, "()", "[rows, samples]" },
  { NULL },
};

static int
get_n_zipfian (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

static gboolean
infer_zipfian (SymRule *rule, GError **error)
{
  SymShape shape = sym_op_mxnet_get_shape (rule, "shape");
  SymShape tries = shape.rank == 2 ? SYM_SHAPE (shape.dims[0]) : SYM_SHAPE_UNKNOWN;

  return sym_op_set_output (rule, 0, shape, SYM_DTYPE_INT64, error) &&
         sym_op_set_output (rule, 1, tries, SYM_DTYPE_INT64, error);
}

/* ---- _random_pdf_... ---- */

static const SymAttributeSpec pdf_attributes[] = {
  { "is_log", SYM_ATTRIBUTE_BOOL, "False", "whether the logarithm is given" },
  { NULL },
};

#define PDF_SLOTS(name, ...) \
  static const SymSlotSpec pdf_##name##_slots[] = { { "sample" }, __VA_ARGS__, { NULL } };
PDF_SLOTS (low_high, { "low" }, { "high" })
PDF_SLOTS (mu_sigma, { "mu" }, { "sigma" })
PDF_SLOTS (alpha_beta, { "alpha" }, { "beta" })
PDF_SLOTS (mu_alpha, { "mu" }, { "alpha" })
PDF_SLOTS (k_p, { "k" }, { "p" })
PDF_SLOTS (lam, { "lam" })
PDF_SLOTS (alpha, { "alpha" })
#undef PDF_SLOTS

/* The parameters have the first axes of the samples. */
static gboolean
set_parameters (SymRule *rule, const SymShape *sample, gboolean vectors, GError **error)
{
  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape own = sym_rule_get_input (rule, i);

      if (own.rank < 0)
        continue;
      if (own.rank > sample->rank)
        return sym_rule_fail (error, "parameters have %d axes, samples %d", own.rank, sample->rank);
      for (int k = 0; k < own.rank; k++)
        {
          int at = vectors && k == own.rank - 1 ? sample->rank - 1 : k;

          if (!sym_rule_unify (rule, own.dims[k], sample->dims[at], "axis of the parameters",
                               error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
infer_pdf (SymRule *rule, GError **error)
{
  SymShape sample = sym_rule_get_input (rule, 0);

  return sym_op_mxnet_tie_all_dtypes (rule, error) && sym_op_pass_shape (rule, 0, 0, error) &&
         (sample.rank < 0 || set_parameters (rule, &sample, FALSE, error));
}

/* A sample is a vector: its axis goes. */
static gboolean
infer_dirichlet (SymRule *rule, GError **error)
{
  SymShape sample = sym_rule_get_input (rule, 0), out;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (sample.rank < 1)
    return TRUE;
  out = sym_op_mxnet_finish_shape (rule, sym_shape_new (sample.dims, sample.rank - 1));
  return set_parameters (rule, &sample, TRUE, error) && sym_rule_set_output (rule, 0, &out, error);
}

/* ---- _random_..._like ---- */

static const SymAttributeSpec uniform_attributes[] = {
  { "low", SYM_ATTRIBUTE_FLOAT, "0.0", "least number" },
  { "high", SYM_ATTRIBUTE_FLOAT, "1.0", "greatest number" },
  { NULL },
};

static const SymAttributeSpec normal_attributes[] = {
  { "loc", SYM_ATTRIBUTE_FLOAT, "0.0", "mean" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "deviation" },
  { NULL },
};

static const SymAttributeSpec gamma_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "shape of the distribution" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "scale of the distribution" },
  { NULL },
};

static const SymAttributeSpec rate_attributes[] = {
  { "lam", SYM_ATTRIBUTE_FLOAT, "1.0", "rate of the distribution" },
  { NULL },
};

static const SymAttributeSpec binomial_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "number of failures" },
  { "p", SYM_ATTRIBUTE_FLOAT, "1.0", "probability of a failure" },
  { NULL },
};

static const SymAttributeSpec general_binomial_attributes[] = {
  { "mu", SYM_ATTRIBUTE_FLOAT, "1.0", "mean" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "dispersion" },
  { NULL },
};

#define RANDOM(name_, aliases_, summary_, attributes_, slots_, infer_)             \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,           \
                .reference = "MXNet 1.9.1, 2.0 " name_, .attributes = attributes_, \
                .slots = slots_, .infer = infer_

#define SAMPLE_OF(name_, aliases_, summary_, slots_)                                        \
  {                                                                                         \
    RANDOM ("_sample_" name_, aliases_, summary_, sample_attributes, slots_, infer_sample), \
        .lower = sym_op_mxnet_lower_random                                                  \
  }
#define SAMPLE(name_, summary_, slots_) SAMPLE_OF (name_, "sample_" name_, summary_, slots_)

#define PDF(name_, summary_, slots_)                                                     \
  {                                                                                      \
    RANDOM ("_random_pdf_" name_, "random_pdf_" name_, summary_, pdf_attributes, slots_, \
            infer_pdf),                                                                  \
        .run = sym_op_mxnet_run_density                                                  \
  }

#define LIKE(name_, summary_, attributes_)                                            \
  {                                                                                   \
    RANDOM ("_random_" name_ "_like", NULL, summary_, attributes_, sym_op_mxnet_data, \
            sym_op_infer_elementwise),                                                \
        .lower = sym_op_mxnet_lower_random                                            \
  }

const SymOperator sym_op_mxnet_sample[] = {
  SAMPLE ("uniform", "evenly distributed numbers", low_high_slots),
  SAMPLE ("normal", "normally distributed numbers", mu_sigma_slots),
  SAMPLE ("gamma", "numbers of gamma distributions", alpha_beta_slots),
  SAMPLE ("exponential", "numbers of exponential distributions", lam_slots),
  SAMPLE_OF ("poisson",
             "sample_poisson _npx_tensor_poisson",
             "numbers of Poisson distributions",
             lam_slots),
  SAMPLE ("binomial", "numbers of binomial distributions", n_p_slots),
  SAMPLE ("negative_binomial", "numbers of negative binomial distributions", k_p_slots),
  SAMPLE ("generalized_negative_binomial",
          "numbers of generalized negative binomial distributions",
          mu_alpha_slots),
  {
      RANDOM ("_sample_categorical",
              "sample_categorical _npx__random_categorical",
              "classes drawn by their probabilities",
              multinomial_attributes,
              sym_op_mxnet_data,
              infer_multinomial),
      .run = sym_op_mxnet_run_categories,
      .get_n_outputs = get_n_multinomial,
  },
  {
      RANDOM ("_sample_multinomial",
              "sample_multinomial _npx__random_multinomial",
              "classes drawn by their probabilities, or how often each is drawn",
              multinomial_attributes,
              multinomial_slots,
              infer_multinomial),
      .run = sym_op_mxnet_run_categories,
      .get_n_operands = get_any_number,
      .get_n_outputs = get_n_multinomial,
  },
  {
      RANDOM ("_sample_unique_zipfian",
              NULL,
              "different numbers, small ones more often",
              zipfian_attributes,
              sym_op_mxnet_none,
              infer_zipfian),
      .run = sym_op_mxnet_run_zipfian,
      .get_n_outputs = get_n_zipfian,
  },
  PDF ("uniform", "densities of uniform distributions", pdf_low_high_slots),
  PDF ("normal", "densities of normal distributions", pdf_mu_sigma_slots),
  PDF ("gamma", "densities of gamma distributions", pdf_alpha_beta_slots),
  PDF ("exponential", "densities of exponential distributions", pdf_lam_slots),
  PDF ("poisson", "densities of Poisson distributions", pdf_lam_slots),
  PDF ("negative_binomial", "densities of negative binomial distributions", pdf_k_p_slots),
  PDF ("generalized_negative_binomial",
       "densities of generalized negative binomial distributions",
       pdf_mu_alpha_slots),
  { RANDOM ("_random_pdf_dirichlet",
            "random_pdf_dirichlet",
            "densities of Dirichlet distributions",
            pdf_attributes,
            pdf_alpha_slots,
            infer_dirichlet),
    .run = sym_op_mxnet_run_density },
  LIKE ("uniform",
        "evenly distributed numbers, in the shape of another tensor",
        uniform_attributes),
  LIKE ("normal",
        "normally distributed numbers, in the shape of another tensor",
        normal_attributes),
  LIKE ("gamma", "numbers of a gamma distribution, in the shape of another", gamma_attributes),
  LIKE ("exponential",
        "numbers of an exponential distribution, in the shape of another",
        rate_attributes),
  LIKE ("poisson", "numbers of a Poisson distribution, in the shape of another", rate_attributes),
  LIKE ("negative_binomial",
        "numbers of a negative binomial distribution, in the shape of another",
        binomial_attributes),
  LIKE ("generalized_negative_binomial",
        "numbers of a generalized negative binomial distribution, in the shape of another",
        general_binomial_attributes),
  { NULL },
};
