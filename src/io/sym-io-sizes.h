/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* Notes which named sizes of @model's inputs a file has no names for: "@target has no names of
 * sizes, so these are lost: batch".  @notes may be NULL. */
void sym_io_note_sizes (const SymModel *model, const char *target, SymProblems *notes);

G_END_DECLS
