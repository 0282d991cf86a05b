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

/* What file is meant by the one that was named, and of what kind it is.  The kind is that which the
 * name says by its suffix, else the chosen one, whose suffix the name gets then, unless it has as
 * much of it as its extension (".json").  Fails with G_IO_ERROR_EXISTS where there is a file of
 * such a longer name: nobody was asked whether it may be replaced.  @what, an object that is to be
 * saved, is the source of the callback; of @chooser nothing is needed later. */
void scope_save_kind_settle_async (GtkFileChooser *chooser,
                                   GFile *named,
                                   gpointer what,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* *@kind, which may be NULL, is set to what the kind stands for; to NULL for none. */
GFile *scope_save_kind_settle_finish (GAsyncResult *result, gconstpointer *kind, GError **error);

/* From when it is shown, the name goes on to end as the chosen kind does. */
void scope_save_kind_follow (GtkFileChooserNative *chooser);

G_END_DECLS
