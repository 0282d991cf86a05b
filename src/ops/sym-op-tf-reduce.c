/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

#include "ops/sym-op-foreign.h"

/* One number for many, sums on the way, and what is largest. */

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Reductions ---- */

static gboolean
keeps (const SymAttributes *attributes)
{
  return sym_attributes_get_bool (attributes, "keep_dims", FALSE) ||
         sym_attributes_get_bool (attributes, "keepdims", FALSE);
}

/* The product, sum, ... of small values, which are one then. */
static void
reduce_values (SymRule *rule)
{
  const char *type = sym_rule_get_type (rule);
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 ints[64];
  SymDim dims[64], all;
  int n = sym_rule_get_input_ints (rule, 0, ints, 64);

  if (n < 0)
    {
      n = sym_rule_get_input_values (rule, 0, dims, 64);
      if (n > 0 && n <= 64 && strcmp (type, "Prod") == 0)
        {
          all = sym_terms_product (terms, dims, n);
          sym_rule_set_output_values (rule, 0, &all, 1);
        }
      return;
    }
  if (n == 0 || n > 64)
    return;
  for (int i = 1; i < n; i++)
    {
      gboolean lost = FALSE;

      if (strcmp (type, "Prod") == 0)
        lost = __builtin_mul_overflow (ints[0], ints[i], &ints[0]);
      else if (strcmp (type, "Sum") == 0)
        lost = __builtin_add_overflow (ints[0], ints[i], &ints[0]);
      else if (strcmp (type, "Max") == 0)
        ints[0] = MAX (ints[0], ints[i]);
      else if (strcmp (type, "Min") == 0)
        ints[0] = MIN (ints[0], ints[i]);
      else
        lost = TRUE;
      if (lost || ints[0] != (gint32) ints[0])
        return;
    }
  sym_rule_set_output_ints (rule, 0, ints, 1);
}

/* The rank that is left by as many axes as there are. */
static SymShape
get_rest (SymRule *rule, int rank)
{
  SymShape axes = sym_rule_get_input (rule, 1);
  SymDim n = axes.rank == 0 ? 1 : axes.rank == 1 ? axes.dims[0] : -1;

  return n >= 0 && n <= rank ? sym_shape_new_unknown (rank - (int) n) : SYM_SHAPE_UNKNOWN;
}

