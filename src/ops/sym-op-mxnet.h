/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

G_BEGIN_DECLS

/* What the files of MXNet's operators share.  Semantics are those of MXNet 1.9.1 (src/operator of
 * its repository), extended where a fact follows in a direction that MXNet does not look. */

#define SYM_OP_MXNET .domain = "mxnet", .since_version = 1

/* "data"; data, weight and perhaps a bias; "lhs" and "rhs"; any number of "arg"; none. */
extern const SymSlotSpec sym_op_mxnet_data[];
extern const SymSlotSpec sym_op_mxnet_weighted[];
extern const SymSlotSpec sym_op_mxnet_pair[];
extern const SymSlotSpec sym_op_mxnet_many[];
extern const SymSlotSpec sym_op_mxnet_none[];

/* As many operands as the attribute num_args says, any number without it. */
int sym_op_mxnet_get_num_args (const SymAttributes *attributes);

/* 2 or 3 operands: the last, a bias, unless no_bias, which is False or True where it is not given.
 */
int sym_op_mxnet_get_n_with_bias (const SymAttributes *attributes);
int sym_op_mxnet_get_n_without_bias (const SymAttributes *attributes);

/* One visible output and one or two hidden ones; three visible ones with output_mean_var. */
int sym_op_mxnet_get_one_of_two (const SymAttributes *attributes, int *n_visible);
int sym_op_mxnet_get_mean_var_outputs (const SymAttributes *attributes, int *n_visible);

/* Whether the operator is of numpy's kind: "_np_sum", "_npi_add", "_npx_softmax".  These know
 * scalars and sizes of 0, which stand for unknown elsewhere; a few share their rule with an older
 * one. */
gboolean sym_op_mxnet_is_numpy (SymRule *rule);

/* @shape, but [1] for a result without any axis where there are no scalars. */
SymShape sym_op_mxnet_finish_shape (SymRule *rule, SymShape shape);

/* The attribute @name as a shape; 0, or -1 for an operator of numpy's kind, stands for unknown. */
SymShape sym_op_mxnet_get_shape (SymRule *rule, const char *name);

/* The spatial part of a convolution or pooling: 1 to 3 axes, first or last channels. */
typedef struct {
  int n;
  gboolean channels_last;
  SymOpWindow windows[3];
} SymOpMxnetWindows;

/* Reads kernel, stride, dilate, pad and layout. */
gboolean sym_op_mxnet_get_windows (SymRule *rule, SymOpMxnetWindows *windows, GError **error);

/* [batch, channels, spatial...] in the order of the layout, and the parts of such a shape. */
SymShape sym_op_mxnet_arrange (const SymOpMxnetWindows *windows,
                               SymDim first,
                               SymDim channels,
                               const SymDim *spatial);
SymDim sym_op_mxnet_get_channels (const SymOpMxnetWindows *windows, const SymShape *shape);
const SymDim *sym_op_mxnet_get_spatial (const SymOpMxnetWindows *windows, const SymShape *shape);

/* Data of a window operator has rank n + 2: "Input data should be 4D in batch-num_filter-y-x". */
gboolean sym_op_mxnet_set_window_rank (SymRule *rule,
                                       const SymOpMxnetWindows *windows,
                                       SymShape *data,
                                       GError **error);

/* The output of a convolution with num_filter filters. */
gboolean sym_op_mxnet_convolve (SymRule *rule, const SymOpMxnetWindows *windows, GError **error);

/* Operand 1 is [filters, channels / num_group, kernel...] in the order of the layout. */
gboolean sym_op_mxnet_set_filters (SymRule *rule,
                                   const SymOpMxnetWindows *windows,
                                   gint64 filters,
                                   GError **error);

/* Shapes of a fully connected layer with num_hidden outputs. */
gboolean sym_op_mxnet_infer_dense (SymRule *rule, GError **error);

/* Shapes of Pooling; shapes of batch_dot. */
gboolean sym_op_mxnet_infer_pooling (SymRule *rule, GError **error);
gboolean sym_op_mxnet_infer_batch_dot_shapes (SymRule *rule, GError **error);

/* The whole rules of Reshape, of _npx_reshape and of transpose. */
gboolean sym_op_mxnet_infer_reshape (SymRule *rule, GError **error);
gboolean sym_op_mxnet_infer_reshape_codes (SymRule *rule, GError **error);
gboolean sym_op_mxnet_infer_transpose (SymRule *rule, GError **error);

/* Operands from @first_input and outputs from @first_output on are least and greatest values: [1],
 * float32. */
gboolean
sym_op_mxnet_set_ranges (SymRule *rule, guint first_input, guint first_output, GError **error);

/* Three outputs: a tensor of integers, its least and its greatest value. */
int sym_op_mxnet_get_ranged_outputs (const SymAttributes *attributes, int *n_visible);

/* What two shapes of known rank broadcast to, one way only: a dimension is unknown where it depends
 * on one that is. */
gboolean
sym_op_mxnet_broadcast (const SymShape *a, const SymShape *b, SymShape *out, GError **error);

/* All operands and outputs have one dtype. */
gboolean sym_op_mxnet_tie_all_dtypes (SymRule *rule, GError **error);

G_END_DECLS
