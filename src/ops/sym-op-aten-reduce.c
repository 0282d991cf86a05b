/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <math.h>
#include <string.h>

/* Reductions over axes "dim": all of them when none is given. */

typedef struct {
  SymOpLower *lower;
  SymDType dtype; /* of @x */
  SymId x;
  gint64 axes[SYM_MAX_RANK];
  int n, rank;
  gboolean keep;
} Reduction;

static gboolean
starts (SymOpLower *self, const char *prefix)
{
  return g_str_has_prefix (sym_op_lower_get_type (self) + strlen ("aten."), prefix);
}

/* Sums of integers and bools are int64. */
static SymDType
get_sum_dtype (SymOpLower *self, SymDType dtype)
{
  if (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL)
    dtype = SYM_DTYPE_INT64;
  return sym_op_lower_get_dtype (self, "dtype", dtype);
}

static gboolean
begin (Reduction *self, SymOpLower *lower, SymDType dtype)
{
  self->lower = lower;
  self->dtype = dtype;
  self->rank = sym_op_lower_get_input_shape (lower, 0)->rank;
  self->keep = sym_op_lower_get_bool (lower, "keepdim", FALSE);
  if (!sym_op_lower_need_tensor (lower, 0) ||
      !sym_op_aten_get_axes (lower, "dim", self->rank, self->axes, &self->n))
    return FALSE;
  self->x = sym_op_aten_input_as (lower, 0, dtype);
  return TRUE;
}

static SymId
reduce_as (const Reduction *self, const char *name, SymId x, gboolean keep)
{
  return sym_op_lower_reduce (self->lower, name, x, self->axes, self->n, keep);
}

static SymId
reduce (const Reduction *self, const char *name, SymId x)
{
  return reduce_as (self, name, x, self->keep);
}

static void
lower_sum (SymOpLower *lower)
{
  SymDType given = sym_op_lower_get_input_dtype (lower, 0);
  gboolean is_mean = starts (lower, "mean");
  Reduction self;

  if (begin (&self, lower,
             is_mean ? sym_op_lower_get_dtype (lower, "dtype", given)
                     : get_sum_dtype (lower, given)))
    sym_op_lower_set_output (lower, 0,
                             reduce (&self,
                                     is_mean                  ? "ReduceMean"
                                     : starts (lower, "prod") ? "ReduceProd"
                                                              : "ReduceSum",
                                     self.x));
}

static gboolean
infer_mean (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  gint64 given[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "dim", given, SYM_MAX_RANK);

  if (!sym_rule_set_output_dtype (
          rule, 0, sym_rule_get_dtype (rule, "dtype", sym_rule_get_input_dtype (rule, 0)), error))
    return FALSE;
  if (shape.rank < 1 || n > SYM_MAX_RANK)
    return sym_op_infer_lowered (rule, error);
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_normalize_axis (given[i], shape.rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  for (int i = 0; n < 1 && i < shape.rank; i++)
    axes[i] = TRUE;
  return sym_op_reduce (rule, axes, sym_rule_get_bool (rule, "keepdim", FALSE), error);
}

static void
lower_extreme (SymOpLower *lower)
{
  Reduction self;

  if (begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    sym_op_lower_set_output (
        lower, 0,
        reduce (&self, g_strrstr (sym_op_lower_get_type (lower), "max") ? "ReduceMax" : "ReduceMin",
                self.x));
}

/* Whether one (the greatest) or all (the least) are not 0. */
static void
lower_any (SymOpLower *lower)
{
  SymDType given = sym_op_lower_get_input_dtype (lower, 0);
  Reduction self;
  SymId x;

  if (!begin (&self, lower, given))
    return;
  x = given == SYM_DTYPE_BOOL ? self.x : sym_op_lower_cast (lower, self.x, SYM_DTYPE_BOOL);
  x = sym_op_lower_cast (lower, x, SYM_DTYPE_INT32);
  x = reduce (&self, starts (lower, "any") ? "ReduceMax" : "ReduceMin", x);
  sym_op_lower_set_output (lower, 0, sym_op_lower_cast (lower, x, SYM_DTYPE_BOOL));
}

/* Without an axis, the place among all elements. */
static void
lower_arg (SymOpLower *lower)
{
  const char *name = starts (lower, "argmax") ? "ArgMax" : "ArgMin";
  gboolean has_axis = sym_op_aten_has (lower, "dim");
  gint64 all = -1;
  Reduction self;
  SymId x;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  x = has_axis && self.n == 1
          ? self.x
          : sym_op_lower_binary (lower, "Reshape", self.x, sym_op_lower_ints (lower, &all, 1));
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_call (lower, name, SYM_IDS (x), "axis",
                         sym_value_new_int (has_axis && self.n == 1 ? self.axes[0] : 0), "keepdims",
                         sym_value_new_int (has_axis && self.keep && self.rank > 0), NULL));
}

/* max.dim and min.dim: values and where they are. */
static void
lower_extreme_at (SymOpLower *lower)
{
  gboolean is_max = starts (lower, "max");
  Reduction self;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  if (self.n != 1)
    {
      sym_op_lower_refuse (lower, "%s: a number has no axis", sym_op_lower_get_type (lower));
      return;
    }
  sym_op_lower_set_output (lower, 0, reduce (&self, is_max ? "ReduceMax" : "ReduceMin", self.x));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1,
                             sym_op_lower_call (lower, is_max ? "ArgMax" : "ArgMin",
                                                SYM_IDS (self.x), "axis",
                                                sym_value_new_int (self.axes[0]), "keepdims",
                                                sym_value_new_int (self.keep), NULL));
}

