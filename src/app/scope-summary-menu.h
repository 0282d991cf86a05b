/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Gives the summary its menu: which columns it shows, and the table as text, copied or saved.  Actions
 * are those of a group "table" of @widget; each column of @table has its ScopeColumn as data "column". */
void scope_summary_menu_add (GtkWidget *widget,
                             GtkMenuButton *button,
                             GtkColumnView *table,
                             ScopeDocument *document);

G_END_DECLS
