/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* What a list shows in one line: only the place of the row in its summary, made when it is looked
 * at, so that a table of 100,000 rows costs nothing. */
#define SCOPE_TYPE_ROW (scope_row_get_type ())
G_DECLARE_FINAL_TYPE (ScopeRow, scope_row, SCOPE, ROW, GObject)

ScopeRow *scope_row_new (guint index);
guint scope_row_get_index (ScopeRow *self); /* from 0 */

G_END_DECLS
