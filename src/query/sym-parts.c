/* SPDX-License-Identifier: MIT */
#include "query/sym-parts.h"

#include "ops/sym-op-lower.h"

/* An operand's type with all that making a body asks for; FALSE where its rank is not known. */
static gboolean
settle (const SymInference *inference, SymId operand, SymType *type)
{
  *type = operand == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (inference, operand);
  if (operand == SYM_NO_ID || (type->kind != SYM_KIND_TENSOR && type->kind != SYM_KIND_UNKNOWN))
    return TRUE;
  if (type->kind == SYM_KIND_UNKNOWN || type->shape.rank < 0)
    return FALSE;
  for (int i = 0; i < type->shape.rank; i++)
    if (type->shape.dims[i] < 0)
      type->shape.dims[i] = 1;
  if (type->dtype == SYM_DTYPE_UNKNOWN)
    type->dtype = SYM_DTYPE_FLOAT32;
  return TRUE;
}

gboolean
sym_parts_can_make (const SymInference *inference, SymId call)
{
  const SymModel *model = sym_inference_get_model (inference);
  const SymLayer *layer = sym_model_get_layer (model, call);
  SymIds operands = sym_model_get_operands (model, call);
  SymType type;

  if (sym_layer_get_n_bodies (layer) > 0 || !sym_op_is_composite (layer))
    return FALSE;
  for (guint i = 0; i < operands.n; i++)
    if (!settle (inference, operands.ids[i], &type))
      return FALSE;
  return TRUE;
}

SymModel *
sym_parts_make (const SymInference *inference, SymId call)
{
  const SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  g_autofree SymType *types = g_new (SymType, operands.n + 1);
  g_autofree SymOpKnown *known = g_new0 (SymOpKnown, operands.n + 1);

  g_return_val_if_fail (sym_parts_can_make (inference, call), NULL);

  for (guint i = 0; i < operands.n; i++)
    settle (inference, operands.ids[i], &types[i]);
  sym_op_lower_find_known (inference, operands, known);
  return sym_op_lower_known (sym_model_get_layer (model, call), types, known, operands.n,
                             sym_model_get_results (model, call).n, NULL);
}
