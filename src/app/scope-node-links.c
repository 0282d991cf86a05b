/* SPDX-License-Identifier: MIT */
#include "app/scope-node-links.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

static ScopeNode
get_beside (ScopeDocument *document, const ScopeShown *shown, SymId value)
{
  return shown->is_inner ? scope_node_get_beside (scope_document_get_selected (document), value)
                         : scope_node_get (value, SYM_NO_ID);
}

static gboolean
is_weight (ScopeDocument *document, const ScopeShown *shown, SymId value)
{
  ScopeNode node = get_beside (document, shown, value);

  return scope_document_is_weight (document, &node);
}

void
scope_node_links_show_parents (ScopeSection *self, ScopeDocument *document, const ScopeShown *shown)
{
  g_return_if_fail (SCOPE_IS_SECTION (self) && SCOPE_IS_DOCUMENT (document) && shown != NULL);

  SymIds parents = shown->call != SYM_NO_ID
                       ? sym_model_get_data_operands (shown->model, shown->call)
                       : sym_model_get_parents (shown->model, shown->value);
  g_autoptr (GArray) data = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < parents.n; i++)
    if (!is_weight (document, shown, parents.ids[i]))
      g_array_append_val (data, parents.ids[i]);
  scope_section_clear (self);
  scope_section_add_links (self, shown->inference,
                           (SymIds){ (const SymId *) (gconstpointer) data->data, data->len });
}

void
scope_node_links_show_children (ScopeSection *self,
                                ScopeDocument *document,
                                const ScopeShown *shown)
{
  g_return_if_fail (SCOPE_IS_SECTION (self) && SCOPE_IS_DOCUMENT (document) && shown != NULL);

  g_autoptr (GArray) children = g_array_new (FALSE, FALSE, sizeof (SymId));

  scope_section_clear (self);
  if (shown->value != SYM_NO_ID)
    sym_model_collect_children (shown->model, shown->value, children);
  for (guint i = children->len; i-- > 0;)
    {
      ScopeNode node = get_beside (document, shown, g_array_index (children, SymId, i));

      if (scope_document_is_hidden (document, &node))
        g_array_remove_index (children, i);
    }
  scope_section_add_links (
      self, shown->inference,
      (SymIds){ (const SymId *) (gconstpointer) children->data, children->len });
}

void
scope_node_links_show_parameters (ScopeSection *self,
                                  ScopeDocument *document,
                                  const ScopeShown *shown)
{
  g_return_if_fail (SCOPE_IS_SECTION (self) && SCOPE_IS_DOCUMENT (document) && shown != NULL);

  SymIds operands = { NULL, 0 };

  scope_section_clear (self);
  if (shown->call != SYM_NO_ID)
    operands = sym_model_get_operands (shown->model, shown->call);
  for (guint i = 0; i < MIN (operands.n, SCOPE_SECTION_MAX); i++)
    {
      SymId value = operands.ids[i];

      if (value == SYM_NO_ID || !is_weight (document, shown, value))
        continue;
      SymRole role = sym_model_get_role (shown->model, value);
      g_autofree char *shape = scope_text_shape (shown->inference, value);
      const char *word = sym_role_is_data (role) ? _ ("from outside") : sym_role_to_string (role);
      const char *dtype = scope_text_dtype (shown->inference, value);
      g_autofree char *kind =
          dtype != NULL ? g_strdup_printf ("%s · %s", word, dtype) : g_strdup (word);

      ScopeFact *fact =
          scope_section_add (self, scope_text_name (shown->model, value), kind, shape);

      if (!sym_role_is_data (role))
        scope_fact_set_target (fact, value, SYM_NO_ID);
    }
}

void
scope_node_links_show_uses (ScopeSection *self, const ScopeShown *shown)
{
  g_return_if_fail (SCOPE_IS_SECTION (self) && shown != NULL);

  const SymLayer *layer =
      shown->call != SYM_NO_ID ? sym_model_get_layer (shown->model, shown->call) : NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (SymId call = 0; layer != NULL && call < sym_model_get_n_calls (shown->model); call++)
    {
      if (call == shown->call || !sym_model_has_call (shown->model, call) ||
          sym_model_get_layer (shown->model, call) != layer)
        continue;
      SymId result = sym_model_get_first_result (shown->model, call);

      if (result != SYM_NO_ID)
        g_array_append_val (values, result);
    }
  scope_section_clear (self);
  scope_section_add_links (self, shown->inference,
                           (SymIds){ (const SymId *) (gconstpointer) values->data, values->len });
}
