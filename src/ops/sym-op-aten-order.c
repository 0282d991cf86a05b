/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-aten.h"
#include "ops/sym-op.h"

/* Orders and sums along an axis. */

static gboolean
get_axis (SymOpLower *self, gint64 fallback, int *axis)
{
  return sym_op_lower_need_tensor (self, 0) &&
         sym_op_aten_get_axis (self, "dim", fallback,
                               MAX (sym_op_lower_get_input_shape (self, 0)->rank, 1), axis);
}

/* @count, int64 [1], elements of the axis, the first ones in order. */
static SymId
order (SymOpLower *self, int axis, SymId count, gboolean largest)
{
  return sym_op_lower_call (self, "TopK", SYM_IDS (sym_op_lower_input (self, 0), count), "axis",
                            sym_value_new_int (axis), "largest", sym_value_new_int (largest),
                            "sorted", sym_value_new_int (1), NULL);
}

static SymId
get_size (SymOpLower *self, int axis)
{
  return sym_op_lower_slice (self, sym_op_aten_shape (self, sym_op_lower_input (self, 0)), 0, axis,
                             axis + 1, 1);
}

static void
set_both (SymOpLower *self, SymId first)
{
  sym_op_lower_set_output (self, 0, first);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_lower_get_result (self, first, 1));
}

static void
lower_topk (SymOpLower *self)
{
  int axis;

  if (get_axis (self, -1, &axis))
    set_both (self, order (self, axis, sym_op_aten_int (self, "k"),
                           sym_op_lower_get_bool (self, "largest", TRUE)));
}

/* ONNX's TopK has the lesser index first among equals, as a stable sort has. */
static void
lower_sort (SymOpLower *self)
{
  gboolean descending = sym_op_lower_get_bool (self, "descending", FALSE);
  SymId first;
  int axis;

  if (!get_axis (self, -1, &axis))
    return;
  first = order (self, axis, get_size (self, axis), descending);
  if (strstr (sym_op_lower_get_type (self), "argsort") != NULL)
    sym_op_lower_set_output (self, 0, sym_op_lower_get_result (self, first, 1));
  else
    set_both (self, first);
}

/* The last of the first k, in order. */
static SymId
take_last (SymOpLower *self, SymId x, int axis)
{
  SymId last = sym_op_lower_slice (self, x, axis, -1, G_MAXINT64, 1);

  return sym_op_lower_get_bool (self, "keepdim", FALSE) ? last
                                                        : sym_op_aten_squeeze (self, last, axis);
}

/* kthvalue; of median the middle one, the lesser of two. */
static void
lower_kth (SymOpLower *self)
{
  gboolean is_median = strstr (sym_op_lower_get_type (self), "median") != NULL;
  gint64 k = sym_op_lower_get_int (self, "k", 0), size;
  SymId first;
  int axis;

  if (!get_axis (self, -1, &axis))
    return;
  if (is_median)
    {
      if (!sym_op_aten_need_size (self, 0, axis, &size))
        return;
      k = (size + 1) / 2;
    }
  first = order (self, axis, sym_op_lower_ints (self, &k, 1), FALSE);
  sym_op_lower_set_output (self, 0, take_last (self, first, axis));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1,
                             take_last (self, sym_op_lower_get_result (self, first, 1), axis));
}

/* Sums of integers and bools are int64. */
static void
lower_cumulate (SymOpLower *self)
{
  gboolean is_product = strstr (sym_op_lower_get_type (self), "cumprod") != NULL;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x, along;
  gint64 axis_number;
  int axis;

  if (!get_axis (self, 0, &axis))
    return;
  if (!sym_dtype_is_floating (dtype))
    dtype = SYM_DTYPE_INT64;
  dtype = sym_op_lower_get_dtype (self, "dtype", dtype);
  x = sym_op_aten_input_as (self, 0, dtype);
  if (sym_op_lower_get_input_shape (self, 0)->rank == 0)
    {
      sym_op_lower_set_output (self, 0, x);
      return;
    }
  axis_number = axis;
  along = sym_op_lower_ints (self, &axis_number, 1);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_apply (self, sym_op_find ("", is_product ? "CumProd" : "CumSum", 0),
                          SYM_IDS (x, along), NULL));
}

