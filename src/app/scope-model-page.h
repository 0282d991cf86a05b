/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What the inspector says while nothing is selected: what the model is called, how large it is,
 * what its file tells besides the graph, and links to its inputs and outputs. */
#define SCOPE_TYPE_MODEL_PAGE (scope_model_page_get_type ())
G_DECLARE_FINAL_TYPE (ScopeModelPage, scope_model_page, SCOPE, MODEL_PAGE, GtkWidget)

GtkWidget *scope_model_page_new (ScopeDocument *document);

/* Says it of the document as it is now, as soon as there is nothing more urgent: the drawing comes
 * first.  Nothing is done while it is as it was. */
void scope_model_page_show (ScopeModelPage *self);

G_END_DECLS
