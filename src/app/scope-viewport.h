/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "app/scope-fit.h"
#include "app/scope-flight.h"
#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* Which part of a drawing is looked at, and how large.  Content is in points, y down; the window
 * onto it in pixels from its top left corner.  It knows no widget, so several may share one. */
#define SCOPE_TYPE_VIEWPORT (scope_viewport_get_type ())
G_DECLARE_FINAL_TYPE (ScopeViewport, scope_viewport, SCOPE, VIEWPORT, GObject)

/* "changed" is emitted after each change of what is visible. */
ScopeViewport *scope_viewport_new (void);

/* The pixels there are.  While the view is fitted it stays so, otherwise the centre stays in place.
 */
void scope_viewport_set_size (ScopeViewport *self, double width, double height);

/* What lies over the widget: what is fitted keeps beside it.  A bar that comes over the beginning
 * of the drawing, or over @kept (NULL for none), while they are in sight makes the view move;
 * otherwise bars count when something is fitted next. */
void scope_viewport_set_cover (ScopeViewport *self, const ScopeCover *cover, const SymRect *kept);

/* What there is to look at.  The first extent that is not empty is shown from its start. */
void scope_viewport_set_extent (ScopeViewport *self, const SymRect *extent);

SymRect scope_viewport_get_extent (ScopeViewport *self);

/* Another extent while this one is looked at, of which the content in sight has moved by (@dx,
 * @dy): it stays where it is seen. */
void
scope_viewport_change_extent (ScopeViewport *self, const SymRect *extent, double dx, double dy);

/* Where looking begins when not all of it can be read at once, the middle of the extent without;
 * and which way it goes on from there, as what lies beside that way is to be seen. */
void scope_viewport_set_start (ScopeViewport *self, const SymRect *start, SymDirection direction);

double scope_viewport_get_scale (ScopeViewport *self); /* pixels per point */
SymRect scope_viewport_get_visible (ScopeViewport *self);

/* Between pixels and points. */
void scope_viewport_to_content (ScopeViewport *self, double px, double py, double *x, double *y);
void scope_viewport_to_widget (ScopeViewport *self, double x, double y, double *px, double *py);

/* Zooms such that the content under the pixel stays there. */
void scope_viewport_zoom_at (ScopeViewport *self, double factor, double px, double py);
void scope_viewport_zoom (ScopeViewport *self, double factor);
void scope_viewport_set_scale (ScopeViewport *self, double scale);

/* Moves the content by so many pixels.  Some of it always remains visible. */
void scope_viewport_pan (ScopeViewport *self, double dx, double dy);

/* Content that was let go at a speed, in pixels per second, slows down by itself. */
void scope_viewport_throw (ScopeViewport *self, double vx, double vy);

/* That point in the middle. */
void scope_viewport_center (ScopeViewport *self, double x, double y);

/* All of the content at once, also of an extent that is set later, until something else is wanted.
 */
void scope_viewport_fit (ScopeViewport *self);
gboolean scope_viewport_is_fitted (ScopeViewport *self);

/* All of it when that can be read, else its beginning at a size that can. */
void scope_viewport_show_start (ScopeViewport *self);

/* Moves as little as needed for @rect to be visible with room around it; makes it large enough to
 * be read when it is not. */
void scope_viewport_reveal (ScopeViewport *self, const SymRect *rect);

/* As scope_viewport_set_size(); where @rect was in view, it still is. */
void scope_viewport_set_size_around (ScopeViewport *self,
                                     double width,
                                     double height,
                                     const SymRect *rect);

/* What is looked at, or will be when a motion ends; and to look at that again, at once when what
 * lies between means nothing. */
ScopeSight scope_viewport_get_sight (ScopeViewport *self);
void scope_viewport_go_to (ScopeViewport *self, const ScopeSight *sight, gboolean at_once);

/* ---- Motion ---- */

/* Whether what is asked for is reached through what lies between, as long as somebody calls
 * scope_viewport_advance() with the time of each frame, in microseconds; at first it is not. */
void scope_viewport_set_animated (ScopeViewport *self, gboolean is_animated);
gboolean scope_viewport_is_moving (ScopeViewport *self);
void scope_viewport_advance (ScopeViewport *self, gint64 time);

/* Between the beginning and the end of a gesture that zooms: no flights, and no rest. */
void scope_viewport_hold (ScopeViewport *self, gboolean is_held);

/* Whether the present scale is one on the way to another. */
gboolean scope_viewport_is_zooming (ScopeViewport *self);

G_END_DECLS
