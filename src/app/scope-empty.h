/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a panel shows in place of what it has nothing of: a small status page with a button, which
 * activates an action of a widget above.  It takes no more room than it needs, and has its icon
 * only where there is room for all. */
#define SCOPE_TYPE_EMPTY (scope_empty_get_type ())
G_DECLARE_FINAL_TYPE (ScopeEmpty, scope_empty, SCOPE, EMPTY, GtkWidget)

GtkWidget *scope_empty_new (const char *icon,
                            const char *title,
                            const char *description,
                            const char *button,
                            const char *action);

G_END_DECLS
