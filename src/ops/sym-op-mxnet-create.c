/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet-random.h"
#include "ops/sym-op-mxnet.h"

/* Tensors made of nothing.  A 0 in shape is filled in from where the result is used, as the states
 * that recurrent cells begin with need it. */
#define SHAPE_SPEC                                                                   \
  {                                                                                  \
    "shape", SYM_ATTRIBUTE_INTS, "()", "shape of the result; 0 follows from its use" \
  }
#define CTX_SPEC                              \
  {                                           \
    "ctx", SYM_ATTRIBUTE_STRING, "", "device" \
  }
#define DTYPE_SPEC                                                 \
  {                                                                \
    "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result" \
  }

static const SymAttributeSpec init_attributes[] = { SHAPE_SPEC, CTX_SPEC, DTYPE_SPEC, { NULL } };

static const SymAttributeSpec full_attributes[] = {
  SHAPE_SPEC, CTX_SPEC, DTYPE_SPEC, { "value", SYM_ATTRIBUTE_FLOAT, NULL, "value of each element" },
  { NULL },
};

static gboolean
infer_init (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, sym_op_mxnet_get_shape (rule, "shape"),
                            sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32), error);
}

/* ---- _arange, _linspace ---- */

static const SymAttributeSpec range_attributes[] = {
  { "start", SYM_ATTRIBUTE_FLOAT, "0", "first number" },
  { "stop", SYM_ATTRIBUTE_FLOAT, "None", "where the numbers end, not included" },
  { "step", SYM_ATTRIBUTE_FLOAT, "1.0", "distance of the numbers" },
  { "repeat", SYM_ATTRIBUTE_INT, "1", "how often each number comes" },
  { "infer_range", SYM_ATTRIBUTE_BOOL, "False", "whether stop follows from the use" },
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec linspace_attributes[] = {
  { "start", SYM_ATTRIBUTE_FLOAT, "0", "first number" },
  { "stop", SYM_ATTRIBUTE_FLOAT, "None", "last number, or where the numbers end" },
  { "step", SYM_ATTRIBUTE_FLOAT, "1.0", "not used" },
  { "repeat", SYM_ATTRIBUTE_INT, "1", "not used" },
  { "infer_range", SYM_ATTRIBUTE_BOOL, "False", "not used" },
  CTX_SPEC,
  DTYPE_SPEC,
  { "num", SYM_ATTRIBUTE_INT, NULL, "how many numbers" },
  { "endpoint", SYM_ATTRIBUTE_BOOL, "True", "whether stop is the last number" },
  { NULL },
};

/* ceil ((stop - start) / step) * repeat; a single number given is where the range stops. */
static gboolean
infer_range (SymRule *rule, GError **error)
{
  double start = sym_rule_get_float (rule, "start", 0);
  double stop = sym_rule_get_float (rule, "stop", (double) NAN);
  double step = sym_rule_get_float (rule, "step", 1), size;
  gint64 repeat = sym_rule_get_int (rule, "repeat", 1);
  SymDim n = SYM_DIM_UNKNOWN;

  if (step == 0 || repeat < 1)
    return sym_rule_fail (error, "step should not be 0 and repeat at least 1");
  if (isnan (stop) && !sym_rule_get_bool (rule, "infer_range", FALSE))
    {
      stop = start;
      start = 0;
    }
  size = ceil ((stop - start) / step) * (double) repeat;
  if (size < 1 || size > 0x1p53)
    return sym_rule_fail (error, "Invalid range (start, stop, step) = (%g, %g, %g)", start, stop,
                          step);
  if (!isnan (size))
    n = (SymDim) size;
  return sym_op_set_output (rule, 0, SYM_SHAPE (n),
                            sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32), error);
}

static gboolean
infer_linspace (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "num", -1);

  return sym_op_set_output (rule, 0, SYM_SHAPE (n >= 0 ? n : SYM_DIM_UNKNOWN),
                            sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32), error);
}

/* ---- _eye ---- */

static const SymAttributeSpec eye_attributes[] = {
  { "N", SYM_ATTRIBUTE_INT, NULL, "number of rows" },
  { "M", SYM_ATTRIBUTE_INT, "0", "number of columns; 0 for as many as rows" },
  { "k", SYM_ATTRIBUTE_INT, "0", "which diagonal is 1" },
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static gboolean
infer_eye (SymRule *rule, GError **error)
{
  gint64 rows = sym_rule_get_int (rule, "N", 0), columns = sym_rule_get_int (rule, "M", 0);
  SymDim n = rows > 0 ? rows : SYM_DIM_UNKNOWN;

  return sym_op_set_output (rule, 0, SYM_SHAPE (n, columns > 0 ? columns : n),
                            sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32), error);
}

/* ---- _contrib_arange_like ---- */

static const SymAttributeSpec arange_like_attributes[] = {
  { "start", SYM_ATTRIBUTE_FLOAT, "0.0", "first number" },
  { "step", SYM_ATTRIBUTE_FLOAT, "1.0", "distance of the numbers" },
  { "repeat", SYM_ATTRIBUTE_INT, "1", "how often each number comes" },
  CTX_SPEC,
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis whose size is taken; the whole shape when None" },
  { NULL },
};

static gboolean
infer_arange_like (SymRule *rule, GError **error)
{
  gint64 given = sym_rule_get_int (rule, "axis", G_MAXINT64);
  SymShape data = sym_rule_get_input (rule, 0);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (given == G_MAXINT64)
    return sym_op_pass_shape (rule, 0, 0, error);
  if (data.rank < 0)
    return TRUE;
  return sym_op_normalize_axis (given, data.rank, &axis, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (data.dims[axis]), SYM_DTYPE_UNKNOWN, error);
}

/* ---- Random numbers ---- */

