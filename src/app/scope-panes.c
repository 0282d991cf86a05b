/* SPDX-License-Identifier: MIT */
#include "app/scope-panes.h"

#include <glib/gi18n.h>

#define KEY "scope-panes"
#define BORDER 1 /* pixel between two panes */
#define SOON_MS 100

typedef struct {
  GtkWidget *page;
  GtkPaned *panes[SCOPE_N_PANES]; /* that has the border of each; NULL when it has gone */
  ScopeSettings *settings;
  int pressed[SCOPE_N_PANES]; /* positions when a button went down */
  guint releasing;            /* the source that lets the inspector be narrower; 0 for none */
} Panes;

static void
free_panes (gpointer data)
{
  Panes *self = data;

  g_clear_handle_id (&self->releasing, g_source_remove);
  for (guint i = 0; i < SCOPE_N_PANES; i++)
    g_clear_weak_pointer (&self->panes[i]);
  g_object_unref (self->settings);
  g_free (self);
}

static GtkWidget *
get_pane (Panes *self, ScopePane pane)
{
  return pane == SCOPE_PANE_SUMMARY ? gtk_paned_get_start_child (self->panes[pane])
                                    : gtk_paned_get_end_child (self->panes[pane]);
}

/* A tab that is dragged, or was, keeps a page longer than what is in it. */
static void
gone_cb (Panes *self)
{
  g_clear_handle_id (&self->releasing, g_source_remove);
}

/* ---- As the settings have them ---- */

/* On the screen it has its place, and may become narrower again. */
static gboolean
release_cb (gpointer data)
{
  Panes *self = data;
  GtkPaned *paned = self->panes[SCOPE_PANE_INSPECTOR];
  GtkWidget *inspector = paned == NULL ? NULL : get_pane (self, SCOPE_PANE_INSPECTOR);

  self->releasing = 0;
  if (inspector == NULL || !gtk_widget_get_mapped (inspector))
    return G_SOURCE_REMOVE; /* when it is shown next */
  gtk_paned_set_position (paned, gtk_widget_get_width (GTK_WIDGET (paned)) -
                                     gtk_widget_get_width (inspector) - BORDER);
  gtk_widget_set_size_request (inspector, -1, -1);
  return G_SOURCE_REMOVE;
}

static void
mapped_cb (Panes *self)
{
  if (self->releasing == 0 && scope_settings_get_pane (self->settings, SCOPE_PANE_INSPECTOR) > 0)
    self->releasing = g_timeout_add (SOON_MS, release_cb, self);
}

/* Where the border of the inspector lies depends on a width that is not known before it is on the
 * screen: until then it asks for its own. */
static void
show_widths (Panes *self)
{
  GtkWidget *pane = get_pane (self, SCOPE_PANE_INSPECTOR);
  int summary = scope_settings_get_pane (self->settings, SCOPE_PANE_SUMMARY);
  int inspector = scope_settings_get_pane (self->settings, SCOPE_PANE_INSPECTOR);

  if (summary > 0)
    gtk_paned_set_position (self->panes[SCOPE_PANE_SUMMARY], summary);
  if (inspector == 0 || gtk_widget_get_width (pane) == inspector)
    return;
  gtk_widget_set_size_request (pane, inspector, -1);
  g_object_set (self->panes[SCOPE_PANE_INSPECTOR], "position-set", FALSE, NULL);
  if (gtk_widget_get_mapped (pane))
    mapped_cb (self);
}

/* ---- As the user has them ---- */

/* The pane itself may not have followed yet. */
static int
measure (Panes *self, ScopePane pane)
{
  int position = gtk_paned_get_position (self->panes[pane]);

  return pane == SCOPE_PANE_SUMMARY
             ? position
             : gtk_widget_get_width (GTK_WIDGET (self->panes[pane])) - position - BORDER;
}

static void
save (Panes *self, ScopePane pane)
{
  g_autoptr (GError) error = NULL;

  if (!gtk_widget_get_mapped (get_pane (self, pane)) || measure (self, pane) <= 0 ||
      scope_settings_set_pane (self->settings, pane, measure (self, pane), &error))
    return;
  g_autofree char *text = g_strdup_printf (_ ("Width not kept: %s"), error->message);

  gtk_widget_activate_action (self->page, "win.show-message", "s", text);
}

/* GTK also moves borders where there is no room: only those that somebody has moved are meant. */
static gboolean
event_cb (GtkEventController *controller, GdkEvent *event, Panes *self)
{
  GdkEventType type = gdk_event_get_event_type (event);

  for (guint i = 0; i < SCOPE_N_PANES; i++)
    if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
      self->pressed[i] = gtk_paned_get_position (self->panes[i]);
    else if ((type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END) &&
             self->pressed[i] != gtk_paned_get_position (self->panes[i]))
      save (self, (ScopePane) i);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
accepted_cb (GtkPaned *paned, Panes *self)
{
  save (self, paned == self->panes[SCOPE_PANE_SUMMARY] ? SCOPE_PANE_SUMMARY : SCOPE_PANE_INSPECTOR);
  return FALSE; /* GTK has still to end its moving */
}

void
scope_panes_keep (GtkWidget *page, GtkPaned *outer, GtkPaned *inner, ScopeSettings *settings)
{
  GtkEventController *events = gtk_event_controller_legacy_new ();
  Panes *self = g_new0 (Panes, 1);

  g_return_if_fail (GTK_IS_PANED (outer) && GTK_IS_PANED (inner) && SCOPE_IS_SETTINGS (settings));

  self->page = page;
  g_set_weak_pointer (&self->panes[SCOPE_PANE_SUMMARY], outer);
  g_set_weak_pointer (&self->panes[SCOPE_PANE_INSPECTOR], inner);
  self->settings = g_object_ref (settings);
  g_object_set_data_full (G_OBJECT (page), KEY, self, free_panes);
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect (events, "event", G_CALLBACK (event_cb), self);
  gtk_widget_add_controller (page, events);
  for (guint i = 0; i < SCOPE_N_PANES; i++)
    g_signal_connect (self->panes[i], "accept-position", G_CALLBACK (accepted_cb), self);
  g_signal_connect_swapped (get_pane (self, SCOPE_PANE_INSPECTOR), "map", G_CALLBACK (mapped_cb),
                            self);
  g_signal_connect_swapped (page, "map", G_CALLBACK (show_widths), self);
  g_signal_connect_swapped (page, "destroy", G_CALLBACK (gone_cb), self);
  show_widths (self);
}
