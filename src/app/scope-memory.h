/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What of a drawing was in the middle, and how large; it means the same in a window of another
 * size. */
typedef struct {
  double x, y;
  double scale;       /* 0: nothing is known */
  gboolean is_fitted; /* all of it was, and is to be */
} ScopeMiddle;

/* How a graph was looked at and what was decided about it, in names: it holds for the same file
 * read again, changed meanwhile or in another session, as far as that still has what the names
 * mean. Immutable but for what is set right after it was made. */
typedef struct _ScopeMemory ScopeMemory;

/* Of all that the document has; NULL while it has no model. */
ScopeMemory *scope_memory_new (ScopeDocument *document, const ScopeMiddle *middle);

/* Without what is not saved: names, attributes, outputs and shapes as the file has them. */
ScopeMemory *scope_memory_new_saved (ScopeDocument *document, const ScopeMiddle *middle);

/* Of how it is looked at only: nothing that was decided. */
ScopeMemory *scope_memory_new_place (ScopeDocument *document, const ScopeMiddle *middle);
ScopeMemory *scope_memory_ref (ScopeMemory *self);
void scope_memory_unref (ScopeMemory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeMemory, scope_memory_unref)

/* Whether there is something that is not saved. */
gboolean scope_memory_has_edits (const ScopeMemory *self);

/* In a group of a key file.  What cannot be understood is left out. */
void scope_memory_save (const ScopeMemory *self, GKeyFile *file, const char *group);

/* What was decided only, in place of what the group has of it. */
void scope_memory_save_decisions (const ScopeMemory *self, GKeyFile *file, const char *group);
ScopeMemory *scope_memory_load (GKeyFile *file, const char *group);

ScopeMiddle scope_memory_get_middle (const ScopeMemory *self);

/* @view with drawing, direction and labels as they were. */
ScopeView scope_memory_get_view (const ScopeMemory *self, const ScopeView *view);

/* What it means in another model, in any thread.  NULL for groups when none were known. */
SymFolding *scope_memory_create_folding (const ScopeMemory *self, SymGroups *groups);
SymOpenBodies *scope_memory_create_open_bodies (const ScopeMemory *self, SymModel *model);
const char *scope_memory_get_selected (const ScopeMemory *self); /* NULL for nothing */
SymId scope_memory_find_selected (const ScopeMemory *self, SymModel *model);

/* Of @model with the edits that were made then; @n_lost receives how many of them cannot be. */
ScopeState *scope_memory_create_state (const ScopeMemory *self, SymModel *model, guint *n_lost);

G_END_DECLS
