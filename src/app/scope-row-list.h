/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-summary.h"

G_BEGIN_DECLS

/* All rows of a summary, or some of them, as a list of ScopeRow. */
#define SCOPE_TYPE_ROW_LIST (scope_row_list_get_type ())
G_DECLARE_FINAL_TYPE (ScopeRowList, scope_row_list, SCOPE, ROW_LIST, GObject)

ScopeRowList *scope_row_list_new (void);

/* Another summary.  TRUE when the list has changed for it; a summary of the same model has the same
 * rows with other texts, and leaves the list as it is. */
gboolean scope_row_list_set_summary (ScopeRowList *self, SymSummary *summary);
SymSummary *scope_row_list_get_summary (ScopeRowList *self);

/* Only the rows of these values, which are in the order of the summary. */
void scope_row_list_set_values (ScopeRowList *self, SymIds values);
void scope_row_list_set_all (ScopeRowList *self);

/* Where the row of that value is now; G_MAXUINT when it is not in the list. */
guint scope_row_list_find (ScopeRowList *self, SymId value);

/* The value whose row is at a place of the list; SYM_NO_ID beyond its end. */
SymId scope_row_list_get_value (ScopeRowList *self, guint position);

G_END_DECLS