static gboolean
infer_cumulate (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (dtype != SYM_DTYPE_UNKNOWN && !sym_dtype_is_floating (dtype))
    dtype = SYM_DTYPE_INT64;
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_rule_get_dtype (rule, "dtype", dtype), error);
}

/* How many boundaries lie below each number, or not above it where "right" holds. */
static void
lower_bucketize (SymOpLower *self)
{
  gboolean right = sym_op_lower_get_bool (self, "right", FALSE);
  SymDType to =
      sym_op_lower_get_bool (self, "out_int32", FALSE) ? SYM_DTYPE_INT32 : SYM_DTYPE_INT64;
  SymOpAtenKind kinds[] = { sym_op_aten_kind (self, 0, NULL), sym_op_aten_kind (self, 1, NULL) };
  SymDType dtype = sym_op_aten_promote (kinds, 2);
  gint64 last = -1;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  x = sym_op_aten_unsqueeze (self, sym_op_aten_input_as (self, 0, dtype), -1);
  x = sym_op_lower_binary (self, right ? "LessOrEqual" : "Less",
                           sym_op_aten_input_as (self, 1, dtype), x);
  x = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_cast (self, x, SYM_DTYPE_INT64), &last,
                           1, FALSE);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_INT64, to));
}

static const SymSlotSpec bucket_slots[] = { { "self" }, { "boundaries" }, { NULL } };

static const SymAttributeSpec top_attributes[] = {
  { "k", SYM_ATTRIBUTE_ANY, NULL, "how many" },
  { "dim", SYM_ATTRIBUTE_INT, "-1", "the axis" },
  { "largest", SYM_ATTRIBUTE_BOOL, "True", "whether the largest come first" },
  { "sorted", SYM_ATTRIBUTE_BOOL, "True", "whether they are in order" },
  { NULL },
};

static const SymAttributeSpec sort_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "-1", "the axis" },
  { "descending", SYM_ATTRIBUTE_BOOL, "False", "whether the largest comes first" },
  { "stable", SYM_ATTRIBUTE_BOOL, "False", "whether equals keep their order" },
  { NULL },
};

static const SymAttributeSpec kth_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "which one in order, from 1 on" },
  { "dim", SYM_ATTRIBUTE_INT, "-1", "the axis" },
  { "keepdim", SYM_ATTRIBUTE_BOOL, "False", "whether it stays, of size 1" },
  { NULL },
};

static const SymAttributeSpec sum_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec bucket_attributes[] = {
  { "out_int32", SYM_ATTRIBUTE_BOOL, "False", "whether the result is int32" },
  { "right", SYM_ATTRIBUTE_BOOL, "False", "whether boundaries count that are equal" },
  { NULL },
};

static const char *const values_indices[] = { "values", "indices", NULL };

#define ORDER(name_, aliases_, summary_, attributes_, lower_)                              \
  {                                                                                        \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,          \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_SHAPE,    \
                 .attributes = attributes_, .slots = sym_op_aten_self,                     \
                 .get_n_outputs = sym_op_aten_any_outputs, .output_names = values_indices, \
                 .infer = sym_op_infer_lowered, .lower = lower_,                           \
  }

#define ALONG(name_, aliases_, summary_, category_, attributes_, slots_, infer_, lower_)       \
  {                                                                                            \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,              \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_##category_,  \
                 .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_aten_order[] = {
  ORDER ("topk", NULL, "The largest elements and where they are", top_attributes, lower_topk),
  ORDER ("sort",
         "aten.sort.stable",
         "Elements in order and where they were",
         sort_attributes,
         lower_sort),
  ORDER ("kthvalue",
         "aten.median.dim",
         "One element in order and where it was",
         kth_attributes,
         lower_kth),
  ALONG ("argsort",
         "aten.argsort.stable",
         "Where the elements were in order",
         SHAPE,
         sort_attributes,
         sym_op_aten_self,
         sym_op_infer_lowered,
         lower_sort),
  ALONG ("cumsum",
         "aten.cumsum_ aten.cumprod",
         "Running sums",
         POOLING,
         sum_attributes,
         sym_op_aten_self,
         infer_cumulate,
         lower_cumulate),
  ALONG ("bucketize.Tensor",
         NULL,
         "Which bucket a number falls into",
         SHAPE,
         bucket_attributes,
         bucket_slots,
         sym_op_infer_lowered,
         lower_bucketize),
  { NULL },
};
