/* SPDX-License-Identifier: MIT */
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

#define FUSED(name_, aliases_, summary_, attributes_, slots_, infer_)                        \
  {                                                                                          \
    SYM_OP_MXNET,                                                                            \
        .name = name_, .aliases = aliases_, .summary = summary_,                             \
        .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_WEIGHTS,                 \
        .attributes = attributes_, .slots = slots_, .get_n_operands = get_any_number,        \
        .get_n_outputs = get_n_outputs,                                                      \
        .output_names = (const char *const[]){ "output", "output_min", "output_max", NULL }, \
        .body_names = (const char *const[]){ "fused", NULL },                                \
        .infer = infer_                                                                      \
  }

const SymOperator sym_op_mxnet_fused[] = {
  FUSED ("_sg_mkldnn_conv",
         "_sg_onednn_conv",
         "convolution with what follows it, in one go",
         conv_attributes,
         sym_op_mxnet_data,
         infer_conv),
  FUSED ("_sg_mkldnn_fully_connected",
         "_sg_onednn_fully_connected",
         "fully connected layer with what follows it, in one go",
         dense_attributes,
         sym_op_mxnet_data,
         infer_dense),
  FUSED ("_sg_mkldnn_selfatt_qk",
         NULL,
         "queries times keys, in one go",
         attention_attributes,
         sym_op_mxnet_data,
         infer_dense),
  FUSED ("_sg_mkldnn_selfatt_valatt",
         NULL,
         "attention times values, in one go",
         attention_attributes,
         sym_op_mxnet_data,
         infer_dense),
  { NULL },
};
