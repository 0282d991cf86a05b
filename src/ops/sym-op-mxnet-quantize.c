/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-mxnet-ranges.h"
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

/* ---- Lowering ---- */

static SymId
number_of (SymOpLower *self, double number)
{
  return sym_op_lower_number (self, SYM_DTYPE_FLOAT32, number);
}

/* Signed integers keep 0 in the middle: 127 is the greatest absolute value of the range.  Unsigned
 * ones go from the least value to the greatest.  All are rounded away from zero. */
static void
lower_quantized (SymOpLower *self, SymId least, SymId greatest)
{
  gboolean is_signed = sym_op_lower_get_output_dtype (self, 0) == SYM_DTYPE_INT8;
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);

  if (is_signed)
    {
      SymId range = sym_op_lower_binary (self, "Max", sym_op_lower_unary (self, "Abs", least),
                                         sym_op_lower_unary (self, "Abs", greatest));
      SymId scale = sym_op_lower_binary (self, "Div", number_of (self, 127), range);
      SymId size = sym_op_lower_binary (self, "Mul", sym_op_lower_unary (self, "Abs", x), scale);

      size = sym_op_lower_binary (self, "Add", size, number_of (self, 0.5));
      size = sym_op_lower_binary (self, "Min", size, number_of (self, 127));
      x = sym_op_lower_binary (self, "Mul", sym_op_lower_unary (self, "Sign", x),
                               sym_op_lower_unary (self, "Floor", size));
      least = sym_op_lower_unary (self, "Neg", range);
      greatest = range;
    }
  else
    {
      SymId width = sym_op_lower_binary (self, "Sub", greatest, least);
      SymId scale = sym_op_lower_binary (self, "Div", number_of (self, 255), width);

      x = sym_op_lower_binary (self, "Mul", sym_op_lower_binary (self, "Sub", x, least), scale);
      x = sym_op_lower_unary (self, "Floor",
                              sym_op_lower_binary (self, "Add", x, number_of (self, 0.5)));
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_cast (self, x, sym_op_lower_get_output_dtype (self, 0)));
  sym_op_lower_set_output (self, 1, sym_op_lower_reshape (self, least, &SYM_SHAPE (1)));
  sym_op_lower_set_output (self, 2, sym_op_lower_reshape (self, greatest, &SYM_SHAPE (1)));
}

static void
lower_quantize (SymOpLower *self)
{
  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  lower_quantized (self, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2));
}

/* The range that calibration saw, else that of the data. */
static void
lower_quantize_v2 (SymOpLower *self)
{
  double least = sym_op_lower_get_float (self, "min_calib_range", (double) NAN);
  double greatest = sym_op_lower_get_float (self, "max_calib_range", (double) NAN);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_input_dtype (self, 0) != SYM_DTYPE_FLOAT32)
    sym_op_lower_refuse (self, "%s: data of %s is not lowered", sym_op_lower_get_type (self),
                         sym_dtype_to_string (sym_op_lower_get_input_dtype (self, 0)));
  if (isnan (least) || isnan (greatest))
    lower_quantized (
        self,
        sym_op_lower_call (self, "ReduceMin", SYM_IDS (x), "keepdims", sym_value_new_int (0), NULL),
        sym_op_lower_call (self, "ReduceMax", SYM_IDS (x), "keepdims", sym_value_new_int (0),
                           NULL));
  else
    lower_quantized (self, number_of (self, least), number_of (self, greatest));
}

static void
lower_dequantize (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId least = sym_op_lower_input (self, 1), greatest = sym_op_lower_input (self, 2), x, width;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);
  if (dtype == SYM_DTYPE_UINT8)
    {
      width = sym_op_lower_binary (self, "Sub", greatest, least);
      x = sym_op_lower_binary (self, "Mul", x,
                               sym_op_lower_binary (self, "Div", width, number_of (self, 255)));
      x = sym_op_lower_binary (self, "Add", x, least);
    }
  else
    {
      width = sym_op_lower_binary (self, "Max", sym_op_lower_unary (self, "Abs", least),
                                   sym_op_lower_unary (self, "Abs", greatest));
      x = sym_op_lower_binary (
          self, "Mul", x,
          sym_op_lower_binary (self, "Div", width,
                               number_of (self, dtype == SYM_DTYPE_INT8 ? 127 : 2147483647.0)));
    }
  sym_op_lower_finish (self, x);
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
      .lower = lower_quantize,
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
      .lower = lower_quantize_v2,
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
      .lower = sym_op_mxnet_lower_requantize,
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
      .lower = lower_dequantize,
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
