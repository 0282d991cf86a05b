/* SPDX-License-Identifier: MIT */
#include "io/sym-flow.h"
#include "io/sym-model-explorer-private.h"

#include <string.h>

/* A collection of graphs: the model, and what is inside of its layers.  What a layer uses that no
 * node makes, its parameters, is told by the metadata of its inputs. */

#define MAX_GRAPHS 10000

typedef struct {
  GString *text;
  SymProblems *notes;
  GPtrArray *bodies; /* of Body, also those that are still to be written */
  SymNaming *names;  /* of graphs */

  /* Of the graph that is written: its parameters are told apart by their names. */
  SymNaming *parameters;
  GHashTable *parameter_names; /* by value */
  GHashTable *outputs;         /* their numbers + 1, by value; NULL where they need not be told */
  GPtrArray *ids;              /* of its nodes */
  SymModelExplorerKept kept;   /* of the node that is written */
} Writer;

typedef struct {
  const SymModel *model;
  const SymInference *inference;
  const char *name;
  guint graph; /* of the file, SYM_JSON_NONE for none */
} Body;

/* What is written of a node, a graph and a collection. */
static const char *const node_members[] = {
  "id",    "label",         "namespace",      "subgraphIds",
  "attrs", "incomingEdges", "inputsMetadata", "outputsMetadata",
  NULL
};
static const char *const graph_members[] = { "id", "nodes", NULL };
static const char *const collection_members[] = { "label", "graphs", "subgraphs",
                                                  "graphCollections", NULL };

/* ---- Texts ---- */

static void
append_member (Writer *self, const char *key, const char *text)
{
  if (self->text->str[self->text->len - 1] != '{')
    g_string_append (self->text, ", ");
  g_string_append_printf (self->text, "\"%s\": ", key);
  sym_json_append_string (self->text, text);
}

/* The next element of a list, {"key": ..., "value": ...}. */
static void
append_attribute (Writer *self, const char *key, const char *text)
{
  if (self->text->str[self->text->len - 1] != '[')
    g_string_append (self->text, ", ");
  g_string_append (self->text, "{\"key\": ");
  sym_json_append_string (self->text, key);
  g_string_append (self->text, ", \"value\": ");
  sym_json_append_string (self->text, text);
  g_string_append_c (self->text, '}');
}

/* ---- Outputs ---- */

/* Outputs that nodes make, or are; one that is several is told once. */
static GArray *
list_outputs (const SymFlow *flow)
{
  SymIds outputs = sym_model_get_outputs (flow->model);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] != SYM_NO_ID &&
        sym_role_is_data (sym_model_get_role (flow->model, outputs.ids[i])) &&
        g_hash_table_add (seen, GUINT_TO_POINTER (outputs.ids[i])))
      g_array_append_val (list, outputs.ids[i]);
  return list;
}

/* Whether they are what nothing uses, in order, as readers take for them. */
static gboolean
are_unused (const SymFlow *flow, const GArray *outputs)
{
  guint n = 0;

  for (guint i = 0; i < flow->nodes->len; i++)
    {
      const SymFlowNode *node = sym_flow_get_node (flow, i);
      SymIds values = sym_flow_get_values (flow, node);

      for (guint k = 0; node->is_call && k < values.n; k++)
        if (sym_model_get_consumers (flow->model, values.ids[k]).n == 0 &&
            (n == outputs->len || g_array_index (outputs, SymId, n++) != values.ids[k]))
          return FALSE;
    }
  return n == outputs->len;
}

static GHashTable *
number_outputs (const SymFlow *flow)
{
  g_autoptr (GArray) outputs = list_outputs (flow);
  GHashTable *numbers;

  if (are_unused (flow, outputs))
    return NULL;
  numbers = g_hash_table_new (NULL, NULL);
  for (guint i = outputs->len; i-- > 0;)
    g_hash_table_insert (numbers, GUINT_TO_POINTER (g_array_index (outputs, SymId, i)),
                         GUINT_TO_POINTER (i + 1));
  return numbers;
}

static void
append_output_number (Writer *self, SymId value)
{
  guint number =
      self->outputs == NULL
          ? 0
          : GPOINTER_TO_UINT (g_hash_table_lookup (self->outputs, GUINT_TO_POINTER (value)));
  g_autofree char *text = g_strdup_printf ("%u", number - 1);

  if (number > 0)
    append_attribute (self, SYM_MODEL_EXPLORER_OUTPUT, text);
}

