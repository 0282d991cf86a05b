/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The menus of the program.  Each is made when it is asked for first, kept until the program ends
 * and shared by all windows and tabs: popovers of GTK 4.8 keep a reference to every section of a
 * menu that they have shown, so that a menu made for each tab would never go.  In the thread of the
 * window; all borrowed. */

/* One of scope-canvas.ui or scope-menus.ui. */
GMenuModel *scope_menu_get (const char *name);

/* The same for a GtkMenuButton, which gets it when somebody opens it: a menu is made of many
 * widgets. */
void scope_menu_give (GtkWidget *button, const char *name);

/* What is told of a button below the pointer comes up over its menu where that was opened a moment
 * before: this one is told of only while its menu is closed. */
void scope_menu_hush (GtkWidget *button);

/* One that is put together: by @create, when it is not there yet.  @data makes it what @name says
 * that it is. */
typedef GMenu *(*ScopeMenuFunc) (gconstpointer data);
GMenuModel *scope_menu_keep (const char *name, ScopeMenuFunc create, gconstpointer data);

G_END_DECLS
