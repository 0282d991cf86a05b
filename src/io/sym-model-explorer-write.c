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
} Writer;

typedef struct {
  const SymModel *model;
  const SymInference *inference;
  const char *name;
} Body;

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
  if (self->text->str[self->text->len - 1] != '[')
    g_string_append (self->text, ", ");
  g_string_append_printf (self->text, "{\"id\": \"%u\", \"attrs\": [", id);
  append_attribute (self, "tensor_name", get_name (self, flow, value, is_parameter));
  append_type (self, flow, value);
  if (is_parameter)
    append_role (self, flow->model, value);
  else
    append_output_number (self, value);
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
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID &&
        !sym_role_is_data (sym_model_get_role (flow->model, operands.ids[i])))
      append_metadata (self, flow, i, operands.ids[i], TRUE);
  if (self->text->len == begun)
    g_string_truncate (self->text, start);
  else
    g_string_append_c (self->text, ']');
}

/* Lines are sorted by the node that they come to; *@line is the first one of this node. */
static void
append_lines (Writer *self, const SymFlow *flow, guint node, guint *line)
{
  gboolean is_first = TRUE;

  for (; *line < flow->lines->len && sym_flow_get_line (flow, *line)->to == node; ++*line)
    {
      const SymFlowLine *edge = sym_flow_get_line (flow, *line);

      g_string_append (self->text, is_first ? ",\n       \"incomingEdges\": [{" : ", {");
      append_member (self, "sourceNodeId", sym_flow_get_node (flow, edge->from)->name);
      g_string_append_printf (self->text,
                              ", \"sourceNodeOutputId\": \"%u\", \"targetNodeInputId\": \"%u\"}",
                              edge->output, edge->operand);
      is_first = FALSE;
    }
  if (!is_first)
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
      g_autofree char *text = sym_flow_format_attribute (attributes, i);

      append_attribute (self, sym_attributes_get_name (attributes, i), text);
    }
  g_string_append_c (self->text, ']');
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
      Body *body = g_new0 (Body, 1);
      g_autofree char *wanted = NULL;

      body->model = sym_layer_get_body (layer, i, &name);
      body->inference =
          flow->inference == NULL ? NULL : sym_inference_get_body (flow->inference, node->id, i);
      wanted = g_strdup_printf ("%s/%s", node->name, name == NULL ? "body" : name);
      body->name = sym_naming_take (self->names, "body", wanted);
      g_ptr_array_add (self->bodies, body);
      g_string_append (self->text, i == 0 ? ",\n       \"subgraphIds\": [" : ", ");
      sym_json_append_string (self->text, body->name);
    }
  if (n > 0)
    g_string_append_c (self->text, ']');
}

static void
append_node (Writer *self, const SymFlow *flow, guint i, guint *line)
{
  const SymFlowNode *node = sym_flow_get_node (flow, i);
  g_autofree char *scope = g_strndup (node->name, node->scope);

  if (strchr (scope, '/') == NULL && strchr (node->name, '/') == NULL)
    g_strdelimit (scope, ".", '/');
  g_string_append (self->text, i == 0 ? "\n      {" : ",\n      {");
  append_member (self, "id", node->name);
  append_member (self, "label", node->type);
  append_member (self, "namespace", scope);
  append_bodies (self, flow, node);
  append_attributes (self, flow, node);
  append_lines (self, flow, i, line);
  if (node->is_call)
    append_parameters (self, flow, node);
  append_outputs (self, flow, node);
  g_string_append_c (self->text, '}');
}

/* ---- Graphs ---- */

static void
append_graph (Writer *self, const Body *body, gboolean is_first)
{
  g_autoptr (SymFlow) flow = sym_flow_new (body->model, body->inference);
  g_autoptr (SymNaming) parameters = sym_naming_new (&sym_naming_symbolic);
  g_autoptr (GHashTable) parameter_names = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) outputs = number_outputs (flow);
  guint line = 0;

  self->parameters = parameters;
  self->parameter_names = parameter_names;
  self->outputs = outputs;
  g_string_append (self->text, is_first ? "\n    {" : ",\n    {");
  append_member (self, "id", body->name);
  g_string_append (self->text, ",\n     \"nodes\": [");
  for (guint i = 0; i < flow->nodes->len; i++)
    append_node (self, flow, i, &line);
  g_string_append (self->text, "]}");
  sym_flow_note_losses (flow, SYM_FLOW_LOSES_CONTROLS, self->notes);
}

/* A body that layers share is written for each of them, as its types may differ. */
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
  Writer self = { .text = text, .notes = notes, .bodies = bodies, .names = names };
  const char *name = sym_model_get_name (model);
  Body *first = g_new0 (Body, 1);

  *first = (Body){ model, inference, NULL };
  first->name = sym_naming_take (names, "graph", name == NULL || name[0] == '\0' ? NULL : name);
  g_ptr_array_add (bodies, first);
  append_member (&self, "label", first->name);
  g_string_append (text, ",\n  \"graphs\": [");
  for (guint i = 0; i < bodies->len; i++)
    {
      if (i == MAX_GRAPHS)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                       "there are more than %d graphs inside of layers", MAX_GRAPHS);
          return FALSE;
        }
      append_graph (&self, g_ptr_array_index (bodies, i), i == 0);
    }
  g_string_append (text, "]}\n");
  return sym_io_write_text (path, text->str, text->len, error);
}
