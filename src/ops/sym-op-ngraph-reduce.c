/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-ngraph.h"

#include <string.h>

/* ---- Reductions ---- */

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "Sum", "ReduceSum" }, { "Product", "ReduceProd" }, { "Max", "ReduceMax" },
    { "Min", "ReduceMin" }, { "Mean", "ReduceMean" },
  };
  const char *type = sym_op_lower_get_type (self);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "reduction_axes", axes);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its axes are not constant", type);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i][0], type) == 0)
      sym_op_lower_set_output (self, 0,
                               sym_op_lower_reduce (self, kinds[i][1], sym_op_lower_input (self, 0),
                                                    axes, MAX (n, 0), FALSE));
}

static void
lower_logical (SymOpLower *self)
{
  gboolean is_all = g_str_equal (sym_op_lower_get_type (self), "All");
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "reduction_axes", axes);
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT32);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its axes are not constant", sym_op_lower_get_type (self));
  x = sym_op_lower_reduce (self, is_all ? "ReduceMin" : "ReduceMax", x, axes, MAX (n, 0), FALSE);
  /* The greatest of nothing is negative, and no truth. */
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Greater", x, sym_op_lower_number (self, SYM_DTYPE_INT32, 0)));
}

static void
lower_arg (SymOpLower *self)
{
  SymDType dtype = sym_op_ngraph_get_dtype (self, "index_element_type", SYM_DTYPE_INT64);
  SymId x =
      sym_op_lower_call (self, sym_op_lower_get_type (self), SYM_IDS (sym_op_lower_input (self, 0)),
                         "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", 0)),
                         "keepdims", sym_value_new_int (0), NULL);

  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_INT64, dtype));
}

/* Places come first. */
static void
lower_top (SymOpLower *self)
{
  SymDType dtype = sym_op_ngraph_get_dtype (self, "index_element_type", SYM_DTYPE_INT64);
  gint64 k = sym_op_lower_get_int (self, "k", 0),
         axis = sym_op_lower_get_int (self, "top_k_axis", 0);
  gboolean largest = sym_op_lower_get_bool (self, "compute_max", TRUE);
  SymId values;

  if (k < 1)
    k = sym_op_foreign_size (self, 0, (int) CLAMP (axis, 0, SYM_MAX_RANK));
  values = sym_op_lower_call (
      self, "TopK", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, &k, 1)), "axis",
      sym_value_new_int (axis), "largest", sym_value_new_int (largest), NULL);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_cast_from (self, sym_op_lower_get_result (self, values, 1),
                                                   SYM_DTYPE_INT64, dtype));
  sym_op_lower_set_output (self, 1, values);
}

/* Over several axes at once. */
static void
lower_softmax (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "softmax_axes", axes);
  SymId x = sym_op_lower_input (self, 0), y;

  if (n < 1)
    {
      sym_op_lower_refuse (self, "%s: its axes are not constant", sym_op_lower_get_type (self));
      return;
    }
  if (n == 1)
    {
      sym_op_lower_set_output (self, 0, sym_op_foreign_with (self, "Softmax", x, "axis", axes[0]));
      return;
    }
  y = sym_op_lower_binary (self, "Sub", x,
                           sym_op_lower_reduce (self, "ReduceMax", x, axes, n, TRUE));
  y = sym_op_lower_unary (self, "Exp", y);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Div", y,
                           sym_op_lower_reduce (self, "ReduceSum", y, axes, n, TRUE)));
}

/* ---- Products ---- */

/* The last @n axes of the first one with the first @n of the second. */
static void
multiply_parts (SymOpLower *self, int n)
{
  int ranks[] = { sym_op_foreign_rank (self, 0), sym_op_foreign_rank (self, 1) };
  gint64 left[] = { -1, 1 }, right[] = { 1, -1 }, sizes[2 * SYM_MAX_RANK];
  SymId y;
  int k = 0;

  for (int i = 0; i < n; i++)
    left[1] = sym_op_foreign_multiply (self, left[1], sym_op_foreign_size (self, 1, i));
  right[0] = left[1];
  for (int i = 0; i < ranks[0] - n; i++)
    sizes[k++] = sym_op_foreign_size (self, 0, i);
  for (int i = n; i < ranks[1]; i++)
    sizes[k++] = sym_op_foreign_size (self, 1, i);
  if (k > SYM_MAX_RANK)
    sym_op_lower_refuse (self, "%s: a result of %d axes", sym_op_lower_get_type (self), k);
  if (sym_op_lower_has_failed (self))
    return;
  y = sym_op_lower_binary (
      self, "MatMul", sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), left, 2, FALSE),
      sym_op_foreign_reshape (self, sym_op_lower_input (self, 1), right, 2, FALSE));
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, y, sizes, k, FALSE));
}

