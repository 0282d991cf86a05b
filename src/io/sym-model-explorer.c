/* SPDX-License-Identifier: MIT */
#include "io/sym-model-explorer-private.h"
#include "io/sym-net.h"

#include <string.h>

/* Google's Model Explorer graphs (JSON, 0.1): nodes with labels and namespaces, and the edges that
 * come in.  A document is {"label", "graphs"}, a list of such collections ("subgraphs"), as its
 * adapters answer {"graphCollections"}, a list of graphs, or one graph. */

#define MAX_DEPTH 16
#define MAX_EMPTY_SLOTS 16 /* one after the other; more are no operands of any layer */

/* ---- Nodes ---- */

typedef struct {
  const SymIoSource *source;
  GHashTable *graphs; /* id to token + 1 */
  GHashTable *others; /* token + 1 of those that no node holds, the main one aside */
  guint64 *spent;     /* on bodies: see sym_net_take_body() */
  guint depth;        /* of graphs, this one included */
  GHashTable *calls;  /* id of a node to its call + 1 */
  GArray *outputs;    /* of Output */
  guint n_missing;
  guint first_missing;
} Walk;

/* What the metadata says to be an output of the graph. */
typedef struct {
  guint64 number;
  char *key;
} Output;

static SymModel *read_graph_at (SymJson *json, const Walk *around, guint graph, GError **error);

/* Of several with one id the first. */
static GHashTable *
list_ids (const SymJson *json, const GArray *graphs)
{
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = graphs->len; i-- > 0;)
    {
      guint graph = g_array_index (graphs, guint, i);
      char *id = sym_json_dup_string (json, sym_json_get_member (json, graph, "id"));

      if (id != NULL)
        g_hash_table_insert (ids, id, GUINT_TO_POINTER (graph + 1));
    }
  return ids;
}

/* Why graph @token - 1 is not shown; NULL for no reason. */
static const char *
refuse_graph (const SymNet *net, const Walk *walk, guint token)
{
  if (token == 0)
    return "is not in the file";
  if (walk->depth >= MAX_DEPTH)
    return "is nested too deep to be shown";
  return sym_net_take_body (net, token - 1, walk->spent)
             ? NULL
             : "is not shown: together they would be too large";
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
      g_autofree char *name = sym_json_dup_string (json, i.value);
      guint graph = name == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (walk->graphs, name));
      const char *reason = refuse_graph (net, walk, graph);
      g_autoptr (SymModel) body = NULL;

      g_hash_table_remove (walk->others, GUINT_TO_POINTER (graph));
      if (reason != NULL)
        {
          sym_net_warn (net, i.value, "graph '%s' %s", name == NULL ? "" : name, reason);
          continue;
        }
      body = read_graph_at (json, walk, graph - 1, error);
      if (body == NULL)
        return FALSE;
      sym_layer_add_body (layer, skip_prefix (name, id), body, FALSE);
    }
  return TRUE;
}

/* The namespace makes the group; of several, "a;b/c", the last one counts, and it may be in the id
 * already.  A number as id says nothing to people, the label does. */
char *
sym_model_explorer_make_name (const SymJson *json, guint node, const char *id, const char *label)
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

gboolean
sym_model_explorer_are_ordered (const SymJson *json, guint outputs)
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
clear_output (gpointer data)
{
  g_free (((Output *) data)->key);
}

static int
compare_outputs (gconstpointer a, gconstpointer b)
{
  const Output *first = a;
  const Output *second = b;

  return first->number == second->number ? 0 : first->number < second->number ? -1 : 1;
}

static void
note_output (Walk *walk, const SymAttributes *attributes, const char *key)
{
  const char *text = sym_attributes_get_string (attributes, SYM_MODEL_EXPLORER_OUTPUT, "");
  Output output = { 0, NULL };

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &output.number, NULL))
    return;
  output.key = g_strdup (key);
  g_array_append_val (walk->outputs, output);
}

static void
add_results (SymNet *net, Walk *walk, SymId call, guint node, const char *id)
{
  const SymJson *json = sym_net_get_json (net);
  guint outputs = sym_json_get_member (json, node, "outputsMetadata");
  gboolean is_ordered = sym_model_explorer_are_ordered (json, outputs);

  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *output = sym_net_dup_key (json, sym_json_get_member (json, i.value, "id"));
      g_autofree char *key = make_key (id, output == NULL ? "0" : output);
      g_autoptr (SymAttributes) attributes =
          sym_model_explorer_read_attributes (net, sym_json_get_member (json, i.value, "attrs"));
      SymType type = sym_model_explorer_read_type (net, attributes);

      note_output (walk, attributes, key);
      if (is_ordered)
        add_absent (net, call, id, output);
      sym_net_add_result (net, call, key,
                          sym_attributes_get_string (attributes, "tensor_name", NULL), &type);
    }
}

gboolean
sym_model_explorer_is_input (const SymJson *json, guint node, const char *label)
{
  guint edges = sym_json_get_member (json, node, "incomingEdges");
  guint outputs = sym_json_get_member (json, node, "outputsMetadata");

  return strcmp (label, "Input") == 0 && sym_json_get_element (json, edges, 0) == SYM_JSON_NONE &&
         sym_json_get_element (json, outputs, 1) == SYM_JSON_NONE;
}

