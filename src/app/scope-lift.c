/* SPDX-License-Identifier: MIT */
#include "app/scope-lift.h"

#include <adwaita.h>
#include <math.h>

#define GAP 12.0f /* to a toast, and to the top */

/* Of a box, which owns it; all but the box is there while that is on the screen. */
typedef struct {
  GtkWidget *box;
  AdwToastOverlay *toasts; /* borrowed: it is around the box */
  GListModel *children;    /* of that */
  GdkFrameClock *clock;    /* NULL while there is no toast */
} Lift;

/* A toast is a child after what the overlay is for. */
static GtkWidget *
find_toast (const Lift *self)
{
  GtkWidget *last = gtk_widget_get_last_child (GTK_WIDGET (self->toasts));

  return last != adw_toast_overlay_get_child (self->toasts) ? last : NULL;
}

/* How far up @child has to go from where it is when nothing is lifted. */
static float
measure_way (const Lift *self, GtkWidget *child, const graphene_rect_t *toast)
{
  GtkWidget *overlay = GTK_WIDGET (self->toasts);
  GtkWidget *around = gtk_widget_get_ancestor (self->box, GTK_TYPE_OVERLAY);
  float lifted = (float) gtk_widget_get_margin_bottom (self->box);
  graphene_rect_t place, room;

  if (!gtk_widget_get_mapped (child) || !gtk_widget_compute_bounds (child, overlay, &place) ||
      !gtk_widget_compute_bounds (around, overlay, &room))
    return 0;
  float bottom = place.origin.y + place.size.height + lifted;
  float above = place.origin.y + lifted - room.origin.y - GAP;

  if (toast->origin.x >= place.origin.x + place.size.width + GAP ||
      place.origin.x >= toast->origin.x + toast->size.width + GAP)
    return 0;
  return CLAMP (bottom + GAP - toast->origin.y, 0, MAX (above, 0));
}

static void
follow (Lift *self)
{
  GtkWidget *toast = find_toast (self);
  graphene_rect_t place;
  float way = 0;

  if (toast != NULL && gtk_widget_compute_bounds (toast, GTK_WIDGET (self->toasts), &place))
    for (GtkWidget *child = gtk_widget_get_first_child (self->box); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      way = MAX (way, measure_way (self, child, &place));
  gtk_widget_set_margin_bottom (self->box, (int) ceilf (way));
}

static void
stop_following (Lift *self)
{
  if (self->clock == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->clock, follow, self);
  g_clear_object (&self->clock);
}

/* Where a toast is, each of its frames tells. */
static void
toasts_changed_cb (Lift *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->box);

  if (find_toast (self) == NULL)
    {
      stop_following (self);
      gtk_widget_set_margin_bottom (self->box, 0);
    }
  else if (self->clock == NULL && clock != NULL)
    {
      self->clock = g_object_ref (clock);
      g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (follow), self);
    }
}

static void
forget_toasts (Lift *self)
{
  stop_following (self);
  if (self->children != NULL)
    g_signal_handlers_disconnect_by_data (self->children, self);
  g_clear_object (&self->children);
}

static void
map_cb (Lift *self)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (self->box, ADW_TYPE_TOAST_OVERLAY);

  if (overlay == NULL)
    return;
  self->toasts = ADW_TOAST_OVERLAY (overlay);
  self->children = gtk_widget_observe_children (overlay);
  g_signal_connect_swapped (self->children, "items-changed", G_CALLBACK (toasts_changed_cb), self);
  toasts_changed_cb (self);
}

static void
unmap_cb (Lift *self)
{
  forget_toasts (self);
  gtk_widget_set_margin_bottom (self->box, 0);
}

static void
free_lift (gpointer data)
{
  Lift *self = data;

  forget_toasts (self);
  g_free (self);
}

void
scope_lift_above_toasts (GtkWidget *box)
{
  g_return_if_fail (GTK_IS_WIDGET (box));

  Lift *self = g_new0 (Lift, 1);

  self->box = box;
  g_object_set_data_full (G_OBJECT (box), "scope-lift", self, free_lift);
  g_signal_connect_swapped (box, "map", G_CALLBACK (map_cb), self);
  g_signal_connect_swapped (box, "unmap", G_CALLBACK (unmap_cb), self);
}