static void
lower_dot (SymOpLower *self)
{
  int ranks[] = { sym_op_foreign_rank (self, 0), sym_op_foreign_rank (self, 1) };
  gint64 n = sym_op_lower_get_int (self, "reduction_axes_count", MIN (MIN (ranks[0], ranks[1]), 1));

  if (sym_op_lower_has_failed (self))
    return;
  if (n < 0 || n > ranks[0] || n > ranks[1])
    sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " axes of %d and %d cannot meet",
                       sym_op_lower_get_type (self), n, ranks[0], ranks[1]);
  else if (n == 0 && (ranks[0] == 0 || ranks[1] == 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Mul", sym_op_lower_input (self, 0),
                                                  sym_op_lower_input (self, 1)));
  else if (n == 1 && ranks[0] >= 1 && ranks[1] <= 2)
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 0),
                                                  sym_op_lower_input (self, 1)));
  else
    multiply_parts (self, (int) n);
}

/* ---- Tables ---- */

static const SymSlotSpec reduce_slots[] = { { "data" },
                                            { "reduction_axes", SYM_SLOT_DATA, TRUE },
                                            { NULL } };

static const SymAttributeSpec reduce_attributes[] = {
  { "reduction_axes", SYM_ATTRIBUTE_INTS, "None", "axes that go" },
  { NULL },
};

static const SymAttributeSpec arg_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "index_element_type", SYM_ATTRIBUTE_STRING, "int64_t", "dtype of the places" },
  { NULL },
};

static const SymAttributeSpec top_attributes[] = {
  { "top_k_axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "k", SYM_ATTRIBUTE_INT, "0", "how many; all for 0" },
  { "compute_max", SYM_ATTRIBUTE_BOOL, "True", "whether the greatest ones" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "softmax_axes", SYM_ATTRIBUTE_INTS, "None", "axes whose elements sum to 1" },
  { NULL },
};

static const SymAttributeSpec dot_attributes[] = {
  { "reduction_axes_count", SYM_ATTRIBUTE_INT, "1", "axes that meet" },
  { NULL },
};

static const SymAttributeSpec matmul_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

#define REDUCE(name_, summary_) \
  NGRAPH_LOWERED (name_, NULL, summary_, POOLING, reduce_slots, reduce_attributes, lower_reduce)

const SymOperator sym_op_ngraph_reduce[] = {
  REDUCE ("Sum", "Sum over axes"),
  REDUCE ("Product", "Product over axes"),
  REDUCE ("Max", "Greatest element over axes"),
  REDUCE ("Min", "Least element over axes"),
  NGRAPH_LOWERED ("All",
                  NULL,
                  "Whether all are true",
                  POOLING,
                  reduce_slots,
                  reduce_attributes,
                  lower_logical),
  NGRAPH_LOWERED ("Any",
                  NULL,
                  "Whether one is true",
                  POOLING,
                  reduce_slots,
                  reduce_attributes,
                  lower_logical),
  NGRAPH_LOWERED ("ArgMax",
                  NULL,
                  "Place of the greatest element",
                  POOLING,
                  sym_op_foreign_one,
                  arg_attributes,
                  lower_arg),
  NGRAPH_LOWERED ("ArgMin",
                  NULL,
                  "Place of the least element",
                  POOLING,
                  sym_op_foreign_one,
                  arg_attributes,
                  lower_arg),
  NGRAPH_LOWERED ("TopK",
                  NULL,
                  "The places of the greatest elements, and these",
                  POOLING,
                  sym_op_foreign_one,
                  top_attributes,
                  lower_top),
  NGRAPH_LOWERED ("Softmax",
                  NULL,
                  "Numbers along axes that sum to 1",
                  ACTIVATION,
                  sym_op_foreign_one,
                  softmax_attributes,
                  lower_softmax),
  NGRAPH_LOWERED ("Dot",
                  NULL,
                  "Sums of products",
                  WEIGHTS,
                  sym_op_foreign_two,
                  dot_attributes,
                  lower_dot),
  NGRAPH_LOWERED ("MatMul",
                  "BatchMatMul",
                  "Product of matrices",
                  WEIGHTS,
                  sym_op_foreign_two,
                  matmul_attributes,
                  sym_op_foreign_lower_matmul),
  { NULL },
};
