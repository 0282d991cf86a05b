/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-settings.h"

G_BEGIN_DECLS

/* Keeps the widths of the panes at both sides of a graph as the user sets them, by pointer or keys:
 * in this page, in others when they are shown next, and in the next session.  @outer has the
 * summary as its first child and @inner as its second, which has the inspector as its second. */
void scope_panes_keep (GtkWidget *page, GtkPaned *outer, GtkPaned *inner, ScopeSettings *settings);

G_END_DECLS
