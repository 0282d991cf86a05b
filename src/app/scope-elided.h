/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Whether a label has more text than room. */
gboolean scope_elided_is (GtkWidget *label);

/* From now on the label tells its whole text under the pointer wherever it has more than room. */
void scope_elided_tell (GtkWidget *label);

G_END_DECLS
