/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-step-private.h"

G_BEGIN_DECLS

/* sym-step-product.c: the rows of x times a constant matrix.  Never NULL. */
SymStep *sym_product_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* How many slices there should be of @n pieces of work, each of @n_operations on floats: a slice
 * takes a few microseconds, so that several threads find work, and never as long as a run may take
 * to notice that it was cancelled. */
guint sym_step_count_matrix_slices (gsize n, double n_operations);

G_END_DECLS
