/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

/* Reductions over `axis`: all axes without one. */

typedef struct {
  SymOpLower *lower;
  SymId x;
  SymDType dtype; /* of @x */
  gint64 axes[SYM_MAX_RANK];
  int n, rank; /* @n is -1 for all axes */
  gboolean keep;
} Reduction;

static gboolean
begin (Reduction *self, SymOpLower *lower, SymDType dtype)
{
  self->lower = lower;
  self->dtype = dtype;
  self->rank = sym_op_foreign_rank (lower, 0);
  self->keep = sym_op_lower_get_bool (lower, "keepdims", FALSE);
  if (!sym_op_lower_need_tensor (lower, 0) ||
      !sym_op_keras_ops_get_axes (lower, "axis", "axes", self->rank, self->axes, &self->n))
    return FALSE;
  self->x = sym_op_keras_ops_input (lower, 0, dtype);
  return TRUE;
}

static SymId
reduce (const Reduction *self, const char *name, SymId x, gboolean keep)
{
  return sym_op_foreign_reduce (self->lower, name, x, self->rank, self->axes, self->n, keep);
}

/* Sums of what is small are int32. */
static SymDType
get_sum_dtype (SymDType dtype)
{
  if (sym_dtype_is_floating (dtype) || sym_dtype_get_bits (dtype) >= 32)
    return dtype;
  return SYM_DTYPE_INT32;
}

static void
lower_sum (SymOpLower *lower)
{
  gboolean is_product = strcmp (sym_op_keras_ops_get_name (lower), "Prod") == 0;
  Reduction self;

  if (begin (&self, lower, get_sum_dtype (sym_op_lower_get_input_dtype (lower, 0))))
    sym_op_lower_set_output (
        lower, 0, reduce (&self, is_product ? "ReduceProd" : "ReduceSum", self.x, self.keep));
}

static void
lower_extreme (SymOpLower *lower)
{
  gboolean is_max = strcmp (sym_op_keras_ops_get_name (lower), "Max") == 0;
  Reduction self;

  if (begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    sym_op_lower_set_output (lower, 0,
                             reduce (&self, is_max ? "ReduceMax" : "ReduceMin", self.x, self.keep));
}

/* Whether one (the greatest) or all (the least) hold. */
static void
lower_truth (SymOpLower *lower)
{
  gboolean is_any = strcmp (sym_op_keras_ops_get_name (lower), "Any") == 0;
  Reduction self;
  SymId y;

  if (!begin (&self, lower, SYM_DTYPE_BOOL))
    return;
  y = sym_op_lower_cast (lower, self.x, SYM_DTYPE_INT32);
  y = reduce (&self, is_any ? "ReduceMax" : "ReduceMin", y, self.keep);
  /* The greatest of nothing is negative, and no truth. */
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_binary (lower, "Greater", y, sym_op_lower_number (lower, SYM_DTYPE_INT32, 0)));
}

static void
lower_count (SymOpLower *lower)
{
  Reduction self;

  if (begin (&self, lower, SYM_DTYPE_BOOL))
    sym_op_lower_set_output (
        lower, 0,
        reduce (&self, "ReduceSum", sym_op_lower_cast (lower, self.x, SYM_DTYPE_INT32), self.keep));
}

static void
lower_mean (SymOpLower *lower)
{
  static const char *const names[][2] = {
    { "Mean", "ReduceMean" },
    { "Logsumexp", "ReduceLogSumExp" },
    { "EuclideanNorm", "ReduceL2" },
  };
  Reduction self;

  if (!begin (&self, lower, sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0))))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (sym_op_keras_ops_get_name (lower), names[i][0]) == 0)
      sym_op_lower_set_output (lower, 0, reduce (&self, names[i][1], self.x, self.keep));
}

/* The mean of (x - mean)^2. */
static SymId
get_variance (const Reduction *self, SymId *mean)
{
  SymId difference;

  *mean = reduce (self, "ReduceMean", self->x, TRUE);
  difference = sym_op_lower_binary (self->lower, "Sub", self->x, *mean);
  return reduce (self, "ReduceMean",
                 sym_op_lower_binary (self->lower, "Mul", difference, difference), self->keep);
}

static void
lower_variance (SymOpLower *lower)
{
  Reduction self;
  SymId y, mean;

  if (!begin (&self, lower, sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0))))
    return;
  y = get_variance (&self, &mean);
  if (strcmp (sym_op_keras_ops_get_name (lower), "Std") == 0)
    y = sym_op_lower_unary (lower, "Sqrt", y);
  sym_op_lower_set_output (lower, 0, y);
}

