/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-search.h"
#include "app/scope-settings.h"

G_BEGIN_DECLS

/* The summary of a document as a table with a filter above and totals below.  Its selected rows are
 * the document's selected values; in a tree, groups are open that are open in the drawing. */
#define SCOPE_TYPE_SUMMARY (scope_summary_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSummary, scope_summary, SCOPE, SUMMARY, GtkWidget)

/* Which columns there are, how wide and in which order is kept in @settings. */
void
scope_summary_set_document (ScopeSummary *self, ScopeDocument *document, ScopeSettings *settings);

/* As scope_page_prepare_move(). */
void scope_summary_prepare_move (ScopeSummary *self);

/* The filter. */
ScopeSearch *scope_summary_get_search (ScopeSummary *self);

G_END_DECLS
