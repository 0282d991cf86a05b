/* SPDX-License-Identifier: MIT */
#include "io/sym-flow.h"

#include <string.h>

/* GraphML 1.0, for tools that look at graphs of any kind: what is known of nodes and edges is data
 * of keys that are declared at the start. */

typedef struct {
  const char *id;
  const char *domain; /* "node" or "edge" */
  const char *type;
} Key;

static const Key keys[] = {
  { "name", "node", "string" },       { "type", "node", "string" },
  { "group", "node", "string" },      { "shapes", "node", "string" },
  { "dtypes", "node", "string" },     { "attributes", "node", "string" },
  { "parameters", "node", "string" }, { "output", "node", "boolean" },
  { "tensor", "edge", "string" },     { "shape", "edge", "string" },
  { "dtype", "edge", "string" },      { "source_output", "edge", "int" },
  { "target_input", "edge", "int" },  { "control", "edge", "boolean" },
};

typedef struct {
  GString *text;
  const SymFlow *flow;
} Writer;

/* XML 1.0 has no place for most control characters, not even escaped. */
static void
append_escaped (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = NULL;

  for (char *at = valid; *at != '\0'; at++)
    if ((guchar) *at < 0x20 && *at != '\t' && *at != '\n')
      *at = '?';
  escaped = g_markup_escape_text (valid, -1);
  g_string_append (out, escaped);
}

static void
append_data (Writer *self, const char *key, const char *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  g_string_append_printf (self->text, "<data key=\"%s\">", key);
  append_escaped (self->text, text);
  g_string_append (self->text, "</data>");
}

static const char *
get_dtype (const SymFlow *flow, SymId value)
{
  SymType type = sym_flow_get_type (flow, value);

  return type.kind == SYM_KIND_TENSOR && type.dtype != SYM_DTYPE_UNKNOWN
             ? sym_dtype_to_string (type.dtype)
             : "?";
}

/* ---- Nodes ---- */

static void
append_values (Writer *self, const SymFlowNode *node)
{
  SymIds values = sym_flow_get_values (self->flow, node);
  g_autoptr (GString) shapes = g_string_new (NULL);
  g_autoptr (GString) dtypes = g_string_new (NULL);
  gboolean is_output = FALSE;

  for (guint i = 0; i < values.n; i++)
    {
      g_autofree char *shape = sym_flow_format_shape (self->flow, values.ids[i], ",");

      g_string_append_printf (shapes, "%s(%s)", i == 0 ? "" : " ",
                              shape == NULL ? "rank ?" : shape);
      g_string_append_printf (dtypes, "%s%s", i == 0 ? "" : " ",
                              get_dtype (self->flow, values.ids[i]));
      is_output = is_output || sym_model_is_output (self->flow->model, values.ids[i]);
    }
  append_data (self, "shapes", shapes->str);
  append_data (self, "dtypes", dtypes->str);
  append_data (self, "output", is_output ? "true" : NULL);
}

static void
append_attributes (Writer *self, const SymFlowNode *node)
{
  const SymAttributes *attributes = sym_flow_get_attributes (self->flow, node);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *text = sym_flow_format_attribute (attributes, i);

      g_string_append_printf (lines, "%s%s=%s", i == 0 ? "" : "\n",
                              sym_attributes_get_name (attributes, i), text);
    }
  append_data (self, "attributes", lines->str);
}

static void
append_parameters (Writer *self, const SymFlowNode *node)
{
  SymIds operands = sym_model_get_operands (self->flow->model, node->id);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];
      g_autofree char *shape = NULL;

      if (value == SYM_NO_ID || sym_role_is_data (sym_model_get_role (self->flow->model, value)))
        continue;
      shape = sym_flow_format_shape (self->flow, value, ",");
      g_string_append_printf (lines, "%s%s (%s) %s", lines->len == 0 ? "" : "\n",
                              sym_model_get_value_name (self->flow->model, value),
                              shape == NULL ? "rank ?" : shape, get_dtype (self->flow, value));
    }
  append_data (self, "parameters", lines->str);
}

static void
append_node (Writer *self, guint number)
{
  const SymFlowNode *node = sym_flow_get_node (self->flow, number);
  g_autofree char *group = g_strndup (node->name, node->scope);

  g_string_append_printf (self->text, "    <node id=\"n%u\">", number);
  append_data (self, "name", node->name);
  append_data (self, "type", node->type);
  append_data (self, "group", group);
  append_values (self, node);
  append_attributes (self, node);
  if (node->is_call)
    append_parameters (self, node);
  g_string_append (self->text, "</node>\n");
}

/* ---- Edges ---- */

static void
append_line (Writer *self, const SymFlowLine *line)
{
  g_autofree char *shape = sym_flow_format_shape (self->flow, line->value, ",");

  g_string_append_printf (self->text, "    <edge source=\"n%u\" target=\"n%u\">", line->from,
                          line->to);
  append_data (self, "tensor", sym_model_get_value_name (self->flow->model, line->value));
  append_data (self, "shape", shape);
  append_data (self, "dtype", get_dtype (self->flow, line->value));
  g_string_append_printf (self->text, "<data key=\"source_output\">%u</data>", line->output);
  g_string_append_printf (self->text, "<data key=\"target_input\">%u</data></edge>\n",
                          line->operand);
}

static void
append_control (guint before, guint node, gpointer user_data)
{
  g_string_append_printf (((Writer *) user_data)->text,
                          "    <edge source=\"n%u\" target=\"n%u\">"
                          "<data key=\"control\">true</data></edge>\n",
                          before, node);
}

/* ---- The document ---- */

static void
append_head (Writer *self)
{
  const char *name = sym_model_get_name (self->flow->model);

  g_string_append (self->text,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"\n"
                   "         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                   "         xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
                   "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_string_append_printf (self->text,
                            "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                            keys[i].id, keys[i].domain, keys[i].id, keys[i].type);
  g_string_append (self->text, "  <graph id=\"model\" edgedefault=\"directed\">\n");
  if (name != NULL && name[0] != '\0')
    {
      g_string_append (self->text, "    <desc>");
      append_escaped (self->text, name);
      g_string_append (self->text, "</desc>\n");
    }
}

static gboolean
write_graphml (SymModel *model,
               const SymInference *inference,
               const char *path,
               SymProblems *notes,
               GError **error)
{
  g_autoptr (SymFlow) flow = sym_flow_new (model, inference);
  g_autoptr (GString) text = g_string_new (NULL);
  Writer self = { text, flow };

  append_head (&self);
  for (guint i = 0; i < flow->nodes->len; i++)
    append_node (&self, i);
  for (guint i = 0; i < flow->lines->len; i++)
    append_line (&self, sym_flow_get_line (flow, i));
  sym_flow_foreach_control (flow, append_control, &self);
  g_string_append (text, "  </graph>\n</graphml>\n");
  sym_flow_note_losses (flow, SYM_FLOW_LOSES_BODIES, notes);
  return sym_io_write_text (path, text->str, text->len, error);
}

const SymIoFormat sym_graphml_format = {
  .name = "graphml",
  .title = "GraphML",
  .versions = "1.0",
  .limits = "a view, without numbers",
  .suffix = ".graphml",
  .is_view = TRUE,
  .write = write_graphml,
};