static const SymAttributeSpec uniform_attributes[] = {
  { "low", SYM_ATTRIBUTE_FLOAT, "0.0", "least number" },
  { "high", SYM_ATTRIBUTE_FLOAT, "1.0", "greatest number" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec normal_attributes[] = {
  { "loc", SYM_ATTRIBUTE_FLOAT, "0.0", "mean" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "deviation" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec gamma_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "shape of the distribution" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "scale of the distribution" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec rate_attributes[] = {
  { "lam", SYM_ATTRIBUTE_FLOAT, "1.0", "rate of the distribution" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec plain_binomial_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, "1", "number of trials" },
  { "p", SYM_ATTRIBUTE_FLOAT, "1.0", "probability of a success" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec binomial_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "number of failures" },
  { "p", SYM_ATTRIBUTE_FLOAT, "1.0", "probability of a failure" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec general_binomial_attributes[] = {
  { "mu", SYM_ATTRIBUTE_FLOAT, "1.0", "mean" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "dispersion" },
  SHAPE_SPEC,
  CTX_SPEC,
  DTYPE_SPEC,
  { NULL },
};

static const SymAttributeSpec randint_attributes[] = {
  { "low", SYM_ATTRIBUTE_INT, NULL, "least number" },
  { "high", SYM_ATTRIBUTE_INT, NULL, "number after the greatest" },
  SHAPE_SPEC,
  CTX_SPEC,
  { "dtype", SYM_ATTRIBUTE_DTYPE, "int32", "dtype of the result" },
  { NULL },
};

static gboolean
infer_randint (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, sym_op_mxnet_get_shape (rule, "shape"),
                            sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_INT32), error);
}

/* ---- Lowering ---- */

static void
lower_all (SymOpLower *self, double number)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);

  if (out->rank < 0 || !sym_shape_is_known (out))
    sym_op_lower_refuse (self, "%s: the shape of the result is not known",
                         sym_op_lower_get_type (self));
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_fill (self, dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype, out,
                           number));
}

static void
lower_zeros (SymOpLower *self)
{
  lower_all (self, 0);
}

static void
lower_ones (SymOpLower *self)
{
  lower_all (self, 1);
}

static void
lower_full (SymOpLower *self)
{
  lower_all (self, sym_op_lower_get_float (self, "value", 0));
}

static void
lower_eye (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);

  if (out->rank != 2 || !sym_shape_is_known (out))
    {
      sym_op_lower_refuse (self, "%s: the shape of the result is not known",
                           sym_op_lower_get_type (self));
      return;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "EyeLike", SYM_IDS (sym_op_lower_fill (self, dtype, out, 0)), "k",
                         sym_value_new_int (sym_op_lower_get_int (self, "k", 0)), NULL));
}

#define CREATE(name_, aliases_, summary_, attributes_, infer_, lower_)          \
  {                                                                             \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,      \
                  .reference = "MXNet 1.9.1 " name_, .attributes = attributes_, \
                  .slots = sym_op_mxnet_none, .infer = infer_, .lower = lower_  \
  }

const SymOperator sym_op_mxnet_create[] = {
  CREATE ("_zeros", "_zeros_without_dtype", "zeros", init_attributes, infer_init, lower_zeros),
  CREATE ("_ones", NULL, "ones", init_attributes, infer_init, lower_ones),
  CREATE ("_full", "_npi_full", "one value everywhere", full_attributes, infer_init, lower_full),
  CREATE ("_arange",
          NULL,
          "numbers at even distance",
          range_attributes,
          infer_range,
          sym_op_mxnet_lower_range),
  CREATE ("_linspace",
          "_npi_linspace",
          "a number of numbers at even distance",
          linspace_attributes,
          infer_linspace,
          sym_op_mxnet_lower_spaced),
  CREATE ("_eye", NULL, "ones on a diagonal", eye_attributes, infer_eye, lower_eye),
  {
      SYM_OP_MXNET,
      .name = "_contrib_arange_like",
      .aliases = "_npx_arange_like",
      .summary = "numbers at even distance, as many as another tensor has",
      .reference = "MXNet 1.9.1 _contrib_arange_like",
      .attributes = arange_like_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_arange_like,
      .lower = sym_op_mxnet_lower_like,
  },
  CREATE ("_random_uniform",
          "random_uniform uniform",
          "evenly distributed numbers",
          uniform_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_normal",
          "random_normal normal",
          "normally distributed numbers",
          normal_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_gamma",
          "random_gamma",
          "numbers of a gamma distribution",
          gamma_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_exponential",
          "random_exponential",
          "numbers of an exponential distribution",
          rate_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_poisson",
          "random_poisson _npx_scalar_poisson",
          "numbers of a Poisson distribution",
          rate_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_binomial",
          "random_binomial",
          "numbers of a binomial distribution",
          plain_binomial_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_negative_binomial",
          "random_negative_binomial",
          "numbers of a negative binomial distribution",
          binomial_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_generalized_negative_binomial",
          "random_generalized_negative_binomial",
          "numbers of a generalized negative binomial distribution",
          general_binomial_attributes,
          infer_init,
          sym_op_mxnet_lower_random),
  CREATE ("_random_randint",
          "random_randint _npi_random_randint",
          "evenly distributed integers",
          randint_attributes,
          infer_randint,
          sym_op_mxnet_lower_random),
  {
      SYM_OP_MXNET,
      .name = "_shuffle",
      .aliases = "shuffle _npi_shuffle",
      .summary = "the rows in random order",
      .reference = "MXNet 1.9.1 _shuffle",
      .slots = sym_op_mxnet_data,
      .infer = sym_op_infer_elementwise,
      .run = sym_op_mxnet_run_shuffle,
  },
  { NULL },
};
