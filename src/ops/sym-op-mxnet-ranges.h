/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-mxnet-lower.h"

G_BEGIN_DECLS

/* Integers of 8 and 32 bits with their range, as oneDNN has MXNet's quantised layers compute: 0 is
 * 0, and the greatest absolute value of the range is 127, 255 or 2^31 - 1. */

/* Operand @i, whose range is in operands @range and @range + 1, as float32. */
SymId sym_op_mxnet_lower_numbers (SymOpLower *self, guint i, guint range);

/* How much 1 in operand @i stands for. */
SymId sym_op_mxnet_lower_unit (SymOpLower *self, guint i, guint range);

/* The greatest absolute value of a range. */
SymId sym_op_mxnet_lower_extent (SymOpLower *self, SymId least, SymId greatest);

/* The calibrated range of the layer; FALSE when it has none. */
gboolean sym_op_mxnet_lower_get_calibrated (SymOpLower *self, double range[2]);

/* Output 0 is @x in integers of @dtype, rounded to nearest, whose range is outputs 1 and 2; or, of
 * @dtype int32, in units of @unit. */
void sym_op_mxnet_lower_store (SymOpLower *self, SymId x, SymDType dtype, const double range[2]);
void sym_op_mxnet_lower_store_wide (SymOpLower *self, SymId x, SymId unit);

/* Output 0 is @x, int32 in units of @unit already. */
void sym_op_mxnet_lower_store_sums (SymOpLower *self, SymId x, SymId unit);

/* Outputs 1 and 2 are the range in operands @range and @range + 1. */
void sym_op_mxnet_lower_pass_range (SymOpLower *self, guint range);

/* ---- Lowerings of single layers ---- */

void sym_op_mxnet_lower_quantized_conv (SymOpLower *self);
void sym_op_mxnet_lower_quantized_dense (SymOpLower *self);
void sym_op_mxnet_lower_quantized_pooling (SymOpLower *self);
void sym_op_mxnet_lower_quantized_act (SymOpLower *self);
void sym_op_mxnet_lower_quantized_move (SymOpLower *self);
void sym_op_mxnet_lower_quantized_concat (SymOpLower *self);
void sym_op_mxnet_lower_quantized_add (SymOpLower *self);
void sym_op_mxnet_lower_quantized_mul (SymOpLower *self);
void sym_op_mxnet_lower_quantized_embedding (SymOpLower *self);
void sym_op_mxnet_lower_quantized_norm (SymOpLower *self);
void sym_op_mxnet_lower_requantize (SymOpLower *self);

G_END_DECLS
