/* SPDX-License-Identifier: MIT */
#include "app/scope-naming.h"

#include <glib/gi18n.h>

#include "app/scope-editor.h"

typedef struct {
  ScopeDocument *document;
  SymId value, call; /* one of them */
} Naming;

static void
free_naming (gpointer data)
{
  Naming *self = data;

  g_object_unref (self->document);
  g_free (self);
}

static gboolean
rename_cb (const char *text, gpointer user_data, GError **error)
{
  Naming *self = user_data;

  return self->call != SYM_NO_ID
             ? scope_document_rename_call (self->document, self->call, text, error)
             : scope_document_rename_value (self->document, self->value, text, error);
}

static Naming *
create (ScopeDocument *document, SymId value, SymId call)
{
  Naming *naming = g_new0 (Naming, 1);

  naming->document = g_object_ref (document);
  naming->value = value;
  naming->call = call;
  return naming;
}

void
scope_naming_edit_value (ScopeDocument *document, ScopeFact *fact)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && SCOPE_IS_FACT (fact));

  SymId value = scope_document_get_selected_value (document);
  const char *name = sym_model_get_value_name (scope_document_get_model (document), value);

  scope_editor_open (GTK_WIDGET (fact), _ ("Name"), name != NULL ? name : "", FALSE, rename_cb,
                     create (document, value, SYM_NO_ID), free_naming);
}

void
scope_naming_edit_layer (ScopeDocument *document, ScopeFact *fact)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && SCOPE_IS_FACT (fact));

  SymId call = scope_document_get_selected_call (document);
  const char *name = sym_model_get_call_name (scope_document_get_model (document), call);

  scope_editor_open (GTK_WIDGET (fact), _ ("Name of the Layer"), name != NULL ? name : "", FALSE,
                     rename_cb, create (document, SYM_NO_ID, call), free_naming);
}
