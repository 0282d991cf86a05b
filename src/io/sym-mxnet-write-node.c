/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-write-private.h"

#include <string.h>

static const SymMxnetWriteNode *
get_node (const SymMxnetWriter *writer, guint node)
{
  return &g_array_index (writer->nodes, SymMxnetWriteNode, node);
}

static const SymMxnetNode *
get_origin_node (const SymMxnetWriter *writer, guint node)
{
  guint place = get_node (writer, node)->place;

  return place == SYM_JSON_NONE ? NULL : sym_mxnet_graph_get_node (writer->origin->graph, place);
}

static const char *
get_name (const SymMxnetWriter *writer, const SymMxnetWriteNode *node)
{
  return node->is_call ? sym_model_get_call_name (writer->model, node->id)
                       : sym_model_get_value_name (writer->model, node->id);
}

static const char *
get_op (const SymMxnetWriter *writer, const SymMxnetWriteNode *node)
{
  return node->is_call ? sym_layer_get_type (sym_model_get_layer (writer->model, node->id))
                       : "null";
}

/* ---- Inputs ---- */

/* The entry that stood at this slot in the file, NULL for none. */
static const SymMxnetEntry *
get_old_entry (const SymMxnetWriter *writer, guint node, guint slot)
{
  const SymMxnetNode *old = get_origin_node (writer, node);

  return old != NULL && slot < old->n_inputs
             ? sym_mxnet_graph_get_input (writer->origin->graph, get_node (writer, node)->place,
                                          slot)
             : NULL;
}

static void
write_entry (SymMxnetWriter *writer, guint node, guint output, guint version)
{
  SymMxnetLayout *layout = writer->layout;

  sym_mxnet_layout_item (layout);
  sym_mxnet_layout_begin (layout, '[', FALSE);
  sym_mxnet_layout_item (layout);
  sym_mxnet_layout_int (layout, node);
  sym_mxnet_layout_item (layout);
  sym_mxnet_layout_int (layout, output);
  if (writer->has_versions)
    {
      sym_mxnet_layout_item (layout);
      sym_mxnet_layout_int (layout, version);
    }
  sym_mxnet_layout_end (layout, ']');
}

static gboolean
is_auxiliary_slot (const SymMxnetWriter *writer, SymId call, guint slot)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (writer->model, call));

  return sym_mxnet_get_slot_role (op, slot) == SYM_ROLE_AUXILIARY;
}

/* How often @source had been changed when this slot reads it.  Kept where the slot still reads what
 * it read in the file: an operator that is not known may change its inputs too. */
static guint
count_version (SymMxnetWriter *writer, guint node, guint slot, guint source, guint output)
{
  const SymMxnetEntry *old = get_old_entry (writer, node, slot);
  guint *mutations = &writer->mutations[source];

  if (old != NULL && old->node == get_node (writer, source)->place && old->output == output)
    *mutations = MAX (*mutations, old->version);
  else if (is_auxiliary_slot (writer, get_node (writer, node)->id, slot))
    ++*mutations;
  else
    return *mutations;
  return old != NULL && old->node == get_node (writer, source)->place ? old->version : *mutations;
}

static gboolean
write_empty_slot (SymMxnetWriter *writer, guint node, guint slot, GError **error)
{
  const SymMxnetWriteNode *row = get_node (writer, node);
  const SymMxnetEntry *old = get_old_entry (writer, node, slot);

  if (writer->is_whole && old != NULL)
    {
      sym_mxnet_layout_item (writer->layout);
      sym_mxnet_layout_value (writer->layout, writer->origin->graph->json, old->token);
      return TRUE;
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "input %u of '%s' (%s) leads nowhere, which an MXNet symbol cannot say", slot,
               get_name (writer, row), get_op (writer, row));
  return FALSE;
}

/* How many operands are written: those that the file leaves out, and empty ones, end the list. */
static guint
count_written (const SymMxnetWriter *writer, guint node)
{
  SymIds operands = sym_model_get_operands (writer->model, get_node (writer, node)->id);
  guint n = operands.n;

  while (n > 0 && (operands.ids[n - 1] == SYM_NO_ID
                       ? get_old_entry (writer, node, n - 1) == NULL
                       : writer->value_nodes[operands.ids[n - 1]] == SYM_JSON_NONE))
    n--;
  return n;
}

