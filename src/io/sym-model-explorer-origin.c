/* SPDX-License-Identifier: MIT */
#include "io/sym-model-explorer-private.h"

#include <string.h>

/* What the file of a model says beyond the model, found by what nodes are called. */

SymModelExplorerOrigin *
sym_model_explorer_origin_new (SymJson *json, guint graph)
{
  SymModelExplorerOrigin *self = g_new0 (SymModelExplorerOrigin, 1);

  self->json = sym_json_ref (json);
  self->graph = graph;
  return self;
}

void
sym_model_explorer_origin_free (gpointer data)
{
  SymModelExplorerOrigin *self = data;

  sym_json_unref (self->json);
  g_free (self);
}

const SymModelExplorerOrigin *
sym_model_explorer_get_origin (const SymModel *model)
{
  return g_strcmp0 (sym_model_get_format (model), "model-explorer") == 0
             ? sym_model_get_origin (model)
             : NULL;
}

/* ---- Nodes ---- */

static char *
dup_tensor_name (const SymJson *json, guint node)
{
  guint output =
      sym_json_get_element (json, sym_json_get_member (json, node, "outputsMetadata"), 0);
  guint attribute = sym_model_explorer_find_attribute (
      json, sym_json_get_member (json, output, "attrs"), "tensor_name");

  return sym_json_dup_string (json, sym_json_get_member (json, attribute, "value"));
}

/* What the node is called in the model: "=" and a name for a call, ":" and a name for an input. */
static char *
make_place (const SymJson *json, guint node)
{
  g_autofree char *id = sym_json_dup_string (json, sym_json_get_member (json, node, "id"));
  g_autofree char *label = sym_json_dup_string (json, sym_json_get_member (json, node, "label"));
  g_autofree char *name = NULL;
  g_autofree char *tensor = NULL;

  if (id == NULL || label == NULL)
    return NULL;
  name = sym_model_explorer_make_name (json, node, id, label);
  if (!sym_model_explorer_is_input (json, node, label))
    return g_strconcat ("=", name, NULL);
  tensor = dup_tensor_name (json, node);
  return g_strconcat (":", tensor == NULL ? name : tensor, NULL);
}

/* Of several with one name none is known. */
static GHashTable *
index_nodes (const SymModelExplorerOrigin *self)
{
  guint nodes = sym_json_get_member (self->json, self->graph, "nodes");
  GHashTable *places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (SymJsonIter i = sym_json_iterate (self->json, nodes); sym_json_iter_next (self->json, &i);)
    {
      char *place = make_place (self->json, i.value);
      gboolean is_new = place != NULL && !g_hash_table_contains (places, place);

      if (place != NULL)
        g_hash_table_insert (places, place, GUINT_TO_POINTER (is_new ? i.value : SYM_JSON_NONE));
    }
  return places;
}

guint *
sym_model_explorer_list_nodes (const SymModelExplorerOrigin *self, const SymFlow *flow)
{
  guint *nodes = g_new (guint, flow->nodes->len + 1);
  g_autoptr (GHashTable) places = self == NULL ? NULL : index_nodes (self);

  for (guint i = 0; i < flow->nodes->len; i++)
    {
      const SymFlowNode *node = sym_flow_get_node (flow, i);
      const char *name = node->is_call ? sym_model_get_call_name (flow->model, node->id)
                                       : sym_model_get_value_name (flow->model, node->id);
      g_autofree char *place = g_strconcat (node->is_call ? "=" : ":", name, NULL);
      gpointer token;

      nodes[i] = places != NULL && g_hash_table_lookup_extended (places, place, NULL, &token)
                     ? GPOINTER_TO_UINT (token)
                     : SYM_JSON_NONE;
    }
  return nodes;
}

GPtrArray *
sym_model_explorer_make_ids (const SymFlow *flow,
                             const SymJson *json,
                             const guint *nodes,
                             SymNaming *names)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < flow->nodes->len; i++)
    {
      char *id = sym_json_dup_string (json, sym_json_get_member (json, nodes[i], "id"));

      if (id != NULL && !g_hash_table_add (seen, id))
        g_clear_pointer (&id, g_free);
      if (id != NULL)
        sym_naming_reserve (names, id);
      g_ptr_array_add (ids, id);
    }
  for (guint i = 0; i < ids->len; i++)
    if (g_ptr_array_index (ids, i) == NULL)
      g_ptr_array_index (ids, i) =
          g_strdup (sym_naming_take (names, "node", sym_flow_get_node (flow, i)->name));
  return ids;
}

/* ---- Pieces of the file ---- */

guint
sym_model_explorer_find_attribute (const SymJson *json, guint list, const char *key)
{
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    if (sym_json_string_equals (json, sym_json_get_member (json, i.value, "key"), key))
      return i.value;
  return SYM_JSON_NONE;
}

GHashTable *
sym_model_explorer_index (const SymJson *json, guint list, const char *member)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i); n++)
    {
      g_autofree char *text =
          member == NULL ? NULL
                         : sym_net_dup_key (json, sym_json_get_member (json, i.value, member));
      guint64 id;

      if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &id, NULL))
        id = n;
      g_hash_table_insert (index, GUINT_TO_POINTER ((guint) id), GUINT_TO_POINTER (i.value));
    }
  return index;
}

guint
sym_model_explorer_look_up (GHashTable *index, guint id)
{
  gpointer token = g_hash_table_lookup (index, GUINT_TO_POINTER (id));

  return token == NULL ? SYM_JSON_NONE : GPOINTER_TO_UINT (token);
}

void
sym_model_explorer_append_text (GString *out, const SymJson *json, guint value)
{
  gsize length;
  const char *text = sym_json_get_text (json, value, &length);

  g_string_append_len (out, text, (gssize) length);
}

static gboolean
is_one_of (const SymJson *json, guint key, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (sym_json_string_equals (json, key, names[i]))
      return TRUE;
  return FALSE;
}

void
sym_model_explorer_append_others (GString *out,
                                  const SymJson *json,
                                  guint object,
                                  const char *const *except)
{
  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    if (i.key != SYM_JSON_NONE && !is_one_of (json, i.key, except))
      {
        g_string_append (out, ", ");
        sym_model_explorer_append_text (out, json, i.key);
        g_string_append (out, ": ");
        sym_model_explorer_append_text (out, json, i.value);
      }
}
