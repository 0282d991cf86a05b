/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What a search has found that is no row of the table: groups, and layers without results.  Not
 * there when there are none.  Emits "chosen" with the number of a hit. */
#define SCOPE_TYPE_HITS (scope_hits_get_type ())
G_DECLARE_FINAL_TYPE (ScopeHits, scope_hits, SCOPE, HITS, GtkWidget)

#define SCOPE_HITS_MAX 40 /* that are listed */

void scope_hits_show (ScopeHits *self, ScopeDocument *document);

G_END_DECLS
