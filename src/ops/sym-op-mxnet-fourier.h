/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Fourier transforms of rows, and numbers added up at places that operands tell. */
gboolean sym_op_mxnet_run_fft (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_ifft (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_sketch (SymKernel *kernel, GError **error);

G_END_DECLS
