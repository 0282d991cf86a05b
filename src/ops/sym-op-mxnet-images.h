/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-mxnet-lower.h"

G_BEGIN_DECLS

/* Lowerings of MXNet's layers of pictures. */
void sym_op_mxnet_lower_to_tensor (SymOpLower *self);
void sym_op_mxnet_lower_normalize (SymOpLower *self);
void sym_op_mxnet_lower_resize_image (SymOpLower *self);
void sym_op_mxnet_lower_crop_image (SymOpLower *self);
void sym_op_mxnet_lower_flip (SymOpLower *self);
void sym_op_mxnet_lower_blend (SymOpLower *self);
void sym_op_mxnet_lower_lighting (SymOpLower *self);

G_END_DECLS
