/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The buttons over a drawing that zoom in, zoom out and fit.  They only name the window's actions.
 */
#define SCOPE_TYPE_ZOOM (scope_zoom_get_type ())
G_DECLARE_FINAL_TYPE (ScopeZoom, scope_zoom, SCOPE, ZOOM, GtkWidget)

G_END_DECLS
