/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-record.h"
#include "run/sym-run-distance.h"

G_BEGIN_DECLS

/* Measures how far @n values of one run are from those of another: @actual[i] in @run from
 * @expected[i] in
 * @reference, into @distances[i]; of what was not computed, is no tensor or has another shape
 * nothing is known. No value may be named twice on one side.  What was not kept is computed again,
 * once for each part of 128 MiB of the expected values, which is all that is held at a time.  FALSE
 * when it was cancelled or that fails. */
gboolean sym_record_measure (const SymRecord *run,
                             const SymRecord *reference,
                             const SymId *actual,
                             const SymId *expected,
                             guint n,
                             SymDistance *distances,
                             GCancellable *cancellable,
                             GError **error);

G_END_DECLS
