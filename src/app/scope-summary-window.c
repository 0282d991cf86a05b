/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

/* A tab is dragged, or moved, to another window.  GTK 4.8 makes the cells of all rows that it keeps
 * at the moment when they get a window, in one turn: a tenth of a second for 200 rows.  So the
 * table comes without rows, and gets them bit by bit, as when a graph is opened. */

/* Not before all are there: to select one that is not would have them all at once. */
static void
rows_came_cb (ScopeSummary *self)
{
  if (!scope_row_list_is_complete (self->rows))
    return;
  g_signal_handlers_disconnect_by_func (self->rows, rows_came_cb, self);
  scope_summary_show_selection (self);
  if (self->left_at > 0)
    scope_summary_scroll_later (self);
}

void
scope_summary_leave_window (ScopeSummary *self)
{
  if (self->rows != NULL && self->scrolling == 0 && scope_row_list_is_complete (self->rows))
    self->left_at = gtk_adjustment_get_value (scope_summary_get_adjustment (self));
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
