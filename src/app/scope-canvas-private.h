/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-canvas.h"
#include "app/scope-tiles.h"

G_BEGIN_DECLS

/* Shared by scope-canvas.c, scope-canvas-paint.c and scope-canvas-input.c. */
struct _ScopeCanvas {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeViewport *viewport;
  ScopeTiles *tiles;
  guint tick; /* callback of the frame clock while something moves; 0 for none */
  GtkWidget *menu; /* popover at the pointer */

  GArray *near_edges; /* of guint: lines of the selected item */
  SymId hovered_value, hovered_call;
  double pointer_x, pointer_y;
  double drag_x, drag_y; /* how much of the drag was panned */
  double pinch_scale, pinch_x, pinch_y;
  SymLayout *shown_layout; /* what the squares are of */
  SymDirection shown_direction;
  SymDrawing shown_drawing;
  gboolean selects_here; /* the selection is being changed by this widget: nothing moves */
};

/* The layout that the shown picture is of; NULL before there is one. */
SymLayout *scope_canvas_get_layout (ScopeCanvas *self);

void scope_canvas_paint (ScopeCanvas *self, cairo_t *cr);

void scope_canvas_add_bindings (GtkWidgetClass *klass);
void scope_canvas_add_controllers (ScopeCanvas *self);

G_END_DECLS