static gboolean
infer_reduce (SymRule *rule, GError **error)
{
  gboolean keep = keeps (sym_rule_get_attributes (rule)), axes[SYM_MAX_RANK] = { FALSE };
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 list[SYM_MAX_RANK];
  int n = sym_rule_get_input_ints (rule, 1, list, SYM_MAX_RANK), axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d axes are supported, not %d", SYM_MAX_RANK, n);
  if (shape.rank < 0)
    return TRUE;
  for (int i = 0; i < n; i++)
    {
      if (!sym_op_normalize_axis (list[i], shape.rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  if (n < 0)
    shape = keep ? sym_shape_new_unknown (shape.rank) : get_rest (rule, shape.rank);
  else
    shape = sym_op_reduce_shape (&shape, axes, keep);
  if (!sym_rule_set_output (rule, 0, &shape, error))
    return FALSE;
  if (n == 1 && sym_rule_get_input (rule, 0).rank == 1)
    reduce_values (rule);
  return TRUE;
}

static const struct {
  const char *name, *onnx;
} reductions[] = {
  { "All", "ReduceMin" },   { "Any", "ReduceMax" },   { "EuclideanNorm", "ReduceL2" },
  { "Max", "ReduceMax" },   { "Mean", "ReduceMean" }, { "Min", "ReduceMin" },
  { "Prod", "ReduceProd" }, { "Sum", "ReduceSum" },
};

static void
lower_reduce (SymOpLower *self)
{
  gboolean keep = keeps (sym_layer_get_attributes (sym_op_lower_get_layer (self)));
  gboolean is_truth = sym_op_lower_get_input_dtype (self, 0) == SYM_DTYPE_BOOL;
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, n, normal;
  const char *name = NULL;
  gint64 axes[SYM_MAX_RANK];
  SymId x;

  for (guint i = 0; i < G_N_ELEMENTS (reductions); i++)
    if (strcmp (reductions[i].name, sym_op_lower_get_type (self)) == 0)
      name = reductions[i].onnx;
  g_assert (name != NULL);
  n = sym_op_lower_read_ints (self, 1, axes, SYM_MAX_RANK);
  if (n < 0 || !sym_op_lower_need_tensor (self, 0))
    return;
  for (int i = 0; i < n; i++)
    if (sym_op_lower_find_axis (self, axes[i], rank, &normal))
      axes[i] = normal;
  x = sym_op_lower_input (self, 0);
  if (is_truth)
    x = sym_op_lower_cast (self, x, SYM_DTYPE_INT32);
  x = sym_op_lower_reduce (self, name, x, axes, n, keep);
  /* The greatest of nothing is negative, and no truth. */
  if (is_truth)
    x = sym_op_lower_binary (self, "Greater", x, sym_op_lower_number (self, SYM_DTYPE_INT32, 0));
  sym_op_lower_set_output (self, 0, x);
}

/* ---- ArgMax ---- */

static gboolean
infer_arg (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 axis = 0;
  gboolean known = TRUE;
  int normal;

  if (sym_rule_has_input (rule, 1) && !sym_op_tf_get_scalar (rule, 1, &axis, &known, error))
    return FALSE;
  if (shape.rank < 0)
    return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error);
  if (!sym_op_normalize_axis (axis, shape.rank, &normal, error))
    return FALSE;
  shape = known ? sym_op_remove_axis (&shape, normal) : sym_shape_new_unknown (shape.rank - 1);
  return sym_op_set_output (rule, 0, shape, SYM_DTYPE_INT32, error);
}

static void
lower_arg (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis = 0;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) ||
      (sym_op_lower_has_input (self, 1) && !sym_op_tf_read_axis (self, 1, rank, &axis)))
    return;
  x = sym_op_lower_call (self, sym_op_lower_get_type (self), SYM_IDS (sym_op_lower_input (self, 0)),
                         "axis", sym_value_new_int (axis), "keepdims", sym_value_new_int (0), NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_INT32));
}

/* ---- TopK ---- */

static gboolean
infer_top (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean known = FALSE;
  gint64 k = sym_rule_get_int (rule, "k", -1);

  if (sym_rule_has_input (rule, 1) && !sym_op_tf_get_scalar (rule, 1, &k, &known, error))
    return FALSE;
  if (shape.rank == 0)
    return sym_rule_fail (error, "a number has no last axis");
  if (shape.rank > 0)
    shape.dims[shape.rank - 1] =
        k >= 0 && (known || !sym_rule_has_input (rule, 1)) ? k : SYM_DIM_UNKNOWN;
  return sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 0), error) &&
         sym_op_set_output (rule, 1, shape, SYM_DTYPE_INT32, error);
}

static void
lower_top (SymOpLower *self)
{
  gint64 k[1] = { sym_op_lower_get_int (self, "k", 1) };
  SymId first;

  if (sym_op_lower_has_input (self, 1) && sym_op_lower_read_ints (self, 1, k, 1) != 1)
    return;
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  first = sym_op_lower_call (
      self, "TopK", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, k, 1)), "axis",
      sym_value_new_int (-1), "sorted",
      sym_value_new_int (sym_op_lower_get_bool (self, "sorted", TRUE)), NULL);
  sym_op_lower_set_output (self, 0, first);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_lower_cast (self, sym_op_lower_get_result (self, first, 1), SYM_DTYPE_INT32));
}

/* ---- On the way ---- */

static void
lower_sums (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_tf_read_axis (self, 1, rank, &axis))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_cumulate (self, sym_op_lower_input (self, 0),
                               sym_op_lower_number (self, SYM_DTYPE_INT64, axis)));
}

/* Products of all rows before: each factor that comes later is 1. */
#define MAX_FACTORS 1024

