/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Opens a menu at a place of a widget, whose actions it finds.  The widget keeps one for all of its
 * menus. */
void scope_popup_menu (GtkWidget *widget, GMenuModel *menu, double x, double y);

G_END_DECLS
