/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower-private.h"

SymId
sym_op_target_add_operand (const SymOpTarget *self, guint i, const SymType *type)
{
  g_autofree char *name = NULL;
  SymId value;

  if (self->parts != NULL)
    return sym_rule_parts_add_operand (self->parts);
  name = g_strdup_printf ("operand%u", i);
  value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, type);
  sym_model_builder_add_input (self->builder, value);
  return value;
}

SymId
sym_op_target_add_constant (const SymOpTarget *self, SymTensor *tensor)
{
  SymType type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  SymId value;

  if (self->parts != NULL)
    return sym_rule_parts_add_constant (self->parts, tensor);
  value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  sym_model_builder_set_tensor (self->builder, value, sym_tensor_ref (tensor));
  return value;
}

SymId
sym_op_target_add_call (const SymOpTarget *self, SymLayer *layer, SymIds operands)
{
  return self->parts != NULL
             ? sym_rule_parts_add_call (self->parts, layer, operands)
             : sym_model_builder_add_call (self->builder, NULL, layer, operands.ids, operands.n, 1);
}

SymId
sym_op_target_get_result (const SymOpTarget *self, SymId call, guint i)
{
  return self->parts != NULL ? sym_rule_parts_get_result (self->parts, call, i)
                             : sym_model_builder_get_result (self->builder, call, i);
}

SymId
sym_op_target_append_result (const SymOpTarget *self, SymId call)
{
  return self->parts != NULL ? sym_rule_parts_append_result (self->parts, call)
                             : sym_model_builder_append_result (self->builder, call, NULL);
}

void
sym_op_target_add_output (const SymOpTarget *self, SymId value)
{
  if (self->parts != NULL)
    sym_rule_parts_add_output (self->parts, value);
  else
    sym_model_builder_add_output (self->builder, value);
}

void
sym_op_target_free (SymOpTarget *self)
{
  g_clear_pointer (&self->builder, sym_model_builder_free);
  g_clear_pointer (&self->parts, sym_rule_parts_free);
}
