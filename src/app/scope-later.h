/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* To make a window and to show it takes GTK long.  This shows one in a turn of the main loop in which
 * there is nothing else to do, unless it has gone by then. */
void scope_later_present (GtkWindow *window);

G_END_DECLS
