/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-microsoft.h"

#include <math.h>
#include <string.h>

#include "ops/sym-op.h"

const SymSlotSpec sym_op_microsoft_x[] = { { "X" }, { NULL } };

SymId
sym_op_microsoft_apply (SymOpLower *self, const char *name, SymIds operands)
{
  const SymAttributes *own = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymOperator *op = sym_op_find ("", name, SYM_OP_LOWER_VERSION);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  g_return_val_if_fail (op != NULL, SYM_NO_ID);

  for (guint i = 0; i < sym_attributes_get_n (own); i++)
    if (sym_op_find_attribute (op, sym_attributes_get_name (own, i)) != NULL)
      sym_attributes_set_same (attributes, own, i);
  return sym_op_lower_apply (self, op, operands, attributes);
}

SymId
sym_op_microsoft_dequantize (SymOpLower *self, guint i, guint scale, guint zero, int axis)
{
  if (!sym_op_lower_need_tensor (self, i) || !sym_op_lower_need_tensor (self, scale))
    return SYM_NO_ID;
  return sym_op_lower_call (self, "DequantizeLinear",
                            SYM_IDS (sym_op_lower_input (self, i), sym_op_lower_input (self, scale),
                                     sym_op_lower_input (self, zero)),
                            "axis", sym_value_new_int (axis), NULL);
}

void
sym_op_microsoft_store (SymOpLower *self, SymId x, guint scale, guint zero, SymDType dtype)
{
  SymId place;

  if (!sym_op_lower_need_tensor (self, scale))
    return;
  place = sym_op_lower_has_input (self, zero) ? sym_op_lower_input (self, zero)
                                              : sym_op_lower_number (self, dtype, 0);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "QuantizeLinear",
                                              SYM_IDS (x, sym_op_lower_input (self, scale), place),
                                              NULL));
}

static SymId
clip (SymOpLower *self, SymId x, const double params[2], SymDType dtype)
{
  return sym_op_lower_call (
      self, "Clip",
      SYM_IDS (x, isnan (params[0]) ? SYM_NO_ID : sym_op_lower_number (self, dtype, params[0]),
               isnan (params[1]) ? SYM_NO_ID : sym_op_lower_number (self, dtype, params[1])),
      NULL);
}

SymId
sym_op_microsoft_activate (SymOpLower *self, SymId x, const double params[2])
{
  const char *name = sym_op_lower_get_string (self, "activation", "");

  if (strcmp (name, "") == 0)
    return x;
  if (strcmp (name, "Relu") == 0 || strcmp (name, "Tanh") == 0 || strcmp (name, "Sigmoid") == 0)
    return sym_op_lower_unary (self, name, x);
  if (strcmp (name, "Clip") == 0)
    return clip (self, x, params, sym_op_lower_get_input_dtype (self, 0));
  if (strcmp (name, "LeakyRelu") == 0)
    return sym_op_lower_call (self, name, SYM_IDS (x), "alpha",
                              sym_value_new_float (isnan (params[0]) ? 0.01 : params[0]), NULL);
  if (strcmp (name, "HardSigmoid") == 0)
    return sym_op_lower_call (self, name, SYM_IDS (x), "alpha",
                              sym_value_new_float (isnan (params[0]) ? 0.2 : params[0]), "beta",
                              sym_value_new_float (isnan (params[1]) ? 0.5 : params[1]), NULL);
  sym_op_lower_refuse (self, "%s: the activation %s is not lowered", sym_op_lower_get_type (self),
                       name);
  return SYM_NO_ID;
}
