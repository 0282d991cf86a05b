/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* Asks what each input is fed with, prepares that in a thread, and has the document run it. */
#define SCOPE_TYPE_RUN_DIALOG (scope_run_dialog_get_type ())
G_DECLARE_FINAL_TYPE (ScopeRunDialog, scope_run_dialog, SCOPE, RUN_DIALOG, AdwWindow)

/* The document must have its inference. */
ScopeRunDialog *scope_run_dialog_new (GtkWindow *parent, ScopeDocument *document);

/* As its button does. */
void scope_run_dialog_run (ScopeRunDialog *self);

G_END_DECLS
