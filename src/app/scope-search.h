/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Finds nodes by name, type, shape and dtype while one types; counts what was found, and goes through
 * it: the best first, then down the table, with Enter, and up with Shift+Enter.  Others show it: the
 * table lists it, the drawing lights it. */
#define SCOPE_TYPE_SEARCH (scope_search_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSearch, scope_search, SCOPE, SEARCH, GtkWidget)

/* Set once. */
void scope_search_set_document (ScopeSearch *self, ScopeDocument *document);

/* Takes the keyboard, with the text selected. */
void scope_search_focus (ScopeSearch *self);

G_END_DECLS
