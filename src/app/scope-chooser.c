/* SPDX-License-Identifier: MIT */
#include "app/scope-chooser.h"

#include <glib/gi18n.h>

#define MOST 32
#define QUIET_FOLDER "/" /* where hardly anything ever changes */

GtkFileChooserNative *
scope_chooser_new (const char *title,
                   GtkWindow *parent,
                   GtkFileChooserAction action,
                   const char *accept)
{
  GtkFileChooserNative *self =
      gtk_file_chooser_native_new (title, parent, action, accept, _("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self), TRUE);
  return self;
}

void
scope_chooser_let_go (GtkFileChooserNative **chooser, gpointer owner)
{
  static GQueue kept = G_QUEUE_INIT; /* the last one first */
  GtkFileChooserNative *self = g_steal_pointer (chooser);
  g_autoptr (GFile) folder = NULL;

  if (self == NULL)
    return;
  folder = g_file_new_for_path (QUIET_FOLDER);
  g_signal_handlers_disconnect_by_data (self, owner);
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self));
  gtk_native_dialog_set_transient_for (GTK_NATIVE_DIALOG (self), NULL);
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self), folder, NULL);
  g_object_set_data (G_OBJECT (self), "document", NULL);
  g_queue_push_head (&kept, self);
  if (g_queue_get_length (&kept) > MOST)
    g_object_unref (g_queue_pop_tail (&kept));
}
