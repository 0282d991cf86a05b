/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A strip across the page that tells what the graph is compared with and what differs, leads from
 * one difference to the next, and lists them.  Not there when it is compared with nothing. */
#define SCOPE_TYPE_COMPARE_BAR (scope_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (ScopeCompareBar, scope_compare_bar, SCOPE, COMPARE_BAR, GtkWidget)

void scope_compare_bar_set_document (ScopeCompareBar *self, ScopeDocument *document);

G_END_DECLS
