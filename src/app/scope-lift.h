/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lifts @box, which lies at the foot of a GtkOverlay within an AdwToastOverlay, by its lower margin
 * while a toast would cover one of its children: up as the toast comes, and down again as it
 * leaves, but not beyond the top of the GtkOverlay.  Its margin is this function's from then on. */
void scope_lift_above_toasts (GtkWidget *box);

G_END_DECLS
