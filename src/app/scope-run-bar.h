/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A strip across the page that tells how far a run is, what came of it, which layer could not run,
 * and where the first number appeared that is none. */
#define SCOPE_TYPE_RUN_BAR (scope_run_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeRunBar, scope_run_bar, SCOPE, RUN_BAR, GtkWidget)

GtkWidget *scope_run_bar_new (ScopeDocument *document);

/* FALSE as long as there is nothing to tell, and so no need of one. */
gboolean scope_run_bar_is_wanted (ScopeDocument *document);

G_END_DECLS