/* ---- Types ---- */

/* "float32[1,64,56,56]"; without brackets nothing is known of the shape. */
static void
append_type (Writer *self, const SymFlow *flow, SymId value)
{
  SymType type = sym_flow_get_type (flow, value);
  g_autofree char *shape = sym_flow_format_shape (flow, value, ",");
  const char *dtype = type.kind != SYM_KIND_TENSOR || type.dtype == SYM_DTYPE_UNKNOWN
                          ? ""
                          : sym_dtype_to_string (type.dtype);
  g_autofree char *text = shape == NULL ? NULL : g_strdup_printf ("%s[%s]", dtype, shape);

  if (text != NULL)
    append_attribute (self, "tensor_shape", text);
  else if (dtype[0] != '\0')
    append_attribute (self, "tensor_dtype", dtype);
}

/* ---- Nodes ---- */

static const char *
get_name (Writer *self, const SymFlow *flow, SymId value, gboolean is_parameter)
{
  const char *name = sym_model_get_value_name (flow->model, value);
  const char *taken;

  if (!is_parameter)
    return name;
  taken = g_hash_table_lookup (self->parameter_names, GUINT_TO_POINTER (value));
  if (taken == NULL)
    {
      taken = sym_naming_take (self->parameters, "parameter",
                               name == NULL || name[0] == '\0' ? NULL : name);
      g_hash_table_insert (self->parameter_names, GUINT_TO_POINTER (value), (gpointer) taken);
    }
  return taken;
}

static void
append_role (Writer *self, const SymModel *model, SymId value)
{
  SymRole role = sym_model_get_role (model, value);
  SymParameter *parameter = sym_model_get_parameter (model, value);

  append_attribute (self, SYM_MODEL_EXPLORER_ROLE, sym_role_to_string (role));
  if (role == SYM_ROLE_PARAMETER && parameter != NULL && !sym_parameter_get_trainable (parameter))
    append_attribute (self, SYM_MODEL_EXPLORER_TRAINABLE, "False");
}

static void
append_metadata (Writer *self, const SymFlow *flow, guint id, SymId value, gboolean is_parameter)
{
  GHashTable *index = is_parameter ? self->kept.inputs : self->kept.outputs;
  guint known = index == NULL ? SYM_JSON_NONE : sym_model_explorer_look_up (index, id);

  if (self->text->str[self->text->len - 1] != '[')
    g_string_append (self->text, ", ");
  g_string_append_printf (self->text, "{\"id\": \"%u\", \"attrs\": [", id);
  append_attribute (self, "tensor_name", get_name (self, flow, value, is_parameter));
  if (!sym_model_explorer_keep_type (self->text, self->kept.json, known, flow, value))
    append_type (self, flow, value);
  if (is_parameter)
    append_role (self, flow->model, value);
  else
    append_output_number (self, value);
  sym_model_explorer_keep_attributes (self->text, self->kept.json, known);
  g_string_append (self->text, "]}");
}

static void
append_parameters (Writer *self, const SymFlow *flow, const SymFlowNode *node)
{
  SymIds operands = sym_model_get_operands (flow->model, node->id);
  gsize start = self->text->len;
  gsize begun;

  g_string_append (self->text, ",\n       \"inputsMetadata\": [");
  begun = self->text->len;
  sym_model_explorer_keep_inputs (self->text, &self->kept, operands.n);
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID &&
        sym_model_explorer_find_open_edge (&self->kept, flow->model, i, operands.ids[i]) ==
            SYM_JSON_NONE &&
        !sym_role_is_data (sym_model_get_role (flow->model, operands.ids[i])))
      append_metadata (self, flow, i, operands.ids[i], TRUE);
  if (self->text->len == begun)
    g_string_truncate (self->text, start);
  else
    g_string_append_c (self->text, ']');
}

static void
append_line (Writer *self, const SymFlowLine *edge)
{
  static const char *const own[] = { "sourceNodeId", "sourceNodeOutputId", "targetNodeInputId",
                                     NULL };
  const SymModelExplorerKept *kept = &self->kept;
  guint known =
      kept->edges == NULL ? SYM_JSON_NONE : sym_model_explorer_look_up (kept->edges, edge->operand);
  const char *source = g_ptr_array_index (self->ids, edge->from);

  append_member (self, "sourceNodeId", source);
  g_string_append_printf (self->text,
                          ", \"sourceNodeOutputId\": \"%u\", \"targetNodeInputId\": \"%u\"",
                          edge->output, edge->operand);
  if (sym_json_string_equals (kept->json, sym_json_get_member (kept->json, known, own[0]), source))
    sym_model_explorer_append_others (self->text, kept->json, known, own);
  g_string_append_c (self->text, '}');
}