static void
lower_aminmax (SymOpLower *lower)
{
  Reduction self;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  sym_op_lower_set_output (lower, 0, reduce (&self, "ReduceMin", self.x));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1, reduce (&self, "ReduceMax", self.x));
}

/* How many elements one result is made of, as a number of the dtype. */
static SymId
count_elements (const Reduction *self)
{
  SymOpLower *lower = self->lower;
  SymId sizes = sym_op_lower_binary (lower, "Gather", sym_op_aten_shape (lower, self->x),
                                     sym_op_lower_ints (lower, self->axes, self->n));
  gint64 first = 0;

  return sym_op_lower_cast (
      lower, sym_op_lower_reduce (lower, "ReduceProd", sizes, &first, 1, FALSE), self->dtype);
}

/* How much less than their count the squares are divided by: 1 unless it is told. */
static double
get_correction (SymOpLower *lower)
{
  if (g_str_has_suffix (sym_op_lower_get_type (lower), ".correction"))
    return sym_op_lower_get_float (lower, "correction", 1);
  return sym_op_lower_get_bool (lower, "unbiased", TRUE) ? 1 : 0;
}

static SymId
find_variance (const Reduction *self, SymId mean)
{
  SymOpLower *lower = self->lower;
  double correction = get_correction (lower);
  SymId centred = sym_op_lower_binary (lower, "Sub", self->x, mean), count;
  SymId squares = reduce (self, "ReduceSumSquare", centred);

  count = sym_op_lower_binary (lower, "Sub", count_elements (self),
                               sym_op_aten_number (lower, self->dtype, correction));
  count = sym_op_lower_binary (lower, "Max", count, sym_op_aten_number (lower, self->dtype, 0));
  return sym_op_lower_binary (lower, "Div", squares, count);
}

/* var, std, var_mean, std_mean. */
static void
lower_variance (SymOpLower *lower)
{
  Reduction self;
  SymId y;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  y = find_variance (&self, reduce_as (&self, "ReduceMean", self.x, TRUE));
  sym_op_lower_set_output (lower, 0,
                           starts (lower, "std") ? sym_op_lower_unary (lower, "Sqrt", y) : y);
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1, reduce (&self, "ReduceMean", self.x));
}

static void
lower_logsumexp (SymOpLower *lower)
{
  SymDType dtype = sym_op_aten_to_float (sym_op_lower_get_input_dtype (lower, 0));
  Reduction self;

  if (begin (&self, lower, dtype))
    sym_op_lower_set_output (lower, 0, reduce (&self, "ReduceLogSumExp", self.x));
}

static SymId
sum_powers (const Reduction *self, double order)
{
  SymOpLower *lower = self->lower;
  SymId x = sym_op_lower_unary (lower, "Abs", self->x);

  x = sym_op_lower_binary (lower, "Pow", x, sym_op_aten_number (lower, self->dtype, order));
  return sym_op_lower_binary (lower, "Pow", reduce (self, "ReduceSum", x),
                              sym_op_aten_number (lower, self->dtype, 1 / order));
}

static SymId
count_others (const Reduction *self)
{
  SymId x = sym_op_lower_cast (self->lower, self->x, SYM_DTYPE_BOOL);

  return reduce (self, "ReduceSum", sym_op_lower_cast (self->lower, x, self->dtype));
}

/* norm and linalg_vector_norm: of order "p" or "ord", 2 unless it is told. */
static void
lower_norm (SymOpLower *lower)
{
  const char *name = starts (lower, "linalg") ? "ord" : "p";
  SymDType dtype = sym_op_lower_get_dtype (
      lower, "dtype", sym_op_aten_to_float (sym_op_lower_get_input_dtype (lower, 0)));
  double order = sym_op_lower_get_float (lower, name, 2);
  Reduction self;
  SymId y;

  if (!begin (&self, lower, dtype))
    return;
  if (isinf (order))
    y = reduce (&self, order > 0 ? "ReduceMax" : "ReduceMin",
                sym_op_lower_unary (lower, "Abs", self.x));
  else if (order == 0)
    y = count_others (&self);
  else if (order == 1 || order == 2)
    y = reduce (&self, order == 1 ? "ReduceL1" : "ReduceL2", self.x);
  else
    y = sum_powers (&self, order);
  sym_op_lower_set_output (lower, 0, y);
}

static void
lower_count_nonzero (SymOpLower *lower)
{
  Reduction self;
  SymId x;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  self.keep = FALSE;
  x = sym_op_lower_cast (lower, sym_op_lower_cast (lower, self.x, SYM_DTYPE_BOOL), SYM_DTYPE_INT64);
  sym_op_lower_set_output (lower, 0, reduce (&self, "ReduceSum", x));
}

