/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* The colours in use, and which kind of layer each stands for. */
#define SCOPE_TYPE_LEGEND (scope_legend_get_type ())
G_DECLARE_FINAL_TYPE (ScopeLegend, scope_legend, SCOPE, LEGEND, GtkWidget)

void scope_legend_set_document (ScopeLegend *self, ScopeDocument *document);

/* Whether it is shown when there is something to explain. */
void scope_legend_set_wanted (ScopeLegend *self, gboolean is_wanted);

/* In pixels: where it needs more it is not there. */
void scope_legend_set_room (ScopeLegend *self, int width, int height);

/* What it is, or is about to be, as wide as; 0 where it is not there. */
int scope_legend_get_wanted_width (ScopeLegend *self);

G_END_DECLS