static void
append_open_lines (Writer *self, const SymFlow *flow, const SymFlowNode *node, const char **mark)
{
  SymIds operands =
      node->is_call ? sym_model_get_operands (flow->model, node->id) : (SymIds){ NULL, 0 };

  for (guint i = 0; i < operands.n; i++)
    {
      guint edge = sym_model_explorer_find_open_edge (&self->kept, flow->model, i, operands.ids[i]);

      if (edge == SYM_JSON_NONE)
        continue;
      g_string_append (self->text, *mark);
      sym_model_explorer_append_text (self->text, self->kept.json, edge);
      *mark = ", ";
    }
}

/* Lines are sorted by the node that they come to; *@line is the first one of this node. */
static void
append_lines (Writer *self, const SymFlow *flow, guint node, guint *line)
{
  const char *mark = ",\n       \"incomingEdges\": [";
  gsize start = self->text->len;

  for (; *line < flow->lines->len && sym_flow_get_line (flow, *line)->to == node; ++*line)
    {
      g_string_append (self->text, mark);
      g_string_append_c (self->text, '{');
      append_line (self, sym_flow_get_line (flow, *line));
      mark = ", ";
    }
  append_open_lines (self, flow, sym_flow_get_node (flow, node), &mark);
  if (self->text->len > start)
    g_string_append_c (self->text, ']');
}

static void
append_outputs (Writer *self, const SymFlow *flow, const SymFlowNode *node)
{
  SymIds values = sym_flow_get_values (flow, node);

  if (values.n == 0)
    return;
  g_string_append (self->text, ",\n       \"outputsMetadata\": [");
  for (guint i = 0; i < values.n; i++)
    if (sym_model_get_role (flow->model, values.ids[i]) != SYM_ROLE_ABSENT)
      append_metadata (self, flow, i, values.ids[i], FALSE);
  g_string_append_c (self->text, ']');
}

static void
append_attributes (Writer *self, const SymFlow *flow, const SymFlowNode *node)
{
  const SymAttributes *attributes = sym_flow_get_attributes (flow, node);

  if (sym_attributes_get_n (attributes) == 0)
    return;
  g_string_append (self->text, ",\n       \"attrs\": [");
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *text = NULL;

      if (sym_model_explorer_keep_attribute (self->text, &self->kept, attributes, i))
        continue;
      text = sym_flow_format_attribute (attributes, i);
      append_attribute (self, sym_attributes_get_name (attributes, i), text);
    }
  g_string_append_c (self->text, ']');
}

/* Whether both have the same layers, applied to the same. */
static gboolean
are_same (const SymModel *a, const SymModel *b)
{
  guint n = sym_model_get_n_calls (a);
  gboolean is_same =
      n == sym_model_get_n_calls (b) && sym_model_get_n_values (a) == sym_model_get_n_values (b);

  for (SymId i = 0; is_same && i < n; i++)
    {
      SymIds first, second;

      is_same = sym_model_has_call (a, i) && sym_model_has_call (b, i);
      if (!is_same)
        break;
      first = sym_model_get_operands (a, i);
      second = sym_model_get_operands (b, i);
      is_same = g_strcmp0 (sym_model_get_call_name (a, i), sym_model_get_call_name (b, i)) == 0 &&
                sym_attributes_work_equal (sym_layer_get_attributes (sym_model_get_layer (a, i)),
                                           sym_layer_get_attributes (sym_model_get_layer (b, i))) &&
                first.n == second.n &&
                (first.n == 0 || memcmp (first.ids, second.ids, first.n * sizeof (SymId)) == 0);
    }
  return is_same;
}

/* The same graph of the file, in which layers share it. */
static const char *
find_body (Writer *self, const SymModel *model, guint graph)
{
  for (guint i = 0; graph != SYM_JSON_NONE && i < self->bodies->len; i++)
    {
      const Body *body = g_ptr_array_index (self->bodies, i);

      if (body->graph == graph && are_same (body->model, model))
        return body->name;
    }
  return NULL;
}

