/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What ONNX's Resize-19 says of one axis: which place of X an element of Y stands for, and what
 * those around it count. */

typedef struct {
  double size, to;   /* elements of X and of Y */
  double scale;      /* as it was asked for */
  double start, end; /* the region of interest, 0 and 1 without one */
} SymOpResizeAxis;

/* By `coordinate_transformation_mode`. */
double sym_op_resize_find_place (const char *transformation, const SymOpResizeAxis *axis, gint64 i);

/* By `nearest_mode`. */
double sym_op_resize_round (const char *mode, double place);

/* The weight of an element @distance away, not yet normalised: linear, or cubic with coefficient
 * @a. */
double sym_op_resize_weigh (gboolean is_cubic, double a, double distance);

G_END_DECLS
