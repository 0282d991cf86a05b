/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <string.h>

/* ---- Reductions ---- */

static SymId
reduce (SymOpLower *self, const char *name, SymId x)
{
  gboolean keep = sym_op_lower_get_bool (self, "keep_dims", FALSE);

  return sym_op_lower_call (self, name, SYM_IDS (x, sym_op_openvino_ints (self, 1)), "keepdims",
                            sym_value_new_int (keep), "noop_with_empty_axes", sym_value_new_int (1),
                            NULL);
}

static void
lower_reduce (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0, reduce (self, sym_op_lower_get_type (self), sym_op_lower_input (self, 0)));
}

static void
lower_logical (SymOpLower *self)
{
  gboolean is_and = g_str_equal (sym_op_lower_get_type (self), "ReduceLogicalAnd");
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT32);

  x = reduce (self, is_and ? "ReduceMin" : "ReduceMax", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_BOOL));
}

/* ---- Places ---- */

static void
lower_top (SymOpLower *self)
{
  SymDType dtype = sym_op_openvino_get_dtype (self, "index_element_type", SYM_DTYPE_INT32);
  gboolean largest = !sym_op_lower_has_string (self, "mode", "min");
  gint64 one[] = { 1 };
  SymId values = sym_op_lower_call (
      self, "TopK",
      SYM_IDS (sym_op_lower_input (self, 0),
               sym_op_foreign_reshape (self, sym_op_openvino_ints (self, 1), one, 1, FALSE)),
      "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", -1)), "largest",
      sym_value_new_int (largest), NULL);

  sym_op_lower_set_output (self, 0, values);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1,
                             sym_op_lower_cast_from (self,
                                                     sym_op_lower_get_result (self, values, 1),
                                                     SYM_DTYPE_INT64, dtype));
}

static void
lower_nonzero (SymOpLower *self)
{
  SymDType dtype = sym_op_openvino_get_dtype (self, "output_type", SYM_DTYPE_INT64);
  SymId x = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));

  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_INT64, dtype));
}

static void
lower_cumsum (SymOpLower *self)
{
  SymId axis = sym_op_foreign_reshape (self, sym_op_openvino_ints (self, 1), NULL, 0, FALSE);

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_cumulate (self, sym_op_lower_input (self, 0), axis));
}

/* ---- New numbers ---- */

static void
lower_range (SymOpLower *self)
{
  SymDType dtype =
      sym_op_openvino_get_dtype (self, "output_type", sym_op_lower_get_input_dtype (self, 0));
  SymId bounds[3];

  for (guint i = 0; i < 3; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return;
      bounds[i] = sym_op_foreign_reshape (
          self,
          sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                  sym_op_lower_get_input_dtype (self, i), dtype),
          NULL, 0, FALSE);
    }
  sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Range", (SymIds){ bounds, 3 }, NULL));
}

static void
lower_one_hot (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_one_hot (self, sym_op_openvino_ints (self, 1), -1));
}

/* ---- Products ---- */

static void
lower_einsum (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_lower_input (self, i);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Einsum", (SymIds){ operands, n }, "equation",
                         sym_value_new_string (sym_op_lower_get_string (self, "equation", "")),
                         NULL));
}

/* softmax (q k^T scale + mask) v */
static void
lower_attention (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 1);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId scores, scale;

  if (rank < 2 || !sym_op_lower_need_tensor (self, 2))
    return;
  if (sym_op_lower_get_bool (self, "causal", FALSE))
    sym_op_lower_refuse (self, "%s: a causal mask is not lowered", sym_op_lower_get_type (self));
  scale = sym_op_lower_has_input (self, 4)
              ? sym_op_lower_input (self, 4)
              : sym_op_lower_unary (
                    self, "Reciprocal",
                    sym_op_lower_unary (
                        self, "Sqrt",
                        sym_op_lower_number (self, dtype,
                                             (double) sym_op_foreign_size (self, 1, rank - 1))));
  scores = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 0),
                                sym_op_lower_exchange (self, sym_op_lower_input (self, 1), rank));
  scores = sym_op_lower_binary (self, "Mul", scores, scale);
  if (sym_op_lower_get_input_dtype (self, 3) == SYM_DTYPE_BOOL)
    sym_op_lower_refuse (self, "%s: a mask of truths is not lowered", sym_op_lower_get_type (self));
  if (sym_op_lower_has_input (self, 3))
    scores = sym_op_lower_binary (self, "Add", scores, sym_op_lower_input (self, 3));
  scores = sym_op_foreign_with (self, "Softmax", scores, "axis", -1);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "MatMul", scores, sym_op_lower_input (self, 2)));
}

