/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* The call that makes something of another shape, or cannot at all, where @value has other numbers:
 * a Reshape for its sizes, a Squeeze for its axes, also where they are computed from @value first,
 * of small integers.  SYM_NO_ID where there is none; so it is with values of more than a few
 * numbers.  What @inference knows of the results is not asked, as their file may declare it. */
SymId sym_run_find_shaped (const SymInference *inference, SymId value);

G_END_DECLS
