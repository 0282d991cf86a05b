/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <math.h>
#include <string.h>

/* Functions of the elements along an axis that are no single reduction. */

typedef struct {
  SymOpLower *lower;
  SymId x;
  SymDType dtype; /* of @x */
  gint64 axes[SYM_MAX_RANK];
  int n, rank; /* @n is -1 for all axes */
} Lines;

static SymDType
get_float (SymOpLower *lower)
{
  return sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0));
}

static gboolean
begin (Lines *self, SymOpLower *lower, SymDType dtype)
{
  self->lower = lower;
  self->dtype = dtype;
  self->rank = sym_op_foreign_rank (lower, 0);
  self->axes[0] = 0;
  if (!sym_op_keras_ops_get_axes (lower, "axis", "axis", self->rank, self->axes, &self->n))
    return FALSE;
  self->x = sym_op_keras_ops_input (lower, 0, dtype);
  return TRUE;
}

static SymId
apply (const Lines *self, const char *name, SymId a, SymId b)
{
  return sym_op_lower_binary (self->lower, name, a, b);
}

static SymId
number (const Lines *self, double value)
{
  return sym_op_lower_number (self->lower, self->dtype, value);
}

static SymId
flatten (const Lines *self, SymId x)
{
  gint64 all = -1;

  return sym_op_foreign_reshape (self->lower, x, &all, 1, FALSE);
}

static SymId
reduce (const Lines *self, const char *name, SymId x, gboolean keep)
{
  return sym_op_foreign_reduce (self->lower, name, x, self->rank, self->axes, self->n, keep);
}

static SymId
choose (const Lines *self, SymId condition, SymId yes, SymId no)
{
  return sym_op_lower_call (self->lower, "Where", SYM_IDS (condition, yes, no), NULL);
}

/* All elements as one axis where there is none; how many are in a line. */
static gint64
lay_out (Lines *self)
{
  gint64 size = 1;

  if (self->n >= 0 && self->n != 1)
    sym_op_lower_fail (self->lower, "%s: there must be one axis",
                       sym_op_keras_ops_get_name (self->lower));
  if (self->n >= 0)
    return self->n == 1 ? sym_op_foreign_size (self->lower, 0, (int) self->axes[0]) : 1;
  for (int i = 0; i < self->rank; i++)
    size = sym_op_foreign_multiply (self->lower, size, sym_op_foreign_size (self->lower, 0, i));
  self->x = flatten (self, self->x);
  self->axes[0] = 0;
  self->n = self->rank = 1;
  return size;
}

/* ---- Means ---- */

/* One weight for each element, or for each place of the axis. */
static SymId
get_weights (const Lines *self)
{
  SymId weights = sym_op_keras_ops_input (self->lower, 1, self->dtype);
  int rank = sym_op_foreign_rank (self->lower, 1);
  gint64 made[SYM_MAX_RANK];

  if (rank == self->rank)
    return weights;
  if (rank != 1 || self->n != 1)
    sym_op_lower_fail (self->lower, "Average: the weights do not fit the data");
  if (sym_op_lower_has_failed (self->lower) || self->axes[0] == self->rank - 1)
    return weights;
  for (int i = 0; i < self->rank - 1 - (int) self->axes[0]; i++)
    made[i] = i + 1;
  return sym_op_foreign_unsqueeze (self->lower, weights, made,
                                   self->rank - 1 - (int) self->axes[0]);
}

/* The weights of a whole axis may lack those before it. */
static void
lower_average (SymOpLower *lower)
{
  gboolean is_weighted = sym_op_lower_has_input (lower, 1);
  Lines self;
  SymId weights, sum;

  if (!begin (&self, lower,
              is_weighted ? sym_op_keras_ops_to_float (sym_op_keras_ops_promote (lower, 0, 1))
                          : get_float (lower)))
    return;
  if (!is_weighted)
    {
      sym_op_lower_set_output (lower, 0, reduce (&self, "ReduceMean", self.x, FALSE));
      return;
    }
  weights = get_weights (&self);
  sum = sym_op_lower_binary (lower, "Expand", weights, sym_op_lower_unary (lower, "Shape", self.x));
  sym_op_lower_set_output (
      lower, 0,
      apply (&self, "Div",
             reduce (&self, "ReduceSum", apply (&self, "Mul", self.x, weights), FALSE),
             reduce (&self, "ReduceSum", sum, FALSE)));
}

