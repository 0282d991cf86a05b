/* SPDX-License-Identifier: MIT */
#include "app/scope-chooser.h"

#define LINGERS 3         /* seconds: answers come sooner */
#define QUIET_FOLDER "/" /* where hardly anything ever changes */

static gboolean
gone_cb (gpointer user_data)
{
  return G_SOURCE_REMOVE;
}

void
scope_chooser_let_go (GtkFileChooserNative **chooser, gpointer owner)
{
  g_autoptr (GFile) folder = NULL;
  GtkFileChooserNative *self = g_steal_pointer (chooser);

  if (self == NULL)
    return;
  folder = g_file_new_for_path (QUIET_FOLDER);
  g_signal_handlers_disconnect_by_data (self, owner);
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self));
  gtk_native_dialog_set_transient_for (GTK_NATIVE_DIALOG (self), NULL);
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self), folder, NULL);
  g_timeout_add_seconds_full (G_PRIORITY_LOW, LINGERS, gone_cb, self, g_object_unref);
}
