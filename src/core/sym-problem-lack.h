/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-problem.h"

G_BEGIN_DECLS

/* Why weights of the model have no numbers: files of them that are missing, cut off or cannot be
 * read.  Whoever adds the problem that tells it says so here, too, so that a run that lacks the
 * numbers can name the cause.  The first that is said stays, and goes with the problems where they
 * are appended; it stands for all weights of which sym_model_get_lack() does not tell their own. */
void sym_problems_explain_lack (SymProblems *self, const char *why);

/* Both at once, at @line, or of the whole file where that is 0. */
void
sym_problems_add_lack (SymProblems *self, SymSeverity severity, guint line, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* NULL where no cause is known. */
const char *sym_problems_get_lack (const SymProblems *self);

G_END_DECLS
