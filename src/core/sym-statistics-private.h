/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a short run of float32 is like, found in one pass.  Sums are of the distances to the first
 * number: as that is one of them, no more than the run's length is lost of a double's digits. */
typedef struct {
  gboolean is_finite; /* else nothing below means anything */
  float low, high;
  guint n_zeros;
  double sum, squares;
} SymFloatRun;

/* @n is at least 1. */
void sym_statistics_scan_floats (const float *values, guint n, SymFloatRun *run);

G_END_DECLS
