/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-run.h"

G_BEGIN_DECLS

/* Graphs are often saved without their weights.  These are the parameters and constants that layers
 * take and that have no numbers, an array of SymId in ascending order. */
GArray *sym_run_list_missing_weights (const SymModel *model);

/* Numbers for them, made up, an array of SymFeed for a plan's `numbers`; the same @seed makes the
 * same again.  Matrices and kernels are uniform around 0, so wide that numbers neither vanish nor
 * grow on their way through a deep network (Glorot and Bengio 2010), scales and variances near 1,
 * all other vectors near 0, integers that pick elements below what there is to pick from.  Types
 * are those of @inference.  Only what leads to an output gets some, unless @everything.
 * SYM_ERROR_UNDECIDED with its name for one whose shape is not known, and for one whose numbers
 * decide about shapes: sizes, axes; one that leads to no output stays without numbers instead. */
GArray *sym_run_make_missing_weights (const SymInference *inference,
                                      gboolean everything,
                                      guint64 seed,
                                      GCancellable *cancellable,
                                      GError **error);

/* The same for weights within bodies, which a plan cannot be given: they become those of
 * @inference's model, for good.  What is within a call that leads to no output leads to none,
 * either. Adds to *@n how many there were. */
gboolean sym_run_set_missing_weights (const SymInference *inference,
                                      guint64 seed,
                                      guint *n,
                                      GCancellable *cancellable,
                                      GError **error);

G_END_DECLS
