/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-page.h"

G_BEGIN_DECLS

/* A window with a tab for each open graph. */
#define SCOPE_TYPE_WINDOW (scope_window_get_type ())
G_DECLARE_FINAL_TYPE (ScopeWindow, scope_window, SCOPE, WINDOW, AdwApplicationWindow)

ScopeWindow *scope_window_new (GtkApplication *application);

/* Opens a file in a tab of its own, or goes to the tab that has it. */
void scope_window_open (ScopeWindow *self, GFile *file);

/* A model that has no file yet. */
void scope_window_open_model (ScopeWindow *self, SymModel *model, const char *title);

/* What is open in it, in groups of a key file whose names begin with @group; and to open that
 * again. FALSE when nothing in it could be. */
gboolean scope_window_save (ScopeWindow *self, GKeyFile *file, const char *group);
void scope_window_restore (ScopeWindow *self, GKeyFile *file, const char *group);

/* The page in front; NULL when nothing is open. */
ScopePage *scope_window_get_page (ScopeWindow *self);

/* Whether a tab has a document that was edited and not saved. */
gboolean scope_window_is_modified (ScopeWindow *self);

/* Closes it if nothing stands in the way, or asks; once that is answered the application is told to
 * quit again, instead of this one being closed alone. */
void scope_window_ask_to_quit (ScopeWindow *self);

/* Whether a session that is kept brings all of that back: there is a file that it belongs to. */
gboolean scope_window_keeps_edits (ScopeWindow *self);

/* Hides the window, which is none of the application's any more, and takes it down bit by bit: its
 * widgets would keep all others waiting.  Nothing is asked. */
void scope_window_leave (ScopeWindow *self);

G_END_DECLS
