/* SPDX-License-Identifier: MIT */
#include "io/sym-model-explorer-private.h"
#include "io/sym-net.h"

#include <string.h>

/* Google's Model Explorer graphs (JSON, 0.1): nodes with labels and namespaces, and the edges that
 * come in.  A document is {"label", "graphs"}, a list of such collections ("subgraphs"), a list of
 * graphs, or one graph. */

#define MAX_DEPTH 16
#define MAX_EMPTY_SLOTS 16 /* one after the other; more are no operands of any layer */

/* ---- Graphs of the document ---- */

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

/* All graphs, the first one being the main one: of tokens. */
static GArray *
list_graphs (const SymJson *json)
{
  GArray *graphs = g_array_new (FALSE, FALSE, sizeof (guint));
  const guint root = 0;
  guint first = sym_json_get_element (json, root, 0);
  guint list = get_graphs (json, root);

  if (list == SYM_JSON_NONE)
    list = get_graphs (json, first);
  if (list == SYM_JSON_NONE && is_graph (json, first))
    list = 0;
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    g_array_append_val (graphs, i.value);
  if (graphs->len == 0 && is_graph (json, 0))
    g_array_append_val (graphs, root);
  return graphs;
}

static gboolean
is_node (const SymJson *json, guint node)
{
  return sym_json_get_kind (json, sym_json_get_member (json, node, "id")) == SYM_JSON_STRING &&
         sym_json_get_member (json, node, "label") != SYM_JSON_NONE;
}

static int
score (const SymJson *json)
{
  g_autoptr (GArray) graphs = list_graphs (json);
  guint graph, nodes, first;

  if (graphs->len == 0)
    return 0;
  graph = g_array_index (graphs, guint, 0);
  nodes = sym_json_get_member (json, graph, "nodes");
  first = sym_json_get_element (json, nodes, 0);
  if (first == SYM_JSON_NONE)
    return graph != 0 && sym_json_get_member (json, graph, "id") != SYM_JSON_NONE ? 50 : 0;
  if (!is_node (json, first))
    return 0;
  return sym_json_get_member (json, first, "namespace") != SYM_JSON_NONE ? 100 : 75;
}

/* ---- Attributes and types ---- */

/* [{"key": "axis", "value": "1"}]; values that are no text are {"type": "node_ids", ...} */
static SymAttributes *
read_attributes (SymNet *net, guint list)
{
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *key = sym_json_dup_string (json, sym_json_get_member (json, i.value, "key"));

      if (key != NULL)
        sym_net_set_attribute (net, attributes, key, sym_json_get_member (json, i.value, "value"));
    }
  return attributes;
}

/* "float32[1,300,300,3]", "tensor<1x16x112xf32>", "[1, 3]" */
static SymType
parse_type (SymNet *net, const char *text)
{
  const char *open = strpbrk (text, "[<");
  g_autofree char *before =
      open == NULL ? NULL : g_strstrip (g_strndup (text, (gsize) (open - text)));
  g_autofree char *inside = open == NULL ? NULL : g_strndup (open + 1, strcspn (open + 1, "]>"));
  char *last;

  if (open == NULL)
    return sym_type_tensor (SYM_DTYPE_UNKNOWN, SYM_SHAPE_UNKNOWN);
  if (*open == '[')
    return sym_type_tensor (sym_net_parse_dtype (before), sym_net_parse_shape (net, inside, ","));
  last = strrchr (inside, 'x');
  if (last == NULL)
    return sym_type_tensor (sym_net_parse_dtype (inside), SYM_SHAPE ());
  *last = '\0';
  return sym_type_tensor (sym_net_parse_dtype (last + 1), sym_net_parse_shape (net, inside, "x"));
}

/* The type by the metadata of an output, or of an input. */
static SymType
read_type (SymNet *net, const SymAttributes *attributes)
{
  const char *shape = sym_attributes_get_string (attributes, "tensor_shape", NULL);
  const char *dtype = sym_attributes_get_string (attributes, "tensor_dtype", NULL);
  SymType type;

  if (shape == NULL)
    shape = sym_attributes_get_string (attributes, "shape", "");
  type = parse_type (net, shape);
  if (type.dtype == SYM_DTYPE_UNKNOWN)
    type.dtype = sym_net_parse_dtype (
        dtype != NULL ? dtype : sym_attributes_get_string (attributes, "dtype", NULL));
  return type;
}

/* ---- Nodes ---- */

typedef struct {
  const SymIoSource *source;
  const GArray *graphs;
  guint depth;
  GHashTable *calls; /* id of a node to its call + 1 */
  guint n_missing;
  guint first_missing;
} Walk;

static SymModel *read_graph_at (SymJson *json,
                                const SymIoSource *source,
                                const GArray *graphs,
                                guint graph,
                                guint depth,
                                GError **error);

