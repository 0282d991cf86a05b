/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* What is lost where a file has no place for it.  @notes may be NULL in all of these. */

/* Notes which named sizes of @model's inputs a file has no names for: "@target has no names of
 * sizes, so these are lost: batch". */
void sym_io_note_sizes (const SymModel *model, const char *target, SymProblems *notes);

/* Notes which parameters of @model no layer uses, and that they are left out. */
void sym_io_note_unused (const SymModel *model, SymProblems *notes);

/* Notes that standard output has no place for the numbers of @n_tensors, unless there are none. */
void sym_io_note_tensors (guint n_tensors, SymProblems *notes);

G_END_DECLS
