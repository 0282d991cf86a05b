/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

G_BEGIN_DECLS

/* Operators of the domain com.microsoft, which ONNX Runtime's optimiser writes into files.
 * Reference: its page ContribOperators.md.  All are lowered onto ONNX's. */
#define SYM_OP_MICROSOFT(name_)                                 \
  .domain = "com.microsoft", .name = name_, .since_version = 1, \
  .reference = "ONNX Runtime com.microsoft." name_

extern const SymSlotSpec sym_op_microsoft_x[]; /* X */

/* ONNX's operator @name with those attributes of the call that it knows. */
SymId sym_op_microsoft_apply (SymOpLower *self, const char *name, SymIds operands);

/* The numbers that an operand of integers stands for, with its scale and zero point in the slots
 * @scale and @zero; along @axis where these are one for each. */
SymId sym_op_microsoft_dequantize (SymOpLower *self, guint i, guint scale, guint zero, int axis);

/* Output 0 is @x in integers: with the scale and zero point in the slots, or, without a zero point,
 * of @dtype. */
void sym_op_microsoft_store (SymOpLower *self, SymId x, guint scale, guint zero, SymDType dtype);

/* The activation that the attribute `activation` names, applied to @x: with its parameters in
 * @params, NaN for one that is not told. */
SymId sym_op_microsoft_activate (SymOpLower *self, SymId x, const double params[2]);

G_END_DECLS
