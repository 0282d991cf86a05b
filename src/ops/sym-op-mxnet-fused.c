/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-mxnet-ranges.h"
#include "ops/sym-op-mxnet.h"

/* Layers that oneDNN runs in one go.  Each keeps the graph that it was fused from as its body, with
 * the same operands in the same order; quantised ones have the ranges of these after them.  Shapes
 * are those of the body. */

static const SymAttributeSpec conv_attributes[] = {
  { "with_bn", SYM_ATTRIBUTE_BOOL, "False", "whether batch normalization is inside" },
  { "with_act", SYM_ATTRIBUTE_BOOL, "False", "whether an activation is inside" },
  { "with_relu", SYM_ATTRIBUTE_BOOL, "False", "older name of with_act" },
  { "with_sum", SYM_ATTRIBUTE_BOOL, "False", "whether a sum with another operand is inside" },
  { "with_postsum_act", SYM_ATTRIBUTE_BOOL, "False", "whether an activation follows the sum" },
  { "with_postsum_relu", SYM_ATTRIBUTE_BOOL, "False", "older name of with_postsum_act" },
  { "quantized", SYM_ATTRIBUTE_BOOL, "False", "whether it works on integers of 8 bits" },
  { "enabled_float_output", SYM_ATTRIBUTE_DTYPE, "None", "dtype of a result that is no integer" },
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "quantized", SYM_ATTRIBUTE_BOOL, "False", "whether it works on integers of 8 bits" },
  { "enable_float_output", SYM_ATTRIBUTE_BOOL, "False", "whether the result is float32" },
  { "enabled_float_output", SYM_ATTRIBUTE_DTYPE, "None", "dtype of a result that is no integer" },
  { "with_eltwise", SYM_ATTRIBUTE_BOOL, "False", "whether an activation is inside" },
  { "with_relu", SYM_ATTRIBUTE_BOOL, "False", "older name of with_eltwise" },
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { "channel_wise_quantize", SYM_ATTRIBUTE_BOOL, "None", "whether each channel has its range" },
  { NULL },
};

static const SymAttributeSpec attention_attributes[] = {
  { "heads", SYM_ATTRIBUTE_INT, NULL, "number of attention heads" },
  { "quantized", SYM_ATTRIBUTE_BOOL, "False", "whether it works on integers of 8 bits" },
  { "enable_float_output", SYM_ATTRIBUTE_BOOL, "False", "whether the result is float32" },
  { "enabled_float_output", SYM_ATTRIBUTE_DTYPE, "None", "dtype of a result that is no integer" },
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

/* Which operands there are depends on the body. */
static int
get_any_number (const SymAttributes *attributes)
{
  return -1;
}

static gboolean
is_quantized (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "quantized", FALSE);
}

static int
get_n_outputs (const SymAttributes *attributes, int *n_visible)
{
  const SymValue *dtype = sym_attributes_find (attributes, "enabled_float_output");
  gboolean to_float = sym_op_get_bool (attributes, "enable_float_output", FALSE) ||
                      (dtype != NULL && sym_value_get_kind (dtype) != SYM_VALUE_NONE);

  *n_visible = is_quantized (attributes) && !to_float ? 3 : 1;
  return *n_visible;
}

/* Calibrated results have 8 bits, unsigned after a rectifier; others have 32.  Which activation is
 * inside only its older name tells. */
static SymDType
get_conv_dtype (SymRule *rule)
{
  gboolean sum = sym_rule_get_bool (rule, "with_sum", FALSE);
  SymDType to_float = sym_rule_get_dtype (rule, "enabled_float_output", SYM_DTYPE_UNKNOWN);
  const SymAttributes *attributes = sym_rule_get_attributes (rule);

  if (to_float != SYM_DTYPE_UNKNOWN)
    return to_float;
  if (sym_attributes_find (attributes, "min_calib_range") == NULL)
    return SYM_DTYPE_INT32;
  if (sym_rule_get_bool (rule, sum ? "with_postsum_relu" : "with_relu", FALSE))
    return SYM_DTYPE_UINT8;
  if (sym_rule_get_bool (rule, sum ? "with_postsum_act" : "with_act", FALSE))
    return SYM_DTYPE_UNKNOWN;
  return SYM_DTYPE_INT8;
}

static gboolean
infer_quantized (SymRule *rule, guint n_ranges, SymDType dtype, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  return sym_rule_infer_body (rule, TRUE, error) &&
         sym_rule_set_output_dtype (rule, 0, dtype, error) &&
         sym_op_mxnet_set_ranges (rule, n > n_ranges ? n - n_ranges : n, 1, error);
}

