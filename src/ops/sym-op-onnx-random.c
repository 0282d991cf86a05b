/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-random.h"
#include "ops/sym-op-table.h"

/* Random tensors.  ONNX leaves the generator open: another engine draws other numbers from the same
 * distribution. */

/* ---- RandomNormal, RandomUniform and their likes ---- */

static gboolean
is_normal (SymKernel *kernel)
{
  return g_str_has_prefix (sym_layer_get_operator (sym_kernel_get_layer (kernel))->name,
                           "RandomNormal");
}

static gboolean
draw (SymKernel *kernel, SymDType dtype, const SymShape *shape, GError **error)
{
  gboolean normal = is_normal (kernel);
  double first =
      normal ? sym_kernel_get_float (kernel, "mean", 0) : sym_kernel_get_float (kernel, "low", 0);
  double width = normal ? sym_kernel_get_float (kernel, "scale", 1)
                        : sym_kernel_get_float (kernel, "high", 1) - first;
  SymOpRandom random = sym_op_random_new (kernel);
  gsize done = 0;
  SymArray *y;

  if (!sym_dtype_is_floating (dtype))
    return sym_op_refuse_dtype (kernel, dtype, error);
  y = sym_kernel_new_output (kernel, 0, dtype, shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (y); i++)
    {
      double number = normal ? sym_op_random_normal (&random) : sym_op_random_uniform (&random);

      sym_element_set_double (dtype, y->data, i, first + width * number);
      if (!sym_op_go_on (kernel, &done, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_random (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "dtype");
  SymShape shape = { .rank = 0 };

  shape.rank = sym_kernel_get_ints (kernel, "shape", shape.dims, SYM_MAX_RANK);
  if (shape.rank < 0 || shape.rank > SYM_MAX_RANK)
    return sym_kernel_fail (error, "the attribute shape must have at most %d sizes", SYM_MAX_RANK);
  return draw (kernel, dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype, &shape, error);
}

static gboolean
run_random_like (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "dtype");
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);

  return x != NULL &&
         draw (kernel, dtype == SYM_DTYPE_UNKNOWN ? x->dtype : dtype, &x->shape, error);
}

static gboolean
infer_random (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "dtype");
  SymShape shape = { .rank = 0 };

  shape.rank = sym_rule_get_ints (rule, "shape", shape.dims, SYM_MAX_RANK);
  if (shape.rank < 0 || shape.rank > SYM_MAX_RANK)
    return sym_rule_fail (error, "the attribute shape must have at most %d sizes", SYM_MAX_RANK);
  for (int i = 0; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      return sym_rule_fail (error, "the attribute shape has a negative size");
  return sym_op_set_output (rule, 0, shape, dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype,
                            error);
}

/* The shape of the operand, and its dtype where the attribute names none. */
static gboolean
infer_like (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "dtype");

  if (!sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  return dtype == SYM_DTYPE_UNKNOWN ? sym_op_pass_dtype (rule, 0, 0, error)
                                    : sym_rule_set_output_dtype (rule, 0, dtype, error);
}

/* ---- Bernoulli ---- */

static gboolean
run_bernoulli (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "dtype");
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymOpRandom random = sym_op_random_new (kernel);
  gsize done = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  dtype = dtype == SYM_DTYPE_UNKNOWN ? x->dtype : dtype;
  if (!sym_dtype_is_floating (x->dtype) || !sym_dtype_is_numeric (dtype))
    return sym_op_refuse_dtype (kernel, sym_dtype_is_floating (x->dtype) ? dtype : x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, dtype, &x->shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      double probability = sym_element_get_double (x->dtype, x->data, i);

      if (!(probability >= 0 && probability <= 1))
        return sym_kernel_fail (error, "element %" G_GSIZE_FORMAT ", %g, is no probability", i,
                                probability);
      sym_element_set_int (dtype, y->data, i, sym_op_random_uniform (&random) < probability);
      if (!sym_op_go_on (kernel, &done, 1, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Multinomial ---- */

/* A class of those whose logarithms of weights are [n] at place @row: the first whose sum of
 * weights so far is beyond a random share of all. */
static gint64
draw_class (const double *sums, gsize n, SymOpRandom *random)
{
  double share = sym_op_random_uniform (random) * sums[n - 1];
  gsize low = 0, high = n - 1;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (sums[middle] > share)
        high = middle;
      else
        low = middle + 1;
    }
  return (gint64) low;
}

static void
sum_weights (const SymArray *x, gsize row, gsize n, double *sums)
{
  double greatest = -INFINITY, sum = 0;

  for (gsize i = 0; i < n; i++)
    greatest = fmax (greatest, sym_element_get_double (x->dtype, x->data, row * n + i));
  for (gsize i = 0; i < n; i++)
    sums[i] = sum += exp (sym_element_get_double (x->dtype, x->data, row * n + i) - greatest);
}

static gboolean
run_multinomial (SymKernel *kernel, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "dtype");
  gint64 n_samples = sym_kernel_get_int (kernel, "sample_size", 1);
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymOpRandom random = sym_op_random_new (kernel);
  gsize n, done = 0;
  double *sums;
  SymArray *y;

  dtype = dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_INT32 : dtype;
  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (x->dtype) || (dtype != SYM_DTYPE_INT32 && dtype != SYM_DTYPE_INT64))
    return sym_op_refuse_dtype (kernel, sym_dtype_is_floating (x->dtype) ? dtype : x->dtype, error);
  if (x->shape.rank != 2 || x->shape.dims[1] == 0)
    return sym_kernel_fail (error, "the operand must have 2 axes, and a class to draw");
  n = (gsize) x->shape.dims[1];
  y = sym_kernel_new_output (kernel, 0, dtype, &SYM_SHAPE (x->shape.dims[0], n_samples), error);
  sums = sym_kernel_get_scratch (kernel, n, sizeof (double), error);
  if (y == NULL || sums == NULL)
    return FALSE;
  for (gint64 row = 0; row < x->shape.dims[0]; row++)
    {
      sum_weights (x, (gsize) row, n, sums);
      if (!(sums[n - 1] > 0))
        return sym_kernel_fail (error, "row %" G_GINT64_FORMAT " has no class to draw", row);
      for (gint64 i = 0; i < n_samples; i++)
        {
          sym_element_set_int (dtype, y->data, (gsize) (row * n_samples + i),
                               draw_class (sums, n, &random));
          if (!sym_op_go_on (kernel, &done, 1, error))
            return FALSE;
        }
      if (!sym_op_go_on (kernel, &done, n, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer_multinomial (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "dtype");
  gint64 n_samples = sym_rule_get_int (rule, "sample_size", 1);
  SymShape x;

  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (2), error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  if (n_samples < 0)
    return sym_rule_fail (error, "sample_size is negative");
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (x.rank == 2 ? x.dims[0] : SYM_DIM_UNKNOWN, n_samples),
                            dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_INT32 : dtype, error);
}

/* ---- Table ---- */

#define MEAN                                                  \
  {                                                           \
    "mean", SYM_ATTRIBUTE_FLOAT, "0.0", "mean of the numbers" \
  }
#define SCALE                                                       \
  {                                                                 \
    "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "their standard deviation" \
  }
#define LOW                                           \
  {                                                   \
    "low", SYM_ATTRIBUTE_FLOAT, "0.0", "least number" \
  }
#define HIGH                                                         \
  {                                                                  \
    "high", SYM_ATTRIBUTE_FLOAT, "1.0", "what all numbers are below" \
  }
#define SEED                                                                               \
  {                                                                                        \
    "seed", SYM_ATTRIBUTE_FLOAT, "None", "what the numbers begin with; None for the run's" \
  }
#define SHAPE                                                \
  {                                                          \
    "shape", SYM_ATTRIBUTE_INTS, NULL, "shape of the result" \
  }
#define DTYPE(fallback_, meaning_)                    \
  {                                                   \
    "dtype", SYM_ATTRIBUTE_DTYPE, fallback_, meaning_ \
  }
#define OWN_DTYPE DTYPE ("float32", "dtype of the result")
#define LIKE_DTYPE DTYPE ("None", "dtype of the result; None for the operand's")
#define ATTRIBUTES(...)         \
  (const SymAttributeSpec[])    \
  {                             \
    __VA_ARGS__, SEED, { NULL } \
  }

static const SymSlotSpec no_slots[] = { { NULL } };

#define RANDOM(name_, version_, summary_, attributes_, slots_, infer_, run_)                    \
  {                                                                                             \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_OTHER,         \
                                   .attributes = attributes_, .slots = slots_, .infer = infer_, \
                                   .run = run_                                                  \
  }

const SymOperator sym_op_onnx_random[] = {
  RANDOM ("RandomNormal",
          1,
          "normally distributed numbers",
          ATTRIBUTES (OWN_DTYPE, MEAN, SCALE, SHAPE),
          no_slots,
          infer_random,
          run_random),
  RANDOM ("RandomNormalLike",
          1,
          "normally distributed numbers in another tensor's shape",
          ATTRIBUTES (LIKE_DTYPE, MEAN, SCALE),
          sym_op_onnx_input,
          infer_like,
          run_random_like),
  RANDOM ("RandomUniform",
          1,
          "evenly distributed numbers",
          ATTRIBUTES (OWN_DTYPE, LOW, HIGH, SHAPE),
          no_slots,
          infer_random,
          run_random),
  RANDOM ("RandomUniformLike",
          1,
          "evenly distributed numbers in another tensor's shape",
          ATTRIBUTES (LIKE_DTYPE, LOW, HIGH),
          sym_op_onnx_input,
          infer_like,
          run_random_like),
  RANDOM ("Bernoulli",
          15,
          "1 with the probability that is given, else 0",
          ATTRIBUTES (LIKE_DTYPE),
          sym_op_onnx_input,
          infer_like,
          run_bernoulli),
  RANDOM ("Multinomial",
          7,
          "classes drawn by the logarithms of their weights",
          ATTRIBUTES (DTYPE ("int32", "dtype of the result"),
                      { "sample_size", SYM_ATTRIBUTE_INT, "1", "how often is drawn" }),
          sym_op_onnx_input,
          infer_multinomial,
          run_multinomial),
  { 0 },
};
