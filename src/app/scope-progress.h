/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What a document is busy with, and a bar of how far it is; the bar runs to and fro while nobody
 * knows. It looks ten times a second while it is on the screen, and never otherwise. */
#define SCOPE_TYPE_PROGRESS (scope_progress_get_type ())
G_DECLARE_FINAL_TYPE (ScopeProgress, scope_progress, SCOPE, PROGRESS, GtkWidget)

void scope_progress_set_document (ScopeProgress *self, ScopeDocument *document);

G_END_DECLS
