/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-microsoft.h"

/* Layers on integers of 8 bits: of the numbers that they stand for, rounded again. */

static const SymAttributeSpec leaky_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.01", "slope below zero" },
  { NULL },
};

static const SymAttributeSpec concat_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "axis along which the tensors are laid" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which all adds up to 1" },
  { "opset", SYM_ATTRIBUTE_INT, NULL, "before 13 all axes from `axis` on are one" },
  { NULL },
};

static const SymAttributeSpec global_attributes[] = {
  { "channels_last", SYM_ATTRIBUTE_INT, "0", "whether the channels come last" },
  { NULL },
};

static const SymAttributeSpec pool_attributes[] = {
  { "auto_pad", SYM_ATTRIBUTE_STRING, "NOTSET", "how padding is found",
    "NOTSET SAME_UPPER SAME_LOWER VALID" },
  { "ceil_mode", SYM_ATTRIBUTE_INT, "0", "whether sizes are rounded up" },
  { "channels_last", SYM_ATTRIBUTE_INT, "0", "whether the channels come last" },
  { "count_include_pad", SYM_ATTRIBUTE_INT, "0", "whether the padding counts" },
  { "kernel_shape", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "pads", SYM_ATTRIBUTE_INTS, "None", "zeros before and behind each axis" },
  { "strides", SYM_ATTRIBUTE_INTS, "None", "steps of the window" },
  { NULL },
};

static const SymAttributeSpec gemm_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { "transA", SYM_ATTRIBUTE_INT, "0", "whether A is transposed" },
  { "transB", SYM_ATTRIBUTE_INT, "0", "whether B is transposed" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of scales that are one for each" },
  { NULL },
};

static const SymSlotSpec pair_slots[] = { { "A" },
                                          { "A_scale" },
                                          { "A_zero_point", .optional = TRUE },
                                          { "B" },
                                          { "B_scale" },
                                          { "B_zero_point", .optional = TRUE },
                                          { "C_scale" },
                                          { "C_zero_point", .optional = TRUE },
                                          { NULL } };
static const SymSlotSpec single_slots[] = { { "X" },
                                            { "X_scale" },
                                            { "X_zero_point", .optional = TRUE },
                                            { "Y_scale" },
                                            { "Y_zero_point", .optional = TRUE },
                                            { NULL } };
static const SymSlotSpec concat_slots[] = { { "Y_scale" },
                                            { "Y_zero_point" },
                                            { "inputs" },
                                            { NULL } };
static const SymSlotSpec gemm_slots[] = {
  { "A" },
  { "a_scale" },
  { "a_zero_point" },
  { "B", SYM_SLOT_PARAMETER },
  { "b_scale" },
  { "b_zero_point" },
  { "C", SYM_SLOT_PARAMETER, TRUE },
  { "y_scale", .optional = TRUE },
  { "y_zero_point", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec dynamic_slots[] = { { "A" },
                                             { "B", SYM_SLOT_PARAMETER },
                                             { "b_scale" },
                                             { "b_zero_point", .optional = TRUE },
                                             { "bias", SYM_SLOT_PARAMETER, TRUE },
                                             { NULL } };
static const SymSlotSpec integer_slots[] = { { "A" },
                                             { "B", SYM_SLOT_PARAMETER },
                                             { "a_scale" },
                                             { "b_scale" },
                                             { "a_zero_point", .optional = TRUE },
                                             { "b_zero_point", .optional = TRUE },
                                             { "bias", SYM_SLOT_PARAMETER, TRUE },
                                             { NULL } };
static const SymSlotSpec linear_slots[] = { { "x" },
                                            { "scale" },
                                            { "zero_point", .optional = TRUE },
                                            { NULL } };

/* The operator's name without its domain. */
static const char *
get_name (SymOpLower *self)
{
  return sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
}

/* ---- Two operands ---- */

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_infer_lowered (rule, error);
}

static void
lower_pair (SymOpLower *self)
{
  const char *name = strcmp (get_name (self), "QLinearMul") == 0 ? "Mul" : "Add";
  SymId a = sym_op_microsoft_dequantize (self, 0, 1, 2, 0);
  SymId b = sym_op_microsoft_dequantize (self, 3, 4, 5, 0);

  if (!sym_op_lower_has_failed (self))
    sym_op_microsoft_store (self, sym_op_lower_binary (self, name, a, b), 6, 7,
                            sym_op_lower_get_input_dtype (self, 0));
}

/* ---- One operand ---- */

static gboolean
infer_single (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_infer_lowered (rule, error);
}

/* The last axis becomes the second, or the second the last. */
static SymId
turn (SymOpLower *self, SymId x, gboolean to_front)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gint64 axes[SYM_MAX_RANK] = { 0 };

  for (int i = 1; i < rank; i++)
    axes[i] = to_front ? (i == 1 ? rank - 1 : i - 1) : (i == rank - 1 ? 1 : i + 1);
  return sym_op_lower_permute (self, x, axes, rank);
}

