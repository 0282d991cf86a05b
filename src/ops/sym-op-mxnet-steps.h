/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Steps of optimizers, told by the operator's name: what the weights are afterwards.  Operands stay
 * as they are, so states are those of before. */
gboolean sym_op_mxnet_run_steps (SymKernel *kernel, GError **error);

/* AdaGrad by rows; LAMB in two parts; learning rates of LARS. */
gboolean sym_op_mxnet_run_row_adagrad (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_lamb_direction (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_lamb_step (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_lars (SymKernel *kernel, GError **error);

/* Whether all elements of all operands are finite; the sum of squares of each. */
gboolean sym_op_mxnet_run_all_finite (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_sums_of_squares (SymKernel *kernel, GError **error);

G_END_DECLS
