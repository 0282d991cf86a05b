/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-canvas.h"

G_BEGIN_DECLS

/* All of one document in a tab: table, drawing and inspector side by side; before that what is being
 * read, or why it could not be. */
#define SCOPE_TYPE_PAGE (scope_page_get_type ())
G_DECLARE_FINAL_TYPE (ScopePage, scope_page, SCOPE, PAGE, GtkWidget)

GtkWidget *scope_page_new (ScopeDocument *document);
ScopeDocument *scope_page_get_document (ScopePage *self);
ScopeViewport *scope_page_get_viewport (ScopePage *self);
ScopeCanvas *scope_page_get_canvas (ScopePage *self);

void scope_page_focus_search (ScopePage *self);

/* What is shown around the drawing and over it, where it has something to show. */
typedef enum {
  SCOPE_PANEL_SUMMARY = 1 << 0,
  SCOPE_PANEL_INSPECTOR = 1 << 1,
  SCOPE_PANEL_LEGEND = 1 << 2,
  SCOPE_PANEL_MINIMAP = 1 << 3,
} ScopePanels;

void scope_page_show_panels (ScopePage *self, ScopePanels panels);

/* Where there is no room for both, the table takes the place of the graph. */
void scope_page_set_narrow (ScopePage *self, gboolean is_narrow);

G_END_DECLS
