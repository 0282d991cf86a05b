/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a file may be saved as, in a chooser: each kind has a suffix. */

/* @kind is whatever it stands for, borrowed. */
void scope_save_kind_add (GtkFileChooser *chooser,
                          const char *title,
                          const char *suffix,
                          gconstpointer kind,
                          gboolean is_chosen);

/* What the kind stands for that the name of @file says by its suffix, else the chosen one; NULL for
 * none. */
gpointer scope_save_kind_get (GtkFileChooser *chooser, GFile *file);

/* The file that was named, or one with the suffix of the chosen kind, which *@is_other tells, where
 * the name has none of any kind. */
GFile *scope_save_kind_add_suffix (GtkFileChooser *chooser, GFile *chosen, gboolean *is_other);

/* From when it is shown, the name goes on to end as the chosen kind does. */
void scope_save_kind_follow (GtkFileChooserNative *chooser);

G_END_DECLS
