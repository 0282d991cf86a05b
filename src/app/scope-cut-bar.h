/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What the marks cut out of the graph, or why they cannot, and what to do about it.  It is there as
 * long as something is marked. */
#define SCOPE_TYPE_CUT_BAR (scope_cut_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeCutBar, scope_cut_bar, SCOPE, CUT_BAR, GtkWidget)

GtkWidget *scope_cut_bar_new (ScopeDocument *document);

/* FALSE as long as there is nothing to tell, and so no need of one. */
gboolean scope_cut_bar_is_wanted (ScopeDocument *document);

/* How many pixels there are: where these are few for what it tells, buttons are below the text
 * instead of beside it. */
void scope_cut_bar_set_room (ScopeCutBar *self, int width);

G_END_DECLS
