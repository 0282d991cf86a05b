/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"
#include "app/scope-viewport.h"

G_BEGIN_DECLS

/* The whole drawing in a corner, with a frame around what is in sight, which can be dragged.  It
 * hides itself while all is in sight. */
#define SCOPE_TYPE_MINIMAP (scope_minimap_get_type ())
G_DECLARE_FINAL_TYPE (ScopeMinimap, scope_minimap, SCOPE, MINIMAP, GtkWidget)

/* Set once. */
void
scope_minimap_set_document (ScopeMinimap *self, ScopeDocument *document, ScopeViewport *viewport);
void scope_minimap_set_wanted (ScopeMinimap *self, gboolean is_wanted);

/* In pixels: it is as large as that at most, and where that is next to nothing it is not there. */
void scope_minimap_set_room (ScopeMinimap *self, int width, int height);

G_END_DECLS
