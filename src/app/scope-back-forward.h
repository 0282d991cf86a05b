/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The buttons over a drawing that lead back to what was looked at before, and forward again.  They
 * only name the window's actions. */
#define SCOPE_TYPE_BACK_FORWARD (scope_back_forward_get_type ())
G_DECLARE_FINAL_TYPE (ScopeBackForward, scope_back_forward, SCOPE, BACK_FORWARD, GtkWidget)

G_END_DECLS
