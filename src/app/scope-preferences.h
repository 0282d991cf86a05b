/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-settings.h"

G_BEGIN_DECLS

/* The dialog of all settings; what is changed in it holds at once. */
#define SCOPE_TYPE_PREFERENCES (scope_preferences_get_type ())
G_DECLARE_FINAL_TYPE (ScopePreferences, scope_preferences, SCOPE, PREFERENCES, AdwPreferencesWindow)

GtkWindow *scope_preferences_new (GtkWindow *parent, ScopeSettings *settings);

G_END_DECLS
