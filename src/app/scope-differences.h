/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A list of what differs from another graph.  Emits "chosen" with the number of a step of the
 * comparison. */
#define SCOPE_TYPE_DIFFERENCES (scope_differences_get_type ())
G_DECLARE_FINAL_TYPE (ScopeDifferences, scope_differences, SCOPE, DIFFERENCES, GtkWidget)

#define SCOPE_DIFFERENCES_MAX 200 /* that are listed; the others can be stepped through */

/* What is told of a value of which a file has other numbers; the caller's. */
char *scope_differences_tell_far (ScopeDocument *document, SymId value);

void scope_differences_show (ScopeDifferences *self, ScopeDocument *document);

G_END_DECLS
