/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-live.h"

#include "core/sym-error.h"
#include "core/sym-graph-private.h"
#include "core/sym-python.h"

void
sym_graph_set_live (SymGraph *self, const SymGraphLive *live)
{
  g_return_if_fail (self != NULL);

  if (self->live.destroy != NULL)
    self->live.destroy (self->live.user_data);
  self->live = live == NULL ? (SymGraphLive){ NULL } : *live;
}

/* ---- Inputs ---- */

static void
put_value (SymNode *self, SymDatum *take_value)
{
  g_clear_pointer (&self->value, sym_datum_unref);
  self->value = take_value;
}

SymNode *
sym_graph_add_value (SymGraph *self, SymDatum *value, GError **error)
{
  SymNode *node;
  SymDatum *kept;
  SymType type;

  g_return_val_if_fail (self != NULL && value != NULL, NULL);

  if (error != NULL && *error != NULL)
    return NULL;
  kept = sym_datum_keep (value, error);
  if (kept == NULL)
    return NULL;
  type = sym_datum_get_type (value, self->arena);
  node = sym_graph_add_node (self, &type, &type);
  node->batch_size_known = TRUE;
  put_value (node, kept);
  return node;
}

gboolean
sym_node_set_value (SymNode *self, SymDatum *value, GError **error)
{
  SymDatum *kept;

  g_return_val_if_fail (value != NULL, FALSE);

  if (self == NULL || (error != NULL && *error != NULL))
    return FALSE;
  if (self->call != NULL)
    {
      g_autofree char *text = sym_node_to_string (self);

      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "%s is made by %s; only inputs can be given values", text,
                   sym_layer_get_type (self->call->layer));
      return FALSE;
    }
  if (!sym_datum_check_type (value, &self->type, self->variable, error))
    return FALSE;
  kept = sym_datum_keep (value, error);
  if (kept == NULL)
    return FALSE;
  put_value (self, kept);
  return TRUE;
}

gboolean
sym_graph_draw_value (SymNode *input, GError **error)
{
  const SymGraphLive *live = &input->graph->live;
  SymDatum *value;

  if (live->draw == NULL || !sym_shape_is_known (&input->trace.shape))
    return TRUE;
  value = live->draw (&input->trace, input->min_value, input->max_value, input->index,
                      live->user_data, error);
  if (value == NULL)
    return FALSE;
  put_value (input, value);
  return TRUE;
}

/* ---- Calls ---- */

static void
unref_all (SymDatum **data, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&data[i], sym_datum_unref);
}

static gboolean
evaluate (SymGraph *self,
          SymLayer *layer,
          const SymValue *arguments,
          SymNode *const *operands,
          guint n_operands,
          SymDatum **values,
          guint n_values,
          char **obstacle,
          GError **error)
{
  g_autofree SymDatum **data = g_new0 (SymDatum *, n_operands + 1);
  GError *reason = NULL;

  for (guint i = 0; i < n_operands; i++)
    data[i] = operands[i]->value;
  if (self->live.evaluate (layer, arguments, data, n_operands, values, n_values, obstacle,
                           self->live.user_data, &reason))
    return TRUE;
  unref_all (values, n_values);
  g_propagate_prefixed_error (error, reason, "%s: ", sym_layer_get_type (layer));
  return FALSE;
}

static gboolean
have_values (SymNode *const *operands, guint n_operands)
{
  for (guint i = 0; i < n_operands; i++)
    if (sym_node_get_value (operands[i], NULL) == NULL)
      return FALSE;
  return n_operands > 0;
}

gboolean
sym_graph_evaluate (SymGraph *self,
                    SymLayer *layer,
                    const SymValue *arguments,
                    SymNode *const *operands,
                    guint n_operands,
                    SymDatum **values,
                    guint n_values,
                    GError **error)
{
  g_autofree char *obstacle = NULL;

  if (self->live.evaluate == NULL || !have_values (operands, n_operands))
    return TRUE;
  return evaluate (self, layer, arguments, operands, n_operands, values, n_values, &obstacle,
                   error);
}

