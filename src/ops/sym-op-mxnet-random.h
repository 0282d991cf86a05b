/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-mxnet-lower.h"

G_BEGIN_DECLS

/* Random numbers: the distribution is told by the operator's name, its parameters are attributes
 * or operands.  They are those of our generator, which the seed of a run begins. */
void sym_op_mxnet_lower_random (SymOpLower *self);

/* What is drawn from lists: rows in another order, some of several, classes, how often each. */
gboolean sym_op_mxnet_run_shuffle (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_categories (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_choice (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_zipfian (SymKernel *kernel, GError **error);

G_END_DECLS
