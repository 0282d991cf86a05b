/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

/* A tab is dragged, or moved, to another window.  GTK 4.8 makes the cells of all rows that it keeps
 * at the moment when they get a window, in one turn: a tenth of a second for 200 rows.  So the
 * table comes without rows, and gets them bit by bit, as when a graph is opened. */

#define SETTLED 2 /* frames after which the list knows how high it is */

static GtkAdjustment *
get_adjustment (ScopeSummary *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->table));
}

static gboolean
return_cb (GtkWidget *list, GdkFrameClock *clock, gpointer user_data)
{
  ScopeSummary *self = user_data;

  if (gtk_widget_get_height (list) == 0 || self->settled++ < SETTLED)
    return G_SOURCE_CONTINUE;
  self->returning = 0;
  gtk_adjustment_set_value (get_adjustment (self), self->left_at);
  self->left_at = 0;
  return G_SOURCE_REMOVE;
}

/* Not before all are there: to select one that is not would have them all at once. */
static void
rows_came_cb (ScopeSummary *self)
{
  if (!scope_row_list_is_complete (self->rows))
    return;
  g_signal_handlers_disconnect_by_func (self->rows, rows_came_cb, self);
  scope_summary_show_selection (self);
  if (self->left_at == 0 || self->returning != 0)
    return;
  self->settled = 0;
  self->returning =
      gtk_widget_add_tick_callback (scope_summary_get_list (self), return_cb, self, NULL);
}

void
scope_summary_stay_there (ScopeSummary *self)
{
  self->left_at = 0;
  if (self->returning != 0)
    gtk_widget_remove_tick_callback (scope_summary_get_list (self), self->returning);
  self->returning = 0;
}

void
scope_summary_leave_window (ScopeSummary *self)
{
  if (self->rows != NULL && self->returning == 0 && scope_row_list_is_complete (self->rows))
    self->left_at = gtk_adjustment_get_value (get_adjustment (self));
}

void
scope_summary_enter_window (ScopeSummary *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->rows)) == 0)
    return;
  g_signal_handlers_disconnect_by_func (self->rows, rows_came_cb, self);
  self->is_syncing = TRUE;
  scope_row_list_restart (self->rows);
  self->is_syncing = FALSE;
  g_signal_connect_swapped (self->rows, "items-changed", G_CALLBACK (rows_came_cb), self);
}

void
scope_summary_prepare_move (ScopeSummary *self)
{
  g_return_if_fail (SCOPE_IS_SUMMARY (self));

  scope_summary_leave_window (self);
  scope_summary_enter_window (self);
}