static void
lower_range (SymOpLower *lower)
{
  gboolean keep = sym_op_lower_get_bool (lower, "keepdims", FALSE);
  Lines self;

  if (begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    sym_op_lower_set_output (lower, 0,
                             apply (&self, "Sub", reduce (&self, "ReduceMax", self.x, keep),
                                    reduce (&self, "ReduceMin", self.x, keep)));
}

/* ---- Order ---- */

/* Lines in their order, over several axes as the last one. */
typedef struct {
  Lines lines;
  SymId sorted, has_nan;
  gint64 size;
  gboolean keep;
} Order;

static SymId
sort_last (const Lines *self, SymId x, gint64 size, gboolean largest)
{
  return sym_op_lower_call (self->lower, "TopK",
                            SYM_IDS (x, sym_op_lower_ints (self->lower, &size, 1)), "axis",
                            sym_value_new_int (-1), "largest", sym_value_new_int (largest), NULL);
}

/* The axes of the lines moved behind the others, and made one. */
static void
gather (Order *self)
{
  Lines *lines = &self->lines;
  gint64 axes[SYM_MAX_RANK], sizes[SYM_MAX_RANK] = { 0 };
  gboolean reduced[SYM_MAX_RANK] = { FALSE };
  int n = 0;

  self->size = 1;
  for (int i = 0; i < lines->rank; i++)
    reduced[i] = lines->n < 0;
  for (int i = 0; i < lines->n; i++)
    reduced[lines->axes[i]] = TRUE;
  for (int i = 0; i < lines->rank; i++)
    if (!reduced[i])
      axes[n++] = i;
  sizes[n] = -1;
  for (int i = 0, end = n; i < lines->rank; i++)
    if (reduced[i])
      {
        axes[end++] = i;
        self->size = sym_op_foreign_multiply (lines->lower, self->size,
                                              sym_op_foreign_size (lines->lower, 0, i));
      }
  lines->x = sym_op_lower_permute (lines->lower, lines->x, axes, lines->rank);
  lines->x = sym_op_foreign_reshape (lines->lower, lines->x, sizes, n + 1, TRUE);
}

static gboolean
begin_order (Order *self, SymOpLower *lower)
{
  Lines *lines = &self->lines;
  gint64 last = -1;
  SymId is_nan;

  if (!begin (lines, lower, get_float (lower)))
    return FALSE;
  self->keep = sym_op_lower_get_bool (lower, "keepdims", FALSE);
  gather (self);
  if (self->size < 1)
    sym_op_lower_fail (lower, "%s: there are no elements", sym_op_keras_ops_get_name (lower));
  if (sym_op_lower_has_failed (lower))
    return FALSE;
  self->sorted = sort_last (lines, lines->x, self->size, FALSE);
  is_nan =
      sym_op_lower_cast (lower, sym_op_lower_unary (lower, "IsNaN", lines->x), SYM_DTYPE_INT32);
  self->has_nan = sym_op_lower_cast (
      lower, sym_op_lower_reduce (lower, "ReduceMax", is_nan, &last, 1, FALSE), SYM_DTYPE_BOOL);
  return TRUE;
}

static SymId
get_place (const Order *self, gint64 i)
{
  return sym_op_lower_call (
      self->lines.lower, "Gather",
      SYM_IDS (self->sorted, sym_op_lower_number (self->lines.lower, SYM_DTYPE_INT64, (double) i)),
      "axis", sym_value_new_int (-1), NULL);
}

/* What is between places @place and the next, at @share of the way; NaN where there is one. */
static SymId
get_between (const Order *self, gint64 place, double share)
{
  const Lines *lines = &self->lines;
  gint64 axes[SYM_MAX_RANK];
  SymId y = get_place (self, place);
  int n = lines->n < 0 ? lines->rank : lines->n;

  if (share > 0)
    y = apply (lines, "Add", apply (lines, "Mul", y, number (lines, 1 - share)),
               apply (lines, "Mul", get_place (self, place + 1), number (lines, share)));
  y = choose (lines, self->has_nan, number (lines, NAN), y);
  for (int i = 0; i < n; i++)
    axes[i] = lines->n < 0 ? i : lines->axes[i];
  return self->keep && n > 0 ? sym_op_foreign_unsqueeze (lines->lower, y, axes, n) : y;
}

/* The value below which @share of the others are, by one of numpy's ways to choose of two. */
static SymId
get_quantile (const Order *self, double share)
{
  const char *how = sym_op_lower_get_string (self->lines.lower, "method", "linear");
  double place = share * (double) (self->size - 1), first = floor (place);

  if (strcmp (how, "lower") == 0)
    place = first;
  else if (strcmp (how, "higher") == 0)
    place = first = ceil (place);
  else if (strcmp (how, "nearest") == 0)
    place = first = rint (place);
  else if (strcmp (how, "midpoint") == 0)
    place = place > first ? first + 0.5 : first;
  else if (strcmp (how, "linear") != 0)
    sym_op_lower_refuse (self->lines.lower, "Quantile: method “%s” is not lowered", how);
  return get_between (self, (gint64) first, place - first);
}

static void
lower_median (SymOpLower *lower)
{
  Order self;

  if (begin_order (&self, lower))
    sym_op_lower_set_output (lower, 0, get_quantile (&self, 0.5));
}

/* Several shares are a new first axis. */
static void
lower_quantile (SymOpLower *lower)
{
  const SymValue *q =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (lower)), "q");
  guint n = q == NULL ? 0 : sym_value_get_n_children (q);
  g_autofree SymId *parts = g_new0 (SymId, n + 1);
  gint64 front = 0;
  double share = -1;
  Order self;

  if (!begin_order (&self, lower))
    return;
  if (q != NULL && sym_value_get_float (q, &share) && share >= 0 && share <= 1)
    {
      sym_op_lower_set_output (lower, 0, get_quantile (&self, share));
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      if (!sym_value_get_float (sym_value_get_child (q, i), &share) || !(share >= 0 && share <= 1))
        n = 0;
      else
        parts[i] = sym_op_foreign_unsqueeze (lower, get_quantile (&self, share), &front, 1);
    }
  if (n < 2)
    sym_op_lower_refuse (lower, "Quantile: q is no number from 0 to 1, and no list of such");
  else
    sym_op_lower_set_output (lower, 0,
                             sym_op_lower_call (lower, "Concat", (SymIds){ parts, n }, "axis",
                                                sym_value_new_int (0), NULL));
}