static void
add_input (SymNet *net, Walk *walk, guint node, const char *id, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  guint output =
      sym_json_get_element (json, sym_json_get_member (json, node, "outputsMetadata"), 0);
  g_autofree char *number = sym_net_dup_key (json, sym_json_get_member (json, output, "id"));
  g_autofree char *key = make_key (id, number == NULL ? "0" : number);
  g_autoptr (SymAttributes) attributes =
      sym_model_explorer_read_attributes (net, sym_json_get_member (json, output, "attrs"));
  SymType type = sym_model_explorer_read_type (net, attributes);

  note_output (walk, attributes, key);
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

  name = sym_model_explorer_make_name (json, node, id, label);
  if (sym_model_explorer_is_input (json, node, label))
    {
      add_input (net, walk, node, id, name);
      return TRUE;
    }
  attributes = sym_model_explorer_read_attributes (net, sym_json_get_member (json, node, "attrs"));
  layer = sym_layer_new (label[0] == '\0' ? id : label, NULL, attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, node, id, layer, error))
    return FALSE;
  call = sym_net_add_layer (net, name, layer, node);
  add_results (net, walk, call, node, id);
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
          sym_model_explorer_read_attributes (net, sym_json_get_member (json, i.value, "attrs"));
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
      sym_model_explorer_read_attributes (net, sym_json_get_member (json, input, "attrs"));
  const char *name = sym_attributes_get_string (attributes, "tensor_name", "parameter");
  const char *role = sym_attributes_get_string (attributes, SYM_MODEL_EXPLORER_ROLE, "");
  g_autofree char *key = g_strconcat (":", name, NULL); /* nodes have something before it */
  SymType type = sym_model_explorer_read_type (net, attributes);

  if (sym_net_find (net, key) == SYM_NO_ID)
    {
      SymId value = sym_net_add_value (net, key, name, parse_role (role), &type, input);

      if (sym_attributes_find (attributes, SYM_MODEL_EXPLORER_TRAINABLE) != NULL)
        sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                         sym_parameter_new (FALSE, NULL));
    }
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

static void
tell_outputs (SymNet *net, GArray *outputs)
{
  g_array_sort (outputs, compare_outputs);
  for (guint i = 0; i < outputs->len; i++)
    sym_net_add_output (net, g_array_index (outputs, Output, i).key);
}

/* By what the collection is called, or else its main graph. */
static void
set_name (SymNet *net, guint graph)
{
  const SymJson *json = sym_net_get_json (net);
  guint label = sym_json_get_member (json, 0, "label");
  g_autofree char *name = sym_json_dup_string (
      json, label == SYM_JSON_NONE ? sym_json_get_member (json, graph, "id") : label);

  if (name != NULL && name[0] != '\0')
    sym_model_builder_set_name (sym_net_get_builder (net), name);
}

static SymModel *
read_graph_at (SymJson *json, const Walk *around, guint graph, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (around->source, json, "model-explorer");
  g_autoptr (GHashTable) calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint nodes = sym_json_get_member (json, graph, "nodes");
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (Output));
  Walk walk = { .source = around->source,
                .graphs = around->graphs,
                .others = around->others,
                .spent = around->spent,
                .depth = around->depth + 1,
                .calls = calls,
                .outputs = outputs };

  g_array_set_clear_func (outputs, clear_output);
  sym_model_builder_set_origin (sym_net_get_builder (net), "model-explorer",
                                sym_model_explorer_origin_new (json, graph),
                                sym_model_explorer_origin_free);
  if (!sym_json_expect (json, nodes, SYM_JSON_ARRAY, "'nodes'", error) ||
      !sym_net_visit (net, nodes, add_node, &walk, error) ||
      !sym_net_visit (net, nodes, add_operands, &walk, error))
    return NULL;
  complete (net, &walk);
  if (walk.depth == 1)
    set_name (net, graph);
  if (walk.depth == 1 && g_hash_table_size (walk.others) > 0)
    sym_net_warn (net, graph, "graphs that no node holds are not shown: %u of them",
                  g_hash_table_size (walk.others));
  tell_outputs (net, outputs);
  return sym_net_end (g_steal_pointer (&net), error);
}

static SymModel *
read_collection (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (GArray) graphs = sym_model_explorer_list_graphs (json);
  g_autoptr (GHashTable) ids = list_ids (json, graphs);
  g_autoptr (GHashTable) others = g_hash_table_new (NULL, NULL);
  guint64 spent = 0;
  Walk walk = { .source = source, .graphs = ids, .others = others, .spent = &spent };

  for (guint i = 1; i < graphs->len; i++)
    g_hash_table_add (others, GUINT_TO_POINTER (g_array_index (graphs, guint, i) + 1));
  return read_graph_at (json, &walk, g_array_index (graphs, guint, 0), error);
}

const SymIoFormat sym_model_explorer_format = {
  .name = "model-explorer",
  .title = "Model Explorer graph",
  .versions = "0.1",
  .limits = "shapes are those stored, without numbers; does not run",
  .suffix = ".me.json",
  .score = sym_model_explorer_score,
  .read = read_collection,
  .write = sym_model_explorer_write,
  .is_view = TRUE,
};
