/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Kernels of functions of one number that ONNX has not, or not as exact: floats stay what they are;
 * integers stay themselves where a function rounds, and become float32 elsewhere. */
gboolean sym_op_mxnet_run_cbrt (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_rcbrt (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_expm1 (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_log1p (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_gamma (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_gammaln (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_digamma (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_erfinv (SymKernel *kernel, GError **error);

/* Halves go down, away from zero, and to the even number. */
gboolean sym_op_mxnet_run_rint (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_round (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_round_even (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_trunc (SymKernel *kernel, GError **error);

G_END_DECLS