static guint
find_graph (const SymJson *json, const GArray *graphs, guint name)
{
  g_autofree char *wanted = sym_json_dup_string (json, name);

  for (guint i = 0; wanted != NULL && i < graphs->len; i++)
    {
      guint graph = g_array_index (graphs, guint, i);

      if (sym_json_string_equals (json, sym_json_get_member (json, graph, "id"), wanted))
        return graph;
    }
  return SYM_JSON_NONE;
}

/* What follows the path in front of a name, where '.' parts as '/' does: the name itself without
 * it. */
static const char *
skip_prefix (const char *name, const char *path)
{
  gsize i = 0;

  while (path[i] != '\0' && (name[i] == path[i] || (name[i] == '.' && path[i] == '/')))
    i++;
  return i > 0 && path[i] == '\0' && (name[i] == '/' || name[i] == '.') ? name + i + 1 : name;
}

static gboolean
add_bodies (SymNet *net,
            const Walk *walk,
            guint node,
            const char *id,
            SymLayer *layer,
            GError **error)
{
  SymJson *json = (SymJson *) sym_net_get_json (net);
  guint ids = sym_json_get_member (json, node, "subgraphIds");

  for (SymJsonIter i = sym_json_iterate (json, ids); sym_json_iter_next (json, &i);)
    {
      guint graph = find_graph (json, walk->graphs, i.value);
      g_autofree char *name = sym_json_dup_string (json, i.value);
      g_autoptr (SymModel) body = NULL;

      if (graph == SYM_JSON_NONE || walk->depth + 1 >= MAX_DEPTH)
        {
          sym_net_warn (net, i.value,
                        graph == SYM_JSON_NONE ? "there is no graph '%s' in the file"
                                               : "graph '%s' is nested too deep to be shown",
                        name == NULL ? "" : name);
          continue;
        }
      body = read_graph_at (json, walk->source, walk->graphs, graph, walk->depth + 1, error);
      if (body == NULL)
        return FALSE;
      sym_layer_add_body (layer, skip_prefix (name, id), body, FALSE);
    }
  return TRUE;
}

/* The namespace makes the group; of several, "a;b/c", the last one counts, and it may be in the id
 * already.  A number as id says nothing to people, the label does. */
static char *
make_name (const SymJson *json, guint node, const char *id, const char *label)
{
  g_autofree char *space =
      sym_json_dup_string (json, sym_json_get_member (json, node, "namespace"));
  const char *last = space == NULL ? NULL : strrchr (space, ';');
  const char *group = last != NULL ? last + 1 : space == NULL ? "" : space;
  const char *slash = group[0] == '\0' || g_str_has_suffix (group, "/") ? "" : "/";

  if (skip_prefix (id, group) != id)
    return g_strdup (id);
  if (id[0] == '\0' || id[strspn (id, "0123456789")] != '\0')
    return g_strconcat (group, slash, id, NULL);
  return g_strconcat (group, slash, label, "_", id, NULL);
}

static char *
make_key (const char *node, const char *output)
{
  return g_strconcat (node, ":", output, NULL);
}

/* Whether they are numbered upwards. */
static gboolean
are_ordered (const SymJson *json, guint outputs)
{
  guint64 least = 0;

  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *output = sym_net_dup_key (json, sym_json_get_member (json, i.value, "id"));
      guint64 number;

      if (output == NULL ||
          !g_ascii_string_to_unsigned (output, 10, least, G_MAXUINT32, &number, NULL))
        return FALSE;
      least = number + 1;
    }
  return TRUE;
}

/* An output that a file passes over, as we do when a layer does not give it. */
#define MAX_ABSENT 16

static void
add_absent (SymNet *net, SymId call, const char *node, const char *output)
{
  guint n = sym_net_count_results (net, call);
  guint64 index;

  if (!g_ascii_string_to_unsigned (output, 10, n + 1, n + MAX_ABSENT, &index, NULL))
    return;
  for (; n < index; n++)
    {
      g_autofree char *number = g_strdup_printf ("%u", n);
      g_autofree char *key = make_key (node, number);
      SymId value;

      if (sym_net_find (net, key) != SYM_NO_ID)
        continue;
      value = sym_net_add_result (net, call, key, "", NULL);
      sym_net_pass_over (net, value);
      sym_model_builder_set_role (sym_net_get_builder (net), value, SYM_ROLE_ABSENT);
    }
}

