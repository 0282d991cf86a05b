/* SPDX-License-Identifier: MIT */
#include "app/scope-turns.h"

#include <gtk/gtk.h>

/* gdkframeclockidle.c draws a window in a source of the main loop that has the window's clock as
 * its data.  A turn of the loop takes all sources of one priority, so each gets one of its own;
 * the next frame has the usual one again. */

#define BEFORE_FRAMES (GDK_PRIORITY_REDRAW - 1)
#define MAX_LATER 20 /* below what is done when nothing is to be drawn */

static guint parting;

static GSource *
find_frame (GtkWidget *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GSource *source = NULL;

  if (surface != NULL)
    source = g_main_context_find_source_by_user_data (NULL, gdk_surface_get_frame_clock (surface));
  return source != NULL && g_source_get_priority (source) == GDK_PRIORITY_REDRAW ? source : NULL;
}

static gboolean
part_cb (gpointer user_data)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  int later = 1;

  parting = 0;
  for (GList *l = windows; l != NULL; l = l->next)
    {
      GSource *frame = find_frame (l->data);

      if (frame != NULL && !gtk_window_is_active (l->data))
        g_source_set_priority (frame, GDK_PRIORITY_REDRAW + MIN (later++, MAX_LATER));
    }
  return G_SOURCE_REMOVE;
}

void
scope_turns_part (void)
{
  if (parting == 0)
    parting = g_idle_add_full (BEFORE_FRAMES, part_cb, NULL, NULL);
}
