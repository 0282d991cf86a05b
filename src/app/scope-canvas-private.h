/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-canvas.h"
#include "app/scope-highlight.h"
#include "app/scope-tiles.h"

G_BEGIN_DECLS

/* Shared by the files scope-canvas-*.c. */
struct _ScopeCanvas {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeViewport *viewport;
  ScopeTiles *tiles;
  guint tick; /* callback of the frame clock while something moves; 0 for none */
  GtkWidget *menu; /* popover at the pointer */

  ScopeHighlight *lights[SCOPE_N_LIGHTS];
  SymId hovered_value, hovered_call;
  double pointer_x, pointer_y;
  gboolean has_pointer;
  double drag_x, drag_y; /* how much of the drag was panned */
  double pinch_scale, pinch_x, pinch_y;
  SymLayout *shown_layout; /* the last one, also while there is none */
  gboolean shows_preview;
  SymDirection shown_direction;
  SymDrawing shown_drawing;
  SymTheme shown_theme; /* of the squares */
  gboolean reveals_later; /* the selection comes into sight with the next picture */
  gboolean selects_here; /* the selection is being changed by this widget: nothing moves */
};

/* The layout that the shown picture is of; NULL before there is one. */
SymLayout *scope_canvas_get_layout (ScopeCanvas *self);

void scope_canvas_paint (ScopeCanvas *self, cairo_t *cr);

/* What stands out, above everything else. */
void scope_canvas_paint_lights (ScopeCanvas *self, cairo_t *cr);

/* Collects what belongs to one of them again. */
void scope_canvas_update_light (ScopeCanvas *self, ScopeLight light);

/* What lies under the pointer may have changed without the pointer having moved. */
void scope_canvas_update_hover (ScopeCanvas *self);

/* Opens the group that is selected.  FALSE when none is. */
gboolean scope_canvas_open_selected (ScopeCanvas *self);

/* Closes the group whose frame has its title at a pixel.  FALSE when none has. */
gboolean scope_canvas_close_title_at (ScopeCanvas *self, double px, double py);

void scope_canvas_add_fold_bindings (GtkWidgetClass *klass);
void scope_canvas_add_bindings (GtkWidgetClass *klass);
void scope_canvas_add_controllers (ScopeCanvas *self);

G_END_DECLS
