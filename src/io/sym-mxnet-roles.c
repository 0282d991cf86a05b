/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include <string.h>

#include "ops/sym-op.h"

/* What MXNet's plots hide as weights (M103). */
static const char *const weight_suffixes[] = {
  "_weight",     "_bias",        "_beta",        "_gamma",
  "_moving_var", "_moving_mean", "_running_var", "_running_mean",
};

static const char *const auxiliary_suffixes[] = {
  "_moving_var",
  "_moving_mean",
  "_running_var",
  "_running_mean",
};

static gboolean
has_suffix (const char *name, const char *const *suffixes, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return TRUE;

  return FALSE;
}

/* The role that a slot gives its variable; auxiliary wins over parameter over data. */
SymRole
sym_mxnet_get_slot_role (const SymOperator *op, guint slot)
{
  const SymSlotSpec *spec = op == NULL ? NULL : sym_op_get_slot (op, slot);

  if (spec == NULL || spec->kind == SYM_SLOT_DATA)
    return SYM_ROLE_INPUT;
  return spec->kind == SYM_SLOT_AUXILIARY ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER;
}

/* Auxiliary wins over parameter over data. */
static SymRole
combine (SymRole a, SymRole b)
{
  if (a == SYM_ROLE_AUXILIARY || b == SYM_ROLE_AUXILIARY)
    return SYM_ROLE_AUXILIARY;
  return a == SYM_ROLE_PARAMETER || b == SYM_ROLE_PARAMETER ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT;
}

/* Raises the roles of the operands that the call @call of a body gives a slot to.  @operands tells
 * of each value of the body which operand it is, SYM_NO_ID for none. */
static void
raise_operands (const SymModel *body, SymId call, const SymId *operands, SymRole *roles, guint n)
{
  const SymLayer *layer = sym_model_get_layer (body, call);
  SymIds values = sym_model_get_operands (body, call);
  g_autofree SymRole *inner = sym_mxnet_get_body_roles (layer, values.n);

  for (guint i = 0; i < values.n; i++)
    {
      SymRole role = sym_mxnet_get_slot_role (sym_layer_get_operator (layer), i);
      SymId operand = values.ids[i] == SYM_NO_ID ? SYM_NO_ID : operands[values.ids[i]];

      if (operand != SYM_NO_ID && operand < n)
        roles[operand] = combine (roles[operand], inner == NULL ? role : combine (role, inner[i]));
    }
}

/* Bodies nest no deeper than SYM_MXNET_MAX_BODIES. */
SymRole *
sym_mxnet_get_body_roles (const SymLayer *layer, guint n)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  SymRole *roles;

  if (op == NULL || sym_layer_get_n_bodies (layer) == 0)
    return NULL;
  roles = g_new (SymRole, n + 1);
  for (guint i = 0; i < n; i++)
    roles[i] = SYM_ROLE_INPUT;
  for (guint b = 0; b < sym_layer_get_n_bodies (layer); b++)
    {
      const SymModel *body = sym_layer_get_body (layer, b, NULL);
      SymIds inputs = sym_model_get_inputs (body);
      g_autofree int *numbers = g_new (int, inputs.n + 1);
      g_autofree SymId *operands = g_new (SymId, sym_model_get_n_values (body) + 1);

      for (SymId value = 0; value < sym_model_get_n_values (body); value++)
        operands[value] = SYM_NO_ID;
      sym_layer_get_body_operands (layer, b, n, numbers, inputs.n);
      for (guint i = 0; i < inputs.n; i++)
        operands[inputs.ids[i]] = numbers[i] < 0 ? SYM_NO_ID : (SymId) numbers[i];
      for (SymId call = 0; call < sym_model_get_n_calls (body); call++)
        raise_operands (body, call, operands, roles, n);
    }
  return roles;
}

void
sym_mxnet_raise_role (SymModelBuilder *builder, SymId value, SymRole role)
{
  SymRole old = sym_model_builder_get_role (builder, value);

  if (old == SYM_ROLE_INPUT || (old == SYM_ROLE_PARAMETER && role == SYM_ROLE_AUXILIARY))
    sym_model_builder_set_role (builder, value, role);
}

static void
assign_by_slots (SymMxnetDraft *draft)
{
  for (guint node = 0; node < draft->graph->nodes->len; node++)
    {
      guint n = draft->calls[node] == SYM_NO_ID
                    ? 0
                    : sym_mxnet_graph_get_node (draft->graph, node)->n_inputs;

      for (guint i = 0; i < n; i++)
        {
          const SymMxnetEntry *entry = sym_mxnet_graph_get_input (draft->graph, node, i);
          SymRole role = sym_mxnet_get_slot_role (draft->operators[node], i);

          if (draft->body_roles[node] != NULL)
            role = combine (role, draft->body_roles[node][i]);

          if (role != SYM_ROLE_INPUT && entry->node < draft->graph->nodes->len &&
              draft->values[entry->node] != SYM_NO_ID)
            sym_mxnet_raise_role (draft->builder, draft->values[entry->node], role);
        }
    }
}

/* A variable that says how it is initialised is no input: Gluon says so of each of its parameters.
 */
static SymRole
guess_role (const char *name, const SymAttributes *attributes)
{
  if (has_suffix (name, auxiliary_suffixes, G_N_ELEMENTS (auxiliary_suffixes)))
    return SYM_ROLE_AUXILIARY;
  if (has_suffix (name, weight_suffixes, G_N_ELEMENTS (weight_suffixes)) ||
      sym_attributes_find (attributes, "__init__") != NULL)
    return SYM_ROLE_PARAMETER;
  return SYM_ROLE_INPUT;
}

/* Gluon's constants are parameters that are not trained. */
gboolean
sym_mxnet_is_trained (const SymMxnetDraft *draft, const SymMxnetVariable *variable)
{
  const char *text = sym_attributes_get_string (variable->attributes, "__init__", NULL);

  return sym_model_builder_get_role (draft->builder, variable->value) == SYM_ROLE_PARAMETER &&
         (text == NULL || !g_str_has_prefix (text, "Constant_"));
}

static void
assign_by_guess (SymMxnetDraft *draft)
{
  for (guint i = 0; i < draft->variables->len; i++)
    {
      const SymMxnetVariable *variable = &g_array_index (draft->variables, SymMxnetVariable, i);

      if (sym_model_builder_get_role (draft->builder, variable->value) == SYM_ROLE_INPUT)
        sym_model_builder_set_role (draft->builder, variable->value,
                                    guess_role (variable->name, variable->attributes));
    }
}

static void
give_untrained_parameters (SymMxnetDraft *draft)
{
  for (guint i = 0; i < draft->variables->len; i++)
    {
      const SymMxnetVariable *variable = &g_array_index (draft->variables, SymMxnetVariable, i);

      if (sym_model_builder_get_role (draft->builder, variable->value) == SYM_ROLE_PARAMETER &&
          !sym_mxnet_is_trained (draft, variable))
        sym_model_builder_set_parameter (draft->builder, variable->value,
                                         sym_parameter_new (FALSE, NULL));
    }
}

void
sym_mxnet_assign_roles (SymMxnetDraft *draft, SymStoreTensors *weights)
{
  /* What a body takes comes from around it, weights included. */
  if (draft->is_body)
    return;

  assign_by_slots (draft);
  assign_by_guess (draft);
  give_untrained_parameters (draft);
  if (weights != NULL)
    sym_mxnet_give_weights (draft, weights);
}
