/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-flight.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* What lies over the drawing, in pixels; 0 for nothing. */
typedef struct {
  double width, height;           /* in its corner at the bottom left, above @bottom */
  double top, bottom;             /* bars along its edges */
  double map_width, map_height;   /* in its corner at the bottom right, above @bottom; not while all
                                     is in sight, so that what is fitted need not know of it */
  double back_width, back_height; /* buttons in its corner at the top left */
  double zoom_width, zoom_height; /* and at the top right */
} ScopeCover;

/* The sight on all of @extent, no larger than it is, with room around it; between the bars, and
 * beside what lies in the corners where that makes it little smaller. */
ScopeSight scope_fit (const SymRect *extent, double width, double height, const ScopeCover *cover);

/* The sight on the beginning of @extent, which is too large to be seen whole: @start in the middle,
 * but no empty space before it; so large that all of the other side is in sight where it can be
 * read then, between what lies in the corners where it can be read even so. */
ScopeSight scope_fit_start (const SymRect *extent,
                            const SymRect *start,
                            SymDirection direction,
                            double width,
                            double height,
                            const ScopeCover *cover);

/* Whether all of a drawing has another place beside it than beside @before. */
gboolean scope_cover_has_other_corners (const ScopeCover *self, const ScopeCover *before);

/* Whether a start needs more room than beside @before.  What lies in the corners changes its size
 * with what is in sight, as the map does: only what grows moves a start, so that neither goes on
 * and on after the other. */
gboolean scope_cover_has_grown (const ScopeCover *self, const ScopeCover *before);

G_END_DECLS