/* Where [n, n] is true the column's factor belongs to the row's product. */
static SymId
mask_factors (SymOpLower *self, gint64 n)
{
  gboolean reverse = sym_op_lower_get_bool (self, "reverse", FALSE);
  gboolean exclusive = sym_op_lower_get_bool (self, "exclusive", FALSE);
  SymShape square = SYM_SHAPE (n, n);
  gint64 diagonal = exclusive ? (reverse ? 1 : -1) : 0;
  SymId mask = sym_op_lower_fill (self, SYM_DTYPE_INT32, &square, 1);

  mask = sym_op_lower_call (
      self, "Trilu", SYM_IDS (mask, sym_op_lower_number (self, SYM_DTYPE_INT64, (double) diagonal)),
      "upper", sym_value_new_int (reverse), NULL);
  return sym_op_lower_cast (self, mask, SYM_DTYPE_BOOL);
}

static void
lower_products (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 axes[SYM_MAX_RANK], last = shape->rank;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymShape wide;
  int axis;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_tf_read_axis (self, 1, shape->rank, &axis))
    return;
  if (shape->dims[axis] > MAX_FACTORS || shape->rank == SYM_MAX_RANK)
    {
      sym_op_lower_refuse (self, "Cumprod: %" G_GINT64_FORMAT " factors are not lowered",
                           shape->dims[axis]);
      return;
    }
  /* The axis last, and a row of it for each of its elements. */
  for (int i = 0; i < shape->rank; i++)
    axes[i] = i;
  axes[axis] = shape->rank - 1;
  axes[shape->rank - 1] = axis;
  x = sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, shape->rank);
  wide = *shape;
  wide.dims[axis] = shape->dims[shape->rank - 1];
  wide.dims[shape->rank - 1] = shape->dims[axis];
  wide = sym_op_insert_axis (&wide, shape->rank - 1, 1);
  x = sym_op_lower_call (self, "Where",
                         SYM_IDS (mask_factors (self, shape->dims[axis]),
                                  sym_op_lower_reshape (self, x, &wide),
                                  sym_op_lower_number (self, dtype, 1)),
                         NULL);
  x = sym_op_lower_reduce (self, "ReduceProd", x, &last, 1, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, x, axes, shape->rank));
}

/* ---- Bincount ---- */

static gboolean
infer_bins (SymRule *rule, GError **error)
{
  gboolean rows = strcmp (sym_rule_get_type (rule), "DenseBincount") == 0, known;
  SymShape shape = sym_rule_get_input (rule, 0), to;
  gint64 size;

  if (!sym_op_tf_get_scalar (rule, 1, &size, &known, error) ||
      !sym_op_pass_dtype (rule, 2, 0, error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  to = SYM_SHAPE (known && size >= 0 ? size : SYM_DIM_UNKNOWN);
  if (rows && shape.rank == 2)
    to = sym_op_insert_axis (&to, 0, shape.dims[0]);
  return sym_rule_set_output (rule, 0, &to, error);
}

/* One-hot rows, each times its weight, added up. */
static void
lower_bins (SymOpLower *self)
{
  gboolean binary = sym_op_lower_get_bool (self, "binary_output", FALSE);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  const SymShape *given = sym_op_lower_get_input_shape (self, 2);
  gboolean rows = strcmp (sym_op_lower_get_type (self), "DenseBincount") == 0 && shape->rank == 2;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 2);
  gint64 ends[2] = { 0, 1 }, size[1], axis = rows ? 1 : 0;
  SymShape flat = rows ? *shape : SYM_SHAPE (-1);
  guint64 n_weights;
  SymId hot, weights;

  if (sym_op_lower_read_ints (self, 1, size, 1) != 1 || !sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_need_tensor (self, 2) || !sym_shape_get_n_elements (given, &n_weights))
    return;
  hot = sym_op_lower_call (
      self, "Reshape",
      SYM_IDS (sym_op_tf_int64 (self, 0), sym_op_lower_ints (self, flat.dims, flat.rank)), NULL);
  hot = sym_op_lower_call (self, "OneHot",
                           SYM_IDS (hot, sym_op_lower_ints (self, size, 1),
                                    sym_op_lower_cast_from (self, sym_op_lower_ints (self, ends, 2),
                                                            SYM_DTYPE_INT64, dtype)),
                           NULL);
  if (n_weights > 0 && !binary)
    {
      gint64 column[3] = { rows ? shape->dims[0] : -1, rows ? -1 : 1, 1 };

      weights = sym_op_lower_call (
          self, "Reshape",
          SYM_IDS (sym_op_lower_input (self, 2), sym_op_lower_ints (self, column, rows ? 3 : 2)),
          NULL);
      hot = sym_op_lower_binary (self, "Mul", hot, weights);
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_reduce (self, binary ? "ReduceMax" : "ReduceSum", hot, &axis, 1, FALSE));
}

/* ---- Tables ---- */

static const SymAttributeSpec reduce_attributes[] = {
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay, of size 1" },
  { NULL },
};

static const SymAttributeSpec arg_attributes[] = {
  { "output_type", SYM_ATTRIBUTE_DTYPE, "int64", "dtype of the result; TensorFlow.js has int32" },
  { NULL },
};

static const SymAttributeSpec top_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "how many, where no operand tells it" },
  { "sorted", SYM_ATTRIBUTE_BOOL, "True", "whether the largest comes first" },
  { NULL },
};