static void
add_results (SymNet *net, SymId call, guint node, const char *id)
{
  const SymJson *json = sym_net_get_json (net);
  guint outputs = sym_json_get_member (json, node, "outputsMetadata");
  gboolean is_ordered = are_ordered (json, outputs);

  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *output = sym_net_dup_key (json, sym_json_get_member (json, i.value, "id"));
      g_autofree char *key = make_key (id, output == NULL ? "0" : output);
      g_autoptr (SymAttributes) attributes =
          read_attributes (net, sym_json_get_member (json, i.value, "attrs"));
      SymType type = read_type (net, attributes);

      if (is_ordered)
        add_absent (net, call, id, output);
      sym_net_add_result (net, call, key,
                          sym_attributes_get_string (attributes, "tensor_name", NULL), &type);
    }
}

/* A node that stands for data from outside. */
static gboolean
is_input (const SymJson *json, guint node, const char *label)
{
  guint edges = sym_json_get_member (json, node, "incomingEdges");
  guint outputs = sym_json_get_member (json, node, "outputsMetadata");

  return strcmp (label, "Input") == 0 && sym_json_get_element (json, edges, 0) == SYM_JSON_NONE &&
         sym_json_get_element (json, outputs, 1) == SYM_JSON_NONE;
}

static void
add_input (SymNet *net, guint node, const char *id, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  guint output =
      sym_json_get_element (json, sym_json_get_member (json, node, "outputsMetadata"), 0);
  g_autofree char *number = sym_net_dup_key (json, sym_json_get_member (json, output, "id"));
  g_autofree char *key = make_key (id, number == NULL ? "0" : number);
  g_autoptr (SymAttributes) attributes =
      read_attributes (net, sym_json_get_member (json, output, "attrs"));
  SymType type = read_type (net, attributes);

  sym_net_add_value (net, key, sym_attributes_get_string (attributes, "tensor_name", name),
                     SYM_ROLE_INPUT, &type, node);
}

static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *id = sym_json_dup_string (json, sym_json_get_member (json, node, "id"));
  g_autofree char *label = sym_json_dup_string (json, sym_json_get_member (json, node, "label"));
  g_autofree char *name = NULL;
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  if (id == NULL || label == NULL)
    return sym_json_fail (json, node, error, "a node needs 'id' and 'label', both strings");

  name = make_name (json, node, id, label);
  if (is_input (json, node, label))
    {
      add_input (net, node, id, name);
      return TRUE;
    }
  attributes = read_attributes (net, sym_json_get_member (json, node, "attrs"));
  layer = sym_layer_new (label[0] == '\0' ? id : label, NULL, attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, node, id, layer, error))
    return FALSE;
  call = sym_net_add_layer (net, name, layer, node);
  add_results (net, call, node, id);
  if (!g_hash_table_insert (walk->calls, g_steal_pointer (&id), GUINT_TO_POINTER (call + 1)))
    sym_net_warn (net, node, "there is another node with the id of this one");
  return TRUE;
}

/* ---- Edges ---- */

/* Edges may use outputs that no metadata tells of.  Writers leave constants out and name them in
 * edges all the same: those become constants. */
static void
add_edge (SymNet *net, Walk *walk, SymId call, guint edge)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *node = sym_net_dup_key (json, sym_json_get_member (json, edge, "sourceNodeId"));
  g_autofree char *output =
      sym_net_dup_key (json, sym_json_get_member (json, edge, "sourceNodeOutputId"));
  g_autofree char *key = make_key (node == NULL ? "" : node, output == NULL ? "0" : output);
  guint source = node == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (walk->calls, node));

  if (sym_net_find (net, key) == SYM_NO_ID && source != 0)
    sym_net_add_result (net, source - 1, key, NULL, NULL);
  else if (source == 0 && sym_net_find (net, key) == SYM_NO_ID)
    {
      sym_net_add_value (net, key, NULL, SYM_ROLE_CONSTANT, NULL, edge);
      if (walk->n_missing++ == 0)
        walk->first_missing = edge;
    }
  sym_net_add_operand (net, call, key);
}

/* ---- Operands ---- */

/* What comes in, by the slot that it says: an edge, or the metadata of an input that no node makes.
 */
typedef struct {
  guint64 slot;
  gboolean is_edge;
  guint token;
} Operand;

static int
compare_operands (gconstpointer a, gconstpointer b)
{
  const Operand *first = a;
  const Operand *second = b;

  return first->slot == second->slot ? 0 : first->slot < second->slot ? -1 : 1;
}

/* The slot that a token names; @otherwise where that is no number. */
static guint64
read_slot (const SymJson *json, guint token, guint64 otherwise)
{
  g_autofree char *text = sym_net_dup_key (json, token);
  guint64 slot;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &slot, NULL)
             ? slot
             : otherwise;
}

