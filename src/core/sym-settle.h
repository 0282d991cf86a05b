/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* Sizes where numbers are needed, as polygraphy and trtexec choose them: a size of an input that
 * nobody tells is 1, each time that its name occurs.  Where @given, with which @inference was made,
 * gives an input another shape than it declares, a name that is declared there has that size in the
 * other inputs, too.
 *
 * Returns what to infer with instead: @given, and shapes that are numbers for all inputs of known
 * rank; an array of SymOverride that borrows the names in @given.  In *@taken what was made up, in
 * words ("batch and axis 2 of “x”"), NULL for nothing. */
GArray *sym_settle_shapes (const SymInference *inference,
                           const SymOverride *given,
                           guint n_given,
                           char **taken);

/* The same for how many samples there are alone, for whoever has no overrides: a size of an input's
 * first axis without a name, or with one such as "batch", of the first input also with another that
 * is none of lengths.  Returns shapes for all that no call makes, as far as they are known; NULL
 * when there is no such size that nobody tells. */
GArray *sym_settle_samples (const SymInference *inference, char **taken);

G_END_DECLS
