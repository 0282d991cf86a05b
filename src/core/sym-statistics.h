/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-tensor.h"

G_BEGIN_DECLS

#define SYM_STATISTICS_MAX_BINS 1024

/* What the numbers of a tensor are like.  Minimum, maximum, mean, deviation and bins are of the
 * finite numbers only, and NaN (the bins: 0) when there is none; beyond 1e150 the deviation may
 * become infinite.  Bools count as 0 and 1, complex numbers by their real parts, 64-bit integers as
 * the nearest doubles. */
typedef struct {
  guint64 n_elements, n_zeros, n_nan, n_infinite;
  double min, max;
  double mean, std; /* std of all of them (divided by n, as numpy.std), not of a sample */
  /* Bins of the same width from @first_edge to @last_edge: minimum and maximum, or half around the
   * only number there is.  The last edge belongs to the last bin. */
  guint n_bins;
  double first_edge, last_edge;
  guint64 bins[SYM_STATISTICS_MAX_BINS];
} SymStatistics;

/* Computes all of @self, with @n_bins bins (0 for none, which saves half of the time).  The numbers
 * are read in pieces, twice if there are bins.  Mean and deviation are as exact as the sums of
 * their terms in twice the precision.  FALSE with @error when the tensor cannot be read, holds
 * strings, or
 * @cancellable was cancelled; @self is undefined then. */
gboolean sym_statistics_compute (SymStatistics *self,
                                 SymTensor *tensor,
                                 guint n_bins,
                                 GCancellable *cancellable,
                                 GError **error);

/* The same of @n elements in memory. */
gboolean sym_statistics_compute_elements (SymStatistics *self,
                                          SymDType dtype,
                                          const void *elements,
                                          guint64 n,
                                          guint n_bins,
                                          GCancellable *cancellable,
                                          GError **error);

G_END_DECLS
