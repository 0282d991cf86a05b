/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A strip across the page that tells what the graph is compared with and what differs, leads from
 * one difference to the next, and lists them.  Not there when it is compared with nothing. */
#define SCOPE_TYPE_COMPARE_BAR (scope_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeCompareBar, scope_compare_bar, SCOPE, COMPARE_BAR, GtkWidget)

GtkWidget *scope_compare_bar_new (ScopeDocument *document);

/* FALSE as long as there is nothing to tell, and so no need of one. */
gboolean scope_compare_bar_is_wanted (ScopeDocument *document);

G_END_DECLS
