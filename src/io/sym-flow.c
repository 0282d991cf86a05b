/* SPDX-License-Identifier: MIT */
#include "io/sym-flow.h"

#include <string.h>

#define MAX_ATTRIBUTE 1000 /* bytes */
#define MAX_DEPTH 32       /* of groups; what lies deeper is in the deepest */
#define MAX_NAMED 3        /* of what is lost; the others are counted */

/* ---- Nodes and lines ---- */

/* The last '/', or the last '.' of a name without one; a number after a dot is no name: "conv1.5".
 */
static guint
find_scope (const char *name)
{
  const char *slash = strrchr (name, '/');
  const char *dot = slash == NULL ? strrchr (name, '.') : NULL;

  if (dot != NULL && !g_ascii_isalpha (dot[1]) && dot[1] != '_')
    return 0;
  if (slash == NULL && dot == NULL)
    return 0;
  return (guint) ((slash != NULL ? slash : dot) - name);
}

static void
add_node (SymFlow *self, gboolean is_call, SymId id, const char *name, const char *type)
{
  SymFlowNode node = { .is_call = is_call, .id = id, .type = type };

  node.name = sym_naming_take (self->naming, type, name == NULL || name[0] == '\0' ? NULL : name);
  node.scope = find_scope (node.name);
  g_array_append_val (self->nodes, node);
}

/* Which node makes each value, and one more; 0 for those that are no data. */
static guint *
list_makers (SymFlow *self)
{
  guint *makers = g_new0 (guint, sym_model_get_n_values (self->model) + 1);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      SymIds values = sym_flow_get_values (self, sym_flow_get_node (self, i));

      for (guint j = 0; j < values.n; j++)
        makers[values.ids[j]] = i + 1;
    }
  return makers;
}

static void
add_lines (SymFlow *self, const guint *makers, guint to)
{
  const SymFlowNode *node = sym_flow_get_node (self, to);
  SymIds operands = sym_model_get_operands (self->model, node->id);

  for (guint i = 0; i < operands.n; i++)
    {
      SymFlowLine line = { .to = to, .operand = i, .value = operands.ids[i] };

      if (line.value == SYM_NO_ID || makers[line.value] == 0)
        continue;
      line.from = makers[line.value] - 1;
      line.output = sym_model_get_output_index (self->model, line.value);
      g_array_append_val (self->lines, line);
    }
}

SymFlow *
sym_flow_new (const SymModel *model, const SymInference *inference)
{
  SymFlow *self = g_new0 (SymFlow, 1);
  g_autofree guint *makers = NULL;

  self->model = model;
  self->inference =
      inference != NULL && sym_inference_get_model (inference) == model ? inference : NULL;
  self->nodes = g_array_new (FALSE, FALSE, sizeof (SymFlowNode));
  self->lines = g_array_new (FALSE, FALSE, sizeof (SymFlowLine));
  self->naming = sym_naming_new (&sym_naming_symbolic);

  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);

      if (entry.is_call)
        add_node (self, TRUE, entry.id, sym_model_get_call_name (model, entry.id),
                  sym_layer_get_type (sym_model_get_layer (model, entry.id)));
      else if (sym_role_is_data (sym_model_get_role (model, entry.id)))
        add_node (self, FALSE, entry.id, sym_model_get_value_name (model, entry.id), "Input");
    }
  makers = list_makers (self);
  for (guint i = 0; i < self->nodes->len; i++)
    if (sym_flow_get_node (self, i)->is_call)
      add_lines (self, makers, i);
  return self;
}

void
sym_flow_free (SymFlow *self)
{
  g_array_unref (self->nodes);
  g_array_unref (self->lines);
  sym_naming_free (self->naming);
  g_free (self);
}

const SymFlowNode *
sym_flow_get_node (const SymFlow *self, guint node)
{
  return &g_array_index (self->nodes, SymFlowNode, node);
}

const SymFlowLine *
sym_flow_get_line (const SymFlow *self, guint line)
{
  return &g_array_index (self->lines, SymFlowLine, line);
}

/* The node of each call, by its id. */
static guint *
list_call_nodes (const SymFlow *self)
{
  guint *nodes = g_new0 (guint, sym_model_get_n_calls (self->model) + 1);

  for (guint i = 0; i < self->nodes->len; i++)
    if (sym_flow_get_node (self, i)->is_call)
      nodes[sym_flow_get_node (self, i)->id] = i;
  return nodes;
}

