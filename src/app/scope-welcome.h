/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-settings.h"

G_BEGIN_DECLS

/* What a window or a tab shows before a graph is opened in it: how to open one, the files that were
 * opened last, and samples of our own. */
#define SCOPE_TYPE_WELCOME (scope_welcome_get_type ())
G_DECLARE_FINAL_TYPE (ScopeWelcome, scope_welcome, SCOPE, WELCOME, GtkWidget)

GtkWidget *scope_welcome_new (ScopeSettings *settings);

G_END_DECLS
