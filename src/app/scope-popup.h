/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Opens a menu at a place of a widget, whose actions it finds.  It is gone once it was closed and
 * what was chosen is done, and with the widget. */
void scope_popup_menu (GtkWidget *widget, GMenuModel *menu, double x, double y);

G_END_DECLS