static GArray *
list_operands (SymNet *net, guint node)
{
  const SymJson *json = sym_net_get_json (net);
  GArray *operands = g_array_new (FALSE, FALSE, sizeof (Operand));
  guint edges = sym_json_get_member (json, node, "incomingEdges");
  guint inputs = sym_json_get_member (json, node, "inputsMetadata");

  for (SymJsonIter i = sym_json_iterate (json, edges); sym_json_iter_next (json, &i);)
    {
      guint slot = sym_json_get_member (json, i.value, "targetNodeInputId");
      Operand operand = { read_slot (json, slot, operands->len), TRUE, i.value };

      g_array_append_val (operands, operand);
    }
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      guint slot = sym_json_get_member (json, i.value, "id");
      g_autoptr (SymAttributes) attributes =
          read_attributes (net, sym_json_get_member (json, i.value, "attrs"));
      Operand operand = { read_slot (json, slot, operands->len), FALSE, i.value };

      if (sym_attributes_find (attributes, SYM_MODEL_EXPLORER_ROLE) != NULL)
        g_array_append_val (operands, operand);
    }
  g_array_sort (operands, compare_operands);
  return operands;
}

static SymRole
parse_role (const char *text)
{
  for (SymRole role = SYM_ROLE_PARAMETER; role <= SYM_ROLE_CONSTANT; role++)
    if (strcmp (text, sym_role_to_string (role)) == 0)
      return role;
  return SYM_ROLE_PARAMETER;
}

static void
add_parameter (SymNet *net, SymId call, guint input)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (SymAttributes) attributes =
      read_attributes (net, sym_json_get_member (json, input, "attrs"));
  const char *name = sym_attributes_get_string (attributes, "tensor_name", "parameter");
  const char *role = sym_attributes_get_string (attributes, SYM_MODEL_EXPLORER_ROLE, "");
  g_autofree char *key = g_strconcat (":", name, NULL); /* nodes have something before it */
  SymType type = read_type (net, attributes);

  if (sym_net_find (net, key) == SYM_NO_ID)
    sym_net_add_value (net, key, name, parse_role (role), &type, input);
  sym_net_add_operand (net, call, key);
}

static gboolean
add_operands (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *id = sym_json_dup_string (json, sym_json_get_member (json, node, "id"));
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (walk->calls, id));
  g_autoptr (GArray) operands = NULL;

  if (found == 0) /* an input */
    return TRUE;
  operands = list_operands (net, node);
  for (guint i = 0; i < operands->len; i++)
    {
      const Operand *operand = &g_array_index (operands, Operand, i);
      guint n = sym_net_count_operands (net, found - 1);

      for (; operand->slot > n && operand->slot - n <= MAX_EMPTY_SLOTS; n++)
        sym_net_add_operand (net, found - 1, NULL);
      if (operand->is_edge)
        add_edge (net, walk, found - 1, operand->token);
      else
        add_parameter (net, found - 1, operand->token);
    }
  return TRUE;
}

/* A node whose outputs nobody tells of and nothing uses still has a place in the table. */
static void
complete (SymNet *net, const Walk *walk)
{
  GHashTableIter iter;
  gpointer call;

  g_hash_table_iter_init (&iter, walk->calls);
  while (g_hash_table_iter_next (&iter, NULL, &call))
    if (sym_net_count_results (net, GPOINTER_TO_UINT (call) - 1) == 0)
      sym_net_add_result (net, GPOINTER_TO_UINT (call) - 1, NULL, NULL, NULL);
  if (walk->n_missing > 0)
    sym_net_warn (net, walk->first_missing,
                  "%u edges come from nodes that are not in the file: they are taken for constants",
                  walk->n_missing);
}

static SymModel *
read_graph_at (SymJson *json,
               const SymIoSource *source,
               const GArray *graphs,
               guint graph,
               guint depth,
               GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "model-explorer");
  g_autoptr (GHashTable) calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint nodes = sym_json_get_member (json, graph, "nodes");
  Walk walk = { source, graphs, depth, calls, 0, 0 };

  if (!sym_json_expect (json, nodes, SYM_JSON_ARRAY, "'nodes'", error) ||
      !sym_net_visit (net, nodes, add_node, &walk, error) ||
      !sym_net_visit (net, nodes, add_operands, &walk, error))
    return NULL;
  complete (net, &walk);
  return sym_net_end (g_steal_pointer (&net), error);
}

static SymModel *
read_collection (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (GArray) graphs = list_graphs (json);

  return read_graph_at (json, source, graphs, g_array_index (graphs, guint, 0), 0, error);
}

const SymIoFormat sym_model_explorer_format = {
  .name = "model-explorer",
  .title = "Model Explorer graph",
  .versions = "0.1",
  .limits = "shapes are those stored, without numbers; does not run",
  .suffix = ".me.json",
  .score = score,
  .read = read_collection,
  .write = sym_model_explorer_write,
  .is_view = TRUE,
};