static const char *
add_body (Writer *self, const SymModel *model, const SymInference *inference, const char *wanted)
{
  const SymModelExplorerOrigin *origin = sym_model_explorer_get_origin (model);
  gboolean is_ours = origin != NULL && origin->json == self->kept.json;
  g_autofree char *id =
      origin == NULL ? NULL
                     : sym_json_dup_string (
                           origin->json, sym_json_get_member (origin->json, origin->graph, "id"));
  guint graph = is_ours ? origin->graph : SYM_JSON_NONE;
  const char *known = find_body (self, model, graph);
  Body *body;

  if (known != NULL)
    return known;
  body = g_new0 (Body, 1);
  *body = (Body){ model, inference, NULL, graph };
  body->name = sym_naming_take (self->names, "graph", id != NULL && id[0] != '\0' ? id : wanted);
  g_ptr_array_add (self->bodies, body);
  return body->name;
}

/* What is inside of a layer is a graph of its own, to be written after this one. */
static void
append_bodies (Writer *self, const SymFlow *flow, const SymFlowNode *node)
{
  SymLayer *layer = node->is_call ? sym_model_get_layer (flow->model, node->id) : NULL;
  guint n = layer == NULL ? 0 : sym_layer_get_n_bodies (layer);

  for (guint i = 0; i < n; i++)
    {
      const char *name;
      const SymModel *model = sym_layer_get_body (layer, i, &name);
      const SymInference *inference =
          flow->inference == NULL ? NULL : sym_inference_get_body (flow->inference, node->id, i);
      g_autofree char *wanted = g_strdup_printf ("%s/%s", node->name, name == NULL ? "body" : name);

      g_string_append (self->text, i == 0 ? ",\n       \"subgraphIds\": [" : ", ");
      sym_json_append_string (self->text, add_body (self, model, inference, wanted));
    }
  if (n > 0)
    g_string_append_c (self->text, ']');
}

/* A name with a path has its groups in it, as the file had them. */
static char *
make_namespace (Writer *self, const SymFlowNode *node)
{
  const SymJson *json = self->kept.json;
  char *scope =
      self->kept.node == SYM_JSON_NONE
          ? g_strndup (node->name, node->scope)
          : sym_json_dup_string (json, sym_json_get_member (json, self->kept.node, "namespace"));

  if (scope == NULL)
    return g_strdup ("");
  if (self->kept.node == SYM_JSON_NONE && strchr (node->name, '/') == NULL)
    g_strdelimit (scope, ".", '/');
  return scope;
}

/* A node without a label is called by its id. */
static const char *
get_label (const Writer *self, const SymFlowNode *node)
{
  const SymJson *json = self->kept.json;
  guint label = sym_json_get_member (json, self->kept.node, "label");

  return sym_json_string_equals (json, label, "") ? "" : node->type;
}

static void
append_node (Writer *self, const SymFlow *flow, guint i, guint *line)
{
  const SymFlowNode *node = sym_flow_get_node (flow, i);
  g_autofree char *scope = make_namespace (self, node);

  g_string_append (self->text, i == 0 ? "\n      {" : ",\n      {");
  append_member (self, "id", g_ptr_array_index (self->ids, i));
  append_member (self, "label", get_label (self, node));
  append_member (self, "namespace", scope);
  append_bodies (self, flow, node);
  append_attributes (self, flow, node);
  append_lines (self, flow, i, line);
  if (node->is_call)
    append_parameters (self, flow, node);
  append_outputs (self, flow, node);
  sym_model_explorer_append_others (self->text, self->kept.json, self->kept.node, node_members);
  g_string_append_c (self->text, '}');
}

/* ---- Graphs ---- */

static void
append_nodes (Writer *self, const SymFlow *flow, const SymModelExplorerOrigin *origin)
{
  const SymJson *json = self->kept.json;
  g_autofree guint *nodes = sym_model_explorer_list_nodes (origin, flow);
  g_autoptr (SymNaming) names = sym_naming_new (&sym_naming_symbolic);
  g_autoptr (GPtrArray) ids = sym_model_explorer_make_ids (flow, json, nodes, names);
  guint line = 0;

  self->ids = ids;
  for (guint i = 0; i < flow->nodes->len; i++)
    {
      sym_model_explorer_kept_init (&self->kept, json, nodes[i]);
      append_node (self, flow, i, &line);
      sym_model_explorer_kept_clear (&self->kept);
    }
  self->kept.node = SYM_JSON_NONE;
}

