/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-random.h"
#include "ops/sym-op-mxnet.h"

/* Random numbers as numpy has them.  Each parameter of a distribution is a number among the
 * attributes or, where that is None, a tensor; the result has the shape size, else that of the
 * tensors. */

static gboolean
is_number (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  double number;

  return value != NULL && sym_value_get_float (value, &number);
}

#define SIZE_SPEC                                                                               \
  { "size", SYM_ATTRIBUTE_INTS, "None", "shape of the result; that of the tensors when None" }, \
      { "ctx", SYM_ATTRIBUTE_STRING, "cpu", "device" },                                         \
  {                                                                                             \
    "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result"                              \
  }

#define PLAIN_SIZE_SPEC                                                                         \
  { "size", SYM_ATTRIBUTE_INTS, "None", "shape of the result; that of the tensors when None" }, \
  {                                                                                             \
    "ctx", SYM_ATTRIBUTE_STRING, "cpu", "device"                                                \
  }

/* The attributes of a family, its operands, and how many of these there are. */
#define TWO(family, first, second, ...)                                                        \
  static const SymAttributeSpec family##_attributes[] = {                                      \
    { first, SYM_ATTRIBUTE_FLOAT, "None", "first parameter; a tensor when None" },             \
    { second, SYM_ATTRIBUTE_FLOAT, "None", "second parameter; a tensor when None" },           \
    __VA_ARGS__,                                                                               \
    { NULL },                                                                                  \
  };                                                                                           \
  static int get_n_##family (const SymAttributes *attributes)                                  \
  {                                                                                            \
    return (is_number (attributes, first) ? 0 : 1) + (is_number (attributes, second) ? 0 : 1); \
  }

#define ONE(family, first, fallback, ...)                                      \
  static const SymAttributeSpec family##_attributes[] = {                      \
    { first, SYM_ATTRIBUTE_FLOAT, fallback, "parameter; a tensor when None" }, \
    __VA_ARGS__,                                                               \
    { NULL },                                                                  \
  };                                                                           \
  static int get_n_##family (const SymAttributes *attributes)                  \
  {                                                                            \
    return is_number (attributes, first) ? 0 : 1;                              \
  }

TWO (location, "loc", "scale", SIZE_SPEC)
TWO (plain_location, "loc", "scale", PLAIN_SIZE_SPEC)
TWO (range, "low", "high", SIZE_SPEC)
TWO (gamma, "shape", "scale", SIZE_SPEC)
ONE (scale, "scale", "1.0", PLAIN_SIZE_SPEC)
ONE (shape, "a", "None", PLAIN_SIZE_SPEC)

static const SymSlotSpec input_slots[] = { { "input1" }, { "input2" }, { NULL } };

/* ---- Shapes ---- */

static gboolean
get_size (SymRule *rule, SymShape *size)
{
  *size = SYM_SHAPE_UNKNOWN;
  if (sym_rule_get_ints (rule, "size", size->dims, 0) < 0)
    return FALSE;
  *size = sym_op_mxnet_get_shape (rule, "size");
  return TRUE;
}

/* All operands broadcast; without any the result is a scalar. */
static gboolean
set_common (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  SymShape scalar = SYM_SHAPE ();

  return n == 0 ? sym_rule_set_output (rule, 0, &scalar, error)
                : sym_op_broadcast_shapes (rule, 0, n - 1, error);
}

/* The noise that a hidden output keeps is float32, whatever the result is. */
static gboolean
set_dtypes (SymRule *rule, GError **error)
{
  return sym_rule_set_output_dtype (rule, 0, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32),
                                    error) &&
         sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_FLOAT32, error);
}

/* The operands, broadcast; FALSE while that is not known. */
static gboolean
get_common (SymRule *rule, SymShape *common, GError **error)
{
  *common = SYM_SHAPE ();
  for (guint i = 0; i < sym_rule_get_n_inputs (rule) && common->rank >= 0; i++)
    {
      SymShape own = sym_rule_get_input (rule, i);

      if (own.rank < 0)
        *common = SYM_SHAPE_UNKNOWN;
      else if (!sym_op_mxnet_broadcast (common, &own, common, error))
        return FALSE;
    }
  return TRUE;
}

/* So many samples for each element: [size..., operands...], without the first @n_skipped of size.
 */
static gboolean
repeat_samples (SymRule *rule, int n_skipped, GError **error)
{
  gint64 given[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "size", given, SYM_MAX_RANK);
  SymShape common, out = { .rank = 0 };

  if (!get_common (rule, &common, error))
    return FALSE;
  if (common.rank < 0)
    return TRUE;
  if (n - n_skipped + common.rank > SYM_MAX_RANK)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  for (int i = n_skipped; i < n; i++)
    out.dims[out.rank++] = given[i] >= 0 ? given[i] : SYM_DIM_UNKNOWN;
  for (int i = 0; i < common.rank; i++)
    out.dims[out.rank++] = common.dims[i];
  return sym_rule_set_output (rule, 0, &out, error) && sym_rule_set_output (rule, 1, &out, error);
}

/* A size that begins with -2 stands for so many samples for each element. */
static gboolean
infer_sized (SymRule *rule, GError **error)
{
  SymShape size;
  gint64 first;

  if (!set_dtypes (rule, error))
    return FALSE;
  if (sym_rule_get_ints (rule, "size", &first, 1) > 0 && first == -2)
    return repeat_samples (rule, 1, error);
  if (get_size (rule, &size) ? !sym_rule_set_output (rule, 0, &size, error)
                             : !set_common (rule, error))
    return FALSE;
  size = sym_rule_get_output (rule, 0);
  return sym_rule_set_output (rule, 1, &size, error);
}

