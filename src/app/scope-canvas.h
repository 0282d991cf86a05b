/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-memory.h"
#include "app/scope-viewport.h"

G_BEGIN_DECLS

/* The drawing of a document: paints what is visible of its picture, and over it the selection with
 * its lines, marks, problems and what the pointer is at.  Clicks and keys select, mark, pan and
 * zoom. */
#define SCOPE_TYPE_CANVAS (scope_canvas_get_type ())
G_DECLARE_FINAL_TYPE (ScopeCanvas, scope_canvas, SCOPE, CANVAS, GtkWidget)

GtkWidget *scope_canvas_new (void);

/* Set once, before the widget is shown. */
void scope_canvas_set_document (ScopeCanvas *self, ScopeDocument *document);
ScopeViewport *scope_canvas_get_viewport (ScopeCanvas *self);

/* What lies over it; the selected node comes out from under a bar. */
void scope_canvas_set_cover (ScopeCanvas *self, const ScopeCover *cover);

/* Shows the selected node, wherever it is. */
void scope_canvas_reveal_selection (ScopeCanvas *self);

/* What is in the middle now; and to show that again, once all of the picture is there. */
ScopeMiddle scope_canvas_get_middle (ScopeCanvas *self);
void scope_canvas_show_middle (ScopeCanvas *self, const ScopeMiddle *middle);

/* Looks at the graph as it was looked at then. */
void scope_canvas_recall (ScopeCanvas *self, const ScopeMemory *memory);

/* Back and forward through the views that were come through: selection, place, part. */
gboolean scope_canvas_can_go (ScopeCanvas *self, gboolean forward);
void scope_canvas_go (ScopeCanvas *self, gboolean forward);

G_END_DECLS
