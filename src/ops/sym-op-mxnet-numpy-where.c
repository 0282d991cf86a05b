/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* A choice for each element, as numpy has it: condition, x and y broadcast, and x or y may be a
 * number among the attributes. */

static const SymAttributeSpec one_attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "0.0", "the number chosen" },
  { NULL },
};

static const SymAttributeSpec two_attributes[] = {
  { "x", SYM_ATTRIBUTE_FLOAT, "0.0", "the number where the condition is not 0" },
  { "y", SYM_ATTRIBUTE_FLOAT, "0.0", "the number elsewhere" },
  { NULL },
};

static const SymSlotSpec all_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };
static const SymSlotSpec x_slots[] = { { "condition" }, { "x" }, { NULL } };
static const SymSlotSpec y_slots[] = { { "condition" }, { "y" }, { NULL } };
static const SymSlotSpec condition_slots[] = { { "condition" }, { NULL } };

/* The condition has a dtype of its own. */
static gboolean
infer_where (SymRule *rule, GError **error)
{
  guint last = sym_rule_get_n_inputs (rule);

  if (last == 0)
    return TRUE;
  return sym_op_broadcast_shapes (rule, 0, last - 1, error) &&
         (last < 2 || sym_rule_tie_dtypes (rule, 1, last - 1, error));
}

static gboolean
infer_numbers (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);
}

/* Operand @i, or the number of an attribute where the layer has that. */
static SymId
lower_choice (SymOpLower *self, guint i, const char *attribute)
{
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);

  if (dtype == SYM_DTYPE_UNKNOWN)
    dtype = SYM_DTYPE_FLOAT32;
  if (attribute != NULL)
    return sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, attribute, 0));
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i), dtype);
}

static void
lower_where (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  gboolean left = g_str_equal (op->name, "_npi_where_lscalar");
  gboolean right = g_str_equal (op->name, "_npi_where_rscalar");
  gboolean both = g_str_equal (op->name, "_npi_where_scalar2");
  SymId test, x, y;

  for (guint i = 0; i < sym_op_lower_get_n_inputs (self); i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  test = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_BOOL);
  x = lower_choice (self, 1, both ? "x" : left ? "scalar" : NULL);
  y = lower_choice (self, left ? 1 : 2, both ? "y" : right ? "scalar" : NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Where", SYM_IDS (test, x, y), NULL));
}

#define WHERE(name_, summary_, attributes_, slots_, infer_, lower_)                    \
  {                                                                                    \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 2.0 " name_, \
                  .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes_,     \
                  .slots = slots_, .infer = infer_, .lower = lower_                    \
  }

const SymOperator sym_op_mxnet_numpy_where[] = {
  WHERE ("_npi_where",
         "x where the condition is not 0, else y",
         NULL,
         all_slots,
         infer_where,
         lower_where),
  WHERE ("_npi_where_lscalar",
         "a number where the condition is not 0, else x",
         one_attributes,
         x_slots,
         infer_where,
         lower_where),
  WHERE ("_npi_where_rscalar",
         "y where the condition is not 0, else a number",
         one_attributes,
         y_slots,
         infer_where,
         lower_where),
  WHERE ("_npi_where_scalar2",
         "one of two numbers for each element",
         two_attributes,
         condition_slots,
         infer_numbers,
         lower_where),
  { NULL },
};
