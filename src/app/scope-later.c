/* SPDX-License-Identifier: MIT */
#include "app/scope-later.h"

static void
free_weak_ref (gpointer weak_ref)
{
  g_weak_ref_clear (weak_ref);
  g_free (weak_ref);
}

/* Before all that has less of a hurry than the user's keys: a chooser of GTK 4.8 that comes after
 * it loses the Return behind a path that was typed at once. */
static void
add (GSourceFunc func, gpointer object)
{
  GWeakRef *weak_ref = g_new0 (GWeakRef, 1);

  g_weak_ref_init (weak_ref, object);
  g_idle_add_full (G_PRIORITY_DEFAULT, func, weak_ref, free_weak_ref);
}

/* One that was destroyed, or is leaving, may still be held by somebody. */
static gboolean
is_wanted (GtkWindow *window)
{
  GtkWindow *parent = gtk_window_get_transient_for (window);

  return parent != NULL ? gtk_widget_get_visible (GTK_WIDGET (parent))
                        : gtk_window_get_application (window) != NULL;
}

static gboolean
present_cb (gpointer weak_ref)
{
  g_autoptr (GtkWindow) window = g_weak_ref_get (weak_ref);

  if (window != NULL && is_wanted (window))
    gtk_window_present (window);
  return G_SOURCE_REMOVE;
}

void
scope_later_present (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));

  add (present_cb, window);
}

static gboolean
show_cb (gpointer weak_ref)
{
  g_autoptr (GtkNativeDialog) dialog = g_weak_ref_get (weak_ref);
  GtkWindow *parent = dialog != NULL ? gtk_native_dialog_get_transient_for (dialog) : NULL;

  if (parent != NULL && gtk_widget_get_visible (GTK_WIDGET (parent)))
    gtk_native_dialog_show (dialog);
  return G_SOURCE_REMOVE;
}

void
scope_later_show (GtkNativeDialog *dialog)
{
  g_return_if_fail (GTK_IS_NATIVE_DIALOG (dialog));

  add (show_cb, dialog);
}
