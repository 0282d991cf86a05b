/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Densities of distributions, told by the operator's name, and the loss of sequences that are not
 * aligned with their labels. */
gboolean sym_op_mxnet_run_density (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_ctc (SymKernel *kernel, GError **error);

G_END_DECLS
