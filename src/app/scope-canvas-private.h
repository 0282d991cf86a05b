/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-anchor.h"
#include "app/scope-canvas.h"
#include "app/scope-highlight.h"
#include "app/scope-history.h"
#include "app/scope-line-raster.h"
#include "app/scope-place.h"
#include "app/scope-tiles.h"

G_BEGIN_DECLS

/* What was looked at, and pixels per point. */
typedef struct {
  SymRect visible;
  double scale;
} ScopeCanvasSight;

typedef struct _ScopeMorph ScopeMorph;

/* Shared by the files scope-canvas-*.c. */
struct _ScopeCanvas {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeViewport *viewport;
  ScopeTiles *tiles;
  guint tick; /* callback of the frame clock while something moves; 0 for none */

  ScopeHighlight *lights[SCOPE_N_LIGHTS];
  ScopeLineRaster *rasters[SCOPE_N_LIGHTS]; /* of their lines as seen last; NULL of few */
  ScopeNode hovered;
  double pointer_x, pointer_y;
  gboolean has_pointer;
  guint tip_timer;  /* until what is hovered is told; 0 for none */
  PangoLayout *tip; /* what is told of it; NULL while nothing is */
  graphene_rect_t tip_place;
  double drag_x, drag_y; /* how much of the drag was panned */
  double pinch_scale, pinch_x, pinch_y;
  SymPicture *shown_picture; /* the last one, also while there is none */
  SymLayout *shown_layout;   /* of that */
  ScopeMorph *morph;         /* NULL while the picture is shown as it is */
  gboolean is_animated;
  gboolean shows_preview;
  SymDirection shown_direction;
  SymDrawing shown_drawing;
  SymTheme shown_theme;   /* of the squares */
  gboolean reveals_later; /* the selection comes into sight with the next picture */
  ScopeHistory *history;
  ScopeMoment present; /* the view as it was when it was come to */
  ScopeMoment coming;  /* the one that is gone back to, once its picture is there */
  gboolean comes;
  ScopeMoment whole;  /* the last one of the whole, to be come back to from a part */
  gboolean goes_back; /* the document is being told what it was like */
  SymId shown_around;
  ScopeMiddle wish;      /* to be shown when all of the picture is there; of scale 0 for none */
  SymLayout *wish_after; /* and that is another than this, only to be compared; NULL: any */
  gboolean selects_here; /* the selection is being changed by this widget: nothing moves */
};

/* The layout that the shown picture is of; NULL before there is one. */
SymLayout *scope_canvas_get_layout (ScopeCanvas *self);

/* Shows the middle that is wished for, if it can be shown by now. */
void scope_canvas_grant_wish (ScopeCanvas *self);

void scope_canvas_paint (ScopeCanvas *self, cairo_t *cr);

/* What stands out, above everything else; its tints come first, straight onto the picture, and as
 * strong as it has come out, 0 to 1. */
void scope_canvas_paint_tints (ScopeCanvas *self, cairo_t *cr, double strength);
void scope_canvas_paint_lights (ScopeCanvas *self, cairo_t *cr);

/* Collects what belongs to one of them again. */
void scope_canvas_update_light (ScopeCanvas *self, ScopeLight light);

/* What lies under the pointer may have changed without the pointer having moved. */
void scope_canvas_update_hover (ScopeCanvas *self);

/* Opens the group or the layer that is selected.  FALSE when none is. */
gboolean scope_canvas_open_selected (ScopeCanvas *self);

/* Opens the group whose sign is at a pixel, opens or closes a layer by it; selects the frame that
 * is there, or the layer that it is a body of.  FALSE when none is. */
gboolean scope_canvas_use_sign_at (ScopeCanvas *self, double px, double py);
gboolean scope_canvas_select_frame_at (ScopeCanvas *self, double px, double py);

