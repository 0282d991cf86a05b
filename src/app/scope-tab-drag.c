/* SPDX-License-Identifier: MIT */
#include "app/scope-tab-drag.h"

#include "app/scope-still.h"

#define LEAST 2     /* pixels: libadwaita waits for more */
#define REST_MS 500 /* until all has come to its place */
#define KEY "scope-tab-drag"
#define ORIGIN "adw-tab-bar-drag-origin" /* by which libadwaita knows a drag of its own */

/* Of one bar, which owns it. */
typedef struct {
  AdwTabBar *bar;
  gboolean is_pressed;
  gboolean holds; /* keeps still what would move */
  gboolean moves; /* a tab has another place, and may be on its way there */
  int n_known;    /* one was put to a place among so many */
  guint rest;     /* source; 0 for none */
} TabDrag;

static void
hold (TabDrag *self)
{
  g_clear_handle_id (&self->rest, g_source_remove);
  if (self->holds)
    return;
  self->holds = TRUE;
  scope_still_begin ();
}

static void
let_go (TabDrag *self)
{
  g_clear_handle_id (&self->rest, g_source_remove);
  if (!self->holds)
    return;
  self->holds = FALSE;
  scope_still_end ();
}

static gboolean
rest_cb (gpointer user_data)
{
  TabDrag *self = user_data;

  self->rest = 0;
  let_go (self);
  return G_SOURCE_REMOVE;
}

/* A tab may have left the bar, and be dragged on.  On a busy machine what the drag ends with comes
 * late: nothing else waits when the rest is over. */
static void
check (TabDrag *self)
{
  AdwTabView *view = adw_tab_bar_get_view (self->bar);

  g_clear_handle_id (&self->rest, g_source_remove);
  if (view != NULL && adw_tab_view_get_is_transferring_page (view))
    hold (self);
  else if (self->holds && !self->is_pressed)
    self->rest = g_timeout_add_full (G_PRIORITY_LOW, REST_MS, rest_cb, self, NULL);
}

static gboolean
is_over (GtkWidget *window, GdkDevice *device)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  double x, y, left, top;

  if (!gtk_widget_get_mapped (window) ||
      !gdk_surface_get_device_position (surface, device, &x, &y, NULL))
    return FALSE;
  gtk_native_get_surface_transform (GTK_NATIVE (window), &left, &top);
  return gtk_widget_contains (window, x - left, y - top);
}

/* What lies under the pointer is the picture of the tab. */
static gboolean
is_over_window (GdkDevice *device)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (is_over (window, device))
        return TRUE;
    }
  return FALSE;
}

/* Over the bare screen of X, GTK 4.8 takes a tab of libadwaita 1.2 for dropped, complains, and
 * never ends the drag: the tab would be nowhere, and its window wait for it as long as it lives.
 * Without a target, it gets a window of its own. */
static void
dropped_cb (GdkDrag *drag)
{
  if (g_object_get_data (G_OBJECT (drag), ORIGIN) != NULL &&
      !is_over_window (gdk_drag_get_device (drag)))
    g_signal_emit_by_name (drag, "cancel", GDK_DRAG_CANCEL_NO_TARGET);
  else
    g_signal_chain_from_overridden_handler (drag);
}

/* Once there was a drag, GTK's type of those over X is known. */
static void
watch_drops (void)
{
  static gboolean is_watching;
  GType type = g_type_from_name ("GdkX11Drag");

  if (is_watching || type == G_TYPE_INVALID)
    return;
  is_watching = TRUE;
  g_signal_override_class_handler ("drop-performed", type, G_CALLBACK (dropped_cb));
}

/* The gesture is not told of what a drag from bar to bar ends with. */
static void
transferring_cb (AdwTabBar *bar)
{
  TabDrag *self = g_object_get_data (G_OBJECT (bar), KEY);

  watch_drops ();
  if (!adw_tab_view_get_is_transferring_page (adw_tab_bar_get_view (bar)))
    self->is_pressed = FALSE;
  check (self);
}

/* libadwaita 1.2 puts a tab that leaves its bar at a stroke to where one was put before, be there
 * still so many or not. */
