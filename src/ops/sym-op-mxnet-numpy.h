/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-mxnet-lower.h"

G_BEGIN_DECLS

/* Lowerings and kernels of MXNet's layers of numpy's kind. */

/* Tensors made of nothing. */
void sym_op_mxnet_lower_filled (SymOpLower *self);
void sym_op_mxnet_lower_triangle (SymOpLower *self);
void sym_op_mxnet_lower_range (SymOpLower *self);
void sym_op_mxnet_lower_spaced (SymOpLower *self);
void sym_op_mxnet_lower_like (SymOpLower *self);
void sym_op_mxnet_lower_indices (SymOpLower *self);
void sym_op_mxnet_lower_window (SymOpLower *self);
void sym_op_mxnet_lower_triangle_indices (SymOpLower *self);
void sym_op_mxnet_lower_diagonal_indices (SymOpLower *self);

/* The same elements elsewhere. */
void sym_op_mxnet_lower_move_axes (SymOpLower *self);
void sym_op_mxnet_lower_roll_axis (SymOpLower *self);
void sym_op_mxnet_lower_roll (SymOpLower *self);
void sym_op_mxnet_lower_turn (SymOpLower *self);
void sym_op_mxnet_lower_pad (SymOpLower *self);
void sym_op_mxnet_lower_diagonal (SymOpLower *self);
void sym_op_mxnet_lower_diagonals (SymOpLower *self);
void sym_op_mxnet_lower_trace (SymOpLower *self);
void sym_op_mxnet_lower_repeats (SymOpLower *self);
void sym_op_mxnet_lower_fill_diagonal (SymOpLower *self);
void sym_op_mxnet_lower_cut_triangle (SymOpLower *self);

/* Several tensors. */
void sym_op_mxnet_lower_concatenate (SymOpLower *self);
void sym_op_mxnet_lower_stacks (SymOpLower *self);
void sym_op_mxnet_lower_dot (SymOpLower *self);
void sym_op_mxnet_lower_tensordot (SymOpLower *self);
void sym_op_mxnet_lower_kron (SymOpLower *self);
void sym_op_mxnet_lower_cross (SymOpLower *self);
void sym_op_mxnet_lower_einsum (SymOpLower *self);

/* What indices or masks tell, and differences. */
void sym_op_mxnet_lower_advanced (SymOpLower *self);
void sym_op_mxnet_lower_nonzero (SymOpLower *self);
void sym_op_mxnet_lower_unique (SymOpLower *self);
void sym_op_mxnet_lower_assign_number (SymOpLower *self);
void sym_op_mxnet_lower_assign_tensor (SymOpLower *self);
void sym_op_mxnet_lower_index_change (SymOpLower *self);
void sym_op_mxnet_lower_diff (SymOpLower *self);
void sym_op_mxnet_lower_ediff (SymOpLower *self);
void sym_op_mxnet_lower_polyval (SymOpLower *self);
void sym_op_mxnet_lower_cumsum (SymOpLower *self);

/* Two tensors, or a tensor and the attribute scalar, told by the operator's name. */
gboolean sym_op_mxnet_run_pair (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_scalar (SymKernel *kernel, GError **error);

/* Counts, conditions and lines between points. */
gboolean sym_op_mxnet_run_bincount (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_check (SymKernel *kernel, GError **error);
gboolean sym_op_mxnet_run_interp (SymKernel *kernel, GError **error);

G_END_DECLS
