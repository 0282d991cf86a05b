/* SPDX-License-Identifier: MIT */
#include "app/scope-later.h"

#include "app/scope-turns.h"

#define ROWS_A_TURN 4 /* of the main loop: each takes milliseconds to let go */

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
    {
      gtk_window_present (window);
      scope_turns_part ();
    }
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

typedef struct {
  GtkWindow *window;
  GtkListBox *rows;
} Leaving;

static void
free_leaving (gpointer user_data)
{
  Leaving *self = user_data;

  g_object_unref (self->rows);
  g_object_unref (self->window);
  g_free (self);
}

static gboolean
leave_cb (gpointer user_data)
{
  Leaving *self = user_data;
  GtkWidget *row = gtk_widget_get_last_child (GTK_WIDGET (self->rows));

  for (guint i = 0; i < ROWS_A_TURN && row != NULL; i++)
    {
      gtk_list_box_remove (self->rows, row);
      row = gtk_widget_get_last_child (GTK_WIDGET (self->rows));
    }
  if (row != NULL)
    return G_SOURCE_CONTINUE;
  gtk_window_destroy (self->window);
  return G_SOURCE_REMOVE;
}

void
scope_later_destroy (GtkWindow *window, GtkListBox *rows)
{
  g_return_if_fail (GTK_IS_WINDOW (window) && GTK_IS_LIST_BOX (rows));

  if (!gtk_widget_get_visible (GTK_WIDGET (window)))
    return;
  Leaving *self = g_new (Leaving, 1);

  self->window = g_object_ref (window);
  self->rows = g_object_ref (rows);
  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, leave_cb, self, free_leaving);
}
