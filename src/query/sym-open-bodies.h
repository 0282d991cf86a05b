/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "core/sym-path.h"

G_BEGIN_DECLS

/* Which calls of a model, and of the bodies of its layers, are open: their bodies are drawn, too.
 * Immutable; reference-counted; says nothing of what there is, so that it outlives edits.  Calls
 * are told by their paths. */
typedef struct _SymOpenBodies SymOpenBodies;

SymOpenBodies *sym_open_bodies_new (void);     /* nothing is open */
SymOpenBodies *sym_open_bodies_new_all (void); /* everything is */

/* Opens a call and those around it.  Closes it: what is within keeps its state. */
SymOpenBodies *sym_open_bodies_open (const SymOpenBodies *self, const char *call_path);
SymOpenBodies *sym_open_bodies_close (const SymOpenBodies *self, const char *call_path);

SymOpenBodies *sym_open_bodies_ref (SymOpenBodies *self);
void sym_open_bodies_unref (SymOpenBodies *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOpenBodies, sym_open_bodies_unref)

/* Whether the call is open; it is seen when those around it are as well. */
gboolean sym_open_bodies_has (const SymOpenBodies *self, const char *call_path);

/* The paths of all that are open, in no order; NULL-ended, the caller's.  Not for what was made by
 * sym_open_bodies_new_all(): that has no end. */
char **sym_open_bodies_list (const SymOpenBodies *self);

G_END_DECLS
