/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What can be searched for: how questions are put, and every field with an example.  Emits "chosen"
 * with the example that somebody wants to try. */
#define SCOPE_TYPE_SEARCH_HELP (scope_search_help_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSearchHelp, scope_search_help, SCOPE, SEARCH_HELP, GtkPopover)

/* Shows it at @below, which is somewhere in its parent. */
void scope_search_help_open (ScopeSearchHelp *self, GtkWidget *below);

G_END_DECLS
