/* SPDX-License-Identifier: MIT */
#include "app/scope-frames.h"

#include <gtk/gtk.h>

/* A frame updates (styles, too), lays out and paints in one turn of the main loop.  What paints is
 * a handler that GDK has at the clock, with the surface as its data; while it is blocked, what is
 * to be painted waits. */

#define LONG_LAYOUT 15000 /* microseconds */

/* The frames of a window's surface. */
typedef struct {
  int width, height; /* at the end of the last that was painted; 0: none was */
  gint64 start;
  gboolean is_parted;
  gboolean was_parted; /* the one before: this one is painted, so that there is no end to it */
} Frames;

static Frames *
get_frames (GdkSurface *surface)
{
  return g_object_get_data (G_OBJECT (surface), "symscope-frames");
}

static void
begin_cb (GdkFrameClock *clock, GdkSurface *surface)
{
  get_frames (surface)->start = g_get_monotonic_time ();
}

static guint
for_painters (GdkFrameClock *clock,
              GdkSurface *surface,
              guint (*act) (gpointer clock,
                            GSignalMatchType match,
                            guint signal,
                            GQuark detail,
                            GClosure *closure,
                            gpointer function,
                            gpointer data))
{
  guint paint = g_signal_lookup ("paint", GDK_TYPE_FRAME_CLOCK);

  return act (clock, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, paint, 0, NULL, NULL, surface);
}

/* A compositor shows at the end of a frame what there is; of another size that would be nothing. */
static gboolean
would_be_seen (GdkSurface *surface, const Frames *self)
{
  return gdk_display_is_composited (gdk_surface_get_display (surface)) &&
         (gdk_surface_get_width (surface) != self->width ||
          gdk_surface_get_height (surface) != self->height);
}

static void
laid_out_cb (GdkFrameClock *clock, GdkSurface *surface)
{
  Frames *self = get_frames (surface);

  if (self->is_parted || self->was_parted || g_get_monotonic_time () - self->start < LONG_LAYOUT ||
      would_be_seen (surface, self))
    return;
  self->is_parted = for_painters (clock, surface, g_signal_handlers_block_matched) > 0;
}

static void
end_cb (GdkFrameClock *clock, GdkSurface *surface)
{
  Frames *self = get_frames (surface);

  self->was_parted = self->is_parted;
  if (self->is_parted)
    {
      self->is_parted = FALSE;
      for_painters (clock, surface, g_signal_handlers_unblock_matched);
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
      return;
    }
  self->width = gdk_surface_get_width (surface);
  self->height = gdk_surface_get_height (surface);
}

static void
realized_cb (GtkWidget *window, gpointer user_data)
{
  static const struct {
    const char *phase;
    void (*act) (GdkFrameClock *clock, GdkSurface *surface);
  } handlers[] = {
    { "before-paint", begin_cb },
    { "update", laid_out_cb },
    { "layout", laid_out_cb },
    { "after-paint", end_cb },
  };
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  g_object_set_data_full (G_OBJECT (surface), "symscope-frames", g_new0 (Frames, 1), g_free);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (gdk_surface_get_frame_clock (surface), handlers[i].phase,
                             G_CALLBACK (handlers[i].act), surface, G_CONNECT_AFTER);
}

static void
windows_changed_cb (GListModel *windows, guint first, guint n_removed, guint n_added, gpointer data)
{
  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, first + i);

      g_signal_connect_after (window, "realize", G_CALLBACK (realized_cb), NULL);
    }
}

void
scope_frames_part (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  if (g_signal_handler_find (windows, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, windows_changed_cb, NULL) ==
      0)
    g_signal_connect (windows, "items-changed", G_CALLBACK (windows_changed_cb), NULL);
}
