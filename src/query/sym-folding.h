/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-groups.h"

G_BEGIN_DECLS

/* Which groups are open.  A closed group is drawn as one item; neighbours of a run that are closed
 * are drawn as one item together, "x12".  Immutable; reference-counted: each change makes another.
 */
typedef struct _SymFolding SymFolding;

/* Everything open when the model has at most @max_items calls.  Else groups are opened from outside
 * in, those without an equal before the first ones of runs, as long as at most @max_items items are
 * shown.  So an open run shows one of its groups, and the others as one item; the stages of one
 * container are opened all or none. */
SymFolding *sym_folding_new (SymGroups *groups, guint max_items);
SymFolding *sym_folding_new_open (SymGroups *groups);
SymFolding *sym_folding_new_closed (SymGroups *groups);

/* Open as deep as so many groups within each other; 0 closes all. */
SymFolding *sym_folding_new_levels (SymGroups *groups, guint n_levels);

/* Open are those that are flagged, by group, and all around them. */
SymFolding *sym_folding_new_flagged (SymGroups *groups, const guint8 *is_open);

/* As @before, of a model whose calls had the same ids before it was edited: a group is open when
 * the one around its first call, as deep, was, and so is one that is new around what was drawn
 * itself. */
SymFolding *sym_folding_new_as (SymGroups *groups, const SymFolding *before);

/* Opens a group and all around it.  Closes it: what is within keeps its state. */
SymFolding *sym_folding_open (const SymFolding *self, guint group);
SymFolding *sym_folding_close (const SymFolding *self, guint group);

SymFolding *sym_folding_ref (SymFolding *self);
void sym_folding_unref (SymFolding *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymFolding, sym_folding_unref)

SymGroups *sym_folding_get_groups (const SymFolding *self);
gboolean sym_folding_is_open (const SymFolding *self, guint group);

/* The closed group that a call is drawn as: the outermost one around it, or the first of the
 * neighbours that this one is drawn together with.  SYM_NO_GROUP when the call is drawn itself. */
guint sym_folding_find_call (const SymFolding *self, SymId call);

/* How many neighbours of its run a group returned by sym_folding_find_call() stands for, itself
 * included. */
guint sym_folding_get_n_merged (const SymFolding *self, guint group);

/* The innermost open group around a call that is drawn itself, or around a closed group. */
guint sym_folding_get_frame (const SymFolding *self, SymId call);

/* Appends the results of all calls that the value's own is drawn as one with: those of a closed
 * group, and of its neighbours drawn together with it.  The value alone when there are none. */
void sym_folding_collect_beside (const SymFolding *self, SymId value, GArray *values);

/* Items drawn for calls. */
guint sym_folding_count_items (const SymFolding *self);

G_END_DECLS
