/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-engine.h"

G_BEGIN_DECLS

/* What picks elements by their values or by indices, and blocks of places that become batches. */

/* The dtype of result 1, which readers put among the attributes as `indices_dtype`; int32. */
SymDType sym_op_engine_get_indices_dtype (SymOpLower *self);

/* Output 0 is the @k greatest elements of operand 0 along @axis, or the least ones; output 1, where
 * there is one, their places. */
void sym_op_engine_set_top (SymOpLower *self, int axis, gint64 k, gboolean largest);

/* Output 0 is the place of the greatest element of operand 0 along @axis, or of the least one. */
void sym_op_engine_set_arg (SymOpLower *self, gboolean is_max, int axis, gboolean keep);

/* Output 0 is operand 0 with blocks of places moved into the batch, which is axis 0: @n axes from
 * @first on, after @pairs of zeros around them; or the other way round, and @pairs are cut off. */
typedef struct {
  int first, n;
  gint64 block[SYM_MAX_RANK], pairs[2 * SYM_MAX_RANK];
} SymOpEngineBlocks;

void sym_op_engine_set_batch (SymOpLower *self, const SymOpEngineBlocks *blocks, gboolean to_batch);

/* The blocks and pairs that attributes tell, for images; FALSE and a refusal where they do not. */
gboolean sym_op_engine_read_blocks (SymOpLower *self,
                                    const char *block,
                                    const char *pairs,
                                    gboolean channels_last,
                                    SymOpEngineBlocks *blocks);

/* Output 0 is operand 0 with the channels of @groups, which lie along @axis, by turns. */
void sym_op_engine_set_shuffled (SymOpLower *self, int axis, gint64 groups);

/* To be lower: elements of operand 0 at indices of operand 1 along `axis`; operand 0 with those of
 * operand 2 there, one by one or in slices. */
void sym_op_engine_lower_gather_elements (SymOpLower *self);
void sym_op_engine_lower_scatter_elements (SymOpLower *self);
void sym_op_engine_lower_scatter_nd (SymOpLower *self);

/* To be lower: sums of all elements up to each along `axis`. */
void sym_op_engine_lower_cumulate (SymOpLower *self);

/* To be lower: operand 1 where operand 0 is true, and operand 2 elsewhere. */
void sym_op_engine_lower_where (SymOpLower *self);

G_END_DECLS
