/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* By what a value or a layer is known again in another model, which was read from the same file:
 * a value by its unique name, a layer by that of its first result. */

/* SYM_NO_ID when none has that name, which may be NULL. */
SymId scope_names_find_value (SymModel *model, const char *name);
SymId scope_names_find_call (SymModel *model, const char *name);

/* Borrowed; NULL for a layer that has no results. */
const char *scope_names_get_call (SymModel *model, SymId call);

G_END_DECLS