static void
forget_place (TabDrag *self)
{
  AdwTabView *view = adw_tab_bar_get_view (self->bar);
  int first = adw_tab_view_get_n_pinned_pages (view), n = adw_tab_view_get_n_pages (view);

  if (self->n_known > n && n - first > 1)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (view, first);

      scope_still_begin ();
      adw_tab_view_reorder_page (view, page, first + 1);
      adw_tab_view_reorder_page (view, page, first);
      scope_still_end ();
    }
  self->n_known = n;
}

static void
pressed_cb (TabDrag *self)
{
  forget_place (self);
  self->is_pressed = TRUE;
}

static void
moved_cb (TabDrag *self, double x, double y)
{
  if (self->is_pressed && MAX (ABS (x), ABS (y)) > LEAST)
    hold (self);
}

static void
released_cb (TabDrag *self)
{
  self->is_pressed = FALSE;
  check (self);
}

static void
reordered_cb (AdwTabBar *bar)
{
  TabDrag *self = g_object_get_data (G_OBJECT (bar), KEY);

  self->moves = TRUE;
  self->n_known = MAX (self->n_known, adw_tab_view_get_n_pages (adw_tab_bar_get_view (bar)));
}

static gboolean
is_called (GtkWidget *widget, const char *type)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), type);
}

/* It, and all that is in it. */
static GPtrArray *
list_parts (GtkWidget *widget)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (parts, g_object_ref (widget));
  for (guint i = 0; i < parts->len; i++)
    for (GtkWidget *child = gtk_widget_get_first_child (parts->pdata[i]); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      g_ptr_array_add (parts, g_object_ref (child));
  return parts;
}

/* What moves in a widget is where it leads to as soon as nobody sees it, and the pointer is not in
 * it any more.  To hide it would take the keyboard from it. */
static void
arrive (GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  gtk_widget_unmap (widget);
  gtk_widget_map (widget);
}

/* With the width that it has: one as wide as all tabs would be thought to show them all, and not
 * lead to the one that has come. */
static void
allocate_again (GtkWidget *widget)
{
  GtkAllocation place;

  gtk_widget_get_allocation (widget, &place);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (widget, &place, -1);
}

static void
reset_drags (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_DRAG (controller))
        gtk_event_controller_reset (controller);
    }
}

static void
tab_drag_free (gpointer data)
{
  let_go (data);
  g_free (data);
}

void
scope_tab_drag_watch (AdwTabBar *bar)
{
  g_return_if_fail (ADW_IS_TAB_BAR (bar) && adw_tab_bar_get_view (bar) != NULL);

  TabDrag *self = g_new0 (TabDrag, 1);
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->bar = bar;
  g_object_set_data_full (G_OBJECT (bar), KEY, self, tab_drag_free);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (released_cb), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (bar), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_object (adw_tab_bar_get_view (bar), "notify::is-transferring-page",
                           G_CALLBACK (transferring_cb), bar, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_tab_bar_get_view (bar), "page-reordered", G_CALLBACK (reordered_cb),
                           bar, G_CONNECT_SWAPPED);
}

void
scope_tab_drag_end (AdwTabBar *bar)
{
  g_return_if_fail (ADW_IS_TAB_BAR (bar));

  TabDrag *self = g_object_get_data (G_OBJECT (bar), KEY);
  g_autoptr (GPtrArray) parts = list_parts (GTK_WIDGET (bar));

  scope_still_begin (); /* at once */
  for (guint i = 0; i < parts->len; i++)
    {
      if (self->moves && is_called (parts->pdata[i], "AdwTabBox"))
        arrive (parts->pdata[i]);
      reset_drags (parts->pdata[i]);
    }
  self->moves = FALSE;
  scope_still_end ();
}

void
scope_tab_drag_place_new (AdwTabBar *bar)
{
  g_return_if_fail (ADW_IS_TAB_BAR (bar));

  g_autoptr (GPtrArray) parts = list_parts (GTK_WIDGET (bar));

  for (guint i = 0; i < parts->len; i++)
    if (is_called (parts->pdata[i], "AdwTabBox") && gtk_widget_get_width (parts->pdata[i]) > 0)
      allocate_again (parts->pdata[i]);
}
