/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* A call of a model, or of a body in it however deep, is told by its *path*: "3" is call 3 of the
 * model, "3a" is the first body of its layer, and "3a/7" is call 7 in there. */

/* The path of a call in a body ("" is the model itself), of a body of a call's layer, and of the
 * body that a call is in; the caller's. */
char *sym_path_enter_call (const char *body_path, SymId call);
char *sym_path_enter_body (const char *call_path, guint body);
char *sym_path_leave_call (const char *call_path);

/* The call that a body is of: "3a/7" of "3a/7b".  The caller's. */
char *sym_path_leave_body (const char *body_path);

/* Letters that tell the bodies of a layer apart: "a", "b", after "z" "aa"; the caller's. */
char *sym_path_format_body (guint body);

G_END_DECLS
