/* SPDX-License-Identifier: MIT */
#include "io/sym-model-explorer-private.h"

/* The graphs of a document, and whether it is one. */

static gboolean
is_graph (const SymJson *json, guint token)
{
  return sym_json_get_kind (json, sym_json_get_member (json, token, "nodes")) == SYM_JSON_ARRAY;
}

/* The list of graphs of a collection, SYM_JSON_NONE when it is none. */
static guint
get_graphs (const SymJson *json, guint token)
{
  static const char *const names[] = { "graphs", "subgraphs", NULL };

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint graphs = sym_json_get_member (json, token, names[i]);

      if (is_graph (json, sym_json_get_element (json, graphs, 0)))
        return graphs;
    }
  return SYM_JSON_NONE;
}

static void
add_list (const SymJson *json, guint list, GArray *graphs)
{
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    g_array_append_val (graphs, i.value);
}

GArray *
sym_model_explorer_list_graphs (const SymJson *json)
{
  GArray *graphs = g_array_new (FALSE, FALSE, sizeof (guint));
  const guint root = 0;
  guint answer = sym_json_get_member (json, root, "graphCollections");
  guint all = answer == SYM_JSON_NONE ? root : answer;

  add_list (json, get_graphs (json, root), graphs);
  if (graphs->len == 0 && is_graph (json, sym_json_get_element (json, all, 0)))
    add_list (json, all, graphs);
  else if (graphs->len == 0 && sym_json_get_kind (json, all) == SYM_JSON_ARRAY)
    for (SymJsonIter i = sym_json_iterate (json, all); sym_json_iter_next (json, &i);)
      add_list (json, get_graphs (json, i.value), graphs);
  if (graphs->len == 0 && is_graph (json, root))
    g_array_append_val (graphs, root);
  return graphs;
}

static gboolean
is_node (const SymJson *json, guint node)
{
  return sym_json_get_kind (json, sym_json_get_member (json, node, "id")) == SYM_JSON_STRING &&
         sym_json_get_member (json, node, "label") != SYM_JSON_NONE;
}

/* Whether edges are listed beside the nodes, as in general graphs, and no node says what it uses or
 * makes: ours are told by the nodes that they come to. */
static gboolean
is_general (const SymJson *json, guint graph)
{
  static const char *const lists[] = { "edges", "links" };
  static const char *const own[] = { "namespace", "incomingEdges", "outputsMetadata" };
  guint nodes = sym_json_get_member (json, graph, "nodes");
  gboolean has_edges = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    has_edges |= sym_json_get_element (json, sym_json_get_member (json, graph, lists[i]), 0) !=
                 SYM_JSON_NONE;
  for (SymJsonIter i = sym_json_iterate (json, nodes); has_edges && sym_json_iter_next (json, &i);)
    for (guint k = 0; k < G_N_ELEMENTS (own); k++)
      if (sym_json_get_member (json, i.value, own[k]) != SYM_JSON_NONE)
        return FALSE;
  return has_edges;
}

int
sym_model_explorer_score (const SymJson *json)
{
  g_autoptr (GArray) graphs = sym_model_explorer_list_graphs (json);
  guint graph, nodes, first;

  if (graphs->len == 0)
    return 0;
  graph = g_array_index (graphs, guint, 0);
  nodes = sym_json_get_member (json, graph, "nodes");
  first = sym_json_get_element (json, nodes, 0);
  if (first == SYM_JSON_NONE)
    return graph != 0 && sym_json_get_member (json, graph, "id") != SYM_JSON_NONE ? 50 : 0;
  if (!is_node (json, first) || is_general (json, graph))
    return 0;
  return sym_json_get_member (json, first, "namespace") != SYM_JSON_NONE ? 100 : 75;
}
