/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

#include <string.h>

/* ---- Reductions ---- */

/* reduce_mean has dim, PIR's mean has axis; none are all. */
static SymId
reduce (SymOpLower *self, const char *name, SymId x)
{
  const char *axes_name = sym_op_foreign_choose (self, "dim", "axis", NULL);
  const char *keep = sym_op_foreign_choose (self, "keep_dim", "keepdim", NULL);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, axes_name, axes);
  gboolean all = n < 1 || sym_op_lower_get_bool (self, "reduce_all", FALSE);

  return sym_op_foreign_reduce (self, name, x, sym_op_foreign_rank (self, 0), axes, all ? -1 : n,
                                sym_op_lower_get_bool (self, keep, FALSE));
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "mean", "ReduceMean" },         { "sum", "ReduceSum" },   { "max", "ReduceMax" },
    { "min", "ReduceMin" },           { "prod", "ReduceProd" }, { "logsumexp", "ReduceLogSumExp" },
    { "frobenius_norm", "ReduceL2" },
  };
  const char *type = sym_op_lower_get_type (self);
  const char *own = g_str_has_prefix (type, "reduce_") ? type + strlen ("reduce_") : type;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (own, kinds[i][0]))
      {
        sym_op_lower_set_output (self, 0, reduce (self, kinds[i][1], sym_op_lower_input (self, 0)));
        return;
      }
  sym_op_lower_refuse (self, "%s: it is not lowered", type);
}

/* Of truths, by numbers. */
static void
lower_logical (SymOpLower *self)
{
  gboolean is_all = strstr (sym_op_lower_get_type (self), "all") != NULL;
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT32);

  x = reduce (self, is_all ? "ReduceMin" : "ReduceMax", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_BOOL));
}

/* ---- Places ---- */

static void
lower_arg (SymOpLower *self)
{
  gboolean is_max = strstr (sym_op_lower_get_type (self), "max") != NULL;
  gboolean keep = sym_op_lower_get_bool (self, "keepdims", FALSE);
  SymId x = sym_op_lower_input (self, 0);
  gint64 axis = sym_op_lower_get_int (self, "axis", -1), flat[] = { -1 };
  SymDType dtype = sym_op_paddle_get_dtype (self, "dtype", SYM_DTYPE_INT64);

  if (sym_op_lower_get_bool (self, "flatten", FALSE))
    {
      x = sym_op_foreign_reshape (self, x, flat, 1, FALSE);
      axis = 0;
      keep = FALSE;
    }
  x = sym_op_lower_call (self, is_max ? "ArgMax" : "ArgMin", SYM_IDS (x), "axis",
                         sym_value_new_int (axis), "keepdims", sym_value_new_int (keep), NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_INT64, dtype));
}

static void
set_top (SymOpLower *self, SymId count, gboolean largest)
{
  gint64 axis = sym_op_lower_get_int (self, "axis", -1);
  SymId values =
      sym_op_lower_call (self, "TopK", SYM_IDS (sym_op_lower_input (self, 0), count), "axis",
                         sym_value_new_int (axis), "largest", sym_value_new_int (largest), NULL);

  sym_op_lower_set_output (self, 0, values);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_lower_get_result (self, values, 1));
}

static void
lower_top (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  gint64 k = sym_op_lower_get_int (self, "k", 1), flat[] = { 1 };
  SymId count = sym_op_lower_ints (self, &k, 1);

  if (sym_attributes_find (attributes, "k") == NULL && sym_op_lower_has_input (self, 1))
    count = sym_op_foreign_reshape (
        self, sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64), flat, 1,
        FALSE);
  set_top (self, count, sym_op_lower_get_bool (self, "largest", TRUE));
}

static void
lower_sort (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "axis", -1, rank);
  SymId size =
      sym_op_lower_call (self, "Shape", SYM_IDS (sym_op_lower_input (self, 0)), "start",
                         sym_value_new_int (axis), "end", sym_value_new_int (axis + 1), NULL);

  set_top (self, size, sym_op_lower_get_bool (self, "descending", FALSE));
}

