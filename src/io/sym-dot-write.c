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
  GPtrArray *ids; /* what nodes are called in the drawing */
  GArray *order;  /* nodes as they were written */
} Writer;

/* ---- Texts ---- */

/* A text that quotes can hold: nothing but a quote and a line end can be escaped in them, so an odd
 * number of backslashes in front of either, or at the end, cannot be said; it becomes even. */
static char *
mend (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);

  for (const char *at = valid; *at != '\0'; at++)
    {
      gsize n = strspn (at, "\\");

      g_string_append_len (out, at, (gssize) n);
      at += n;
      if (n % 2 == 1 && strchr ("\"\r\n", *at) != NULL) /* or the end */
        g_string_append_c (out, '\\');
      if (*at == '\0')
        break;
      g_string_append_c (out, *at);
    }
  return g_string_free (out, FALSE);
}

static void
append_quoted (GString *out, const char *text)
{
  g_autofree char *mended = mend (text);

  g_string_append_c (out, '"');
  for (const char *at = mended; *at != '\0'; at++)
    {
      if (*at == '"')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *at);
    }
  g_string_append_c (out, '"');
}

/* A text to be shown as it is: in labels, Graphviz takes backslashes for more than the quotes do.
 */
static void
append_shown (GString *out, const char *text)
{
  g_autoptr (GString) shown = g_string_new (text);

  g_string_replace (shown, "\\", "\\\\", 0);
  g_string_replace (shown, "\n", "\\n", 0);
  append_quoted (out, shown->str);
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
      append_quoted (self->text, sym_attributes_get_name (attributes, i));
      g_string_append_c (self->text, '=');
      if (is_markup (text))
        g_string_append (self->text, text);
      else
        append_quoted (self->text, text);
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
  append_shown (self->text, label);
  if (about[0] != '\0')
    {
      g_string_append (self->text, ", tooltip=");
      append_shown (self->text, about);
    }
  if (!node->is_call)
    g_string_append (self->text, ", shape=\"cds\"");
  g_string_append_c (self->text, ']');
}

/* No two are the same: those that must be mended come last. */
static GPtrArray *
make_ids (const SymFlow *flow, SymNaming *names)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < flow->nodes->len; i++)
    {
      const char *name = sym_flow_get_node (flow, i)->name;
      char *id = mend (name);

      if (strcmp (id, name) == 0)
        sym_naming_reserve (names, name);
      g_ptr_array_add (ids, id);
    }
  for (guint i = 0; i < ids->len; i++)
    {
      char **id = (char **) &g_ptr_array_index (ids, i);

      char *mended = *id;

      if (strcmp (mended, sym_flow_get_node (flow, i)->name) == 0)
        continue;
      *id = g_strdup (sym_naming_take (names, "node", mended));
      g_free (mended);
    }
  return ids;
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
  append_quoted (self->text, cluster);
  g_string_append (self->text, " {\n");
  indent (self, depth + 1);
  g_string_append (self->text, "label=");
  append_shown (self->text, name);
  g_string_append (self->text, ";\n");
}

static void
write_node (guint number, guint depth, gpointer user_data)
{
  Writer *self = user_data;
  const SymFlowNode *node = sym_flow_get_node (self->flow, number);

  g_array_append_val (self->order, number);
  indent (self, depth);
  append_quoted (self->text, g_ptr_array_index (self->ids, number));
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
  append_quoted (self->text, g_ptr_array_index (self->ids, line->from));
  g_string_append (self->text, " -> ");
  append_quoted (self->text, g_ptr_array_index (self->ids, line->to));
  if (shape != NULL && shape[0] != '\0')
    {
      g_string_append (self->text, " [label=");
      append_shown (self->text, shape);
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
  g_autoptr (SymNaming) names = sym_naming_new (&sym_naming_symbolic);
  g_autoptr (GPtrArray) ids = make_ids (flow, names);
  Writer self = { text, flow, g_strcmp0 (sym_model_get_format (model), "dot") == 0, ids, order };

  append_quoted (text, sym_model_get_name (model) == NULL ? "" : sym_model_get_name (model));
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
