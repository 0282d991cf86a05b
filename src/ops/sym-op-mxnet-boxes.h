/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Kernels of boxes, which ONNX has no single layers for.  Boxes are (left, top, right, bottom), or
 * the (x, y) of their centres and (width, height). */
gboolean sym_op_mxnet_run_nms (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_iou (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_prior (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_detection (SymKernel *kernel, GError **error);

/* The same in ONNX's layers, for files of ONNX. */
void sym_op_mxnet_lower_nms (SymOpLower *lower);
void sym_op_mxnet_lower_prior (SymOpLower *lower);
void sym_op_mxnet_lower_detection (SymOpLower *lower);
void sym_op_mxnet_lower_iou (SymOpLower *lower);
void sym_op_mxnet_lower_box_decode (SymOpLower *lower);

/* Boxes of three axes: their centres and sizes as corners, or back; and those with @centers, moved
 * and stretched by @moves, of which the latter are at most @most, as corners. */
SymId sym_op_mxnet_turn_boxes (SymOpLower *lower, SymId boxes, gboolean to_center);
SymId sym_op_mxnet_stretch_boxes (SymOpLower *lower, SymId moves, SymId centers, double most);

/* What MultiBoxPrior's attributes say, for places of a picture. */
#define SYM_OP_MXNET_MAX_PRIORS 64

typedef struct {
  double sizes[SYM_OP_MXNET_MAX_PRIORS], ratios[SYM_OP_MXNET_MAX_PRIORS];
  double steps[2], offsets[2];
  int n_sizes, n; /* boxes at each place */
  gboolean clip;
  gint64 height, width;
} SymOpMxnetPriors;

/* FALSE for more sizes or ratios than there may be. */
gboolean sym_op_mxnet_priors_read (SymOpMxnetPriors *self,
                                   const SymAttributes *attributes,
                                   gint64 height,
                                   gint64 width);

/* Box @which, as left, top, right and bottom. */
void sym_op_mxnet_priors_get (const SymOpMxnetPriors *self, gint64 which, double box[4]);

/* The numbers of a list, of which at most @max are stored; how many there are, 0 without it.  One
 * number alone is stored, too. */
int sym_op_mxnet_read_floats (const SymAttributes *attributes,
                              const char *name,
                              double *values,
                              int max);

gboolean sym_op_mxnet_run_box_target (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_matching (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_box_encode (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_box_decode (SymKernel *kernel, GError **error);

G_END_DECLS