static const SymAttributeSpec way_attributes[] = {
  { "exclusive", SYM_ATTRIBUTE_BOOL, "False", "whether the element itself is left out" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether it begins at the end" },
  { NULL },
};

static const SymAttributeSpec bins_attributes[] = {
  { "binary_output", SYM_ATTRIBUTE_BOOL, "False", "whether 1 stands for any number of times" },
  { NULL },
};

static const SymSlotSpec reduce_slots[] = { { "input" }, { "reduction_indices" }, { NULL } };
static const SymSlotSpec arg_slots[] = { { "input" }, { "dimension" }, { NULL } };
static const SymSlotSpec top_slots[] = { { "input" }, { "k", .optional = TRUE }, { NULL } };
static const SymSlotSpec way_slots[] = { { "x" }, { "axis" }, { NULL } };
static const SymSlotSpec bins_slots[] = { { "input" }, { "size" }, { "weights" }, { NULL } };
static const char *const top_names[] = { "values", "indices", NULL };

#define REDUCE(name_, summary_)                                                \
  {                                                                            \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_POOLING,  \
                       .attributes = reduce_attributes, .slots = reduce_slots, \
                       .infer = infer_reduce, .lower = lower_reduce            \
  }
#define ROW(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                        \
  {                                                                                                \
    SYM_OP_TF (name_), .aliases = aliases_, .summary = summary_, .category = SYM_CATEGORY_POOLING, \
                       .attributes = attributes_, .slots = slots_, .infer = infer_,                \
                       .lower = lower_                                                             \
  }

const SymOperator sym_op_tf_reduce[] = {
  REDUCE ("All", "whether all are true"),
  REDUCE ("Any", "whether one is true"),
  ROW ("ArgMax",
       NULL,
       "place of the largest number",
       arg_attributes,
       arg_slots,
       infer_arg,
       lower_arg),
  ROW ("ArgMin",
       NULL,
       "place of the smallest number",
       arg_attributes,
       arg_slots,
       infer_arg,
       lower_arg),
  ROW ("Bincount", NULL, "how often each number comes", NULL, bins_slots, infer_bins, lower_bins),
  ROW ("Cumprod",
       NULL,
       "products of all up to each element",
       way_attributes,
       way_slots,
       infer_same,
       lower_products),
  ROW ("Cumsum",
       NULL,
       "sums of all up to each element",
       way_attributes,
       way_slots,
       infer_same,
       lower_sums),
  ROW ("DenseBincount",
       NULL,
       "how often each number comes, row by row",
       bins_attributes,
       bins_slots,
       infer_bins,
       lower_bins),
  REDUCE ("EuclideanNorm", "root of the sum of squares"),
  REDUCE ("Max", "largest number"),
  REDUCE ("Mean", "mean"),
  REDUCE ("Min", "smallest number"),
  REDUCE ("Prod", "product"),
  REDUCE ("Sum", "sum"),
  { SYM_OP_TF ("TopKV2"), .aliases = "TopK", .summary = "the largest numbers, and their places",
    .category = SYM_CATEGORY_POOLING, .attributes = top_attributes, .slots = top_slots,
    .get_n_outputs = sym_op_tf_any_outputs, .output_names = top_names, .infer = infer_top,
    .lower = lower_top },
  { NULL },
};