/* As people see it: the batch is only known when it is of all operands. */
static void
open_batch (SymType *type)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();

  g_ptr_array_add (open, type);
  while (open->len > 0)
    {
      SymType *part = g_ptr_array_steal_index_fast (open, open->len - 1);

      if (part->shape.rank > 0)
        part->shape.dims[0] = SYM_DIM_UNKNOWN;
      for (guint i = 0; i < part->n_elements; i++)
        g_ptr_array_add (open, (SymType *) &part->elements[i]);
    }
}

void
sym_graph_attach_value (SymNode *node, SymDatum *take_value)
{
  put_value (node, take_value);
  if (node->type.kind != SYM_KIND_UNKNOWN)
    return;
  node->trace = sym_datum_get_type (take_value, node->graph->arena);
  node->type = sym_datum_get_type (take_value, node->graph->arena);
  if (!node->batch_size_known)
    open_batch (&node->type);
  node->typed_by_value = TRUE;
}

/* ---- Getting ---- */

static gboolean
refuse (SymNode *self, const char *why, GError **error)
{
  g_autofree char *text = sym_node_to_string (self);

  g_set_error (error, SYM_ERROR, SYM_ERROR_UNDECIDED, "%s has no value: %s", text, why);
  return FALSE;
}

/* All operands have values. */
static gboolean
compute (SymNode *self, GError **error)
{
  SymGraphCall *call = self->call;
  g_autofree SymDatum **values = g_new0 (SymDatum *, call->n_results + 1);
  g_autofree char *obstacle = NULL;
  gboolean found;

  if (!evaluate (self->graph, call->layer, call->arguments, call->operands, call->n_operands,
                 values, call->n_results, &obstacle, error))
    return FALSE;
  found = values[self->result] != NULL;
  for (guint i = 0; i < call->n_results; i++)
    if (values[i] != NULL)
      sym_graph_attach_value (call->results[i], values[i]);
  return found || refuse (self, obstacle == NULL ? "nothing was computed" : obstacle, error);
}

static SymNode *
find_missing (const SymGraphCall *call)
{
  for (guint i = 0; i < call->n_operands; i++)
    if (call->operands[i]->value == NULL)
      return call->operands[i];
  return NULL;
}

SymDatum *
sym_node_get_value (SymNode *self, GError **error)
{
  g_autoptr (GPtrArray) open = NULL;

  if (self == NULL)
    return NULL;
  if (self->value != NULL)
    return self->value;

  open = g_ptr_array_new ();
  g_ptr_array_add (open, self);
  while (open->len > 0)
    {
      SymNode *node = g_ptr_array_index (open, open->len - 1), *missing;

      if (node->call == NULL)
        {
          refuse (node, "it is an input that was given none", error);
          return NULL;
        }
      if (node->graph->live.evaluate == NULL)
        {
          refuse (node, "values of this graph are not computed", error);
          return NULL;
        }
      missing = find_missing (node->call);
      if (missing != NULL)
        g_ptr_array_add (open, missing);
      else if (!compute (node, error))
        return NULL;
      else
        g_ptr_array_set_size (open, (int) open->len - 1);
    }
  return self->value;
}

void
sym_graph_let_go (SymNode *node)
{
  if (node->call != NULL && node->graph->live.evaluate != NULL &&
      sym_layer_get_function (node->call->layer) == NULL)
    g_clear_pointer (&node->value, sym_datum_unref);
}

gboolean
sym_node_get_length (SymNode *self, gint64 *length, GError **error)
{
  g_return_val_if_fail (length != NULL, FALSE);

  if (self == NULL || (error != NULL && *error != NULL))
    return FALSE;
  if (self->value != NULL)
    return sym_datum_get_length (self->value, length, error);
  *length = -1;
  if (self->type.kind == SYM_KIND_TENSOR && self->trace.shape.rank > 0)
    *length = self->trace.shape.dims[0];
  else if (self->type.kind == SYM_KIND_TUPLE)
    *length = self->type.n_elements;
  if (*length >= 0)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "object of type '%s' has no len()",
               sym_type_get_python_name (&self->type));
  return FALSE;
}
