/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Kernels of boxes, which ONNX has no layers for.  Boxes are (left, top, right, bottom), or the
 * (x, y) of their centres and (width, height). */
gboolean sym_op_mxnet_run_nms (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_iou (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_prior (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_detection (SymKernel *kernel, GError **error);

gboolean sym_op_mxnet_run_box_target (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_matching (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_box_encode (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_box_decode (SymKernel *kernel, GError **error);

G_END_DECLS
