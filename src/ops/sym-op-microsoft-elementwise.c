/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-microsoft.h"

/* Activations, some of them of a sum with a bias. */

static const SymAttributeSpec quick_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.702", "factor within the logistic function" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "first axis of what adds up to 1" },
  { "is_inner_broadcast", SYM_ATTRIBUTE_INT, NULL, "whether the bias is repeated on the inside" },
  { NULL },
};

static const SymAttributeSpec finite_attributes[] = {
  { "isinf_only", SYM_ATTRIBUTE_INT, "0", "whether only infinities count" },
  { "isnan_only", SYM_ATTRIBUTE_INT, "0", "whether only NaN counts" },
  { NULL },
};

static const SymAttributeSpec trilu_attributes[] = {
  { "upper", SYM_ATTRIBUTE_INT, "1", "whether the upper part stays" },
  { NULL },
};

static const SymSlotSpec biased_slots[] = { { "X" }, { "bias", .optional = TRUE }, { NULL } };
static const SymSlotSpec pair_slots[] = { { "A" }, { "B" }, { NULL } };
static const SymSlotSpec trilu_slots[] = { { "X" }, { "k", .optional = TRUE }, { NULL } };

/* The bias is added along the last axis. */
static gboolean
infer_biased (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static void
lower_fast_gelu (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_has_input (self, 1))
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 1));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Gelu", SYM_IDS (x), "approximate",
                                              sym_value_new_string ("tanh"), NULL));
}

static void
lower_bias_gelu (SymOpLower *self)
{
  SymId x =
      sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 0), sym_op_lower_input (self, 1));

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Gelu", x));
}

/* All axes from @axis on add up to 1 together. */
static void
lower_bias_softmax (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *bias = sym_op_lower_get_input_shape (self, 1);
  SymId x, b = sym_op_lower_input (self, 1);
  SymShape shape = *bias, flat = SYM_SHAPE (1, 1);
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 1), data->rank, &axis))
    return;
  if (sym_op_lower_get_int (self, "is_inner_broadcast", 1) != 0 && shape.rank < data->rank)
    {
      /* [batch, rest] is repeated between: [batch, 1, rest]. */
      for (int i = shape.rank; i < data->rank; i++)
        shape = sym_op_insert_axis (&shape, MIN (1, shape.rank), 1);
      b = sym_op_lower_reshape (self, b, &shape);
    }
  for (int i = 0; i < data->rank; i++)
    flat.dims[i < axis ? 0 : 1] *= data->dims[i];
  x = sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 0), b);
  x = sym_op_lower_call (self, "Softmax", SYM_IDS (sym_op_lower_reshape (self, x, &flat)), "axis",
                         sym_value_new_int (1), NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_reshape (self, x, data));
}

static gboolean
infer_finite (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_BOOL, error);
}

/* Whether nothing in any operand is NaN or infinite. */
static void
lower_is_all_finite (SymOpLower *self)
{
  gboolean infinities = sym_op_lower_get_int (self, "isnan_only", 0) == 0;
  gboolean nans = sym_op_lower_get_int (self, "isinf_only", 0) == 0;
  SymId all = sym_op_lower_number (self, SYM_DTYPE_INT32, 0);

  for (guint i = 0; i < sym_op_lower_get_n_inputs (self); i++)
    for (int k = 0; k < 2; k++)
      {
        SymId bad;

        if (!(k == 0 ? nans : infinities) || !sym_op_lower_need_tensor (self, i))
          continue;
        bad = sym_op_lower_unary (self, k == 0 ? "IsNaN" : "IsInf", sym_op_lower_input (self, i));
        bad = sym_op_lower_cast (self, bad, SYM_DTYPE_INT32);
        bad = sym_op_lower_call (self, "ReduceMax", SYM_IDS (bad), "keepdims",
                                 sym_value_new_int (0), NULL);
        all = sym_op_lower_binary (self, "Max", all, bad);
      }
  sym_op_lower_set_output (
      self, 0, sym_op_lower_unary (self, "Not", sym_op_lower_cast (self, all, SYM_DTYPE_BOOL)));
}

static void
lower_trilu (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (
            self, "Trilu", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
            "upper", sym_value_new_int (sym_op_lower_get_int (self, "upper", 1)), NULL));
}

const SymOperator sym_op_microsoft_elementwise[] = {
  { SYM_OP_MICROSOFT ("Gelu"), .summary = "x times the normal distribution's sum up to x",
    .category = SYM_CATEGORY_ACTIVATION, .slots = sym_op_microsoft_x,
    .infer = sym_op_infer_elementwise, .formula = "Gelu (a)" },
  { SYM_OP_MICROSOFT ("FastGelu"), .summary = "Gelu, by a hyperbolic tangent, of a sum",
    .category = SYM_CATEGORY_ACTIVATION, .slots = biased_slots, .infer = infer_biased,
    .lower = lower_fast_gelu },
  { .domain = "ai.onnx.contrib",
    .name = "FastGelu",
    .since_version = 1,
    .reference = "ONNX Runtime Extensions FastGelu",
    .summary = "Gelu, by a hyperbolic tangent, of a sum",
    .category = SYM_CATEGORY_ACTIVATION,
    .slots = biased_slots,
    .infer = infer_biased,
    .lower = lower_fast_gelu },
  { SYM_OP_MICROSOFT ("BiasGelu"), .summary = "Gelu of a sum", .category = SYM_CATEGORY_ACTIVATION,
    .slots = pair_slots, .infer = infer_biased, .lower = lower_bias_gelu },
  { SYM_OP_MICROSOFT ("QuickGelu"), .summary = "x / (1 + exp (-alpha x))",
    .category = SYM_CATEGORY_ACTIVATION, .attributes = quick_attributes,
    .slots = sym_op_microsoft_x, .infer = sym_op_infer_elementwise,
    .formula = "Mul (a, Sigmoid (Mul (a, $alpha)))" },
  { SYM_OP_MICROSOFT ("BiasSoftmax"), .summary = "softmax of a sum",
    .category = SYM_CATEGORY_ACTIVATION, .attributes = softmax_attributes, .slots = biased_slots,
    .infer = infer_biased, .lower = lower_bias_softmax },
  { SYM_OP_MICROSOFT ("BiasAdd"), .summary = "sum of data, a bias and a skipped value",
    .category = SYM_CATEGORY_ELEMENTWISE,
    .slots = (const SymSlotSpec[]){ { "X" }, { "bias" }, { "skip" }, { NULL } },
    .infer = infer_biased, .formula = "Add (Add (a, b), c)" },
  { SYM_OP_MICROSOFT ("IsAllFinite"), .summary = "whether nothing is NaN or infinite",
    .category = SYM_CATEGORY_POOLING, .attributes = finite_attributes, .slots = sym_op_microsoft_x,
    .get_n_operands = sym_op_onnx_get_any_number, .infer = infer_finite,
    .lower = lower_is_all_finite },
  { SYM_OP_MICROSOFT ("Trilu"), .summary = "the upper or the lower triangle",
    .category = SYM_CATEGORY_SHAPE, .attributes = trilu_attributes, .slots = trilu_slots,
    .infer = infer_biased, .lower = lower_trilu },
  { NULL },
};
