/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A copy that takes its time, from when it is asked for until it lies on the clipboard.  What is
 * copied meanwhile, here or in another program, is what the user wants by then: the copy has been
 * overtaken, and is neither to be made nor to be told of. */
typedef struct _ScopeCopying ScopeCopying;

/* To the clipboard of @widget.  Overtakes those that have begun before. */
ScopeCopying *scope_copying_new (GtkWidget *widget);
void scope_copying_free (ScopeCopying *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeCopying, scope_copying_free)

/* Borrowed; it lives as long as the copying. */
GtkWidget *scope_copying_get_widget (ScopeCopying *self);

gboolean scope_copying_is_overtaken (ScopeCopying *self);

G_END_DECLS