void
sym_flow_foreach_control (const SymFlow *self, SymFlowControlFunc func, gpointer user_data)
{
  g_autofree guint *nodes = list_call_nodes (self);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const SymFlowNode *node = sym_flow_get_node (self, i);
      SymIds controls =
          node->is_call ? sym_model_get_controls (self->model, node->id) : (SymIds){ NULL, 0 };

      for (guint j = 0; j < controls.n; j++)
        func (nodes[controls.ids[j]], i, user_data);
    }
}

SymIds
sym_flow_get_values (const SymFlow *self, const SymFlowNode *node)
{
  return node->is_call ? sym_model_get_results (self->model, node->id) : (SymIds){ &node->id, 1 };
}

/* ---- Groups ---- */

typedef struct {
  const SymFlow *flow;
  const SymFlowWalker *walker;
  gpointer user_data;
} Walk;

/* How long the path of the group is in which the node lies beyond the first @start bytes of its
 * path; 0 when it lies in none. */
static guint
get_group_end (const SymFlowNode *node, guint start, guint depth)
{
  char mark = memchr (node->name, '/', node->scope + 1) != NULL ? '/' : '.';
  guint first = start == 0 ? 0 : start + 1;
  const char *end;

  if (depth >= MAX_DEPTH || first >= node->scope)
    return 0;
  end = memchr (node->name + first + 1, mark, node->scope - first - 1);
  return end == NULL ? node->scope : (guint) (end - node->name);
}

static void walk_nodes (const Walk *walk, const GArray *nodes, guint start, guint depth);

static void
walk_group (const Walk *walk, const char *path, const GArray *nodes, guint start, guint depth)
{
  walk->walker->begin (path, path + (start == 0 ? 0 : start + 1), depth, walk->user_data);
  walk_nodes (walk, nodes, (guint) strlen (path), depth + 1);
  walk->walker->end (depth, walk->user_data);
}

/* A group is told where its first node is. */
static void
walk_nodes (const Walk *walk, const GArray *nodes, guint start, guint depth)
{
  g_autoptr (GHashTable) groups =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < nodes->len; i++)
    {
      guint node = g_array_index (nodes, guint, i);
      const SymFlowNode *it = sym_flow_get_node (walk->flow, node);
      guint end = get_group_end (it, start, depth);
      g_autofree char *path = g_strndup (it->name, end);
      GArray *members = end == 0 ? NULL : g_hash_table_lookup (groups, path);

      if (members != NULL)
        {
          g_array_append_val (members, node);
          continue;
        }
      g_array_append_val (firsts, node);
      if (end == 0)
        continue;
      members = g_array_new (FALSE, FALSE, sizeof (guint));
      g_array_append_val (members, node);
      g_hash_table_insert (groups, g_steal_pointer (&path), members);
    }
  for (guint i = 0; i < firsts->len; i++)
    {
      guint node = g_array_index (firsts, guint, i);
      const SymFlowNode *it = sym_flow_get_node (walk->flow, node);
      guint end = get_group_end (it, start, depth);
      g_autofree char *path = g_strndup (it->name, end);

      if (end == 0)
        walk->walker->node (node, depth, walk->user_data);
      else
        walk_group (walk, path, g_hash_table_lookup (groups, path), start, depth);
    }
}

void
sym_flow_walk (const SymFlow *self, const SymFlowWalker *walker, gpointer user_data)
{
  Walk walk = { self, walker, user_data };
  g_autoptr (GArray) nodes = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->nodes->len);

  for (guint i = 0; i < self->nodes->len; i++)
    g_array_append_val (nodes, i);
  walk_nodes (&walk, nodes, 0, 0);
}

/* ---- Texts ---- */

SymType
sym_flow_get_type (const SymFlow *self, SymId value)
{
  return self->inference == NULL ? sym_model_get_declared_type (self->model, value)
                                 : sym_inference_get_type (self->inference, value);
}

char *
sym_flow_format_shape (const SymFlow *self, SymId value, const char *separator)
{
  SymType type = sym_flow_get_type (self, value);
  const SymTerms *terms = self->inference == NULL ? sym_model_get_terms (self->model)
                                                  : sym_inference_get_terms (self->inference);
  GString *text;

  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0)
    return NULL;
  text = g_string_new (NULL);
  for (int i = 0; i < type.shape.rank; i++)
    {
      SymDim dim = type.shape.dims[i];
      g_autofree char *word = dim == SYM_DIM_UNKNOWN ? NULL : sym_terms_format (terms, dim);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : separator, word == NULL ? "?" : word);
    }
  return g_string_free (text, FALSE);
}

