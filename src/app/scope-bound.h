/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A window that is yet to be shown over @parent becomes no larger than that. */
void scope_bound (GtkWindow *window, GtkWindow *parent);

G_END_DECLS
