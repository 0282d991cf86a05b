/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Windows run the way of the language that they speak, not of the one that GTK found: as long as
 * there is no translation, Arabic users get English windows, and those from left to right.  After
 * GTK was initialised. */
void scope_direction_follow_translation (void);

/* Shapes and numbers run from left to right in any language: "1×3×224×224" would read
 * "224×224×3×1".  A label keeps the side that it would have had; what the widget holds is not
 * changed. */
void scope_direction_keep (GtkWidget *widget);

/* The same of the children that the style has as numbers. */
void scope_direction_keep_numbers (GtkWidget *parent);

/* What goes with a picture is where it is with all that it holds, as that is never mirrored. */
void scope_direction_keep_all (GtkWidget *widget);

/* The same of an entry of shapes, with what stands in it before anything is typed. */
void scope_direction_keep_entry (GtkEntry *entry);

G_END_DECLS
