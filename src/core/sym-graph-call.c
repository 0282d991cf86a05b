/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"

#include "core/sym-error.h"
#include "core/sym-naming.h"

#include <string.h>

/* ---- Counting operands ---- */

static void
count_slots (const SymOperator *op, guint *n_least, guint *n_most)
{
  *n_least = 0;
  *n_most = 0;
  for (const SymSlotSpec *slot = op->slots; slot->name != NULL; slot++)
    {
      if (slot->kind != SYM_SLOT_DATA)
        continue;
      *n_most += 1;
      if (!slot->optional)
        *n_least += 1;
    }
}

static gboolean
check_count (SymLayer *layer, guint n, GError **error)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  SymModel *body = sym_layer_get_running_body (layer);
  guint n_least = 1;
  guint n_most = G_MAXUINT;

  if (op != NULL && op->slots != NULL)
    {
      count_slots (op, &n_least, &n_most);
    }
  else if (op == NULL && body != NULL)
    {
      n_least = sym_model_get_inputs (body).n;
      n_most = n_least;
    }
  if (n >= n_least && n <= n_most)
    return TRUE;

  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "Number of inputs doesn't match! %s takes %s%u, not %u", sym_layer_get_type (layer),
               n_least == n_most ? ""
               : n < n_least     ? "at least "
                                 : "at most ",
               n < n_least ? n_least : n_most, n);
  return FALSE;
}

/* ---- Adding ---- */

static void
add_child (SymNode *parent, SymNode *child)
{
  if (parent->children == NULL)
    parent->children = g_ptr_array_new ();
  g_ptr_array_add (parent->children, child);
}

/* P8, and D6: the batch is known when it is of all parents. */
static void
place_result (SymNode *node, SymGraphCall *call)
{
  node->batch_size_known = TRUE;
  for (guint i = 0; i < call->n_operands; i++)
    {
      const SymNode *parent = call->operands[i];

      node->depth = MAX (node->depth, parent->depth + 1);
      node->batch_size_known = node->batch_size_known && parent->batch_size_known;
    }
}

static SymGraphCall *
commit_call (SymGraph *self,
             SymLayer *layer,
             SymValue *arguments,
             SymNode *const *operands,
             guint n_operands,
             const char *name,
             const SymGraphResults *results)
{
  SymGraphCall *call = g_new0 (SymGraphCall, 1);

  call->layer = sym_layer_ref (layer);
  call->name = g_strdup (name);
  call->arguments = arguments == NULL ? NULL : sym_value_ref (arguments);
  call->n_operands = n_operands;
  call->operands = g_memdup2 (operands, n_operands * sizeof (SymNode *));
  call->n_results = results->n;
  call->results = g_new0 (SymNode *, results->n);
  g_ptr_array_add (self->calls, call);
  for (guint i = 0; i < results->n; i++)
    {
      call->results[i] = sym_graph_add_node (self, &results->types[i], &results->traces[i]);
      call->results[i]->call = call;
      call->results[i]->result = i;
      place_result (call->results[i], call);
    }
  for (guint i = 0; i < n_operands; i++)
    for (guint k = 0; k < results->n; k++)
      add_child (operands[i], call->results[k]);
  return call;
}

static gboolean
check_operands (SymGraph *self, SymNode *const *operands, guint n_operands, GError **error)
{
  for (guint i = 0; i < n_operands; i++)
    if (operands[i]->graph != self)
      {
        g_set_error (
            error, SYM_ERROR, SYM_ERROR_ARGUMENT,
            "Input %u is a node of another graph; nodes can only be combined with nodes of "
            "the same graph",
            i + 1);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_name (SymLayer *layer, const char *name, GError **error)
{
  const char *custom = name != NULL ? name : sym_layer_get_name (layer);

  return custom == NULL || sym_naming_check (custom, error);
}

SymNode *
sym_graph_add_call (SymGraph *self,
                    SymLayer *layer,
                    SymValue *arguments,
                    SymNode *const *operands,
                    guint n_operands,
                    const char *name,
                    GError **error)
{
  SymGraphResults results = { 0 };
  g_autofree SymDatum **values = NULL;
  SymGraphCall *call;

  if (layer == NULL || (error != NULL && *error != NULL))
    return NULL;
  for (guint i = 0; i < n_operands; i++)
    if (operands[i] == NULL)
      return NULL;

  if (!check_operands (self, operands, n_operands, error) ||
      !check_count (layer, n_operands, error) || !check_name (layer, name, error) ||
      !sym_graph_infer_results (self, layer, arguments, operands, n_operands, &results, error))
    return NULL;
  values = g_new0 (SymDatum *, results.n + 1);
  if (!sym_graph_evaluate (self, layer, arguments, operands, n_operands, values, results.n, error))
    {
      sym_graph_results_clear (&results);
      return NULL;
    }

  call = commit_call (self, layer, arguments, operands, n_operands, name, &results);
  sym_graph_results_clear (&results);
  for (guint i = 0; i < call->n_results; i++)
    if (values[i] != NULL)
      sym_graph_attach_value (call->results[i], values[i]);
  return call->results[0];
}

SymNode *
sym_graph_call (SymGraph *self,
                SymLayer *layer,
                SymNode *const *operands,
                guint n_operands,
                const char *name,
                GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return sym_graph_add_call (self, layer, NULL, operands, n_operands, name, error);
}

SymNode *
sym_layer_call (SymLayer *layer, SymNode *operand, GError **error)
{
  return operand == NULL ? NULL : sym_graph_call (operand->graph, layer, &operand, 1, NULL, error);
}

SymNode *
sym_node_apply (SymNode *self, SymLayer *layer, GError **error)
{
  return sym_layer_call (layer, self, error);
}

SymNode *
sym_layer_call_all (SymLayer *layer,
                    const char *name,
                    SymNode *const *operands,
                    guint n_operands,
                    GError **error)
{
  for (guint i = 0; i < n_operands; i++)
    if (operands[i] == NULL)
      return NULL;
  g_return_val_if_fail (n_operands > 0, NULL);

  return sym_graph_call (operands[0]->graph, layer, operands, n_operands, name, error);
}