static gboolean
infer_repeated (SymRule *rule, GError **error)
{
  return set_dtypes (rule, error) && repeat_samples (rule, 0, error);
}

/* ---- bernoulli ---- */

static const SymAttributeSpec bernoulli_attributes[] = {
  { "prob", SYM_ATTRIBUTE_FLOAT, "None", "probability of 1; a tensor when None" },
  { "logit", SYM_ATTRIBUTE_FLOAT, "None", "the same as a logit; a tensor when None" },
  SIZE_SPEC,
  { "is_logit", SYM_ATTRIBUTE_BOOL, "False", "whether logit is used" },
  { NULL },
};

static int
get_n_bernoulli (const SymAttributes *attributes)
{
  return is_number (attributes, "prob") || is_number (attributes, "logit") ? 0 : 1;
}

/* ---- choice, multinomial ---- */

static const SymAttributeSpec choice_attributes[] = {
  { "a", SYM_ATTRIBUTE_INT, "None", "numbers below it are chosen from; a tensor when None" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "shape of the result; one number when None" },
  { "ctx", SYM_ATTRIBUTE_STRING, "cpu", "device" },
  { "replace", SYM_ATTRIBUTE_BOOL, "True", "whether a number may come again" },
  { "weighted", SYM_ATTRIBUTE_BOOL, "False", "whether there are probabilities" },
  { NULL },
};

static int
get_n_choice (const SymAttributes *attributes)
{
  return (is_number (attributes, "a") ? 0 : 1) +
         (sym_op_get_bool (attributes, "weighted", FALSE) ? 1 : 0);
}

/* Indices are what is chosen; elements of a tensor are taken with them afterwards. */
static gboolean
infer_choice (SymRule *rule, GError **error)
{
  SymShape size;

  if (!get_size (rule, &size))
    size = SYM_SHAPE ();
  return sym_op_set_output (rule, 0, size, SYM_DTYPE_INT64, error);
}

static const SymAttributeSpec multinomial_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, NULL, "number of draws" },
  { "pvals", SYM_ATTRIBUTE_FLOATS, "None", "probabilities; a tensor when None" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "how many such draws" },
  { NULL },
};

static int
get_n_multinomial (const SymAttributes *attributes)
{
  const SymValue *pvals = sym_attributes_find (attributes, "pvals");

  return pvals != NULL && sym_value_get_kind (pvals) != SYM_VALUE_NONE ? 0 : 1;
}

/* How often each came: [size..., classes]. */
static gboolean
infer_multinomial (SymRule *rule, GError **error)
{
  const SymValue *pvals = sym_attributes_find (sym_rule_get_attributes (rule), "pvals");
  SymShape size, data = sym_rule_get_input (rule, 0);
  SymDim n = data.rank == 1 ? data.dims[0] : SYM_DIM_UNKNOWN;

  if (get_n_multinomial (sym_rule_get_attributes (rule)) == 0)
    n = sym_value_get_n_children (pvals);
  if (!get_size (rule, &size))
    size = SYM_SHAPE ();
  if (size.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  if (size.rank >= 0)
    size.dims[size.rank++] = n;
  return sym_op_set_output (rule, 0, size, SYM_DTYPE_INT64, error);
}

#define RANDOM(name_, summary_, family_, infer_)                                                  \
  SYM_OP_MXNET, .name = "_npi_" name_, .summary = summary_, .reference = "MXNet 2.0 _npi_" name_, \
                .attributes = family_##_attributes, .slots = input_slots,                         \
                .get_n_operands = get_n_##family_, .infer = infer_

/* Those whose gradient needs it keep the noise as a hidden output. */
#define NOISY(name_, summary_, family_)                                                           \
  {                                                                                               \
    RANDOM (name_, summary_, family_, infer_sized), .get_n_outputs = sym_op_mxnet_get_one_of_two, \
                                                    .lower = sym_op_mxnet_lower_random            \
  }

const SymOperator sym_op_mxnet_numpy_random[] = {
  NOISY ("normal", "normally distributed numbers", location),
  NOISY ("gumbel", "numbers of a Gumbel distribution", plain_location),
  NOISY ("logistic", "numbers of a logistic distribution", plain_location),
  NOISY ("exponential", "numbers of an exponential distribution", scale),
  NOISY ("rayleigh", "numbers of a Rayleigh distribution", scale),
  NOISY ("pareto", "numbers of a Pareto distribution", shape),
  NOISY ("weibull", "numbers of a Weibull distribution", shape),
  { RANDOM ("laplace", "numbers of a Laplace distribution", location, infer_sized),
    .lower = sym_op_mxnet_lower_random },
  { RANDOM ("uniform", "evenly distributed numbers", range, infer_sized),
    .lower = sym_op_mxnet_lower_random },
  { RANDOM ("gamma", "numbers of a gamma distribution", gamma, infer_sized),
    .lower = sym_op_mxnet_lower_random },
  { RANDOM ("powerd", "numbers of a power distribution", shape, infer_sized),
    .lower = sym_op_mxnet_lower_random },
  { RANDOM ("bernoulli", "0 or 1", bernoulli, infer_sized), .lower = sym_op_mxnet_lower_random },
  {
      RANDOM ("normal_n",
              "normally distributed numbers for each element",
              location,
              infer_repeated),
      .lower = sym_op_mxnet_lower_random,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
  },
  { RANDOM ("uniform_n", "evenly distributed numbers for each element", range, infer_repeated),
    .lower = sym_op_mxnet_lower_random },
  { RANDOM ("choice", "numbers chosen", choice, infer_choice), .run = sym_op_mxnet_run_choice },
  { RANDOM ("multinomial", "how often each class is drawn", multinomial, infer_multinomial) },
  { NULL },
};
