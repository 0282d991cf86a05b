/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* What was edited and is not saved: in what a model differs from the one that is in the file, in
 * names of the latter, so that the same can be done to the file when it is read again.  Names,
 * attributes and outputs are what users edit.  Immutable. */
typedef struct _ScopeDraft ScopeDraft;

/* @edited came from @saved by edits: ids are the same.  NULL when they do not differ. */
ScopeDraft *scope_draft_new (SymModel *saved, SymModel *edited);
void scope_draft_free (ScopeDraft *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeDraft, scope_draft_free)

/* In a group of a key file.  With @self NULL the group tells of none, and loading gives NULL. */
void scope_draft_save (const ScopeDraft *self, GKeyFile *file, const char *group);
ScopeDraft *scope_draft_load (GKeyFile *file, const char *group);

/* @model with the same edits; a reference to @model itself when it is so already, or @self is NULL.
 * Each that cannot be done, because the file has changed meanwhile, is left out and leaves no
 * trace: @n_lost receives how many. */
SymModel *scope_draft_apply (const ScopeDraft *self, SymModel *model, guint *n_lost);

G_END_DECLS
