/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* An entry for the shape of each model input.  What is typed is inferred from at once; text that is
 * no shape, and the first contradiction that follows, are told below. */
#define SCOPE_TYPE_SHAPES (scope_shapes_get_type ())
G_DECLARE_FINAL_TYPE (ScopeShapes, scope_shapes, SCOPE, SHAPES, GtkWidget)

void scope_shapes_set_document (ScopeShapes *self, ScopeDocument *document);

G_END_DECLS
