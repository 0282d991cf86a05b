/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Loops and branches of MXNet: what runs their bodies. */
gboolean sym_op_mxnet_run_foreach (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_while (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_cond (SymKernel *kernel, GError **error);

G_END_DECLS
