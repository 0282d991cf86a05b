/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

G_BEGIN_DECLS

/* What the files of PyTorch's layers share.  Semantics are those of torch 1.13's torch.nn, and for
 * the layers that operators make (AddOpLayer, ...) those of PyTorch Symbolic. */

#define SYM_OP_TORCH .domain = "torch", .since_version = 1

/* "input"; "input" and "other"; "input", "weight" and perhaps "bias". */
extern const SymSlotSpec sym_op_torch_one[];
extern const SymSlotSpec sym_op_torch_pair[];
extern const SymSlotSpec sym_op_torch_weighted[];

/* The dtype of a result of operands [@first, @last], by torch's promotion: bool, integers, floats.
 */
SymDType sym_op_torch_promote (SymRule *rule, guint first, guint last);

/* Output 0 has the shape and dtype of operand 0. */
gboolean sym_op_torch_same (SymRule *rule, GError **error);

/* Fails unless the rank of operand 0 lies between the two; TRUE when it is not known yet. */
gboolean sym_op_torch_check_rank (SymRule *rule, int least, int most, GError **error);

/* Python's text of a shape, "(3, 32)", for messages. */
char *sym_op_torch_format (SymRule *rule, const SymShape *shape, const char *separator);

/* Of layers that take data with or without a batch: operand 0 with one, of @rank; and output 0 made
 * of
 * @x, without the batch where the operand had none. */
SymId sym_op_torch_lower_batch (SymOpLower *self, int rank);
void sym_op_torch_lower_finish (SymOpLower *self, SymId x, int rank);

/* A tuple of values. */
SymId sym_op_torch_lower_tuple (SymOpLower *self, const SymId *parts, guint n);

G_END_DECLS
