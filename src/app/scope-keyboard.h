/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives the keyboard of @window back to what had it before a popover, once that has gone.  GTK 4.8
 * leaves it to an item of a menu that was closed while a submenu was open: then no key does
 * anything until somebody clicks. */
void scope_keyboard_keep (GtkWindow *window);

/* Lets a text that is edited in @window have the keys that delete a word and, where it was typed in
 * since the graph was edited last, those that undo and redo, before they are those of the graph. To
 * be called when the window has its application: what comes later comes first, and its keys come
 * before all others. */
void scope_keyboard_let_texts_edit (GtkWindow *window);

/* The graph was edited: what is undone next is that. */
void scope_keyboard_end_typing (GtkWindow *window);

G_END_DECLS