static void
lower_moments (SymOpLower *lower)
{
  Reduction self;
  SymId mean, variance;

  if (!begin (&self, lower, sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0))))
    return;
  variance = get_variance (&self, &mean);
  sym_op_lower_set_output (lower, 0,
                           self.keep ? mean : reduce (&self, "ReduceMean", self.x, FALSE));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1, variance);
}

/* The root of the sum of squares, and sums of absolute values. */
static void
lower_norm (SymOpLower *lower)
{
  const char *order = sym_op_lower_get_string (lower, "ord", "fro");
  gint64 number = sym_op_lower_get_int (lower, "ord", 2);
  Reduction self;

  if (!begin (&self, lower, sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0))))
    return;
  if ((number != 1 && number != 2) || strcmp (order, "fro") != 0 ||
      ((self.n < 0 ? self.rank : self.n) > 1 && sym_op_lower_get_int (lower, "ord", 0) != 0))
    sym_op_lower_refuse (lower, "Norm: an order of that kind is not lowered");
  sym_op_lower_set_output (
      lower, 0, reduce (&self, number == 1 ? "ReduceL1" : "ReduceL2", self.x, self.keep));
}

/* x / max (its length, epsilon) */
static void
lower_normalize (SymOpLower *lower)
{
  gboolean is_tf = sym_op_keras_ops_is_tf (lower);
  double epsilon = sym_op_lower_get_float (lower, "epsilon", is_tf ? 1e-12 : 1e-7);
  Reduction self;
  SymId length;

  if (!begin (&self, lower, sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0))))
    return;
  if (sym_op_lower_get_int (lower, "order", 2) != 2)
    sym_op_lower_refuse (lower, "Normalize: only order 2 is lowered");
  if (self.n < 0 && !is_tf)
    {
      self.axes[0] = self.rank - 1;
      self.n = 1;
    }
  /* TensorFlow bounds the square. */
  length = is_tf ? reduce (&self, "ReduceSumSquare", self.x, TRUE)
                 : reduce (&self, "ReduceL2", self.x, TRUE);
  length =
      sym_op_lower_binary (lower, "Max", length, sym_op_lower_number (lower, self.dtype, epsilon));
  if (is_tf)
    length = sym_op_lower_unary (lower, "Sqrt", length);
  sym_op_lower_set_output (lower, 0, sym_op_lower_binary (lower, "Div", self.x, length));
}

/* ---- Places ---- */

/* TensorFlow's have axis 0 and int64 unless told otherwise; Keras' go through all elements. */
static void
lower_arg (SymOpLower *lower)
{
  gboolean is_max = strcmp (sym_op_keras_ops_get_name (lower), "Argmax") == 0;
  gboolean is_tf = sym_op_keras_ops_is_tf (lower), keep;
  gint64 flat = -1;
  Reduction self;
  SymId y;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  keep = self.keep;
  if (self.n < 0 && !is_tf)
    {
      self.x = sym_op_foreign_reshape (lower, self.x, &flat, 1, FALSE);
      if (keep)
        sym_op_lower_refuse (lower, "%s: keepdims without an axis is not lowered",
                             sym_op_keras_ops_get_name (lower));
    }
  y = sym_op_lower_call (lower, is_max ? "ArgMax" : "ArgMin", SYM_IDS (self.x), "axis",
                         sym_value_new_int (self.n < 1 ? 0 : self.axes[0]), "keepdims",
                         sym_value_new_int (keep), NULL);
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_cast_from (lower, y, SYM_DTYPE_INT64,
                              sym_op_lower_get_dtype (lower, "output_type",
                                                      is_tf ? SYM_DTYPE_INT64 : SYM_DTYPE_INT32)));
}

/* ---- Along an axis ---- */

static void
lower_cumulate (SymOpLower *lower)
{
  gboolean is_sum = strcmp (sym_op_keras_ops_get_name (lower), "Cumsum") == 0;
  Reduction self;

  if (!begin (&self, lower, get_sum_dtype (sym_op_lower_get_input_dtype (lower, 0))))
    return;
  if (!is_sum || (self.n < 0 && self.rank != 1 && !sym_op_keras_ops_is_tf (lower)))
    sym_op_lower_refuse (lower, "%s: only sums along one axis are lowered",
                         sym_op_keras_ops_get_name (lower));
  sym_op_lower_set_output (
      lower, 0,
      sym_op_foreign_cumulate (
          lower, self.x,
          sym_op_lower_number (lower, SYM_DTYPE_INT64, self.n < 1 ? 0 : (double) self.axes[0])));
}

/* The first of what TopK sorts along the last axis, or an axis as a whole. */
static SymId
sort (const Reduction *self, SymId count, int axis, gboolean largest)
{
  return sym_op_lower_call (self->lower, "TopK", SYM_IDS (self->x, count), "axis",
                            sym_value_new_int (axis), "largest", sym_value_new_int (largest), NULL);
}

