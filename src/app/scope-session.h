/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is open in all windows, kept in a file so that the next start can open it again.  The file
 * also tells whether the program ended as it should: what was open when it did not is asked about,
 * and as long as that has edits that are nowhere else, it is kept until somebody wants it or gives
 * it up. */
#define SCOPE_TYPE_SESSION (scope_session_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSession, scope_session, SCOPE, SESSION, GObject)

/* Reads what the last session left.  The application is borrowed, and outlives the session. */
ScopeSession *scope_session_new (GtkApplication *application);

/* Opens windows as they were.  FALSE when there were none with anything in them; then nothing was
 * opened.  After a crash one window is opened, which asks first. */
gboolean scope_session_restore (ScopeSession *self);

/* Whether the last one left edits that were not saved, and nothing came of them yet. */
gboolean scope_session_has_edits (ScopeSession *self);

/* What the last session left is not wanted: another begins.  The file stays until something is
 * kept. */
void scope_session_begin_new (ScopeSession *self);

/* Forgets all, on the disk as well. */
void scope_session_remove (ScopeSession *self);

/* Something has changed: it is kept within seconds. */
void scope_session_touch (ScopeSession *self);

/* The program is about to end, or its last window to close: keeps all that is open now, unless more
 * is touched afterwards.  FALSE when it could not be written. */
gboolean scope_session_end (ScopeSession *self, GError **error);

G_END_DECLS
