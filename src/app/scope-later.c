/* SPDX-License-Identifier: MIT */
#include "app/scope-later.h"

static void
free_weak_ref (gpointer weak_ref)
{
  g_weak_ref_clear (weak_ref);
  g_free (weak_ref);
}

/* One that was destroyed may still be held by somebody. */
static gboolean
is_there (GtkWindow *window)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) other = g_list_model_get_item (windows, i);

      if (other == window)
        return TRUE;
    }
  return FALSE;
}

static gboolean
present_cb (gpointer weak_ref)
{
  g_autoptr (GtkWindow) window = g_weak_ref_get (weak_ref);

  if (window != NULL && is_there (window))
    gtk_window_present (window);
  return G_SOURCE_REMOVE;
}

void
scope_later_present (GtkWindow *window)
{
  GWeakRef *weak_ref;

  g_return_if_fail (GTK_IS_WINDOW (window));

  weak_ref = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak_ref, window);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, present_cb, weak_ref, free_weak_ref);
}
