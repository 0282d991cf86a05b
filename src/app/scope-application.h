/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-bookmarks.h"
#include "app/scope-settings.h"

G_BEGIN_DECLS

/* The program: windows, what all of them share, and its keys.  One that is not the only one of its
 * user (G_APPLICATION_NON_UNIQUE) keeps no session, as the others do not know of it. */
#define SCOPE_TYPE_APPLICATION (scope_application_get_type ())
G_DECLARE_FINAL_TYPE (ScopeApplication, scope_application, SCOPE, APPLICATION, AdwApplication)

ScopeApplication *scope_application_new (GApplicationFlags flags);

ScopeSettings *scope_application_get_settings (ScopeApplication *self);
ScopeBookmarks *scope_application_get_bookmarks (ScopeApplication *self);

/* What is open, or how it is looked at, has changed; a window is about to close.  For the next
 * session. */
void scope_application_touch_session (ScopeApplication *self);
void scope_application_close_window (ScopeApplication *self);

G_END_DECLS
