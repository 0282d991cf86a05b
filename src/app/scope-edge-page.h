/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* All of a line of the drawing: which tensor it carries, from which output of which layer, to which
 * operand of which others, and what a run put in it.  A page of the inspector. */
#define SCOPE_TYPE_EDGE_PAGE (scope_edge_page_get_type ())
G_DECLARE_FINAL_TYPE (ScopeEdgePage, scope_edge_page, SCOPE, EDGE_PAGE, GtkWidget)

/* Set once. */
void scope_edge_page_set_document (ScopeEdgePage *self, ScopeDocument *document);

/* Shows the selected line, which must be one that scope_document_knows_line(). */
void scope_edge_page_show (ScopeEdgePage *self);

/* Another run, or other colours. */
void scope_edge_page_show_numbers (ScopeEdgePage *self);

G_END_DECLS