/* Closes the group or the layer whose frame has its title at a pixel.  FALSE when none has. */
gboolean scope_canvas_close_title_at (ScopeCanvas *self, double px, double py);

/* Lets the picture, of other groups than @before (NULL: none) and seen anew, come out of what was
 * seen of that; at once when nothing may move. */
void
scope_canvas_begin_morph (ScopeCanvas *self, SymPicture *before, const ScopeCanvasSight *sight);
void scope_canvas_end_morph (ScopeCanvas *self);
gboolean scope_canvas_is_morphing (ScopeCanvas *self);
void scope_canvas_advance_morph (ScopeCanvas *self, gint64 time);

/* 1 when it is over or there is none. */
double scope_canvas_get_morph_progress (ScopeCanvas *self);

/* In coordinates of the content.  FALSE when the picture is to be painted as ever; then the one
 * before may still be fading above it. */
gboolean
scope_canvas_paint_morph (ScopeCanvas *self, cairo_t *cr, const SymRect *clip, double scale);
void scope_canvas_paint_fading (ScopeCanvas *self, cairo_t *cr);

/* Asks for frames while anything moves. */
void scope_canvas_animate (ScopeCanvas *self);

/* What is looked at: the selection, else what the pointer is at, else the middle. */
ScopeGaze scope_canvas_get_gaze (ScopeCanvas *self);

/* Moves the view with the group or the layer that was opened or closed last, which then stays where
 * it is seen, at the same size.  FALSE when that is not it. */
gboolean scope_canvas_keep_folded (ScopeCanvas *self, SymLayout *layout, const SymRect *extent);

/* Full labels of what the pointer is at: another thing, or it moves over the same. */
void scope_canvas_update_tip (ScopeCanvas *self);
void scope_canvas_await_tip (ScopeCanvas *self);
void scope_canvas_hide_tip (ScopeCanvas *self);
void scope_canvas_snapshot_tip (ScopeCanvas *self, GtkSnapshot *snapshot);

/* Where it is, in the widget's pixels.  FALSE while there is none. */
gboolean scope_canvas_get_tip (ScopeCanvas *self, graphene_rect_t *place_of_tip);

/* The menu of what is selected, of the drawing when nothing is. */
void scope_canvas_popup_menu (ScopeCanvas *self, double x, double y);
void scope_canvas_add_menu_actions (GtkWidgetClass *klass);

/* The line at a pixel, where lines can be told apart. */
gboolean scope_canvas_pick_line (ScopeCanvas *self, double px, double py, ScopeNode *node);

/* From the selected line to the layer at one of its ends, or to the line beside it.  FALSE when
 * none is selected. */
gboolean scope_canvas_step_from_line (ScopeCanvas *self, ScopeStep step);
void scope_canvas_add_line_bindings (GtkWidgetClass *klass);

/* Selects what was pointed or walked to, which is in sight: nothing moves. */
void scope_canvas_select_here (ScopeCanvas *self, const ScopeNode *node);

void scope_canvas_add_fold_bindings (GtkWidgetClass *klass);
/* Keeps the view that is left, to be gone back to.  Nothing has moved yet. */
void scope_canvas_keep_view (ScopeCanvas *self, guint changes);

/* Goes where a view is to be seen that somebody comes back to, in a layout that has just come.
 * FALSE when there is none. */
gboolean scope_canvas_come_back (ScopeCanvas *self);

/* The lines that trace and path light up. */
void scope_canvas_collect_trace (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light);

/* What the last run found (scope-canvas-run.c). */
void
scope_canvas_collect_failed (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light);
void scope_canvas_collect_bad (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light);
void
scope_canvas_collect_first_bad (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light);

void scope_canvas_add_focus_bindings (GtkWidgetClass *klass);
void scope_canvas_add_focus_controllers (ScopeCanvas *self);
void scope_canvas_add_bindings (GtkWidgetClass *klass);
void scope_canvas_add_controllers (ScopeCanvas *self);

G_END_DECLS
