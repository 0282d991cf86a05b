/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lays children out one above the other, and tells a width that does not depend on the height, for
 * the reason that ScopeColumnLayout has. */
#define SCOPE_TYPE_TEXTS_LAYOUT (scope_texts_layout_get_type ())
G_DECLARE_FINAL_TYPE (ScopeTextsLayout, scope_texts_layout, SCOPE, TEXTS_LAYOUT, GtkLayoutManager)

/* Lays the title and the subtitle of each of libadwaita's rows under @root out so: seven rows with
 * a box of GTK 4.8 cost a third of what a window needs until its first frame. */
void scope_row_texts_lay_out (GtkWidget *root);

G_END_DECLS
