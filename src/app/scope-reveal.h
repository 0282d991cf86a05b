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

/* Whether all of @rect is in sight, whatever lies over it. */
gboolean
scope_reveal_is_seen (const ScopeSight *sight, const SymRect *rect, double width, double height);

/* Moves @sight so that @rect is not under what lies in the corners at the bottom; whether it had
 * to. */
gboolean scope_reveal_from_corners (ScopeSight *sight,
                                    const SymRect *rect,
                                    double width,
                                    double height,
                                    const ScopeCover *cover);

/* The same at that scale, whatever lies over it. */
ScopeSight
scope_reveal_beside (const ScopeSight *sight, const SymRect *rect, double width, double height);

/* How far the origin of the sight has to go so that bars which have come no longer lie over @rect;
 * 0 where they do not, and where it was not in sight between the bars before. */
double scope_reveal_from_bars (const ScopeSight *sight,
                               const SymRect *rect,
                               double height,
                               const ScopeCover *before,
                               const ScopeCover *now);

G_END_DECLS
