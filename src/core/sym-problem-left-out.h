/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-problem.h"

G_BEGIN_DECLS

/* Something of the file that is not in the model, so that no writer can know of it: whoever adds
 * the problem says so here, and it is told again when the model is written.  @line is 0 for the
 * whole file. */
void sym_problems_add_left_out (SymProblems *self,
                                SymSeverity severity,
                                guint line,
                                const char *format,
                                ...) G_GNUC_PRINTF (4, 5);

/* Appends copies of those that @other was told of in this way, as warnings without a line, which is
 * one of another file. */
void sym_problems_append_left_out (SymProblems *self, const SymProblems *other);

G_END_DECLS
