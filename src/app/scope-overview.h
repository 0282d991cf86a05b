/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* The measures of a small picture of the whole: which pixel of it is which point of the content.  A
 * drawing that is far longer than wide is shown wider than it is, so that it can be pointed at. */
typedef struct {
  SymRect extent;
  double width, height; /* pixels */
} ScopeOverview;

/* As large as @most_width x @most_height pixels allow, neither side below @least. */
ScopeOverview scope_overview_get (const SymRect *extent,
                                  double most_width,
                                  double most_height,
                                  double least);

void scope_overview_to_content (const ScopeOverview *self, double px, double py, double *x, double *y);

/* Where @visible lies, in pixels; within the overview, and large enough to be seen and grasped. */
SymRect scope_overview_get_frame (const ScopeOverview *self, const SymRect *visible);

/* Whether @visible shows all, or all but a margin: then an overview tells nothing. */
gboolean scope_overview_is_needless (const SymRect *extent, const SymRect *visible);

G_END_DECLS
