/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lets a chooser of files go that @owner made, whose handlers are called no more; NULL is left alone.  The
 * dialog of GTK 4.8 must not go while it asks about a file that another program has changed: the answer would
 * come to what is not there.  So it is hidden, looks at another folder, and goes some seconds later. */
void scope_chooser_let_go (GtkFileChooserNative **chooser, gpointer owner);

G_END_DECLS
