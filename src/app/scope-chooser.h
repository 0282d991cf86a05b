/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Choosers of files that nobody uses any more are kept, the last ones of many: the dialog of GTK 4.8 leaves
 * behind a list that goes on to look at its folder, and tells of each file that changes there what has gone
 * by then.  It cannot be used again, as it does not live through having a filter removed. */

/* A modal one, to be shown.  A reference for the caller. */
GtkFileChooserNative *scope_chooser_new (const char *title,
                                         GtkWindow *parent,
                                         GtkFileChooserAction action,
                                         const char *accept);

/* Hides one that @owner had, whose handlers are called no more; NULL is left alone. */
void scope_chooser_let_go (GtkFileChooserNative **chooser, gpointer owner);

G_END_DECLS