static gboolean
write_inputs (SymMxnetWriter *writer, guint node, GError **error)
{
  const SymMxnetWriteNode *row = get_node (writer, node);
  guint n = row->is_call ? count_written (writer, node) : 0;

  sym_mxnet_layout_key (writer->layout, "inputs");
  sym_mxnet_layout_begin (writer->layout, '[', n > SYM_MXNET_SHORT_ARRAY);
  for (guint slot = 0; slot < n; slot++)
    {
      SymId value = sym_model_get_operands (writer->model, row->id).ids[slot];
      guint source = value == SYM_NO_ID ? SYM_JSON_NONE : writer->value_nodes[value];
      guint output;

      if (source == SYM_JSON_NONE)
        {
          if (!write_empty_slot (writer, node, slot, error))
            return FALSE;
          continue;
        }
      output = sym_model_get_output_index (writer->model, value);
      write_entry (writer, source, output, count_version (writer, node, slot, source, output));
    }
  sym_mxnet_layout_end (writer->layout, ']');
  return TRUE;
}

/* ---- The other members ---- */

static void
write_controls (SymMxnetWriter *writer, guint node)
{
  const SymMxnetWriteNode *row = get_node (writer, node);
  SymIds controls = row->is_call ? sym_model_get_controls (writer->model, row->id) : (SymIds){ 0 };

  sym_mxnet_layout_key (writer->layout, "control_deps");
  sym_mxnet_layout_begin (writer->layout, '[', controls.n > SYM_MXNET_SHORT_ARRAY);
  for (guint i = 0; i < controls.n; i++)
    {
      sym_mxnet_layout_item (writer->layout);
      sym_mxnet_layout_int (writer->layout, writer->call_nodes[controls.ids[i]]);
    }
  sym_mxnet_layout_end (writer->layout, ']');
}

static guint
count_bodies (const SymMxnetWriter *writer, const SymMxnetWriteNode *row)
{
  return row->is_call ? sym_layer_get_n_bodies (sym_model_get_layer (writer->model, row->id)) : 0;
}

static gboolean
write_bodies (SymMxnetWriter *writer, guint node, guint depth, GError **error)
{
  const SymMxnetWriteNode *row = get_node (writer, node);
  guint n = count_bodies (writer, row);

  sym_mxnet_layout_key (writer->layout, "subgraphs");
  sym_mxnet_layout_begin (writer->layout, '[', TRUE);
  for (guint i = 0; i < n; i++)
    {
      SymModel *body = sym_layer_get_body (sym_model_get_layer (writer->model, row->id), i, NULL);

      sym_mxnet_layout_item (writer->layout);
      if (!sym_mxnet_write_graph (body, NULL, writer->layout, writer->notes, depth + 1, error))
        return FALSE;
    }
  sym_mxnet_layout_end (writer->layout, ']');
  return TRUE;
}

static void
write_text (SymMxnetWriter *writer, const char *key, const char *text)
{
  sym_mxnet_layout_key (writer->layout, key);
  sym_mxnet_layout_string (writer->layout, text);
}

static void
write_map (SymMxnetWriter *writer, const char *key, const SymMxnetMap *map)
{
  sym_mxnet_layout_key (writer->layout, key);
  sym_mxnet_map_write (map, writer->layout);
}

/* ---- Nodes of no file ---- */

static gboolean
write_new (SymMxnetWriter *writer,
           guint node,
           const SymMxnetMap *first,
           const SymMxnetMap *second,
           guint depth,
           GError **error)
{
  const SymMxnetWriteNode *row = get_node (writer, node);

  write_text (writer, "op", get_op (writer, row));
  if (writer->is_legacy)
    write_map (writer, "param", first);
  write_text (writer, "name", get_name (writer, row));
  if (!writer->is_legacy && first->keys->len > 0)
    write_map (writer, writer->attributes_key, first);
  if (!write_inputs (writer, node, error))
    return FALSE;
  if (writer->is_legacy)
    {
      sym_mxnet_layout_key (writer->layout, "backward_source_id");
      sym_mxnet_layout_int (writer->layout, -1);
    }
  if (writer->is_legacy && second->keys->len > 0)
    write_map (writer, "attr", second);
  if (row->is_call && sym_model_get_controls (writer->model, row->id).n > 0)
    write_controls (writer, node);
  return count_bodies (writer, row) == 0 || write_bodies (writer, node, depth, error);
}

/* ---- Nodes of the file, member by member ---- */

typedef struct {
  gboolean first, second, inputs, controls; /* written */
} Written;

