/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Says what is traced and what part of the graph is shown, while that is not all of it; ends both,
 * and sets how far a neighbourhood reaches. */
#define SCOPE_TYPE_FOCUS_BAR (scope_focus_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeFocusBar, scope_focus_bar, SCOPE, FOCUS_BAR, GtkWidget)

GtkWidget *scope_focus_bar_new (ScopeDocument *document);

/* FALSE as long as there is nothing to tell, and so no need of one. */
gboolean scope_focus_bar_is_wanted (ScopeDocument *document);

G_END_DECLS
