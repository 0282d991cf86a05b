/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-mxnet-lower.h"

G_BEGIN_DECLS

/* Linear algebra on the last two axes, computed in double.  A matrix that has no such factor, or is
 * singular where it must not be, is an error. */
gboolean sym_op_mxnet_run_cholesky (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_cholesky_inverse (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_inverse (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_solve (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_determinant (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_orthonormal (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_eigen (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_singular (SymKernel *kernel, GError **error);

/* How many singular values are above a limit; pseudo-inverses. */
gboolean sym_op_mxnet_run_rank (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_pseudo_inverse (SymKernel *kernel, GError **error);

/* What is said in other layers. */
void sym_op_mxnet_lower_triangle_product (SymOpLower *self);
void sym_op_mxnet_lower_triangle_solution (SymOpLower *self);
void sym_op_mxnet_lower_syrk (SymOpLower *self);
void sym_op_mxnet_lower_extract_diagonal (SymOpLower *self);
void sym_op_mxnet_lower_sum_log_diagonal (SymOpLower *self);
void sym_op_mxnet_lower_make_diagonal (SymOpLower *self);
void sym_op_mxnet_lower_extract_triangle (SymOpLower *self);
void sym_op_mxnet_lower_make_triangle (SymOpLower *self);
void sym_op_mxnet_lower_tensor_inverse (SymOpLower *self);

G_END_DECLS