/* A source of gradients by its number, which may be another one now. */
static void
write_backward_source (SymMxnetWriter *writer, guint value)
{
  gint64 old = -1;
  gint64 new = -1;

  sym_json_get_int (writer->origin->graph->json, value, &old);
  for (guint i = 0; old >= 0 && i < writer->nodes->len; i++)
    if (get_node (writer, i)->place == old)
      new = i;
  sym_mxnet_layout_int (writer->layout, new);
}

static gboolean
write_member (SymMxnetWriter *writer,
              guint node,
              const SymJsonIter *member,
              const SymMxnetMap *first,
              const SymMxnetMap *second,
              Written *written,
              guint depth,
              GError **error)
{
  const SymJson *json = writer->origin->graph->json;
  const SymMxnetWriteNode *row = get_node (writer, node);
  const SymMxnetNode *old = sym_mxnet_graph_get_node (writer->origin->graph, row->place);
  g_autofree char *key = sym_json_dup_string (json, member->key);

  if (strcmp (key, "op") == 0)
    write_text (writer, key, get_op (writer, row));
  else if (strcmp (key, "name") == 0)
    write_text (writer, key, get_name (writer, row));
  else if (member->value == old->attributes)
    written->first = TRUE, write_map (writer, key, first);
  else if (member->value == old->hidden)
    written->second = TRUE, write_map (writer, key, second);
  else if (strcmp (key, "inputs") == 0 && (row->is_call || !writer->is_whole))
    return (written->inputs = TRUE) && write_inputs (writer, node, error);
  else if (strcmp (key, "control_deps") == 0 && !writer->is_whole)
    written->controls = TRUE, write_controls (writer, node);
  else if (strcmp (key, "subgraphs") == 0)
    return write_bodies (writer, node, depth, error);
  else
    {
      sym_mxnet_layout_key (writer->layout, key);
      if (strcmp (key, "backward_source_id") == 0 && !writer->is_whole)
        write_backward_source (writer, member->value);
      else
        sym_mxnet_layout_value (writer->layout, json, member->value);
    }
  return TRUE;
}

/* What the node has come to have that it had no key for. */
static gboolean
write_rest (SymMxnetWriter *writer,
            guint node,
            const SymMxnetMap *first,
            const SymMxnetMap *second,
            const Written *written,
            GError **error)
{
  const SymMxnetWriteNode *row = get_node (writer, node);

  if (!written->inputs && row->is_call && sym_model_get_operands (writer->model, row->id).n > 0 &&
      !write_inputs (writer, node, error))
    return FALSE;
  if (!written->second && second->keys->len > 0)
    write_map (writer, "attr", second);
  if (!written->controls && !writer->is_whole && row->is_call &&
      sym_model_get_controls (writer->model, row->id).n > 0)
    write_controls (writer, node);
  return TRUE;
}

static gboolean
write_old (SymMxnetWriter *writer,
           guint node,
           const SymMxnetMap *first,
           const SymMxnetMap *second,
           guint depth,
           GError **error)
{
  const SymJson *json = writer->origin->graph->json;
  const SymMxnetNode *old =
      sym_mxnet_graph_get_node (writer->origin->graph, get_node (writer, node)->place);
  Written written = { 0 };

  for (SymJsonIter i = sym_json_iterate (json, old->token); sym_json_iter_next (json, &i);)
    {
      if (!written.first && old->attributes == SYM_JSON_NONE && first->keys->len > 0 &&
          sym_json_string_equals (json, i.key, "inputs"))
        written.first = TRUE, write_map (writer, writer->attributes_key, first);
      if (!write_member (writer, node, &i, first, second, &written, depth, error))
        return FALSE;
    }
  return write_rest (writer, node, first, second, &written, error);
}

gboolean
sym_mxnet_write_node (SymMxnetWriter *writer, guint node, guint depth, GError **error)
{
  g_auto (SymMxnetMap) first = { 0 };
  g_auto (SymMxnetMap) second = { 0 };
  gboolean is_good;

  sym_mxnet_map_node (writer, node, &first, &second);
  sym_mxnet_layout_item (writer->layout);
  sym_mxnet_layout_begin (writer->layout, '{', TRUE);
  is_good = get_origin_node (writer, node) != NULL
                ? write_old (writer, node, &first, &second, depth, error)
                : write_new (writer, node, &first, &second, depth, error);
  sym_mxnet_layout_end (writer->layout, '}');
  return is_good;
}