/* Weights stay numbers until it runs; the data, and what is added last, are integers. */
static gboolean
infer_quantized_conv (SymRule *rule, GError **error)
{
  guint n_sums = sym_rule_get_bool (rule, "with_sum", FALSE) ? 1 : 0;
  guint n_ranges = 2 + 2 * n_sums, n = sym_rule_get_n_inputs (rule);

  for (guint i = 1; i + n_sums + n_ranges < n; i++)
    if (!sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return infer_quantized (rule, n_ranges, get_conv_dtype (rule), error);
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  if (!is_quantized (sym_rule_get_attributes (rule)))
    return sym_rule_infer_body (rule, FALSE, error);
  return infer_quantized_conv (rule, error);
}

/* How many ranges there are depends on whether the body has a bias, so they are left to the body.
 */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "enabled_float_output", SYM_DTYPE_UNKNOWN);

  if (!is_quantized (sym_rule_get_attributes (rule)))
    return sym_rule_infer_body (rule, FALSE, error);
  if (sym_rule_get_bool (rule, "enable_float_output", FALSE))
    dtype = SYM_DTYPE_FLOAT32;
  return infer_quantized (rule, 0, dtype, error);
}

/* ---- Lowering ---- */

#define MAX_OPERANDS 16

/* How many of the operands the body takes; the others are ranges. */
static guint
get_n_formal (SymOpLower *self)
{
  SymLayer *layer = sym_op_lower_get_layer (self);
  guint n;

  if (sym_layer_get_n_bodies (layer) == 0)
    {
      sym_op_lower_refuse (self, "%s: it has no body to run", sym_op_lower_get_type (self));
      return 0;
    }
  n = sym_model_get_inputs (sym_layer_get_body (layer, 0, NULL)).n;
  if (n > MAX_OPERANDS || n > sym_op_lower_get_n_inputs (self) || n == 0)
    {
      sym_op_lower_fail (self, "%s: its body takes %u operands, there are %u",
                         sym_op_lower_get_type (self), n, sym_op_lower_get_n_inputs (self));
      return 0;
    }
  return n;
}

static SymId
lower_body (SymOpLower *self, const SymId *operands, guint n)
{
  SymId y = SYM_NO_ID;

  sym_op_lower_inline (self, 0, (SymIds){ operands, n }, &y, 1);
  return y;
}

/* Whether nothing below 0 comes out of the body's last layer. */
static gboolean
is_rectified (SymOpLower *self)
{
  static const char *const kinds[] = { "relu", "sigmoid", "softrelu", NULL };
  static const char *const others[] = { "abs", "exp", "sqrt", "square", "relu", "sigmoid", NULL };
  SymModel *body = sym_layer_get_body (sym_op_lower_get_layer (self), 0, NULL);
  SymIds outputs = sym_model_get_outputs (body);
  SymId last = outputs.n == 0 ? SYM_NO_ID : sym_model_get_producer (body, outputs.ids[0]);
  SymLayer *layer = last == SYM_NO_ID ? NULL : sym_model_get_layer (body, last);

  if (layer == NULL)
    return FALSE;
  if (strcmp (sym_layer_get_type (layer), "Activation") == 0)
    return g_strv_contains (
        kinds, sym_attributes_get_string (sym_layer_get_attributes (layer), "act_type", ""));
  return g_strv_contains (others, sym_layer_get_type (layer));
}

/* A result that is calibrated has 8 bits; others stay numbers, or become int32 in units of @unit.
 */
static void
store (SymOpLower *self, SymId y, SymId unit)
{
  double range[2];

  if (sym_op_lower_get_n_outputs (self) == 1)
    sym_op_lower_set_output (self, 0, y);
  else if (sym_op_mxnet_lower_get_calibrated (self, range))
    sym_op_mxnet_lower_store (self, y, is_rectified (self) ? SYM_DTYPE_UINT8 : SYM_DTYPE_INT8,
                              range);
  else if (unit != SYM_NO_ID)
    sym_op_mxnet_lower_store_wide (self, y, unit);
  else
    sym_op_lower_refuse (self, "%s: without a calibrated range it is not lowered",
                         sym_op_lower_get_type (self));
}

/* A weight of numbers, rounded to what int8 tells of each output channel: the greatest absolute
 * value is 127.  Batch normalization, which oneDNN multiplies into the weight first, has one factor
 * for a channel and so changes nothing of it. */
