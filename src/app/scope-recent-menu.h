/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-settings.h"

G_BEGIN_DECLS

/* Gives a row of a recent file a menu, by the pointer, the Menu key and Shift+F10: to open it, to
 * copy where it is, to keep it at the top of the list, to forget it. */
void scope_recent_menu_add (GtkWidget *row,
                            ScopeSettings *settings,
                            const char *uri,
                            gboolean is_pinned);

G_END_DECLS
