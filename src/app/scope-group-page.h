/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What the inspector says of a group: what it is, what is in it, what comes in and goes out, and a
 * button to open or close it. */
#define SCOPE_TYPE_GROUP_PAGE (scope_group_page_get_type ())
G_DECLARE_FINAL_TYPE (ScopeGroupPage, scope_group_page, SCOPE, GROUP_PAGE, GtkWidget)

void scope_group_page_set_document (ScopeGroupPage *self, ScopeDocument *document);

/* Says it of a group of the document. */
void scope_group_page_show (ScopeGroupPage *self, guint group);

G_END_DECLS
