/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-memory.h"

G_BEGIN_DECLS

/* Places in graphs that somebody gave a name: those of all files, in all windows, kept in a file
 * that is read when somebody asks first and written in the background at each change.  Emits
 * "changed", and "failed" with a GError when it could not be read or written: then what was changed
 * holds until the program ends. */
#define SCOPE_TYPE_BOOKMARKS (scope_bookmarks_get_type ())
G_DECLARE_FINAL_TYPE (ScopeBookmarks, scope_bookmarks, SCOPE, BOOKMARKS, GObject)

#define SCOPE_BOOKMARKS_MAX 1000 /* of all files; the oldest makes room */

/* Those in @path, which need not exist; NULL: where the user's are. */
ScopeBookmarks *scope_bookmarks_new (const char *path);

/* Those of the file at @uri, in the order in which they were added.  Borrowed until the next
 * change. */
guint scope_bookmarks_get_n (ScopeBookmarks *self, const char *uri);
const char *scope_bookmarks_get_name (ScopeBookmarks *self, const char *uri, guint nth);
ScopeMemory *scope_bookmarks_get_memory (ScopeBookmarks *self, const char *uri, guint nth);

/* @name with a number where there is one of that name already; the caller's. */
char *scope_bookmarks_suggest (ScopeBookmarks *self, const char *uri, const char *name);

/* Before the @nth, or at the end.  References @memory. */
void scope_bookmarks_insert (ScopeBookmarks *self,
                             const char *uri,
                             guint nth,
                             const char *name,
                             ScopeMemory *memory);
void scope_bookmarks_remove (ScopeBookmarks *self, const char *uri, guint nth);

/* FALSE for a name that is blank or another one's, which changes nothing. */
gboolean scope_bookmarks_rename (ScopeBookmarks *self,
                                 const char *uri,
                                 guint nth,
                                 const char *name,
                                 GError **error);

/* Waits until all is written: before the program ends. */
void scope_bookmarks_finish (ScopeBookmarks *self);

G_END_DECLS
