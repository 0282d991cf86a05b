/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* A function of the program that made the model, which is in the file as its byte code, if at all:
 * what it does is not known, but its result may have been told. */

/* Sizes without the batch, which is that of the first operand; but not those that another function
 * would compute. */
static gboolean
infer_lambda (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  const SymValue *value = sym_op_keras_find (attributes, "output_shape");
  const char *type = sym_op_keras_get_string (attributes, "output_shape_type", "raw");
  SymShape data = sym_rule_get_input (rule, 0), shape = SYM_SHAPE (SYM_DIM_UNKNOWN);
  int n = value == NULL ? -1 : sym_value_get_ints (value, shape.dims + 1, SYM_MAX_RANK - 1);

  if (n < 0 || n > SYM_MAX_RANK - 1 || strcmp (type, "raw") != 0)
    return TRUE;
  shape.rank = n + 1;
  if (data.rank > 0)
    shape.dims[0] = data.dims[0];
  for (int i = 1; i < shape.rank; i++)
    if (shape.dims[i] < 0)
      shape.dims[i] = SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &shape, error);
}

static const SymAttributeSpec attributes[] = {
  { "function", SYM_ATTRIBUTE_ANY, "None", "what is computed, as byte code or by its name" },
  { "output_shape", SYM_ATTRIBUTE_ANY, "None", "sizes of the output without the batch" },
  { "arguments", SYM_ATTRIBUTE_ANY, "None", "more arguments of the function" },
  { NULL },
};

const SymOperator sym_op_keras_lambda[] = {
  {
      SYM_OP_KERAS,
      .name = "Lambda",
      .summary = "A function of the program that made the model",
      .reference = "keras.layers.Lambda",
      .category = SYM_CATEGORY_OTHER,
      .attributes = attributes,
      .slots = sym_op_keras_many,
      .infer = infer_lambda,
  },
  { NULL },
};
