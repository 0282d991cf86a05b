/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* The summary of a document as a table with a filter above and totals below.  Its selected row is the
 * document's selected value. */
#define SCOPE_TYPE_SUMMARY (scope_summary_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSummary, scope_summary, SCOPE, SUMMARY, GtkWidget)

void scope_summary_set_document (ScopeSummary *self, ScopeDocument *document);

/* Puts the keyboard into the filter. */
void scope_summary_focus_search (ScopeSummary *self);

/* To the next one that the search has found, or the one before. */
void scope_summary_go (ScopeSummary *self, gboolean forward);

G_END_DECLS
