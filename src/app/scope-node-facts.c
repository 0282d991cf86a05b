/* SPDX-License-Identifier: MIT */
#include "app/scope-node-facts.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

static void
show_value (ScopeSection *self, const ScopeShown *shown)
{
  const char *name = sym_model_get_value_name (shown->model, shown->value);
  ScopeFact *fact = scope_section_add (self, _ ("Name"), NULL, name);
  const char *variable = sym_model_get_variable (shown->model, shown->value);
  g_autofree char *shape = scope_text_shape (shown->inference, shown->value);
  g_autofree char *type = scope_text_type (shown->inference, shown->value);

  if (!shown->is_inner)
    scope_fact_set_editable (fact);
  if (variable != NULL)
    scope_section_add (self, _ ("Variable"), NULL, variable);
  scope_section_add (self, _ ("Shape"), NULL, shape);
  scope_section_add (self, _ ("Data Type"), NULL, type);
}

/* What a layer has inside. */
static void
add_bodies (ScopeSection *self, const SymLayer *layer)
{
  guint n = sym_layer_get_n_bodies (layer);

  for (guint i = 0; i < MIN (n, SCOPE_SECTION_MAX); i++)
    {
      const char *name;
      SymModel *body = sym_layer_get_body (layer, i, &name);
      guint n_layers = sym_model_get_execution_order (body).n;
      g_autofree char *text =
          g_strdup_printf (ngettext ("%u layer", "%u layers", n_layers), n_layers);

      scope_section_add (self, _ ("Inside"), name, text);
    }
  scope_section_add_rest (self, n);
}

static void
show_layer (ScopeSection *self, ScopeDocument *document, const ScopeShown *shown)
{
  SymLayer *layer = sym_model_get_layer (shown->model, shown->call);
  const char *name = sym_model_get_call_name (shown->model, shown->call);
  guint line = sym_model_get_call_line (shown->model, shown->call);
  g_autofree char *overlaid = shown->is_inner ? NULL : scope_text_overlay (document, shown->call);

  const SymOperator *op = sym_layer_get_operator (layer);
  gboolean has_name = name != NULL && *name != '\0';
  ScopeFact *fact = scope_section_add (self, _ ("Layer"), NULL, has_name ? name : _ ("no name"));

  if (!has_name)
    scope_fact_set_dim (fact);
  if (!shown->is_inner)
    scope_fact_set_editable (fact);
  scope_section_add (self, _ ("Type"), NULL, sym_layer_get_type (layer));
  if (op != NULL && op->summary != NULL)
    {
      g_autofree char *text = scope_text_sentence (op->summary);

      scope_section_add (self, _ ("Does"), NULL, text);
    }
  if (op != NULL && op->reference != NULL)
    scope_section_add (self, _ ("Reference"), NULL, op->reference);
  if (line > 0)
    {
      g_autofree char *text = g_strdup_printf ("%u", line);

      scope_section_add (self, _ ("Line"), NULL, text);
    }
  if (overlaid != NULL)
    scope_section_add (self, _ ("Overlay"), NULL, overlaid);
  add_bodies (self, layer);
}

void
scope_node_facts_show (ScopeSection *section, ScopeDocument *document, const ScopeShown *shown)
{
  g_return_if_fail (SCOPE_IS_SECTION (section) && SCOPE_IS_DOCUMENT (document) && shown != NULL);

  scope_section_clear (section);
  if (shown->value != SYM_NO_ID)
    show_value (section, shown);
  if (shown->call != SYM_NO_ID)
    show_layer (section, document, shown);
}
