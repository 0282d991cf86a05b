/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-summary.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* Where looking at a graph begins that is too large to be seen whole: at the first of its inputs
 * with layers around it, else at the first layer of the drawing that has at least twice as many.
 * Inputs may lie far from what uses them, and a view of them alone tells nothing.  FALSE of an
 * empty drawing, where @start stays as it is. */
gboolean scope_start_find (const SymLayout *layout, SymSummary *summary, SymRect *start);

G_END_DECLS
