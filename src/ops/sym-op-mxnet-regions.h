/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Kernels of MXNet's layers that look at regions of pictures, and of those that propose them. */
gboolean sym_op_mxnet_run_roi_pooling (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_turned_regions (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_psroi (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_deformable_psroi (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_proposal (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_correlation (SymKernel *kernel, GError **error);

G_END_DECLS