/* ---- Neighbours ---- */

#define MAX_DIFFERENCES 64

/* Of truths it is whether they differ. */
static void
lower_diff (SymOpLower *lower)
{
  gint64 n = sym_op_lower_get_int (lower, "n", 1);
  int rank = sym_op_foreign_rank (lower, 0);
  int axis = sym_op_foreign_axis (lower, "axis", -1, rank);
  const char *name = sym_op_lower_get_input_dtype (lower, 0) == SYM_DTYPE_BOOL ? "Xor" : "Sub";
  SymId x = sym_op_lower_input (lower, 0);

  if (n < 0 || n > MAX_DIFFERENCES)
    sym_op_lower_refuse (lower, "Diff: %" G_GINT64_FORMAT " times are not lowered", n);
  for (gint64 i = 0; i < n && !sym_op_lower_has_failed (lower); i++)
    x = sym_op_lower_binary (lower, name, sym_op_lower_slice (lower, x, axis, 1, G_MAXINT64, 1),
                             sym_op_lower_slice (lower, x, axis, 0, -1, 1));
  sym_op_lower_set_output (lower, 0, sym_op_lower_unary (lower, "Identity", x));
}

/* The data moved on by @n places, with ones before it. */
static SymId
move_on (const Lines *self, SymId x, gint64 n)
{
  gint64 pads[2 * SYM_MAX_RANK] = { 0 };
  int axis = (int) self->axes[0];

  pads[axis] = n;
  return sym_op_lower_call (self->lower, "Pad",
                            SYM_IDS (sym_op_lower_slice (self->lower, x, axis, 0, -n, 1),
                                     sym_op_lower_ints (self->lower, pads, 2 * self->rank),
                                     number (self, 1)),
                            NULL);
}

/* Each is the product of twice as many after each step. */
static void
lower_cumprod (SymOpLower *lower)
{
  SymDType dtype = sym_op_lower_get_input_dtype (lower, 0);
  gint64 size;
  Lines self;

  dtype = sym_op_lower_get_dtype (lower, "dtype", dtype);
  if (!begin (&self, lower, dtype == SYM_DTYPE_BOOL ? SYM_DTYPE_INT32 : dtype))
    return;
  size = lay_out (&self);
  for (gint64 n = 1; n < size && !sym_op_lower_has_failed (lower); n *= 2)
    self.x = apply (&self, "Mul", self.x, move_on (&self, self.x, n));
  sym_op_lower_set_output (lower, 0, sym_op_lower_unary (lower, "Identity", self.x));
}

/* ---- Sparsemax ---- */