const SymAttributes *
sym_flow_get_attributes (const SymFlow *self, const SymFlowNode *node)
{
  return node->is_call ? sym_layer_get_attributes (sym_model_get_layer (self->model, node->id))
                       : NULL;
}

char *
sym_flow_format_attribute (const SymAttributes *attributes, guint i)
{
  const SymValue *value = sym_attributes_get_value (attributes, i);
  const char *literal = sym_attributes_get_literal (attributes, i);
  g_autofree char *text = NULL;
  char *end;

  if (sym_value_get_kind (value) == SYM_VALUE_STRING)
    text = g_utf8_make_valid (sym_value_get_string (value), -1);
  else if (literal != NULL)
    text = g_utf8_make_valid (literal, -1);
  else
    text = sym_value_to_string (value);
  if (strlen (text) <= MAX_ATTRIBUTE)
    return g_steal_pointer (&text);

  end = g_utf8_find_prev_char (text, text + MAX_ATTRIBUTE);
  return g_strdup_printf ("%.*s…", (int) (end - text), text);
}

/* ---- What is lost ---- */

/* Names, as many as people read. */
typedef struct {
  GString *text;
  guint n;
} Names;

static void
add_name (Names *self, const char *name)
{
  if (self->text == NULL)
    self->text = g_string_new (NULL);
  if (self->n++ < MAX_NAMED)
    g_string_append_printf (self->text, "%s'%s'", self->n == 1 ? "" : ", ", name);
}

static void
tell_names (Names *self, const char *what, SymProblems *notes)
{
  if (self->n == 0)
    return;
  if (self->n > MAX_NAMED)
    g_string_append_printf (self->text, " and %u more", self->n - MAX_NAMED);
  sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID, "%s: %s", what,
                    self->text->str);
  g_string_free (self->text, TRUE);
}

static void
note_values (const SymFlow *self, SymFlowLosses losses, SymProblems *notes)
{
  Names numbers = { NULL };
  Names outputs = { NULL };

  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    {
      const char *name;
      gboolean is_data;

      if (!sym_model_has_value (self->model, value) ||
          sym_model_get_role (self->model, value) == SYM_ROLE_ABSENT)
        continue;
      name = sym_model_get_value_name (self->model, value);
      is_data = sym_role_is_data (sym_model_get_role (self->model, value));
      if (!is_data && ((losses & SYM_FLOW_LOSES_PARAMETERS) != 0 ||
                       sym_model_get_tensor (self->model, value) != NULL ||
                       sym_model_get_consumers (self->model, value).n == 0))
        add_name (&numbers, name);
      if ((losses & SYM_FLOW_LOSES_OUTPUTS) != 0 && is_data &&
          sym_model_is_output (self->model, value) &&
          sym_model_get_consumers (self->model, value).n > 0)
        add_name (&outputs, name);
    }
  tell_names (&numbers,
              (losses & SYM_FLOW_LOSES_PARAMETERS) != 0
                  ? "parameters and constants are not written"
                  : "the numbers of parameters are not written",
              notes);
  tell_names (&outputs, "that values which layers use are outputs as well is not written", notes);
}

static void
note_calls (const SymFlow *self, SymFlowLosses losses, SymProblems *notes)
{
  Names bodies = { NULL };
  Names controls = { NULL };

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const SymFlowNode *node = sym_flow_get_node (self, i);

      if (!node->is_call)
        continue;
      if ((losses & SYM_FLOW_LOSES_BODIES) != 0 && sym_model_has_bodies (self->model, node->id))
        add_name (&bodies, node->name);
      if ((losses & SYM_FLOW_LOSES_CONTROLS) != 0 &&
          sym_model_get_controls (self->model, node->id).n > 0)
        add_name (&controls, node->name);
    }
  tell_names (&bodies, "what is inside of layers is not written", notes);
  tell_names (&controls, "what must run before a layer without giving it data is not written",
              notes);
}

void
sym_flow_note_losses (const SymFlow *self, SymFlowLosses losses, SymProblems *notes)
{
  if (notes == NULL)
    return;
  note_values (self, losses, notes);
  note_calls (self, losses, notes);
}
