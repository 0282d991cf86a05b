/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* One input in the panel of a run: what it is, what it is fed with, and what is wrong with that. */
#define SCOPE_TYPE_INPUT_ROW (scope_input_row_get_type ())
G_DECLARE_FINAL_TYPE (ScopeInputRow, scope_input_row, SCOPE, INPUT_ROW, GtkListBoxRow)

GtkWidget *scope_input_row_new (ScopeDocument *document, SymId value);

/* What is chosen; borrowed, until something else is. */
ScopeInputWish scope_input_row_get_wish (ScopeInputRow *self);

/* Chooses that, as far as the input still takes it. */
void scope_input_row_set_wish (ScopeInputRow *self, const ScopeInputWish *wish);

/* Says what is wrong, NULL for nothing. */
void scope_input_row_set_message (ScopeInputRow *self, const char *message);

G_END_DECLS
