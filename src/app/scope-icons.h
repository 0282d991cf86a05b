/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lets icons go in the main thread only.  GTK 4.8 paints icons in other threads, which may hold the
 * last reference to one while the main thread finds it in the icon theme's cache, where it is no
 * more than a pointer: the program would end.  For the whole process; called once. */
void scope_icons_keep_to_main_thread (void);

G_END_DECLS