static SymId
lower_pooled (SymOpLower *self, SymId x, const char *name)
{
  gboolean last = sym_op_lower_get_int (self, "channels_last", 0) != 0;

  if (last)
    x = turn (self, x, TRUE);
  x = sym_op_microsoft_apply (self, name, SYM_IDS (x));
  return last ? turn (self, x, FALSE) : x;
}

static SymId
lower_softmax (SymOpLower *self, SymId x)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymShape flat = SYM_SHAPE (1, 1);
  int axis;

  if (sym_op_lower_get_int (self, "opset", 13) >= 13)
    return sym_op_microsoft_apply (self, "Softmax", SYM_IDS (x));
  if (!sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), data->rank, &axis))
    return SYM_NO_ID;
  for (int i = 0; i < data->rank; i++)
    flat.dims[i < axis ? 0 : 1] *= data->dims[i];
  x = sym_op_lower_call (self, "Softmax", SYM_IDS (sym_op_lower_reshape (self, x, &flat)), "axis",
                         sym_value_new_int (1), NULL);
  return sym_op_lower_reshape (self, x, data);
}

static void
lower_single (SymOpLower *self)
{
  const char *name = get_name (self) + strlen ("QLinear");
  SymId x = sym_op_microsoft_dequantize (self, 0, 1, 2, 0);

  if (sym_op_lower_has_failed (self))
    return;
  if (strcmp (name, "Softmax") == 0)
    x = lower_softmax (self, x);
  else if (g_str_has_suffix (name, "Pool"))
    x = lower_pooled (self, x, name);
  else
    x = sym_op_microsoft_apply (self, name, SYM_IDS (x));
  if (!sym_op_lower_has_failed (self))
    sym_op_microsoft_store (self, x, 3, 4, sym_op_lower_get_input_dtype (self, 0));
}

/* ---- QLinearConcat ---- */

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 1, 0, error) && sym_op_infer_lowered (rule, error);
}

/* Tensors, each with its scale and zero point. */
static void
lower_concat (SymOpLower *self)
{
  guint n = (MAX (sym_op_lower_get_n_inputs (self), 2) - 2) / 3;
  g_autofree SymId *parts = g_new (SymId, n + 1);
  SymId x;

  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_microsoft_dequantize (self, 2 + 3 * i, 3 + 3 * i, 4 + 3 * i, 0);
  if (sym_op_lower_has_failed (self))
    return;
  x = sym_op_microsoft_apply (self, "Concat", (SymIds){ parts, n });
  sym_op_microsoft_store (self, x, 0, 1, sym_op_lower_get_input_dtype (self, 1));
}

/* ---- Products ---- */

static gboolean
infer_gemm (SymRule *rule, GError **error)
{
  gboolean good = sym_rule_has_input (rule, 7)
                      ? sym_op_pass_dtype (rule, 8, 0, error)
                      : sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);

  return good && sym_op_infer_lowered (rule, error);
}

/* C, of int32, is in units of both scales and alpha. */
static void
lower_gemm (SymOpLower *self)
{
  double alpha = sym_op_lower_get_float (self, "alpha", 1);
  SymId a = sym_op_microsoft_dequantize (self, 0, 1, 2, 0);
  int axis = sym_op_lower_get_int (self, "transB", 0) != 0 ? 0 : 1;
  SymId b = sym_op_microsoft_dequantize (self, 3, 4, 5, axis), y, unit, c;

  if (sym_op_lower_has_failed (self))
    return;
  y = sym_op_microsoft_apply (self, "Gemm", SYM_IDS (a, b));
  if (sym_op_lower_has_input (self, 6))
    {
      unit = sym_op_lower_binary (self, "Mul", sym_op_lower_input (self, 1),
                                  sym_op_lower_input (self, 4));
      unit = sym_op_lower_binary (self, "Mul", unit,
                                  sym_op_lower_number (self, SYM_DTYPE_FLOAT32, alpha));
      c = sym_op_lower_cast (self, sym_op_lower_input (self, 6), SYM_DTYPE_FLOAT32);
      y = sym_op_lower_binary (self, "Add", y, sym_op_lower_binary (self, "Mul", c, unit));
    }
  if (sym_op_lower_has_input (self, 7))
    sym_op_microsoft_store (self, y, 7, 8, sym_op_lower_get_input_dtype (self, 0));
  else
    sym_op_lower_set_output (self, 0, y);
}

