/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Asks the desktop's file manager, by org.freedesktop.FileManager1 of the session's bus, to show a
 * file in its folder, with that selected.  Fails where there is no bus, or no such file manager. */
void
scope_file_manager_show_async (const char *uri, GAsyncReadyCallback callback, gpointer user_data);
gboolean scope_file_manager_show_finish (GAsyncResult *result, GError **error);

/* Markup of a text and a link to a file, for that to be asked by. */
char *scope_file_manager_link (const char *text, GFile *file);

G_END_DECLS
