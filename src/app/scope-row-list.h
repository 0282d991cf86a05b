/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "query/sym-folding.h"
#include "query/sym-summary-view.h"

G_BEGIN_DECLS

/* The rows of a summary's table as a list of ScopeRow, those in closed groups left out. */
#define SCOPE_TYPE_ROW_LIST (scope_row_list_get_type ())
G_DECLARE_FINAL_TYPE (ScopeRowList, scope_row_list, SCOPE, ROW_LIST, GObject)

/* The first place of a list, at @position or behind it, for which there are widgets; G_MAXUINT for
 * none. */
typedef guint (*ScopeRowListSeekFunc) (guint position, gpointer user_data);

/* @seek tells where the list has widgets, so that rows can go without taking others with them; NULL
 * where it has none. */
ScopeRowList *scope_row_list_new (ScopeRowListSeekFunc seek, gpointer user_data);

/* Another table; NULL for one without rows.  @folding, which may be NULL, tells which groups of its
 * tree are closed; one of other groups closes none.  TRUE when the list has changed for it: the
 * same rows with other texts leave it as it is.  Linear in the rows. */
gboolean scope_row_list_set_view (ScopeRowList *self, SymSummaryView *view, SymFolding *folding);
SymSummaryView *scope_row_list_get_view (ScopeRowList *self);

/* Of more rows than are seen at once, the list says that it has those a moment later, one after
 * another, so that nobody waits for their widgets: from now on it has all. */
void scope_row_list_complete (ScopeRowList *self);
gboolean scope_row_list_is_complete (ScopeRowList *self);

/* The list has no rows, and then has them again bit by bit: for one whose widgets are all to be
 * made anew. */
void scope_row_list_restart (ScopeRowList *self);

/* Which row of the table stands at a place; G_MAXUINT beyond the end. */
guint scope_row_list_get_row (ScopeRowList *self, guint position);

/* Whether groups open and close in it. */
gboolean scope_row_list_folds (ScopeRowList *self);

/* Where the row of that value is now, or that of the closed group which hides it; G_MAXUINT when
 * neither is in the list.  Linear for the first value after a change. */
guint scope_row_list_find (ScopeRowList *self, SymId value);
guint scope_row_list_find_group (ScopeRowList *self, guint group);

/* Where the group is in which the row at a place is; G_MAXUINT for none. */
guint scope_row_list_find_around (ScopeRowList *self, guint position);

/* What the row at a place of the list is of: SYM_NO_ID for a group, SYM_NO_GROUP for a value, both
 * beyond its end. */
SymId scope_row_list_get_value (ScopeRowList *self, guint position);
guint scope_row_list_get_group (ScopeRowList *self, guint position);

G_END_DECLS
