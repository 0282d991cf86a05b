/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

/* The layer within is the first body: it sees all steps as one long batch. */

static SymType
fold_type (SymRule *rule, SymShape shape)
{
  SymType type = sym_type_tensor (sym_rule_get_input_dtype (rule, 0), shape);

  if (shape.rank < 0)
    return type;
  type.shape = sym_op_remove_axis (&shape, 0);
  type.shape.dims[0] = sym_terms_multiply (sym_rule_get_terms (rule), shape.dims[0], shape.dims[1]);
  return type;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), result;
  SymType input, output = { .kind = SYM_KIND_UNKNOWN };
  SymBodyTypes types = { &input, &output, 1, 1, NULL };

  if (shape.rank >= 0 && shape.rank < 2)
    return sym_rule_fail (error, "the data has no steps");
  if (shape.rank < 0)
    return TRUE;
  input = fold_type (rule, shape);
  output.shape.rank = -1;
  if (!sym_rule_infer_types (rule, 0, &types, error))
    return FALSE;
  if (output.kind != SYM_KIND_TENSOR || output.shape.rank < 1 || output.shape.rank >= SYM_MAX_RANK)
    return TRUE;
  result = sym_op_insert_axis (&output.shape, 1, shape.dims[1]);
  result.dims[0] = shape.dims[0];
  return sym_op_set_output (rule, 0, result, output.dtype, error);
}

static void
lower (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0), folded;
  SymId x = sym_op_lower_input (self, 0), y = SYM_NO_ID;

  if (!sym_op_lower_need_tensor (self, 0) || shape.rank < 2)
    {
      sym_op_lower_fail (self, "the data has no steps");
      return;
    }
  folded = sym_op_remove_axis (&shape, 0);
  folded.dims[0] = shape.dims[0] * shape.dims[1];
  x = sym_op_lower_reshape (self, x, &folded);
  if (sym_op_lower_inline (self, 0, SYM_IDS (x), &y, 1))
    sym_op_lower_finish (self, y);
}

static const SymAttributeSpec attributes[] = {
  { "layer", SYM_ATTRIBUTE_ANY, "None", "the layer that sees each step" },
  { NULL },
};

const SymOperator sym_op_keras_wrapper[] = {
  {
      SYM_OP_KERAS,
      .name = "TimeDistributed",
      .summary = "A layer at each step of a sequence",
      .reference = "keras.layers.TimeDistributed",
      .category = SYM_CATEGORY_CONTROL,
      .attributes = attributes,
      .slots = sym_op_keras_one,
      .infer = infer,
      .lower = lower,
  },
  { NULL },
};
