/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Asks what to compare with.  Emits "chosen" once with a ScopeDocument, or NULL for a file that is
 * still to be chosen, and whether that is a folder; nothing when it is closed. */
#define SCOPE_TYPE_COMPARE_DIALOG (scope_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (ScopeCompareDialog, scope_compare_dialog, SCOPE, COMPARE_DIALOG, AdwWindow)

/* @others are of ScopeDocument. */
GtkWindow *scope_compare_dialog_new (GtkWindow *parent, const GPtrArray *others);

G_END_DECLS
