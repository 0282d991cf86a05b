/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-fit.h"

G_BEGIN_DECLS

/* Pixels per point. */
#define SCOPE_READABLE_SCALE 0.7 /* smaller, and small text is hard to read */
#define SCOPE_WHOLE_SCALE 0.5    /* names can be read still: better than a drawing cut off */

/* The sight nearest to @sight in which @rect can be read, with room around it and nothing over it.
 */
ScopeSight scope_reveal (const ScopeSight *sight,
                         const SymRect *rect,
                         double width,
                         double height,
                         const ScopeCover *cover);

/* The same at that scale, whatever lies over it. */
ScopeSight
scope_reveal_beside (const ScopeSight *sight, const SymRect *rect, double width, double height);

G_END_DECLS
