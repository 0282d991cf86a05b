/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Layers whose weights and activations are one bit each, +1 for what is not below 0 and else -1.
 * What BMXNet gives is not the sum of the products but how many of them are +1, which is half of
 * their number and that sum. */
gboolean sym_op_mxnet_run_binary_convolution (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_binary_dense (SymKernel *kernel, GError **error);

G_END_DECLS
