/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Whether a label has more text than room. */
gboolean scope_elided_is (GtkWidget *label);

/* From now on the label tells its whole text under the pointer wherever it has more than room. */
void scope_elided_tell (GtkWidget *label);

/* Where a name loses letters that there is no room for: at its start, for names of neighbours begin
 * alike and end differently; a list, as groups of layers are called by what is in them, at its end,
 * unless that has the star of an output.
 */
PangoEllipsizeMode scope_elided_choose (const char *name);

/* How many lines a label of a row is to have: one, with an ellipsis where there is no room for all
 * of it.  GTK 4.8 measures a label wrongly whose whole text is narrower than an ellipsis, as "~"
 * is, and complains; that needs none anyway, and gets 0, any number. */
int scope_elided_limit_lines (const char *text);

G_END_DECLS
