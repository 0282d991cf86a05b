/* SPDX-License-Identifier: MIT */
#include "app/scope-attributes.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-editor.h"
#include "ops/sym-op.h"

#define MAX_TEXT 600 /* bytes that are shown of one */

/* ---- What is known of them ---- */

static const char *
get_kind_name (SymAttributeKind kind)
{
  switch (kind)
    {
    case SYM_ATTRIBUTE_INT:
      return _ ("whole number");
    case SYM_ATTRIBUTE_FLOAT:
      return _ ("number");
    case SYM_ATTRIBUTE_BOOL:
      return _ ("True or False");
    case SYM_ATTRIBUTE_STRING:
      return _ ("text");
    case SYM_ATTRIBUTE_INTS:
      return _ ("whole numbers");
    case SYM_ATTRIBUTE_FLOATS:
      return _ ("numbers");
    case SYM_ATTRIBUTE_DTYPE:
      return _ ("data type");
    case SYM_ATTRIBUTE_ANY:
    default:
      return _ ("any value");
    }
}

/* "1 for each axis by default" says more than None. */
static gboolean
tells_default (const SymAttributeSpec *spec)
{
  return g_str_equal (spec->fallback, "None") && spec->meaning != NULL &&
         strstr (spec->meaning, "default") != NULL;
}

/* "whole numbers · default (1, 1)\none of: a b". */
static char *
describe (const SymAttributeSpec *spec)
{
  GString *text = g_string_new (spec->meaning);

  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, get_kind_name (spec->kind));
  if (spec->fallback != NULL && !tells_default (spec))
    g_string_append_printf (text, _ (" · default %s"), spec->fallback);
  else if (spec->fallback == NULL)
    g_string_append (text, _ (" · must be given"));
  if (spec->values != NULL)
    g_string_append_printf (text, _ ("\none of: %s"), spec->values);
  return g_string_free (text, FALSE);
}

static const SymAttributeSpec *
get_specs (const SymLayer *layer)
{
  static const SymAttributeSpec none = { NULL };
  const SymOperator *op = layer != NULL ? sym_layer_get_operator (layer) : NULL;

  return op != NULL && op->attributes != NULL ? op->attributes : &none;
}

static const SymAttributeSpec *
find_spec (const SymLayer *layer, const char *name)
{
  const SymOperator *op = layer != NULL ? sym_layer_get_operator (layer) : NULL;
  const SymAttributeSpec *own = op != NULL ? sym_op_find_attribute (op, name) : NULL;

  return own != NULL || op == NULL ? own : sym_op_find_dialect_attribute (op->domain, name);
}

/* As the file has it. */
static char *
get_text (const SymAttributes *attributes, guint i)
{
  const char *literal = sym_attributes_get_literal (attributes, i);

  return literal != NULL ? g_strdup (literal)
                         : sym_value_to_string (sym_attributes_get_value (attributes, i));
}

/* ---- Showing ---- */

static ScopeFact *
add (ScopeSection *section, const SymAttributeSpec *spec, const char *name, const char *text)
{
  g_autofree char *about = spec != NULL ? describe (spec) : NULL;
  ScopeFact *fact = scope_section_add (section, name, spec != NULL ? spec->meaning : NULL, text);

  if (about != NULL)
    scope_fact_set_about (fact, about);
  return fact;
}

static void
add_given (ScopeSection *section,
           const SymLayer *layer,
           const SymAttributes *attributes,
           gboolean is_fixed)
{
  guint n = sym_attributes_get_n (attributes);

  for (guint i = 0; i < MIN (n, SCOPE_SECTION_MAX); i++)
    {
      const char *name = sym_attributes_get_name (attributes, i);
      g_autofree char *text = get_text (attributes, i);

      if (strlen (text) > MAX_TEXT)
        {
          g_autofree char *head = g_utf8_make_valid (text, MAX_TEXT);

          g_free (text);
          text = g_strconcat (head, "…", NULL);
        }
      ScopeFact *fact = add (section, find_spec (layer, name), name, text);

      if (!is_fixed)
        scope_fact_set_editable (fact);
    }
  scope_section_add_rest (section, n);
}

static void
add_defaults (ScopeSection *section,
              const SymLayer *layer,
              const SymAttributes *attributes,
              gboolean is_fixed)
{
  for (const SymAttributeSpec *spec = get_specs (layer); spec->name != NULL; spec++)
    {
      if (sym_op_is_given (sym_layer_get_operator (layer), attributes, spec->name))
        continue;
      ScopeFact *fact =
          add (section, spec, spec->name, spec->fallback != NULL ? spec->fallback : _ ("missing"));

      scope_fact_set_dim (fact);
      if (!is_fixed)
        scope_fact_set_editable (fact);
    }
}

void
scope_attributes_show (ScopeSection *section,
                       SymModel *model,
                       SymId value,
                       SymId call,
                       gboolean is_fixed)
{
  g_return_if_fail (SCOPE_IS_SECTION (section) && model != NULL);

  scope_section_clear (section);
  if (call == SYM_NO_ID)
    {
      add_given (section, NULL, sym_model_get_value_attributes (model, value), TRUE);
      return;
    }
  const SymLayer *layer = sym_model_get_layer (model, call);

  add_given (section, layer, sym_layer_get_attributes (layer), is_fixed);
  add_given (section, NULL, sym_model_get_call_attributes (model, call), TRUE);
}

void
scope_attributes_show_defaults (ScopeSection *section,
                                SymModel *model,
                                SymId call,
                                gboolean is_fixed)
{
  g_return_if_fail (SCOPE_IS_SECTION (section) && model != NULL);

  const SymLayer *layer = call != SYM_NO_ID ? sym_model_get_layer (model, call) : NULL;

  scope_section_clear (section);
  if (layer != NULL)
    add_defaults (section, layer, sym_layer_get_attributes (layer), is_fixed);
}

/* ---- Editing ---- */

typedef struct {
  ScopeDocument *document;
  SymId call;
  char *name;
} Edit;

static void
free_edit (gpointer data)
{
  Edit *self = data;

  g_object_unref (self->document);
  g_free (self->name);
  g_free (self);
}

static gboolean
apply_cb (const char *text, gpointer user_data, GError **error)
{
  Edit *self = user_data;

  return scope_document_set_attribute (self->document, self->call, self->name, text, error);
}

void
scope_attributes_edit (ScopeDocument *document, SymId call, ScopeFact *fact)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && SCOPE_IS_FACT (fact));

  SymLayer *layer = sym_model_get_layer (scope_document_get_model (document), call);
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  const char *name = scope_fact_get_title (fact);
  const SymAttributeSpec *spec = find_spec (layer, name);
  g_autofree char *text = NULL;
  Edit *edit = g_new0 (Edit, 1);

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    if (g_str_equal (sym_attributes_get_name (attributes, i), name))
      text = get_text (attributes, i);
  edit->document = g_object_ref (document);
  edit->call = call;
  edit->name = g_strdup (name);
  scope_editor_open (GTK_WIDGET (fact), name,
                     text != NULL                             ? text
                     : spec != NULL && spec->fallback != NULL ? spec->fallback
                                                              : "",
                     text != NULL && (spec == NULL || spec->fallback != NULL), apply_cb, edit,
                     free_edit);
}
