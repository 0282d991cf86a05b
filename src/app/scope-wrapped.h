/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on a label that wraps is at least as high as its text is at the width that it has;
 * before it has one, as at its natural width, that of its max-width-chars, which no pane that it
 * lies in is narrower than.  Of GTK 4.8 it would want one line where it is not told a width, and
 * more where it is: in a pane of the least height there is no room for those, and GTK complains. */
void scope_wrapped_reserve (GtkWidget *label);

/* Lines end neither within a shape, which "3×224×224" says to Pango that they may, nor between a
 * number and what it counts: "1 parent", "872.0 KiB". */
void scope_wrapped_set_text (GtkWidget *label, const char *text);

G_END_DECLS
