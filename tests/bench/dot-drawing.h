/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout-measure.h"

G_BEGIN_DECLS

/* What plain `dot` makes of the same items and lines, from top to bottom; NULL when it is not there
 * or takes longer than @seconds of the processor's time, which @took tells in any case. */
Drawing *dot_drawing_new (const SymScene *scene, guint seconds, double *took);

G_END_DECLS