static SymId
lower_weight (SymOpLower *self, guint i)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  SymId weight = sym_op_lower_input (self, i), extent, unit;
  SymId zero = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0);
  SymId one = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 1);
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  for (int k = 1; k < shape->rank; k++)
    axes[k - 1] = k;
  extent = sym_op_lower_reduce (self, "ReduceMax", sym_op_lower_unary (self, "Abs", weight), axes,
                                MAX (shape->rank - 1, 0), TRUE);
  unit =
      sym_op_lower_binary (self, "Div", extent, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 127));
  unit = sym_op_lower_call (
      self, "Where", SYM_IDS (sym_op_lower_binary (self, "Equal", extent, zero), one, unit), NULL);
  weight = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Div", weight, unit));
  return sym_op_lower_binary (self, "Mul", weight, unit);
}

/* The data, and what is added last, are integers; their ranges follow in that order. */
static void
lower_conv (SymOpLower *self)
{
  gboolean sum = sym_op_lower_get_bool (self, "with_sum", FALSE);
  SymId operands[MAX_OPERANDS];
  guint n = get_n_formal (self);

  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_lower_input (self, i);
  if (n < 2 || sym_op_lower_has_failed (self))
    return;
  if (!sym_op_lower_get_bool (self, "quantized", FALSE))
    {
      sym_op_lower_set_output (self, 0, lower_body (self, operands, n));
      return;
    }
  operands[0] = sym_op_mxnet_lower_numbers (self, 0, n);
  operands[1] = lower_weight (self, 1);
  if (sum)
    operands[n - 1] = sym_op_mxnet_lower_numbers (self, n - 1, n + 2);
  store (self, lower_body (self, operands, n), SYM_NO_ID);
}

/* All operands are integers, or only the data is and the weight is rounded here. */
static void
lower_dense (SymOpLower *self)
{
  guint n = get_n_formal (self), n_inputs = sym_op_lower_get_n_inputs (self);
  gboolean quantized = sym_op_lower_get_bool (self, "quantized", FALSE);
  SymId operands[MAX_OPERANDS], unit = SYM_NO_ID;

  for (guint i = 0; i < n; i++)
    operands[i] = quantized && n_inputs == 3 * n ? sym_op_mxnet_lower_numbers (self, i, n + 2 * i)
                                                 : sym_op_lower_input (self, i);
  if (n == 0 || sym_op_lower_has_failed (self))
    return;
  if (quantized && n_inputs == n + 2 && n > 1)
    {
      operands[0] = sym_op_mxnet_lower_numbers (self, 0, n);
      operands[1] = lower_weight (self, 1);
    }
  else if (quantized && n_inputs != 3 * n)
    sym_op_lower_refuse (self, "%s: %u ranges of %u operands are not lowered",
                         sym_op_lower_get_type (self), (n_inputs - n) / 2, n);
  else if (quantized && n > 1)
    unit = sym_op_lower_binary (self, "Mul", sym_op_mxnet_lower_unit (self, 0, n),
                                sym_op_mxnet_lower_unit (self, 1, n + 2));
  store (self, lower_body (self, operands, n), unit);
}

#define FUSED(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                  \
  {                                                                                            \
    SYM_OP_MXNET,                                                                              \
        .name = name_, .aliases = aliases_, .summary = summary_,                               \
        .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_WEIGHTS,                   \
        .attributes = attributes_, .slots = slots_, .get_n_operands = get_any_number,          \
        .get_n_outputs = get_n_outputs,                                                        \
        .output_names = (const char *const[]){ "output", "output_min", "output_max", NULL },   \
        .body_names = (const char *const[]){ "fused", NULL }, .infer = infer_, .lower = lower_ \
  }

const SymOperator sym_op_mxnet_fused[] = {
  FUSED ("_sg_mkldnn_conv",
         "_sg_onednn_conv",
         "convolution with what follows it, in one go",
         conv_attributes,
         sym_op_mxnet_data,
         infer_conv,
         lower_conv),
  FUSED ("_sg_mkldnn_fully_connected",
         "_sg_onednn_fully_connected",
         "fully connected layer with what follows it, in one go",
         dense_attributes,
         sym_op_mxnet_data,
         infer_dense,
         lower_dense),
  FUSED ("_sg_mkldnn_selfatt_qk",
         NULL,
         "queries times keys, in one go",
         attention_attributes,
         sym_op_mxnet_data,
         infer_dense,
         lower_dense),
  FUSED ("_sg_mkldnn_selfatt_valatt",
         NULL,
         "attention times values, in one go",
         attention_attributes,
         sym_op_mxnet_data,
         infer_dense,
         lower_dense),
  { NULL },
};
