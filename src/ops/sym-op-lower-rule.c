/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower-private.h"
#include "ops/sym-op.h"

/* Shapes of a layer by those of the body that it is lowered to. */

/* Sizes are numbers or unknown: terms are of the rule's table. */
static SymType
get_operand_type (SymRule *rule, guint i)
{
  SymType type = sym_rule_get_input_type (rule, i);

  for (int k = 0; k < type.shape.rank; k++)
    if (type.shape.dims[k] < 0)
      type.shape.dims[k] = SYM_DIM_UNKNOWN;
  return type;
}

static gboolean
is_told (const SymType *type)
{
  return type->kind == SYM_KIND_TENSOR && type->dtype != SYM_DTYPE_UNKNOWN && type->shape.rank >= 0;
}

static gboolean
infer_by_body (SymRule *rule, const SymType *types, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  g_autoptr (SymRuleParts) parts = NULL;
  g_autoptr (GError) cause = NULL;

  parts = sym_op_lower_for_rule ((SymLayer *) sym_rule_get_layer (rule), types, n,
                                 sym_rule_get_n_outputs (rule), &cause);
  if (parts != NULL)
    return sym_rule_infer_parts (rule, parts, error);
  if (cause->code == SYM_ERROR_UNSUPPORTED)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

gboolean
sym_op_infer_lowered (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  g_autofree SymType *types = g_new (SymType, n + 1);

  for (guint i = 0; i < n; i++)
    {
      types[i] = sym_rule_has_input (rule, i) ? get_operand_type (rule, i) : SYM_TYPE_UNKNOWN;
      if (sym_rule_has_input (rule, i) && !is_told (&types[i]))
        return TRUE;
    }
  return infer_by_body (rule, types, error);
}

gboolean
sym_op_infer_translated (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  g_autofree SymType *types = g_new (SymType, n + 1);

  for (guint i = 0; i < n; i++)
    {
      types[i] = sym_rule_has_input (rule, i) ? get_operand_type (rule, i) : SYM_TYPE_UNKNOWN;
      if (sym_rule_has_input (rule, i) && types[i].kind == SYM_KIND_UNKNOWN)
        types[i] = sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
    }
  return infer_by_body (rule, types, error);
}
