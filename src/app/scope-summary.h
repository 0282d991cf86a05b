/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-search.h"

G_BEGIN_DECLS

/* The summary of a document as a table with a filter above and totals below.  Its selected row is the
 * document's selected value. */
#define SCOPE_TYPE_SUMMARY (scope_summary_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSummary, scope_summary, SCOPE, SUMMARY, GtkWidget)

void scope_summary_set_document (ScopeSummary *self, ScopeDocument *document);

/* The filter. */
ScopeSearch *scope_summary_get_search (ScopeSummary *self);

G_END_DECLS
