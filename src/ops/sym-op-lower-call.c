/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower.h"

#include <string.h>

/* What is asked of a call before its body is made. */

gboolean
sym_op_has_lowering (const SymOperator *op)
{
  return op != NULL && (op->lower != NULL || op->formula != NULL);
}

gboolean
sym_op_is_lowered (const SymOperator *op)
{
  return sym_op_has_lowering (op) && op->run == NULL;
}

/* Names of the attribute by which frameworks tell what the result goes through, and of none. */
static gboolean
has_activation (const SymAttributes *attributes)
{
  static const char *const names[] = { "activation", "activationFn", "fused_activation_function",
                                       "fuse_activation", "activation_type" };
  static const char *const none[] = { "",       "None",     "NONE",     "none",
                                      "linear", "identity", "Identity", "ActivationIdentity" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *text = sym_attributes_get_string (attributes, names[i], NULL);

      for (guint k = 0; text != NULL && k < G_N_ELEMENTS (none); k++)
        if (strcmp (text, none[k]) == 0)
          text = NULL;
      if (text != NULL)
        return TRUE;
    }
  return FALSE;
}

gboolean
sym_op_is_composite (const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return sym_op_is_lowered (op) &&
         (op->is_composite || (op->category != SYM_CATEGORY_ACTIVATION &&
                               has_activation (sym_layer_get_attributes (layer))));
}

void
sym_op_lower_find_known (const SymInference *inference, SymIds operands, SymOpKnown *known)
{
  for (guint i = 0; i < operands.n; i++)
    known[i].n = operands.ids[i] == SYM_NO_ID
                     ? -1
                     : sym_inference_get_ints (inference, operands.ids[i], known[i].values,
                                               SYM_OP_MAX_KNOWN);
}
