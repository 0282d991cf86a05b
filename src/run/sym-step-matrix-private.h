/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-step-private.h"

G_BEGIN_DECLS

/* sym-step-product.c: the rows of x times a constant matrix.  Never NULL.  What was packed of a
 * matrix is used again where the table of the options has it. */
SymStep *
sym_product_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
GHashTable *sym_product_new_table (void);

/* What weights were packed into. */
typedef enum {
  SYM_PACKED_PANELS, /* of [inner, outer] */
  SYM_PACKED_TURNED, /* of [outer, inner] */
  SYM_PACKED_POINTS, /* of Winograd's squares */
  SYM_PACKED_HALVES, /* of [inner, outer], see sym-halves-private.h */
  SYM_PACKED_HALVES_TURNED,
} SymPackedForm;

/* The weights of the operation as another step packed them, NULL for none; and lets others find
 * them: steps of the same region, and of all regions of the plan if the weights stay where they
 * are.  What has scales is packed with them, and is nobody else's. */
float *
sym_step_find_packed (const SymPlanOp *op, SymPackedForm form, const SymStepOptions *options);
void sym_step_keep_packed (const SymPlanOp *op,
                           SymPackedForm form,
                           float *packed,
                           const SymStepOptions *options);

gboolean sym_step_has_scales (const SymPlanOp *op);

/* sym-step-halves.c: the same, and convolutions of 1x1, by the processor's tiles.  Whether it can
 * do that, and is quicker. */
gboolean sym_halves_are_better (const SymPlanGraph *graph,
                                const SymPlanOp *op,
                                const SymStepOptions *options);
SymStep *
sym_halves_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);

/* sym-step-matrix.c: products of computed matrices. */
SymStep *sym_matrix_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-attention.c: softmax (query . key + mask) . value, a few rows at a time, so that the
 * weights of all keys are never in memory. */
SymStep *sym_attention_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-append.c: rows behind those of a cache. */
SymStep *sym_append_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-rotate.c: pairs of features, turned by the angles of their place. */
SymStep *sym_rotate_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-rows.c: functions of rows of floats. */
SymStep *sym_rows_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-move.c: elements in another order, and rows by their numbers. */
SymStep *sym_move_new (const SymPlanGraph *graph, const SymPlanOp *op);
SymStep *sym_gather_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* Of a grid of matrices: how many there are, and where one begins. */
gsize sym_step_count_matrices (const SymPlanGrid *grid);
gssize sym_step_find_matrix (const SymPlanGrid *grid, gsize batch);

/* How many slices there should be of @n pieces of work, each of @n_operations on floats: so many
 * that all threads of the plan find work, none so short that handing it over takes longer, and none
 * as long as a run may take to notice that it was cancelled. */
guint sym_step_count_matrix_slices (const SymPlanGraph *graph, gsize n, double n_operations);

G_END_DECLS