static void
lower_cumsum (SymOpLower *self)
{
  gboolean flat = sym_op_lower_get_bool (self, "flatten", FALSE);
  gint64 all[] = { -1 };
  SymId x = sym_op_lower_input (self, 0), axis;

  if (flat)
    x = sym_op_foreign_reshape (self, x, all, 1, FALSE);
  axis = sym_op_lower_number (self, SYM_DTYPE_INT64,
                              flat ? 0 : (double) sym_op_lower_get_int (self, "axis", -1));
  sym_op_lower_set_output (self, 0, sym_op_foreign_cumulate (self, x, axis));
}

static void
lower_nonzero (SymOpLower *self)
{
  SymId x = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));

  sym_op_lower_set_output (self, 0, sym_op_lower_transpose (self, x, 2, 1, 0));
}

/* ---- Tables ---- */

static const SymSlotSpec axis_slots[] = { { "X" }, { "axis", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec top_slots[] = { { "X" }, { "K", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec condition_slots[] = { { "Condition" }, { NULL } };

static const SymAttributeSpec reduce_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INTS, "None", "axes that go; none are all" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "the same in PIR" },
  { "keep_dim", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with size 1" },
  { "reduce_all", SYM_ATTRIBUTE_BOOL, "False", "whether all axes go" },
  { NULL },
};

static const SymAttributeSpec arg_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether the axis stays with size 1" },
  { "flatten", SYM_ATTRIBUTE_BOOL, "False", "whether all axes are one" },
  { "dtype", SYM_ATTRIBUTE_ANY, "'int64'", "of the result" },
  { NULL },
};

static const SymAttributeSpec top_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "how many" },
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { "largest", SYM_ATTRIBUTE_BOOL, "True", "whether the greatest ones" },
  { "descending", SYM_ATTRIBUTE_BOOL, "False", "whether from the greatest on" },
  { NULL },
};

static const SymAttributeSpec cumsum_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { "exclusive", SYM_ATTRIBUTE_BOOL, "False", "whether an element is left out of its sum" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether from the end" },
  { "flatten", SYM_ATTRIBUTE_BOOL, "False", "whether all axes are one" },
  { NULL },
};

#define REDUCE(name_, aliases_, summary_) \
  PADDLE_LOWERED (name_, aliases_, summary_, POOLING, axis_slots, reduce_attributes, lower_reduce)

const SymOperator sym_op_paddle_reduce[] = {
  REDUCE ("reduce_mean", "mean mean_all", "Mean over axes"),
  REDUCE ("reduce_sum", NULL, "Sum over axes"),
  REDUCE ("reduce_max", "max", "Greatest element over axes"),
  REDUCE ("reduce_min", "min", "Least element over axes"),
  REDUCE ("reduce_prod", "prod", "Product over axes"),
  REDUCE ("logsumexp", NULL, "Logarithm of the sum of exponentials"),
  REDUCE ("frobenius_norm", NULL, "Length over axes"),
  PADDLE_LOWERED ("reduce_all",
                  "all",
                  "Whether all are true",
                  POOLING,
                  axis_slots,
                  reduce_attributes,
                  lower_logical),
  PADDLE_LOWERED ("reduce_any",
                  "any",
                  "Whether one is true",
                  POOLING,
                  axis_slots,
                  reduce_attributes,
                  lower_logical),
  PADDLE_LOWERED ("arg_max",
                  "argmax",
                  "Place of the greatest element",
                  POOLING,
                  axis_slots,
                  arg_attributes,
                  lower_arg),
  PADDLE_LOWERED ("arg_min",
                  "argmin",
                  "Place of the least element",
                  POOLING,
                  axis_slots,
                  arg_attributes,
                  lower_arg),
  PADDLE_LOWERED ("top_k_v2",
                  "top_k topk",
                  "The greatest elements and their places",
                  POOLING,
                  top_slots,
                  top_attributes,
                  lower_top),
  PADDLE_LOWERED ("argsort",
                  NULL,
                  "Elements in order, and their places",
                  SHAPE,
                  sym_op_paddle_one,
                  top_attributes,
                  lower_sort),
  PADDLE_LOWERED ("cumsum",
                  NULL,
                  "Sums of what is before",
                  POOLING,
                  axis_slots,
                  cumsum_attributes,
                  lower_cumsum),
  PADDLE_LOWERED ("where_index",
                  "nonzero",
                  "Places of what is not zero",
                  SHAPE,
                  condition_slots,
                  NULL,
                  lower_nonzero),
  { NULL },
};