static void
lower_top (SymOpLower *lower)
{
  gint64 n = sym_op_lower_get_int (lower, "k", 1);
  Reduction self;
  SymId values;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  values = sort (&self, sym_op_lower_ints (lower, &n, 1), -1, TRUE);
  sym_op_lower_set_output (lower, 0, values);
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (
        lower, 1,
        sym_op_lower_cast (lower, sym_op_lower_get_result (lower, values, 1), SYM_DTYPE_INT32));
}

static void
lower_sort (SymOpLower *lower)
{
  gboolean wants_places = strcmp (sym_op_keras_ops_get_name (lower), "Argsort") == 0;
  gint64 size;
  Reduction self;
  SymId values;
  int axis;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  axis = self.n == 1 ? (int) self.axes[0] : self.rank - 1;
  size = sym_op_foreign_size (lower, 0, axis);
  values = sort (&self, sym_op_lower_ints (lower, &size, 1), axis, FALSE);
  sym_op_lower_set_output (
      lower, 0,
      wants_places
          ? sym_op_lower_cast (lower, sym_op_lower_get_result (lower, values, 1), SYM_DTYPE_INT32)
          : values);
}

/* ---- Tables ---- */

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that are reduced; all of them" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with one element" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "ord", SYM_ATTRIBUTE_ANY, "None", "which power of the elements is summed" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that are reduced; all of them" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with one element" },
  { NULL },
};

static const SymAttributeSpec normalize_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "-1", "axes that make up a vector" },
  { "order", SYM_ATTRIBUTE_INT, "2", "which power of the elements is summed" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-7", "the least length that is divided by" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis whose elements follow each other" },
  { NULL },
};

static const SymAttributeSpec top_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "how many" },
  { NULL },
};

#define REDUCE(name_, aliases_, summary_, attributes_, lower_)                         \
  {                                                                                    \
    SYM_OP_KERAS_OPS (name_, summary_, POOLING),                                       \
        .aliases = aliases_, .slots = sym_op_keras_ops_one, .attributes = attributes_, \
        .infer = sym_op_infer_lowered, .lower = lower_,                                \
  }
#define SEVERAL(name_, summary_, attributes_, lower_)                                          \
  {                                                                                            \
    SYM_OP_KERAS_OPS (name_, summary_, POOLING),                                               \
        .slots = sym_op_keras_ops_one, .attributes = attributes_,                              \
        .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered, .lower = lower_, \
  }

const SymOperator sym_op_keras_ops_reduce[] = {
  REDUCE ("All", NULL, "Whether all elements hold", attributes, lower_truth),
  REDUCE ("Any", NULL, "Whether any element holds", attributes, lower_truth),
  REDUCE ("Argmax", NULL, "Where the largest element is", attributes, lower_arg),
  REDUCE ("Argmin", NULL, "Where the smallest element is", attributes, lower_arg),
  REDUCE ("Argsort", NULL, "Where the elements are in their order", axis_attributes, lower_sort),
  REDUCE ("CountNonzero", NULL, "How many elements are not 0", attributes, lower_count),
  REDUCE ("Cumsum", NULL, "Sums of all elements so far", axis_attributes, lower_cumulate),
  REDUCE ("EuclideanNorm", NULL, "The root of the sum of squares", attributes, lower_mean),
  REDUCE ("Logsumexp", NULL, "The logarithm of the sum of powers", attributes, lower_mean),
  REDUCE ("Max", "Amax", "The largest element", attributes, lower_extreme),
  REDUCE ("Mean", NULL, "The mean of the elements", attributes, lower_mean),
  REDUCE ("Min", "Amin", "The smallest element", attributes, lower_extreme),
  SEVERAL ("Moments", "Mean and variance", attributes, lower_moments),
  REDUCE ("Norm", NULL, "The length of vectors", norm_attributes, lower_norm),
  REDUCE ("Normalize", NULL, "Vectors of length 1", normalize_attributes, lower_normalize),
  REDUCE ("Prod", NULL, "The product of the elements", attributes, lower_sum),
  REDUCE ("Sort", NULL, "Elements in their order", axis_attributes, lower_sort),
  REDUCE ("Std", NULL, "The standard deviation", attributes, lower_variance),
  REDUCE ("Sum", NULL, "The sum of the elements", attributes, lower_sum),
  SEVERAL ("TopK", "The largest elements and their places", top_attributes, lower_top),
  REDUCE ("Var", NULL, "The variance", attributes, lower_variance),
  { NULL },
};
