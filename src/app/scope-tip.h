/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A tooltip, and description for screen readers, NULL for none.  gtk_widget_set_tooltip_text() asks
 * the display three times where the pointer is, at each call for a widget that is visible, and
 * waits for the answers; here the text is asked for when it is to be shown.  In templates
 * tooltip-text stands between visible False and True for the same reason. */
void scope_tip_set (GtkWidget *widget, const char *text);

G_END_DECLS
