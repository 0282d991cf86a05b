/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A button that counts the problems of a document and lists them when pressed; a problem leads to
 * its node.  Without problems it is not there. */
#define SCOPE_TYPE_PROBLEMS (scope_problems_get_type ())
G_DECLARE_FINAL_TYPE (ScopeProblems, scope_problems, SCOPE, PROBLEMS, GtkWidget)

void scope_problems_set_document (ScopeProblems *self, ScopeDocument *document);

G_END_DECLS