/* ---- Tables ---- */

static const SymSlotSpec axes_slots[] = { { "data" }, { "axes" }, { NULL } };
static const SymSlotSpec top_slots[] = { { "data" }, { "k" }, { NULL } };
static const SymSlotSpec axis_slots[] = { { "data" }, { "axis" }, { NULL } };
static const SymSlotSpec range_slots[] = { { "start" }, { "stop" }, { "step" }, { NULL } };
static const SymSlotSpec hot_slots[] = { { "indices" },
                                         { "depth" },
                                         { "on" },
                                         { "off" },
                                         { NULL } };

static const SymSlotSpec attention_slots[] = {
  { "query" },
  { "key" },
  { "value" },
  { "attention_mask", SYM_SLOT_DATA, TRUE },
  { "scale", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec reduce_attributes[] = {
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether the axes stay with size 1" },
  { NULL },
};

static const SymAttributeSpec top_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which" },
  { "mode", SYM_ATTRIBUTE_STRING, "max", "greatest or least ones" },
  { "index_element_type", SYM_ATTRIBUTE_STRING, "i32", "dtype of the places" },
  { NULL },
};

static const SymAttributeSpec cumsum_attributes[] = {
  { "exclusive", SYM_ATTRIBUTE_BOOL, "False", "whether an element is left out of its sum" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether from the end" },
  { NULL },
};

static const SymAttributeSpec dtype_attributes[] = {
  { "output_type", SYM_ATTRIBUTE_STRING, "", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec hot_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis that is new" },
  { NULL },
};

static const SymAttributeSpec matmul_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

static const SymAttributeSpec einsum_attributes[] = {
  { "equation", SYM_ATTRIBUTE_STRING, "", "axes as letters" },
  { NULL },
};

static const SymAttributeSpec causal_attributes[] = {
  { "causal", SYM_ATTRIBUTE_BOOL, "False", "whether a step sees what is before it only" },
  { NULL },
};

#define REDUCE(name_, summary_) \
  OPENVINO_LOWERED (name_, NULL, summary_, POOLING, axes_slots, reduce_attributes, lower_reduce)

const SymOperator sym_op_openvino_reduce[] = {
  REDUCE ("ReduceL1", "Sum of absolute values over axes"),
  REDUCE ("ReduceL2", "Length over axes"),
  REDUCE ("ReduceMax", "Greatest element over axes"),
  REDUCE ("ReduceMean", "Mean over axes"),
  REDUCE ("ReduceMin", "Least element over axes"),
  REDUCE ("ReduceProd", "Product over axes"),
  REDUCE ("ReduceSum", "Sum over axes"),
  OPENVINO_LOWERED ("ReduceLogicalAnd",
                    "ReduceLogicalOr",
                    "Whether all are true, or one",
                    POOLING,
                    axes_slots,
                    reduce_attributes,
                    lower_logical),
  OPENVINO_LOWERED ("TopK",
                    NULL,
                    "The greatest elements and their places",
                    POOLING,
                    top_slots,
                    top_attributes,
                    lower_top),
  OPENVINO_LOWERED ("NonZero",
                    NULL,
                    "Places of what is not zero",
                    SHAPE,
                    sym_op_foreign_one,
                    dtype_attributes,
                    lower_nonzero),
  OPENVINO_LOWERED ("CumSum",
                    NULL,
                    "Sums of what is before",
                    POOLING,
                    axis_slots,
                    cumsum_attributes,
                    lower_cumsum),
  OPENVINO_LOWERED ("Range",
                    NULL,
                    "Numbers in steps",
                    SHAPE,
                    range_slots,
                    dtype_attributes,
                    lower_range),
  OPENVINO_LOWERED ("OneHot",
                    NULL,
                    "One number at an index, another elsewhere",
                    SHAPE,
                    hot_slots,
                    hot_attributes,
                    lower_one_hot),
  OPENVINO_LOWERED ("MatMul",
                    NULL,
                    "Product of matrices",
                    WEIGHTS,
                    sym_op_foreign_two,
                    matmul_attributes,
                    sym_op_foreign_lower_matmul),
  { OPENVINO ("Einsum", NULL, "Sums of products by letters", WEIGHTS), .slots = sym_op_foreign_many,
    .attributes = einsum_attributes, .get_n_operands = sym_op_foreign_any,
    .infer = sym_op_infer_lowered, .lower = lower_einsum },
  OPENVINO_COMPOSITE ("ScaledDotProductAttention",
                      "Attention",
                      attention_slots,
                      causal_attributes,
                      lower_attention),
  { NULL },
};
