/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-mxnet-lower.h"

G_BEGIN_DECLS

/* Lowerings of intgemm's layers. */
void sym_op_mxnet_lower_greatest (SymOpLower *self);
void sym_op_mxnet_lower_prepared (SymOpLower *self);
void sym_op_mxnet_lower_taken (SymOpLower *self);
void sym_op_mxnet_lower_integer_dense (SymOpLower *self);

G_END_DECLS
