/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Choosers of files.  The dialog of GTK 4.8 may leave behind a list that goes on to look at its
 * folder, and tells of each file that changes there what has gone by then; so all lists are stopped
 * with their chooser. */

/* A modal one, to be shown later; it goes when its parent does, without an answer.  A reference for
 * the caller. */
GtkFileChooserNative *scope_chooser_new (const char *title,
                                         GtkWindow *parent,
                                         GtkFileChooserAction action,
                                         const char *accept);

/* Suggests a file called as the one with the name @title, but with @suffix: "net.csv" of
 * "net-symbol.json". */
void scope_chooser_suggest_name (GtkFileChooserNative *self, const char *title, const char *suffix);

/* The files that hold arrays of NumPy. */
void scope_chooser_add_numpy (GtkFileFilter *filter);

/* Hides one that @owner had, whose handlers are called no more; NULL is left alone. */
void scope_chooser_let_go (GtkFileChooserNative **chooser, gpointer owner);

G_END_DECLS