static void
append_graph (Writer *self, const Body *body, gboolean is_first)
{
  g_autoptr (SymFlow) flow = sym_flow_new (body->model, body->inference);
  g_autoptr (SymNaming) parameters = sym_naming_new (&sym_naming_symbolic);
  g_autoptr (GHashTable) parameter_names = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) outputs = number_outputs (flow);

  self->parameters = parameters;
  self->parameter_names = parameter_names;
  self->outputs = outputs;
  g_string_append (self->text, is_first ? "\n    {" : ",\n    {");
  append_member (self, "id", body->name);
  sym_model_explorer_append_others (self->text, self->kept.json, body->graph, graph_members);
  g_string_append (self->text, ",\n     \"nodes\": [");
  append_nodes (self, flow,
                body->graph == SYM_JSON_NONE ? NULL : sym_model_explorer_get_origin (body->model));
  g_string_append (self->text, "]}");
  sym_flow_note_losses (flow, SYM_FLOW_LOSES_CONTROLS, self->notes);
}

/* Graphs of the file that no layer holds, as they were. */
static void
append_rest (Writer *self)
{
  const SymJson *json = self->kept.json;
  g_autoptr (GArray) graphs = sym_model_explorer_list_graphs (json);
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->bodies->len; i++)
    g_hash_table_add (written,
                      GUINT_TO_POINTER (((Body *) g_ptr_array_index (self->bodies, i))->graph));
  for (guint i = 0; i < graphs->len; i++)
    {
      guint graph = g_array_index (graphs, guint, i);

      if (g_hash_table_contains (written, GUINT_TO_POINTER (graph)))
        continue;
      g_string_append (self->text, ",\n    ");
      sym_model_explorer_append_text (self->text, json, graph);
    }
}

static gboolean
append_graphs (Writer *self, GError **error)
{
  g_string_append (self->text, ",\n  \"graphs\": [");
  for (guint i = 0; i < self->bodies->len; i++)
    {
      if (i == MAX_GRAPHS)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                       "there are more than %d graphs inside of layers", MAX_GRAPHS);
          return FALSE;
        }
      append_graph (self, g_ptr_array_index (self->bodies, i), i == 0);
    }
  append_rest (self);
  g_string_append_c (self->text, ']');
  return TRUE;
}

/* The file that the model was read from, an empty one for none. */
static SymJson *
get_file (const SymModel *model)
{
  const SymModelExplorerOrigin *origin = sym_model_explorer_get_origin (model);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("{}", 2);

  return origin != NULL ? sym_json_ref (origin->json) : sym_json_parse (bytes, NULL, NULL);
}

/* What collections in a list are called: it becomes one. */
static void
note_labels (const Writer *self)
{
  const SymJson *json = self->kept.json;
  guint answer = sym_json_get_member (json, 0, "graphCollections");
  guint list = answer == SYM_JSON_NONE ? 0 : answer;

  if (self->notes == NULL || sym_json_get_kind (json, list) != SYM_JSON_ARRAY)
    return;
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      guint label = sym_json_get_member (json, i.value, "label");
      g_autofree char *text = sym_json_dup_excerpt (json, label);

      if (label != SYM_JSON_NONE)
        sym_problems_add (self->notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                          "that a collection of graphs is called %s is not written", text);
    }
}

/* What a collection says beside its graphs. */
static void
append_collection (Writer *self)
{
  const SymJson *json = self->kept.json;

  if (sym_json_get_member (json, 0, "nodes") == SYM_JSON_NONE)
    sym_model_explorer_append_others (self->text, json, 0, collection_members);
  note_labels (self);
}

/* A body that layers share is written for each of them, as its types may differ: but not one that
 * the file has once. */
gboolean
sym_model_explorer_write (SymModel *model,
                          const SymInference *inference,
                          const char *path,
                          SymProblems *notes,
                          GError **error)
{
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (GPtrArray) bodies = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SymNaming) names = sym_naming_new (&sym_naming_symbolic);
  g_autoptr (SymJson) json = get_file (model);
  Writer self = { .text = text, .notes = notes, .bodies = bodies, .names = names };
  const char *name = sym_model_get_name (model);
  const char *first;

  self.kept = (SymModelExplorerKept){ .json = json, .node = SYM_JSON_NONE };
  first = add_body (&self, model, inference, name == NULL || name[0] == '\0' ? NULL : name);
  append_member (&self, "label", name == NULL || name[0] == '\0' ? first : name);
  append_collection (&self);
  if (!append_graphs (&self, error))
    return FALSE;
  g_string_append (text, "}\n");
  return sym_io_write_text (path, text->str, text->len, error);
}