static const SymAttributeSpec attributes[] = {
  { "dim", SYM_ATTRIBUTE_INTS, "None", "the axes; all of them without" },
  { "keepdim", SYM_ATTRIBUTE_BOOL, "False", "whether they stay, of size 1" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec variance_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INTS, "None", "the axes; all of them without" },
  { "correction", SYM_ATTRIBUTE_FLOAT, "1", "what is taken from the count" },
  { "unbiased", SYM_ATTRIBUTE_BOOL, "True", "whether 1 is taken from the count" },
  { "keepdim", SYM_ATTRIBUTE_BOOL, "False", "whether the axes stay, of size 1" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "2", "the order of norm" },
  { "ord", SYM_ATTRIBUTE_FLOAT, "2", "the order of linalg_vector_norm" },
  { "dim", SYM_ATTRIBUTE_INTS, "None", "the axes; all of them without" },
  { "keepdim", SYM_ATTRIBUTE_BOOL, "False", "whether they stay, of size 1" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static const char *const values_indices[] = { "values", "indices", NULL };
static const char *const min_max[] = { "min", "max", NULL };

#define REDUCTION(name_, aliases_, summary_, attributes_, infer_, lower_)                 \
  {                                                                                       \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,         \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_POOLING, \
                 .attributes = attributes_, .slots = sym_op_aten_self, .infer = infer_,   \
                 .lower = lower_,                                                         \
  }

#define SEVERAL(name_, aliases_, summary_, attributes_, lower_, names_)                   \
  {                                                                                       \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,         \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_POOLING, \
                 .attributes = attributes_, .slots = sym_op_aten_self,                    \
                 .infer = sym_op_infer_lowered, .lower = lower_,                          \
                 .get_n_outputs = sym_op_aten_any_outputs, .output_names = names_,        \
  }

const SymOperator sym_op_aten_reduce[] = {
  REDUCTION ("sum.dim_IntList",
             "aten.sum aten.sum.dim",
             "Sum",
             attributes,
             sym_op_infer_lowered,
             lower_sum),
  REDUCTION ("mean.dim", "aten.mean", "Mean", attributes, infer_mean, lower_sum),
  REDUCTION ("prod.dim_int", "aten.prod", "Product", attributes, sym_op_infer_lowered, lower_sum),
  REDUCTION ("amax",
             "aten.max",
             "Greatest element",
             attributes,
             sym_op_infer_lowered,
             lower_extreme),
  REDUCTION ("amin", "aten.min", "Least element", attributes, sym_op_infer_lowered, lower_extreme),
  REDUCTION ("any.dim",
             "aten.any aten.any.dims",
             "Whether one is not 0",
             attributes,
             sym_op_infer_lowered,
             lower_any),
  REDUCTION ("all.dim",
             "aten.all aten.all.dims",
             "Whether none is 0",
             attributes,
             sym_op_infer_lowered,
             lower_any),
  REDUCTION ("argmax",
             NULL,
             "Where the greatest element is",
             attributes,
             sym_op_infer_lowered,
             lower_arg),
  REDUCTION ("argmin",
             NULL,
             "Where the least element is",
             attributes,
             sym_op_infer_lowered,
             lower_arg),
  REDUCTION ("var.correction",
             "aten.var aten.var.dim",
             "Variance",
             variance_attributes,
             sym_op_infer_lowered,
             lower_variance),
  REDUCTION ("std.correction",
             "aten.std aten.std.dim",
             "Standard deviation",
             variance_attributes,
             sym_op_infer_lowered,
             lower_variance),
  REDUCTION ("logsumexp",
             NULL,
             "Logarithm of the sum of exponentials",
             attributes,
             sym_op_infer_lowered,
             lower_logsumexp),
  REDUCTION ("linalg_vector_norm",
             "aten.norm.Scalar aten.norm.ScalarOpt_dim aten.norm.ScalarOpt_dim_dtype "
             "aten.norm.ScalarOpt_dtype aten.frobenius_norm.dim aten.frobenius_norm",
             "Length of a vector",
             norm_attributes,
             sym_op_infer_lowered,
             lower_norm),
  REDUCTION ("count_nonzero",
             "aten.count_nonzero.dim_IntList",
             "How many are not 0",
             attributes,
             sym_op_infer_lowered,
             lower_count_nonzero),
  SEVERAL ("max.dim",
           NULL,
           "Greatest element and where it is",
           attributes,
           lower_extreme_at,
           values_indices),
  SEVERAL ("min.dim",
           NULL,
           "Least element and where it is",
           attributes,
           lower_extreme_at,
           values_indices),
  SEVERAL ("aminmax", NULL, "Least and greatest element", attributes, lower_aminmax, min_max),
  SEVERAL ("var_mean.correction",
           "aten.var_mean aten.var_mean.dim",
           "Variance and mean",
           variance_attributes,
           lower_variance,
           NULL),
  SEVERAL ("std_mean.correction",
           "aten.std_mean aten.std_mean.dim",
           "Standard deviation and mean",
           variance_attributes,
           lower_variance,
           NULL),
  { NULL },
};
