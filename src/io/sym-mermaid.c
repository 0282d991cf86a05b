/* SPDX-License-Identifier: MIT */
#include "io/sym-flow.h"

#include <string.h>

/* Mermaid's flow charts, for README files and wikis that draw them: a box for each layer, groups as
 * subgraphs, lines labelled with shapes. */

/* What Mermaid draws unless it is told otherwise. */
#define MAX_EDGES 500
#define MAX_TEXT 50000

typedef struct {
  GString *text;
  const SymFlow *flow;
  guint n_groups;
} Writer;

/* Inside quotes: what would end them or be taken for markup is written by its number. */
static void
append_escaped (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *at = valid; *at != '\0'; at++)
    if (strchr ("\"#<>&`", *at) != NULL)
      g_string_append_printf (out, "#%d;", *at);
    else
      g_string_append_c (out, (guchar) *at < 0x20 ? ' ' : *at);
}

static void
indent (Writer *self, guint depth)
{
  g_string_append_printf (self->text, "%*s", (int) (depth + 1) * 2, "");
}

static void
begin_group (const char *path, const char *name, guint depth, gpointer user_data)
{
  Writer *self = user_data;

  indent (self, depth);
  g_string_append_printf (self->text, "subgraph g%u[\"", self->n_groups++);
  append_escaped (self->text, name);
  g_string_append (self->text, "\"]\n");
}

/* Inputs point into the graph. */
static void
write_node (guint number, guint depth, gpointer user_data)
{
  Writer *self = user_data;
  const SymFlowNode *node = sym_flow_get_node (self->flow, number);

  indent (self, depth);
  g_string_append_printf (self->text, "n%u%s\"", number, node->is_call ? "[" : "([");
  append_escaped (self->text, node->type);
  g_string_append (self->text, "<br/>");
  append_escaped (self->text, node->name + (node->scope == 0 ? 0 : node->scope + 1));
  g_string_append (self->text, node->is_call ? "\"]\n" : "\"])\n");
}

static void
end_group (guint depth, gpointer user_data)
{
  indent (user_data, depth);
  g_string_append (((Writer *) user_data)->text, "end\n");
}

static void
write_line (Writer *self, const SymFlowLine *line)
{
  g_autofree char *shape = sym_flow_format_shape (self->flow, line->value, "×");

  g_string_append_printf (self->text, "  n%u -->", line->from);
  if (shape != NULL && shape[0] != '\0')
    {
      g_string_append (self->text, "|\"");
      append_escaped (self->text, shape);
      g_string_append (self->text, "\"|");
    }
  g_string_append_printf (self->text, " n%u\n", line->to);
}

static void
write_control (guint before, guint node, gpointer user_data)
{
  g_string_append_printf (((Writer *) user_data)->text, "  n%u -.-> n%u\n", before, node);
}

static void
note_size (const Writer *self, SymProblems *notes)
{
  if (notes != NULL && (self->flow->lines->len > MAX_EDGES || self->text->len > MAX_TEXT))
    sym_problems_add (notes, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u lines and %" G_GSIZE_FORMAT
                      " bytes: unless its limits are raised, Mermaid draws no more than %d and %d",
                      self->flow->lines->len, self->text->len, MAX_EDGES, MAX_TEXT);
}

static gboolean
write_mermaid (SymModel *model,
               const SymInference *inference,
               const char *path,
               SymProblems *notes,
               GError **error)
{
  static const SymFlowWalker walker = { begin_group, write_node, end_group };
  g_autoptr (SymFlow) flow = sym_flow_new (model, inference);
  g_autoptr (GString) text = g_string_new ("flowchart TD\n");
  Writer self = { text, flow, 0 };

  sym_flow_walk (flow, &walker, &self);
  for (guint i = 0; i < flow->lines->len; i++)
    write_line (&self, sym_flow_get_line (flow, i));
  sym_flow_foreach_control (flow, write_control, &self);
  note_size (&self, notes);
  sym_flow_note_losses (
      flow, SYM_FLOW_LOSES_PARAMETERS | SYM_FLOW_LOSES_BODIES | SYM_FLOW_LOSES_OUTPUTS, notes);
  return sym_io_write_text (path, text->str, text->len, error);
}

const SymIoFormat sym_mermaid_format = {
  .name = "mermaid",
  .title = "Mermaid flow chart",
  .versions = "9 and later",
  .limits = "a view, without numbers; Mermaid draws up to 500 lines",
  .suffix = ".mmd",
  .is_view = TRUE,
  .write = write_mermaid,
};
