/* SPDX-License-Identifier: MIT */
#include "app/scope-announce.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

/* What is told of: of the graph itself, or of a body. */
typedef struct {
  ScopeDocument *document;
  ScopeNode node;
  SymInference *inference;
  SymModel *model; /* its */
  SymId value, call;
  gboolean is_inner;
} Told;

static gboolean
find_told (ScopeDocument *document, const ScopeNode *node, Told *told)
{
  SymInference *inner = scope_document_get_inner_inference (document, node);

  *told =
      (Told){ document,   *node,        scope_document_get_inference (document), NULL, node->value,
              node->call, inner != NULL };
  if (inner != NULL)
    {
      told->inference = inner;
      told->value = node->inner_value;
      told->call = node->inner_call;
    }
  if (told->inference == NULL || (told->value == SYM_NO_ID && told->call == SYM_NO_ID))
    return FALSE;
  told->model = sym_inference_get_model (told->inference);
  if (told->value != SYM_NO_ID)
    told->call = sym_model_get_producer (told->model, told->value);
  return TRUE;
}

/* As in the table: the layer's own name, where that tells the value from others. */
static const char *
get_name (const Told *told)
{
  const char *name =
      told->call != SYM_NO_ID ? sym_model_get_call_name (told->model, told->call) : NULL;

  if (name != NULL && *name != '\0' &&
      (told->value == SYM_NO_ID || sym_model_count_results (told->model, told->call) == 1))
    return name;
  name = told->value != SYM_NO_ID ? sym_model_get_unique_name (told->model, told->value) : NULL;
  return name != NULL && *name != '\0' ? name : "?";
}

static ScopeNode
get_beside (const Told *told, SymId value)
{
  return told->is_inner ? scope_node_get_beside (&told->node, value)
                        : scope_node_get (value, SYM_NO_ID);
}

static guint
count_parents (const Told *told)
{
  SymIds operands = told->call != SYM_NO_ID ? sym_model_get_data_operands (told->model, told->call)
                                            : sym_model_get_parents (told->model, told->value);
  guint n = 0;

  for (guint i = 0; i < operands.n; i++)
    {
      ScopeNode node = get_beside (told, operands.ids[i]);

      n += scope_document_is_weight (told->document, &node) ? 0 : 1;
    }
  return n;
}

static guint
count_children (const Told *told)
{
  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (SymId));
  guint n = 0;

  if (told->value != SYM_NO_ID)
    sym_model_collect_children (told->model, told->value, children);
  for (guint i = 0; i < children->len; i++)
    {
      ScopeNode node = get_beside (told, g_array_index (children, SymId, i));

      n += scope_document_is_hidden (told->document, &node) ? 0 : 1;
    }
  return n;
}

static void
add_relatives (const Told *told, GString *text)
{
  guint n_parents = count_parents (told), n_children = count_children (told);

  g_string_append (text, ", ");
  g_string_append_printf (text, ngettext ("%u parent", "%u parents", n_parents), n_parents);
  g_string_append (text, ", ");
  g_string_append_printf (text, ngettext ("%u child", "%u children", n_children), n_children);
}

static void
add_change (const Told *told, GString *text)
{
  g_autofree char *change =
      told->is_inner ? NULL : scope_document_describe_change (told->document, told->call);

  if (change != NULL)
    g_string_append_printf (text, ", %s", change);
}

char *
scope_announce_node (ScopeDocument *document, const ScopeNode *node)
{
  Told told;

  if (!find_told (document, node, &told))
    return NULL;
  g_autoptr (GString) text = g_string_new (get_name (&told));

  g_string_append_printf (text, ", %s",
                          told.call != SYM_NO_ID
                              ? sym_layer_get_type (sym_model_get_layer (told.model, told.call))
                              : sym_role_to_string (sym_model_get_role (told.model, told.value)));
  if (told.value != SYM_NO_ID)
    {
      g_autofree char *shape = scope_text_spoken_shape (told.inference, told.value);

      g_string_append_printf (text, ", %s", shape);
    }
  add_relatives (&told, text);
  add_change (&told, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Marks and problems are of the graph itself. */
static void
add_state (ScopeDocument *document, GString *text)
{
  ScopeState *state = scope_document_get_state (document);
  SymId value = scope_document_get_selected_value (document);
  const char *problem =
      scope_document_get_call_problem (document, scope_document_get_selected_call (document));

  if (scope_document_get_selected (document)->body != NULL || state == NULL)
    return;
  if (value != SYM_NO_ID && scope_state_has_mark (state, SCOPE_MARK_OUTPUT, value))
    g_string_append_printf (text, ", %s", _ ("marked as output"));
  if (value != SYM_NO_ID && scope_state_has_mark (state, SCOPE_MARK_INPUT, value))
    g_string_append_printf (text, ", %s", _ ("marked as input"));
  if (problem != NULL)
    g_string_append_printf (text, ", %s", problem);
}

char *
scope_announce_selected (ScopeDocument *document)
{
  char *group = scope_text_frame (document);

  if (group == NULL)
    group = scope_text_group (document, scope_document_get_selected_value (document),
                              scope_document_get_selected_call (document));
  if (group != NULL)
    return group;
  g_autofree char *node = scope_announce_node (document, scope_document_get_selected (document));
  g_autoptr (GString) text = node != NULL ? g_string_new (node) : NULL;

  if (text == NULL)
    return NULL;
  add_state (document, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
