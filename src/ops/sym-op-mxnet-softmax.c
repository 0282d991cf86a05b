/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis whose elements sum to one" },
  { "temperature", SYM_ATTRIBUTE_FLOAT, "None", "divides the data before" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { "use_length", SYM_ATTRIBUTE_BOOL, "False", "whether a second operand has lengths" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "data" }, { "length", SYM_SLOT_DATA, TRUE }, { NULL } };

static int
get_n_operands (const SymAttributes *given)
{
  return sym_op_get_bool (given, "use_length", FALSE) ? 2 : 1;
}

/* length has the shape of the data without the axis. */
static gboolean
infer_softmax (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_UNKNOWN);
  SymShape data, length;
  int axis;

  if (!sym_op_pass_shape (rule, 0, 0, error) ||
      !sym_rule_set_output_dtype (rule, 0, dtype, error) ||
      (dtype == SYM_DTYPE_UNKNOWN && !sym_op_pass_dtype (rule, 0, 0, error)))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 1)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), data.rank, &axis, error))
    return FALSE;
  length = data.rank == 1 ? SYM_SHAPE (1) : sym_op_remove_axis (&data, axis);
  return sym_rule_set_input (rule, 1, &length, error);
}

/* ---- masked_softmax ---- */

static const SymAttributeSpec masked_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis whose elements sum to one" },
  { "temperature", SYM_ATTRIBUTE_FLOAT, "None", "divides the data before" },
  { "normalize", SYM_ATTRIBUTE_BOOL, "True", "whether the greatest element is taken away before" },
  { NULL },
};

static const SymSlotSpec masked_slots[] = { { "data" }, { "mask" }, { NULL } };

/* The mask has the axes of the data, each of the same size or 1. */
static gboolean
infer_masked (SymRule *rule, GError **error)
{
  SymShape data, mask;

  if (!sym_op_pass (rule, 0, 0, error) ||
      !sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_BOOL, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_set_input (rule, 1, sym_shape_new_unknown (data.rank), error))
    return FALSE;
  mask = sym_rule_get_input (rule, 1);
  for (int i = 0; i < data.rank; i++)
    if (mask.dims[i] > 1 &&
        !sym_rule_unify (rule, mask.dims[i], data.dims[i], "axis of the mask", error))
      return FALSE;
  return TRUE;
}

#define MASKED(name_, alias_, summary_)                                                         \
  {                                                                                             \
    SYM_OP_MXNET, .name = name_, .aliases = alias_, .summary = summary_,                        \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_ACTIVATION,         \
                  .attributes = masked_attributes, .slots = masked_slots, .infer = infer_masked \
  }

#define SOFTMAX(name_, aliases_, summary_)                                                    \
  {                                                                                           \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                    \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ACTIVATION,     \
                  .attributes = attributes, .slots = slots, .get_n_operands = get_n_operands, \
                  .infer = infer_softmax                                                      \
  }

const SymOperator sym_op_mxnet_softmax[] = {
  SOFTMAX ("softmax", "_npx_softmax", "exponentials along an axis, scaled to sum to one"),
  SOFTMAX ("log_softmax", "_npx_log_softmax", "logarithm of the softmax"),
  SOFTMAX ("softmin", NULL, "softmax of the negated data"),
  MASKED ("masked_softmax",
          "_npx_masked_softmax",
          "softmax of the elements that a mask lets through"),
  MASKED ("masked_log_softmax", "_npx_masked_log_softmax", "logarithm of the masked softmax"),
  { NULL },
};
