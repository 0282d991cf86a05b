/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/sym-datum.h"
#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* A tensor's feature maps, a page of them at a time, painted in a thread.  Hidden when there are
 * none. */
#define SCOPE_TYPE_MAPS (scope_maps_get_type ())
G_DECLARE_FINAL_TYPE (ScopeMaps, scope_maps, SCOPE, MAPS, GtkWidget)

/* Whether a tensor of that shape has feature maps. */
gboolean scope_maps_has (const SymShape *shape);

/* The tensor, whose numbers lie between @low and @high; NULL for none. */
void scope_maps_set_datum (ScopeMaps *self, SymDatum *datum, double low, double high);
void scope_maps_set_theme (ScopeMaps *self, SymTheme theme);

G_END_DECLS
