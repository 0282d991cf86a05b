/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* What the files of TensorFlow's operators share.  Operands and attributes are those of
 * TensorFlow's op definitions; dtypes are those that TensorFlow.js computes in, which has no
 * others: floats are float32, integers are int32.  What operands say of shapes (axes, sizes,
 * paddings) has to be known by the time a call is lowered: a run always knows it. */

#define SYM_OP_TF(name_) \
  .domain = "tf", .name = name_, .since_version = 1, .reference = "TensorFlow 2.16 " name_

/* "x"; "x" and "y"; any number of inputs. */
extern const SymSlotSpec sym_op_tf_one[];
extern const SymSlotSpec sym_op_tf_pair[];
extern const SymSlotSpec sym_op_tf_many[];

int sym_op_tf_any_number (const SymAttributes *attributes);

/* As many outputs as are used. */
int sym_op_tf_any_outputs (const SymAttributes *attributes, int *n_visible);

/* Whether layers of @op, which may be NULL, have no results, and are only waited for. */
gboolean sym_op_tf_is_effect (const SymOperator *op);

/* The dtype that an attribute names, as TensorFlow.js has it; the fallback without one. */
SymDType sym_op_tf_get_dtype (const SymAttributes *attributes, const char *name, SymDType fallback);

/* ---- Rules ---- */

/* Output 0 has the shape and dtype of operand 0, and its small values. */
gboolean sym_op_tf_same (SymRule *rule, GError **error);

/* The dtype that operands @first to @last have together: floats before integers. */
SymDType sym_op_tf_promote (SymRule *rule, guint first, guint last);

/* Operand @i is one integer; FALSE in *@known where it is not known. */
gboolean
sym_op_tf_get_scalar (SymRule *rule, guint i, gint64 *value, gboolean *known, GError **error);

/* Operand @i lists the sizes of a shape, of terms perhaps; the rank may be all that is known of it.
 * A size of -1 is SYM_DIM_UNKNOWN and its axis is in *@open, which is -1 without one and -2 where
 * that cannot be told. */
gboolean sym_op_tf_get_sizes (SymRule *rule, guint i, SymShape *shape, int *open, GError **error);

/* Operand @i as pairs of what is before and after each of @n axes; FALSE in *@known without it. */
gboolean
sym_op_tf_get_pairs (SymRule *rule, guint i, int n, gint64 *pairs, gboolean *known, GError **error);

/* ---- Lowering ---- */

/* One integer of operand @i, counted from the front as an axis of @rank; FALSE, and an error of the
 * body, when it is none. */
gboolean sym_op_tf_read_axis (SymOpLower *self, guint i, int rank, int *axis);

/* Output @i, with the rank of numbers known: FALSE, and an error of the body, otherwise. */
gboolean sym_op_tf_need_shape (SymOpLower *self, guint i, SymShape *shape);

/* Operand @i in the dtype of output 0; in int64, as ONNX wants sizes and places. */
SymId sym_op_tf_input (SymOpLower *self, guint i);
SymId sym_op_tf_int64 (SymOpLower *self, guint i);

/* Operands @i and @j in the dtype that they have together, to be compared. */
void sym_op_tf_pair_up (SymOpLower *self, guint i, guint j, SymId *a, SymId *b);

/* Whole lowerings: output 0 is operand 0, as it is, in the inferred dtype, or in the inferred
 * shape. */
void sym_op_tf_lower_identity (SymOpLower *self);
void sym_op_tf_lower_cast (SymOpLower *self);

/* What activation @name, "Relu", makes of @x; FALSE for one that is not known. */
gboolean sym_op_tf_activate (SymOpLower *self, const char *name, SymId *x);

/* ---- Images ---- */

/* Whether channels come right after the batch: "NCHW", "NCDHW". */
gboolean sym_op_tf_is_channels_first (const SymAttributes *attributes);

/* Data of @n window axes with the channels moved behind the batch, and back. */
SymId sym_op_tf_channels_first (SymOpLower *self, SymId x, int n);
SymId sym_op_tf_channels_last (SymOpLower *self, SymId x, int n);

/* @fused_ops, one after the other, of @x, whose arguments are operands from @operand on.  @x has
 * its channels last, or, with @window axes of a convolution whose channels are first, behind the
 * batch. */
SymId sym_op_tf_fuse (SymOpLower *self, SymId x, guint operand, guint first_fused, int rank);

/* Name @i of the attribute `fused_ops`; NULL beyond. */
const char *sym_op_tf_get_fused (const SymAttributes *attributes, guint i);

G_END_DECLS
