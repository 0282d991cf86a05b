/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lays children out over the whole of their widget, as GtkBinLayout does, and tells a width that
 * does not depend on the height.
 *
 * Whoever lays out from left to right asks how wide a child is at the height that there is, and a
 * vertical box of GTK 4.8 answers by trying width after width until all its text is low enough:
 * more than a hundred layouts of each text that wraps, for a width that a column never has. */
#define SCOPE_TYPE_COLUMN_LAYOUT (scope_column_layout_get_type ())
G_DECLARE_FINAL_TYPE (ScopeColumnLayout,
                      scope_column_layout,
                      SCOPE,
                      COLUMN_LAYOUT,
                      GtkLayoutManager)

/* A widget for one child, laid out so. */
#define SCOPE_TYPE_COLUMN (scope_column_get_type ())
G_DECLARE_FINAL_TYPE (ScopeColumn, scope_column, SCOPE, COLUMN, GtkWidget)

/* At least that many letters have room, but no more than there are. */
void scope_column_set_least_chars (ScopeColumn *self, int n);

G_END_DECLS
