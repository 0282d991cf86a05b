/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A card that tells what is being written, once that takes long, and lets it be stopped.  It is no
 * AdwToast: libadwaita 1.2 frees the animation of one that is dismissed while it slides in, and
 * uses it afterwards. */
#define SCOPE_TYPE_WORK (scope_work_get_type ())
G_DECLARE_FINAL_TYPE (ScopeWork, scope_work, SCOPE, WORK, GtkWidget)

GtkWidget *scope_work_new (const char *text, GCancellable *cancellable);
void scope_work_set_text (ScopeWork *self, const char *text);

/* Takes the card away, if its window has not gone before it. */
void scope_work_end (ScopeWork *self);

G_END_DECLS
