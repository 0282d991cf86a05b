/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives the keyboard of @window back to what had it before a popover, once that has gone.  GTK 4.8
 * leaves it to an item of a menu that was closed while a submenu was open: then no key does
 * anything until somebody clicks. */
void scope_keyboard_keep (GtkWindow *window);

G_END_DECLS
