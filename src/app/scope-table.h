/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-value.h"

G_BEGIN_DECLS

/* All numbers of a tensor in a window of its own: two axes as a table, a page of rows and columns
 * at a time, and the place on the others by a spin button each.  However large the tensor is, only
 * what can be seen becomes text. */
#define SCOPE_TYPE_TABLE (scope_table_get_type ())
G_DECLARE_FINAL_TYPE (ScopeTable, scope_table, SCOPE, TABLE, AdwWindow)

/* Loads the value's numbers in a thread. */
ScopeTable *scope_table_new (GtkWindow *parent, const ScopeValue *value, const char *name);

G_END_DECLS
