/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* What RoiAlign and MaxRoiPool have in common: regions of pictures, each divided into as many bins,
 * of which one number comes. */

#define SYM_OP_REGIONS_SCALE                     \
  {                                              \
    "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", \
        "size of X divided by that of the "      \
        "picture that the regions lie in"        \
  }

/* X [N, C, H, W], rois [n, @n_numbers]: Y [n, C, @height, @width]. */
gboolean
sym_op_regions_infer (SymRule *rule, int n_numbers, gint64 height, gint64 width, GError **error);

typedef struct {
  SymKernel *kernel;
  const double *x; /* set by sym_op_regions_widen() */
  const double *rois;
  SymArray *y;
  double *to; /* the numbers of y; likewise */
  gsize n_regions, n_numbers, channels;
  gint64 n_examples, height, width; /* of X */
  gint64 bins[2];                   /* in a column, in a row */
  double scale;
  gboolean is_wide; /* float64 */
  gsize asked;
} SymOpRegions;

/* The edges of bins are found in float32 unless X is of float64, as elsewhere: where they lie
 * between elements hangs on the last bit. */
double sym_op_regions_round (const SymOpRegions *self, double number);

/* Reads the operands, of regions of @n_numbers each, and makes the result for the bins that are
 * set. */
gboolean
sym_op_regions_begin (SymOpRegions *self, SymKernel *kernel, gsize n_numbers, GError **error);

/* Lets the numbers of X and y be those of float64. */
gboolean sym_op_regions_widen (SymOpRegions *self, GError **error);

/* Elements of one example of X. */
gsize sym_op_regions_count (const SymOpRegions *self);

/* Whether X has an example @i; whether the four corners are where regions may be. */
gboolean
sym_op_regions_check_example (const SymOpRegions *self, gint64 i, gsize region, GError **error);
gboolean sym_op_regions_check_corners (const double *corners, gsize region, GError **error);

G_END_DECLS
