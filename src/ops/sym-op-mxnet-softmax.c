/* SPDX-License-Identifier: MIT */
#include <math.h>

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

/* ---- Lowering ---- */

/* 1 at the places of the axis that lie within the lengths, which have an element for each row. */
static SymId
lower_lengths (SymOpLower *self, int axis)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymShape places = *data, rows = *data;
  SymId index, length;

  for (int i = 0; i < data->rank; i++)
    places.dims[i] = i == axis ? data->dims[i] : 1;
  rows.dims[axis] = 1;
  index = sym_op_lower_call (
      self, "Range",
      SYM_IDS (sym_op_lower_number (self, SYM_DTYPE_INT64, 0),
               sym_op_lower_number (self, SYM_DTYPE_INT64, (double) data->dims[axis]),
               sym_op_lower_number (self, SYM_DTYPE_INT64, 1)),
      NULL);
  length = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
  return sym_op_lower_binary (self, "Less", sym_op_lower_reshape (self, index, &places),
                              sym_op_lower_reshape (self, length, &rows));
}

static SymId
lower_choice (SymOpLower *self, SymId mask, SymId x, double other)
{
  SymId number = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), other);

  return sym_op_lower_call (self, "Where", SYM_IDS (mask, x, number), NULL);
}

/* Elements outside of @mask, where there is one, become 0, or minus infinity of logarithms. */
static void
lower_normal (SymOpLower *self, const char *name, SymId mask, int axis, gboolean negate)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double temperature = sym_op_lower_get_float (self, "temperature", 1);
  gboolean is_log = g_str_equal (name, "LogSoftmax");
  SymId x = sym_op_lower_input (self, 0);

  if (negate)
    x = sym_op_lower_unary (self, "Neg", x);
  if (temperature != 1)
    x = sym_op_lower_binary (self, "Div", x, sym_op_lower_number (self, dtype, temperature));
  if (mask != SYM_NO_ID)
    x = lower_choice (self, mask, x, (double) -INFINITY);
  x = sym_op_lower_call (self, name, SYM_IDS (x), "axis", sym_value_new_int (axis), NULL);
  if (mask != SYM_NO_ID)
    x = lower_choice (self, mask, x, is_log ? (double) -INFINITY : 0);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_cast_from (self, x, dtype, sym_op_lower_get_output_dtype (self, 0)));
}

static void
lower_softmax (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  gboolean is_log = g_str_equal (op->name, "log_softmax");
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;
  SymId mask = SYM_NO_ID;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), rank, &axis))
    return;
  if (sym_op_lower_get_bool (self, "use_length", FALSE) && sym_op_lower_need_tensor (self, 1))
    mask = lower_lengths (self, axis);
  lower_normal (self, is_log ? "LogSoftmax" : "Softmax", mask, axis,
                g_str_equal (op->name, "softmin"));
}

static void
lower_masked (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
      sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), rank, &axis))
    lower_normal (self, g_str_equal (op->name, "masked_softmax") ? "Softmax" : "LogSoftmax",
                  sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_BOOL), axis,
                  FALSE);
}

#define MASKED(name_, alias_, summary_, lower_)                                                  \
  {                                                                                              \
    SYM_OP_MXNET, .name = name_, .aliases = alias_, .summary = summary_,                         \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_ACTIVATION,          \
                  .attributes = masked_attributes, .slots = masked_slots, .infer = infer_masked, \
                  .lower = lower_                                                                \
  }

#define SOFTMAX(name_, aliases_, summary_, lower_)                                            \
  {                                                                                           \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                    \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ACTIVATION,     \
                  .attributes = attributes, .slots = slots, .get_n_operands = get_n_operands, \
                  .infer = infer_softmax, .lower = lower_                                     \
  }

const SymOperator sym_op_mxnet_softmax[] = {
  SOFTMAX ("softmax",
           "_npx_softmax",
           "exponentials along an axis, scaled to sum to one",
           lower_softmax),
  SOFTMAX ("log_softmax", "_npx_log_softmax", "logarithm of the softmax", lower_softmax),
  SOFTMAX ("softmin", NULL, "softmax of the negated data", lower_softmax),
  MASKED ("masked_softmax",
          "_npx_masked_softmax",
          "softmax of the elements that a mask lets through",
          lower_masked),
  MASKED ("masked_log_softmax",
          "_npx_masked_log_softmax",
          "logarithm of the masked softmax",
          lower_masked),
  { NULL },
};
