/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Between numbers and integers of 8 bits: a tensor goes with its least and greatest value, [1]
 * each. */

static const char *const range_names[] = { "output", "min_output", "max_output", NULL };

gboolean
sym_op_mxnet_set_ranges (SymRule *rule, guint first_input, guint first_output, GError **error)
{
  SymShape one = SYM_SHAPE (1);

  for (guint i = first_input; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_rule_set_input (rule, i, &one, error) ||
        !sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  for (guint i = first_output; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_set_output (rule, i, one, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return TRUE;
}

int
sym_op_mxnet_get_ranged_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 3;
  return 3;
}

/* "auto" is unsigned where calibration saw nothing below zero. */
static SymDType
get_out_type (SymRule *rule, SymDType fallback)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);

  if (sym_op_has_string (attributes, "out_type", "auto"))
    return sym_rule_get_float (rule, "min_calib_range", -1) >= 0 ? SYM_DTYPE_UINT8 : SYM_DTYPE_INT8;
  return sym_rule_get_dtype (rule, "out_type", fallback);
}

/* ---- quantize ---- */

static const SymAttributeSpec quantize_attributes[] = {
  { "out_type", SYM_ATTRIBUTE_STRING, "uint8", "int8 or uint8", "int8 uint8" },
  { NULL },
};

static const SymAttributeSpec calibrated_attributes[] = {
  { "out_type", SYM_ATTRIBUTE_STRING, "int8", "auto, int8 or uint8", "auto int8 uint8" },
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

static const SymSlotSpec ranged_slots[] = { { "data" },
                                            { "min_range" },
                                            { "max_range" },
                                            { NULL } };

static gboolean
infer_quantize (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, get_out_type (rule, SYM_DTYPE_UINT8), error) &&
         sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

static gboolean
infer_quantize_v2 (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, get_out_type (rule, SYM_DTYPE_INT8), error) &&
         sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

static gboolean
infer_requantize (SymRule *rule, GError **error)
{
  return sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_INT32, error) &&
         infer_quantize_v2 (rule, error);
}

/* ---- dequantize ---- */

static const SymAttributeSpec dequantize_attributes[] = {
  { "out_type", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result" },
  { NULL },
};

static gboolean
infer_dequantize (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) &&
         sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

/* ---- quantize_asym ---- */

static const SymAttributeSpec asym_attributes[] = {
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

/* Integers, and the scale and the shift that make them. */
static gboolean
infer_asym (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_UINT8, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (1), SYM_DTYPE_FLOAT32, error) &&
         sym_op_set_output (rule, 2, SYM_SHAPE (1), SYM_DTYPE_FLOAT32, error);
}

/* ---- calibrate_entropy ---- */

static const SymAttributeSpec entropy_attributes[] = {
  { "num_quantized_bins", SYM_ATTRIBUTE_INT, "255", "number of different integers" },
  { NULL },
};

static const SymSlotSpec entropy_slots[] = { { "hist" }, { "hist_edges" }, { NULL } };

static int
get_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

/* A threshold and how much it loses. */
static gboolean
infer_entropy (SymRule *rule, GError **error)
{
  for (guint i = 0; i < 2; i++)
    if (!sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error) ||
        !sym_op_set_output (rule, i, SYM_SHAPE (1), SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return TRUE;
}

const SymOperator sym_op_mxnet_quantize[] = {
  {
      SYM_OP_MXNET,
      .name = "_contrib_quantize_asym",
      .summary = "numbers as unsigned integers of 8 bits, with a scale and a shift",
      .reference = "MXNet 1.9.1 _contrib_quantize_asym",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = asym_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
      .infer = infer_asym,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_quantize",
      .aliases = "_npx_contrib_quantize",
      .summary = "numbers as integers of 8 bits, with their range",
      .reference = "MXNet 1.9.1 _contrib_quantize",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = quantize_attributes,
      .slots = ranged_slots,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
      .output_names = range_names,
      .infer = infer_quantize,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_quantize_v2",
      .aliases = "_npx_contrib_quantize_v2",
      .summary = "numbers as integers of 8 bits, with the calibrated range",
      .reference = "MXNet 1.9.1 _contrib_quantize_v2",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = calibrated_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
      .output_names = range_names,
      .infer = infer_quantize_v2,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_requantize",
      .aliases = "_npx_requantize",
      .summary = "integers of 32 bits as integers of 8 bits",
      .reference = "MXNet 1.9.1 _contrib_requantize",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = calibrated_attributes,
      .slots = ranged_slots,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
      .output_names = range_names,
      .infer = infer_requantize,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_dequantize",
      .summary = "integers of 8 bits as numbers",
      .reference = "MXNet 1.9.1 _contrib_dequantize",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = dequantize_attributes,
      .slots = ranged_slots,
      .infer = infer_dequantize,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_calibrate_entropy",
      .aliases = "_npx_contrib_calibrate_entropy",
      .summary = "where to cut off values so that integers of 8 bits tell most of them",
      .reference = "MXNet 1.9.1 _contrib_calibrate_entropy",
      .category = SYM_CATEGORY_OTHER,
      .attributes = entropy_attributes,
      .slots = entropy_slots,
      .get_n_outputs = get_two,
      .infer = infer_entropy,
  },
  { NULL },
};
