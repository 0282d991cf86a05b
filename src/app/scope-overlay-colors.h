/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-overlay.h"
#include "scene/sym-scene-heat.h"

G_BEGIN_DECLS

/* The colours that an overlay's own file wants its nodes to be painted in: a node's own one, else
 * that of its number in the gradient or thresholds of its graph.  A closed group has the colour of
 * the largest number in it; of words, the one that all its layers have.  NULL when the file brings
 * no colour.  In time linear in the model. */
SymHeat *scope_overlay_colors_create_heat (const SymOverlay *overlay, const SymScene *scene);

/* The first that is no colour at all, as the file writes it; NULL when all are.  Borrowed. */
const char *scope_overlay_colors_find_unreadable (const SymOverlay *overlay);

G_END_DECLS
