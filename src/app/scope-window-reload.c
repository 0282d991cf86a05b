/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"

/* Shapes that were typed and marks outlive it, as far as there still is what they belong to. */
static gboolean
loses_edits (ScopeDocument *document)
{
  return scope_document_is_modified (document) &&
         scope_document_get_model (document) != scope_document_get_saved_model (document);
}

static void
answered_cb (ScopeDocument *document, const char *response, GtkWidget *dialog)
{
  if (g_str_equal (response, "read"))
    scope_document_reload (document);
}

static void
ask (ScopeWindow *self, ScopeDocument *document)
{
  g_autofree char *heading =
      g_strdup_printf (_ ("Read “%s” Again?"), scope_document_get_title (document));
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self), heading,
      _ ("Names, attributes or outputs were edited since it was saved. That is lost when it is "
         "read again, and cannot be undone."));

  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "read",
                                    _ ("_Read Again"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "read",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  scope_access_name_answers (dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered_cb), document,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
scope_window_reload (ScopeWindow *self)
{
  if (loses_edits (self->document))
    ask (self, self->document);
  else
    scope_document_reload (self->document);
}
