/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

G_BEGIN_DECLS

/* How far numbers are from those that are expected, of the same shape.  What is NaN or infinite on
 * either side has no part in it, but is counted where it is not the same on both. */
typedef struct {
  gboolean is_known; /* FALSE: nothing was measured */
  guint64 n_elements, n_odd;
  double max;      /* of |actual - expected| */
  double relative; /* that by the largest |expected|; infinite when all of those are 0 and max is
                      not */
  double mean;     /* of |actual - expected| */
  double cosine;   /* of the angle between both as vectors; 1 when both are 0, 0 when one is */
} SymDistance;

/* Dtypes may differ; complex numbers count by their real parts.  FALSE, and not known, when shapes
 * differ or one of both holds no numbers. */
gboolean sym_distance_measure (SymDistance *self, const SymArray *actual, const SymArray *expected);

/* Whether the largest difference is beyond @absolute + @relative * the largest |expected|, or
 * something is odd. FALSE where nothing is known. */
gboolean sym_distance_exceeds (const SymDistance *self, double relative, double absolute);

G_END_DECLS
