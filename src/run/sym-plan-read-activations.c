/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include <string.h>

/* Activations of one element with up to two numbers among their attributes. */

static gboolean
append (SymPlanCall *call, SymVectorFunction function, double p, double q)
{
  SymPlanOp op =
      sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, sym_plan_call_need_operand (call, 0));

  if (op.x == SYM_PLAN_NONE || sym_plan_call_get (call, op.x)->constant != NULL)
    return FALSE;
  op.function = function;
  op.p = (float) p;
  op.q = (float) q;
  return sym_plan_call_append (call, &op);
}

static gboolean
read_plain (SymPlanCall *call, SymVectorFunction function)
{
  return append (call, function, 0, 0);
}

static gboolean
read_alpha (SymPlanCall *call, SymVectorFunction function)
{
  double alpha = sym_plan_call_get_float (call, "alpha", 1);

  return (alpha != 0 || function != sym_vector_celu) && append (call, function, alpha, 0);
}

static gboolean
read_hard_sigmoid (SymPlanCall *call, SymVectorFunction function)
{
  return append (call, function, sym_plan_call_get_float (call, "alpha", 0.2),
                 sym_plan_call_get_float (call, "beta", 0.5));
}

static gboolean
read_selu (SymPlanCall *call, SymVectorFunction function)
{
  return append (call, function, sym_plan_call_get_float (call, "alpha", 1.67326319217681884765625),
                 sym_plan_call_get_float (call, "gamma", 1.05070102214813232421875));
}

static gboolean
read_gelu (SymPlanCall *call, SymVectorFunction function)
{
  const SymValue *value = sym_attributes_find (call->attributes, "approximate");
  const char *approximate = value == NULL ? "none" : sym_value_get_string (value);

  if (g_strcmp0 (approximate, "tanh") == 0)
    return append (call, sym_vector_gelu_tanh, 0, 0);
  return g_strcmp0 (approximate, "none") == 0 && append (call, function, 0, 0);
}

const SymPlanReader sym_plan_activation_readers[] = {
  { "Celu", 12, read_alpha, sym_vector_celu },
  { "Elu", 6, read_alpha, sym_vector_elu },
  { "Gelu", 20, read_gelu, sym_vector_gelu },
  { "HardSigmoid", 6, read_hard_sigmoid, sym_vector_hard_sigmoid },
  { "HardSwish", 14, read_plain, sym_vector_hard_swish },
  { "Mish", 18, read_plain, sym_vector_mish },
  { "Selu", 6, read_selu, sym_vector_selu },
  { "Softplus", 1, read_plain, sym_vector_softplus },
  { "Softsign", 1, read_plain, sym_vector_softsign },
  { "Swish", 24, read_alpha, sym_vector_swish },
  { "ThresholdedRelu", 10, read_alpha, sym_vector_threshold },
  { NULL },
};
