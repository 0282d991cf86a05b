/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* The measures of a small picture of the whole: which pixel of it is which point of the content. It
 * keeps the proportions of the content.  Of a drawing that is so long that it would be a thread,
 * only a piece is shown, which slides along as the view does: at the beginning of the drawing it is
 * the first one, at the end the last. */
typedef struct {
  SymRect extent; /* of the content */
  SymRect shown;  /* of it, and of nothing beside it where it is narrow */
  double scale;
  double width, height; /* pixels */
} ScopeOverview;

typedef struct {
  double most_width, most_height; /* pixels */
  double least;                   /* of either side of the overview */
  double thread; /* the drawing is not narrower than that, but for a view of much of it */
} ScopeOverviewSize;

ScopeOverview
scope_overview_get (const SymRect *extent, const SymRect *visible, const ScopeOverviewSize *size);

void
scope_overview_to_content (const ScopeOverview *self, double px, double py, double *x, double *y);

/* Where @visible lies, in pixels; within the overview, and large enough to be seen and grasped. */
SymRect scope_overview_get_frame (const ScopeOverview *self, const SymRect *visible);

/* The middle of the view whose frame would have its corner there: from one end of the overview to
 * the other it goes from one end of the content to the other. */
void scope_overview_drag (const ScopeOverview *self,
                          const SymRect *visible,
                          double px,
                          double py,
                          double *x,
                          double *y);

/* Whether @visible shows all, or all but a margin: then an overview tells nothing. */
gboolean scope_overview_is_needless (const SymRect *extent, const SymRect *visible);

G_END_DECLS