/* Integers multiplied, then scaled: [..., n] by a scale, or one for each of the n. */
static void
finish_product (SymOpLower *self, SymIds operands, SymId a_scale, guint b_scale, guint bias)
{
  SymId y = sym_op_lower_call (self, "MatMulInteger", operands, NULL);
  SymId scale = sym_op_lower_binary (self, "Mul", a_scale, sym_op_lower_input (self, b_scale));

  y = sym_op_lower_binary (self, "Mul", sym_op_lower_cast (self, y, SYM_DTYPE_FLOAT32), scale);
  if (sym_op_lower_has_input (self, bias))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, bias));
  sym_op_lower_set_output (self, 0, y);
}

static gboolean
infer_float (SymRule *rule, GError **error)
{
  return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) &&
         sym_op_infer_lowered (rule, error);
}

static void
lower_dynamic (SymOpLower *self)
{
  SymId a = sym_op_lower_unary (self, "DynamicQuantizeLinear", sym_op_lower_input (self, 0));
  SymId scale = sym_op_lower_get_result (self, a, 1), zero = sym_op_lower_get_result (self, a, 2);

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  finish_product (self,
                  SYM_IDS (a, sym_op_lower_input (self, 1), zero, sym_op_lower_input (self, 3)),
                  scale, 2, 4);
}

static void
lower_integers (SymOpLower *self)
{
  for (guint i = 0; i < 4; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  finish_product (self,
                  SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                           sym_op_lower_input (self, 4), sym_op_lower_input (self, 5)),
                  sym_op_lower_input (self, 2), 3, 6);
}

/* ---- QuantizeLinear, DequantizeLinear ---- */

/* As ONNX's, before these had so many dtypes. */
static void
lower_same (SymOpLower *self)
{
  SymId x =
      sym_op_microsoft_apply (self, get_name (self),
                              SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                                       sym_op_lower_input (self, 2)));

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0, x);
}

static gboolean
infer_quantized (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         (!sym_rule_has_input (rule, 2) || sym_op_pass_dtype (rule, 2, 0, error));
}

static gboolean
infer_dequantized (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) && sym_op_pass_dtype (rule, 1, 0, error);
}

#define QUANTIZED(name_, category_, summary_, attributes_, slots_, infer_, lower_)       \
  SYM_OP_MICROSOFT (name_), .summary = summary_, .category = SYM_CATEGORY_##category_,   \
                            .attributes = attributes_, .slots = slots_, .infer = infer_, \
                            .lower = lower_
#define SINGLE(name_, category_, summary_, attributes_, infer_)                             \
  {                                                                                         \
    QUANTIZED (name_, category_, summary_, attributes_, single_slots, infer_, lower_single) \
  }

const SymOperator sym_op_microsoft_quantized[] = {
  { QUANTIZED ("QLinearAdd",
               ELEMENTWISE,
               "sum of quantised tensors",
               NULL,
               pair_slots,
               infer_pair,
               lower_pair) },
  { QUANTIZED ("QLinearMul",
               ELEMENTWISE,
               "product of quantised tensors",
               NULL,
               pair_slots,
               infer_pair,
               lower_pair) },
  SINGLE ("QLinearSigmoid", ACTIVATION, "logistic function, quantised", NULL, infer_single),
  SINGLE ("QLinearLeakyRelu",
          ACTIVATION,
          "leaky rectifier, quantised",
          leaky_attributes,
          infer_single),
  SINGLE ("QLinearSoftmax", ACTIVATION, "softmax, quantised", softmax_attributes, infer_single),
  SINGLE ("QLinearAveragePool",
          POOLING,
          "means of windows, quantised",
          pool_attributes,
          infer_pool),
  SINGLE ("QLinearGlobalAveragePool",
          POOLING,
          "mean of each channel, quantised",
          global_attributes,
          infer_pool),
  { QUANTIZED ("QLinearConcat",
               MERGE,
               "lays quantised tensors one after the other",
               concat_attributes,
               concat_slots,
               infer_concat,
               lower_concat),
    .get_n_operands = sym_op_onnx_get_any_number },
  { QUANTIZED ("QGemm",
               WEIGHTS,
               "product of quantised matrices and a sum",
               gemm_attributes,
               gemm_slots,
               infer_gemm,
               lower_gemm) },
  { QUANTIZED ("DynamicQuantizeMatMul",
               WEIGHTS,
               "product of numbers, quantised here, with integers",
               NULL,
               dynamic_slots,
               infer_float,
               lower_dynamic) },
  { QUANTIZED ("MatMulIntegerToFloat",
               WEIGHTS,
               "product of integers as numbers",
               NULL,
               integer_slots,
               infer_float,
               lower_integers) },
  { QUANTIZED ("QuantizeLinear",
               SHAPE,
               "numbers as integers",
               axis_attributes,
               linear_slots,
               infer_quantized,
               lower_same) },
  { QUANTIZED ("DequantizeLinear",
               SHAPE,
               "integers as numbers",
               axis_attributes,
               linear_slots,
               infer_dequantized,
               lower_same) },
  { NULL },
};