/* What is above a threshold: of the sorted elements z those k support it for which z - (s - 1) / k
 * > 0, where s is their sum so far.  Keras has it as (the sum of all s - 1) / k, not the last s. */
static void
lower_sparsemax (SymOpLower *lower)
{
  gint64 size, turned[SYM_MAX_RANK];
  Lines self;
  SymId sorted, sums, ranks, support, count, least;

  if (!begin (&self, lower, sym_op_lower_get_input_dtype (lower, 0)))
    return;
  if (!sym_dtype_is_floating (self.dtype))
    sym_op_lower_refuse (lower, "Sparsemax: only floats are lowered");
  if (self.n < 0)
    {
      self.axes[0] = self.rank - 1;
      self.n = 1;
    }
  size = lay_out (&self);
  for (int i = 0; i < self.rank; i++)
    turned[i] = i == self.axes[0] ? size : 1;
  sorted = sym_op_lower_call (lower, "TopK", SYM_IDS (self.x, sym_op_lower_ints (lower, &size, 1)),
                              "axis", sym_value_new_int (self.axes[0]), NULL);
  sums = sym_op_foreign_cumulate (
      lower, sorted, sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self.axes[0]));
  ranks = sym_op_lower_cast (lower, sym_op_lower_count (lower, size), self.dtype);
  ranks = sym_op_foreign_reshape (lower, apply (&self, "Add", ranks, number (&self, 1)), turned,
                                  self.rank, FALSE);
  least = apply (&self, "Div", apply (&self, "Sub", sums, number (&self, 1)), ranks);
  support = apply (&self, "Greater", sorted, least);
  count = reduce (&self, "ReduceSum", sym_op_lower_cast (lower, support, self.dtype), TRUE);
  least = reduce (&self, "ReduceSum", choose (&self, support, sums, number (&self, 0)), TRUE);
  least = apply (&self, "Div", apply (&self, "Sub", least, number (&self, 1)), count);
  sym_op_lower_set_output (
      lower, 0, apply (&self, "Max", apply (&self, "Sub", self.x, least), number (&self, 0)));
}

/* ---- Tables ---- */

static const SymSlotSpec average_slots[] = { { "x" },
                                             { "weights", SYM_SLOT_DATA, TRUE },
                                             { NULL } };

static const SymAttributeSpec average_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that are reduced; all of them" },
  { NULL },
};

static const SymAttributeSpec reduce_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that are reduced; all of them" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with one element" },
  { NULL },
};

static const SymAttributeSpec quantile_attributes[] = {
  { "q", SYM_ATTRIBUTE_ANY, NULL, "which share of the others is less" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that are reduced; all of them" },
  { "method", SYM_ATTRIBUTE_STRING, "linear", "what is chosen between two elements" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with one element" },
  { NULL },
};

static const SymAttributeSpec diff_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, "1", "how many times" },
  { "axis", SYM_ATTRIBUTE_INT, "-1", "the axis whose elements follow each other" },
  { NULL },
};

static const SymAttributeSpec product_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis whose elements follow each other" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "the dtype of the result; that of the data" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "the axis whose elements go together" },
  { NULL },
};

#define LINES(name_, summary_, category_, slots_, attributes_, infer_, lower_)                 \
  {                                                                                            \
    SYM_OP_KERAS_OPS (name_, summary_, category_), .slots = slots_, .attributes = attributes_, \
                                                   .infer = infer_, .lower = lower_,           \
  }
#define REDUCE(name_, summary_, attributes_, lower_) \
  LINES (name_, summary_, POOLING, sym_op_keras_ops_one, attributes_, sym_op_infer_lowered, lower_)

const SymOperator sym_op_keras_ops_lines[] = {
  LINES ("Average",
         "The mean of the elements, some of more weight",
         POOLING,
         average_slots,
         average_attributes,
         sym_op_infer_lowered,
         lower_average),
  REDUCE ("Cumprod", "Products of all elements so far", product_attributes, lower_cumprod),
  REDUCE ("Diff", "What each element adds to that before", diff_attributes, lower_diff),
  REDUCE ("Median", "The element in the middle", reduce_attributes, lower_median),
  REDUCE ("Ptp", "From the smallest element to the largest", reduce_attributes, lower_range),
  REDUCE ("Quantile",
          "The element above a share of the others",
          quantile_attributes,
          lower_quantile),
  LINES ("Sparsemax",
         "Shares of 1, many of them 0",
         ACTIVATION,
         sym_op_keras_ops_one,
         axis_attributes,
         sym_op_keras_ops_infer_same,
         lower_sparsemax),
  { NULL },
};
