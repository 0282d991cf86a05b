/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* All that is known of the selected node: its name, type and shape, the layer that made it with
 * attributes and parameters, what is wrong there, and its parents and children as links. */
#define SCOPE_TYPE_INSPECTOR (scope_inspector_get_type ())
G_DECLARE_FINAL_TYPE (ScopeInspector, scope_inspector, SCOPE, INSPECTOR, GtkWidget)

void scope_inspector_set_document (ScopeInspector *self, ScopeDocument *document);

/* Asks what the selected value, or layer without results, is to be called.  Nothing happens for one
 * in a body. */
void scope_inspector_rename (ScopeInspector *self);

G_END_DECLS
