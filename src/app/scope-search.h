/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Finds nodes, layers and groups while one types; counts what was found, tells why, and goes
 * through it: the best first, then down the table, with Enter or F3, and up with Shift.  Others
 * show it: the table lists it, the drawing lights it; what is no row of the table is listed here.
 * Suggests what the text may become. */
#define SCOPE_TYPE_SEARCH (scope_search_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSearch, scope_search, SCOPE, SEARCH, GtkWidget)

/* Set once. */
void scope_search_set_document (ScopeSearch *self, ScopeDocument *document);

/* Takes the keyboard, with the text selected. */
void scope_search_focus (ScopeSearch *self);

/* Searches for nothing, and takes the keyboard. */
void scope_search_clear (ScopeSearch *self);

/* To the next hit or the one before, from wherever the keyboard is.  Takes it when nothing is
 * searched for. */
void scope_search_go (ScopeSearch *self, gboolean forward);

G_END_DECLS
