/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Puts a popover over a widget, to which it belongs, closed or not, as long as there is the widget:
 * where the pointer was in it last, GTK 4.8 looks for the surface of what the pointer is in, and
 * falls when that has gone.  @key is a literal that no other popover of the widget has. */
void scope_popup_keep (GtkWidget *widget, const char *key, GtkWidget *popover);

/* NULL when there is none. */
GtkWidget *scope_popup_get (GtkWidget *widget, const char *key);

/* Opens a menu at a place of a widget, whose actions it finds.  The widget keeps one for all of its
 * menus. */
void scope_popup_menu (GtkWidget *widget, GMenuModel *menu, double x, double y);

G_END_DECLS
