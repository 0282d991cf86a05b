/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Where GTK takes long to make a window and as long to show it, these show it in a turn of the main
 * loop of its own, in which there is nothing else to do; unless it has gone by then. */
void scope_later_present (GtkWindow *window);

/* Not without a parent, either: the chooser may have been let go of. */
void scope_later_show (GtkNativeDialog *dialog);

G_END_DECLS
