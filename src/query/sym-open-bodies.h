/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* Which calls of a model, and of the bodies of its layers, are open: their bodies are drawn, too.
 * Immutable; reference-counted; says nothing of what there is, so that it outlives edits.
 *
 * A call is told by its *path*: "3" is call 3 of the model, "3a" is the first body of its layer, and
 * "3a/7" is call 7 in there. */
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

/* The path of a call in a body ("" is the model itself), of a body of a call's layer, and of the body
 * that a call is in; the caller's. */
char *sym_path_enter_call (const char *body_path, SymId call);
char *sym_path_enter_body (const char *call_path, guint body);
char *sym_path_leave_call (const char *call_path);

/* The call that a body is of: "3a/7" of "3a/7b".  The caller's. */
char *sym_path_leave_body (const char *body_path);

/* Letters that tell the bodies of a layer apart: "a", "b", after "z" "aa"; the caller's. */
char *sym_path_format_body (guint body);

G_END_DECLS
