/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One line of text in a table, elided where it has less room than it needs.  Unlike a label it asks
 * for no width of its own, and for the height of a line, whatever its text: a table makes hundreds
 * of cells at once, and most of the time that a label takes goes into laying its text out to find
 * how large it wants to be. */
#define SCOPE_TYPE_CELL (scope_cell_get_type ())
G_DECLARE_FINAL_TYPE (ScopeCell, scope_cell, SCOPE, CELL, GtkWidget)

/* @xalign: where shorter texts stand, 0 where lines begin, 1 where they end.  What is to lose its
 * start is a name, and loses its end all the same where scope_elided_choose() says so. */
GtkWidget *scope_cell_new (float xalign, PangoEllipsizeMode ellipsize);

/* Never NULL. */
const char *scope_cell_get_text (ScopeCell *self);
void scope_cell_set_text (ScopeCell *self, const char *text);

/* Whether what was drawn of it is not all. */
gboolean scope_cell_is_elided (ScopeCell *self);

void scope_cell_set_weight (ScopeCell *self, PangoWeight weight);

G_END_DECLS
