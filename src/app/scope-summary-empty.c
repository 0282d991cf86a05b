/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

#include "app/scope-empty.h"
#include "app/scope-search.h"

#define SETTLED 2   /* frames after which a list knows how high its rows are */
#define HEADINGS 40 /* pixels at the top that stay free, for columns can be changed meanwhile */

void
scope_summary_clear_search (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_search_clear (SCOPE_SEARCH (SCOPE_SUMMARY (widget)->search));
}

static gboolean
come_back_cb (GtkWidget *list, GdkFrameClock *clock, gpointer user_data)
{
  ScopeSummary *self = user_data;
  guint position = scope_summary_get_selected (self);

  if (self->n_frames++ < SETTLED)
    return G_SOURCE_CONTINUE;
  self->coming = 0;
  if (position != G_MAXUINT)
    scope_summary_scroll_to (self, position);
  return G_SOURCE_REMOVE;
}

/* Rows that come where none were have no places yet: lists of GTK 4.8 that are scrolled before they
 * gave them some show one row and no other. */
void
scope_summary_scroll_later (ScopeSummary *self)
{
  GtkWidget *list = scope_summary_get_list (self);

  self->n_frames = 0;
  if (list != NULL && self->coming == 0)
    self->coming = gtk_widget_add_tick_callback (list, come_back_cb, self, NULL);
}

/* It is made of many widgets, and often everybody finds something. */
void
scope_summary_show_emptiness (ScopeSummary *self, gboolean is_empty)
{
  if (self->empty == NULL && is_empty)
    {
      self->empty =
          scope_empty_new ("system-search-symbolic", _ ("No Layer Matches"),
                           _ ("Try other words, or see what can be asked with the question mark"),
                           _ ("Clear Search"), "summary.clear-search");
      gtk_widget_set_margin_top (self->empty, HEADINGS);
      gtk_overlay_add_overlay (GTK_OVERLAY (self->body), self->empty);
    }
  if (self->empty != NULL)
    gtk_widget_set_visible (self->empty, is_empty);
}
