/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-integers.h"
#include "ops/sym-op-mxnet.h"

/* Products of integers of 8 bits by the intgemm library: numbers are made integers by their
 * greatest absolute value, weights are laid out anew. */

static const SymAttributeSpec prepare_attributes[] = {
  { "already_quantized", SYM_ATTRIBUTE_BOOL, "False", "whether the weight is int8 already" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "num_hidden", SYM_ATTRIBUTE_INT, NULL, "number of outputs of each sample" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "False", "whether there is no bias" },
  { "flatten", SYM_ATTRIBUTE_BOOL, "True", "whether all axes but the batch are one" },
  { "out_type", SYM_ATTRIBUTE_DTYPE, "float32", "float32 or int32" },
  { NULL },
};

static const SymSlotSpec prepare_slots[] = { { "data" }, { "maxabs" }, { NULL } };
static const SymSlotSpec weight_slots[] = { { "weight", SYM_SLOT_PARAMETER },
                                            { "maxabs", SYM_SLOT_DATA, TRUE },
                                            { NULL } };
static const SymSlotSpec take_slots[] = { { "weight", SYM_SLOT_PARAMETER },
                                          { "indices" },
                                          { NULL } };
static const SymSlotSpec dense_slots[] = {
  { "data" },
  { "weight", SYM_SLOT_PARAMETER },
  { "scaling", SYM_SLOT_DATA, TRUE },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static gboolean
infer_maxabsolute (SymRule *rule, GError **error)
{
  return sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (1), SYM_DTYPE_FLOAT32, error);
}

static int
get_n_prepared (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "already_quantized", FALSE) ? 1 : 2;
}

static gboolean
infer_prepare (SymRule *rule, GError **error)
{
  gboolean quantized = sym_rule_get_bool (rule, "already_quantized", FALSE);

  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_input_dtype (rule, 0, quantized ? SYM_DTYPE_INT8 : SYM_DTYPE_FLOAT32,
                                   error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT8, error) &&
         sym_op_set_input (rule, 1, SYM_SHAPE (1), error) &&
         sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_FLOAT32, error);
}

/* Rows of a weight: [all, inputs] and [taken] -> [taken, inputs]. */
static gboolean
infer_take (SymRule *rule, GError **error)
{
  SymShape two = sym_shape_new_unknown (2), one = sym_shape_new_unknown (1), weight, indices, out;

  if (!sym_rule_set_input (rule, 0, &two, error) || !sym_rule_set_input (rule, 1, &one, error))
    return FALSE;
  weight = sym_rule_get_input (rule, 0);
  indices = sym_rule_get_input (rule, 1);
  out = SYM_SHAPE (indices.dims[0], weight.dims[1]);
  return sym_op_set_output (rule, 0, out, SYM_DTYPE_INT8, error) &&
         sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_INT8, error) &&
         sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_INT32, error);
}

/* Numbers are scaled, so there is a scaling unless the result is left as int32. */
static gboolean
is_scaled (const SymAttributes *attributes)
{
  return !sym_op_has_string (attributes, "out_type", "int32");
}

static int
get_n_dense (const SymAttributes *attributes)
{
  return sym_op_mxnet_get_n_with_bias (attributes) + (is_scaled (attributes) ? 1 : 0);
}

static gboolean
infer_dense (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymDType dtype = is_scaled (attributes) ? SYM_DTYPE_FLOAT32 : SYM_DTYPE_INT32;
  gint64 hidden = sym_rule_get_int (rule, "num_hidden", 0);
  guint bias = is_scaled (attributes) ? 3 : 2;
  SymShape data = sym_rule_get_input (rule, 0), out;
  SymDim n = hidden > 0 ? hidden : SYM_DIM_UNKNOWN, inputs;

  if (!sym_rule_set_output_dtype (rule, 0, dtype, error) ||
      !sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_INT8, error) ||
      !sym_rule_set_input_dtype (rule, bias, dtype, error) ||
      (sym_rule_get_input (rule, bias).rank != 2 &&
       !sym_op_set_input (rule, bias, SYM_SHAPE (n), error)) ||
      (is_scaled (attributes) && !sym_op_set_input (rule, 2, SYM_SHAPE (1), error)))
    return FALSE;
  if (data.rank < 1)
    return TRUE;
  out = data;
  inputs = data.dims[data.rank - 1];
  if (sym_rule_get_bool (rule, "flatten", TRUE))
    {
      inputs = sym_terms_product (sym_rule_get_terms (rule), data.dims + 1, data.rank - 1);
      out = SYM_SHAPE (data.dims[0], n);
    }
  out.dims[out.rank - 1] = n;
  return sym_op_set_input (rule, 1, SYM_SHAPE (n, inputs), error) &&
         sym_rule_set_output (rule, 0, &out, error);
}

#define INTGEMM(name_, category_, summary_, attributes_, slots_, infer_)                          \
  SYM_OP_MXNET, .name = "_contrib_intgemm_" name_, .aliases = "_npx_intgemm_" name_,              \
                .summary = summary_, .reference = "MXNet 1.9.1 _contrib_intgemm_" name_,          \
                .category = SYM_CATEGORY_##category_, .attributes = attributes_, .slots = slots_, \
                .infer = infer_

const SymOperator sym_op_mxnet_integer_matmul[] = {
  { INTGEMM ("maxabsolute",
             POOLING,
             "greatest absolute value",
             NULL,
             sym_op_mxnet_data,
             infer_maxabsolute),
    .lower = sym_op_mxnet_lower_greatest },
  { INTGEMM ("prepare_data",
             SHAPE,
             "numbers as integers of 8 bits",
             NULL,
             prepare_slots,
             infer_prepare),
    .lower = sym_op_mxnet_lower_prepared },
  {
      INTGEMM ("prepare_weight",
               SHAPE,
               "a weight as integers, laid out anew",
               prepare_attributes,
               weight_slots,
               infer_prepare),
      .lower = sym_op_mxnet_lower_prepared,
      .get_n_operands = get_n_prepared,
  },
  { INTGEMM ("take_weight", SHAPE, "rows of a prepared weight", NULL, take_slots, infer_take),
    .lower = sym_op_mxnet_lower_taken },
  {
      INTGEMM ("fully_connected",
               WEIGHTS,
               "fully connected layer on integers",
               dense_attributes,
               dense_slots,
               infer_dense),
      .lower = sym_op_mxnet_lower_integer_dense,
      .get_n_operands = get_n_dense,
  },
  { NULL },
};
