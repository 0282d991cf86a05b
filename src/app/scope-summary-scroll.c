/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

/* Lists of GTK 4.8 that are scrolled while they have no height, or before they gave places to rows
 * that came where none were, lose their own place, and then rows. */

#define LITTLE 60 /* pixels: less than two rows */
#define SETTLED 2 /* frames after which a list knows how high its rows are */

GtkAdjustment *
scope_summary_get_adjustment (ScopeSummary *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->table));
}

static gboolean
can_scroll (GtkWidget *list)
{
  return gtk_widget_get_mapped (list) && gtk_widget_get_height (list) > 0;
}

static void
stay_there (ScopeSummary *self)
{
  self->left_at = 0;
  if (self->scrolling != 0)
    gtk_widget_remove_tick_callback (scope_summary_get_list (self), self->scrolling);
  self->scrolling = 0;
}

void
scope_summary_scroll_to (ScopeSummary *self, guint position)
{
  GtkWidget *list = scope_summary_get_list (self);

  if (list == NULL)
    return;
  stay_there (self);
  self->is_behind = !can_scroll (list);
  if (!self->is_behind)
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
}

static gboolean
scroll_cb (GtkWidget *list, GdkFrameClock *clock, gpointer user_data)
{
  ScopeSummary *self = user_data;
  guint position = scope_summary_get_selected (self);

  self->is_behind = !gtk_widget_get_mapped (list);
  if (!self->is_behind && gtk_widget_get_height (list) == 0)
    return G_SOURCE_CONTINUE;
  if (!self->is_behind && self->n_frames > 0)
    {
      self->n_frames--;
      return G_SOURCE_CONTINUE;
    }
  self->scrolling = 0;
  if (self->is_behind)
    return G_SOURCE_REMOVE;
  if (self->slid)
    gtk_adjustment_set_value (scope_summary_get_adjustment (self), 0);
  else if (self->left_at > 0)
    gtk_adjustment_set_value (scope_summary_get_adjustment (self), self->left_at);
  else if (position != G_MAXUINT)
    scope_summary_scroll_to (self, position);
  self->left_at = 0;
  self->slid = FALSE;
  return G_SOURCE_REMOVE;
}

static void
scroll_after (ScopeSummary *self, guint n_frames)
{
  GtkWidget *list = scope_summary_get_list (self);

  self->n_frames = self->scrolling != 0 ? MAX (self->n_frames, n_frames) : n_frames;
  if (list != NULL && self->scrolling == 0)
    self->scrolling = gtk_widget_add_tick_callback (list, scroll_cb, self, NULL);
}

void
scope_summary_scroll_later (ScopeSummary *self)
{
  scroll_after (self, SETTLED);
}

/* As its height changes, when a bar comes or goes above it, a list of GTK 4.8 slides by a part of a
 * row; one that began with its first row is to go on doing so. */
static void
height_changed_cb (ScopeSummary *self, GtkAdjustment *adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);
  double height = gtk_adjustment_get_page_size (adjustment);
  gboolean slid = height != self->list_height && self->list_height > 0 && self->is_at_top &&
                  value > 0 && value < LITTLE;

  if (slid && self->scrolling == 0)
    {
      self->slid = TRUE;
      scroll_after (self, 0);
    }
  self->is_at_top = slid || value <= 0;
  self->list_height = height;
}

static void
mapped_cb (ScopeSummary *self, GtkWidget *list)
{
  if (self->is_behind)
    scroll_after (self, 0);
}

void
scope_summary_watch_screen (ScopeSummary *self)
{
  GtkAdjustment *adjustment = scope_summary_get_adjustment (self);

  g_signal_connect_object (scope_summary_get_list (self), "map", G_CALLBACK (mapped_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (height_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (height_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
