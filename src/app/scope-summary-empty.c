/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

#include "app/scope-empty.h"
#include "app/scope-search.h"

#define HEADINGS 40 /* pixels at the top that stay free, for columns can be changed meanwhile */

void
scope_summary_clear_search (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_search_clear (SCOPE_SEARCH (SCOPE_SUMMARY (widget)->search));
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
