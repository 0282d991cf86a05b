/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-run.h"

G_BEGIN_DECLS

/* Graphs are often saved without their weights.  These are the parameters and constants that layers
 * take and that have no numbers, an array of SymId in ascending order. */
GArray *sym_run_list_missing_weights (const SymModel *model);

/* Feeds those among them that the run's plan needs with numbers made up, which the same @seed makes
 * again: matrices and kernels uniform around 0, so wide that numbers neither vanish nor grow on
 * their way through a deep network (Glorot and Bengio 2010), scales and variances near 1, all other
 * vectors near 0.  Types are those of @inference.  *@n_fed (may be NULL) receives how many it were.
 * SYM_ERROR_UNDECIDED when the shape of one is not known, with its name. */
gboolean sym_run_feed_missing_weights (SymRun *self,
                                       const SymInference *inference,
                                       guint64 seed,
                                       guint *n_fed,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
