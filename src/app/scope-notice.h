/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A card that tells what a document is busy with, and lets it be stopped, once that takes long; and
 * what went wrong the last time while there still is something older to show. */
#define SCOPE_TYPE_NOTICE (scope_notice_get_type ())
G_DECLARE_FINAL_TYPE (ScopeNotice, scope_notice, SCOPE, NOTICE, GtkWidget)

void scope_notice_set_document (ScopeNotice *self, ScopeDocument *document);

G_END_DECLS
