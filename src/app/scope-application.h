/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-settings.h"

G_BEGIN_DECLS

/* The program: windows, what all of them share, and its keys. */
#define SCOPE_TYPE_APPLICATION (scope_application_get_type ())
G_DECLARE_FINAL_TYPE (ScopeApplication, scope_application, SCOPE, APPLICATION, AdwApplication)

ScopeApplication *scope_application_new (GApplicationFlags flags);

ScopeSettings *scope_application_get_settings (ScopeApplication *self);

G_END_DECLS
