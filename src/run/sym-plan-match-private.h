/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-plan-graph-private.h"

G_BEGIN_DECLS

/* What sym_plan_graph_match() has several operations joined into one by. */

/* Of each tensor: the operation that makes it, the last one where there are several, and how many
 * use it. */
typedef struct {
  SymPlanGraph *graph;
  guint *makers, *n_uses;
} SymPlanMatch;

SymPlanTensor *sym_plan_match_get (const SymPlanMatch *self, guint tensor);

/* The operation of that kind that makes the tensor; NULL for none.  The same, when nobody else
 * needs the tensor. */
SymPlanOp *sym_plan_match_find_maker (const SymPlanMatch *self, guint tensor, SymPlanOpKind kind);
SymPlanOp *sym_plan_match_find_own (const SymPlanMatch *self, guint tensor, SymPlanOpKind kind);

/* The tensor that it is another view of. */
guint sym_plan_match_find_seen (const SymPlanMatch *self, guint tensor);

void sym_plan_match_change_operand (const SymPlanMatch *self, guint *operand, guint tensor);

/* @into makes what @op made, whose use of it is over. */
void sym_plan_match_join (const SymPlanMatch *self, SymPlanOp *into, SymPlanOp *op);

/* ---- What is joined ---- */

/* Elementwise: what ends a norm; a factor or a term of one. */
void sym_plan_match_norm (const SymPlanMatch *self, SymPlanOp *op);

/* Elementwise: a factor of all numbers of the product of matrices before it.  A product: those of
 * what it multiplies. */
void sym_plan_match_factor_after (const SymPlanMatch *self, SymPlanOp *op);
void sym_plan_match_factors (const SymPlanMatch *self, SymPlanOp *op);

/* The product of the weights and values. */
void sym_plan_match_attention (const SymPlanMatch *self, SymPlanOp *op);

/* Whatever reads grids reads where the moves before it would have read; and what makes the operand
 * of a move writes where that would have written. */
void sym_plan_match_reads (const SymPlanMatch *self, SymPlanOp *op);
void sym_plan_match_writes (const SymPlanMatch *self, SymPlanOp *move);

G_END_DECLS
