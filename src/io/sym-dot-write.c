/* SPDX-License-Identifier: MIT */
#include "io/sym-dot-private.h"
#include "io/sym-flow.h"

#include <string.h>

/* A node for each layer, its groups as clusters.  Of a model that was read from a drawing, the
 * attributes are those of Graphviz, and are written as such; of any other, they are a comment and a
 * tooltip. */

typedef struct {
  GString *text;
  const SymFlow *flow;
  gboolean is_native;
  GArray *order; /* nodes as they were written */
} Writer;

/* ---- Texts ---- */

/* A quoted text.  Its backslashes mean something to Graphviz, unless @is_plain. */
static void
append_quoted (GString *out, const char *text, gboolean is_plain)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  gsize n_backslashes = 0;

  g_string_append_c (out, '"');
  for (const char *at = valid; *at != '\0'; at++)
    {
      n_backslashes = *at == '\\' ? n_backslashes + 1 : 0;
      if (is_plain && *at == '\n')
        {
          g_string_append (out, "\\n");
          continue;
        }
      if (*at == '"' || (is_plain && *at == '\\'))
        g_string_append_c (out, '\\');
      g_string_append_c (out, *at);
    }
  if (!is_plain && n_backslashes % 2 == 1) /* it would escape the quote */
    g_string_append_c (out, '\\');
  g_string_append_c (out, '"');
}

/* Whether the text is one <markup>, which is written without quotes. */
static gboolean
is_markup (const char *text)
{
  guint depth = 0;

  for (const char *at = text; *at != '\0'; at++)
    {
      if (*at == '>' && depth == 0)
        return FALSE;
      depth += *at == '<';
      depth -= *at == '>';
      if (depth == 0)
        return at > text && at[1] == '\0';
    }
  return FALSE;
}

static void
append_native (Writer *self, const SymAttributes *attributes)
{
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const char *text = sym_value_get_string (sym_attributes_get_value (attributes, i));

      if (text == NULL)
        continue;
      g_string_append (self->text, i == 0 ? " [" : ", ");
      append_quoted (self->text, sym_attributes_get_name (attributes, i), FALSE);
      g_string_append_c (self->text, '=');
      if (is_markup (text))
        g_string_append (self->text, text);
      else
        append_quoted (self->text, text, FALSE);
    }
  if (sym_attributes_get_n (attributes) > 0)
    g_string_append_c (self->text, ']');
}

static char *
format_attributes (const SymAttributes *attributes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      g_autofree char *value = sym_flow_format_attribute (attributes, i);

      g_string_append_printf (text, "%s%s=%s", i == 0 ? "" : ", ",
                              sym_attributes_get_name (attributes, i), value);
    }
  return g_string_free (text, FALSE);
}

static void
append_label (Writer *self, const SymFlowNode *node)
{
  const SymAttributes *attributes = sym_flow_get_attributes (self->flow, node);
  g_autofree char *about = format_attributes (attributes);
  g_autofree char *label =
      g_strdup_printf ("%s\n%s", node->type, node->name + (node->scope == 0 ? 0 : node->scope + 1));

  g_string_append (self->text, " [label=");
  append_quoted (self->text, label, TRUE);
  if (about[0] != '\0')
    {
      g_string_append (self->text, ", tooltip=");
      append_quoted (self->text, about, TRUE);
    }
  if (!node->is_call)
    g_string_append (self->text, ", shape=\"cds\"");
  g_string_append_c (self->text, ']');
}

/* ---- Statements ---- */

static void
indent (Writer *self, guint depth)
{
  g_string_append_printf (self->text, "%*s", (int) (depth + 1) * 2, "");
}

static void
begin_group (const char *path, const char *name, guint depth, gpointer user_data)
{
  Writer *self = user_data;
  g_autofree char *cluster = g_strconcat ("cluster_", path, NULL);

  indent (self, depth);
  g_string_append (self->text, "subgraph ");
  append_quoted (self->text, cluster, TRUE);
  g_string_append (self->text, " {\n");
  indent (self, depth + 1);
  g_string_append (self->text, "label=");
  append_quoted (self->text, name, TRUE);
  g_string_append (self->text, ";\n");
}

static void
write_node (guint number, guint depth, gpointer user_data)
{
  Writer *self = user_data;
  const SymFlowNode *node = sym_flow_get_node (self->flow, number);

  g_array_append_val (self->order, number);
  indent (self, depth);
  append_quoted (self->text, node->name, FALSE);
  if (self->is_native && node->is_call)
    append_native (self, sym_flow_get_attributes (self->flow, node));
  else
    append_label (self, node);
  g_string_append (self->text, ";\n");
}

static void
end_group (guint depth, gpointer user_data)
{
  indent (user_data, depth);
  g_string_append (((Writer *) user_data)->text, "}\n");
}

static void
write_line (Writer *self, const SymFlowLine *line)
{
  g_autofree char *shape = sym_flow_format_shape (self->flow, line->value, "×");

  g_string_append (self->text, "  ");
  append_quoted (self->text, sym_flow_get_node (self->flow, line->from)->name, FALSE);
  g_string_append (self->text, " -> ");
  append_quoted (self->text, sym_flow_get_node (self->flow, line->to)->name, FALSE);
  if (shape != NULL && shape[0] != '\0')
    {
      g_string_append (self->text, " [label=");
      append_quoted (self->text, shape, TRUE);
      g_string_append_c (self->text, ']');
    }
  g_string_append (self->text, ";\n");
}

/* In the order of the nodes, each node's operands in theirs. */
static void
write_lines (Writer *self)
{
  g_autofree guint *starts = g_new0 (guint, self->flow->nodes->len + 1);

  for (guint i = 0; i < self->flow->lines->len; i++)
    starts[sym_flow_get_line (self->flow, i)->to + 1] = i + 1;
  for (guint i = 0; i < self->flow->nodes->len; i++)
    starts[i + 1] = MAX (starts[i], starts[i + 1]);
  for (guint i = 0; i < self->order->len; i++)
    {
      guint node = g_array_index (self->order, guint, i);

      for (guint j = starts[node]; j < starts[node + 1]; j++)
        write_line (self, sym_flow_get_line (self->flow, j));
    }
}

gboolean
sym_dot_write (SymModel *model,
               const SymInference *inference,
               const char *path,
               SymProblems *notes,
               GError **error)
{
  static const SymFlowWalker walker = { begin_group, write_node, end_group };
  g_autoptr (SymFlow) flow = sym_flow_new (model, inference);
  g_autoptr (GString) text = g_string_new ("digraph ");
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  Writer self = { text, flow, g_strcmp0 (sym_model_get_format (model), "dot") == 0, order };

  append_quoted (text, sym_model_get_name (model) == NULL ? "" : sym_model_get_name (model), TRUE);
  g_string_append (text, " {\n  node [shape=box, style=rounded];\n");
  sym_flow_walk (flow, &walker, &self);
  write_lines (&self);
  g_string_append (text, "}\n");
  sym_flow_note_losses (flow,
                        SYM_FLOW_LOSES_PARAMETERS | SYM_FLOW_LOSES_BODIES |
                            SYM_FLOW_LOSES_CONTROLS | SYM_FLOW_LOSES_OUTPUTS,
                        notes);
  return sym_io_write_text (path, text->str, text->len, error);
}
