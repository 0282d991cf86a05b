/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What was searched for before, in any window: a line each in a file of the user's state folder,
 * the last one first. */

#define SCOPE_QUERIES_MAX 20

/* Those of the file; empty when there is none.  A file that cannot be read counts as none: nothing
 * is lost by it but a convenience.  The caller's. */
char **scope_queries_list (void);

/* Puts one before the others.  Spaces around it do not count, and one without anything else, or of
 * more than a line, is left out. */
gboolean scope_queries_add (const char *text, GError **error);

/* The same in a thread, for who must not wait for a disk. */
void scope_queries_list_async (GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
char **scope_queries_list_finish (GAsyncResult *result, GError **error);
void scope_queries_add_async (const char *text, GAsyncReadyCallback callback, gpointer user_data);
gboolean scope_queries_add_finish (GAsyncResult *result, GError **error);

G_END_DECLS
