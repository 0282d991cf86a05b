/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"
#include "core/sym-structural.h"

#include "core/sym-error.h"
#include "core/sym-python.h"

/* ---- Unpacking ---- */

static gboolean
take_siblings (SymNode *self, SymNode **nodes, guint n)
{
  if (self->call->n_results != n)
    return FALSE;

  for (guint i = 0; i < n; i++)
    nodes[i] = self->call->results[i];
  return TRUE;
}

gboolean
sym_node_unpack (SymNode *self, SymNode **nodes, guint n, GError **error)
{
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  SymNode *first;

  g_return_val_if_fail (nodes != NULL && n > 0, FALSE);

  if (self == NULL || (error != NULL && *error != NULL))
    return FALSE;
  if (self->call != NULL && self->call->n_results > 1 && !self->call->unpacks &&
      take_siblings (self, nodes, n))
    return TRUE;

  attributes = sym_attributes_new ();
  sym_attributes_set (attributes, "count", sym_value_new_int (n), NULL);
  layer = sym_layer_new ("UnpackLayer", SYM_OPERATOR_UNPACK, attributes);
  first = sym_graph_call (self->graph, layer, &self, 1, NULL, error);
  if (first == NULL)
    return FALSE;

  first->call->unpacks = TRUE;
  g_assert (first->call->n_results == n);
  return take_siblings (first, nodes, n);
}

/* ---- Attributes and methods ---- */

gboolean
sym_node_is_callable (const SymNode *self)
{
  return self->call != NULL &&
         sym_layer_get_operator (self->call->layer) == SYM_OPERATOR_GET_ATTRIBUTE;
}

SymNode *
sym_node_get_attribute (SymNode *self, const char *name, GError **error)
{
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (self == NULL)
    return NULL;

  attributes = sym_attributes_new ();
  sym_attributes_set (attributes, "name", sym_value_new_string (name), NULL);
  layer = sym_layer_new ("GetAttr", SYM_OPERATOR_GET_ATTRIBUTE, attributes);
  return sym_graph_call (self->graph, layer, &self, 1, NULL, error);
}

/* The method is the first argument. */
static SymDatum *
call_method (const SymHostCall *call, gpointer user_data, GError **error)
{
  g_autoptr (SymDatum) bound = sym_host_call_get (call, 0, NULL, error);
  const char *method = NULL;
  SymDatum *owner = bound == NULL ? NULL : sym_datum_get_method (bound, &method);

  if (owner != NULL)
    return sym_datum_call_method (owner, method, call, error);
  if (bound != NULL)
    g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "'%s' object is not callable",
                 sym_datum_get_type_name (bound));
  return NULL;
}

SymNode *
sym_node_call (SymNode *self, SymArguments *take_arguments, const SymType *result, GError **error)
{
  SymFunction function = { .result = SYM_TYPE_UNKNOWN, .run = call_method };
  const SymNode *owner;
  const SymValue *name;
  SymNode *node;

  if (self == NULL)
    {
      g_clear_pointer (&take_arguments, sym_arguments_free);
      return NULL;
    }
  if (!sym_node_is_callable (self))
    {
      g_clear_pointer (&take_arguments, sym_arguments_free);
      if (error == NULL || *error == NULL)
        g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                     "'%s' object is not callable; call an attribute of it, or apply a layer to it",
                     sym_type_get_python_name (&self->type));
      return NULL;
    }

  name = sym_attributes_find (sym_layer_get_attributes (self->call->layer), "name");
  owner = self->call->operands[0];
  function.name = sym_value_get_string (name);
  if (result != NULL || self->value == NULL)
    function.result = result == NULL ? owner->type : *result;
  if (take_arguments == NULL)
    take_arguments = sym_arguments_new ();
  sym_arguments_prepend_node (take_arguments, self);
  node = sym_graph_call_with (self->graph, &function, take_arguments, NULL, error);
  if (node != NULL && result == NULL && !node->typed_by_value)
    {
      node->type = owner->type;
      node->trace = owner->trace;
    }
  return node;
}
