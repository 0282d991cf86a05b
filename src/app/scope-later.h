/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* To make a window and to show it takes GTK long.  These show one in a turn of the main loop of its
 * own, unless it has gone by then, or what it belongs to. */
void scope_later_present (GtkWindow *window);
void scope_later_show (GtkNativeDialog *dialog);

/* To let go of one with many rows takes long, too: it is hidden now, and goes bit by bit, first the
 * @rows. */
void scope_later_destroy (GtkWindow *window, GtkListBox *rows);

G_END_DECLS
