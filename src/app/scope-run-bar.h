/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A strip across the page that tells how far a run is, what came of it, which layer could not run,
 * and where the first number appeared that is none. */
#define SCOPE_TYPE_RUN_BAR (scope_run_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeRunBar, scope_run_bar, SCOPE, RUN_BAR, GtkWidget)

void scope_run_bar_set_document (ScopeRunBar *self, ScopeDocument *document);

G_END_DECLS
