/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

/* The value that an entry names; SYM_NO_ID when there is none. */
static SymId
find_value (const SymMxnetDraft *draft, const SymMxnetEntry *entry)
{
  if (entry->node >= draft->graph->nodes->len)
    return SYM_NO_ID;
  if (draft->values[entry->node] != SYM_NO_ID)
    return entry->output == 0 ? draft->values[entry->node] : SYM_NO_ID;
  if (entry->output >= draft->n_results[entry->node])
    return SYM_NO_ID;

  return sym_model_builder_get_result (draft->builder, draft->calls[entry->node], entry->output);
}

static gboolean
connect_controls (SymMxnetDraft *draft, guint node, GError **error)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  const SymJson *json = draft->graph->json;

  for (SymJsonIter i = sym_json_iterate (json, row->controls); sym_json_iter_next (json, &i);)
    {
      gint64 before;

      if (!sym_json_get_int (json, i.value, &before))
        return sym_json_fail (json, i.value, error,
                              "'control_deps' of node %u ('%s') must be whole numbers", node,
                              row->name);
      if (before < 0 || before >= draft->graph->nodes->len)
        sym_problems_add (draft->problems, SYM_SEVERITY_ERROR, sym_json_get_line (json, i.value),
                          SYM_NO_ID, draft->calls[node],
                          "'%s' waits for node %" G_GINT64_FORMAT
                          ", which does not exist: there are %u",
                          row->name, before, draft->graph->nodes->len);
      else if (draft->calls[node] != SYM_NO_ID && draft->calls[before] != SYM_NO_ID)
        sym_model_builder_add_control (draft->builder, draft->calls[node], draft->calls[before]);
    }
  return TRUE;
}

static gboolean
connect_nodes (SymMxnetDraft *draft, GError **error)
{
  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    {
      guint n = draft->calls[node] == SYM_NO_ID
                    ? 0
                    : sym_mxnet_graph_get_node (draft->graph, node)->n_inputs;

      for (guint i = 0; i < n; i++)
        sym_model_builder_set_operand (
            draft->builder, draft->calls[node], i,
            find_value (draft, sym_mxnet_graph_get_input (draft->graph, node, i)));
      if (!connect_controls (draft, node, error))
        return FALSE;
      if (n > 0)
        sym_mxnet_upgrade_slots (draft, node);
    }
  return TRUE;
}

/* Without heads, whatever nothing uses. */
static void
add_unused_outputs (SymMxnetDraft *draft)
{
  g_autofree guint *used = sym_mxnet_graph_count_used (draft->graph);

  for (guint node = 0; node < draft->graph->nodes->len; node++)
    if (used[node] == 0 && draft->calls[node] != SYM_NO_ID)
      sym_model_builder_add_output (
          draft->builder, sym_model_builder_get_result (draft->builder, draft->calls[node], 0));
}

static void
add_outputs (SymMxnetDraft *draft)
{
  if (draft->graph->heads_token == SYM_JSON_NONE)
    {
      add_unused_outputs (draft);
      return;
    }
  for (guint i = 0; i < draft->graph->heads->len; i++)
    {
      SymId value = find_value (draft, &g_array_index (draft->graph->heads, SymMxnetEntry, i));

      if (value != SYM_NO_ID)
        sym_model_builder_add_output (draft->builder, value);
    }
}

gboolean
sym_mxnet_connect (SymMxnetDraft *draft, GError **error)
{
  if (!connect_nodes (draft, error))
    return FALSE;

  add_outputs (draft);
  return TRUE;
}
